package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/attest"
)

// made is a release of small files in a folder of its own, its packages too.
func made(t *testing.T) *release {
	t.Helper()
	r := &release{version: "v1.2.3", url: "https://example.org/v1.2.3", out: t.TempDir(), commit: strings.Repeat("a", 40), date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	r.targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}
	shared := []file{{"LICENSE", 0o644, []byte("licence\n")}, {"README.md", 0o644, []byte("read me\n")}, {"man/man1/hitoku.1", 0o644, []byte(".TH HITOKU 1\n")}}
	for _, name := range completions {
		shared = append(shared, file{name, 0o644, []byte("# " + name + "\n")})
	}
	slices.SortFunc(shared, func(a, b file) int { return strings.Compare(a.name, b.name) })
	for _, t2 := range r.targets {
		program := []byte("program of " + t2.os)
		if err := r.archive(t2, append(programs(t2, program), shared...)); err != nil {
			t.Fatal(err)
		}
		if t2.os == "linux" {
			if err := r.packages(t.TempDir(), t2, program, shared); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.manifests(); err != nil {
		t.Fatal(err)
	}
	if err := r.provenance(nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sums(); err != nil {
		t.Fatal(err)
	}
	return r
}

func contentOf(t *testing.T, r *release, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The same files give the same bytes, in folders of other names.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	a, b := made(t), made(t)
	files, err := os.ReadDir(a.out)
	if err != nil || len(files) != 6+4+3+1+1 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if !bytes.Equal(contentOf(t, a, f.Name()), contentOf(t, b, f.Name())) {
			t.Errorf("%s differs", f.Name())
		}
	}
}

// What is stated of the files is true, and signed by the key whose public half the commit has, by no other.
func TestProvenance(t *testing.T) {
	t.Parallel()
	r := made(t)
	r.repo = t.TempDir()
	pems := func(name string) (private string, public []byte) {
		pub, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		private = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(private, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		if der, err = x509.MarshalPKIXPublicKey(pub); err != nil {
			t.Fatal(err)
		}
		return private, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	mine, public := pems("mine.pem")
	other, _ := pems("other.pem")
	if _, err := r.signer(mine); err == nil {
		t.Error("signed where the commit has no public half")
	}
	half := filepath.Join(r.repo, publicKey)
	if err := os.MkdirAll(filepath.Dir(half), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(half, public, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := r.signer(other); err == nil {
		t.Error("signed by another key")
	}
	key, err := r.signer(mine)
	if err != nil {
		t.Fatal(err)
	}
	const name = "hitoku_1.2.3.intoto.jsonl"
	for _, f := range []string{name, "SHA256SUMS"} {
		if err := os.Remove(filepath.Join(r.out, f)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.provenance(key); err != nil {
		t.Fatal(err)
	}
	var says attest.Provenance
	signed, err := attest.Decode(contentOf(t, r, name), &says)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := attest.PublicKey(half)
	if err != nil || !signed.By(pub) {
		t.Error("not signed", err)
	}
	if len(signed.Subject) != 6+4+3 || says.BuildDefinition.ResolvedDependencies[0].Digest["gitCommit"] != r.commit {
		t.Errorf("%+v", signed.Statement)
	}
	for _, s := range signed.Subject {
		if same, err := attest.Of(s.Name, bytes.NewReader(contentOf(t, r, s.Name))); err != nil || !s.Same(same) {
			t.Errorf("%s: another checksum (%v)", s.Name, err)
		}
	}
}

func TestArchives(t *testing.T) {
	t.Parallel()
	r := made(t)
	g, err := gzip.NewReader(bytes.NewReader(contentOf(t, r, "hitoku_1.2.3_linux_amd64.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for tr := tar.NewReader(g); ; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if names = append(names, h.Name); !h.ModTime.Equal(r.date) || h.Name == "hitoku-1.2.3/hitoku" && h.Mode != 0o755 {
			t.Errorf("%s: %v, %o", h.Name, h.ModTime, h.Mode)
		}
	}
	z, err := zip.NewReader(bytes.NewReader(contentOf(t, r, "hitoku_1.2.3_windows_arm64.zip")), int64(len(contentOf(t, r, "hitoku_1.2.3_windows_arm64.zip"))))
	if err != nil {
		t.Fatal(err)
	}
	var zipped []string
	programs := map[string]string{}
	for _, f := range z.File {
		if zipped = append(zipped, strings.TrimSuffix(f.Name, ".exe")); strings.HasSuffix(f.Name, ".exe") {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(in)
			if err != nil || f.Mode() != 0o755 {
				t.Errorf("%s: %v, %v", f.Name, f.Mode(), err)
			}
			programs[f.Name] = string(text)
		}
	}
	if want := slices.Insert(slices.Clone(names), 1, "hitoku-1.2.3/TauArgus"); len(names) != 8 || !slices.Equal(zipped, want) {
		t.Errorf("%q, want %q", zipped, want)
	}
	if programs["hitoku-1.2.3/TauArgus.exe"] != "program of windows" || programs["hitoku-1.2.3/hitoku.exe"] != "program of windows" {
		t.Errorf("%q", programs)
	}
}

// Manifests name the archives by the checksums of the list, which sha256sum takes.
func TestManifests(t *testing.T) {
	t.Parallel()
	r := made(t)
	sums := map[string]string{}
	for line := range strings.Lines(string(contentOf(t, r, "SHA256SUMS"))) {
		f := strings.Fields(line)
		sums[f[1]] = f[0]
	}
	var scoop struct {
		Version      string
		Architecture map[string]struct{ URL, Hash string }
		ExtractDir   string `json:"extract_dir"`
	}
	if err := json.Unmarshal(contentOf(t, r, "hitoku.json"), &scoop); err != nil {
		t.Fatal(err)
	}
	x := scoop.Architecture["64bit"]
	if x.URL != "https://example.org/v1.2.3/hitoku_1.2.3_windows_amd64.zip" || x.Hash != sums["hitoku_1.2.3_windows_amd64.zip"] || scoop.ExtractDir != "hitoku-1.2.3" {
		t.Errorf("%+v", scoop)
	}
	formula := string(contentOf(t, r, "hitoku.rb"))
	for _, of := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"} {
		if name := "hitoku_1.2.3_" + of + ".tar.gz"; !strings.Contains(formula, name+"\"\n      sha256 \""+sums[name]+"\"") {
			t.Errorf("the formula lacks %s", name)
		}
	}
	if !strings.Contains(string(contentOf(t, r, "Dockerfile")), "ADD hitoku_1.2.3_linux_${TARGETARCH}.tar.gz /\n") {
		t.Error("the container file adds no archive")
	}
	if _, err := exec.LookPath("sha256sum"); err == nil {
		cmd := exec.Command("sha256sum", "--quiet", "-c", "SHA256SUMS")
		cmd.Dir = r.out
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// What packages install and where, as the programs of the systems list it; skipped where there are none.
func TestPackages(t *testing.T) {
	t.Parallel()
	r := made(t)
	for _, p := range []struct {
		program string
		args    []string
		name    string
	}{
		{"dpkg-deb", []string{"-c"}, "hitoku_1.2.3_amd64.deb"},
		{"rpm", []string{"-qpl", "--nosignature"}, "hitoku-1.2.3-1.x86_64.rpm"},
	} {
		content := contentOf(t, r, p.name)
		if _, err := exec.LookPath(p.program); err != nil {
			t.Logf("%s: not listed, no %s (%d bytes)", p.name, p.program, len(content))
			continue
		}
		out, err := exec.Command(p.program, append(p.args, filepath.Join(r.out, p.name))...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, want := range []string{"/usr/bin/hitoku", "/usr/share/man/man1/hitoku.1.gz", "/usr/share/bash-completion/completions/hitoku", "/usr/share/doc/hitoku/copyright", "_hitoku"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s lacks %s:\n%s", p.name, want, out)
			}
		}
	}
}

// A module without a licence that is known cannot be released; two with the same text share it.
func TestNotices(t *testing.T) {
	t.Parallel()
	repo, with, without := t.TempDir(), t.TempDir(), t.TempDir()
	mit := "MIT License\n\nCopyright (c) 2026 Somebody\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n"
	for path, text := range map[string]string{filepath.Join(repo, "LICENSE"): "own\n", filepath.Join(with, "LICENSE.md"): mit, filepath.Join(without, "README"): mit} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&module{Path: "b", Dir: without}).read(); err == nil {
		t.Error("no error of a module without a licence")
	}
	a, b := &module{Path: "example.org/a", Version: "v1.0.0", Dir: with}, &module{Path: "example.org/b", Version: "v2.0.0", Dir: with}
	for _, m := range []*module{a, b} {
		if err := m.read(); err != nil || !slices.Equal(m.licences, []string{"MIT"}) {
			t.Fatal(m.licences, err)
		}
	}
	r := &release{version: "v1.2.3", repo: repo, date: time.Unix(0, 0).UTC()}
	text, err := r.notices([]*module{a, b})
	if err != nil || strings.Count(string(text), "Permission is hereby granted") != 1 || !strings.Contains(string(text), "  example.org/b v2.0.0 (MIT)\n") {
		t.Errorf("%v\n%s", err, text)
	}
	list, err := r.components([]*module{a, b})
	var bom struct {
		BOMFormat  string
		Components []struct{ PURL string }
	}
	if err == nil {
		err = json.Unmarshal(list, &bom)
	}
	if err != nil || bom.BOMFormat != "CycloneDX" || len(bom.Components) != 2 || bom.Components[1].PURL != "pkg:golang/example.org/b@v2.0.0" {
		t.Errorf("%v\n%s", err, list)
	}
}

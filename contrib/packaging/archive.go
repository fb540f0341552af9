package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file is a file in archives and packages.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// completions are the scripts for shells, by the shell's name in the command.
var completions = map[string]string{"bash": "completions/hitoku.bash", "fish": "completions/hitoku.fish", "powershell": "completions/hitoku.ps1", "zsh": "completions/_hitoku"}

// shared returns the files that every archive has beside the program: manual, completions, licences, list of
// components.
func (r *release) shared(work string, notices, components []byte) ([]file, error) {
	host := filepath.Join(work, "host", "hitoku")
	ldflags := "-X github.com/hitoku/hitoku/internal/cli.release=" + r.version
	if _, err := command(r.repo, []string{"CGO_ENABLED=0", "GOFLAGS="}, "go", "build", "-trimpath", "-ldflags", ldflags, "-o", host, "./cmd/hitoku"); err != nil {
		return nil, err
	}
	all := []file{{"NOTICES.txt", 0o644, notices}, {"hitoku.cdx.json", 0o644, components}}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"} {
		content, err := os.ReadFile(filepath.Join(r.repo, name))
		if err != nil {
			return nil, err
		}
		all = append(all, file{name, 0o644, content})
	}
	for shell, name := range completions {
		script, err := command("", english, host, "completion", shell)
		if err != nil {
			return nil, err
		}
		all = append(all, file{name, 0o644, []byte(script)})
	}
	man := filepath.Join(work, "man")
	if _, err := command("", english, host, "man", man); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(man)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		content, err := os.ReadFile(filepath.Join(man, p.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, file{"man/man1/" + p.Name(), 0o644, content})
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// programs returns the programs in the archive of a target. On Windows, where links are rare, this includes a
// copy under the name by which rtauargus, sdcTable and piargus start τ-ARGUS.
func programs(t target, program []byte) []file {
	all := []file{{t.exe(), 0o755, program}}
	if t.os == "windows" {
		all = append(all, file{"TauArgus.exe", 0o755, program})
	}
	return all
}

// english makes the manual the same wherever it is built.
var english = []string{"LC_ALL=C", "LANG=C"}

// top returns the name of the folder inside archives.
func (r *release) top() string { return "hitoku-" + r.number() }

// archived returns the name of the archive of a target.
func (r *release) archived(t target) string {
	end := ".tar.gz"
	if t.os == "windows" {
		end = ".zip"
	}
	return fmt.Sprintf("hitoku_%s_%s_%s%s", r.number(), t.os, t.arch, end)
}

// archive writes the archive of a target.
func (r *release) archive(t target, files []file) error {
	var b bytes.Buffer
	var err error
	if t.os == "windows" {
		err = r.zip(&b, files)
	} else {
		err = r.tar(&b, files)
	}
	if err != nil {
		return err
	}
	return r.write(r.archived(t), b.Bytes())
}

func (r *release) zip(b *bytes.Buffer, files []file) error {
	z := zip.NewWriter(b)
	for _, f := range files {
		h := &zip.FileHeader{Name: r.top() + "/" + f.name, Method: zip.Deflate, Modified: r.date}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}

func (r *release) tar(b *bytes.Buffer, files []file) error {
	g, err := gzip.NewWriterLevel(b, gzip.BestCompression) // with neither name nor time in its header
	if err != nil {
		return err
	}
	t := tar.NewWriter(g)
	for _, f := range files {
		h := &tar.Header{Name: r.top() + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: r.date, Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return g.Close()
}

// zipped compresses content by gzip, as manual pages in packages are.
func zipped(content []byte) ([]byte, error) {
	var b bytes.Buffer
	g, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	g.ModTime = time.Time{}
	if _, err := g.Write(content); err != nil {
		return nil, err
	}
	if err := g.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// hash returns the SHA-256 of a file of the release.
func (r *release) hash(name string) (string, error) {
	content, err := os.ReadFile(filepath.Join(r.out, name))
	return fmt.Sprintf("%x", sha256.Sum256(content)), err
}

// sums writes the checksums of all files in the form that sha256sum -c reads.
func (r *release) sums() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range files {
		sum, err := r.hash(f.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, f.Name())
	}
	return r.write("SHA256SUMS", []byte(b.String()))
}

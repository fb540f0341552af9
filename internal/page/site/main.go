// Command site writes the page and its engine, compiled to WebAssembly, as a folder of static files that needs
// no server: an office can open index.html from a file share. The first argument is the folder; a second is the
// Ed25519 key that signs the manifest.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "embed"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/sets"
)

//go:embed files.js
var files string

//go:embed worker.js
var worker string

//go:embed host.js
var host string

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "site: want the folder to write, and the key that signs its manifest if there is one")
		os.Exit(2)
	}
	var key ed25519.PrivateKey
	var err error
	if len(os.Args) == 3 {
		key, err = attest.PrivateKey(os.Args[2])
	}
	if err == nil {
		err = site(os.Args[1], key)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// partSize is how much of the engine is in one file, in bytes, divisible by 3: little enough to be unpacked and
// compiled while the next file is read.
const partSize = 3 << 18

// site writes index.html, style.css, page.js with the modules as one script, and the engine as text in
// engine.js and its parts. From files browsers load neither modules nor WebAssembly, but they load scripts.
func site(dir string, key ed25519.PrivateKey) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	engine, err := compiled()
	if err != nil {
		return err
	}
	runtime, err := goRuntime()
	if err != nil {
		return err
	}
	modules, err := bundle()
	if err != nil {
		return err
	}
	icon, err := page.Asset("icon.svg")
	if err != nil {
		return err
	}
	style, err := page.Asset("style.css")
	if err != nil {
		return err
	}
	index, err := page.Asset("index.html")
	if err != nil {
		return err
	}
	const head = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file: blob: 'wasm-unsafe-eval'; worker-src blob:; style-src 'self' file:; img-src data: 'self' file:; connect-src 'none'; form-action 'none'; base-uri 'none'">`
	html := strings.Replace(string(index), `<meta charset="utf-8">`, `<meta charset="utf-8">`+"\n"+head, 1)
	all := map[string][]byte{"style.css": style, "icon.svg": icon, "page.js": modules}
	var parts []string
	for part := range slices.Chunk(engine, partSize) {
		name := fmt.Sprintf("engine%02d.js", len(parts)+1)
		all[name] = fmt.Appendf(nil, "hitokuEngine.part(%q);\n", base64.StdEncoding.EncodeToString(part))
		parts = append(parts, name)
	}
	data, err := json.Marshal(map[string]any{
		"parts":  parts,
		"worker": files + "\n" + runtime + "\n" + worker,
		"icon":   "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon),
	})
	if err != nil {
		return err
	}
	all["engine.js"] = slices.Concat([]byte("globalThis.hitokuData = "), data, []byte(";\n"), []byte(host))
	const scripts = "<script defer src=\"engine.js\"></script>\n<script defer src=\"page.js\"></script>"
	all["index.html"] = []byte(strings.Replace(html, `<script type="module" src="app.js"></script>`, scripts, 1))
	if all[manifest], err = manifestOf(all, key); err != nil {
		return err
	}
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// manifest is the file with the SHA-256 of all others.
const manifest = "site.intoto.jsonl"

// manifestOf states from which commit the files were made, as releases do, signed if there is a key; hitoku
// verify reads it.
func manifestOf(files map[string][]byte, key ed25519.PrivateKey) ([]byte, error) {
	var all []attest.Subject
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s, err := attest.Of(name, bytes.NewReader(files[name]))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	const home = "https://github.com/hitoku/hitoku"
	from := attest.Subject{URI: "git+" + home, Digest: map[string]string{}}
	if commit, err := exec.Command("git", "rev-parse", "HEAD").Output(); err == nil {
		from.Digest["gitCommit"] = strings.TrimSpace(string(commit))
	}
	return attest.Encode(attest.Statement{Subject: all, PredicateType: attest.SLSA, Predicate: attest.Provenance{
		BuildDefinition: attest.BuildDefinition{BuildType: home + "/site/v1", ExternalParameters: map[string]any{}, ResolvedDependencies: []attest.Subject{from}},
		RunDetails:      attest.RunDetails{Builder: attest.Builder{ID: home + "/internal/page/site"}},
	}}, key)
}

// compiled returns the command compiled for browsers, compressed.
func compiled() ([]byte, error) {
	dir, err := os.MkdirTemp("", "hitoku-site")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "hitoku.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "github.com/hitoku/hitoku/cmd/hitoku")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // cannot fail, as the level is valid
	z.Write(fold(text))
	err = z.Close()
	return b.Bytes(), err
}

// goRuntime returns the script of the toolchain that runs Go programs in browsers.
func goRuntime() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return string(text), err
}

var (
	imports = regexp.MustCompile(`(?m)^import (?:\* as (\w+)|\{ ([^}]*) \}) from "\./(\w+\.js)";\n`)
	exports = regexp.MustCompile(`(?m)^export ((?:async )?(?:function\*?|class|const) (\w+))`)
)

// bundle makes one script of the modules: each becomes a function that returns its exports, and comes after
// those that it imports.
func bundle() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("(() => {\n\"use strict\";\nconst modules = {};\n")
	done := map[string]bool{}
	var add func(name string) error
	add = func(name string) error {
		if done[name] {
			return nil
		}
		done[name] = true
		text, err := page.Asset(name)
		if err != nil {
			return err
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			if err := add(string(m[3])); err != nil {
				return err
			}
		}
		text = imports.ReplaceAllFunc(text, func(line []byte) []byte {
			m := imports.FindSubmatch(line)
			if len(m[1]) > 0 {
				return fmt.Appendf(nil, "const %s = modules[%q];\n", m[1], m[3])
			}
			return fmt.Appendf(nil, "const { %s } = modules[%q];\n", strings.ReplaceAll(string(m[2]), " as ", ": "), m[3])
		})
		names := sets.Each(exports.FindAllSubmatch(text, -1), func(m [][]byte) string { return string(m[2]) })
		text = exports.ReplaceAll(text, []byte("$1"))
		if bytes.Contains(text, []byte("\nexport ")) || bytes.Contains(text, []byte("\nimport ")) {
			return i18n.Errorf("%s: an import or export that is written otherwise", name)
		}
		fmt.Fprintf(&b, "modules[%q] = (() => {\n%s\nreturn { %s };\n})();\n", name, text, strings.Join(names, ", "))
		return nil
	}
	if err := add("app.js"); err != nil {
		return nil, err
	}
	b.WriteString("})();\n")
	return b.Bytes(), nil
}

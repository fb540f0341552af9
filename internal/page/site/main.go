// Command site writes the page with its engine, compiled to WebAssembly, as a folder of static files that needs no
// server: an office opens index.html from a share. The folder is the one argument.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "embed"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
)

//go:embed files.js
var files string

//go:embed worker.js
var worker string

//go:embed host.js
var host string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "site: want the folder to write")
		os.Exit(2)
	}
	if err := site(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// site writes index.html, style.css, page.js, the modules as one script, and engine.js, the engine as text. Browsers load
// neither modules nor WebAssembly from files, but scripts they do.
func site(dir string) error {
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
	data, err := json.Marshal(map[string]string{
		"engine": base64.StdEncoding.EncodeToString(engine),
		"worker": files + "\n" + runtime + "\n" + worker,
		"icon":   "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon),
	})
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
	html = strings.Replace(html, `<script type="module" src="app.js"></script>`, `<script defer src="engine.js"></script>`+"\n"+`<script defer src="page.js"></script>`, 1)
	for name, content := range map[string][]byte{
		"index.html": []byte(html), "style.css": style, "icon.svg": icon,
		"engine.js": slices.Concat([]byte("globalThis.hitokuData = "), data, []byte(";\n"), []byte(host)),
		"page.js":   modules,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compiled is the command for browsers, compressed.
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
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is a valid one
	z.Write(text)
	err = z.Close()
	return b.Bytes(), err
}

// goRuntime is what the toolchain brings to run its programs in browsers.
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

// bundle makes one script of the modules: each is a function that returns what it exports, after those it imports.
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
		var names []string
		for _, m := range exports.FindAllSubmatch(text, -1) {
			names = append(names, string(m[2]))
		}
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

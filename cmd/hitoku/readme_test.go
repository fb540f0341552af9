package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An example is one command of the README with the output shown for it.
type example struct {
	line    int
	args    []string
	command string
	want    string
}

// readmeExamples returns the commands that start with "$ hitoku" or
// "$ go run ./cmd/hitoku" in the fenced blocks called console.
func readmeExamples(text string) []example {
	var found []example
	in, open := false, false // a console block; an example that takes output
	for n, line := range strings.Split(text, "\n") {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case strings.HasPrefix(line, "```"):
			in, open = line == "```console", false
		case !in:
		case ok:
			args := strings.Fields(strings.TrimPrefix(command, "go run ./cmd/"))
			if open = args[0] == "hitoku" || args[0] == "./hitoku"; open {
				found = append(found, example{line: n + 1, args: args[1:], command: command})
			}
		case open:
			found[len(found)-1].want += line + "\n"
		}
	}
	return found
}

// TestReadme runs the examples of the README and of pages of docs and compares what
// they print. With -update it rewrites them instead.
func TestReadme(t *testing.T) {
	for _, page := range []string{"README.md", "docs/risk.md", "docs/risk_release.md"} {
		t.Run(page, func(t *testing.T) { testExamples(t, page) })
	}
}

func testExamples(t *testing.T, page string) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, page)
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	// Examples may write files, so they run where only testdata is the same.
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(root, "testdata"), "testdata"); err != nil {
		t.Fatal(err)
	}
	examples := readmeExamples(string(text))
	if len(examples) < 5 {
		t.Errorf("%d examples found, want at least 5", len(examples))
	}
	for _, e := range examples {
		var stdout, stderr bytes.Buffer
		if run(e.args, strings.NewReader(""), &stdout, &stderr) == exitUsage {
			t.Errorf("%s:%d: %s: %s", page, e.line, e.command, stderr.String())
		}
		want, got := steady([]byte(e.want)), steady(stdout.Bytes())
		d := cmp.Diff(string(want), string(got))
		switch {
		case d != "" && *update:
			text = bytes.Replace(text, []byte("$ "+e.command+"\n"+e.want), append([]byte("$ "+e.command+"\n"), stdout.Bytes()...), 1)
		case d != "":
			t.Errorf("%s:%d: %s (-shown +printed):\n%s\n%s", page, e.line, e.command, d, stderr.String())
		}
	}
	if *update {
		if err := os.WriteFile(readme, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/test/must"
)

// An example is one command of a page with the output shown for it.
type example struct {
	line    int
	args    []string // of hitoku, else of cat
	cat     bool
	command string
	want    string
}

// examples returns the commands that start with "$ hitoku", "$ go run ./cmd/hitoku"
// or "$ cat" in the fenced blocks called console.
func examples(text string) []example {
	var found []example
	in, open := false, false // a console block; an example that takes output
	for n, line := range strings.Split(text, "\n") {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case strings.HasPrefix(line, "```"):
			in, open = line == "```console", false
		case !in:
		case ok:
			args := wordsOf(strings.TrimPrefix(command, "go run ./cmd/"))
			cat := args[0] == "cat"
			if open = cat || args[0] == "hitoku" || args[0] == "./hitoku"; open {
				found = append(found, example{line: n + 1, args: args[1:], cat: cat, command: command})
			}
		case open:
			found[len(found)-1].want += line + "\n"
		}
	}
	return found
}

// words splits a command as a shell does, quotes included; nothing is expanded.
func wordsOf(command string) []string {
	var all []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && c == ' ':
			if in {
				all = append(all, word.String())
			}
			word.Reset()
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if in {
		all = append(all, word.String())
	}
	return all
}

// do runs an example and returns what it prints. "hitoku … > FILE" writes that to FILE,
// "cat > FILE <<END" the lines shown, up to END.
func (e *example) do() (stdout, stderr string, err error) {
	if !e.cat {
		var out, words bytes.Buffer
		args, file := e.args, ""
		if n := len(args) - 2; n >= 0 && args[n] == ">" {
			args, file = args[:n], args[n+1]
		}
		if run(args, strings.NewReader(""), &out, &words) == cli.Usage {
			err = fmt.Errorf("wrong usage")
		}
		if err == nil && file != "" {
			return "", words.String(), os.WriteFile(file, out.Bytes(), 0o666)
		}
		return out.String(), words.String(), err
	}
	if len(e.args) == 3 && e.args[0] == ">" && e.args[2] == "<<END" {
		text, rest, ok := strings.Cut(e.want, "\nEND\n")
		if !ok || rest != "" {
			return "", "", fmt.Errorf("no END")
		}
		return e.want, "", os.WriteFile(e.args[1], []byte(text+"\n"), 0o666)
	}
	var all []byte
	for _, file := range e.args {
		b, err := os.ReadFile(file)
		if err != nil {
			return "", "", err
		}
		all = append(all, b...)
	}
	return string(all), "", nil
}

// shorten shortens what was printed as a page does that shows some of it: a line … of
// the page stands for any lines, and … at the end of a line for its end.
func shorten(shown, printed string) string {
	want, got := strings.Split(shown, "\n"), strings.Split(printed, "\n")
	var out []string
	for k, line := range want {
		start, cut := strings.CutSuffix(line, "…")
		switch {
		case line == "…":
			out = append(out, line)
			if k+2 == len(want) { // the last line: behind it is the end
				got = got[len(got)-1:]
			}
			for len(got) > 0 && got[0] != want[k+1] {
				got = got[1:]
			}
		case len(got) == 0:
		case cut && strings.HasPrefix(got[0], start):
			out, got = append(out, line), got[1:]
		default:
			out, got = append(out, got[0]), got[1:]
		}
	}
	return strings.Join(append(out, got...), "\n")
}

// pages are the README and the pages of docs.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) < 20 {
		t.Fatalf("%d pages: %v", len(found), err)
	}
	return append(found, "../../README.md")
}

// TestReadme runs the examples of the README and of the pages of docs and compares
// what they print. With -update it rewrites them instead.
func TestReadme(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) { testExamples(t, page) })
	}
}

func testExamples(t *testing.T, page string) {
	page = must.Get(filepath.Abs(page))(t)
	data := os.DirFS("../../testdata")
	text := must.Get(os.ReadFile(page))(t)
	if strings.Contains(string(text), "\n```console\n") != (len(examples(string(text))) > 0) {
		t.Error("a console block without an example")
	}
	dir := t.TempDir() // examples may write files
	must.Do(t, os.CopyFS(filepath.Join(dir, "testdata"), data))
	t.Chdir(dir)
	t.Cleanup(func() { speak(nil) }) // a page in another language asks for it
	for _, e := range examples(string(text)) {
		stdout, stderr, err := e.do()
		if err != nil {
			t.Errorf("%s:%d: %s: %v\n%s", page, e.line, e.command, err, stderr)
		}
		want, got := steady([]byte(e.want)), steady([]byte(shorten(e.want, stdout)))
		d := cmp.Diff(string(want), string(got))
		switch {
		case d != "" && *update:
			text = bytes.Replace(text, []byte("$ "+e.command+"\n"+e.want), []byte("$ "+e.command+"\n"+stdout), 1)
		case d != "":
			t.Errorf("%s:%d: %s (-shown +printed):\n%s\n%s", page, e.line, e.command, d, stderr)
		}
	}
	if *update {
		must.Do(t, os.WriteFile(page, text, 0o666))
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct{ shown, printed, want string }{
		{"a\nb\n", "a\nb\n", "a\nb\n"},
		{"a\n…\n", "a\nb\n\nc\n", "a\n…\n"},
		{"a\n…\nd\n", "a\nb\nc\nd\n", "a\n…\nd\n"},
		{"a\n…\nd\n", "a\nb\nc\n", "a\n…"},
		{"a 1 …\nb\n", "a 1 2\nb\n", "a 1 …\nb\n"},
		{"a 1 …\nb\n", "a 2\nc\n", "a 2\nc\n"},
		{"a\n", "a\nb\n", "a\nb\n"},
	} {
		if got := shorten(c.shown, c.printed); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.shown, c.printed, got, c.want)
		}
	}
}

// TestVerbsDocumented asks for a section of docs/command.md about every verb that the
// help knows, except the measures below risk, of every verb for an example that
// TestReadme runs, and that the table of that page names the verbs.
func TestVerbsDocumented(t *testing.T) {
	var all, command string
	for _, page := range pages(t) {
		text := must.Get(os.ReadFile(page))(t)
		for _, e := range examples(string(text)) {
			if !e.cat {
				all += "hitoku " + strings.Join(e.args, " ") + " \n"
			}
		}
		if page == "../../docs/command.md" {
			command = string(text)
		}
	}
	for _, c := range flags.Manned(newRoot(nil))[1:] {
		path := c.CommandPath()
		if !c.Parent().HasParent() && c.Name() != "version" && c.Name() != "completion" &&
			!strings.Contains(command, "| `"+c.Name()) {
			t.Errorf("the first table of docs/command.md leaves %s out", path)
		}
		switch {
		case hasParent(c, "risk"):
		case hasParent(c, "completion"), c.Name() == "completion":
			if !strings.Contains(command, "hitoku completion "+c.Name()) && c.Name() != "completion" {
				t.Errorf("docs/command.md has nothing of %s", path)
			}
			continue // prints a script
		case !c.HasAvailableSubCommands() && !strings.Contains(command, "\n## "+path+"\n"):
			t.Errorf("docs/command.md has no section %s", path)
		}
		if path == "hitoku open" {
			continue // serves a page; the tests of browser open it
		}
		if !strings.Contains("\n"+all, "\n"+path+" ") {
			t.Errorf("no example of %s", path)
		}
	}
}

// TestPrograms asks that each Go program of a page is the body of a runnable example, and that what the page says it prints is what the example is
// checked to print.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for page, examples := range map[string][]string{
		"README.md":       {"protect ExampleRun"},
		"docs/library.md": {"protect ExampleRun_memory", "protect ExamplePolicy_Office", "risk ExampleClasses_KAnonymity"},
	} {
		text := must.Get(os.ReadFile("../../" + page))(t)
		rest := string(text)
		for _, example := range examples {
			in, name, _ := strings.Cut(example, " ")
			source := must.Get(os.ReadFile("../../" + in + "/example_test.go"))(t)
			_, want, _ := strings.Cut(string(source), "func "+name+"() {\n")
			want, prints, _ := strings.Cut(want, "\n\t// Output:\n")
			prints, _, ok := strings.Cut(prints, "\n}\n")
			var shown string
			_, rest, _ = strings.Cut(rest, "\n```go\n")
			shown, rest, _ = strings.Cut(rest, "\n```\n")
			if !ok || shown == "" {
				t.Fatalf("no Go on %s, or no example %s with output", page, example)
			}
			want = strings.ReplaceAll("\n"+want, "\n\t", "\n")[1:]
			if d := cmp.Diff(strings.ReplaceAll(want, "../testdata", "testdata"), shown); d != "" {
				t.Errorf("%s shows another program than %s (-example +page):\n%s", page, example, d)
			}
			if result, ok := strings.CutPrefix(rest, "\n```\n"); ok {
				result, _, _ = strings.Cut(result, "\n```\n")
				if d := cmp.Diff(strings.ReplaceAll("\n"+prints, "\n\t// ", "\n")[1:], result); d != "" {
					t.Errorf("%s says that %s prints something else (-example +page):\n%s", page, example, d)
				}
			}
		}
		if strings.Contains(rest, "\n```go\n") {
			t.Errorf("%s has a program that is no example", page)
		}
	}
}

// TestShort keeps what is to be read in one sitting short: the README, what is unreleased, and all pages together.
func TestShort(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text := must.Get(os.ReadFile(path))(t)
		return string(text)
	}
	most := func(what, text string, n int) {
		if words := len(strings.Fields(text)); words > n {
			t.Errorf("%s: %d words, want %d at most; figures belong to bench/results, facts to one page each", what, words, n)
		}
	}
	most("README.md", read("../../README.md"), 1000)
	_, unreleased, _ := strings.Cut(read("../../CHANGELOG.md"), "## [Unreleased]")
	unreleased, _, _ = strings.Cut(unreleased, "\n## ")
	most("CHANGELOG.md", unreleased, 600)
	var docs strings.Builder
	for _, page := range pages(t) {
		if filepath.Base(filepath.Dir(page)) == "docs" {
			docs.WriteString(read(page))
		}
	}
	most("docs", docs.String(), 60_000)
}

func hasParent(c *cobra.Command, name string) bool { return c.HasParent() && c.Parent().Name() == name }

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
)

var (
	// verbsOf are the verbs whose results are looked at in the scripts.
	verbsOf = map[string][]string{
		"ledger": {"suppress", "audit", "tabulate", "ledger", "links"}, "cellkey": {"cellkey"}, "unions": {"suppress", "audit", "tabulate"},
		"partial": {"suppress", "audit", "fill"}, "round": {"round", "audit"}, "rounding": {"round", "audit"}, "attack_rounded": {"attack", "round"}, "adjust": {"adjust", "audit"},
	}
	argument = regexp.MustCompile(`'[^']*'|\S+`)
	// kept are names of methods, solvers and formats.
	kept = strings.Fields(`any simplex lpl upl spl status column inf`)
)

// commandOf splits a line of a script, if it runs hitoku.
func commandOf(line string) []string {
	_, text, ok := strings.Cut(line, "hitoku ")
	if !ok || !regexp.MustCompile(`^(! )?(exec|exitcode \d) hitoku `).MatchString(line) {
		return nil
	}
	var args []string
	for _, a := range argument.FindAllString(text, -1) {
		args = append(args, strings.Trim(a, "'"))
	}
	return args
}

// The results that scripts make are in Japanese, but for codes, names and formulas.
func TestJapaneseTables(t *testing.T) {
	scripts := must.Get(filepath.Abs("testdata/script"))(t)
	t.Cleanup(func() { cli.Speak() })
	lines := 0
	for name, verbs := range verbsOf {
		a := must.Get(txtar.ParseFile(filepath.Join(scripts, name+".txtar")))(t)
		t.Chdir(t.TempDir())
		data := map[string]bool{}
		for _, f := range a.Files {
			must.Do(t, os.MkdirAll(filepath.Dir(f.Name), 0o777))
			must.Do(t, os.WriteFile(f.Name, f.Data, 0o666))
			if slices.Contains([]string{".csv", ".rda", ".hrc", ".px"}, filepath.Ext(f.Name)) {
				for _, w := range english.FindAllString(string(f.Data), -1) {
					data[w] = true
				}
			}
		}
		var stdout, stderr bytes.Buffer
		for line := range strings.Lines(string(a.Comment)) {
			args := commandOf(strings.TrimSpace(line))
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), "cp stdout "); ok {
				must.Do(t, os.WriteFile(file, stdout.Bytes(), 0o666))
			}
			if args == nil {
				continue
			}
			stdout.Reset()
			stderr.Reset()
			if code := run(append([]string{"--lang", "ja"}, args...), strings.NewReader(""), &stdout, &stderr); code == cli.Usage || !slices.Contains(verbs, args[0]) || slices.Contains(args, "--json") {
				continue
			}
			if !slices.ContainsFunc(args, func(a string) bool { return a == "-o" }) && slices.Contains([]string{"cellkey", "tabulate", "fill"}, args[0]) {
				continue // the output is a file
			}
			for _, w := range english.FindAllString(strings.Join(args, " "), -1) {
				data[w] = true
			}
			for out := range strings.Lines(stdout.String()) {
				lines++
				for _, word := range english.FindAllString(named.ReplaceAllString(out, ""), -1) {
					if !data[word] && !slices.Contains(kept, word) {
						t.Errorf("%s: %s: %q stays English: %s", name, strings.Join(args, " "), word, out)
						break
					}
				}
			}
		}
	}
	if lines < 300 {
		t.Errorf("%d lines", lines)
	}
}

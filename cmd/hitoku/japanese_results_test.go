package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
)

// english is a word of at least three letters; names of files, flags and columns of the data are taken out before.
var (
	english = regexp.MustCompile(`[A-Za-z]{3,}`)
	named   = regexp.MustCompile(`\S*[./=]\S*|--[a-z-]+|hitoku risk [a-z-]+|hitoku: .*`)
	// letters are what a formula or a score is called in every language, and what stands in the data.
	letters = strings.Fields(`SUDA DIS alpha beta rho sigma exp tan sum iff Zayatz Pitman
		Key zip age sex salary disease user day visits`)
)

// All that the verbs of hitoku risk print is in Japanese, but for codes, names and formulas.
func TestJapaneseRisk(t *testing.T) {
	data := must.Get(filepath.Abs("../../testdata/microdata"))(t)
	t.Cleanup(func() { cli.Speak() })
	t.Chdir(t.TempDir())
	for name, text := range riskFiles {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	lines := 0
	for _, command := range append(slices.Clone(riskRuns), "columns $D/salaries.csv") {
		args := append([]string{"--lang", "ja", "risk"}, strings.Fields(strings.ReplaceAll(command, "$D", data))...)
		var stdout, stderr bytes.Buffer
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code == cli.Usage {
			t.Errorf("%s: %s", command, stderr.String())
		}
		for line := range strings.Lines(stdout.String()) {
			lines++
			for _, word := range english.FindAllString(named.ReplaceAllString(line, ""), -1) {
				if !slices.Contains(letters, word) {
					t.Errorf("%s: %q stays English: %s", command, word, line)
				}
			}
		}
	}
	if lines < 500 {
		t.Errorf("%d lines", lines)
	}
}

// So are the names of figures of all documents.
func TestJapaneseLabels(t *testing.T) {
	files := must.Get(filepath.Glob("../../internal/document/*.go"))(t)
	t.Cleanup(func() { cli.Speak() })
	must.Do(t, cli.Speak("ja"))
	label, n := regexp.MustCompile(`\b(?:text|textif):"([^"]*)"`), 0
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		for _, m := range label.FindAllStringSubmatch(string(text), -1) {
			n++
			for _, word := range english.FindAllString(cli.Speaks().Label(m[1]), -1) {
				if !slices.Contains(letters, word) {
					t.Errorf("%s: no Japanese in internal/i18n/catalogue/ja/labels.toml for %q", filepath.Base(file), m[1])
					break
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("%d names", n)
	}
}

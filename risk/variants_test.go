package risk

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVariants asks that the functions and tests that the tables of docs/risk_release.md name are there.
func TestVariants(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/risk_release.md")
	check(t, err)
	_, tables, ok := strings.Cut(string(text), "## The documents, variant by variant")
	if !ok {
		t.Fatal("no tables")
	}
	tables, _, _ = strings.Cut(tables, "\n## ")
	var code strings.Builder
	for _, pattern := range []string{"*.go", "compare/*.go", "census/*.go", "../internal/stargroups/*.go"} {
		files, err := filepath.Glob(pattern)
		check(t, err)
		for _, path := range files {
			b, err := os.ReadFile(path)
			check(t, err)
			code.Write(b)
		}
	}
	name := regexp.MustCompile("`(?:[A-Za-z]+\\.)?([A-Z][A-Za-z]+)`")
	rows := 0
	for line := range strings.Lines(tables) {
		cells := strings.Split(line, "|")
		if len(cells) < 6 {
			continue
		}
		rows++
		for _, m := range name.FindAllStringSubmatch(cells[3]+cells[4], -1) {
			if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |\t)` + m[1] + `\b`).MatchString(code.String()) {
				t.Errorf("%s is named but is not there: %s", m[1], line)
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows", rows)
	}
}

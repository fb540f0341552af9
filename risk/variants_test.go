package risk

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVariants asks that the functions and tests that testdata/variants.csv names are there. Its lines are the variants of
// measures and mechanisms in the sources [S], [L] and [P] of docs/risk_release.md, in the slides [C] of Minami, in Google's documentation [G]
// of Sensitive Data Protection, and without such a letter in the literature and other programs.
func TestVariants(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/variants.csv")
	check(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	check(t, err)
	var code strings.Builder
	for _, pattern := range []string{"*.go", "../internal/formulas/*.go", "../internal/compare/*.go", "../internal/census/*.go", "../internal/stargroups/*.go", "../internal/masking/*.go", "../internal/cli/risk/masked_test.go"} {
		files, err := filepath.Glob(pattern)
		check(t, err)
		for _, path := range files {
			b, err := os.ReadFile(path)
			check(t, err)
			code.Write(b)
		}
	}
	name := regexp.MustCompile("`(?:[A-Za-z]+\\.)?([A-Z][A-Za-z]+)`")
	if len(rows) < 60 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		for _, m := range name.FindAllStringSubmatch(row[2]+row[3], -1) {
			if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |\t)` + m[1] + `\b`).MatchString(code.String()) {
				t.Errorf("%s is named but is not there: %q", m[1], row)
			}
		}
	}
}

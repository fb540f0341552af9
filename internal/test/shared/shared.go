// Package shared finds the data that tests and benchmarks use where they are, beside the project and not in its
// repository: published tables, instances and vectors.
package shared

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Path returns the path of a file or folder of the data, given by the elements of its name below ../shared. If
// that folder is absent the test is skipped, and the summary of the tests counts it. If the folder is there but
// the file is not, the test fails: data that are present are never skipped.
func Path(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir := Dir(tb)
	if dir == "" {
		tb.Skip("needs the data beside the project, ../shared")
	}
	p := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		tb.Fatalf("the data beside the project are there without this: %v", err)
	}
	return p
}

// Dir returns the folder of the data, "" if it is absent.
func Dir(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(Root(tb), "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// Root returns the folder of the project.
func Root(tb testing.TB) string {
	tb.Helper()
	dir := must.Get(os.Getwd())(tb)
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("no go.mod above the test")
		}
	}
}

// Rows reads a CSV file of the data, without its header.
func Rows(tb testing.TB, elem ...string) [][]string {
	tb.Helper()
	f := must.Get(os.Open(Path(tb, elem...)))(tb)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(tb)
	return rows[1:]
}

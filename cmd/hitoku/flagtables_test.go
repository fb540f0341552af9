package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/cli/flags"
)

// TestFlagTables compares the tables of flags in docs with the flags, all of which must be in one. With -update it
// writes them instead.
func TestFlagTables(t *testing.T) {
	paths := pages(t)
	var texts []string
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	want, err := flags.Document(newRoot(nil), append([]string(nil), texts...))
	if err != nil {
		t.Fatal(err)
	}
	for k, path := range paths {
		switch {
		case want[k] == texts[k]:
		case *update:
			if err := os.WriteFile(path, []byte(want[k]), 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s: its tables are not those of the flags; go test ./cmd/hitoku -run TestFlagTables -update writes them (-page +flags):\n%s",
				path, cmp.Diff(strings.Split(texts[k], "\n"), strings.Split(want[k], "\n")))
		}
	}
}

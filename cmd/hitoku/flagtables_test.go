package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestFlagTables compares the tables of flags in docs with the flags, all of which must be in one. With -update it
// writes them instead.
func TestFlagTables(t *testing.T) {
	paths := pages(t)
	var texts []string
	for _, path := range paths {
		b := must.Get(os.ReadFile(path))(t)
		texts = append(texts, string(b))
	}
	want := must.Get(documented(newRoot(nil), append([]string(nil), texts...)))(t)
	for k, path := range paths {
		switch {
		case want[k] == texts[k]:
		case *update:
			must.Do(t, os.WriteFile(path, []byte(want[k]), 0o666))
		default:
			t.Errorf("%s: its tables are not those of the flags; go test ./cmd/hitoku -run TestFlagTables -update writes them (-page +flags):\n%s",
				path, cmp.Diff(strings.Split(texts[k], "\n"), strings.Split(want[k], "\n")))
		}
	}
}

func TestDocumented(t *testing.T) {
	t.Parallel()
	const end = "<!-- end of flags -->"
	root := func() *cobra.Command {
		root, verb := &cobra.Command{Use: "hitoku"}, &cobra.Command{Use: "verb", Run: func(*cobra.Command, []string) {}}
		flags.Declare(verb,
			flags.In(flags.OutputGroup, []flags.Flag{
				{Name: "output", Short: "o", To: new(string), Text: "write to this `file`"},
				{Name: "uniform", To: new(bool), Needs: []string{"output"}, Text: "mark cells alike"},
				{Name: "proof", To: new(string)},
			}),
			flags.In(flags.InputGroup, []flags.Flag{
				{Name: "n", To: new(int), Default: 3, Wanted: true, Unless: []string{"k"}, Text: "`number` of records"},
				{Name: "k", To: new(float64), Text: "target"},
				{Name: "old", To: new(int), Hidden: true},
			}),
		)
		root.AddCommand(verb)
		return root
	}
	pages := []string{"# A page\n\n<!-- flags verb -->\n" + end + "\n", "<!-- flags verb: Input, --proof -->\nold\n" + end + "\nrest"}
	got := must.Get(documented(root(), pages))(t)
	for k, want := range []string{"# A page\n\n<!-- flags verb -->\n**Output**\n\n" + "- `-o`, `--output file`: write to this file\n- `--uniform`: with -o: mark cells alike\n\n" + end + "\n", "- `--n number`: number of records (needed, or --k)\n"} {
		if !strings.Contains(got[k], want) {
			t.Errorf("page %d:\n%s\nwant:\n%s", k, got[k], want)
		}
	}
	if strings.Contains(got[1], "old") || strings.Contains(got[1], "--old") || !strings.Contains(got[1], "`--proof string`") || !strings.HasSuffix(got[1], end+"\nrest") {
		t.Errorf("page 1:\n%s", got[1])
	}
	for page, want := range map[string]string{
		"<!-- flags verb: Input -->\n" + end:  "no table has --output of hitoku verb",
		"<!-- flags word -->\n" + end:         `no verb "word"`,
		"<!-- flags verb: Search -->\n" + end: "there are none of Search",
	} {
		if _, err := documented(root(), []string{page}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", page, err, want)
		}
	}
}

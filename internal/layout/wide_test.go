package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// notInFile are names of dimensions that a case has and its file does not tell.
var notInFile = map[string]string{"Geographic area": "County", "Jahr": "Jahr", "WZ2008": "Wirtschaftszweige"}

// TestLayouts compares every wide case with what a reader must find in it.
func TestLayouts(t *testing.T) {
	for _, name := range []string{"pref-two-level-header", "pref-filldown-subtotals", "ministry-manufacturing", "ons-workbook", "us-census-of-agriculture", "insee-communes", "office-formulas",
		"estat-wide-cp932", "destatis-genesis", "cbs-statline"} {
		t.Run(name, func(t *testing.T) {
			_, want, path := expected(t, name)
			r := openCase(t, path, Options{})
			for i := range want {
				for k := range want[i].Dimensions {
					if n, ok := notInFile[want[i].Dimensions[k].Name]; ok {
						want[i].Dimensions[k].Name = n
					}
				}
			}
			compareExpected(t, want, r, "notes")
			var saved strings.Builder // as it is saved and used again
			if err := toml.NewEncoder(&saved).Encode(r.Layout); err != nil {
				t.Fatal(err)
			}
			var from Layout
			if _, err := toml.Decode(saved.String(), &from); err != nil {
				t.Fatal(err)
			}
			again := openCase(t, path, Options{From: &from})
			if d := cmp.Diff(r, again, cmpopts.IgnoreFields(Reading{}, "Aside"), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Reading{}, Table{}, Derived{}, Ambiguity{})); d != "" {
				t.Errorf("by its layout (-found +read): %s", d)
			}
			for i := range min(len(want), len(r.Tables)) {
				found := map[string]bool{}
				for _, n := range r.Tables[i].Notes {
					found[n.What+n.Ref+strings.Trim(n.Text, `"`)] = true
				}
				for _, n := range want[i].Notes {
					if !found[n.What+n.Ref+strings.Trim(n.Text, `"`)] {
						t.Errorf("%s %s %q is missing", n.What, n.Ref, n.Text)
					}
				}
			}
		})
	}
}

// openCase reads a file as the command does.
func openCase(t *testing.T, path string, o Options) *Reading {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Open(f, filepath.Base(path), "", "", o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Reading
}

package layout

import (
	"os"
	"strings"
	"testing"
)

// openBook opens a case as a workbook or a text.
func openBook(t *testing.T, path string) *Book {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name := path[strings.LastIndexByte(path, '/')+1:]
	if strings.HasSuffix(name, ".xlsx") {
		b, err := Workbook(f, name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	text, err := OpenText(f, name, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return text.Book()
}

// notInFile are names of dimensions that a case has and its file does not tell.
var notInFile = map[string]string{"Geographic area": "County", "Jahr": "Jahr", "WZ2008": "Wirtschaftszweige"}

// TestLayouts compares every wide case with what a reader must find in it.
func TestLayouts(t *testing.T) {
	for _, name := range []string{"pref-two-level-header", "pref-filldown-subtotals", "ministry-manufacturing", "ons-workbook", "us-census-of-agriculture", "insee-communes", "office-formulas",
		"estat-wide-cp932", "destatis-genesis", "cbs-statline"} {
		t.Run(name, func(t *testing.T) {
			_, want, path := expected(t, name)
			r, err := Find(openBook(t, path), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				for k := range want[i].Dimensions {
					if n, ok := notInFile[want[i].Dimensions[k].Name]; ok {
						want[i].Dimensions[k].Name = n
					}
				}
			}
			compareExpected(t, want, r, "notes")
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

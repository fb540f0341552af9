package layout

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hitoku/hitoku/internal/test/shared"
)

// An expectedFile is expected.json of a case in ../shared/data/layouts: one table, or several.
type expectedFile struct {
	expectedTable
	File   File
	Tables []expectedTable
}

type expectedTable struct {
	Name, Title, Kind, Unit string
	UnitMultiplier          int64 `json:"unit_multiplier"`
	Additive                *bool
	Dimensions              []Dimension
	Cells                   []Cell
	Derived                 []Derived
	Notes                   []Note
}

// expected reads a case and opens its file.
func expected(t testing.TB, name string) (*expectedFile, []expectedTable, string) {
	t.Helper()
	dir := shared.Path(t, "data", "layouts", name)
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	e := &expectedFile{}
	if err := json.Unmarshal(text, e); err != nil {
		t.Fatal(err)
	}
	tables := e.Tables
	if tables == nil {
		tables = []expectedTable{e.expectedTable}
	}
	return e, tables, filepath.Join(dir, e.File.Name)
}

// compareExpected compares a reading with what a case wants: dimensions with their codes and
// trees, every cell with its address, derived cells. What is not in the file, like the title of
// a download or a unit told nowhere, is not compared: loose are the names of such fields.
func compareExpected(t *testing.T, want []expectedTable, got *Reading, loose ...string) {
	t.Helper()
	is := func(what string) bool {
		return slices.Contains(loose, what)
	}
	if len(got.Tables) != len(want) {
		t.Fatalf("%d tables, want %d", len(got.Tables), len(want))
	}
	number := cmp.Transformer("number", func(d *Decimal) string {
		if d == nil {
			return "none"
		}
		s := string(*d)
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	})
	anyOrder := cmpopts.SortSlices(func(a, b Code) bool { return a.Code < b.Code }) // totals come first or last
	for i, w := range want {
		g := got.Tables[i]
		t.Run(fmt.Sprint("table ", i+1), func(t *testing.T) {
			for what, pair := range map[string][2]string{"title": {w.Title, g.Title}, "kind": {w.Kind, g.Kind}, "unit": {w.Unit, g.Unit}, "name": {w.Name, g.Name},
				"multiplier": {fmt.Sprint(max(w.UnitMultiplier, 1)), fmt.Sprint(max(g.UnitMultiplier, 1))}, "additive": {fmt.Sprint(w.Additive == nil || *w.Additive), fmt.Sprint(!g.NotAdditive)}} {
				if what == "name" && pair[0] == "" {
					continue // cases of one table give it none
				}
				if !is(what) && pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q", what, pair[1], pair[0])
				}
			}
			if d := cmp.Diff(w.Dimensions, g.Dimensions, cmpopts.EquateEmpty(), anyOrder); d != "" {
				t.Errorf("dimensions (-want +got): %s", d)
			}
			if d := cmp.Diff(w.Cells, g.Cells, number); d != "" {
				t.Errorf("cells (-want +got): %s", d)
			}
			visible := slices.DeleteFunc(slices.Clone(g.Derived), func(d Derived) bool { return d.How == asRepeat }) // hidden sheets are in no truth
			if d := cmp.Diff(w.Derived, visible, number, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Derived{})); d != "" && !is("derived") {
				t.Errorf("derived (-want +got): %s", d)
			}
			if d := cmp.Diff(w.Notes, g.Notes, cmpopts.EquateEmpty()); d != "" && !is("notes") {
				t.Errorf("notes (-want +got): %s", d)
			}
		})
	}
}

package argus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// Chains of codes with one child are one cell: A = B = C, with the strictest status, the levels
// of the sensitive one and the costs of all three.
func TestCollapse(t *testing.T) {
	dim := must.Get(table.NewDimension("I", "Total", []table.Edge{{Code: "A", Parent: "Total"}, {Code: "B", Parent: "A"}, {Code: "C", Parent: "B"}, {Code: "D", Parent: "Total"}}))(t)
	rec := func(code string, st table.Status) table.Record {
		r := table.Record{Codes: []string{code}, Value: table.Num(5, 0), Cost: table.Num(2, 0), Status: st}
		if st == table.Sensitive {
			r.LPL, r.UPL = table.Num(1, 0), table.Num(3, 0)
		}
		return r
	}
	tab := must.Get(table.Build("t", []table.Dimension{dim}, []table.Record{rec("A", table.Safe), rec("B", table.Sensitive), rec("C", table.Withheld), rec("D", table.Safe)}, false))(t)
	path := filepath.Join(t.TempDir(), "t.jj")
	must.Do(t, WriteOutput(path, tab, nil, Output{Type: JJ, Trivial: true}, WriteOptions{}))
	text, err := os.ReadFile(path)
	if want := "0\n3\n0 5 6 u 0 inf 1 3 0\n1 5 2 s 0 inf 0 0 0\n2 10 4 s 0 inf 0 0 0\n1\n0 3 : 2 (-1) 0 (1) 1 (1)\n"; err != nil || string(text) != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	tab.Status[2] = table.Published
	if err := WriteOutput(path, tab, nil, Output{Type: JJ, Trivial: true}, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "are the same, but one must stay published and the other is withheld") {
		t.Error(err)
	}
}

// Every relation still holds, no margin has one part, and costs stay.
func TestCollapseIsATable(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var dims []table.Dimension
		for _, name := range []string{"A", "B"} {
			edges := []table.Edge{{Code: name + "0", Parent: "T"}}
			for c := 1; c < rapid.IntRange(2, 6).Draw(t, "codes"); c++ {
				parent := "T"
				if k := rapid.IntRange(-1, c-1).Draw(t, "parent"); k >= 0 {
					parent = edges[k].Code
				}
				edges = append(edges, table.Edge{Code: name + string(rune('0'+c)), Parent: parent})
			}
			d, err := table.NewDimension(name, "T", edges)
			if err != nil {
				t.Fatal(err)
			}
			dims = append(dims, d)
		}
		var recs []table.Record
		leaf := [][]bool{dims[0].Leaves(), dims[1].Leaves()}
		for a, x := range dims[0].Codes {
			for b, y := range dims[1].Codes {
				if leaf[0][a] && leaf[1][b] {
					recs = append(recs, table.Record{Codes: []string{x, y}, Value: table.Num(rapid.Int64Range(1, 9).Draw(t, "v"), 0), Cost: table.Num(rapid.Int64Range(1, 9).Draw(t, "c"), 0)})
				}
			}
		}
		tab, err := table.Build("t", dims, recs, false)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "t.jj")
		if err := WriteOutput(path, tab, nil, Output{Type: JJ, Trivial: true}, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		in, err := formats.Read(path, formats.Options{}) // checks additivity
		if err != nil {
			t.Fatal(err)
		}
		sum := func(v []int64) (s int64) {
			for _, x := range v {
				s += x
			}
			return s
		}
		if sum(tab.Cost) != sum(in.Table.Cost) || slices.Max(tab.Value) != slices.Max(in.Table.Value) {
			t.Fatalf("costs %d, were %d", sum(in.Table.Cost), sum(tab.Cost))
		}
		for j := range in.Table.Rel.Len() {
			if cell, _ := in.Table.Rel.Row(j); len(cell) < 3 {
				t.Fatalf("relation %d has %d cells", j, len(cell))
			}
		}
	})
}

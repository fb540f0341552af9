package table

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

// linkable builds a table of counts from lines "code code … value [status]".
func linkable(t *testing.T, name string, dims []Dimension, lines ...string) *Table {
	t.Helper()
	var rec []Record
	for n, line := range lines {
		f := strings.Fields(line)
		r := Record{Line: n + 1, Codes: f[:len(dims)]}
		d := must.Get(ParseDecimal(f[len(dims)]))(t)
		r.Value = Number{Decimal: d, Set: true}
		if len(f) > len(dims)+1 {
			r.Status = Status(slices.Index(statusLetters[:], f[len(dims)+1]))
		}
		rec = append(rec, r)
	}
	return must.Get(Build(name, dims, rec, true))(t)
}

// Two tables that share the margins of A.
func TestLink(t *testing.T) {
	a, b, c := flat(t, "A", "a1", "a2"), flat(t, "B", "b1", "b2"), flat(t, "C", "c1", "c2", "c3")
	x := linkable(t, "x", []Dimension{a, b}, "a1 b1 3 u", "a1 b2 5", "a2 b1 7", "a2 b2 9")
	y := linkable(t, "y", []Dimension{c, a}, "c1 a1 1", "c2 a1 4", "c3 a1 3", "c1 a2 6", "c2 a2 6 z", "c3 a2 4", "T a1 8 u", "T a2 16")
	l := must.Get(Link("xy", []*Table{x, y}))(t)
	if got, want := l.Len(), x.Len()+y.Len()-3; got != want { // a1, a2 and the total are shared
		t.Errorf("%d cells, want %d", got, want)
	}
	if got, want := l.Rel.Len(), x.Rel.Len()+y.Rel.Len()-1; got != want { // T = a1 + a2 is in both
		t.Errorf("%d relations, want %d", got, want)
	}
	at := map[string]int{}
	for i := range l.Len() {
		at[l.CellName(i)] = i
	}
	for name, want := range map[string]Status{"a1/b1/T": Sensitive, "a1/T/T": Sensitive, "a2/T/c2": Published, "a2/T/T": Safe} {
		i, ok := at[name]
		if !ok || l.Status[i] != want {
			t.Errorf("%s: %v %v, want %v", name, ok, l.Status[i], want)
		}
	}
	if !l.Rel.Holds(l.Value) {
		t.Error("the relations do not hold")
	}
	for k, from := range []*Table{x, y} {
		for i, c := range l.Cell[k] {
			if l.Value[c] != from.Value[i] {
				t.Errorf("%s %s: value %d, want %d", from.Name, from.CellName(i), l.Value[c], from.Value[i])
			}
		}
	}
	for i := range y.Len() {
		if y.CellName(i) == "T/a1" {
			y.Value[i] = 9
		}
	}
	var e *LinkError
	if _, err := Link("xy", []*Table{x, y}); !errors.As(err, &e) || err.Error() != "cell a1/T/T: the value is 8 in x and 9 in y" {
		t.Errorf("%v", err)
	}
}

func TestLinkHierarchies(t *testing.T) {
	short := flat(t, "A", "a", "b")
	long := must.Get(NewDimension("A", "T", []Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}}))(t)
	x := linkable(t, "x", []Dimension{short}, "a 3", "b 4")
	y := linkable(t, "y", []Dimension{long}, "a1 1", "a2 2", "b 4")
	l := must.Get(Link("xy", []*Table{x, y}))(t)
	if l.Len() != 5 || l.Rel.Len() != 2 {
		t.Errorf("%d cells and %d relations, want 5 and 2", l.Len(), l.Rel.Len())
	}
	other := must.Get(NewDimension("A", "T", []Edge{{Code: "b", Parent: "T"}, {Code: "a", Parent: "b"}, {Code: "c", Parent: "b"}}))(t)
	z := linkable(t, "z", []Dimension{other}, "a 3", "c 1")
	if _, err := Link("xz", []*Table{x, z}); err == nil || err.Error() != "dimension A: code a is under T in one table and under b in table z" {
		t.Errorf("%v", err)
	}
	if _, err := Link("jj", []*Table{x, {Name: "j"}}); err == nil || !strings.HasPrefix(err.Error(), "table j: it has no dimensions") {
		t.Errorf("%v", err)
	}
}

// A table linked with itself, or cut up into tables by layers of a dimension whose
// margin they share, is the table.
func TestLinkItself(t *testing.T) {
	a, b := flat(t, "A", "a1", "a2", "a3"), flat(t, "B", "b1", "b2")
	rapid.Check(t, func(r *rapid.T) {
		var rec []Record
		for _, x := range a.Codes[1:] {
			for _, y := range b.Codes[1:] {
				rec = append(rec, Record{Codes: []string{x, y}, Value: Num(rapid.Int64Range(0, 99).Draw(r, "v"), 0),
					Status: Status(rapid.IntRange(0, 1).Draw(r, "s"))})
			}
		}
		x, err := Build("x", []Dimension{a, b}, rec, true)
		if err != nil {
			r.Fatal(err)
		}
		l, err := Link("x", []*Table{x, x})
		if err != nil {
			r.Fatal(err)
		}
		if l.Len() != x.Len() || l.Rel.Len() != x.Rel.Len() || !slices.Equal(l.Value, x.Value) || !slices.Equal(l.Status, x.Status) {
			r.Errorf("%d cells, %d relations; want %d, %d", l.Len(), l.Rel.Len(), x.Len(), x.Rel.Len())
		}
	})
}

package certificate

import (
	"errors"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// twoLayers is a row a + b + c = Total in two responses: a is sensitive in the second, where
// it must be able to move by 3 both ways.
func twoLayers(t *testing.T) *problem {
	t.Helper()
	d := must.Get(table.FlatDimension("d", "Total", []string{"a", "b", "c"}))(t)
	layer := func(values ...int64) *table.Table {
		var records []table.Record
		for i, code := range []string{"a", "b", "c", "Total"} {
			records = append(records, table.Record{Codes: []string{code}, Value: table.Num(values[i], 0)})
		}
		return must.Get(table.Build("t", []table.Dimension{d}, records, false))(t)
	}
	x, y := layer(1, 2, 9, 12), layer(5, 5, 2, 12)
	y.Status[0], y.LPL[0], y.UPL[0], y.Width[0] = table.Sensitive, 3, 3, 6
	s := must.Get(table.Stack("s", []string{"x", "y"}, []*table.Table{x, y}))(t)
	return must.Get(newProblem(s))(t)
}

// What a mask withholds is open in every response: b's 5 in the second one let a move by 3,
// c's 2 do not let it go up, and whichever cells leave a level unprotected are named once.
func TestExcludeWithLayers(t *testing.T) {
	up := Level{Up: &Dual{Cell: 4, Den: 1}}
	// The dual e_a less the relation of the second response: what a gains the others lose.
	p := twoLayers(t)
	cell, coef := p.t.Rel.Row(1)
	if !slices.Contains(cell, 4) {
		t.Fatalf("relation 1 has cells %v", cell)
	}
	up.Up.Rel, up.Up.Mult = []int32{1}, []int64{int64(coef[slices.Index(cell, 4)])}
	down := Level{Down: up.Up}
	both := Level{Up: up.Up, Down: up.Up}
	for _, tc := range []struct {
		name     string
		level    Level
		withheld []int32
		want     error
		idx      []int32
	}{
		{"nothing", up, nil, nil, []int32{1, 2, 3}},
		{"b, up", up, []int32{1}, errNothing, nil},
		{"c, up", up, []int32{2}, nil, []int32{1, 3}},
		{"c, down", down, []int32{2}, errNothing, nil}, // c has no upper bound
		{"b and c", up, []int32{1, 2}, errNothing, nil},
		{"width", both, []int32{3}, errNothing, nil},
		{"nothing, width", both, nil, nil, []int32{1, 2, 3}},
		{"a copy by its own name", up, []int32{5}, errNotFree, nil},
		{"a cell given anyway", up, []int32{0}, errNotFree, nil},
	} {
		r, err := newBook(p).derive(&Pattern{Level: tc.level, Withheld: tc.withheld})
		switch {
		case !errors.Is(err, tc.want):
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		case err == nil && (!slices.Equal(r.idx, tc.idx) || r.rhs != one || r.coef != nil):
			t.Errorf("%s: row %v·x%v ≥ %d, want cells %v", tc.name, r.coef, r.idx, r.rhs, tc.idx)
		}
	}
	p.t.UPL[4] = 2
	if _, err := newBook(p).derive(&Pattern{Level: up, Withheld: []int32{2}}); !errors.Is(err, errNothing) {
		t.Errorf("a level that is reached exactly: %v", err)
	}
	p.t.UPL[4] = 3
	// The capacity row itself: 3 of b's 5, 2 of c's 2, all of the total's endless room.
	r, err := newBook(p).derive(&up)
	if err != nil || len(r.idx) != 3 {
		t.Fatalf("capacity row %+v, %v", r, err)
	}
	for s, i := range r.idx {
		if want := []int64{0, one, 2*one/3 + 1, one}[i]; r.at(s) != want {
			t.Errorf("capacity row: %d at cell %d, want %d", r.at(s), i, want)
		}
	}
}

package modular

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// What is noted of movements in use is what the witnesses say, after building, improving and taking back.
func TestUses(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 22))
	tried, n, least := 0, -1, 20
	if !heavy.On() {
		least = 10
	}
	moverTables(t, rng, func(tab *table.Table) {
		if n++; n%8 > 1 && heavy.On() || !heavy.On() && n%20 != n/20%2 { // one of each shape, in turn with and without names
			return
		}
		m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{})
		defer m.close()
		if err := m.first(t.Context()); errors.As(err, new(*exposedError)) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			t.Helper()
			for i := range int32(tab.Len()) {
				var want []int32
				for li, points := range m.wit {
					if tab.Status[i] == table.Safe && slices.ContainsFunc(points, func(v *movement) bool { return slices.Contains(v.cells, i) }) {
						want = append(want, int32(li))
					}
				}
				got := slices.Clone(m.levelsOf([]int32{i}))
				slices.Sort(got)
				if !slices.Equal(got, want) || len(want) > 0 && !m.x[i] {
					t.Fatalf("%s: levels %v use cell %d, noted are %v", when, want, i, got)
				}
			}
			checkTied(t, m)
			tried++
		}
		check("first")
		was := m.cost()
		if err := m.improveBy(t.Context(), m.productNear, 0); err != nil {
			t.Fatal(err)
		}
		check("improved")
		if m.cost() > was {
			t.Errorf("cost %d, was %d", m.cost(), was)
		}
		if _, err := m.feasible(); err != nil {
			t.Error(err)
		}
	})
	if tried < least {
		t.Errorf("%d tables say little", tried)
	}
}

// checkTied fails unless each cell tied to another is the last withheld one of a relation as those before it leave, and nothing is left to tie.
func checkTied(t *testing.T, m *run) {
	t.Helper()
	for i := range int32(m.t.Len()) {
		if !m.x[i] || m.t.Status[i] != table.Safe {
			continue
		}
		x := slices.Clone(m.x)
		last := func() (cells []int32) {
			for j := range m.t.Rel.Len() {
				var left []int32
				touched := false
				cell, _ := m.t.Rel.Row(j)
				for _, k := range cell {
					if x[k] {
						left = append(left, k)
					} else if m.x[k] {
						touched = true
					}
				}
				if touched && len(left) == 1 && m.t.Status[left[0]] == table.Safe {
					cells = append(cells, left[0])
				}
			}
			return cells
		}
		for n, k := range m.tied(i) {
			if n > 0 && !slices.Contains(last(), k) {
				t.Fatalf("cell %d is not tied to %d", k, i)
			}
			x[k] = false
		}
		if more := last(); more != nil {
			t.Fatalf("cells %v are tied to %d as well", more, i)
		}
	}
}

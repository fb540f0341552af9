package risk

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRollup compares the classes of steps asked for one after the other with those of the file itself, numbers and order.
func TestRollup(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, s, hs := drawLattice(t)
		l, err := NewLattice(t.Context(), s, Missing{}, hs)
		check(t, err)
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			levels := l.levels(rapid.IntRange(0, l.size-1).Draw(t, "node"))
			got, err := l.Recoded(levels, nil)
			check(t, err)
			want, _ := l.classes(func(int) []int { return levels }, false)
			if got.t.n != want.t.n {
				t.Fatalf("%v: %d classes, want %d", levels, got.t.n, want.t.n)
			}
			for g := range got.t.n {
				if !slices.Equal(got.t.tuple(g), want.t.tuple(g)) || got.t.count(g) != want.t.count(g) {
					t.Fatalf("%v: class %d is %v, %d records, want %v, %d", levels, g, got.t.tuple(g), got.t.count(g), want.t.tuple(g), want.t.count(g))
				}
			}
			check(t, got.Add(1, slices.Repeat([]string{"mine"}, len(hs)+1)...)) // what was returned is the caller's
		}
	})
}

// TestProject compares classes numbered by packed values with those numbered by their tuples.
func TestProject(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 5).Draw(t, "columns")
		c := &Classes{t: newTally(m)}
		for range rapid.IntRange(1, 300).Draw(t, "classes") {
			var ids []uint32
			for range m {
				ids = append(ids, uint32(rapid.IntRange(0, 4).Draw(t, "value")))
			}
			c.t.add(ids, 1)
		}
		w := &withholding{c: c, m: m, keys: newClassKeys(c, m)}
		tuples := &withholding{c: c, m: m, keys: &classKeys{}}
		for range 4 {
			set := rapid.Uint64Range(0, 1<<m-1).Draw(t, "set")
			list := rapid.SliceOfDistinct(rapid.IntRange(0, c.t.n-1), func(g int) int { return g }).Draw(t, "list")
			got, n := w.project(set, list)
			want, wantN := tuples.project(set, list)
			if !slices.Equal(got, want) || n != wantN {
				t.Fatalf("outside %b: %v, %d, want %v, %d", set, got, n, want, wantN)
			}
			at := 0
			for k, members := range w.lists(got, n, list) {
				for _, g := range members {
					if i := slices.Index(list, g); got[i] != k {
						t.Fatalf("class %d is with %d, want %d", g, k, got[i])
					}
					at++
				}
			}
			if at != len(list) {
				t.Fatalf("%d of %d classes", at, len(list))
			}
		}
	})
	c := &Classes{t: newTally(3)}
	for _, id := range []uint32{0, math.MaxUint32} {
		c.t.add([]uint32{id, id, id}, 1)
	}
	if newClassKeys(c, 3).key != nil || newClassKeys(c, 2).key == nil {
		t.Error("packed without room, or not with it")
	}
}

// TestCheapest compares the cheapest group to join with one found through all members, where the goal grows and where it does not.
func TestCheapest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 3).Draw(t, "columns")
		columns, err := NewColumns(append([]string{"q0", "q1", "q2"}[:m], "s")...)
		check(t, err)
		c := NewClasses(columns, m+1)
		for range rapid.IntRange(2, 30).Draw(t, "records") {
			var row []string
			for range m + 1 {
				row = append(row, fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "value")))
			}
			check(t, c.Add(1, row...))
		}
		goal := Goal{K: rapid.Uint64Range(1, 3).Draw(t, "k"), L: rapid.Uint64Range(0, 3).Draw(t, "l")}
		if rapid.Bool().Draw(t, "entropy") {
			goal.E = 1.5
		}
		w, _, err := c.withholding(t.Context(), Missing{}, Withholding{Goal: goal, Columns: m, Kept: make([]bool, m)})
		check(t, err)
		var with *starGroup
		var groups []*starGroup
		number, n := w.project(1, w.order)
		for k, list := range w.lists(number, n, w.order) {
			x := w.group(list)
			w.see(x)
			if k == 0 {
				with = x
			} else if w.meets(eachOf(x)) {
				groups = append(groups, x)
			}
		}
		best, least := -1, uint64(0)
		for i, x := range groups {
			if !w.meets(eachOf(x, with)) {
				continue
			}
			set := w.differ(x, with)
			if cost := w.lost(x, set) + w.lost(with, set) - w.lost(x, x.set); best < 0 || cost < least {
				best, least = i, cost
			}
		}
		if got := w.cheapest(groups, with, true); got != best {
			t.Fatalf("group %d, want %d", got, best)
		}
	})
}

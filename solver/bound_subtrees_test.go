package solver

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/table"
)

// Subtrees are those of the variable with most codes among those with trees: no relation has cells of two and none of what they add up to, and
// none has more than half of the cells.
func TestSubtreesOf(t *testing.T) {
	t.Parallel()
	large := []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}, {Code: "a3", Parent: "a"}}
	for _, tc := range []struct {
		name   string
		edges  [][]table.Edge
		number int
		cells  int // in none
	}{
		{"two trees", [][]table.Edge{flat(7), twoLevels, ragged}, 2, 8 * 6},
		{"flat", [][]table.Edge{flat(4), flat(2)}, 0, 0},
		{"most in one", [][]table.Edge{large, flat(3)}, 0, 0},
	} {
		dims := make([]table.Dimension, len(tc.edges))
		for d, e := range tc.edges {
			var err error
			if dims[d], err = table.NewDimension(string(rune('A'+d)), "T", e); err != nil {
				t.Fatal(err)
			}
		}
		tab := tableOf(t, rand.New(rand.NewPCG(5, 6)), dims)
		of, number := subtreesOf(tab)
		none := 0
		for _, n := range of {
			if n < 0 {
				none++
			}
		}
		if number != tc.number || none != tc.cells {
			t.Errorf("%s: %d subtrees, %d cells in none, want %d and %d", tc.name, number, none, tc.number, tc.cells)
		}
		for j := range tab.Rel.Len() {
			cell, _ := tab.Rel.Row(j)
			in := map[int32]bool{}
			for _, i := range cell {
				if of != nil {
					in[of[i]] = true
				}
			}
			if len(in) > 1 && !in[-1] {
				t.Errorf("%s: relation %d is between subtrees", tc.name, j)
			}
		}
	}
}

// The rows found in subtrees hold for the cheapest pattern found by trying all, what they add up to is no more than it costs, and where the bound
// ends, in a subtree, between them or after they are joined, its certificate confirms it.
func TestSubtrees(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(41, 42))
	dims := make([]table.Dimension, 2)
	for d, e := range [][]table.Edge{twoLevels, flat(2)} {
		var err error
		if dims[d], err = table.NewDimension(string(rune('A'+d)), "T", e); err != nil {
			t.Fatal(err)
		}
	}
	rows, rises, certified := 0, 0, 0
	for n := range heavy.Draws(200) {
		tab := tableOf(t, rng, dims)
		free := 0
		for _, i := range rng.Perm(tab.Len()) {
			switch draw := rng.IntN(10); {
			case draw < 2:
				tab.Status[i] = table.Sensitive
				tab.LPL[i], tab.UPL[i] = min(tab.Value[i], 1+rng.Int64N(4)), rng.Int64N(4)
			case free == 11:
				tab.Status[i] = table.Published
			default:
				free++
			}
		}
		best, cost := bruteForce(tab)
		if best == nil {
			continue
		}
		single, _ := must.Two(SingleRowBound(t.Context(), tab, nil))(t)
		bound, _, err := relationBound(t.Context(), tab, nil, nil, func(l *singleRow) error {
			known := len(l.m.cuts)
			if err := l.subtrees(t.Context(), 1); err != nil {
				return err
			}
			for _, c := range l.m.cuts[known:] {
				rows++
				left := -c.rhs
				for k, j := range c.idx {
					if best[l.p.cand[j]] {
						left += c.val[k]
					}
				}
				if left < -1e-6 {
					t.Errorf("table %d, %s: the optimum violates a %s cut of a subtree", n, tab.Name, c.family)
				}
			}
			return nil
		})
		if err != nil || bound > cost || bound < single {
			t.Errorf("table %d, %s: bound %d, by single relations %d, optimum %d, %v", n, tab.Name, bound, single, cost, err)
		}
		if bound > single {
			rises++
		}
		ctx, cancel := context.WithCancel(t.Context())
		left := 2 + rng.IntN(6)
		told := int64(0)
		shown, proof, err := RegionBound(ctx, tab, &Options{Certificate: true}, func(v int64) {
			told = v
			if left--; left == 0 {
				cancel()
			}
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		var file bytes.Buffer
		must.Do(t, proof.Write(&file))
		rep, err := second.Verify(t, file.Bytes(), tab)
		if err != nil || rep.Bound != shown || shown > cost || shown > told {
			t.Errorf("table %d, %s: certified %d of %d told, verified %d, optimum %d, %v", n, tab.Name, shown, told, rep.Bound, cost, err)
		}
		if shown == told && shown > 0 {
			certified++
		}
	}
	if rows < heavy.Draws(20) || rises < heavy.Draws(3) || certified < heavy.Draws(30) {
		t.Errorf("%d rows of subtrees, %d bounds better, %d certified as told", rows, rises, certified)
	}
}

package solver

import (
	"math"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
)

// While the builder works, a cell is withheld in all responses or in none: prices and weights
// of its copies agree, and its witnesses move cells of the pattern only. The pool knows
// columns, of which a cell has one whatever the number of its copies.
func TestBuilderLayers(t *testing.T) {
	built, cleaned := 0, 0
	for i := range 240 {
		tab := stacked(t, drawLayers(i)...)
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		if len(p.levels) == 0 || len(p.cand) == 0 {
			continue
		}
		s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
		b := s.b
		agree := func(when string, set []bool) {
			t.Helper()
			for k := range p.n {
				first := k % p.m
				if c := p.col[first]; c >= 0 {
					want := 0.0
					if set[c] {
						want = 1
					}
					if p.col[k] != c || b.weight[k] != want || b.price[k] != b.price[first] {
						t.Fatalf("stack %d, %s: cell %d has column %d, weight %g, price %g; its first copy column %d, price %g, withheld %v",
							i, when, k, p.col[k], b.weight[k], b.price[k], c, b.price[first], set[c])
					}
				}
			}
			for li, w := range b.wit {
				if w.cells == nil {
					t.Fatalf("stack %d, %s: level %d has no witness", i, when, li)
				}
				for _, k := range w.cells {
					if c := p.col[k]; c >= 0 && !set[c] || c < 0 && !p.given[k] {
						t.Fatalf("stack %d, %s: level %d moves cell %d, which is published", i, when, li, k)
					}
				}
			}
		}
		set, stuck := must.Two(b.build(t.Context(), nil))(t)
		if stuck < 0 {
			built++
			agree("built", set)
			before := 0
			for _, x := range set {
				if x {
					before++
				}
			}
			must.Do(t, b.clean(t.Context(), set, math.Inf(1)))
			for _, x := range set {
				if x {
					before--
				}
			}
			if before > 0 {
				cleaned++
			}
			for k := range p.n {
				if c := p.col[k]; c >= 0 && (b.weight[k] == 1) != set[c] {
					t.Fatalf("stack %d, cleaned: cell %d has weight %g", i, k, b.weight[k])
				}
			}
			for li, w := range b.wit {
				for _, k := range w.cells {
					if c := p.col[k]; c >= 0 && !set[c] {
						t.Fatalf("stack %d, cleaned: level %d moves cell %d, which is published", i, li, k)
					}
				}
			}
		}
		x := make([]float64, len(p.cand))
		for c := range x {
			x[c] = float64((c*7+i)%5) / 4
		}
		for _, room := range []int{s.pool.capacity, s.pool.size / 2} {
			s.pool.capacity = room
			s.pool.evaluate(x)
			for _, c := range s.pool.cuts {
				if v := c.violation(x); math.Abs(c.gain-v) > 1e-9*max(1, math.Abs(v)) {
					t.Fatalf("stack %d: the pool says a cut gains %g, it is %g", i, c.gain, v)
				}
			}
		}
		s.b.close()
		s.m.close()
		s.sep.close()
	}
	if built < 40 || cleaned < 3 {
		t.Errorf("%d built, %d cleaned", built, cleaned)
	}
}

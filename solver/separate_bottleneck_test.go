package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// leans says that c follows from a dual that leans on relations.
func (c *cut) leans() bool {
	for _, d := range [2]*oracle.Dual{c.from.hi, c.from.lo} {
		if d != nil && (d.Line[0] != nil || d.Line[1] != nil) {
			return true
		}
	}
	return false
}

// Cuts found with bottleneck bounds hold at every protected pattern of tables in which all patterns are tried: several responses, cells withheld
// beforehand, levels of one side, capacities that differ, coefficients other than ±1, points of the relaxation of all kinds.
func TestBottleneckCutsHold(t *testing.T) {
	t.Parallel()
	three := []shape{shapes[3], shapes[6], shapes[7]} // no networks
	leaning, stronger, protectable := map[string]int{}, 0, 0
	for i := range heavy.Draws(350) {
		rng := rand.New(rand.NewPCG(uint64(i), 163))
		tab := randomTable(rng, three[i%len(three)], 8, i/len(three))
		for c, st := range tab.Status { // or hardly any pattern is protected
			if st == table.Published && rng.IntN(3) > 0 {
				tab.Status[c] = table.Withheld
			}
			if i%3 > 0 && st != table.Sensitive { // capacities about the levels
				tab.Lower[c], tab.Upper[c] = tab.Value[c]-rng.Int64N(20), tab.Value[c]+rng.Int64N(20)
			}
		}
		layers := []*table.Table{tab}
		if i%4 == 3 {
			tab = stacked(t, tab, response(rng, tab))
			layers = layersOf(tab)
		}
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		if p.sys.IsNetwork() {
			continue
		}
		o := must.Get(newSubproblem(p, "simplex", 1, 1))(t)
		t.Cleanup(o.close)
		ok := make([]bool, 1<<len(p.cand)) // by mask: protected
		try := func(mask int) bool {
			set := make([]bool, len(p.cand))
			for c := range set {
				set[c] = mask>>c&1 != 0
			}
			whole, all := p.pattern(set), true
			for r, l := range layers {
				all = all && protected(l, whole[r*p.m:(r+1)*p.m])
			}
			return all
		}
		if !try(len(ok) - 1) {
			continue
		}
		protectable++
		var masks [][]float64
		for mask := range ok {
			x := make([]float64, len(p.cand))
			for c := range x {
				if mask>>c&1 != 0 {
					x[c] = 1
					ok[mask] = ok[mask] || ok[mask&^(1<<c)]
				}
			}
			if ok[mask] = ok[mask] || try(mask); ok[mask] {
				masks = append(masks, x)
			}
		}
		for range 10 {
			x := make([]float64, len(p.cand))
			least := rng.Float64()
			for c := range x {
				if x[c] = least + (1-least)*rng.Float64(); rng.IntN(3) == 0 {
					x[c] = float64(rng.IntN(2))
				}
			}
			found := must.Get(o.round(t.Context(), x, true))(t)
			deepest := 0.0
			for _, c := range found {
				deepest = max(deepest, c.violation(x))
				if c.leans() {
					leaning[c.family]++
				}
				for _, m := range masks {
					if v := c.violation(m); v > 1e-7 {
						t.Fatalf("table %d: a %s cut %v·x%v ≥ %g is violated by %g at the protected %v", i, c.family, c.val, c.idx, c.rhs, v, m)
					}
				}
			}
			p.off.bottleneck = true
			plain := must.Get(o.round(t.Context(), x, true))(t)
			p.off.bottleneck = false
			for _, c := range plain {
				if c.violation(x) >= deepest-minViolation {
					deepest = 0
				}
			}
			if deepest > minViolation {
				stronger++
			}
		}
	}
	if leaning[capacityCut] < heavy.Draws(15) || leaning[mirrorCut] < heavy.Draws(10) || leaning[widthCut] < heavy.Draws(15) || protectable < heavy.Draws(20) {
		t.Errorf("%v cuts lean on relations, %d points are cut off deeper with them, %d tables can be protected: too few to mean much", leaning, stronger, protectable)
	}
}

package oracle

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/table"
)

// Duals of both engines satisfy z_k = Σ d_i z_i on the kernel: tested on the
// witnesses of other cells, exactly.
func TestDualsAreExact(t *testing.T) {
	for i := range 140 {
		rng := rand.New(rand.NewPCG(uint64(i), 4))
		tab := tabletest.Random(rng, i)
		w := tabletest.Pattern(rng, tab.Len())
		s := NewSystem(tab.Rel)
		var points []map[int32]*big.Rat
		e := must.Get(s.NewExact("simplex", ""))(t)
		free := make([]int64, tab.Len())
		for c := range free {
			free[c] = 7
		}
		e.SetCapacities(free, free, table.PosInf)
		for k := range tab.Len() {
			end := must.Get(e.Max(context.Background(), k, 1, 1000, false))(t)
			z := map[int32]*big.Rat{}
			for at, c := range end.Idx {
				z[c] = big.NewRat(end.Num[at], end.Den)
			}
			points = append(points, z)
		}
		weight, up := make([]float64, tab.Len()), make([]float64, tab.Len())
		for c := range up {
			up[c] = float64(1 + rng.IntN(9))
			if w[c] {
				weight[c] = rng.Float64()
			}
		}
		for _, engine := range []string{"network", "simplex"} {
			if engine == "network" && !s.IsNetwork() {
				continue
			}
			in := must.Get(s.NewIntruder(engine, ""))(t)
			in.SetCapacities(up, up, weight)
			for k := range tab.Len() {
				if !w[k] {
					continue
				}
				for _, sign := range []int{1, -1} {
					v := must.Get(in.Reach(context.Background(), k, sign, 1e6))(t)
					for _, d := range in.Duals() {
						capUp := make([]float64, tab.Len())
						for c := range capUp {
							capUp[c] = weight[c] * up[c]
						}
						hi, lo := eval(d, capUp, capUp)
						bound := hi
						if sign < 0 {
							bound = lo
						}
						fromMultipliers(t, tab.Rel, d)
						if math.Abs(bound-v) > 1e-5*max(1, v) {
							t.Fatalf("table %d %s cell %d: dual gives %g, reach %g", i, engine, k, bound, v)
						}
						for _, z := range points {
							sum := new(big.Rat)
							for at, c := range d.Idx {
								if z[c] != nil {
									sum.Add(sum, new(big.Rat).Mul(big.NewRat(d.Coef[at], d.Den), z[c]))
								}
							}
							want := z[int32(k)]
							if want == nil {
								want = new(big.Rat)
							}
							if sum.Cmp(want) != 0 {
								t.Fatalf("table %d %s cell %d: Σ d·z = %s, z_k = %s", i, engine, k, sum.RatString(), want.RatString())
							}
						}
					}
				}
			}
			in.Close()
		}
		e.Close()
	}
}

// fromMultipliers checks that d = e_K − Mᵀγ.
func fromMultipliers(t *testing.T, rel *table.Relations, d *Dual) {
	t.Helper()
	want := make([]int64, rel.N)
	want[d.K] = d.Den
	for s, j := range d.Rel {
		cell, coef := rel.Row(int(j))
		for c, i := range cell {
			want[i] -= d.Mult[s] * int64(coef[c])
		}
	}
	for c, i := range d.Idx {
		want[i] -= d.Coef[c]
	}
	for i, v := range want {
		if v != 0 {
			t.Fatalf("dual of cell %d: entry %d is off its multipliers by %d/%d", d.K, i, v, d.Den)
		}
	}
}

// eval returns the bounds (2) of d for the capacities up, dn: no z exceeds
// hi upwards nor lo downwards (both ≥ 0, possibly +Inf). 0·∞ counts as 0.
func eval(d *Dual, up, dn []float64) (hi, lo float64) {
	for t, i := range d.Idx {
		c := float64(d.Coef[t])
		if c < 0 {
			hi, lo = hi-c*dn[i], lo-c*up[i]
		} else {
			hi, lo = hi+c*up[i], lo+c*dn[i]
		}
	}
	den := float64(d.Den)
	return hi / den, lo / den
}

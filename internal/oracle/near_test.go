package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// By some relations alone the bound is that of the duals and never below the maximum by all, and the maximum itself where all are
// near; the duals are vectors e_k − Mᵀγ of all relations.
func TestNear(t *testing.T) {
	less := 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 47))
		tab := tabletest.Random(rng, int(seed))
		n := tab.Len()
		s := NewSystem(tab.Rel)
		up, dn, weight := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			up[i], dn[i], weight[i] = float64(1+rng.IntN(9)), float64(1+rng.IntN(9)), rng.Float64()
		}
		full := must.Get(s.NewIntruder("simplex", ""))(t)
		some, all := s.NewNear("", 2), s.NewNear("", s.Rel.Len())
		const limit = 8
		for _, in := range []Intruder{full, some, all} {
			in.Truncate(limit)
			in.SetCapacities(up, dn, weight)
		}
		for range 8 {
			k, sign := rng.IntN(n), 1-2*rng.IntN(2)
			reach := must.Get(full.Reach(t.Context(), k, sign, limit))(t)
			for _, in := range []Intruder{some, all} {
				v := must.Get(in.Bound(t.Context(), k, sign, limit))(t)
				if v < min(reach, limit)-1e-6 || in == all && math.Abs(min(v, limit)-min(reach, limit)) > 1e-6 && v >= limit {
					t.Fatalf("seed %d, cell %d: bound %g, maximum %g", seed, k, v, reach)
				}
				if v >= limit {
					continue
				}
				if v > reach+1e-6 {
					less++
				}
				for _, d := range in.Duals() {
					sum, vec := 0.0, make([]int64, n)
					vec[k] = d.Den
					for t, j := range d.Rel {
						cell, coef := s.Rel.Row(int(j))
						for e, i := range cell {
							vec[i] -= d.Mult[t] * int64(coef[e])
						}
					}
					for t, i := range d.Idx {
						vec[i] -= d.Coef[t]
						c, cap := float64(d.Coef[t])*float64(sign), up[i]
						if c < 0 {
							c, cap = -c, dn[i]
						}
						sum += c / float64(d.Den) * weight[i] * min(cap, limit)
					}
					for i, v := range vec {
						if v != 0 {
							t.Fatalf("seed %d, cell %d: entry %d of the dual is off by %d", seed, k, i, v)
						}
					}
					if int(d.K) != k || sum < reach-1e-6 || sum > v+1e-6 {
						t.Fatalf("seed %d, cell %d: dual of cell %d proves %g, bound %g, maximum %g", seed, k, d.K, sum, v, reach)
					}
				}
			}
		}
		for _, in := range []Intruder{full, some, all} {
			in.Close()
		}
	}
	if less < 20 {
		t.Errorf("%d bounds weaker by few relations; the test sees too little", less)
	}
}

// A region knows its relations alone, and nothing of a cell that is in none of them.
func TestWithin(t *testing.T) {
	t.Parallel()
	rel := table.NewRelations(7) // 0 = 1 + 2, 0 = 3 + 4 + 5; 6 is in no relation
	rel.Add([]int32{0, 1, 2}, []int32{-1, 1, 1}, 0)
	rel.Add([]int32{0, 3, 4, 5}, []int32{-1, 1, 1, 1}, 0)
	s := NewSystem(rel)
	up, dn, weight := []float64{15, 1, 2, 3, 3, 3, 1}, []float64{15, 1, 2, 3, 3, 3, 1}, []float64{1, 1, 1, 1, 1, 1, 1}
	now := int32(0)
	in := s.NewWithin("", func(int32) int32 { return now }, func(r int32) []int32 { return [][]int32{{0}, {1}, {0, 1}, nil}[r] })
	defer in.Close()
	in.Truncate(20)
	in.SetCapacities(up, dn, weight)
	for region, want := range []float64{3, 9, 3, math.Inf(1)} {
		now = int32(region)
		if v, err := in.Bound(t.Context(), 0, 1, 20); err != nil || v != want {
			t.Errorf("region %d: %g, %v, want %g", region, v, err, want)
		}
		if v, err := in.Bound(t.Context(), 6, 1, 20); err != nil || !math.IsInf(v, 1) {
			t.Errorf("region %d, a cell without relations: %g, %v", region, v, err)
		}
	}
	now = 1
	if v, err := in.Bound(t.Context(), 0, 1, 20); err != nil || v != 9 {
		t.Fatal(v, err)
	}
	for _, d := range in.Duals() {
		if len(d.Rel) != 1 || d.Rel[0] != 1 {
			t.Errorf("%+v: want a dual by relation 1", d)
		}
	}
}

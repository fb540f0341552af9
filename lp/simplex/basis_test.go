package simplex

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

// A basis that is set again has the norms it had when it was read, those of rows added since
// included; and a solve that a limit ends has duals between those of both ends.
func TestBasisNorms(t *testing.T) {
	const n = 80
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 6))
		p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
		for j := range n {
			p.Cost[j], p.Up[j] = float64(1+rng.IntN(50)), 1
		}
		s := new(solver)
		must.Do(t, s.Load(p))
		r := solve(t, s)
		grow := func(k int) {
			must.Get(s.AddRows(masterCuts(rng, n, k, 12, r.Primal)...))(t)
		}
		for range 4 {
			grow(10)
			r = solve(t, s)
		}
		start := r.Value
		var b lp.Basis
		must.Do(t, s.Basis(&b))
		grow(int(seed % 3))
		for j := range n {
			if r.Primal[j] > 0.2 {
				must.Do(t, s.SetColBounds(j, 0, 0))
				break
			}
		}
		s.SetLimits(lp.Limits{Iterations: 5})
		r = solve(t, s)
		if r.Status == lp.IterationLimit {
			if z := dualValue(s, r.Dual); z <= start || math.IsInf(z, 0) {
				t.Errorf("seed %d: after 5 iterations the duals prove %g, before %g", seed, z, start)
			}
		}
		must.Do(t, s.SetBasis(&b))
		s.prepare()
		s.initWeights()
		for p := range s.basis.head {
			s.scratch.rho.clear()
			s.scratch.rho.set(int32(p), 1)
			s.basis.fac.btran(&s.scratch.rho, kindUnit, false)
			if want := norm2(&s.scratch.rho); math.Abs(s.pricing.dse[p]-want) > 1e-6*want {
				t.Errorf("seed %d: position %d has norm %g, want %g", seed, p, s.pricing.dse[p], want)
			}
		}
		s.scratch.rho.clear()
	}
}

// dualValue returns what duals y of rows without upper bounds prove.
func dualValue(s *solver, y []float64) float64 {
	z := 0.0
	d := make([]float64, s.n)
	copy(d, s.model.bcost)
	for i := range s.m {
		idx, val := s.model.mat.row(i)
		z += y[i] * s.model.blo[s.n+i] / s.model.scale.row(i)
		for t, j := range idx {
			d[j] -= y[i] / s.model.scale.row(i) * val[t]
		}
	}
	for j, v := range d {
		z += min(v*s.model.blo[j], v*s.model.bup[j])
	}
	return z
}

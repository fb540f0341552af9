package simplex

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randMatrix draws columns of up to most entries, some of them dependent.
func randMatrix(rng *rand.Rand, m, n, most int) *matrix {
	a := new(matrix)
	a.reset(n)
	rows := make([]struct {
		idx []int32
		val []float64
	}, m)
	for j := range n {
		for _, i := range rng.Perm(m)[:min(m, 1+rng.IntN(most))] {
			v := float64(rng.IntN(5) - 2)
			if rng.IntN(3) == 0 {
				v = rng.NormFloat64()
			}
			rows[i].idx = append(rows[i].idx, int32(j))
			rows[i].val = append(rows[i].val, v)
		}
	}
	for i := range m {
		a.appendRow(rows[i].idx, rows[i].val)
	}
	a.byColumns(0)
	return a
}

// times returns Bx for the basis head of (A, −I).
func times(a *matrix, head []int32, x []float64) []float64 {
	b := make([]float64, a.m)
	for p, v := range head {
		if int(v) >= a.n {
			b[int(v)-a.n] -= x[p]
			continue
		}
		idx, val := a.col(v)
		for k, i := range idx {
			b[i] += val[k] * x[p]
		}
	}
	return b
}

// timesT returns Bᵀy.
func timesT(a *matrix, head []int32, y []float64) []float64 {
	c := make([]float64, a.m)
	for p, v := range head {
		if int(v) >= a.n {
			c[p] = -y[int(v)-a.n]
			continue
		}
		idx, val := a.col(v)
		for k, i := range idx {
			c[p] += val[k] * y[i]
		}
	}
	return c
}

// TestFactor compares solves with products, fresh and after updates, sparse
// and dense.
func TestFactor(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 6))
		m := 1 + rng.IntN(90)
		n := m + rng.IntN(m+1)
		a := randMatrix(rng, m, n, 1+rng.IntN(6))
		var cand []int32
		for _, v := range rng.Perm(n + m)[:m] {
			cand = append(cand, int32(v))
		}
		head := make([]int32, m)
		f := new(factor)
		rejected := f.build(a, cand, head, nil)
		if len(rejected) > m {
			t.Fatalf("seed %d: %d rejected", seed, len(rejected))
		}
		for step := range 40 {
			for _, dense := range []bool{false, true} {
				if err := residual(rng, a, f, head, dense); err > 1e-7 {
					t.Fatalf("seed %d, step %d, dense %v: residual %g", seed, step, dense, err)
				}
			}
			// Replace a random position by a random variable, if it may.
			q := int32(rng.IntN(n + m))
			var col, rho vec
			col.resize(m)
			rho.resize(m)
			if int(q) >= n {
				col.set(q-int32(n), -1)
			} else {
				idx, val := a.col(q)
				for k, i := range idx {
					col.set(i, val[k])
				}
			}
			f.ftran(&col, kindColumn, true)
			if len(col.idx) == 0 {
				continue
			}
			p := col.idx[rng.IntN(len(col.idx))]
			if math.Abs(col.x[p]) < 0.1 {
				continue
			}
			rho.set(p, 1)
			f.btran(&rho, kindUnit, true)
			if !f.replace(p, col.x[p]) {
				break
			}
			head[p] = q
		}
	}
}

// residual solves for a sparse right-hand side in both directions and returns
// the largest relative residual.
func residual(rng *rand.Rand, a *matrix, f *factor, head []int32, dense bool) float64 {
	f.density = [4]float64{}
	if dense {
		f.density = [4]float64{1, 1, 1, 1}
	}
	worst := 0.0
	for dir := range 2 {
		var v vec
		v.resize(a.m)
		rhs := make([]float64, a.m)
		for _, i := range rng.Perm(a.m)[:1+rng.IntN(3)%a.m] {
			rhs[i] = rng.NormFloat64()
			v.set(int32(i), rhs[i])
		}
		var got []float64
		if dir == 0 {
			f.ftran(&v, kindColumn, false)
			got = times(a, head, v.x)
		} else {
			f.btran(&v, kindColumn, false)
			got = timesT(a, head, v.x)
		}
		size := 1.0
		listed := make([]bool, a.m)
		for _, i := range v.idx {
			listed[i] = true
		}
		for i, x := range v.x {
			size = max(size, math.Abs(x))
			if x != 0 && !listed[i] {
				return math.Inf(1)
			}
		}
		for i := range got {
			worst = max(worst, math.Abs(got[i]-rhs[i])/size)
		}
	}
	return worst
}

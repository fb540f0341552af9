package cellkey

import (
	"math"
	"slices"
)

// A constraint on probabilities p is a·p = b, or a·p ≥ b.
type constraint struct {
	a     []float64
	b     float64
	least bool
}

// entropy returns the probabilities of n outcomes with the largest entropy −Σ p log p that satisfy the constraints to
// 10^−10; ok is false if there are none.
//
// The dual is min log Σ_j exp(Σ_k λ_k a_kj) − Σ_k λ_k b_k, λ_k ≥ 0 for inequalities: convex, solved by Newton's method
// on the variables not held at 0 (Bertsekas, SIAM Journal on Control 20, 1982). If the constraints hold only with some
// p_j = 0, λ grows without bound and p_j falls by a factor in each step. Cost O(m²(m + n)) for each of a few dozen
// steps, with m constraints.
func entropy(n int, all []constraint) ([]float64, bool) {
	const steps, tolerance, accepted = 500, 1e-13, 1e-10
	d := dual{n: n, all: all, p: make([]float64, n)}
	lambda := make([]float64, len(all))
	value := d.at(lambda)
	for range steps {
		g, worst := d.gradient()
		var work []int
		off := 0.0
		for k, c := range all {
			if c.least && lambda[k] <= 1e-9 && g[k] > 0 {
				continue // held at 0
			}
			work = append(work, k)
			off = max(off, math.Abs(g[k]))
		}
		if off < tolerance {
			return d.p, worst < accepted
		}
		step := d.newton(g, work)
		next, better := slices.Clone(lambda), false
		for t := 1.0; t > 1e-12; t /= 2 {
			fall := 0.0
			for n, k := range work {
				next[k] = lambda[k] + float64(t*step[n])
				if all[k].least {
					next[k] = max(0, next[k])
				}
				fall -= float64(g[k] * (next[k] - lambda[k]))
			}
			if v := d.at(next); v <= value-float64(1e-4*fall) && (v < value || fall > 0) {
				value, better = v, true
				break
			}
		}
		if !better {
			break
		}
		lambda = next
	}
	d.at(lambda)
	_, worst := d.gradient()
	return d.p, worst < accepted
}

// A dual is the dual problem at one λ.
type dual struct {
	n   int
	all []constraint
	p   []float64 // probabilities at the last call of at
}

// at returns the objective at λ and stores its probabilities.
func (d *dual) at(lambda []float64) float64 {
	most := math.Inf(-1)
	for j := range d.p {
		d.p[j] = 0
		for k := range d.all {
			d.p[j] += float64(lambda[k] * d.all[k].a[j])
		}
		most = max(most, d.p[j])
	}
	sum := 0.0
	for j := range d.p {
		d.p[j] = math.Exp(d.p[j] - most)
		sum += d.p[j]
	}
	for j := range d.p {
		d.p[j] /= sum
	}
	v := most + math.Log(sum)
	for k := range d.all {
		v -= float64(lambda[k] * d.all[k].b)
	}
	return v
}

// gradient returns a·p − b for each constraint, and the largest violation by p.
func (d *dual) gradient() (g []float64, worst float64) {
	g = make([]float64, len(d.all))
	for k := range d.all {
		c := &d.all[k]
		for j, p := range d.p {
			g[k] += float64(c.a[j] * p)
		}
		g[k] -= c.b
		if c.least {
			worst = max(worst, -g[k])
		} else {
			worst = max(worst, math.Abs(g[k]))
		}
	}
	return g, worst
}

// newton solves H x = −g for the constraints in work; H is the covariance of their rows under p, regularised by a small
// multiple of its diagonal.
func (d *dual) newton(g []float64, work []int) []float64 {
	m := len(work)
	h := make([][]float64, m)
	x := make([]float64, m)
	for r, k := range work {
		h[r] = make([]float64, m)
		x[r] = -g[k]
		for s := range r + 1 {
			sum := 0.0
			a, b := &d.all[k], &d.all[work[s]]
			for j, p := range d.p {
				sum += float64(p * (a.a[j] - a.b - g[k]) * (b.a[j] - b.b - g[work[s]]))
			}
			h[r][s], h[s][r] = sum, sum
		}
	}
	for r := range m {
		h[r][r] += 1e-13 + float64(1e-11*h[r][r])
	}
	solve(h, x)
	return x
}

// solve overwrites x with h⁻¹x, by the Cholesky factors of the positive definite h, which overwrite h.
func solve(h [][]float64, x []float64) {
	m := len(x)
	for r := range m {
		for s := range r + 1 {
			sum := h[r][s]
			for k := range s {
				sum -= float64(h[r][k] * h[s][k])
			}
			if r == s {
				h[r][r] = math.Sqrt(max(sum, 1e-300))
			} else {
				h[r][s] = sum / h[s][s]
			}
		}
	}
	for r := range m {
		for k := range r {
			x[r] -= float64(h[r][k] * x[k])
		}
		x[r] /= h[r][r]
	}
	for r := m - 1; r >= 0; r-- {
		for k := r + 1; k < m; k++ {
			x[r] -= float64(h[k][r] * x[k])
		}
		x[r] /= h[r][r]
	}
}

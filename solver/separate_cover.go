package solver

import (
	"cmp"
	"context"
	"slices"
)

// residual strengthens a capacity cut at x: for a set T of columns near 1 it
// returns the most violated
//
//	Σ_{j∉T} min(val_j, r)·x_j ≥ r,   r = 1 − Σ_{j∈T} val_j > 0
//
// (the knapsack-cover inequality of Carr, Fleischer, Leung and Phillips, Strengthening integrality gaps
// for capacitated network design and covering problems, SODA 2000), which for r below every
// coefficient is the cover inequality Σ_{j∉T} x_j ≥ 1 (Balas, Facets of the knapsack polytope,
// Mathematical Programming 8, 1975; for this problem Fischetti and Salazar, Management Science 47(7), 2001). T runs
// over the prefixes of the columns in descending order of x. It returns nil if none beats the cut itself, and for cuts
// with negative coefficients, for which the inequality is not valid.
func residual(p *problem, c *cut, x []float64) *cut {
	if c.mixed {
		return nil
	}
	order := make([]int32, 0, 16)
	for t, j := range c.idx {
		if c.val[t] < 1 && x[j] > 0.1 {
			order = append(order, int32(t))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(x[c.idx[b]], x[c.idx[a]]) })
	if len(order) > 40 {
		order = order[:40]
	}
	in := make(map[int32]bool, len(order))
	r := c.rhs
	best, bestR := max(slackTol, c.violation(x))+slackTol, 0.0
	size := 0
	for s, t := range order {
		if r-c.val[t] <= slackTol {
			continue
		}
		r -= c.val[t]
		in[t] = true
		v := 1.0
		for u, j := range c.idx {
			if !in[int32(u)] && x[j] > 0 {
				v -= float64(min(c.val[u]/r, 1) * x[j])
			}
		}
		if v > best {
			best, bestR, size = v, r, s+1
		}
	}
	if bestR == 0 {
		return nil
	}
	clear(in)
	r = c.rhs
	for _, t := range order[:size] {
		if r-c.val[t] > slackTol {
			r -= c.val[t]
			in[t] = true
		}
	}
	out := &cut{rhs: 1, family: coverCut, from: c.from}
	var spend []int32
	for u, j := range c.idx {
		if in[int32(u)] {
			spend = append(spend, j)
			continue
		}
		v := c.val[u] / r
		if v >= coefOne {
			v = 1
		}
		out.idx, out.val = append(out.idx, j), append(out.val, v)
	}
	if c.why != nil {
		out.why = spent(p, c.why, spend)
	}
	return out.seal()
}

// covers strengthens the rows of the relaxation at its optimum. Strengthening only new cuts would be far weaker.
func (m *master) covers(p *problem) []*cut {
	var found []*cut
	for _, c := range m.cuts {
		if c.gain < -0.5 {
			continue
		}
		if r := residual(p, c, m.x); r != nil && r.violation(m.x) > minViolation {
			found = append(found, r)
		}
	}
	return found
}

// coverCuts asks for cover inequalities of the rows of the relaxation.
type coverCuts struct{}

func (coverCuts) name() string                     { return coverCut }
func (coverCuts) applies(w *worker, _ *visit) bool { return !w.search.p.off.covers }

func (coverCuts) separate(_ context.Context, w *worker, _ *visit) ([]*cut, error) {
	return w.m.covers(w.search.p), nil
}

package solver

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

// errStuck means that the exact check rejects a point which no cut excludes.
var errStuck = i18n.New("solver: a pattern fails the exact check but no dual proves why")

// pseudocosts are the average rise of the bound per unit of fraction when a column is branched down (0) or up (1).
type pseudocosts struct {
	sum   [2][]float64
	count [2][]int32
}

func newPseudocosts(n int) *pseudocosts {
	p := &pseudocosts{}
	for d := range 2 {
		p.sum[d], p.count[d] = make([]float64, n), make([]int32, n)
	}
	return p
}

// learn records that the bound rose by gain when branching moved the column by frac.
func (p *pseudocosts) learn(f fix, gain, frac float64) {
	d := 0
	if f.one {
		d = 1
	}
	p.sum[d][f.c] += max(0, gain) / max(1e-3, frac)
	p.count[d][f.c]++
}

func (p *pseudocosts) clone() *pseudocosts {
	q := &pseudocosts{}
	for d := range 2 {
		q.sum[d], q.count[d] = slices.Clone(p.sum[d]), slices.Clone(p.count[d])
	}
	return q
}

// A lesson is one observation for the pseudocosts.
type lesson struct {
	f          fix
	gain, frac float64
}

// learn records an observation, also for exchange with the other workers.
func (w *worker) learn(f fix, gain, frac float64) {
	w.pseudo.learn(f, gain, frac)
	if len(w.search.workers) > 1 {
		w.lessons = append(w.lessons, lesson{f, gain, frac})
	}
}

// estimate predicts the gains of branching on column c at value x, from its pseudocosts or, if it has none, from its
// cost.
func (p *pseudocosts) estimate(c int, x, cost float64) (down, up float64) {
	g := [2]float64{cost, cost}
	for d := range 2 {
		if n := p.count[d][c]; n > 0 {
			g[d] = p.sum[d][c] / float64(n)
		}
	}
	return g[0] * x, g[1] * (1 - x)
}

// branch splits the node at the current fractional optimum of the relaxation.
func (w *worker) branch(ctx context.Context, v *visit) (result, error) {
	m := w.m
	var frac []int32
	for c, f := range m.x {
		if fractional(f) {
			frac = append(frac, int32(c))
		}
	}
	x, value := slices.Clone(m.x), m.value
	score := func(c int32) float64 {
		d, u := w.pseudo.estimate(int(c), x[c], float64(w.search.p.cost[c]))
		return max(d, 1e-6) * max(u, 1e-6)
	}
	slices.SortStableFunc(frac, func(a, b int32) int { return cmp.Or(cmp.Compare(score(b), score(a)), int(a-b)) })
	best, bestScore := frac[0], -1.0
	var basis lp.Basis
	keeper, can := m.solver.(lp.BasisKeeper)
	if can = can && keeper.Basis(&basis) == nil; can {
		if w.search.p.off.norms {
			basis.Norms = nil
		}
		worse, look := 0, !w.search.p.off.lookAhead && (w.search.nodes >= lookAheadFrom || w.search.p.degree() > 2)
		for _, c := range frac[:min(trials, len(frac))] {
			if worse == lookAhead && look {
				break
			}
			worse++
			if !w.search.p.off.reliability && min(w.pseudo.count[0][c], w.pseudo.count[1][c]) < reliable {
				for d := range 2 {
					gain, ok, err := w.try(ctx, c, float64(d), value)
					if err != nil {
						return didNotFind, err
					}
					if err := keeper.SetBasis(&basis); err != nil {
						return didNotFind, err
					}
					if ok {
						w.learn(fix{c, d == 1}, gain, math.Abs(float64(d)-x[c]))
					}
				}
			}
			if s := score(c); s > bestScore {
				best, bestScore, worse = c, s, 0
			}
		}
	}
	left, right := w.split(v.n, best, x[best], value)
	if can {
		w.at = w.keepStart(basis)
		left.start, right.start = w.at, w.at
	}
	return v.children(left, right)
}

// split makes the two children of n for column c, which has value v in a relaxation with the given objective value;
// left is the one to dive into.
func (w *worker) split(n *node, c int32, v, value float64) (left, right *node) {
	child := func(one bool) *node {
		frac := v
		if one {
			frac = 1 - v
		}
		return &node{path: append(slices.Clone(n.path), fix{c, one}), bound: n.bound, parent: value, frac: frac}
	}
	down, upper := child(false), child(true)
	if w.search.rec != nil && w.tree.main {
		down.proof, upper.proof = n.proof.Split(w.search.p.cand[c])
	}
	if v >= 0.3 { // diving upwards finds protected patterns sooner
		return upper, down
	}
	return down, upper
}

// try fixes column c at v, performs a few iterations and returns the rise of the bound proved so far; ok is false if
// nothing was learnt. Trials that do not reach the optimum count as well; otherwise a column without a pseudocost would
// be tried again and again.
func (w *worker) try(ctx context.Context, c int32, v, value float64) (gain float64, ok bool, err error) {
	m := w.m
	m.bound(c, v, v)
	defer m.bound(c, 0, 1)
	known := w.upper != math.MaxInt64
	limits, most := lp.Limits{Iterations: trialIterations}, float64(w.upper)
	if known {
		at := m.tol.below(w.upper) * m.scale
		limits.Cutoff = &at
	}
	m.solver.SetLimits(limits)
	res, err := m.solver.Solve(ctx)
	if err != nil {
		return 0, false, context.Cause(ctx)
	}
	switch res.Status {
	case lp.Optimal:
		return min(res.Value/m.scale, most) - value, true, nil
	case lp.Infeasible, lp.Cutoff:
		return most - value, known, nil
	case lp.IterationLimit:
		if res.Dual != nil && !w.search.p.off.unended {
			return min(m.bounds(res.Dual), most) - value, true, nil
		}
	case lp.Cancelled:
		return 0, false, context.Cause(ctx)
	}
	return 0, false, nil
}

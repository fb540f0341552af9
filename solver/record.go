package solver

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
)

// A recording collects the proof of a run's bound. Without one (nil), sums in floating point decide whether a node is
// pruned; with one, its exact sums do.
type recording struct {
	*certificate.Recorder
	p    *problem
	next int // number of nodes at which useless parts are dropped next
}

func newRecording(p *problem) (*recording, error) {
	r, err := certificate.NewRecorder(p.t)
	if err != nil {
		return nil, i18n.Errorf("table %s: %w", p.t.Name, err)
	}
	return &recording{Recorder: r, p: p}, nil
}

// proofOf converts d to the form of certificates, nil to nil.
func proofOf(d *oracle.Dual) *certificate.Dual {
	if d == nil {
		return nil
	}
	return &certificate.Dual{Cell: d.K, Den: d.Den, Rel: d.Rel, Mult: d.Mult}
}

// spent returns the rule why with columns moved to the right-hand side first.
func spent(p *problem, why certificate.Rule, columns []int32) certificate.Rule {
	if len(columns) == 0 {
		return why
	}
	return &certificate.Cover{Of: why, Spend: cellsOf(p, columns)}
}

func cellsOf(p *problem, columns []int32) []int32 {
	cells := sets.Pick(p.cand, columns)
	return cells
}

// terms appends the multipliers behind the last solve of m, which refer to its scaled costs, as terms in the unit of
// the problem's costs.
func (r *recording) terms(terms []certificate.Term, m *master, y []float64, ray bool) []certificate.Term {
	scale := 1 / m.scale
	if ray {
		scale = 1
	}
	for i, c := range m.cuts {
		if y[i] > 0 {
			terms = append(terms, certificate.Term{Rule: c.why, Y: y[i] * scale, RHS: c.rhs})
		}
	}
	return terms
}

// note stores the multipliers of the last solve if they prove more about n than those stored so far.
func (w *worker) note(n *node) {
	if w.search.rec == nil || !w.tree.main {
		return
	}
	w.search.rec.Note(n.proof, w.m.value*float64(w.search.p.unit), func(into []certificate.Term) []certificate.Term {
		return w.search.rec.terms(into, w.m, w.m.dual, false)
	}, false)
}

// closes reports whether n, pruned by floating point sums, is also pruned by exact ones. If not, its bound is set to
// the exact value.
func (w *worker) closes(n *node) bool {
	if w.search.rec == nil || !w.tree.main {
		return true
	}
	b := w.search.rec.Bound(n.proof)
	if b/w.search.p.unit >= w.upper {
		return true
	}
	n.bound = min(b/w.search.p.unit, w.upper-1)
	return false
}

// empty reports whether exact arithmetic confirms, by a Farkas ray, that n is infeasible as the back end says. The ray
// is that of the back end or else the duals of the elastic program.
func (w *worker) empty(ctx context.Context, n *node) (bool, error) {
	if w.search.rec == nil || !w.tree.main {
		return true, nil
	}
	try := func(y []float64) bool {
		if len(y) != len(w.m.cuts) {
			return false
		}
		w.search.rec.Note(n.proof, math.Inf(1), func(into []certificate.Term) []certificate.Term {
			return w.search.rec.terms(into, w.m, y, true)
		}, true)
		if w.search.rec.Bound(n.proof)/w.search.p.unit >= w.upper {
			return true
		}
		w.search.rec.Drop(n.proof)
		return false
	}
	if !w.search.p.off.farkas && try(w.m.farkas) {
		return true, nil
	}
	y, err := w.m.elastic(ctx, w.search.opt.LP)
	if err != nil {
		return false, err
	}
	if try(y) {
		return true, nil
	}
	n.bound = min(w.search.rec.Bound(n.proof)/w.search.p.unit, w.upper-1)
	return false, nil
}

// elastic returns the duals of min s over Σ val·x + s ≥ rhs in every row within the bounds of m: a Farkas ray if m is
// infeasible.
func (m *master) elastic(ctx context.Context, backend string) ([]float64, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	n := len(m.lo)
	q := &lp.Problem{Cost: make([]float64, n+1), Lo: append(append([]float64(nil), m.lo...), 0), Up: append(append([]float64(nil), m.up...), math.Inf(1))}
	q.Cost[n] = 1
	for _, c := range m.cuts {
		q.Rows = append(q.Rows, lp.Row{Lo: c.rhs, Up: math.Inf(1),
			Idx: append(append([]int32(nil), c.idx...), int32(n)), Val: append(append([]float64(nil), c.val...), 1)})
	}
	if err := solver.Load(q); err != nil {
		return nil, err
	}
	res, err := solver.Solve(ctx)
	switch {
	case err != nil:
		return nil, err
	case res.Status == lp.Cancelled:
		return nil, context.Cause(ctx)
	}
	return append([]float64(nil), res.Dual...), nil
}

// halve splits n if no column is fractional: on the column whose reduced cost most hinders a proof, else on the first
// free one. It returns nil if none is free: then zero multipliers prove the cost of the one pattern left.
func (w *worker) halve(n *node) (left, right *node) {
	c := w.m.weakest()
	if c < 0 {
		for j := range w.m.lo {
			if w.m.lo[j] < w.m.up[j] {
				c = int32(j)
				break
			}
		}
	}
	if c < 0 {
		if w.search.rec != nil && w.tree.main {
			w.search.rec.Note(n.proof, math.Inf(1), func([]certificate.Term) []certificate.Term { return nil }, false)
		}
		return nil, nil
	}
	return w.split(n, c, w.m.x[c], w.m.value)
}

// settleExactly fixes columns like fixByReducedCost but by exact sums, once floating point sums suggest that some can
// be fixed.
func (w *worker) settleExactly() {
	some := false
	for c, d := range w.m.reduced {
		some = some || w.tree.fixed[c] < 0 && w.m.tol.up(w.m.value+math.Abs(d)) >= w.upper
	}
	if !some {
		return
	}
	y := w.search.rec.Proof(w.search.rec.terms(nil, w.m, w.m.dual, false), false)
	w.search.rec.Settle(y, w.upper*w.search.p.unit, func(cell int32, withheld bool) {
		c := w.search.p.col[cell]
		if c < 0 {
			return
		}
		v := int8(0)
		if withheld {
			v = 1
		}
		w.tree.fixed[c] = v
		w.m.bound(c, float64(v), float64(v))
	})
}

// reasons returns the duals upwards and downwards that may prove that level l cannot be met.
func reasons(l protectionLevel, duals [2][]*oracle.Dual) (why []*certificate.Level) {
	up, down := duals[0], duals[1]
	if l.Side == upper {
		down = []*oracle.Dual{nil}
	}
	if l.Side == lower {
		up = []*oracle.Dual{nil}
	}
	for _, a := range up {
		for _, b := range down {
			why = append(why, &certificate.Level{Up: proofOf(a), Down: proofOf(b)})
		}
	}
	return why
}

// certify adds the certificate to a solution and sets its bound to what exact sums prove, 0 if the search did not
// begin.
func (d *decomposition) certify(sol *Solution) error {
	var r *certificate.Recorder
	if len(d.searches) == 1 {
		r = d.searches[0].rec.Recorder
	} else {
		var err error
		if r, err = certificate.NewRecorder(d.t); err != nil {
			return i18n.Errorf("table %s: %w", d.t.Name, err)
		}
	}
	sol.Certificate = r.Finish(sol.Bound, sol.Pattern, sol.Witnesses)
	sol.Bound = sol.Certificate.Bound
	if sol.Status == Optimal && sol.Bound < sol.Cost {
		sol.Status = Feasible
	}
	return nil
}

package solver

import (
	"context"
)

// A separator looks for cuts of one kind that the optimum x of a worker's relaxation violates. A new separator is
// listed in separators and gets a field in techniques.
type separator interface {
	// name identifies it in tests and statistics.
	name() string
	// applies reports whether it is switched on and worthwhile at this visit.
	applies(w *worker, v *visit) bool
	// separate returns cuts that x violates, and pools all others that it finds.
	separate(ctx context.Context, w *worker, v *visit) ([]*cut, error)
}

// separators are in order of priority: those of one line are used together, the next line only if earlier lines found
// nothing that x violates. The file of each says why it pays.
var separators = [...][]separator{
	{nearCuts{size: 0, inside: true}},
	{nearCuts{size: 0}},
	{nearCuts{size: 1, inside: true}},
	{inOut{}},
	{levelCuts{}},
	{levelCuts{all: true}},
	{coverCuts{}, zeroHalfCuts{}, mirCuts{}},
}

// afterwards are used whatever the others found.
var afterwards = [...]separator{bridgelessCuts{}, zeroHalfTrial{}}

// A tally counts the work of a separator.
type tally struct {
	asked int // calls
	found int // cuts returned
}

// ask runs one separator, if it applies.
func (w *worker) ask(ctx context.Context, s separator, v *visit) ([]*cut, error) {
	if !s.applies(w, v) {
		return nil, nil
	}
	found, err := s.separate(ctx, w, v)
	n := w.tallies[s.name()]
	n.asked, n.found = n.asked+1, n.found+len(found)
	w.tallies[s.name()] = n
	return found, err
}

// askAll is ask for several separators.
func (w *worker) askAll(ctx context.Context, list []separator, v *visit) (found []*cut, err error) {
	for _, s := range list {
		cuts, err := w.ask(ctx, s, v)
		if err != nil {
			return nil, err
		}
		found = append(found, cuts...)
	}
	return found, nil
}

// separate asks the separators for cuts and puts the best of them into the relaxation.
func (w *worker) separate(ctx context.Context, v *visit) (result, error) {
	if v.stalled {
		return didNotFind, nil
	}
	v.cuts = nil
	for _, line := range separators {
		found, err := w.askAll(ctx, line, v)
		if err != nil {
			return didNotFind, err
		}
		if v.cuts = w.fresh(found); len(v.cuts) > 0 {
			break
		}
	}
	found, err := w.askAll(ctx, afterwards[:], v)
	if err != nil {
		return didNotFind, err
	}
	return w.enter(append(v.cuts, w.fresh(found)...))
}

// levelCuts asks the sub-problem for capacity and width cuts at x: at the root (all) for every level. Below the root,
// levels that recently yielded no cut are left to the children, who ask again: asking for all of them before each
// branching took a quarter of the work and found little.
type levelCuts struct{ all bool }

func (levelCuts) name() string                       { return "levels" }
func (c levelCuts) applies(_ *worker, v *visit) bool { return !c.all || v.root }

func (c levelCuts) separate(ctx context.Context, w *worker, _ *visit) ([]*cut, error) {
	return w.sep.round(ctx, w.m.x, c.all)
}

// inOut asks for them at the root at a point between x and the incumbent (see worker.inner): the same bound takes far
// fewer rounds. If that yields no cut that x violates, it asks at x itself, so that the root does not end early.
type inOut struct{}

func (inOut) name() string { return "in-out" }
func (inOut) applies(w *worker, v *visit) bool {
	return v.root && w.search.best != nil && !w.search.p.off.inOut
}

func (inOut) separate(ctx context.Context, w *worker, _ *visit) ([]*cut, error) {
	return w.sep.round(ctx, w.inner(w.m.x), false)
}

// inner returns the point λx + (1−λ)x̂ + ε between the optimum x of the master and the incumbent x̂ (in-out separation:
// Ben-Ameur and Neto, Acceleration of cutting-plane and column generation algorithms, Networks 49(1), 2007). Cuts that
// exclude it are deeper at x, and ε makes duals prefer small coefficients where x is 0 (Magnanti and Wong, Accelerating
// Benders decomposition, Operations Research 29(3), 1981).
func (w *worker) inner(x []float64) []float64 {
	y := make([]float64, len(x))
	for c, v := range x {
		y[c] = float64(inOutWeight * v)
		if w.search.best[c] {
			y[c] += 1 - inOutWeight
		}
		if w.tree.fixed[c] != 0 { // columns fixed at 0 need no good coefficients
			y[c] = min(1, y[c]+innerε)
		}
	}
	return y
}

// fresh adds the cuts found to the pool and returns the best of those that m.x violates.
func (w *worker) fresh(found []*cut) []*cut {
	var list []scored
	for _, c := range found {
		c = w.keep(c)
		if v := c.violation(w.m.x); c.row < 0 && v > minViolation {
			list = append(list, score(c, v))
		}
	}
	return choose(list, cutsPerRound)
}

// keep adds c to the pool, notes it for exchange with the other workers if it is new, and returns the pooled cut.
func (w *worker) keep(c *cut) *cut {
	c, isNew := w.pool.add(c)
	if isNew && len(w.search.workers) > 1 {
		w.cuts = append(w.cuts, c)
	}
	return c
}

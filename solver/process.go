package solver

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/work"
)

// A result is the outcome of a step at a node, in SCIP's words. Unless it is didNotFind, the remaining steps
// of the round are skipped.
type result int8

const (
	didNotFind result = iota // nothing: take the next step
	separated                // cuts were added
	solveLP                  // the relaxation is to be solved again, as after separated
	cutoff                   // no pattern of the node is cheaper than the incumbent
	branched                 // its children are to be searched, if it has any
	postponed                // it stays open: the search has reached its end
)

// A visit is the state of a worker's work at one node.
type visit struct {
	n        *node
	root     bool
	values   tail    // optima of the relaxation since cuts of another kind last changed it
	integral bool    // its optimum is integral
	stalled  bool    // its value has tailed off
	before   float64 // its value when zero-half cuts were first tried
	bridged  int     // how often bridge-less cuts were asked for after tailing off
	exactly  bool    // exact sums did not confirm a cutoff: solve to optimality
	measured bool    // the rise of the bound over the parent's has been learnt
	cuts     []*cut  // found in the current round

	left, right *node
}

// children is the result of a branching.
func (v *visit) children(left, right *node) (result, error) {
	v.left, v.right = left, right
	return branched, nil
}

// process works on node n until it is cut off (nil, nil), branched on, or returned unchanged. A round relaxes, prunes
// and separates; if it finds no cut, it branches.
func (w *worker) process(ctx context.Context, n *node) (left, right *node, err error) {
	w.at = nil
	v := &visit{n: n, root: len(n.path) == 0, measured: n.parent == 0}
	for {
		switch r, err := w.round(ctx, v); {
		case err != nil:
			return nil, nil, err
		case r == cutoff:
			return nil, nil, nil
		case r == postponed:
			return nil, &node{path: n.path, bound: n.bound, proof: n.proof}, nil
		case r == branched:
			return v.left, v.right, nil
		}
	}
}

// round takes the steps of a round up to the first that has a result.
func (w *worker) round(ctx context.Context, v *visit) (result, error) {
	for _, step := range [...]func(context.Context, *visit) (result, error){
		w.improveRoot, w.relax, w.prune, w.recall, w.enforce, w.separate, w.tryZeroHalf, w.bridge, w.finish, w.branch,
	} {
		if r, err := step(ctx, v); r != didNotFind || err != nil {
			return r, err
		}
	}
	return didNotFind, nil
}

// improveRoot looks for cheaper patterns between the rounds of the root, while only one worker is busy.
func (w *worker) improveRoot(ctx context.Context, v *visit) (result, error) {
	if !v.root || !w.tree.main {
		return didNotFind, nil
	}
	if len(v.values) > 0 {
		if err := w.search.sample(ctx, w.m.x); err != nil {
			return didNotFind, err
		}
	}
	if err := w.search.improve(ctx, 0); err != nil {
		return didNotFind, err
	}
	w.upper = min(w.upper, w.search.upper)
	if w.search.beaten() {
		return postponed, nil
	}
	return didNotFind, nil
}

// relax solves the relaxation with the bounds of the node and raises the node's bound.
func (w *worker) relax(ctx context.Context, v *visit) (result, error) {
	limit := math.Inf(1)
	if w.upper != math.MaxInt64 && !v.exactly {
		limit = w.m.tol.below(w.upper)
	}
	infeasible, err := w.m.solve(ctx, limit)
	if errors.Is(err, errLost) {
		return w.blind(ctx, v)
	}
	if err != nil {
		return didNotFind, err
	}
	w.rounds++
	if infeasible {
		if empty, err := w.empty(ctx, v.n); empty || err != nil {
			return cutoff, err
		}
		return v.children(w.halve(v.n))
	}
	w.note(v.n)
	if b := w.m.tol.up(w.m.value); b > v.n.bound {
		v.n.bound = b
	}
	if !v.measured {
		v.measured = true
		w.learn(v.n.path[len(v.n.path)-1], w.m.value-v.n.parent, v.n.frac)
	}
	return didNotFind, nil
}

// prune cuts the node off if its bound reaches the incumbent, ends the search if the gap is small enough, and fixes
// columns at the root.
func (w *worker) prune(_ context.Context, v *visit) (result, error) {
	if v.n.bound >= w.upper {
		switch {
		case w.closes(v.n):
			return cutoff, nil
		case !v.exactly:
			v.exactly = true
			return solveLP, nil
		}
		return v.children(w.halve(v.n))
	}
	if w.alone {
		w.tree.settle(v.n.bound)
		w.search.report(false)
		if w.tree.closeEnough() {
			return postponed, nil
		}
	}
	switch {
	case w.search.p.off.reducedCost:
	case !v.root:
		w.fixBelow(v.n)
	case w.tree.main:
		w.fixByReducedCost()
	}
	return didNotFind, nil
}

// A tail is the sequence of a node's relaxation values.
type tail []float64

// off reports whether the last rounds closed less than the given share of the gap to upper.
func (t tail) off(rounds int, share float64, upper int64) bool {
	n := len(t)
	if n <= rounds {
		return false
	}
	gap := float64(upper) - t[n-1]
	if upper == math.MaxInt64 {
		gap = max(1, t[n-1])
	}
	return t[n-1]-t[n-1-rounds] < share*gap
}

// recall examines the new optimum of the relaxation: whether it is integral, whether its value tails off, and which
// pooled cuts it violates; those return to the master. Rounds that only bring back pooled cuts count towards tailing
// off, as zero-half cuts may come and go for hundreds of rounds.
func (w *worker) recall(ctx context.Context, v *visit) (result, error) {
	m := w.m
	work.Spend(ctx, time.Duration(w.pool.evaluate(m.x))*entryTime)
	if !w.search.p.off.purge {
		if err := m.purge(); err != nil {
			return didNotFind, err
		}
	}
	v.values = append(v.values, m.value)
	v.integral = integral(m.x)
	rounds, share := tailNode, tailNodeShare
	switch {
	case v.root && w.search.slow:
		rounds, share = tailRoot, tailDeepShare
	case v.root:
		rounds, share = tailRoot, tailRootShare
	}
	v.stalled = !v.integral && v.values.off(rounds, share, w.upper)
	if v.stalled || w.search.p.off.pool {
		return didNotFind, nil
	}
	return w.enter(w.pool.violated(cutsPerRound))
}

// enter adds cuts to the relaxation, if there are any.
func (w *worker) enter(cuts []*cut) (result, error) {
	if len(cuts) == 0 {
		return didNotFind, nil
	}
	return separated, w.m.add(cuts)
}

// enforce handles an integral optimum of the relaxation: a protected pattern ends the node; any other is cut off.
func (w *worker) enforce(ctx context.Context, v *visit) (result, error) {
	if !v.integral {
		return didNotFind, nil
	}
	cost, done, err := w.leaf(ctx)
	if errors.Is(err, errStuck) {
		return w.blind(ctx, v)
	}
	if err != nil {
		return didNotFind, err
	}
	if !done {
		return separated, nil
	}
	m := w.m
	if m.proves(cost) && w.closes(v.n) {
		return cutoff, nil
	}
	// The duals prove less than the point costs, which may happen if costs span many orders of magnitude: branch on the
	// column whose reduced cost is wrong.
	c := m.weakest()
	switch {
	case c >= 0:
		return v.children(w.split(v.n, c, m.x[c], m.value))
	case w.m.long == nil && w.closes(v.n):
		return cutoff, nil
	}
	return v.children(w.halve(v.n)) // with large costs, until few patterns are left
}

// leaf handles an integral optimum of the relaxation, whose cost is cost: done if it passes the exact check or is no
// cheaper than the incumbent; otherwise cuts must exclude it.
func (w *worker) leaf(ctx context.Context) (cost int64, done bool, err error) {
	m := w.m
	set := make([]bool, len(m.x))
	x := make([]float64, len(m.x))
	for c, v := range m.x {
		if set[c] = v > 0.5; set[c] {
			x[c] = 1
		}
	}
	if cost = w.search.p.price(set); cost >= w.upper {
		return cost, true, nil
	}
	unmet, err := w.offer(ctx, set, cost)
	if err != nil || unmet == nil {
		return cost, true, err
	}
	found, err := w.sep.round(ctx, x, true)
	if err != nil {
		return cost, false, err
	}
	add := w.fresh(found)
	if len(add) == 0 {
		blocks, err := w.sep.block(ctx, x, unmet)
		if err != nil {
			return cost, false, err
		}
		for _, c := range blocks {
			if c = w.keep(c); c.row < 0 {
				add = append(add, c)
			}
		}
	}
	if len(add) == 0 {
		return cost, false, errStuck
	}
	return cost, false, m.add(add)
}

// blind continues at a node whose relaxation cannot be solved: it splits the node or, if all columns are fixed, checks
// the only pattern left.
func (w *worker) blind(ctx context.Context, v *visit) (result, error) {
	free := int32(-1)
	set := make([]bool, len(w.m.lo))
	for c := range set {
		if set[c] = w.m.lo[c] > 0.5; w.m.lo[c] < w.m.up[c] && free < 0 {
			free = int32(c)
		}
	}
	if free >= 0 {
		return v.children(w.split(v.n, free, 0.5, float64(v.n.bound)))
	}
	if cost := w.search.p.price(set); cost < w.upper {
		if _, err := w.offer(ctx, set, cost); err != nil {
			return didNotFind, err
		}
	}
	if w.search.rec != nil && w.tree.main { // then nothing proves that there is no cheaper pattern here
		return didNotFind, errStuck
	}
	return cutoff, nil
}

// finish ends the rounds of a node. At the root it decides about zero-half cuts, stores what later fixes columns, and
// guides the builder.
func (w *worker) finish(ctx context.Context, v *visit) (result, error) {
	m := w.m
	if v.root {
		w.judgeZeroHalf(v)
	}
	if v.root && w.tree.main {
		w.tree.keepRoot(m)
	}
	if !w.tree.main || w.search.p.off.guided {
		return didNotFind, nil
	}
	w.guide = append(w.guide[:0], m.x...)
	if !v.root {
		return didNotFind, nil
	}
	if err := w.search.construct(ctx, w.guide); err != nil {
		return didNotFind, err
	}
	if w.search.beaten() {
		return postponed, nil
	}
	if w.upper = min(w.upper, w.search.upper); v.n.bound >= w.upper && w.closes(v.n) {
		return cutoff, nil
	}
	return didNotFind, nil
}

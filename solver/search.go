package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
)

// A search is one branch and cut run and what it shares between its phases.
type search struct {
	p    *problem
	opt  *Options
	m    *master
	pool *pool
	sep  *separator
	b    *builder
	imp  *improver // nil before the first use

	start  time.Time
	told   time.Time
	first  time.Duration
	best   []bool                 // columns of the incumbent, nil if none
	shown  []*certificate.Witness // that protect it
	upper  int64                  // its cost; math.MaxInt64 if none
	bound  int64                  // proved lower bound of the whole problem
	nodes  int
	rounds int
	proved bool
	// settled says that the canonical pattern was found.
	settled bool
	stop    bool  // at the first pattern cheaper than from
	from    int64 // the cost of the part's share of Options.Start

	arms      []*arm     // the first has m, pool and sep
	costLimit int64      // of the masters' costs, 0 if none
	lined     bool       // lines has run
	half      int8       // what zero-half cuts do here
	mix       bool       // separate rounding cuts
	rec       *recording // nil unless a certificate is asked for
}

func newSearch(p *problem, o *Options, start time.Time) (*search, error) {
	s := &search{p: p, opt: o, pool: newPool(len(p.cand)), start: start, upper: math.MaxInt64}
	if p.off.poolRoom {
		s.pool.room = 100
	}
	var err error
	if o.Certificate {
		if s.rec, err = newRecording(p); err != nil {
			return nil, err
		}
	}
	if s.m, err = newMaster(p, o.LP); err != nil {
		return nil, err
	}
	if s.sep, err = newSeparator(p, o.LP, o.Workers, laneCount); err != nil {
		s.m.close()
		return nil, err
	}
	if s.b, err = newBuilder(p, s.pool, o.LP); err != nil {
		s.m.close()
		s.sep.close()
		return nil, err
	}
	if p.off.zeroHalf {
		s.half = useless
	} else if p.sys.IsNetwork() {
		s.half = useful
	} else if p.degree() > 2 {
		s.half = useless // measured: see docs/solver.md
	}
	s.mix = !p.off.mir && (p.sys.IsNetwork() || p.degree() <= 2) // likewise
	return s, nil
}

func (s *search) close() {
	s.m.close()
	s.sep.close()
	s.b.close()
	for _, a := range s.arms {
		if a.m != s.m {
			a.m.close()
			if a.sep != nil {
				a.sep.close()
			}
		}
	}
}

// begin finds a first pattern.
func (s *search) begin(ctx context.Context) error {
	err := s.construct(ctx, nil)
	if err != nil {
		return err
	}
	s.report(true)
	if s.p.sys.IsNetwork() {
		return nil // the root is soon solved, and guides the builder better
	}
	return s.improve(ctx, improveFirst*s.b.router.Work())
}

// solve runs all phases after begin. Its error is nil, the context's, or a real
// failure.
func (s *search) solve(ctx context.Context) error {
	if s.best != nil && !s.p.off.recost {
		s.costLimit = s.upper + 1
		s.m.recost(s.p, s.costLimit)
	}
	if err := s.lines(ctx); err != nil {
		return err
	}
	if s.stop {
		if err := s.outdo(ctx); err != nil || s.beaten() {
			s.report(true)
			return err
		}
	}
	proved, err := s.run(ctx, nil, false)
	if err != nil {
		return err
	}
	if s.beaten() {
		s.report(true)
		return nil
	}
	s.proved = proved
	if proved && s.opt.Gap == 0 {
		s.bound = s.upper
	}
	s.report(true)
	if s.opt.Canonical && s.bound == s.upper {
		return s.canonical(ctx)
	}
	return nil
}

// construct runs the builder and takes its pattern if it is cheaper and passes
// the exact check.
func (s *search) construct(ctx context.Context, guide []float64) error {
	work := s.b.router.Work() + s.b.in.Work()
	set, stuck, err := s.b.build(ctx, guide)
	work = s.b.router.Work() + s.b.in.Work() - work
	if err != nil {
		return err
	}
	if stuck >= 0 {
		return &exposedError{s.p.levels[stuck].k}
	}
	// Cleaning can take long in large tables; without an incumbent the pattern
	// as built is worth checking first.
	if s.best == nil {
		if _, err := s.offer(ctx, set); err != nil {
			return err
		}
		if err := s.lines(ctx); err != nil {
			return err
		}
	}
	if !s.p.off.clean {
		// Stopped by a deadline it has still got somewhere.
		if err = s.b.clean(ctx, set, cleanLeast+4*work); err != nil && ctx.Err() == nil {
			return err
		}
	}
	_, late := s.offer(ctx, set)
	if err = cmp.Or(err, late); err != nil || s.best != nil {
		return err
	}
	// What floating point arithmetic built is not protected. All cells together are, or
	// no pattern is.
	for c := range set {
		set[c] = true
	}
	unmet, err := s.offer(ctx, set)
	if err == nil && len(unmet) > 0 {
		return &exposedError{s.p.levels[unmet[0]].k}
	}
	return err
}

// offer verifies the columns set exactly and makes them the incumbent if they are
// cheaper. It returns the levels that fail, not nil where numbers were too large to
// tell.
func (s *search) offer(ctx context.Context, set []bool) (unmet []int, err error) {
	cost := s.p.price(set)
	if cost >= s.upper {
		return nil, nil
	}
	pattern := s.p.pattern(set)
	proved, shown := s.b.shelf.proved(pattern, s.b.wit)
	unmet, err = s.sep.verify(ctx, pattern, proved, s.opt.LP)
	if errors.Is(err, interval.ErrInexact) {
		return []int{}, nil // not shown to be protected; another pattern may be
	}
	if err != nil || unmet != nil {
		return unmet, err
	}
	s.take(set, cost, s.sep.shown(shown))
	return nil, nil
}

// take makes the columns set, which cost so much and are protected as shown, the
// incumbent.
func (s *search) take(set []bool, cost int64, shown []*certificate.Witness) {
	if s.best == nil {
		s.first = time.Since(s.start)
	}
	s.best, s.upper, s.shown = slices.Clone(set), cost, shown
}

// A fix is one branching decision.
type fix struct {
	c   int32
	one bool
}

// A node is an open part of the search tree.
type node struct {
	path  []fix
	bound int64 // costs below are impossible here
	id    int
	// For pseudocosts: the parent's value and the fraction it branched on.
	parent, frac float64
	proof        *certificate.Node // nil unless a certificate is recorded
}

type nodeQueue []*node

func (q nodeQueue) Len() int { return len(q) }
func (q nodeQueue) Less(a, b int) bool {
	return q[a].bound < q[b].bound || q[a].bound == q[b].bound && q[a].id > q[b].id
}
func (q nodeQueue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *nodeQueue) Push(x any)   { *q = append(*q, x.(*node)) }
func (q *nodeQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// apply sets the column bounds of a node.
func (t *arm) apply(n *node) {
	want := slices.Clone(t.fixed)
	for _, f := range n.path {
		want[f.c] = 0
		if f.one {
			want[f.c] = 1
		}
	}
	for c, v := range want {
		switch v {
		case -1:
			t.m.bound(int32(c), 0, 1)
		default:
			t.m.bound(int32(c), float64(v), float64(v))
		}
	}
}

// relTol allows for the rounding of the sums behind a bound, a few thousand terms.
const relTol = 1e-12

// up rounds a value of the master up to the next attainable cost.
func up(v float64) int64 {
	return int64(math.Ceil(v - 1e-6 - relTol*math.Abs(v)))
}

const (
	cutsPerRound = 100
	// A node is branched on when its last rounds closed too little of the gap.
	tailRoot, tailRootShare = 15, 0.005
	tailNode, tailNodeShare = 3, 0.02
	// How often a node whose capacity cuts tail off asks for bridge-less cuts.
	bridgesRoot, bridgesNode = 3, 1
	// Zero-half cuts are kept if at the root they close that share of the gap.
	halfShare = 0.1
)

// What is known of zero-half cuts.
const (
	untried = iota
	tried
	useful
	useless
)

// A tail is the values of a node's rounds.
type tail []float64

// off reports whether the last rounds closed less than share of the gap to upper.
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

// process cuts at node n until it is pruned (nil, nil) or branched on.
func (t *arm) process(ctx context.Context, n *node) (left, right *node, err error) {
	t.apply(n)
	root := len(n.path) == 0
	m := t.m
	var values tail
	bridged, exactly := 0, false
	before := 0.0 // value when zero-half cuts were first asked for
	measured := n.parent == 0
	for {
		if root && t.main { // the root is alone
			if err := t.improve(ctx, 0); err != nil {
				return nil, nil, err
			}
			t.upper = min(t.upper, t.search.upper)
			if t.beaten() {
				return nil, &node{path: n.path, bound: n.bound, proof: n.proof}, nil
			}
		}
		cutoff := math.Inf(1)
		if t.upper != math.MaxInt64 && !exactly {
			cutoff = float64(t.upper) - 1 + 1e-5 + 2*relTol*float64(t.upper)
		}
		infeasible, err := m.solve(ctx, cutoff)
		if errors.Is(err, errLost) {
			return t.blind(ctx, n)
		}
		if err != nil {
			return nil, nil, err
		}
		t.rounds++
		if infeasible {
			empty, err := t.empty(ctx, n)
			if empty || err != nil {
				return nil, nil, err
			}
			left, right = t.halve(n)
			return left, right, nil
		}
		t.note(n)
		if b := up(m.value); b > n.bound {
			n.bound = b
		}
		if !measured {
			measured = true
			t.learn(n.path[len(n.path)-1], m.value-n.parent, n.frac)
		}
		if n.bound >= t.upper {
			if t.closes(n) {
				return nil, nil, nil
			}
			if !exactly {
				exactly = true
				continue
			}
			left, right = t.halve(n)
			return left, right, nil
		}
		if t.alone {
			t.settle(n.bound)
			t.report(false)
			if t.closeEnough() {
				return nil, &node{path: n.path, bound: n.bound, proof: n.proof}, nil
			}
		}
		if root && t.main && !t.p.off.reducedCost {
			t.fixByReducedCost()
		}
		t.pool.evaluate(m.x)
		if !t.p.off.purge {
			if err := m.purge(); err != nil {
				return nil, nil, err
			}
		}
		// Rounds that only bring pooled cuts back count as well: zero-half cuts
		// can come and go for hundreds of rounds.
		values = append(values, m.value)
		whole := integral(m.x)
		off := !whole && (root && values.off(tailRoot, tailRootShare, t.upper) || !root && values.off(tailNode, tailNodeShare, t.upper))
		if !off && !t.p.off.pool {
			if cuts := t.pool.violated(cutsPerRound); len(cuts) > 0 {
				if err := m.add(cuts); err != nil {
					return nil, nil, err
				}
				continue
			}
		}
		if whole {
			cost, done, err := t.leaf(ctx)
			if errors.Is(err, errStuck) {
				return t.blind(ctx, n)
			}
			if err != nil {
				return nil, nil, err
			}
			if !done {
				continue
			}
			if m.value >= float64(cost)*(1-relTol)-1e-6 && t.closes(n) {
				return nil, nil, nil
			}
			// The duals prove less than the point costs, as may happen where
			// costs span many decades: split on what they are wrong about.
			c := m.weakest()
			if c < 0 {
				if t.closes(n) {
					return nil, nil, nil
				}
				left, right = t.halve(n)
				return left, right, nil
			}
			left, right := t.split(n, c, m.x[c], m.value)
			return left, right, nil
		}
		if !off {
			added, err := t.cut(ctx, root)
			if err != nil {
				return nil, nil, err
			}
			if added {
				continue
			}
		}
		if root && t.half == untried {
			// Outside networks zero-half cuts pay on some tables only.
			t.half, before = tried, m.value
			values = values[:0]
			continue
		}
		if off && (root && bridged < bridgesRoot || !root && bridged < bridgesNode) {
			// Capacity cuts tail off; bridge-less cuts often move the bound again.
			bridged++
			found, err := t.sep.bridges(ctx, m.x, true)
			if err != nil {
				return nil, nil, err
			}
			if cuts := t.fresh(found); len(cuts) > 0 {
				if err := m.add(cuts); err != nil {
					return nil, nil, err
				}
				values = values[:0]
				continue
			}
		}
		break
	}
	if t.half == tried && root {
		if t.half = useless; m.value-before > halfShare*(float64(t.upper)-before) {
			t.half = useful
		}
	}
	if root && t.main {
		t.keepRoot(m)
	}
	if t.main && !t.p.off.guided {
		t.guide = append(t.guide[:0], m.x...)
		if root {
			if err := t.construct(ctx, t.guide); err != nil {
				return nil, nil, err
			}
			if t.beaten() {
				return nil, &node{path: n.path, bound: n.bound, proof: n.proof}, nil
			}
			if t.upper = min(t.upper, t.search.upper); n.bound >= t.upper && t.closes(n) {
				return nil, nil, nil
			}
		}
	}
	return t.branch(ctx, n)
}

// cut separates m.x and adds what it finds to the master: it asks one source after
// another until one yields cuts that m.x violates.
func (t *arm) cut(ctx context.Context, root bool) (added bool, err error) {
	m := t.m
	sources := [...]func() ([]*cut, error){
		func() ([]*cut, error) {
			if !root || t.best == nil || t.p.off.inOut {
				return nil, nil
			}
			return t.sep.round(ctx, t.inner(m.x), false)
		},
		func() ([]*cut, error) { return t.sep.round(ctx, m.x, false) },
		func() ([]*cut, error) { return t.sep.round(ctx, m.x, true) },
		func() ([]*cut, error) {
			var found []*cut
			if !t.p.off.covers {
				found = m.covers(t.p)
			}
			if t.half == useful {
				found = append(found, m.zeroHalf(t.p)...)
			}
			if t.mix {
				found = append(found, m.mir(t.p)...)
			}
			return found, nil
		},
	}
	var cuts []*cut
	for _, source := range sources {
		found, err := source()
		if err != nil {
			return false, err
		}
		if cuts = t.fresh(found); len(cuts) > 0 {
			break
		}
	}
	found, err := t.sep.bridges(ctx, m.x, len(cuts) == 0)
	if err != nil {
		return false, err
	}
	if t.half == tried {
		found = append(found, m.zeroHalf(t.p)...)
	}
	cuts = append(cuts, t.fresh(found)...)
	if len(cuts) == 0 {
		return false, nil
	}
	return true, m.add(cuts)
}

// blind goes on at node n without its relaxation: it splits n or, where all columns are
// fixed, checks the one pattern left.
func (t *arm) blind(ctx context.Context, n *node) (left, right *node, err error) {
	free := int32(-1)
	set := make([]bool, len(t.m.lo))
	for c := range set {
		if set[c] = t.m.lo[c] > 0.5; t.m.lo[c] < t.m.up[c] && free < 0 {
			free = int32(c)
		}
	}
	if free >= 0 {
		left, right = t.split(n, free, 0.5, float64(n.bound))
		return left, right, nil
	}
	if cost := t.p.price(set); cost < t.upper {
		if _, err := t.offer(ctx, set, cost); err != nil {
			return nil, nil, err
		}
	}
	if t.rec != nil && t.main { // no proof, then, that nothing cheaper is here
		return nil, nil, errStuck
	}
	return nil, nil, nil
}

// inner returns the point λx + (1−λ)x̂ + ε between the optimum x of the master and
// the incumbent x̂ (in-out separation). What cuts it off cuts x off deeper, and the
// ε makes duals prefer small coefficients where x is 0 (Magnanti and Wong).
func (t *arm) inner(x []float64) []float64 {
	const λ, ε = 0.9, 1e-3
	y := make([]float64, len(x))
	for c, v := range x {
		y[c] = λ * v
		if t.best[c] {
			y[c] += 1 - λ
		}
		if t.fixed[c] != 0 { // columns that are out need no good coefficients
			y[c] = min(1, y[c]+ε)
		}
	}
	return y
}

// fresh pools the cuts found and returns the best of those that m.x violates.
func (t *arm) fresh(found []*cut) []*cut {
	var list []scored
	for _, c := range found {
		c = t.keep(c)
		if v := c.violation(t.m.x); c.row < 0 && v > minViolation {
			list = append(list, score(c, v))
		}
	}
	return choose(list, cutsPerRound)
}

// keep pools c, to be told to the other arms if it is new, and returns the one pooled.
func (t *arm) keep(c *cut) *cut {
	c, isNew := t.pool.add(c)
	if isNew && len(t.arms) > 1 {
		t.cuts = append(t.cuts, c)
	}
	return c
}

// offer verifies the columns set, which cost less than the incumbent, exactly and
// keeps them to tell of. It returns the levels that fail.
func (t *arm) offer(ctx context.Context, set []bool, cost int64) (unmet []int, err error) {
	unmet, err = t.sep.verify(ctx, t.p.pattern(set), make([]bool, len(t.p.levels)), t.opt.LP)
	if err == nil && unmet == nil {
		t.set, t.upper, t.shown = slices.Clone(set), cost, t.sep.shown(nil)
	}
	return unmet, err
}

// leaf handles an integral optimum of the relaxation, which costs cost: it is done
// if the exact check passes or nothing cheaper than the incumbent is found, else
// cuts must exclude it.
func (t *arm) leaf(ctx context.Context) (cost int64, done bool, err error) {
	m := t.m
	set := make([]bool, len(m.x))
	x := make([]float64, len(m.x))
	for c, v := range m.x {
		if set[c] = v > 0.5; set[c] {
			x[c] = 1
		}
	}
	if cost = t.p.price(set); cost >= t.upper {
		return cost, true, nil
	}
	unmet, err := t.offer(ctx, set, cost)
	if err != nil || unmet == nil {
		return cost, true, err
	}
	found, err := t.sep.round(ctx, x, true)
	if err != nil {
		return cost, false, err
	}
	add := t.fresh(found)
	if len(add) == 0 {
		blocks, err := t.sep.block(ctx, x, unmet)
		if err != nil {
			return cost, false, err
		}
		for _, c := range blocks {
			if c = t.keep(c); c.row < 0 {
				add = append(add, c)
			}
		}
	}
	if len(add) == 0 {
		return cost, false, errStuck
	}
	return cost, false, m.add(add)
}

func integral(x []float64) bool {
	for _, v := range x {
		if v > 1e-6 && v < 1-1e-6 {
			return false
		}
	}
	return true
}

// fixByReducedCost removes columns whose use would cost more than the incumbent.
func (t *arm) fixByReducedCost() {
	if t.upper == math.MaxInt64 {
		return
	}
	m := t.m
	if t.rec != nil {
		t.settleExactly()
		return
	}
	for c, d := range m.reduced {
		if t.fixed[c] >= 0 {
			continue
		}
		if m.x[c] == 0 && up(m.value+d) >= t.upper {
			t.fixed[c] = 0
			m.bound(int32(c), 0, 0)
		} else if m.x[c] == 1 && up(m.value-d) >= t.upper {
			t.fixed[c] = 1
			m.bound(int32(c), 1, 1)
		}
	}
}

// canonical turns the optimum into the lexicographically smallest one: column by
// column it asks whether an equally cheap pattern publishes this cell and agrees
// with what was settled before. Every question is a search with the cuts at hand.
func (s *search) canonical(ctx context.Context) error {
	best := s.upper
	var base []fix
	for c := range s.best {
		if !s.best[c] {
			base = append(base, fix{int32(c), false})
			continue
		}
		s.upper = best + 1
		if _, err := s.run(ctx, append(slices.Clone(base), fix{int32(c), false}), true); err != nil {
			s.upper = min(best, s.upper)
			return err
		}
		// Costs beyond 2^53 are not told apart by sums in floating point: the pattern found may be cheaper.
		best = min(best, s.upper)
		s.upper, s.bound = best, min(s.bound, best)
		base = append(base, fix{int32(c), s.best[c]})
		if s.stop && !s.best[c] {
			return nil // better than Options.Start for certain
		}
	}
	s.settled = true
	return nil
}

// report calls Progress, at most five times a second unless forced.
func (s *search) report(force bool) {
	if s.opt.Progress == nil {
		return
	}
	now := time.Now()
	if !force && now.Sub(s.told) < 200*time.Millisecond {
		return
	}
	s.told = now
	unit := float64(s.p.unit) / math.Pow10(s.p.t.CostDecimals)
	p := Progress{Round: s.rounds, Nodes: s.nodes, Lower: float64(s.bound) * unit, Upper: math.Inf(1),
		Cuts: len(s.pool.cuts), Elapsed: now.Sub(s.start)}
	if s.best != nil {
		p.Upper = float64(s.upper) * unit
	}
	s.opt.Progress(p)
}

// solution reports the state of the search.
func (s *search) solution() *Solution {
	p := s.p
	sol := &Solution{Status: None, Bound: s.bound * p.unit, Rounds: s.rounds, Nodes: s.nodes, Cuts: s.pool.counts,
		LP: s.opt.LP, Engine: s.sep.engine, Seconds: time.Since(s.start).Seconds(), FirstSeconds: s.first.Seconds()}
	if s.best == nil {
		return sol
	}
	sol.Pattern, sol.Cost = p.pattern(s.best), s.upper*p.unit
	sol.Status = Feasible
	if s.bound >= s.upper && (s.settled || !s.opt.Canonical) {
		sol.Status = Optimal
	}
	return sol
}

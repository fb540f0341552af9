package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/work"
)

// A search is one run of branch and cut with the state that its phases share.
type search struct {
	p    *problem
	opt  *Options
	m    *master
	pool *pool
	sep  *subproblem
	heuristics
	incumbent
	kinds
	clocks

	bound  int64 // proved lower bound of the whole problem
	nodes  int
	rounds int
	proved bool
	// settled: the canonical pattern has been found.
	settled bool

	workers        []*worker  // the first has m, pool and sep from the start
	costLimit      int64      // cap on the costs in the masters, 0 if none
	singleRowsDone bool       // singleRows has run
	rec            *recording // nil unless a certificate is asked for
}

// clocks are the times that a search keeps.
type clocks struct {
	start    time.Time       // wall clock
	reported time.Time       // wall clock, last report
	first    time.Duration   // wall clock, until the first pattern
	began    time.Time       // on the meter of work
	grace    context.Context // for what must be done before there is a pattern
}

// heuristics are the searches for patterns, each but the builder nil before its first use.
type heuristics struct {
	b           *builder
	imp         *improver
	sampler     *sampler
	groups      *regrouper
	series      *seriesCleaner // nil if the problem has none
	seriesAsked bool
}

// An incumbent is the cheapest pattern known.
type incumbent struct {
	best  []bool                 // its columns, nil if there is none
	shown []*certificate.Witness // witnesses that protect it
	upper int64                  // its cost; math.MaxInt64 if none
	stop  bool                   // stop at the first pattern cheaper than from
	from  int64                  // cost of the part's share of Options.Start
}

// kinds are the properties of the problem that decide which parts of the search pay.
type kinds struct {
	deep  bool // separation is slow: see IsNarrow
	slow  bool // deep and large: the root is slow too
	trees bool // three or more variables, some with trees, and not slow
	half  int8 // whether zero-half cuts pay here
	// mixFrom is the node from which rounding cuts are separated.
	mixFrom int
}

func newSearch(ctx context.Context, p *problem, o *Options, start time.Time) (*search, error) {
	s := &search{p: p, opt: o, pool: newPool(len(p.cand)), clocks: clocks{start: start, began: work.Now(ctx), grace: ctx}, incumbent: incumbent{upper: math.MaxInt64}}
	if p.off.poolCapacity {
		s.pool.capacity = 100
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
	if s.sep, err = newSubproblem(p, o.LP, o.Workers, shardCount); err != nil {
		s.m.close()
		return nil, err
	}
	if s.b, err = newBuilder(p, s.pool, o.LP); err != nil {
		s.m.close()
		s.sep.close()
		return nil, err
	}
	s.deep = p.sys.IsNarrow()
	s.sep.deep, s.slow = s.deep, s.deep && len(p.cand) >= singleRowsFrom
	s.trees = p.degree() > 2 && !s.slow && p.trees()
	if p.off.zeroHalf {
		s.half = useless
	} else if p.sys.IsNetwork() {
		s.half = useful
	} else if s.trees {
		s.half = tried // use them from the first round on
	} else if p.degree() > 2 {
		s.half = useless // measured, see bench/results/techniques.csv
	}
	switch { // measured, see bench/results/techniques.csv
	case p.sys.IsNetwork() || p.degree() <= 2:
	case s.trees || s.slow:
		s.mixFrom = math.MaxInt
	default:
		s.mixFrom = mixFrom
	}
	return s, nil
}

func (s *search) close() {
	s.m.close()
	s.sep.close()
	s.b.close()
	for _, w := range s.workers {
		if w.m != s.m {
			w.m.close()
			if w.sep != nil {
				w.sep.close()
			}
		}
	}
}

// firstPattern finds a first incumbent.
func (s *search) firstPattern(ctx context.Context) error {
	ok, err := s.constructClasses(ctx)
	if !ok && err == nil {
		err = s.construct(ctx, nil)
	}
	if err != nil {
		return err
	}
	s.report(true)
	if s.p.sys.IsNetwork() || s.opt.justOne() {
		return nil // the root of a network is solved quickly and then guides the builder better
	}
	return s.improve(ctx, improveFirst*s.b.router.Work())
}

// solve runs all phases after firstPattern. Its error is nil, that of the context, or a real failure.
func (s *search) solve(ctx context.Context) error {
	if s.best != nil && !s.p.off.recost {
		s.costLimit = s.upper + 1
		s.m.recost(s.p, s.costLimit)
	}
	if err := s.singleRows(ctx); err != nil {
		return err
	}
	if s.stop {
		if err := s.improveOnStart(ctx); err != nil || s.beaten() {
			s.report(true)
			return err
		}
	}
	if err := s.cellByCell(ctx); err != nil {
		return err
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

// construct runs the builder and makes its pattern the incumbent if it is cheaper and passes the exact check.
func (s *search) construct(ctx context.Context, guide []float64) error {
	return s.constructWith(ctx, guide, companyFirst)
}

// constructWith is construct with the given share of the columns as company.
func (s *search) constructWith(ctx context.Context, guide []float64, share float64) error {
	begin := ctx
	if s.best == nil {
		begin = s.grace
	}
	did := s.b.work()
	set, stuck, err := s.b.build(begin, guide)
	did = s.b.work() - did
	if err != nil {
		return err
	}
	if stuck >= 0 {
		return &exposedError{s.p.levels[stuck].K}
	}
	// Cleaning can take long in large tables; without an incumbent the pattern as built is worth checking first.
	if s.best == nil {
		if _, err := s.offer(begin, set); err != nil {
			return err
		}
		s.report(true) // whoever waits for a pattern hears of it at once
		if err := s.singleRows(ctx); err != nil {
			return err
		}
	}
	if !s.p.off.clean {
		// If a deadline stopped it, what it did is still useful.
		if err = s.cleanUp(ctx, set, cleanLeast+float64(4*did), share); err != nil && ctx.Err() == nil {
			return err
		}
	}
	_, late := s.offer(begin, set)
	if err = cmp.Or(err, late); err != nil || s.best != nil {
		return err
	}
	// The pattern built in floating point is not protected. Either that of all cells is, or none.
	for c := range set {
		set[c] = true
	}
	unmet, err := s.offer(begin, set)
	if err == nil && len(unmet) > 0 {
		return &exposedError{s.p.levels[unmet[0]].K}
	}
	return err
}

// offer verifies the columns in set exactly and makes them the incumbent if they are cheaper. It returns the levels
// that fail: an empty list, not nil, if numbers were too large to decide.
func (s *search) offer(ctx context.Context, set []bool) (unmet []int, err error) {
	cost := s.p.price(set)
	if cost >= s.upper {
		return nil, nil
	}
	pattern := s.p.pattern(set)
	proved, shown := s.b.solutions.proved(pattern, s.b.wit)
	unmet, err = s.sep.verify(ctx, pattern, proved, s.opt.LP)
	if errors.Is(err, oracle.ErrInexact) {
		return []int{}, nil // not proved to be protected; another pattern may be
	}
	if err != nil || unmet != nil {
		return unmet, err
	}
	s.accept(set, s.sep.shown(shown))
	return nil, nil
}

// accept makes the columns in set, whose witnesses are shown, the incumbent, without the columns that no witness moves:
// these protect nothing, and if they were removed only at the end, a dearer pattern might have replaced this one.
func (s *search) accept(set []bool, shown []*certificate.Witness) {
	if s.best == nil {
		s.first = time.Since(s.start)
	}
	s.best, s.shown = slices.Clone(set), shown
	moved := certificate.Moved(s.p.t, slices.Concat(s.p.shown, shown))
	for c, i := range s.p.cand {
		s.best[c] = s.best[c] && moved[i]
	}
	s.upper = s.p.price(s.best)
	s.report(true) // whoever waits for a pattern hears of it at once
}

// canonical turns the optimum into the lexicographically smallest one: column by column it asks whether an equally
// cheap pattern publishes this cell and agrees with what has been settled before. Every question is a search with the
// cuts at hand.
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
		// Floating point sums do not distinguish costs beyond 2^53, so the pattern found may be cheaper.
		best = min(best, s.upper)
		s.upper, s.bound = best, min(s.bound, best)
		base = append(base, fix{int32(c), s.best[c]})
		if s.stop && !s.best[c] {
			return nil // certainly better than Options.Start
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
	if !force && now.Sub(s.reported) < 200*time.Millisecond {
		return
	}
	s.reported = now
	unit := float64(s.p.unit) / math.Pow10(s.p.t.CostDecimals)
	p := Progress{Round: s.rounds, Nodes: s.nodes, Lower: float64(s.bound) * unit, Upper: math.Inf(1),
		Cuts: len(s.pool.cuts), Seconds: now.Sub(s.start).Seconds()}
	if s.best != nil {
		p.Upper = float64(s.upper) * unit
	}
	s.opt.Progress(p)
}

// solution returns the state of the search as a Solution.
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

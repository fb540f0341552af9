// Package modular protects large tables: it splits them along their hierarchies into
// sub-tables that the exact search solves one by one, as the field's modular
// approach does (HiTaS; de Wolf, Statistics Netherlands 2002), then shows or
// repairs the protection of every level against all relations at once, and
// adds up a lower bound for the whole table.
//
// Sub-tables protected one by one need not be protected together: if a margin moves by some amount in the table above,
// its parts must move by as much below. Hence no pattern is returned without a witness for every level that satisfies
// all relations of the table, as from solver.Suppress. Witnesses are sought near the cell first, since cells that do
// not move keep every relation satisfied; in most tables of 10⁵ cells they lie within a sub-table or two.
package modular

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A run is one call of Suppress.
type run struct {
	t       *table.Table
	sys     *oracle.System
	c       *classes
	lp      string
	workers int
	gap     float64
	table   *region // the region of all cells, nil before the first use
	large   *region // the region of the largest cells, nil before the first use
	schedule
	levelsOfCells
	lower *lowerBound

	shownPattern
	up, dn []int64
	at     []int32 // scratch by cell, −1 between uses
	has    []bool  // scratch by relation
	mover  mover   // finds movements without a program; nil if the table allows none
	climb
	prices

	counts
}

// A shownPattern is a pattern with its witnesses.
type shownPattern struct {
	x    []bool
	wit  [][]*movement // per level
	uses uses
}

// counts holds what Progress reports.
type counts struct {
	tell   func(solver.Progress)
	rounds int
	nodes  atomic.Int64
	cuts   map[string]int // from exact searches of the whole table
}

// A schedule divides the time of a run.
type schedule struct {
	clock    context.Context // carries the meter of the run
	began    time.Time       // by that meter
	start    time.Time       // by the wall clock
	limit    time.Duration   // for the whole run; 0: unlimited
	punctual bool            // Options.Punctual
	found    time.Duration   // when the first pattern was complete, 0: not yet
	deadline time.Time       // when the current phase ends, on the meter; zero: never
	time     *budget         // the budget of the current phase
}

// levelsOfCells holds the protection levels and which cell has which.
type levelsOfCells struct {
	levels []protection.Level
	asks   [][]int32 // per cell: its levels
	clamp  int64     // greater than every level
}

// prices decides which movements are too dear to look for.
type prices struct {
	banned []bool // cells whose use in a route costs fine in addition
	fine   float64
	most   float64 // the cost that a movement may add and still be of use
	dear   int64   // the cost that must be at stake before programs over all cells pay off
	routed int     // see routedCells
}

// Engine is the Solution.Engine of tables that were split.
const Engine = "modular"

// Suppress finds a protected pattern for t by sub-tables. Of opt it uses LP, Workers, TimeLimit, Gap (of the
// sub-tables), Progress and Certificate. The result is like that of solver.Suppress: the pattern is protected against
// the full set of relations, shown by Witnesses, and Bound holds for the whole table; Status is Optimal if both meet.
// With a time limit, the exact search of the whole table continues from that pattern if the table is not too large for
// it. If one sub-table holds more than half of the cells, solver.Suppress does the work with all options. A larger time
// limit never gives a dearer pattern (see climb). Without a limit, the pattern depends on the input alone.
func Suppress(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	if opt == nil {
		opt = &solver.Options{}
	}
	if t.Layers > 1 {
		return nil, i18n.New("modular: no common masks; solver.Suppress finds them")
	}
	if err := protection.Check(t); err != nil {
		return nil, err
	}
	ctx = work.Metered(ctx)
	c := newClasses(t.Rel)
	if 2*c.largest() > t.Len() {
		return Whole(ctx, t, opt)
	}
	m := newRun(ctx, t, c, opt)
	defer m.close()
	limit, stop := work.Limited(ctx, m.began, opt.TimeLimit)
	defer stop()
	var polished *solver.Solution // what the exact search made of the pattern
	polish := func(end time.Time) (over bool, err error) {
		sol, err := m.feasible()
		if err != nil {
			return false, err
		}
		if polished != nil {
			m.adopt(sol, polished)
		}
		m.polish(ctx, sol, opt, end, true, nil)
		polished = sol
		return sol.Status == solver.Optimal, nil
	}
	if opt.TimeLimit == 0 || t.Len() > wholeCells {
		polish = nil
	}
	sol, over, err := m.pattern(ctx, limit, opt, m.solve(limit, polish))
	if over || err != nil {
		return sol, err
	}
	if polished != nil {
		m.adopt(sol, polished)
	}
	return ended(ctx, sol)
}

// ended returns sol with the error of ctx, unless sol is optimal.
func ended(ctx context.Context, sol *solver.Solution) (*solver.Solution, error) {
	if sol.Status != solver.Optimal {
		return sol, parallel.Ended(ctx, nil)
	}
	return sol, nil
}

// search is solver.Suppress for a sub-table; it is no error if ctx ends after a pattern was found.
func search(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	sol, err := solver.Suppress(ctx, t, opt)
	if sol != nil && sol.Pattern != nil {
		err = nil
	}
	return sol, err
}

// Whole is solver.Suppress with a quick first pattern: products (in tables without variables, walks; where these fail,
// programs) protect tables of 10⁴ cells within a second or two, and the exact search continues from there. If a limit
// stops it, the result is never worse than that pattern. Small tables and networks are left to solver.Suppress alone.
func Whole(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	if opt == nil {
		opt = &solver.Options{}
	}
	if opt.Start != nil || t.Layers > 1 || t.Len() < firstFrom(t) {
		return solver.Suppress(ctx, t, opt)
	}
	if err := protection.Check(t); err != nil {
		return nil, err
	}
	ctx = work.Metered(ctx)
	m := newRun(ctx, t, newClasses(t.Rel), opt)
	defer m.close()
	if m.mover == nil || m.sys.IsNetwork() {
		return solver.Suppress(ctx, t, opt)
	}
	limit, stop := work.Limited(ctx, m.began, opt.TimeLimit)
	defer stop()
	err := m.first(limit)
	small := t.Len() <= ownCells
	own := m.walked() || len(t.Dims) < 3 || small // the exact search finds a cheaper first pattern later
	both := small && treed(t) && opt.TimeLimit > 0
	var bound *besideBound
	deadline := time.Time{}
	if opt.TimeLimit > 0 {
		deadline = m.began.Add(opt.TimeLimit)
	}
	if err == nil && opt.TimeLimit > 0 && limit.Err() == nil {
		share := time.Duration(besideShare * float64(work.Until(ctx, deadline)))
		bound = m.beside(limit, share) // the exact search has no bound before it has a pattern of its own or has checked this one
		defer bound.end()
		deadline = deadline.Add(-share)
		limit, stop = work.WithDeadline(limit, deadline)
		defer stop()
	}
	if opt.TimeLimit > 0 {
		m.deadline = m.began.Add(math.MaxInt64) // phases end only with the run, so that the limit does not decide what they find
	}
	if err == nil && !own {
		err = m.better(limit)
	}
	sol, over, err := m.pattern(ctx, limit, opt, err)
	if over || err != nil {
		return sol, err
	}
	sol.Engine = "simplex" // the engine of the exact search
	if both {
		err = m.polishBoth(ctx, limit, sol, opt, deadline)
	} else {
		m.polish(ctx, sol, opt, deadline, !own, nil)
	}
	if err != nil {
		return nil, err
	}
	bound.raise(sol)
	return ended(ctx, sol)
}

// firstFrom returns the number of cells from which a quick first pattern pays in tables like t.
func firstFrom(t *table.Table) int {
	if treed(t) {
		return treedCells
	}
	return firstCells
}

// treed reports whether t has three variables or more, some of them hierarchical.
func treed(t *table.Table) bool {
	return len(t.Dims) > 2 && slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return !d.Flat() })
}

// pattern turns the outcome of a search, err, into a solution; limit is its context with the deadline. over reports
// that the caller has nothing to add.
func (m *run) pattern(ctx, limit context.Context, opt *solver.Options, err error) (sol *solver.Solution, over bool, _ error) {
	var e *exposedError
	switch {
	case errors.As(err, &e):
		sol, err = m.exposed(ctx, opt)
		return sol, true, err
	case ctx.Err() == nil && !(opt.Punctual && limit.Err() != nil) && (err != nil && limit.Err() == nil || !m.complete()):
		sol, err = m.everything(ctx, opt, err)
		return sol, err != nil, err
	case !m.complete():
		sol = m.solution(solver.None)
		if err := m.certify(sol); err != nil {
			return nil, true, err
		}
		return sol, true, parallel.Ended(ctx, solver.ErrNoSolution)
	}
	sol, err = m.feasible()
	return sol, false, err
}

// feasible returns the pattern as a solution, after checking its witnesses.
func (m *run) feasible() (*solver.Solution, error) {
	sol := m.solution(solver.Feasible)
	if err := certificate.Protects(m.t, sol.Pattern, sol.Witnesses); err != nil {
		return nil, i18n.Errorf("table %s: %w", m.t.Name, err)
	}
	if err := m.certify(sol); err != nil {
		return nil, err
	}
	if sol.Bound >= sol.Cost {
		sol.Status = solver.Optimal
	}
	return sol, nil
}

// A mover finds movements without a linear program.
type mover interface {
	// move finds a movement of cell k by amount in direction sign; nil if it finds none.
	move(k int32, sign, amount int64) *movement
	// detour returns v, which moves cell k, changed so that it does not; nil if it finds no way.
	detour(v *movement, k int32) *movement
}

func newRun(ctx context.Context, t *table.Table, c *classes, opt *solver.Options) *run {
	n := t.Len()
	began := work.Now(ctx)
	work.Spend(ctx, time.Duration(n)*beginEach)
	m := &run{t: t, sys: oracle.NewSystem(t.Rel), c: c, lp: opt.LP, workers: opt.Workers, schedule: schedule{clock: ctx, began: began, start: time.Now(), limit: opt.TimeLimit, punctual: opt.Punctual}, counts: counts{tell: opt.Progress, cuts: map[string]int{}}, gap: opt.Gap,
		up: make([]int64, n), dn: make([]int64, n), at: make([]int32, n), has: make([]bool, t.Rel.Len()), shownPattern: shownPattern{uses: newUses(n)},
		levelsOfCells: levelsOfCells{asks: make([][]int32, n)}, prices: prices{banned: make([]bool, n), most: math.Inf(1), routed: routedCells}}
	if m.lp == "" {
		m.lp = "simplex"
	}
	if m.workers <= 0 {
		m.workers = runtime.GOMAXPROCS(0)
	}
	for i := range n {
		m.at[i] = -1
		m.up[i], m.dn[i] = protection.Capacities(t, i)
	}
	m.x = m.always()
	m.levels = protection.Levels(t)
	m.clamp = protection.Clamp(m.levels)
	m.wit = make([][]*movement, len(m.levels))
	for li, l := range m.levels {
		m.asks[l.K] = append(m.asks[l.K], int32(li))
	}
	m.lower = m.newLowerBound()
	if opt.Certificate {
		m.lower.proofs = make([]*certificate.Part, len(m.c.cells))
	}
	if p := m.newProducts(); p != nil {
		m.mover = p
	} else if w := m.newWalks(); w != nil {
		m.mover = w
	}
	return m
}

func (m *run) close() {
	for _, r := range [2]*region{m.table, m.large} {
		if r != nil {
			r.close()
		}
	}
}

// walked reports whether movements without programs are walks.
func (m *run) walked() bool {
	_, ok := m.mover.(*walks)
	return ok
}

// exposed leaves it to the exact search to say which cell cannot be protected and why.
func (m *run) exposed(ctx context.Context, opt *solver.Options) (*solver.Solution, error) {
	return solver.Suppress(ctx, m.t, opt)
}

// cost returns the cost of the pattern.
func (m *run) cost() int64 {
	sum := int64(0)
	for i, in := range m.x {
		if in && m.t.Status[i] == table.Safe {
			sum += m.t.Cost[i]
		}
	}
	return sum
}

func (m *run) report() {
	if m.found == 0 && m.complete() {
		m.found = time.Since(m.start)
	}
	if m.tell == nil {
		return
	}
	unit := unitOf(m.t)
	p := solver.Progress{Round: m.rounds, Nodes: int(m.nodes.Load()), Lower: float64(m.lower.sum()) / unit, Upper: math.Inf(1), Seconds: time.Since(m.start).Seconds()}
	if m.complete() {
		p.Upper = float64(m.cost()) / unit
	}
	if m.best != nil {
		p.Upper = min(p.Upper, float64(m.best.cost)/unit)
	}
	m.tell(p)
}

// complete reports whether every level has a witness.
func (m *run) complete() bool {
	return !slices.ContainsFunc(m.wit, func(w []*movement) bool { return w == nil })
}

func (m *run) solution(status solver.Status) *solver.Solution {
	sol := &solver.Solution{Status: status, Bound: m.lower.sum(), Rounds: m.rounds, Nodes: int(m.nodes.Load()), Cuts: m.cuts, LP: m.lp,
		Engine: Engine, Seconds: time.Since(m.start).Seconds(), FirstSeconds: m.found.Seconds()}
	if status != solver.None {
		sol.Witnesses = m.witnesses()
		certificate.Trim(m.t, m.x, sol.Witnesses)
		sol.Pattern, sol.Cost = m.x, m.cost()
	}
	return sol
}

// late reports whether the time of the phase is up.
func (m *run) late() bool { return !m.deadline.IsZero() && work.Until(m.clock, m.deadline) <= 0 }

// unitOf returns the number of units of Solution.Cost in one unit of the table's costs.
func unitOf(t *table.Table) float64 { return math.Pow10(t.CostDecimals) }

package modular

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A lowerBound is the bound for the whole table. An intruder who knows the relations of one sub-table alone
// knows less, so a protected pattern of the table protects every sub-table, in which margins may be withheld
// as well. Let each sub-table s with something to protect have costs w^s ≥ 0 with Σ_s w^s_i ≤ w_i for every
// cell i; then
//
//	Σ_i w_i x_i ≥ Σ_s Σ_i w^s_i x_i ≥ Σ_s bound_s .
//
// At first w_i is divided evenly among the sub-tables of i that have something to protect; shift then changes the
// shares.
type lowerBound struct {
	asks   []int32   // sub-tables with something to protect
	needs  []bool    // per sub-table: it is one of asks
	shares []int64   // per cell: how many sub-tables of asks it is in
	cost   [][]int64 // per sub-table: w^s of its cells
	used   [][]bool  // per sub-table: a cheapest pattern, nil if none is known
	best   int64     // the highest sum so far
	of     []int64   // per sub-table: the bound proved
	closed []bool    // per sub-table: solved as far as Options.Gap asks

	// Only set if a certificate is recorded, when only certified bounds count: the proof of each sub-table's bound, and
	// the proofs behind best, or the single one of the whole table.
	proofs, shown []*certificate.Part
	rows          *certificate.Certificate

	beside atomic.Int64 // the besideBound proved so far
}

func (m *run) newLowerBound() *lowerBound {
	b := &lowerBound{needs: make([]bool, len(m.c.cells)), shares: make([]int64, m.t.Len()), of: make([]int64, len(m.c.cells)), closed: make([]bool, len(m.c.cells))}
	for s, cells := range m.c.cells {
		if slices.ContainsFunc(cells, func(i int32) bool { return len(m.asks[i]) > 0 }) {
			b.asks, b.needs[s] = append(b.asks, int32(s)), true
			for _, i := range cells {
				b.shares[i]++
			}
		}
	}
	b.cost, b.used = make([][]int64, len(m.c.cells)), make([][]bool, len(m.c.cells))
	for _, s := range b.asks {
		b.cost[s] = make([]int64, len(m.c.cells[s]))
		for c, i := range m.c.cells[s] {
			b.cost[s][c] = m.t.Cost[i] / b.shares[i]
		}
	}
	return b
}

// singleRows first computes the bound by single relations, within singleRowShare of what is left of the phase; it is
// the result if time is up before all sub-tables have theirs. Tables of more than singleRowCells have none. done is
// false if there was not enough time.
func (m *run) singleRows(ctx context.Context) (done bool, err error) {
	if m.t.Len() > singleRowCells {
		return true, nil
	}
	within, cancel := work.Limited(ctx, work.Now(ctx), time.Duration(singleRowShare*float64(work.Until(m.clock, m.deadline))))
	defer cancel()
	bound, rows, err := solver.SingleRowBound(within, m.t, &solver.Options{LP: m.lp, Certificate: m.lower.proofs != nil})
	if bound > m.lower.best {
		m.lower.best, m.lower.rows, m.lower.shown = bound, rows, nil
	}
	if within.Err() != nil {
		return false, context.Cause(ctx)
	}
	return true, err
}

// A besideBound is the bound by regions of the table (solver.RegionBound), computed on one processor while the others
// look for patterns.
type besideBound struct {
	m      *run
	branch *work.Branch // nil once it has ended
	done   chan struct{}
	bound  int64
	proof  *certificate.Certificate
}

// beside starts the computation under ctx, with the given work at most. Only Progress learns its bound before end,
// because how far it has come by then depends on the machine.
func (m *run) beside(ctx context.Context, share time.Duration) *besideBound {
	b := &besideBound{m: m, done: make(chan struct{})}
	ctx, b.branch = work.Fork(ctx, 0, nil)
	go func() {
		defer close(b.done)
		ctx, stop := work.Limited(ctx, work.Now(ctx), share)
		defer stop()
		better := func(v int64) {
			if m.lower.proofs == nil {
				m.lower.beside.Store(v)
			}
		}
		// After a failure or the end of ctx the bound proved so far stands.
		b.bound, b.proof, _ = solver.RegionBound(ctx, m.t, &solver.Options{LP: m.lp, Certificate: m.lower.proofs != nil}, better)
	}()
	return b
}

// end stops the computation, if it was started; further calls do nothing.
func (b *besideBound) end() {
	if b != nil && b.branch != nil {
		b.branch.End()
		<-b.done
		b.branch = nil
	}
}

// raise waits for the computation and raises the bound of sol to the one proved, if that is higher.
func (b *besideBound) raise(sol *solver.Solution) {
	if b == nil {
		return
	}
	if sol.Status == solver.Optimal {
		b.end()
		return
	}
	<-b.done
	work.Spend(b.m.clock, b.branch.Join())
	b.branch = nil
	if b.bound <= sol.Bound {
		return
	}
	sol.Bound, sol.Certificate = b.bound, nil
	if b.proof != nil {
		sol.Certificate = b.proof.For(sol.Pattern, sol.Witnesses)
	}
	if sol.Pattern != nil && sol.Bound >= sol.Cost {
		sol.Status = solver.Optimal
	}
}

// sum returns the bound for the table.
func (b *lowerBound) sum() int64 {
	sum := int64(0)
	for _, v := range b.of {
		sum += v
	}
	return max(b.best, sum)
}

// relax solves sub-table s for the bound, starting with the current pattern if start says that it is protected.
func (m *run) relax(ctx context.Context, s int32, start bool) (*solver.Solution, error) {
	sub := m.subTable(s)
	opt := &solver.Options{LP: m.lp, Workers: 1, Gap: m.gap, TimeLimit: m.time.share(ctx, s), Punctual: true, Certificate: m.lower.proofs != nil}
	if start {
		opt.Start = make([]bool, sub.Len())
	}
	for c, i := range m.c.cells[s] {
		sub.Cost[c] = m.lower.cost[s][c]
		if start {
			opt.Start[c] = m.x[i]
		}
	}
	sol, err := m.search(ctx, sub, opt)
	if sol != nil && sol.Status != solver.Unprotectable {
		m.nodes.Add(int64(sol.Nodes))
		if err := m.lower.note(m.c.rels[s], sub.Cost, s, sol); err != nil {
			return nil, err
		}
		m.lower.used[s] = sol.Pattern
		m.lower.closed[s] = err == nil && (sol.Status == solver.Optimal || sol.Gap() <= m.gap)
	}
	return sol, err
}

// both solves sub-table s once for bound and pattern. If only given cells are withheld in it beforehand, and the
// pattern found for the bound withholds no margin, that pattern is also optimal with margins published; ok reports
// this.
func (m *run) both(ctx context.Context, s int32) (more []int32, ok bool, err error) {
	for _, i := range m.c.cells[s] {
		if m.x[i] && m.t.Status[i] == table.Safe || m.c.of[i] == s && m.lower.shares[i] > 1 {
			return nil, false, nil
		}
	}
	if m.lower.closed[s] && m.lower.used[s] != nil {
		more, ok = m.inside(s, m.lower.used[s])
		return more, ok, nil
	}
	sol, err := m.relax(ctx, s, false)
	var u *solver.UnprotectableError
	switch {
	case errors.As(err, &u) || errors.Is(err, solver.ErrNoSolution) && ctx.Err() == nil:
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	more, ok = m.inside(s, sol.Pattern)
	return more, ok, nil
}

// inside returns the further cells that a pattern of sub-table s withholds; ok is false if there are margins among
// them.
func (m *run) inside(s int32, pattern []bool) (more []int32, ok bool) {
	for c, in := range pattern {
		i := m.c.cells[s][c]
		switch {
		case !in || m.x[i]:
		case m.c.of[i] != s:
			return nil, false
		default:
			more = append(more, i)
		}
	}
	return more, true
}

// prove bounds the sub-tables that have no bound yet, then shares costs anew while that may raise the sum.
func (m *run) prove(ctx context.Context) error {
	b := m.lower
	var todo []int32
	for _, s := range b.asks {
		if !b.closed[s] {
			todo = append(todo, s)
		}
	}
	for round := 1; ; round++ {
		slices.SortStableFunc(todo, func(a, c int32) int { return cmp.Compare(m.weight(a), m.weight(c)) })
		m.time = m.budget(todo)
		m.time.begin(todo)
		err := parallel.Do(ctx, len(todo), m.workers, func(ctx context.Context, n int) error {
			_, err := m.relax(ctx, todo[n], true)
			if errors.Is(err, solver.ErrNoSolution) {
				return nil
			}
			return err
		})
		b.settle()
		if err != nil || round > shiftRounds || m.late() || b.best >= m.cost() {
			return err
		}
		if todo = b.shift(m, int64(round)); len(todo) == 0 {
			return nil
		}
	}
}

// shift returns a step of the subgradient method (Held, Wolfe and Crowder, Validation of subgradient optimization,
// Mathematical Programming 6, 1974) on the split of costs, a Lagrangean decomposition: if some of the sub-tables of a
// cell withhold it and others publish it, part of its cost moves from the latter to the former where that raises the
// sum. It returns the sub-tables whose costs changed; their bounds are void.
func (b *lowerBound) shift(m *run, round int64) []int32 {
	changed := make([]bool, len(b.of))
	for i, in := range m.c.in {
		if b.shares[i] < 2 || m.t.Status[i] != table.Safe {
			continue
		}
		var users []*int64
		pot, known := int64(0), true
		for _, s := range in {
			known = known && (!b.needs[s] || b.used[s] != nil)
		}
		if !known {
			continue
		}
		for _, s := range in {
			if b.needs[s] {
				if c, _ := slices.BinarySearch(m.c.cells[s], int32(i)); b.used[s][c] {
					users = append(users, &b.cost[s][c])
				}
			}
		}
		if len(users) == 0 || int64(len(users)) == b.shares[i] {
			continue
		}
		for _, s := range in {
			if b.needs[s] {
				if c, _ := slices.BinarySearch(m.c.cells[s], int32(i)); !b.used[s][c] {
					give := b.cost[s][c] / (1 + round)
					b.cost[s][c] -= give
					pot += give
				}
			}
		}
		if pot < int64(len(users)) {
			users = users[:1]
		}
		for _, w := range users {
			*w += pot / int64(len(users))
		}
		if pot > 0 {
			for _, s := range in {
				changed[s] = changed[s] || b.needs[s]
			}
		}
	}
	var todo []int32
	for _, s := range b.asks {
		if changed[s] {
			b.of[s], b.closed[s] = 0, false
			if b.proofs != nil {
				b.proofs[s] = nil
			}
			todo = append(todo, s)
		}
	}
	return todo
}

package modular

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/work"
)

// A climb records how far a run has come, rung by rung. Each phase of a rung may take a share of the rung's length;
// each rung is rungTimes as long as the one before, and the length of the first follows from the table and its first
// pattern. So what a phase finds does not depend on the limit, which only says where the climb ends, and the cheapest
// pattern is kept: a larger limit never gives a dearer pattern, and a limit that is not reached changes nothing.
type climb struct {
	best  *state      // the cheapest pattern so far while another is being sought, nil if there is none
	short atomic.Bool // a search of this phase ended before it was done

	// Phases that ended by themselves, which are not repeated.
	rebuilt, bounded, searched, improved, proved bool
}

// over reports whether longer rungs would find nothing more.
func (c *climb) over() bool { return c.searched && c.improved && c.proved }

// rungs calls rung repeatedly until it reports that the climb is over or ctx ends. begin sets the end of a phase by its
// share of the rung.
func (m *run) rungs(ctx context.Context, rung func(begin func(share float64)) (over bool, err error)) error {
	length := max(time.Duration(firstRung*float64(work.Since(m.clock, m.began))), time.Duration(m.t.Len())*rungEach)
	for {
		over, err := rung(func(share float64) { m.deadline = work.Now(m.clock).Add(time.Duration(share * float64(length))) })
		if err != nil || over || ctx.Err() != nil {
			return err
		}
		length *= rungTimes
	}
}

// solve finds a first pattern, if that takes no programs, and climbs. polish (nil: none) continues from the pattern of
// each rung until the given end: that of the rung or, if nothing else is left to do, that of ctx.
func (m *run) solve(ctx context.Context, polish func(end time.Time) (over bool, err error)) error {
	if m.mover != nil {
		if err := m.first(ctx); err != nil {
			return err
		}
	}
	return m.rungs(ctx, func(begin func(share float64)) (over bool, err error) {
		if err := m.rung(ctx, begin); err != nil || ctx.Err() != nil || polish == nil {
			return m.over(), err
		}
		end, _ := work.Deadline(ctx)
		if begin(polishShare); !m.over() && m.deadline.Before(end) {
			end = m.deadline
		}
		over, err = polish(end)
		return over || m.over(), err
	})
}

// rung improves the first pattern, seeks another by sub-tables, improves the cheaper of the two and proves a bound. If
// ctx ends meanwhile, the pattern found so far stands; it is an error if there is none.
func (m *run) rung(ctx context.Context, begin func(share float64)) error {
	for _, phase := range [...]struct {
		done  *bool
		share float64
		run   func(context.Context) (whole bool, err error)
	}{
		{&m.rebuilt, rebuildShare, m.rebuild},
		{&m.searched, 1, m.bySubTables},
		{&m.improved, improveShare, func(ctx context.Context) (bool, error) {
			err := m.improve(ctx)
			return !m.late(), err
		}},
		{&m.proved, proveShare, func(ctx context.Context) (bool, error) {
			err := m.prove(ctx)
			return !m.late() && !m.short.Load(), err
		}},
	} {
		if *phase.done {
			continue
		}
		m.short.Store(false)
		begin(phase.share)
		whole, err := phase.run(ctx)
		m.report()
		if ctx.Err() != nil && m.complete() {
			return nil
		}
		if err != nil {
			return err
		}
		*phase.done = whole
	}
	return nil
}

// rebuild improves a pattern that was found without programs.
func (m *run) rebuild(ctx context.Context) (whole bool, err error) {
	if m.mover == nil || m.walked() {
		return true, nil
	}
	err = m.better(ctx)
	return !m.late(), err
}

// bySubTables protects the sub-tables one by one, then every level against all relations, but keeps the previous
// pattern if that is cheaper.
func (m *run) bySubTables(ctx context.Context) (whole bool, err error) {
	if m.complete() {
		m.best = m.leave()
	}
	whole, err = m.subTables(ctx)
	best := m.best
	m.best = nil
	switch {
	case best == nil || err != nil && ctx.Err() == nil:
	case err != nil || best.cost < m.cost():
		m.resume(best)
	default:
		m.improved = false
	}
	return whole, err
}

// subTables is bySubTables without a pattern to fall back on. Only the search has a limit: what it left open is
// repaired to the end, because using products instead of programs would give far dearer patterns.
func (m *run) subTables(ctx context.Context) (whole bool, err error) {
	if !m.bounded {
		if m.bounded, err = m.singleRows(ctx); err != nil {
			return false, err
		}
	}
	if err := m.pass(ctx); err != nil {
		return false, err
	}
	m.report()
	whole = !m.late() && !m.short.Load()
	m.deadline = time.Time{}
	if err := m.repair(ctx); err != nil {
		return false, err
	}
	m.prune()
	return whole, nil
}

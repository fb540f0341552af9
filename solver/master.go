package solver

import (
	"context"
	"fmt"
	"math"

	"github.com/hitoku/hitoku/lp"
)

// A master is the linear relaxation min Σ w x over the cuts chosen so far,
// 0 ≤ x ≤ 1. Costs are scaled to at most 2^12 by a power of two.
type master struct {
	solver lp.Solver
	cuts   []*cut // by row
	scale  float64
	lo, up []float64
	drop   []bool

	x       []float64 // the last optimum
	reduced []float64
	value   float64
}

func newMaster(p *problem, backend string) (*master, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	n := len(p.cand)
	m := &master{solver: solver, lo: make([]float64, n), up: make([]float64, n), x: make([]float64, n), reduced: make([]float64, n)}
	largest := int64(1)
	for _, w := range p.cost {
		largest = max(largest, w)
	}
	_, exp := math.Frexp(float64(largest))
	m.scale = math.Ldexp(1, min(0, 12-exp))
	q := &lp.Problem{Cost: make([]float64, n), Lo: m.lo, Up: m.up}
	for c, w := range p.cost {
		q.Cost[c], m.up[c] = float64(w)*m.scale, 1
	}
	if err := solver.Load(q); err != nil {
		solver.Close()
		return nil, err
	}
	return m, nil
}

// add puts cuts into the relaxation.
func (m *master) add(cuts []*cut) error {
	rows := make([]lp.Row, len(cuts))
	for i, c := range cuts {
		rows[i] = lp.Row{Lo: c.rhs, Up: math.Inf(1), Idx: c.idx, Val: c.val}
		c.row, c.age = len(m.cuts)+i, 0
	}
	m.cuts = append(m.cuts, cuts...)
	_, err := m.solver.AddRows(rows...)
	return err
}

// bound fixes or frees column c.
func (m *master) bound(c int32, lo, up float64) {
	if m.lo[c] != lo || m.up[c] != up {
		m.lo[c], m.up[c] = lo, up
		_ = m.solver.SetColBounds(int(c), lo, up) // finite, cannot fail
	}
}

// solve re-optimises. infeasible is a verdict. cutoff, in cost units, may end the
// solve early with a value ≥ cutoff.
func (m *master) solve(ctx context.Context, cutoff float64) (infeasible bool, err error) {
	limits := lp.Limits{}
	if !math.IsInf(cutoff, 1) {
		c := cutoff * m.scale
		limits.Cutoff = &c
	}
	m.solver.SetLimits(limits)
	res, err := m.solver.Solve(ctx)
	if err != nil {
		return false, fmt.Errorf("solver: master: %w", err)
	}
	switch res.Status {
	case lp.Optimal:
		m.value = res.Value / m.scale
		copy(m.x, res.Primal)
		clear(m.reduced)
		for c, d := range res.Reduced {
			m.reduced[c] = d / m.scale
		}
		for c := range m.x {
			m.x[c] = min(1, max(0, m.x[c]))
			if m.x[c] < 1e-9 {
				m.x[c] = 0
			} else if m.x[c] > 1-1e-9 {
				m.x[c] = 1
			}
		}
		return false, nil
	case lp.Cutoff:
		m.value = cutoff
		return false, nil
	case lp.Infeasible:
		return true, nil
	case lp.Cancelled, lp.TimeLimit:
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
	}
	return false, fmt.Errorf("solver: master: %s stopped with %v (%s)", m.solver.Capabilities().Name, res.Status, res.Raw)
}

// Rows that were slack for maxAge solves leave the master; the pool keeps them.
const maxAge = 12

// purge ages rows by the current optimum and removes stale ones when the back end
// can and it pays.
func (m *master) purge() error {
	stale := 0
	for _, c := range m.cuts {
		if c.gain < -1e-6 {
			if c.age++; c.age > maxAge {
				stale++
			}
		} else {
			c.age = 0
		}
	}
	deleter, can := m.solver.(lp.RowDeleter)
	if !can || stale < 20 || stale*5 < len(m.cuts) {
		return nil
	}
	m.drop = m.drop[:0]
	kept := m.cuts[:0]
	for _, c := range m.cuts {
		gone := c.age > maxAge
		m.drop = append(m.drop, gone)
		if gone {
			c.row = -1
		} else {
			c.row = len(kept)
			kept = append(kept, c)
		}
	}
	m.cuts = kept
	return deleter.DeleteRows(m.drop)
}

// covers strengthens the rows of the relaxation at its optimum.
func (m *master) covers() []*cut {
	var found []*cut
	for _, c := range m.cuts {
		if c.gain < -0.5 {
			continue
		}
		if r := residual(c, m.x); r != nil && r.violation(m.x) > minViolation {
			found = append(found, r)
		}
	}
	return found
}

func (m *master) close() { m.solver.Close() }

package solver

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

// A master is the master problem (主問題) of Benders decomposition (Benders, Numerische Mathematik 4, 1962): the linear
// relaxation min Σ w x over the cuts chosen so far, 0 ≤ x ≤ 1. The intruder's problems, one for every level, stay
// outside and answer with cuts: there are thousands of them, and few of their cuts matter. Costs are scaled by a power
// of two to at most 2^12.
type master struct {
	solver   lp.Solver
	cuts     []*cut // one per row
	scale    float64
	lo, up   []float64
	drop     []bool
	rounding *mirFinder // nil until asked for rounding cuts

	x       []float64 // the last optimum
	reduced []float64 // reduced costs of the duals behind value
	aside   []float64 // buffer of bounds
	value   float64   // a lower bound that does not depend on the back end's tolerances
	cost    []float64 // scaled, as in the model
	dual    []float64 // multipliers behind value, in the back end's memory: valid until its next call
	farkas  []float64 // the same if the relaxation is infeasible
	rescued bool      // rescue is running
	maxAge  int       // number of consecutive solves after which a slack row leaves
	tol     tolerance
	long    []longSum // buffer of safe if costs are large, else nil
}

func newMaster(p *problem, backend string) (*master, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	n := len(p.cand)
	m := &master{solver: solver, lo: make([]float64, n), up: make([]float64, n), x: make([]float64, n), reduced: make([]float64, n), aside: make([]float64, n)}
	if m.maxAge = maxAge; p.degree() > 2 {
		m.maxAge = maxAgeDeep
	}
	largest, total := int64(1), 0.0
	for _, w := range p.cost {
		largest = max(largest, w)
		total += float64(w)
	}
	if m.tol = relTol; total >= longFrom {
		m.tol, m.long = longTol, make([]longSum, n)
	}
	_, exp := math.Frexp(float64(largest))
	m.scale = math.Ldexp(1, min(0, 12-exp))
	q := &lp.Problem{Cost: make([]float64, n), Lo: m.lo, Up: m.up}
	for c, w := range p.cost {
		q.Cost[c], m.up[c] = float64(w)*m.scale, 1
	}
	m.cost = q.Cost
	if err := solver.Load(q); err != nil {
		solver.Close()
		return nil, err
	}
	return m, nil
}

// recost caps the costs at limit, as a pattern cheaper than the incumbent contains no column of higher cost. Back ends
// measure optimality relative to the largest cost, so columns of much higher cost would hide errors in those that
// matter.
func (m *master) recost(p *problem, limit int64) {
	largest := int64(1)
	for _, w := range p.cost {
		largest = max(largest, min(w, limit))
	}
	_, exp := math.Frexp(float64(largest))
	m.scale = math.Ldexp(1, min(0, 12-exp))
	for c, w := range p.cost {
		m.cost[c] = float64(min(w, limit)) * m.scale
		_ = m.solver.SetCost(c, m.cost[c]) // finite, cannot fail
	}
}

// add puts cuts into the relaxation.
func (m *master) add(cuts []*cut) error {
	rows := make([]lp.Row, len(cuts))
	for i, c := range cuts {
		rows[i] = lp.Row{Lo: c.rhs, Up: math.Inf(1), Idx: c.idx, Val: c.val}
		c.row, c.age, c.chosen = len(m.cuts)+i, 0, true
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

// solve re-optimises. infeasible reports that the relaxation has no feasible point. Solving may stop early once the
// value reaches cutoff, in cost units.
func (m *master) solve(ctx context.Context, cutoff float64) (infeasible bool, err error) {
	limits := lp.Limits{}
	if !math.IsInf(cutoff, 1) {
		c := cutoff * m.scale
		limits.Cutoff = &c
	}
	m.solver.SetLimits(limits)
	res, err := m.solver.Solve(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return m.rescue(ctx, cutoff)
	}
	switch res.Status {
	case lp.Optimal:
		m.value, m.dual = m.safe(res.Dual), res.Dual
		copy(m.x, res.Primal)
		for c := range m.x {
			m.x[c] = min(1, max(0, m.x[c]))
			if m.x[c] < zeroTol {
				m.x[c] = 0
			} else if m.x[c] > 1-zeroTol {
				m.x[c] = 1
			}
		}
		return false, nil
	case lp.Cutoff:
		if res.Dual != nil {
			m.dual = res.Dual
			// Enough to prune the node once rounded up by tolerance.up
			if m.value = m.safe(res.Dual); m.value >= cutoff-5*costTol {
				return false, nil
			}
		}
		if math.IsInf(cutoff, 1) {
			return m.rescue(ctx, cutoff)
		}
		return m.solve(ctx, math.Inf(1)) // the multipliers do not prove the cutoff
	case lp.Infeasible:
		m.farkas = res.Farkas
		return true, nil
	case lp.Cancelled, lp.TimeLimit:
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
	}
	return m.rescue(ctx, cutoff)
}

// errLost means that no back end solves the relaxation: numerical trouble.
var errLost = i18n.New("solver: no optimum of the relaxation found")

// rescue solves the relaxation again after numerical trouble: from scratch, then with the default back end if that is a
// different one. errLost means that neither solved it.
func (m *master) rescue(ctx context.Context, cutoff float64) (infeasible bool, err error) {
	if m.rescued {
		return false, errLost
	}
	m.rescued = true
	defer func() { m.rescued = false }()
	p := &lp.Problem{Cost: m.cost, Lo: m.lo, Up: m.up, Rows: make([]lp.Row, len(m.cuts))}
	for i, c := range m.cuts {
		p.Rows[i] = lp.Row{Lo: c.rhs, Up: math.Inf(1), Idx: c.idx, Val: c.val}
	}
	solver, err := lp.Open("simplex")
	if err != nil {
		return false, errLost
	}
	if err := solver.Load(p); err != nil {
		solver.Close()
		return false, errLost
	}
	m.solver.Close()
	m.solver = solver
	return m.solve(ctx, cutoff)
}

// safe returns the bound that the multipliers y ≥ 0 prove whatever their origin,
//
//	Σ_i y_i rhs_i + Σ_j min(d_j lo_j, d_j up_j),   d = w − Aᵀy,
//
// in cost units, and keeps d (Neumaier and Shcherbina, Mathematical Programming 99, 2004). The only error left is
// rounding in the sums themselves; where costs are large the sums have twice the digits to avoid even that. Cost linear
// in the entries of the rows with y > 0.
func (m *master) safe(y []float64) float64 {
	if m.long != nil {
		return m.safeLong(y)
	}
	d := m.reduced
	copy(d, m.cost)
	sum := 0.0
	for i, c := range m.cuts {
		if y[i] <= 0 {
			continue
		}
		sum += float64(y[i] * c.rhs)
		for t, j := range c.idx {
			d[j] -= float64(y[i] * c.val[t])
		}
	}
	for j, v := range d {
		if v < 0 {
			sum += float64(v * m.up[j])
		} else {
			sum += float64(v * m.lo[j])
		}
		d[j] = v / m.scale
	}
	return sum / m.scale
}

// bounds is safe without changing m.
func (m *master) bounds(y []float64) float64 {
	m.reduced, m.aside = m.aside, m.reduced
	defer func() { m.reduced, m.aside = m.aside, m.reduced }()
	return m.safe(y)
}

// safeLong is safe with long sums.
func (m *master) safeLong(y []float64) float64 {
	d := m.long
	for j, w := range m.cost {
		d[j] = longSum{hi: w}
	}
	var sum longSum
	for i, c := range m.cuts {
		if y[i] <= 0 {
			continue
		}
		sum.addProduct(y[i], c.rhs)
		for t, j := range c.idx {
			d[j].addProduct(-y[i], c.val[t])
		}
	}
	for j := range d {
		v := d[j].value()
		at := m.lo[j]
		if v < 0 {
			at = m.up[j]
		}
		sum.addProduct(d[j].hi, at)
		sum.addProduct(d[j].lo, at)
		m.reduced[j] = v / m.scale
	}
	return sum.value() / m.scale
}

// proves reports whether the last value proves that no pattern is cheaper than cost, which some pattern attains.
func (m *master) proves(cost int64) bool {
	if m.long != nil {
		return m.tol.up(m.value) >= cost
	}
	return m.value >= float64(float64(cost)*(1-relTol))-costTol
}

// weakest returns the free column whose reduced cost has the wrong sign at x and the largest magnitude, −1 if there is
// none.
func (m *master) weakest() int32 {
	best, worst := int32(-1), 0.0
	for c, d := range m.reduced {
		if m.lo[c] == m.up[c] {
			continue
		}
		if m.x[c] > 0.5 {
			d = -d
		}
		if d < worst {
			best, worst = int32(c), d
		}
	}
	return best
}

// purge counts how long rows have been slack and removes stale ones, if the back end can remove rows and enough are
// stale.
func (m *master) purge() error {
	stale := 0
	for _, c := range m.cuts {
		if c.gain < -slackTol {
			if c.age++; c.age > m.maxAge {
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
		gone := c.age > m.maxAge
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

func (m *master) close() { m.solver.Close() }

// A longSum adds floating point numbers and products with twice the digits (Ogita, Rump and Oishi, Accurate sum and dot
// product, SIAM Journal on Scientific Computing 26(6), 2005).
type longSum struct{ hi, lo float64 }

// add adds v: the rounding error of hi + v is itself a floating point number (Knuth), which is added to lo.
func (s *longSum) add(v float64) {
	t := s.hi + v
	z := t - s.hi
	s.lo += (s.hi - (t - z)) + (v - z)
	s.hi = t
}

// addProduct adds a·b.
func (s *longSum) addProduct(a, b float64) {
	p := float64(a * b)
	s.add(p)
	s.lo += math.FMA(a, b, -p)
}

// value returns the sum, rounded once.
func (s longSum) value() float64 { return s.hi + s.lo }

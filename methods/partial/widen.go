package partial

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A widener widens intervals for a level that they miss, along the movement that reaches the level at the least cost
// beyond the intervals. It provides the inner points of in-out separation, and intervals when a limit ends the search.
type widener struct {
	p      *problem
	solver lp.Solver
	unit   float64
	// Columns: movement within the intervals, by column of the problem; movement beyond them; and movement up and down
	// of cells that are always withheld.
	n     int
	given []int32
	free  float64 // cost of movement within the intervals, relative to the weight
	wide  []int32 // by cell: the row of its largest width, −1 for none; nil: there are none
}

func newWidener(p *problem, m *master) (*widener, error) {
	solver, err := lp.Open("simplex") // whatever the back end: it proves nothing
	if err != nil {
		return nil, err
	}
	w := &widener{p: p, solver: solver, n: len(p.cell), free: 1e-3}
	_, exp := math.Frexp(p.typicalLevel())
	w.unit = math.Ldexp(1, exp)
	for i := range p.t.Len() {
		if p.given[up][i] != 0 || p.given[down][i] != 0 {
			w.given = append(w.given, int32(i))
		}
	}
	all := 2*w.n + len(w.given)
	q := &lp.Problem{Cost: make([]float64, all), Lo: make([]float64, all), Up: make([]float64, all)}
	largest := 0.0
	for j := range w.n {
		q.Cost[w.n+j] = m.cost[j] / m.unit[j]
		largest = max(largest, q.Cost[w.n+j])
	}
	for j := range w.n {
		q.Cost[w.n+j] /= largest
		q.Cost[j] = q.Cost[w.n+j] * w.free
	}
	at := make([]int32, p.t.Len()) // by given cell
	for g, i := range w.given {
		c := 2*w.n + g
		at[i] = int32(c)
		q.Up[c], q.Lo[c] = real(p.given[up][i])/w.unit, -real(p.given[down][i])/w.unit
	}
	rel := p.t.Rel
	for r := range rel.Len() {
		cell, coef := rel.Row(r)
		var row lp.Row
		for t, i := range cell {
			v := float64(coef[t])
			if c := at[i]; c > 0 {
				row.Idx, row.Val = append(row.Idx, c), append(row.Val, v)
			}
			for d, sign := range [2]float64{1, -1} {
				if c := p.col[d][i]; c >= 0 {
					row.Idx, row.Val = append(row.Idx, c, int32(w.n)+c), append(row.Val, sign*v, sign*v)
				}
			}
		}
		if len(row.Idx) > 0 {
			q.Rows = append(q.Rows, row)
		}
	}
	if p.most != nil {
		w.wide = make([]int32, p.t.Len())
	}
	for i := range w.wide { // width beyond the intervals, both sides together
		w.wide[i] = -1
		var row lp.Row
		for d := range p.col {
			if c := p.col[d][i]; c >= 0 {
				row.Idx, row.Val = append(row.Idx, int32(w.n)+c), append(row.Val, 1)
			}
		}
		if len(row.Idx) > 0 && p.most[i] != table.PosInf {
			row.Lo, row.Up = math.Inf(-1), real(p.most[i])/w.unit
			w.wide[i] = int32(len(q.Rows))
			q.Rows = append(q.Rows, row)
		}
	}
	if err := solver.Load(q); err != nil {
		solver.Close()
		return nil, err
	}
	return w, nil
}

// begin sets the current intervals y.
func (w *widener) begin(y []float64) {
	for j := range y {
		w.set(j, y)
	}
}

func (w *widener) set(j int, y []float64) {
	_ = w.solver.SetColBounds(j, 0, y[j]/w.unit)
	_ = w.solver.SetColBounds(w.n+j, 0, max(0, real(w.p.room[j])-y[j])/w.unit)
	if i := w.p.cell[j]; w.wide != nil && w.wide[i] >= 0 {
		rest := real(w.p.most[i])
		for d := range w.p.col {
			if c := w.p.col[d][i]; c >= 0 {
				rest -= y[c]
			}
		}
		_ = w.solver.SetRowBounds(int(w.wide[i]), math.Inf(-1), max(0, rest)/w.unit)
	}
}

// widen widens y so that cell k can move by amount in direction d. ok is false if no way was found.
func (w *widener) widen(ctx context.Context, y []float64, k int32, d int, amount float64) (ok bool, err error) {
	c, back := w.p.col[d][k], w.p.col[1-d][k]
	if c < 0 || amount > real(w.p.room[c]) {
		return false, nil
	}
	within := min(amount, y[c])
	_ = w.solver.SetColBounds(int(c), within/w.unit, within/w.unit)
	_ = w.solver.SetColBounds(w.n+int(c), (amount-within)/w.unit, (amount-within)/w.unit)
	if back >= 0 {
		_ = w.solver.SetColBounds(int(back), 0, 0)
		_ = w.solver.SetColBounds(w.n+int(back), 0, 0)
	}
	res, err := w.solver.Solve(ctx)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err != nil || res.Status != lp.Optimal:
	default:
		ok = true
		for j := range w.n {
			if more := float64(res.Primal[w.n+j] * w.unit); more > 0 {
				y[j] = min(y[j]+more, real(w.p.room[j]))
				w.set(j, y)
			}
		}
	}
	w.set(int(c), y)
	if back >= 0 {
		w.set(int(back), y)
	}
	return ok, nil
}

// all widens y for every missed level; the shards hold what they missed. ok is false if a level stays missed.
func (w *widener) all(ctx context.Context, y []float64, missed []miss) (ok bool, err error) {
	w.begin(y)
	ok = true
	for _, m := range missed {
		l := w.p.levels[m.level]
		found := false
		switch l.Side {
		case protection.Upper:
			found, err = w.widen(ctx, y, l.K, up, float64(l.RHS))
		case protection.Lower:
			found, err = w.widen(ctx, y, l.K, down, float64(l.RHS))
		default: // on the side where it already reaches farther, else on the other, else as far as possible on both
			far, d := m.hi, up
			if m.lo > m.hi {
				far, d = m.lo, down
			}
			rest := float64(l.RHS) - (m.hi + m.lo - far)
			found, err = w.widen(ctx, y, l.K, d, rest)
			if err == nil && !found {
				found, err = w.widen(ctx, y, l.K, 1-d, float64(l.RHS)-far)
			}
		}
		if err != nil {
			return false, err
		}
		ok = ok && found
	}
	return ok, nil
}

func (w *widener) close() { w.solver.Close() }

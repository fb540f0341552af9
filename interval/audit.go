package interval

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// Options tune Audit. The zero value is ready to use.
type Options struct {
	// Engine is "network", "simplex", or "" for whichever fits the table.
	Engine string
	// LP names the back end of the simplex engine; empty means "simplex".
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS.
	Workers int
	// Integer asks for the interval over integer tables (in units of
	// 10^−Decimals), not over all tables.
	Integer bool
	// Witness keeps the witness tables of every interval end.
	Witness bool
	// Progress, if set, is called with the number of cells done.
	Progress func(done, total int)
}

// A Cell is what the intruder learns of one withheld cell, exactly.
type Cell struct {
	Index  int
	Lo, Hi *big.Rat // in units of 10^−Decimals; nil: infinite
	// LoWitness and HiWitness are tables that satisfy everything published
	// and attain Lo and Hi (a table far out where the end is infinite); set
	// if Options.Witness.
	LoWitness, HiWitness *Witness
	Protected            bool // every level of the cell is met
	Disclosed            bool // Lo = Hi
	// Inexact says that for some end the dual, as far as it could be written in
	// fractions, does not prove that nothing lies beyond. Lo and Hi are then
	// what witnesses show: the cell is at least as well protected as they say.
	Inexact bool
}

// A Report is the result of Audit, cells in table order.
type Report struct {
	Engine string
	Cells  []Cell
	// Protected says that every sensitive cell meets its levels, and that no
	// withheld cell of unknown value, which may be sensitive, is disclosed or
	// narrower than its SPL.
	Protected bool
}

// ErrInconsistent is returned where no table satisfies what is published.
var ErrInconsistent = errors.New("interval: no table satisfies the published numbers and bounds")

// lanes is the number of independent streams of cells. Each stream keeps its own
// warm engine and is worked off in order, so answers do not depend on workers.
const lanes = 8

// Audit computes the exact interval [lo, hi] of every withheld cell of t and
// compares it with the levels. withheld[i] says that cell i is not published;
// cells whose value is missing must be withheld. Both ends are proved: by a
// witness table from inside and a dual from outside, in rational arithmetic (see
// Cell.Inexact for the rare exception).
//
// Cost: two linear programs (max-flows on networks, where cells that are disclosed
// take none) a withheld cell.
func Audit(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*Report, error) {
	if opt == nil {
		opt = &Options{}
	}
	s := NewSystem(t.Rel)
	base, err := newBase(ctx, s, t, withheld, opt)
	if err != nil {
		return nil, err
	}
	var cells []int
	for i, w := range withheld {
		if w {
			cells = append(cells, i)
		}
	}
	rep := &Report{Cells: make([]Cell, len(cells)), Protected: true}
	engines := make([]*Exact, min(lanes, max(1, len(cells))))
	defer func() {
		for _, e := range engines {
			if e != nil {
				e.Close()
			}
		}
	}()
	var moves []bool // nil: not known beforehand
	if opt.Engine != "simplex" {
		moves, _ = s.Moves(base.up, base.dn)
	}
	var done atomic.Int64
	err = Parallel(ctx, len(engines), opt.Workers, func(ctx context.Context, lane int) error {
		e, err := s.NewExact(opt.Engine, opt.LP)
		if err != nil {
			return err
		}
		engines[lane] = e
		e.SetCapacities(base.up, base.dn, base.clamp)
		for c := lane; c < len(cells); c += len(engines) {
			if moves != nil && !moves[cells[c]] {
				rep.Cells[c] = base.still(cells[c], opt)
			} else if rep.Cells[c], err = base.cell(ctx, e, cells[c], opt); err != nil {
				return err
			}
			if n := done.Add(1); opt.Progress != nil {
				opt.Progress(int(n), len(cells))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	rep.Engine = "network"
	if !s.IsNetwork() || opt.Engine == "simplex" {
		rep.Engine = "simplex"
	}
	for c := range rep.Cells {
		base.judge(&rep.Cells[c])
		i := rep.Cells[c].Index
		if (t.Status[i] == table.Sensitive || !t.Known(i)) && !rep.Cells[c].Protected {
			rep.Protected = false
		}
	}
	return rep, nil
}

// Parallel runs f(ctx, 0) … f(ctx, n−1) on at most workers goroutines (0:
// GOMAXPROCS), cancels the rest after the first failure and returns the error
// of the smallest index that failed by itself.
func Parallel(ctx context.Context, n, workers int, f func(ctx context.Context, i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := f(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if ctx.Err() != nil {
					errs[i] = context.Cause(ctx)
				} else if errs[i] = f(ctx, i); errs[i] != nil {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = err
		}
	}
	return first
}

// A base is a table that satisfies everything published, over the denominator
// den, and the room around it: the intruder's problem in deviations from it.
type base struct {
	t        *table.Table
	withheld []bool
	num      []int64
	den      int64
	up, dn   []int64
	clamp    int64
}

// newBase takes the true table where it is known; otherwise it finds a vertex of
// the tables that satisfy the published numbers.
func newBase(ctx context.Context, s *System, t *table.Table, withheld []bool, opt *Options) (*base, error) {
	n := t.Len()
	b := &base{t: t, withheld: withheld, num: t.Value, den: 1, up: make([]int64, n), dn: make([]int64, n)}
	known := true
	for i := range n {
		if !t.Known(i) {
			known = false
			if !withheld[i] {
				return nil, fmt.Errorf("table %s: cell %s has no value but is not withheld", t.Name, t.CellName(i))
			}
		}
	}
	if !known {
		if err := b.findPoint(ctx, s, opt); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	total := int64(1)
	for i := range n {
		if !withheld[i] {
			continue
		}
		b.up[i], b.dn[i] = table.PosInf, table.PosInf
		if u := t.Upper[i]; u != table.PosInf {
			b.up[i] = u*b.den - b.num[i]
			total = min(total+b.up[i], 1<<61)
		}
		if l := t.Lower[i]; l != table.NegInf {
			b.dn[i] = b.num[i] - l*b.den
			total = min(total+b.dn[i], 1<<61)
		}
	}
	b.clamp = total
	return b, nil
}

// findPoint solves y = c + t with c a finite bound of each withheld cell (the
// value of a published one) and M t = b − M c, 0 ≤ t ≤ room.
func (b *base) findPoint(ctx context.Context, s *System, opt *Options) error {
	t, n := b.t, b.t.Len()
	c, up, dn := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range n {
		switch lo, hi := t.Lower[i], t.Upper[i]; {
		case !b.withheld[i]:
			c[i] = t.Value[i]
		case lo != table.NegInf:
			c[i], up[i] = lo, table.PosInf
			if hi != table.PosInf {
				up[i] = hi - lo
			}
		case hi != table.PosInf:
			c[i], dn[i] = hi, table.PosInf
		default:
			up[i], dn[i] = table.PosInf, table.PosInf
		}
	}
	rhs := make([]int64, t.Rel.Len())
	for j := range rhs {
		v, _ := t.Rel.Residual(j, c)
		if !v.IsInt64() {
			return table.ErrOutOfRange
		}
		rhs[j] = -v.Int64()
	}
	// All relations: a redundant one may contradict the others.
	simp, err := newSimplex(s, opt.LP, all(t.Rel.Len()))
	if err != nil {
		return err
	}
	e := s.exactOver(simp)
	defer e.Close()
	copy(e.up, up) // not tightened: the right-hand sides are not 0 here
	copy(e.dn, dn)
	e.model()
	largest := e.simp.unit
	for _, r := range rhs {
		for float64(abs64(r)) > largest*(1<<modelRange) {
			largest *= 2
		}
	}
	e.simp.rescale(largest)
	for j, r := range rhs {
		if err := e.simp.solver.SetRowBounds(j, float64(r)/e.simp.unit, float64(r)/e.simp.unit); err != nil {
			return err
		}
	}
	res, err := e.simp.solver.Solve(ctx)
	if err != nil {
		return err
	}
	switch res.Status {
	case lp.Optimal:
	case lp.Infeasible:
		return ErrInconsistent
	case lp.Cancelled:
		return context.Cause(ctx)
	default:
		return fmt.Errorf("interval: %s stopped with %v (%s)", e.simp.solver.Capabilities().Name, res.Status, res.Raw)
	}
	for i, v := range res.Primal {
		e.z[i] = v * e.simp.unit
	}
	num, den, ok := e.reconstruct(rhs)
	if !ok {
		return ErrInexact
	}
	b.num, b.den = make([]int64, n), den
	for i := range n {
		b.num[i] = c[i]*den + num[i]
	}
	return nil
}

func abs64(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// still is the interval of a cell that cannot move.
func (b *base) still(k int, opt *Options) Cell {
	v := big.NewRat(b.num[k], b.den)
	c := Cell{Index: k, Lo: v, Hi: new(big.Rat).Set(v)}
	if opt.Witness {
		c.LoWitness = b.witness(&End{Den: 1})
		c.HiWitness = c.LoWitness
	}
	return c
}

// cell computes the interval of cell k.
func (b *base) cell(ctx context.Context, e *Exact, k int, opt *Options) (Cell, error) {
	c := Cell{Index: k}
	for _, sign := range [2]int{-1, 1} {
		limit := b.clamp
		if b.t.Upper[k] == table.PosInf || b.t.Lower[k] == table.NegInf {
			limit = table.PosInf
		}
		var end *End
		var err error
		if opt.Integer && e.simp != nil {
			end, err = e.maxInteger(ctx, b, k, sign, limit)
		} else {
			end, err = e.Max(ctx, k, sign, limit, true)
		}
		if err != nil {
			return c, fmt.Errorf("cell %s: %w", b.t.CellName(k), err)
		}
		var v *big.Rat
		if end.Bound != nil {
			if end.Bound.Cmp(end.Value) != 0 {
				c.Inexact = true
			}
			v = new(big.Rat).SetInt64(int64(sign))
			v.Mul(v, end.Value)
			v.Add(v, new(big.Rat).SetInt64(b.num[k]))
			v.Quo(v, new(big.Rat).SetInt64(b.den))
		}
		var w *Witness
		if opt.Witness {
			w = b.witness(end)
		}
		if sign < 0 {
			c.Lo, c.LoWitness = v, w
		} else {
			c.Hi, c.HiWitness = v, w
		}
	}
	return c, nil
}

// judge sets Protected and Disclosed.
func (b *base) judge(c *Cell) {
	t, k := b.t, c.Index
	c.Disclosed = !c.Inexact && c.Lo != nil && c.Hi != nil && c.Lo.Cmp(c.Hi) == 0
	c.Protected = true
	if t.Status[k] != table.Sensitive && t.Known(k) {
		return
	}
	if !t.Known(k) && c.Disclosed {
		c.Protected = false
	}
	if t.Known(k) {
		a := new(big.Rat).SetInt64(t.Value[k])
		if c.Lo != nil && new(big.Rat).Sub(a, c.Lo).Cmp(new(big.Rat).SetInt64(t.LPL[k])) < 0 ||
			c.Hi != nil && new(big.Rat).Sub(c.Hi, a).Cmp(new(big.Rat).SetInt64(t.UPL[k])) < 0 {
			c.Protected = false
		}
	}
	if c.Lo != nil && c.Hi != nil {
		cmp := new(big.Rat).Sub(c.Hi, c.Lo).Cmp(new(big.Rat).SetInt64(t.SPL[k]))
		if cmp < 0 || t.Strict && cmp == 0 {
			c.Protected = false
		}
	}
}

// witness adds the deviation of an end to the base.
func (b *base) witness(end *End) *Witness {
	w := &Witness{Num: make([]int64, len(b.num)), Den: b.den * end.Den}
	for i, v := range b.num {
		w.Num[i] = v * end.Den
	}
	for t, i := range end.Idx {
		w.Num[i] += end.Num[t]
	}
	return w
}

// A Witness is one table y = Num/Den (units of 10^−Decimals) over all cells.
type Witness struct {
	Num []int64
	Den int64
}

// Check verifies by integer arithmetic that w satisfies everything published of
// t: the relations, the values of cells that are not withheld, and the intruder's
// bounds.
func (w *Witness) Check(t *table.Table, withheld []bool) error {
	if w.Den < 1 || len(w.Num) != t.Len() {
		return fmt.Errorf("interval: witness of %d cells over %d, want %d cells over a positive denominator", len(w.Num), w.Den, t.Len())
	}
	for i, v := range w.Num {
		y := big.NewRat(v, w.Den)
		switch {
		case !withheld[i] && y.Cmp(new(big.Rat).SetInt64(t.Value[i])) != 0:
			return fmt.Errorf("interval: witness changes the published cell %s", t.CellName(i))
		case t.Lower[i] != table.NegInf && y.Cmp(new(big.Rat).SetInt64(t.Lower[i])) < 0,
			t.Upper[i] != table.PosInf && y.Cmp(new(big.Rat).SetInt64(t.Upper[i])) > 0:
			return fmt.Errorf("interval: witness puts cell %s at %s, outside the intruder's bounds", t.CellName(i), y.RatString())
		}
	}
	if !holds(t.Rel, w.Num, t.Rel.RHS, w.Den) {
		return errors.New("interval: witness violates a relation")
	}
	return nil
}

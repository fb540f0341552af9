package defence

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// An engine decides what is released. It works, with its own numbering, only on the cells that matter: those that share
// a block with a cell to protect.
type engine struct {
	p     *public
	value func(i int) int64
	rel   *table.Relations
	sys   *oracle.System
	cells []int32            // by engine cell: the cell of the table
	move  *circulationOracle // nil: nothing has to be protected

	lower, upper []int64
	fixed        []bool // released
	base         *base
	need         []int32 // cells to protect, those that failed most recently first
	seen         []cycles

	up, dn []int64 // capacities around the point under test
	idle   bool    // the oracle does not have these capacities yet

	withheld []bool // by cell of the table
}

// newEngine releases the cells that have nothing to do with the cells to protect, and finds a table consistent with all
// that is then public. value is called for released cells only.
func newEngine(ctx context.Context, p *public, value func(i int) int64) (*engine, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	e := &engine{p: p, value: value, withheld: slices.Clone(p.Open)}
	open, given := slices.Clone(p.Open), slices.Clone(p.Given)
	rel, cells, err := p.restrict(open, given)
	if err != nil {
		return nil, err
	}
	sys := oracle.NewSystem(rel)
	st, ok, err := sys.Structure(ctx)
	if err != nil {
		return nil, err
	}
	if ok { // otherwise all cells stay
		touched := make([]bool, st.Blocks+1) // the last entry is for block −1: cells that cannot move
		for c, i := range cells {
			if p.Width[i] >= 0 && st.Block[c] >= 0 {
				touched[st.Block[c]] = true
			}
		}
		released := false
		for c, i := range cells {
			b := st.Block[c]
			if b >= 0 && touched[b] || p.Keep[i] {
				continue
			}
			open[i], given[i], e.withheld[i], released = false, value(int(i)), false, true
		}
		if released {
			if rel, cells, err = p.restrict(open, given); err != nil {
				return nil, err
			}
			sys = oracle.NewSystem(rel)
		}
	}
	n := len(cells)
	e.rel, e.cells, e.sys = rel, cells, sys
	e.lower, e.upper = make([]int64, n), make([]int64, n)
	e.fixed, e.seen = make([]bool, n), make([]cycles, n)
	e.up, e.dn = make([]int64, n), make([]int64, n)
	for c, i := range cells {
		e.lower[c], e.upper[c] = p.Lower[i], p.Upper[i]
		if p.Width[i] >= 0 {
			e.need = append(e.need, int32(c))
		}
	}
	if len(e.need) == 0 {
		return e, nil
	}
	if err := e.find(ctx, make([]int64, n)); err != nil {
		return nil, err
	}
	e.move, err = newCirculationOracle(e.sys, p.LP)
	return e, err
}

func (e *engine) close() {
	if e.move != nil {
		e.move.close()
	}
}

// find computes the base from scratch: a table with the released values, which value holds.
func (e *engine) find(ctx context.Context, value []int64) error {
	open := sets.List(len(e.cells), func(c int) bool { return !e.fixed[c] })
	t := &table.Table{Value: value, Missing: open, Lower: e.lower, Upper: e.upper, Rel: e.rel}
	num, den, err := e.sys.Feasible(ctx, t, open, e.p.LP)
	if err != nil {
		return err
	}
	e.base, err = (&base{num, den}).plus(&move{den: 1})
	return err
}

// goTo makes p the point under test.
func (e *engine) goTo(p *base) error {
	e.idle = true
	return p.capacities(e.up, e.dn, e.lower, e.upper, e.fixed)
}

// load gives the oracle the capacities around the point under test.
func (e *engine) load() {
	if e.idle {
		e.move.set(e.up, e.dn)
		e.idle = false
	}
}

// wide reports whether the interval of cell k is as wide as required, around a point with denominator den.
func (e *engine) wide(ctx context.Context, k int32, den int64) (bool, error) {
	spl := e.p.Width[e.cells[k]]
	if spl > maxNum/den {
		return false, errLarge
	}
	need := spl * den
	if e.p.Strict {
		need++
	}
	if e.seen[k].show(need, e.up, e.dn) {
		return true, nil
	}
	e.load()
	width, want := new(big.Rat), new(big.Rat).SetInt64(spl*den)
	for _, sign := range [2]int{1, -1} {
		z, err := e.move.reach(ctx, k, sign, need)
		if err != nil {
			return false, err
		}
		e.seen[k].add(k, z)
		width.Add(width, big.NewRat(int64(sign)*z.at(k), z.den))
		if c := width.Cmp(want); c > 0 || c == 0 && !e.p.Strict {
			return true, nil
		}
	}
	return false, nil
}

// allWide reports whether all cells to protect are wide enough around p. One that is not is tested first the next time.
func (e *engine) allWide(ctx context.Context, p *base) (bool, error) {
	if err := e.goTo(p); err != nil {
		return false, err
	}
	for t, k := range e.need {
		ok, err := e.wide(ctx, k, p.den)
		if err != nil {
			return false, err
		}
		if !ok {
			copy(e.need[1:t+1], e.need[:t])
			e.need[0] = k
			return false, nil
		}
	}
	return true, nil
}

// ends returns points at which cell i has its greatest and least possible value, as far as these are finite; the base
// if neither is, as the width is then the same everywhere; none if the cell cannot move.
func (e *engine) ends(ctx context.Context, i int32) ([]*base, error) {
	if err := e.goTo(e.base); err != nil {
		return nil, err
	}
	e.load()
	var ps []*base
	stays := 0
	for _, sign := range [2]int{1, -1} {
		z, err := e.move.end(ctx, i, sign)
		if err != nil {
			return nil, err
		}
		if z == nil {
			continue
		}
		if z.at(i) == 0 {
			stays++
			continue
		}
		p, err := e.base.plus(z)
		if err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	if stays == 1 || stays == 0 && len(ps) == 0 { // the base is one end, or the cell is unbounded
		ps = append(ps, e.base)
	}
	return ps, nil
}

// may reports whether cell i may be released: whatever value it can have, every cell to protect stays wide enough. With
// the other values given, the width of a cell is a concave function of that value, so its minimum is at an end. A cell
// for which this cannot be settled exactly is not released.
func (e *engine) may(ctx context.Context, i int32) (bool, error) {
	ps, err := e.ends(ctx, i)
	ok := true
	e.fixed[i] = true
	for t := 0; t < len(ps) && ok && err == nil; t++ {
		ok, err = e.allWide(ctx, ps[t])
	}
	e.fixed[i] = false
	if inexact(err) {
		return false, nil
	}
	return ok, err
}

func inexact(err error) bool {
	return errors.Is(err, oracle.ErrInexact) || errors.Is(err, errLarge)
}

// maxBaseDen is the denominator beyond which the base is computed from scratch: a linear program need not stop at a
// vertex, and denominators multiply.
const maxBaseDen = 60

// release publishes cell c, whose value is v, and moves the base to such a table.
func (e *engine) release(ctx context.Context, c int32, v int64) error {
	e.withheld[e.cells[c]] = false
	ok, err := e.shift(ctx, c, v)
	e.fixed[c] = true
	if err != nil && !inexact(err) || err == nil && ok && e.base.den <= maxBaseDen {
		return err
	}
	value := make([]int64, len(e.cells))
	for b, fixed := range e.fixed {
		if fixed {
			value[b] = e.base.num[b] / e.base.den
		}
	}
	value[c] = v
	return e.find(ctx, value)
}

// shift moves the base to a table in which cell c has the value v; false if it did not get there.
func (e *engine) shift(ctx context.Context, c int32, v int64) (bool, error) {
	if num.Magnitude(v) > uint64(maxNum/e.base.den) {
		return false, errLarge
	}
	by := v*e.base.den - e.base.num[c]
	if by == 0 {
		return true, nil
	}
	if err := e.goTo(e.base); err != nil {
		return false, err
	}
	sign := 1
	if by > 0 {
		e.up[c] = min(e.up[c], by)
	} else {
		sign, by = -1, -by
		e.dn[c] = min(e.dn[c], by)
	}
	e.load()
	z, err := e.move.reach(ctx, c, sign, by)
	if err != nil {
		return false, err
	}
	p, err := e.base.plus(z)
	if err != nil || p.num[c]%p.den != 0 || p.num[c]/p.den != v {
		return false, err
	}
	e.base = p
	return true, nil
}

// run releases one cell after another, in rounds over those still withheld until none may be released: a cell that
// might have had too large a value early on may turn out harmless once others are public. During a round it reports the
// number of cells decided through progress.
func (e *engine) run(ctx context.Context, progress func(done, total int)) error {
	if len(e.need) == 0 {
		return nil // none of the open cells may be released
	}
	for _, k := range slices.Clone(e.need) {
		if err := e.goTo(e.base); err != nil {
			return err
		}
		wide, err := e.wide(ctx, k, e.base.den)
		if err != nil {
			return err
		}
		if !wide {
			return e.exposure(ctx, k)
		}
	}
	o := e.newOrder()
	var queue, later []int32
	for c, i := range e.cells {
		if !e.p.Keep[i] {
			queue = append(queue, int32(c))
		}
	}
	for total := len(queue); ; queue, later = later, queue[:0] {
		released := 0
		for len(queue) > 0 {
			best := 0
			for t, c := range queue {
				if o.before(c, queue[best]) {
					best = t
				}
			}
			c := queue[best]
			queue[best] = queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			ok, err := e.may(ctx, c)
			if err != nil {
				return err
			}
			if !ok {
				later = append(later, c)
				continue
			}
			v := e.value(int(e.cells[c]))
			if err := e.release(ctx, c, v); err != nil {
				return err
			}
			o.released(e, c, v)
			if released++; progress != nil {
				progress(total-len(queue)-len(later), total)
			}
		}
		if released == 0 {
			return nil
		}
	}
}

// exposure returns the error for cell k, with its widest interval.
func (e *engine) exposure(ctx context.Context, k int32) error {
	u := &exposed{cell: int(e.cells[k])}
	if err := e.goTo(e.base); err != nil {
		return err
	}
	e.load()
	for _, sign := range [2]int{1, -1} {
		z, err := e.move.end(ctx, k, sign)
		switch {
		case inexact(err):
			continue // the error omits the number
		case err != nil:
			return err
		case z == nil:
			continue
		}
		v := big.NewRat(z.at(k), z.den)
		v.Add(v, new(big.Rat).SetInt64(e.base.num[k]))
		v.Quo(v, new(big.Rat).SetInt64(e.base.den))
		if sign > 0 {
			u.hi = v
		} else {
			u.lo = v
		}
	}
	return u
}

package certificate

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// A Pattern is the row Σ_{i∉S} x_i ≥ 1 over free cells: withholding the cells S in addition to the given ones leaves a
// level unmet, and so does withholding any subset of S. The duals prove this for capacities tightened by the relations
// (tighten).
type Pattern struct {
	Level
	Withheld []int32
}

func (c *Pattern) row(b *book) (*row, error) {
	p := b.p
	want, err := c.want(p)
	if err != nil {
		return nil, err
	}
	most, err := b.withheld(c.Withheld)
	if err != nil {
		return nil, err
	}
	up, dn := most.up, most.dn
	den, err := c.common()
	if err != nil {
		return nil, err
	}
	reach, v := new(big.Int), new(big.Int)
	for side, d := range [2]*Dual{c.Up, c.Down} {
		if d == nil {
			continue
		}
		err := b.open(d)
		f := big.NewInt(den / d.Den)
		for _, i := range b.hit {
			if err != nil {
				break
			}
			capacity := up[i]
			if (b.d[i] < 0) != (side == 1) {
				capacity = dn[i]
			}
			if b.d[i] != 0 && capacity == table.PosInf {
				err = errNothing
			}
			v.SetUint64(num.Magnitude(b.d[i]))
			v.Mul(v, f)
			reach.Add(reach, v.Mul(v, big.NewInt(capacity)))
		}
		b.close()
		if err != nil {
			return nil, err
		}
	}
	v.Mul(big.NewInt(want), big.NewInt(den))
	if c.Up != nil && c.Down != nil && p.t.Strict {
		v.Add(v, big.NewInt(1))
	}
	if reach.Cmp(v) >= 0 {
		return nil, errNothing
	}
	for _, i := range c.Withheld {
		b.mark[i] = true
	}
	r := &row{rhs: one}
	for i := range p.n {
		if p.free[i] && !b.mark[i] {
			r.idx = append(r.idx, int32(i))
		}
	}
	for _, i := range c.Withheld {
		b.mark[i] = false
	}
	return r, nil
}

// A reach holds upper bounds on how far cells can move while some are withheld; PosInf: unbounded.
type reach struct {
	cells  []int32 // withheld in addition to the given ones
	up, dn []int64
}

// withheld returns the reach when cells are withheld in addition to the given ones. It is valid until the next call.
func (b *book) withheld(cells []int32) (*reach, error) {
	p := b.p
	r := b.reach
	switch {
	case r == nil:
		r = &reach{up: make([]int64, p.n), dn: make([]int64, p.n)}
	case slices.Equal(r.cells, cells):
		return r, nil
	}
	b.reach = nil
	for i := range p.n {
		r.up[i], r.dn[i] = 0, 0
		if p.given[i] {
			r.up[i], r.dn[i] = p.up[i], p.dn[i]
		}
	}
	for _, i := range cells {
		if !p.free[i] {
			return nil, errNotFree
		}
		for k := int(i); k < p.n; k += p.m {
			r.up[k], r.dn[k] = p.up[k], p.dn[k]
		}
	}
	tighten(p.t.Rel, r.up, r.dn)
	r.cells = append(r.cells[:0], cells...)
	b.reach = r
	return r, nil
}

// tighten makes two passes over the relations in order. In a relation Σ c_i z_i = 0 each cell in turn is limited to
// what the other cells of the relation can carry in the other direction, c_i z_i ≤ Σ_{others} max(−c z), rounded up to
// whole units. Sums beyond 2^60 count as infinite.
func tighten(rel *table.Relations, up, dn []int64) {
	const huge = 1 << 60
	type capacity struct{ up, dn int64 } // max c·z and max −c·z, PosInf: infinite
	scaled := func(c int32, i int32) capacity {
		f, u, d := int64(c), up[i], dn[i]
		if f < 0 {
			f, u, d = -f, dn[i], up[i]
		}
		times := func(v int64) int64 {
			if v == table.PosInf || v > huge/max(1, f) {
				return table.PosInf
			}
			return f * v
		}
		return capacity{times(u), times(d)}
	}
	for range 2 {
		for j := range rel.Len() {
			cell, coef := rel.Row(j)
			var sum capacity
			var inf [2]int
			count := func(total *int64, inf *int, v int64) {
				if v == table.PosInf || *total > huge {
					*inf++
				} else {
					*total += v
				}
			}
			for t, i := range cell {
				r := scaled(coef[t], i)
				count(&sum.up, &inf[0], r.up)
				count(&sum.dn, &inf[1], r.dn)
			}
			for t, i := range cell {
				own := scaled(coef[t], i)
				c := int64(coef[t])
				if rest, ok := without(sum.dn, inf[1], own.dn); ok { // c·z_i ≤ rest
					limit(c, i, rest, up, dn)
				}
				if rest, ok := without(sum.up, inf[0], own.up); ok { // −c·z_i ≤ rest
					limit(-c, i, rest, up, dn)
				}
			}
		}
	}
}

// without removes one term from a sum that has inf infinite terms.
func without(sum int64, inf int, own int64) (int64, bool) {
	switch {
	case inf == 0:
		return sum - own, true
	case inf == 1 && own == table.PosInf:
		return sum, true
	}
	return 0, false
}

// limit applies c·z_i ≤ capacity, rounded up to whole units.
func limit(c int64, i int32, capacity int64, up, dn []int64) {
	switch {
	case c > 0:
		up[i] = min(up[i], (capacity+c-1)/c)
	case c < 0:
		dn[i] = min(dn[i], (capacity-c-1)/-c)
	}
}

func (c *Pattern) write(w *writer) line {
	return line{Is: "exclude", Up: w.dual(c.Up), Down: w.dual(c.Down), Cells: c.Withheld}
}

func readPattern(r *reader, l *line) (Rule, error) {
	rule, err := readLevel(r, l)
	if err != nil {
		return nil, err
	}
	return &Pattern{Level: *rule.(*Level), Withheld: l.Cells}, nil
}

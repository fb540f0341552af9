package rounding

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A lattice is the set of tables y_i = off_i + b·z_i with M z = d, lo ≤ z ≤ up, with the costs w_i·|y_i − a_i|.
type lattice struct {
	rel    *table.Relations
	b      int64
	a, off []int64
	w      []int64
	lo, up []int64
	d      []int64
	// a_i = off_i + b·floor_i + rest_i, 0 ≤ rest_i < b: the cost decreases in z up to floor and increases from floor +
	// 1 on.
	floor, rest []int64
	reach       int64 // largest |y − a| that a reader must allow for
}

// nearest returns the lattice of multiples of the base up to steps beyond the two nearest. Empty cells stay empty, and
// nonnegative cells stay nonnegative.
func nearest(t *table.Table, opt *Options, steps int) (*lattice, error) {
	n, k := t.Len(), int64(steps)
	l := &lattice{rel: t.Rel, b: opt.Base, a: t.Value, off: make([]int64, n), w: opt.Weights, lo: make([]int64, n), up: make([]int64, n), reach: Reach(opt.Base, steps, opt.Unit)}
	if err := l.cut(t); err != nil {
		return nil, err
	}
	for i, v := range t.Value {
		f := l.floor[i]
		switch {
		case v == 0:
			l.lo[i], l.up[i] = 0, 0
			continue
		case l.rest[i] == 0:
			l.lo[i], l.up[i] = f-k, f+k
		default:
			l.lo[i], l.up[i] = f-k, f+1+k
		}
		if v > 0 {
			l.lo[i] = max(l.lo[i], 0)
		} else {
			l.up[i] = min(l.up[i], 0)
		}
	}
	return l, nil
}

// cut sets floor, rest, d and the weights; it fails if no multiples can satisfy the relations or numbers are too large.
func (l *lattice) cut(t *table.Table) error {
	n := len(l.a)
	l.floor, l.rest, l.d = make([]int64, n), make([]int64, n), make([]int64, l.rel.Len())
	if l.w == nil {
		l.w = slices.Repeat([]int64{1}, n)
	}
	total := 0.0
	for i, v := range l.a {
		l.floor[i] = num.FloorDiv(v-l.off[i], l.b)
		l.rest[i] = v - l.off[i] - l.b*l.floor[i]
		total += float64(float64(l.w[i]) * (math.Abs(float64(v)) + float64(64*float64(l.b))))
	}
	if total > 1<<58 {
		return i18n.Errorf("table %s: distances: %w", t.Name, table.ErrOutOfRange)
	}
	for j := range l.d {
		cell, coef := l.rel.Row(j)
		r := l.rel.RHS[j]
		for e, i := range cell {
			r -= int64(coef[e]) * l.off[i]
		}
		if r%l.b != 0 {
			return i18n.Errorf("table %s: %s: no multiples of %s add up to it", t.Name, t.RelationName(j), table.FormatDecimal(l.b, t.Decimals))
		}
		l.d[j] = r / l.b
	}
	return nil
}

// cost returns w|y − a| of cell i at z.
func (l *lattice) cost(i int, z int64) int64 {
	return l.w[i] * num.Abs(l.off[i]+l.b*z-l.a[i])
}

// distance returns Σ w|y − a|.
func (l *lattice) distance(z []int64) int64 {
	var s int64
	for i, v := range z {
		s += l.cost(i, v)
	}
	return s
}

// least returns a lower bound on the distance: the sum over cells of each one's minimum.
func (l *lattice) least() int64 {
	var s int64
	for i := range l.a {
		z := min(max(l.floor[i], l.lo[i]), l.up[i])
		s += min(l.cost(i, z), l.cost(i, min(z+1, l.up[i])))
	}
	return s
}

// table returns y.
func (l *lattice) table(z []int64) []int64 {
	return sets.List(len(z), func(i int) int64 { return l.off[i] + l.b*z[i] })
}

// holds reports whether z is a point of the lattice.
func (l *lattice) holds(z []int64) bool {
	for i, v := range z {
		if v < l.lo[i] || v > l.up[i] {
			return false
		}
	}
	for j, d := range l.d {
		cell, coef := l.rel.Row(j)
		for e, i := range cell {
			d -= int64(coef[e]) * z[i]
		}
		if d != 0 {
			return false
		}
	}
	return true
}

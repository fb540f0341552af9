package guard

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// Met reports which unions are shown, by witness tables that what.Show finds without linear programs, to meet their
// levels under the pattern withheld. The others may meet them too.
func (what *UnionOptions) Met(ctx context.Context, t *table.Table, withheld []bool, unions []table.Union) []bool {
	if what.Show == nil || t.Rounded() || len(unions) == 0 {
		return make([]bool, len(unions))
	}
	witnesses := what.Show(ctx, withUnions(fixed(t, withheld), unions))
	for _, w := range witnesses {
		drop(w, int32(t.Len()))
	}
	return shown(t, withheld, witnesses, unions)
}

// fixed returns t without levels and with a pattern that cannot change.
func fixed(t *table.Table, withheld []bool) *table.Table {
	v := t.Clone()
	for i, in := range withheld {
		v.LPL[i], v.UPL[i], v.Width[i] = 0, 0, 0
		if v.Status[i] = table.Published; in {
			v.Status[i] = table.Withheld
		}
	}
	return v
}

// shown reports which unions the witnesses show to meet their levels; none if a witness is not consistent with the
// publication. Each witness is a movement, which is scaled in both directions as far as the bounds of its cells allow.
// Most unions need no linear program of their own, as one of their cells moves without the others. Cost: for each
// union, the entries of its cells in the witnesses; exact arithmetic is used only where a witness reaches farther than
// those before it.
func shown(t *table.Table, withheld []bool, witnesses []*certificate.Witness, unions []table.Union) []bool {
	met := make([]bool, len(unions))
	if len(unions) == 0 || certificate.Protects(fixed(t, withheld), withheld, witnesses) != nil {
		return met
	}
	// The unions of each cell, and its position of each cell in the current witness
	of, at := make([][]int32, t.Len()), make([]int32, t.Len())
	for k := range unions {
		for _, i := range unions[k].Cells {
			of[i] = append(of[i], int32(k))
		}
	}
	reached := make([]reach, len(unions))
	sum, touched := make([]float64, len(unions)), []int32(nil)
	for _, w := range witnesses {
		for e, i := range w.Cells {
			at[i] = int32(e)
			z, _ := new(big.Float).SetInt(moves(w, e)).Float64()
			for _, k := range of[i] {
				if sum[k] == 0 {
					touched = append(touched, k)
				}
				sum[k] += z
			}
		}
		// on and back are the largest multiples of the movement, and of its reverse, within bounds, divided by its
		// denominator.
		var on, back end
		known := false
		for _, k := range touched {
			z := sum[k]
			if sum[k] = 0; met[k] || z == 0 {
				continue
			}
			if !known {
				on, back, known = multiples(t, w, 1), multiples(t, w, -1), true
			}
			r, ahead, behind := &reached[k], on, back
			if z < 0 {
				z, ahead, behind = -z, back, on
			}
			if !r.up.before(z, &ahead) && !r.down.before(z, &behind) {
				continue
			}
			v := new(big.Int)
			for _, i := range unions[k].Cells {
				if e := at[i]; int(e) < len(w.Cells) && w.Cells[e] == i {
					v.Add(v, moves(w, int(e)))
				}
			}
			if z := new(big.Rat).SetInt(v.Abs(v)); v.Sign() != 0 {
				r.up.farther(z, &ahead)
				r.down.farther(z, &behind)
				met[k] = r.meets(&unions[k], t.Strict)
			}
		}
		touched = touched[:0]
	}
	return met
}

// An end is how far something can move: exactly at, about approximately; at is nil and about infinite if it is
// unbounded.
type end struct {
	at    *big.Rat
	about float64
}

// finite returns the end at, even if it exceeds a float64.
func finite(at *big.Rat) end {
	about, _ := at.Float64()
	return end{at, min(about, math.MaxFloat64)}
}

// before reports, in floating point, that z·by reaches farther than e.
func (e *end) before(z float64, by *end) bool { return z*by.about > e.about*(1+1e-9) }

// farther raises e to z·by if that is farther.
func (e *end) farther(z *big.Rat, by *end) {
	switch {
	case math.IsInf(e.about, 1):
	case math.IsInf(by.about, 1):
		*e = *by
	default:
		if v := new(big.Rat).Mul(z, by.at); e.at == nil || v.Cmp(e.at) > 0 {
			*e = finite(v)
		}
	}
}

// A reach is how far a union can move up and down.
type reach struct{ up, down end }

// meets reports whether r meets the levels of n.
func (r *reach) meets(n *table.Union, strict bool) bool {
	reaches := func(e *end, level int64) bool {
		return math.IsInf(e.about, 1) || level <= 0 || e.at != nil && e.at.Cmp(new(big.Rat).SetInt64(level)) >= 0
	}
	if !reaches(&r.up, n.UPL) || !reaches(&r.down, n.LPL) {
		return false
	}
	if math.IsInf(r.up.about, 1) || math.IsInf(r.down.about, 1) {
		return true
	}
	width := new(big.Rat)
	for _, e := range []*end{&r.up, &r.down} {
		if e.at != nil {
			width.Add(width, e.at)
		}
	}
	c := width.Cmp(new(big.Rat).SetInt64(n.Width))
	return c > 0 || c == 0 && !strict
}

// moves returns how far w moves the cell at position e, in units of 1/denominator.
func moves(w *certificate.Witness, e int) *big.Int {
	if w.Long != nil {
		return w.Long.Num[e]
	}
	return big.NewInt(w.Num[e])
}

// multiples returns how often w can be applied in direction sign within the bounds of its cells, divided by the
// denominator of w.
func multiples(t *table.Table, w *certificate.Witness, sign int) end {
	var least *big.Rat
	for e, i := range w.Cells {
		z := moves(w, e)
		room, dn := protection.Capacities(t, int(i))
		if z.Sign() != sign {
			room = dn
		}
		if z.Sign() == 0 || room == table.PosInf {
			continue
		}
		if at := new(big.Rat).SetFrac(big.NewInt(room), new(big.Int).Abs(z)); least == nil || at.Cmp(least) < 0 {
			least = at
		}
	}
	if least == nil {
		return end{nil, math.Inf(1)}
	}
	return finite(least)
}

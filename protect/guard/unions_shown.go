package guard

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// Met says of which unions it can be shown without linear programs that they meet their levels with the cells withheld that are: by tables that what.Show finds. The others may meet them, too.
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

// fixed is t with a pattern that cannot change, without levels.
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

// shown says of which unions witnesses show that they meet their levels, none if one of them is not a table that agrees with what is published: each, as far as the bounds of its cells let it go on
// in its direction and in the other. Most unions need no program of their own, as one of their cells moves without the others. Cost: the entries of the witnesses for each union of
// their cells.
func shown(t *table.Table, withheld []bool, witnesses []*certificate.Witness, unions []table.Union) []bool {
	met := make([]bool, len(unions))
	if len(unions) == 0 || certificate.Protects(fixed(t, withheld), withheld, witnesses) != nil {
		return met
	}
	of := map[int32][]int{}
	for k := range unions {
		for _, i := range unions[k].Cells {
			of[i] = append(of[i], k)
		}
	}
	up, down := make([]*big.Rat, len(unions)), make([]*big.Rat, len(unions)) // nil: without end
	for k := range unions {
		up[k], down[k] = new(big.Rat), new(big.Rat)
	}
	farther := func(end **big.Rat, z, times *big.Rat) {
		switch {
		case *end == nil:
		case times == nil:
			*end = nil
		default:
			if v := new(big.Rat).Mul(z, times); v.Cmp(*end) > 0 {
				*end = v
			}
		}
	}
	for _, w := range witnesses {
		sum, den := map[int]*big.Int{}, big.NewInt(w.Den)
		if w.Long != nil {
			den = w.Long.Den
		}
		for e, i := range w.Cells {
			for _, k := range of[i] {
				if sum[k] == nil {
					sum[k] = new(big.Int)
				}
				sum[k].Add(sum[k], moves(w, e))
			}
		}
		var on, back *big.Rat // how often the movement may be made, and made the other way
		known := false
		for k, v := range sum {
			if v.Sign() == 0 {
				continue
			}
			if !known {
				on, back, known = multiples(t, w, 1), multiples(t, w, -1), true
			}
			z := new(big.Rat).SetFrac(v, den)
			if v.Sign() > 0 {
				farther(&up[k], z, on)
				farther(&down[k], z, back)
			} else {
				z.Neg(z)
				farther(&down[k], z, on)
				farther(&up[k], z, back)
			}
		}
	}
	for k := range unions {
		n := &unions[k]
		reaches := func(end *big.Rat, level int64) bool { return end == nil || end.Cmp(new(big.Rat).SetInt64(level)) >= 0 }
		wide := up[k] == nil || down[k] == nil
		if !wide {
			width := new(big.Rat).Add(up[k], down[k]).Cmp(new(big.Rat).SetInt64(n.Width))
			wide = width > 0 || width == 0 && !t.Strict
		}
		met[k] = reaches(up[k], n.UPL) && reaches(down[k], n.LPL) && wide
	}
	return met
}

// moves is how far w moves its cell e, in parts of its denominator.
func moves(w *certificate.Witness, e int) *big.Int {
	if w.Long != nil {
		return w.Long.Num[e]
	}
	return big.NewInt(w.Num[e])
}

// multiples is how often w may be made in direction sign within the bounds of its cells; nil: as often as one likes.
func multiples(t *table.Table, w *certificate.Witness, sign int) *big.Rat {
	den := big.NewInt(w.Den)
	if w.Long != nil {
		den = w.Long.Den
	}
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
		at := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(room), den), new(big.Int).Abs(z))
		if least == nil || at.Cmp(least) < 0 {
			least = at
		}
	}
	return least
}

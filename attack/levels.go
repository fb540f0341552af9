package attack

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// levels are what the office asks for at sensitive cells.
type levels struct {
	q     int64   // levels are in units of 1/q
	level []level // per position
}

// A level is what a sensitive cell needs: spl, lpl, upl in units of 1/q, or
// percentages of |v| in the same units; a negative constant means percentage.
type level struct {
	fix [3]int64 // Width, LPL, UPL, −1: by rate
	per [3]int64
}

// levelsOf returns the levels that the office asks for at cells.
func levelsOf(office *Office, t *table.Table, cells []int32) (n levels, err error) {
	l := [3]*table.Level{office.Levels.Width, office.Levels.LPL, office.Levels.UPL}
	n.q = 1
	for _, v := range l {
		if v != nil && v.Percent {
			n.q = max(n.q, table.Pow10(2+v.Scale))
		}
	}
	n.level = make([]level, len(cells))
	for p, i := range cells {
		for k, given := range [3]int64{t.Width[i], t.LPL[i], t.UPL[i]} {
			lev := &n.level[p]
			switch v := l[k]; {
			case given != 0 || v == nil:
				if given > maxWord/n.q {
					return n, i18n.Errorf("attack: cell %s: level too large", t.CellName(int(i)))
				}
				lev.fix[k] = given * n.q
			case v.Percent:
				lev.fix[k] = -1
				lev.per[k] = v.Unscaled * (n.q / table.Pow10(2+v.Scale))
			default:
				a, ok := v.At(t.Decimals)
				if !ok || a > maxWord/n.q {
					return n, i18n.Errorf("attack: level %s: want at most %d decimals, as the values have", v.Decimal, t.Decimals)
				}
				lev.fix[k] = a * n.q
			}
		}
	}
	return n, nil
}

// need returns the largest level k (0 Width, 1 LPL, 2 UPL) of position p for values
// in [l, u], in units of 1/q.
func (n *levels) need(p int32, k int, l, u int64) int64 {
	lev := &n.level[p]
	if lev.fix[k] >= 0 {
		return lev.fix[k]
	}
	if lev.per[k] == 0 {
		return 0
	}
	v := max(u, -l)
	if l > 0 || u < 0 {
		v = max(num.Abs(l), num.Abs(u))
	}
	r := max(mulSat(lev.per[k], v), n.q)
	if k == 1 {
		r = min(r, mulSat(v, n.q))
	}
	return r
}

// most returns what is above all levels of the tables of a box, in units of values.
func (n *levels) most(b box) (int64, error) {
	l, u := b.ends()
	most := int64(0)
	for p := range n.level {
		for k := range 3 {
			most = max(most, (n.need(int32(p), k, l[p], u[p])+n.q-1)/n.q)
		}
	}
	most++
	if most > maxWord/(4*grain*n.q) {
		return 0, i18n.Errorf("attack: levels up to %d units are too large", most)
	}
	return most, nil
}

// An extent is a feasible interval in units of 1/q: its width rounded down, with
// whether that is exact, and its ends rounded inwards.
type extent struct {
	w, lo, hi int64
	exact     bool
}

// extentsOf returns the intervals of the office's intruder for the cells of t.
func extentsOf(v *possible, units int64, t *table.Table, cells []int32) ([]extent, error) {
	q := new(big.Rat).SetInt64(units)
	extents := make([]extent, len(cells))
	for p, i := range cells {
		lo, hi := new(big.Rat).Mul(v.feasLo[p], q), new(big.Rat).Mul(v.feasHi[p], q)
		d := new(big.Rat).Sub(hi, lo)
		e := &extents[p]
		var ok [3]bool
		e.lo, ok[0] = ceilRat(lo)
		e.hi, ok[1] = floorRat(hi)
		e.w, ok[2] = floorRat(d)
		e.exact = d.IsInt()
		if ok != [3]bool{true, true, true} {
			return nil, i18n.Errorf("attack: cell %s: its interval is too wide for its level in percent", t.CellName(int(i)))
		}
	}
	return extents, nil
}

package attack

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// levels are the protection levels that the office asks for, in the units of the search.
type levels struct {
	q     int64   // levels are in units of 1/q
	fine  int64   // percentages are in units of 1/(q·fine)
	grain int64   // steps of moves are in units of 1/(grain·q)
	down  bool    // widths are rounded down to 1/q, as they must be exceeded
	level []level // by position
}

// A level holds the levels of a sensitive cell: constants in units of 1/q, or percentages of |v| in units of
// 1/(q·fine), which apply where the constant is negative.
type level struct {
	fix [3]int64 // Width, LPL, UPL; −1: a percentage
	per [3]int64
}

// levelsOf returns the levels that the office asks for at the given cells, with q = 1.
func levelsOf(office *Office, t *table.Table, cells []int32) (n levels, err error) {
	l := [3]*table.Level{office.Levels.Width, office.Levels.LPL, office.Levels.UPL}
	n.q, n.fine, n.grain = 1, 1, 1
	for _, v := range l {
		if v != nil && v.Percent {
			n.fine = max(n.fine, table.Pow10(2+v.Scale))
		}
	}
	n.level = make([]level, len(cells))
	for p, i := range cells {
		for k, given := range [3]int64{t.Width[i], t.LPL[i], t.UPL[i]} {
			lev := &n.level[p]
			switch v := l[k]; {
			case given != 0 || v == nil:
				lev.fix[k] = given
			case v.Percent:
				by := n.fine / table.Pow10(2+v.Scale)
				if v.Unscaled > math.MaxInt64/by {
					return n, i18n.Errorf("attack: level %s: want at most 18 digits beside levels of more decimals", v.Decimal)
				}
				lev.fix[k], lev.per[k] = -1, v.Unscaled*by
			default:
				a, ok := v.At(t.Decimals)
				if !ok {
					return n, i18n.Errorf("attack: level %s: want at most %d decimals, as the values have", v.Decimal, t.Decimals)
				}
				lev.fix[k] = a
			}
		}
	}
	return n, nil
}

// grain is the resolution in which the search counts the steps of moves if numbers are short enough: moves whose
// entries divide it are counted exactly, others are rounded down, which is safe.
const grain = 12

// longest is the largest level that a table can have.
const longest = 1_000_000_000_000_000_000

// refine chooses the units of the search as fine as the levels of the sensitive cells in a box allow, and returns a
// number above all of these levels, in units of values. If levels are long, whole units remain. These are exact on
// networks, where nothing moves by a fraction; elsewhere moves then show somewhat less than they could, and the solver
// decides.
func (n *levels) refine(o *Office, t *table.Table, cells []int32, b box) (reach int64, err error) {
	lo, hi := b.ends()
	for p, i := range cells {
		l, u := lo[p], hi[p]
		if o.Below > 0 {
			a, e := o.sensitiveRange()
			l, u = max(l, a), min(u, e)
		}
		if l > u || o.Below == 0 && t.Status[i] != table.Sensitive {
			continue
		}
		for k := range 3 {
			v := n.need(int32(p), k, l, u)
			if v > longest {
				level := new(big.Rat).SetFrac(n.exactly(int32(p), k, max(num.Abs(l), num.Abs(u))).Big(), big.NewInt(n.fine))
				return 0, i18n.Errorf("attack: cell %s: its level can be %s, want at most 18 digits", t.CellName(int(i)), table.FormatRat(level, t.Decimals))
			}
			reach = max(reach, v)
		}
	}
	reach++
	if reach > maxWord/(4*grain*n.fine) {
		n.down = t.Strict
		return reach, nil
	}
	n.q, n.fine, n.grain = n.fine, 1, grain
	for p := range n.level {
		for k, v := range n.level[p].fix {
			if v > 0 {
				n.level[p].fix[k] = mulSat(v, n.q)
			}
		}
	}
	return reach, nil
}

// need returns the largest level k (0 Width, 1 LPL, 2 UPL) of position p for values in [l, u], in units of 1/q, rounded
// up, or down for widths if n.down.
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
	r := int64(0)
	if n.fine == 1 {
		r = mulSat(lev.per[k], v)
	} else {
		r = n.rounded(lev.per[k], v, k == 0 && n.down)
	}
	r = max(r, n.q)
	if k == 1 {
		r = min(r, mulSat(v, n.q))
	}
	return r
}

// rounded returns per·v/fine, rounded up or down, at most maxWord.
func (n *levels) rounded(per, v int64, down bool) int64 {
	a := num.Mul128(uint64(per), uint64(v))
	if !down {
		a, _ = a.Add(num.Uint128{Lo: uint64(n.fine - 1)})
	}
	return min(a.Quotient(uint64(n.fine)), maxWord)
}

// exactly returns level k of position p at the value v, in units of 1/(q·fine).
func (n *levels) exactly(p int32, k int, v int64) num.Int128 {
	lev := &n.level[p]
	if lev.fix[k] >= 0 {
		return num.Product(lev.fix[k], uint64(n.fine))
	}
	if lev.per[k] == 0 {
		return num.Int128{}
	}
	r, one := num.Product(lev.per[k], num.Magnitude(v)), num.Int128Of(n.q*n.fine)
	if r.Sub(one).Sign() < 0 {
		r = one
	}
	if all := num.Product(n.q*n.fine, num.Magnitude(v)); k == 1 && all.Sub(r).Sign() < 0 {
		r = all
	}
	return r
}

// An extent is a feasible interval in units of 1/(q·fine): its width rounded down, with a flag whether that is exact,
// and its ends rounded inwards.
type extent struct {
	w, lo, hi num.Int128
	exact     bool
}

// extentsOf returns the feasible intervals as the office's intruder has them.
func extentsOf(v *possible, units int64) []extent {
	q := num.Whole(units)
	extents := make([]extent, len(v.feasLo))
	for p, lo := range v.feasLo {
		lo, hi := new(big.Rat).Mul(lo, q), new(big.Rat).Mul(v.feasHi[p], q)
		d := new(big.Rat).Sub(hi, lo)
		extents[p] = extent{num.Int128OfBig(num.Floor(d)), num.Int128OfBig(ceil(lo)), num.Int128OfBig(num.Floor(hi)), d.IsInt()}
	}
	return extents
}

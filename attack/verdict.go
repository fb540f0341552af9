package attack

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// add extends r to hold v.
func (r *Range) add(v int64) {
	if r.Empty {
		*r = Range{Lo: v, Hi: v}
		return
	}
	r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
}

// judge sets the verdict of c. The effective interval lies between Inner and Outer: what
// Inner meets it meets, and what Outer misses it misses, so that a verdict is never
// taken back by a longer run.
func (o *Office) judge(t *table.Table, c *Cell) {
	i := c.Index
	judged := o.Below > 0 || t.Status[i] == table.Sensitive
	if judged && o.Below > 0 && t.Known(i) {
		judged = o.sensitive(t.Value[i])
	}
	c.Verdict = Unknown
	switch {
	case !judged || c.Outer.Empty:
		c.Verdict = Safe
	case t.Known(i):
		if need := o.needs(t, i, t.Value[i]); need.met(t.Value[i], c.Inner) {
			c.Verdict = Safe
		} else if !c.Inner.Empty && !need.met(t.Value[i], c.Outer) {
			c.Verdict = Unsafe
		}
	default:
		most, some := o.largest(c.Outer)
		if !some || o.needs(t, i, most).wide(c.Inner) {
			c.Verdict = Safe
		} else if most, some = o.largest(c.Inner); some && !o.needs(t, i, most).wide(c.Outer) {
			c.Verdict = Unsafe
		}
	}
}

// largest returns the greatest |v| of a sensitive value v in r.
func (o *Office) largest(r Range) (v int64, some bool) {
	if r.Empty {
		return 0, false
	}
	if o.Below == 0 {
		return max(r.Hi, -r.Lo), true
	}
	a, b := o.span()
	return min(r.Hi, b), r.Lo <= b && r.Hi >= a
}

// A demand is the levels of one sensitive cell, in units of the values.
type demand struct {
	spl, lpl, upl *big.Rat
	strict        bool
}

// needs returns the levels of cell i at the value v, as table.SetLevels gives them.
func (o *Office) needs(t *table.Table, i int, v int64) demand {
	of := func(own int64, l *table.Level) *big.Rat {
		switch {
		case own != 0 || l == nil:
			return new(big.Rat).SetInt64(own)
		case l.Percent && l.Unscaled > 0:
			r := new(big.Rat).SetFrac64(l.Unscaled, table.Pow10(l.Scale+2))
			if r.Mul(r, new(big.Rat).SetInt64(abs(v))); r.Cmp(one) < 0 {
				r.Set(one)
			}
			return r
		}
		return new(big.Rat).SetFrac(
			new(big.Int).Mul(big.NewInt(l.Unscaled), big.NewInt(table.Pow10(t.Decimals))),
			big.NewInt(table.Pow10(l.Scale)))
	}
	d := demand{of(t.SPL[i], o.Levels.SPL), of(t.LPL[i], o.Levels.LPL), of(t.UPL[i], o.Levels.UPL), o.Strict || t.Strict}
	if most := new(big.Rat).SetInt64(abs(v)); t.LPL[i] == 0 && o.Levels.LPL != nil && o.Levels.LPL.Percent && d.lpl.Cmp(most) > 0 {
		d.lpl = most
	}
	return d
}

var one = big.NewRat(1, 1)

// met reports whether r meets the levels around v.
func (d demand) met(v int64, r Range) bool {
	if r.Empty {
		return false
	}
	dn, up := new(big.Rat).SetInt64(v-r.Lo), new(big.Rat).SetInt64(r.Hi-v)
	return dn.Cmp(d.lpl) >= 0 && up.Cmp(d.upl) >= 0 && d.reached(d.spl, r)
}

// wide reports whether r has the width that is asked, or that the distances asked
// add up to.
func (d demand) wide(r Range) bool {
	return !r.Empty && d.reached(d.spl, r) && d.reached(new(big.Rat).Add(d.lpl, d.upl), r)
}

func (d demand) reached(w *big.Rat, r Range) bool {
	c := new(big.Rat).SetInt64(r.Width()).Cmp(w)
	return c > 0 || c == 0 && !d.strict
}

// span is the range of sensitive counts.
func (o *Office) span() (a, b int64) {
	if o.Zeros {
		return 0, o.Below - 1
	}
	return 1, o.Below - 1
}

// sensitive is the rule on a count.
func (o *Office) sensitive(v int64) bool { return v < o.Below && (v >= 1 || o.Zeros && v >= 0) }

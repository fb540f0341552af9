package attack

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// add extends r to include v.
func (r *Range) add(v int64) {
	if r.Empty {
		*r = Range{Lo: v, Hi: v}
		return
	}
	r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
}

// Judge sets the verdicts as an office sees them that has the values: t is the table with these values, with the same
// cells and units.
func (r *Result) Judge(t *table.Table) {
	for p := range r.Cells {
		r.x.judge(int32(p), t, &r.Cells[p])
	}
}

// judge sets the verdict of c. The effective interval lies between Inner and Outer: levels that Inner meets are met,
// those that Outer misses are missed, so a longer run never retracts a verdict.
func (x *setting) judge(p int32, t *table.Table, c *Cell) {
	o := x.office
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
		if need := x.demands(p, t.Value[i]); need.met(t.Value[i], c.Inner) {
			c.Verdict = Safe
		} else if !c.Inner.Empty && !need.met(t.Value[i], c.Outer) {
			c.Verdict = Unsafe
		}
	default:
		most, some := o.largest(c.Outer)
		if !some || x.demands(p, most).wide(c.Inner) {
			c.Verdict = Safe
		} else if most, some = o.largest(c.Inner); some && !x.demands(p, most).wide(c.Outer) {
			c.Verdict = Unsafe
		}
	}
}

// largest returns the largest |v| over the sensitive values v in r.
func (o *Office) largest(r Range) (v int64, some bool) {
	if r.Empty {
		return 0, false
	}
	if o.Below == 0 {
		return max(r.Hi, -r.Lo), true
	}
	a, b := o.sensitiveRange()
	return min(r.Hi, b), r.Lo <= b && r.Hi >= a
}

// A demand holds the exact levels of one sensitive cell, in units of 1/q.
type demand struct {
	spl, lpl, upl num.Int128
	q             int64
	strict        bool
}

// demands returns the levels of position p at the value v.
func (x *setting) demands(p int32, v int64) demand {
	return demand{x.exactly(p, 0, v), x.exactly(p, 1, v), x.exactly(p, 2, v), x.q * x.fine, x.base.Strict}
}

// met reports whether r meets the levels around v.
func (d demand) met(v int64, r Range) bool {
	return !r.Empty && times(d.q, v-r.Lo).Sub(d.lpl).Sign() >= 0 && times(d.q, r.Hi-v).Sub(d.upl).Sign() >= 0 && d.reached(d.spl, r)
}

// wide reports whether r is as wide as the width asked for and the sum of the distances asked for.
func (d demand) wide(r Range) bool {
	return !r.Empty && d.reached(d.spl, r) && d.reached(d.lpl.Add(d.upl), r)
}

func (d demand) reached(w num.Int128, r Range) bool {
	more := times(d.q, r.Width()).Sub(w).Sign()
	return more > 0 || more == 0 && !d.strict
}

// sensitiveRange returns the range of sensitive counts.
func (o *Office) sensitiveRange() (a, b int64) {
	if o.Zeros {
		return 0, o.Below - 1
	}
	return 1, o.Below - 1
}

// sensitive applies the rule to a count.
func (o *Office) sensitive(v int64) bool { return v < o.Below && (v >= 1 || o.Zeros && v >= 0) }

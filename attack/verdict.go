package attack

import "github.com/hitoku/hitoku/table"

// add extends r to hold v.
func (r *Range) add(v int64) {
	if r.Empty {
		*r = Range{Lo: v, Hi: v}
		return
	}
	r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
}

// judge sets the verdict of c.
func (o *Office) judge(t *table.Table, c *Cell) {
	switch w := o.width(t, c); {
	case w < 0 || c.Outer.Empty || c.Inner.Width() >= w:
		c.Verdict = Safe
	case c.Outer.Width() < w:
		c.Verdict = Unsafe
	}
}

// width returns the width that c needs, −1 none.
func (o *Office) width(t *table.Table, c *Cell) int64 {
	i := c.Index
	switch {
	case o.Below == 0:
		if t.Status[i] != table.Sensitive {
			return -1
		}
	case t.Known(i):
		if !o.sensitive(t.Value[i]) {
			return -1
		}
	case c.Outer.Lo >= o.Below || c.Outer.Hi < 1 && !o.Zeros || c.Outer.Hi < 0:
		return -1
	}
	if t.SPL[i] > 0 || o.Levels.SPL == nil {
		return t.SPL[i]
	}
	v, _ := o.Levels.SPL.At(t.Decimals)
	return v
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

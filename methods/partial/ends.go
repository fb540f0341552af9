package partial

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Ends defines which numbers may be ends of intervals. The zero value allows all numbers with the table's decimals.
type Ends struct {
	// Plain centres the intervals on the values. They are then half as wide, but whoever knows how they were chosen can
	// usually infer the value: with equal levels it is the midpoint. Otherwise they are centred on a table moved by a
	// secret draw (see veil).
	Plain  bool
	Base   int64 // ends are multiples of it, in units of 10^−Decimals; 0: no such rule
	Digits int   // ends have at most so many significant digits; 0: no such rule
}

// check reports an invalid rule.
func (e Ends) check() error {
	switch {
	case e.Base < 0:
		return i18n.Errorf("partial: ends are multiples of %d, want more than 0", e.Base)
	case e.Digits < 0 || e.Digits > 18:
		return i18n.Errorf("partial: ends of %d digits, want 1 to 18", e.Digits)
	}
	return nil
}

// grid returns the distance between allowed ends near v.
func (e Ends) grid(v int64) int64 {
	g := max(1, e.Base)
	if e.Digits == 0 {
		return g
	}
	ten := int64(1)
	for a := num.Abs(v); a/ten >= table.Pow10(e.Digits); {
		ten *= 10
	}
	if g == 1 {
		return ten
	}
	for g < ten && g <= table.PosInf/4/10 { // multiples of both Base and the power of ten
		g *= 10
	}
	return g
}

// below returns the largest allowed number that is at most v.
func (e Ends) below(v int64) int64 { g := e.grid(v); return num.FloorDiv(v, g) * g }

// above returns the least allowed number that is at least v.
func (e Ends) above(v int64) int64 { g := e.grid(v); return num.CeilDiv(v, g) * g }

// outward returns the distance from the value of column c of an end at distance y once it is rounded outward, limited
// by the bounds that everybody knows.
func (p *problem) outward(e Ends, c int, y int64) int64 {
	if y > farthest {
		return p.room[c]
	}
	i := p.cell[c]
	a := p.t.Value[i]
	if p.dir[c] == up {
		return min(p.room[c], e.above(a+y)-a)
	}
	return min(p.room[c], a-e.below(a-y))
}

// other returns the column of the other end of the interval of column c, −1 if there is none.
func (p *problem) other(c int) int32 { return p.col[1-p.dir[c]][p.cell[c]] }

// rounded rounds both ends of all intervals outward, also ends at the value itself, which would reveal it. Ends stay if
// rounding would exceed a largest width.
func (p *problem) rounded(e Ends, y []int64) []int64 {
	out := make([]int64, len(y))
	for c, v := range y {
		if o := p.other(c); v > 0 || o >= 0 && y[o] > 0 {
			out[c] = p.outward(e, c, v)
		}
	}
	p.keepWithin(out, y)
	return out
}

// keepWithin restores ends to y where the interval would exceed its largest width.
func (p *problem) keepWithin(out, y []int64) {
	for i, most := range p.most {
		U, L := p.col[up][i], p.col[down][i]
		width := func(of []int64) (w int64) {
			for _, c := range [2]int32{U, L} {
				if c >= 0 {
					w = min(farthest, w) + min(farthest, of[c])
				}
			}
			return w
		}
		for _, c := range [2]int32{U, L} {
			if c >= 0 && width(out) > most {
				out[c] = y[c]
			}
		}
	}
}

// inward returns the next allowed end towards the value, or the value itself.
func (p *problem) inward(e Ends, c int, y int64) int64 {
	if y > farthest {
		return y
	}
	i := p.cell[c]
	a := p.t.Value[i]
	if p.dir[c] == up {
		return max(0, e.below(a+y-1)-a)
	}
	return max(0, a-e.above(a-y+1))
}

package report

import (
	"math"
	"strconv"
)

// A frame is where a plot stands in its picture, in pixels.
type frame struct {
	Width, Height            float64 // of the picture
	Left, Right, Top, Bottom float64
}

// newFrame leaves margins within a picture.
func newFrame(width, height, left, right, top, bottom float64) frame {
	return frame{width, height, left, width - right, top, height - bottom}
}

// An axis maps positive numbers to pixels on a logarithmic scale.
type axis struct {
	lo, hi   float64 // exponents of base at the ends, whole
	base     float64
	from, to float64 // pixels of the ends
}

// A tick is a mark on an axis.
type tick struct {
	At    float64
	Label string
}

// newAxis covers the positive ones of values with whole powers of base.
func newAxis(base float64, values []float64, from, to float64) axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v > 0 {
			e := math.Log(v) / math.Log(base)
			lo, hi = min(lo, math.Floor(e+1e-9)), max(hi, math.Ceil(e-1e-9))
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	if lo == hi {
		hi++
	}
	return axis{lo: lo, hi: hi, base: base, from: from, to: to}
}

// at returns the place of v. What is below the axis, as 0 is, stands at its lower
// end.
func (a axis) at(v float64) float64 {
	e := a.lo
	if v > 0 {
		e = max(a.lo, math.Log(v)/math.Log(a.base))
	}
	return a.from + (a.to-a.from)*(e-a.lo)/(a.hi-a.lo)
}

// maxTicks is the most marks that an axis carries.
const maxTicks = 9

// ticks returns the powers of the base, thinned out where there are many.
func (a axis) ticks() []tick {
	step := max(1, math.Ceil((a.hi-a.lo)/(maxTicks-1)))
	var t []tick
	for e := math.Ceil(a.lo/step) * step; e <= a.hi; e += step {
		v := math.Pow(a.base, e)
		t = append(t, tick{At: a.at(v), Label: tickText(v)})
	}
	return t
}

// tickText writes v with four digits, without exponent.
func tickText(v float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		short = v
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

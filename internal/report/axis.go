package report

import (
	"math"
	"strconv"
)

// A frame is the rectangle of a plot within its picture, in pixels.
type frame struct {
	Width, Height            float64 // size of the picture
	Left, Right, Top, Bottom float64
}

// newFrame returns the frame that leaves these margins within a picture.
func newFrame(width, height, left, right, top, bottom float64) frame {
	return frame{width, height, left, width - right, top, height - bottom}
}

// An axis maps positive numbers to pixels on a logarithmic scale.
type axis struct {
	lo, hi   float64 // integer exponents of base at the ends
	base     float64
	from, to float64 // the ends in pixels
}

// A tick is a mark on an axis.
type tick struct {
	At    float64
	Label string
}

// newAxis returns an axis from one integer power of base to another that covers the positive numbers among
// values.
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

// at returns the place of v in pixels. A number below the axis, such as 0, is at its lower end.
func (a axis) at(v float64) float64 {
	e := a.lo
	if v > 0 {
		e = max(a.lo, math.Log(v)/math.Log(a.base))
	}
	return a.from + (a.to-a.from)*(e-a.lo)/(a.hi-a.lo)
}

// maxTicks is the largest number of ticks on an axis.
const maxTicks = 9

// ticks returns the powers of the base, or some of them if there are many.
func (a axis) ticks() []tick {
	step := max(1, math.Ceil((a.hi-a.lo)/(maxTicks-1)))
	var t []tick
	for e := math.Ceil(a.lo/step) * step; e <= a.hi; e += step {
		v := math.Pow(a.base, e)
		t = append(t, tick{At: a.at(v), Label: tickText(v)})
	}
	return t
}

// tickText returns v with four digits and without an exponent.
func tickText(v float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		short = v
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

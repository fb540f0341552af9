package layout

import (
	"math"
)

// A formula is how a line may be computed from lines x and y. By its form: '/' factor·x/y; '-' x−y; 'c' the change
// factor·(x−y)/y; 'k' the contribution factor·(x−y)/Y to the change of a total Y in y; 'm' the mean x/factor; 'a' the
// mean change a year from y to x, over factor years in per cent or, where factor is negative, over −factor years as a
// fraction; 'r' x in units of factor; 'u' x rounded to a multiple of factor; '=' x.
type formula struct {
	form   byte
	factor float64
	x, y   int // the lines, as offsets from the one computed
	// −1 where y is a line; where it is one number, its index in the line of x; of a contribution, the index of Y in y
	total int
}

var shareFactors = []float64{100, 1, 1000, 1e4, 1e5}

// mostContributing is among how many lines contributions to a change are looked for at most.
const mostContributing = 64

// mostMean is of how many numbers, such as months, a mean is looked for at most, and over how many years a mean change
// is.
const mostMean = 12

// slack returns how far a number may be from the exact result, as it is rounded to its decimals.
func slack(v float64, places int) float64 {
	if places >= 12 {
		return 1e-9 * max(1, math.Abs(v))
	}
	return float64(0.5*math.Pow10(-places)*(1+1e-7)) + float64(1e-12*math.Abs(v))
}

// Numbers with so many decimals are not rounded, and one with so few among them is, as somebody typed it.
const unroundedPlaces, typedPlaces = 9, 4

// slack returns how far a number of the line may be from the exact result.
func (l *line) slack(n figureOf) float64 {
	if l.places.places >= unroundedPlaces && n.places > 0 && n.places <= typedPlaces {
		return slack(n.v, n.places)
	}
	return slack(n.v, l.places.places)
}

// says compares a number with what a formula makes of two others. bits is how much evidence their agreement is.
func (f formula) says(n, of, by figureOf, l *line, half float64) (bits float64, ok bool) {
	w, trivial, v, x, y := 0.0, false, n.v, of.v, by.v
	if f.blind(by, half) {
		return 0, true
	}
	switch f.form {
	case '-':
		w = x - y
		trivial = x == 0 && y == 0
	case '/':
		if y == 0 {
			return 0, v == 0
		}
		w, trivial = f.factor*x/y, x == 0 || x == y || y == 1 && f.factor == 1
	case 'c':
		if y == 0 {
			return 0, true
		}
		w, trivial = f.factor*(x-y)/y, x == y
	case 'k': // the caller has divided factor by Y
		w, trivial = f.factor*(x-y), x == y
	case 'm':
		w, trivial = x/f.factor, x == 0
	case 'a':
		if x <= 0 || y <= 0 {
			return 0, true
		}
		if w, trivial = math.Pow(x/y, 1/math.Abs(f.factor))-1, x == y; f.factor > 0 {
			w *= 100
		}
	case 'r':
		w, trivial = x/f.factor, x == 0
	case 'u':
		return math.Log2(1 + math.Abs(v)/f.factor), math.Abs(v-x) <= f.factor/2
	}
	tol := l.slack(n) + f.loose(x, y, half)
	if half > 0 && (f.form == '/' || f.form == 'c') {
		lo, up := f.between(of, by, half)
		w, tol = (lo+up)/2, l.slack(n)+(up-lo)/2
	}
	if math.Abs(v-w) > tol {
		return 0, false
	}
	if trivial {
		return 0, true
	}
	span := l.most
	if half > 0 && f.form == '/' { // counts among the shares say nothing of how near a share comes by chance
		span = min(span, max(2*math.Abs(v), f.factor))
	}
	if f.form == '-' && l.neg { // the range of the numbers has another half below 0
		span *= 2
	}
	if bits = min(12, math.Log2(1+span/(2*tol))); f.form == 'm' { // one of several divisors may fit by chance
		bits = max(0, bits-math.Log2(mostMean)/float64(l.n))
	}
	return bits, true
}

// blind reports whether y may have been next to 0 before it was rounded, so that the formula may give any number.
func (f formula) blind(y figureOf, half float64) bool {
	return half > 0 && y.v <= y.off(half) && (f.form == '/' || f.form == 'c')
}

// off returns by how much rounding may have moved a number, where whole numbers were moved by half at most.
func (n figureOf) off(half float64) float64 {
	if n.places > 0 {
		return min(half, 0.5*math.Pow10(-n.places))
	}
	return half
}

// between returns the ends of what a quotient or a change may have been before its sources were rounded.
func (f formula) between(x, y figureOf, half float64) (lo, up float64) {
	lo, up = x.v-x.off(half), x.v+x.off(half)
	small, large := y.v-y.off(half), y.v+y.off(half)
	if lo < 0 {
		lo /= small
	} else {
		lo /= large
	}
	if up < 0 {
		up /= large
	} else {
		up /= small
	}
	if f.form == 'c' {
		lo, up = lo-1, up-1
	}
	return f.factor * lo, f.factor * up
}

// loose returns how far the result of a formula may be from what it was before x and y were each rounded by up to half.
func (f formula) loose(x, y, half float64) float64 {
	switch {
	case half == 0:
		return 0
	case f.form == '/' || f.form == 'c':
		return f.factor * half * (1 + math.Abs(x)/y) / (y - half)
	case f.form == 'm' || f.form == 'r':
		return half / f.factor
	}
	return 2 * max(1, f.factor) * half
}

// absolute is a formula of line i with the index of y in place of its offset, to sum evidence over all lines that have
// the same y, like the total of all rows.
func (f formula) absolute(i int) formula {
	f.y += i + 1<<20
	return f
}

// how returns what a formula computes, of numbers up to most, in lines that go down or, where near is bounded, across.
func (f formula) how(near int, most float64) string {
	down := near == math.MaxInt
	switch {
	case f.form == '-':
		return asDifference
	case f.form == 'c', f.form == 'k', f.form == 'a':
		return asChange
	case f.form == 'm' || f.factor >= 1000 || f.total < 0 && !down:
		return asQuotient
	case f.total >= 0 && down:
		return asColumnShare
	case f.total >= 0 || f.factor == 100 || most <= 1:
		return asRowShare
	}
	return asQuotient
}

package solver

import "math"

// A longSum adds floating point numbers and products with twice the digits of one (Ogita,
// Rump and Oishi, Accurate sum and dot product, SIAM Journal on Scientific Computing 26(6),
// 2005).
type longSum struct{ hi, lo float64 }

// add adds v: the error of hi + v is a number itself (Knuth), which goes into lo.
func (s *longSum) add(v float64) {
	t := s.hi + v
	z := t - s.hi
	s.lo += (s.hi - (t - z)) + (v - z)
	s.hi = t
}

// addProduct adds a·b.
func (s *longSum) addProduct(a, b float64) {
	p := float64(a * b)
	s.add(p)
	s.lo += math.FMA(a, b, -p)
}

// value returns the sum, rounded once.
func (s longSum) value() float64 { return s.hi + s.lo }

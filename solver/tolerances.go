package solver

import (
	"math"
	"slices"
)

// Every tolerance of the search that stands for rounding errors. None decides that a
// pattern is protected, which exact arithmetic does, nor that a bound holds by more than
// relTol and costTol say. Limits of the heuristics are where they are used.
const (
	// relTol allows for the rounding of the sums behind a bound, a few thousand terms; longTol is the same
	// for sums with twice the digits, where only the coefficients of cuts are rounded (see master.safe).
	relTol, longTol = 1e-12, 0x1p-48
	// longFrom is the sum of all costs from which sums have twice the digits, as relTol times it is no longer
	// far below a unit of cost.
	longFrom = 1e10
	// costTol is the part of a unit of cost by which a bound may miss an attainable cost.
	costTol = 1e-6
	// fracTol is how near 0 or 1 a column of the relaxation counts as whole, and zeroTol
	// how near it is set to 0 or 1.
	fracTol, zeroTol = 1e-6, 1e-9
	// slackTol is how slack a row may be and still count as tight.
	slackTol = 1e-6
	// levelTol is the relative error of the reach of a cell that floating point computes.
	levelTol = 1e-9
	// minViolation is how much a cut must gain to enter the master.
	minViolation = 1e-4
	// Coefficients of a cut, relative to its right-hand side, below coefLeast are subtracted from that
	// beforehand; those above coefOne count as 1.
	coefLeast, coefOne = 1e-7, 1 - 1e-9
)

// A tolerance is the relative error of the bounds of a master.
type tolerance float64

// up rounds a value of the master up to the next attainable cost.
func (tol tolerance) up(v float64) int64 {
	return int64(math.Ceil(v - costTol - float64(float64(tol)*math.Abs(v))))
}

// below returns the value from which a relaxation prunes its node: just beyond those that up rounds to upper
// − 1.
func (tol tolerance) below(upper int64) float64 {
	return float64(upper) - 1 + 10*costTol + float64(2*float64(tol)*float64(upper))
}

func fractional(v float64) bool { return v > fracTol && v < 1-fracTol }

func integral(x []float64) bool {
	return !slices.ContainsFunc(x, fractional)
}

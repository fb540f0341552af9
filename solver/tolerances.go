package solver

import (
	"math"
	"slices"
)

// Tolerances that allow for rounding errors. None decides whether a pattern is protected, which exact arithmetic does,
// or affects the validity of a bound beyond relTol and costTol. Limits of heuristics are in params.go.
const (
	// relTol allows for rounding in the sums behind a bound, of a few thousand terms; longTol is the same for sums with
	// twice the digits, where only the coefficients of cuts are rounded (see master.safe).
	relTol, longTol = 1e-12, 0x1p-48
	// longFrom is the sum of all costs from which sums have twice the digits, as relTol times it is then no longer far
	// below a unit of cost.
	longFrom = 1e10
	// costTol is the part of a unit of cost by which a bound may miss an attainable cost.
	costTol = 1e-6
	// A column within fracTol of 0 or 1 counts as integral; within zeroTol it is set to 0 or 1.
	fracTol, zeroTol = 1e-6, 1e-9
	// slackTol is the largest slack of a row that counts as tight.
	slackTol = 1e-6
	// levelTol is the relative error of a cell's reach computed in floating point.
	levelTol = 1e-9
	// minViolation is the violation that a cut needs to enter the master.
	minViolation = 1e-4
	// Coefficients of a cut, relative to its right-hand side: those below coefLeast are subtracted from that side
	// beforehand; those above coefOne count as 1.
	coefLeast, coefOne = 1e-7, 1 - 1e-9
)

// A tolerance is the relative error of the bounds of a master.
type tolerance float64

// up rounds a value of the master up to the next attainable cost.
func (tol tolerance) up(v float64) int64 {
	return int64(math.Ceil(v - costTol - float64(float64(tol)*math.Abs(v))))
}

// below returns the value from which a relaxation prunes its node: just above those that up rounds to upper − 1.
func (tol tolerance) below(upper int64) float64 {
	return float64(upper) - 1 + 10*costTol + float64(2*float64(tol)*float64(upper))
}

func fractional(v float64) bool { return v > fracTol && v < 1-fracTol }

func integral(x []float64) bool {
	return !slices.ContainsFunc(x, fractional)
}

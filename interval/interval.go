// Package interval computes what the published part of a table tells about its withheld cells, and whether
// that is too much.
//
// Audit computes for every withheld cell the feasibility interval (秘匿インターバル), that is, the range of its values over all
// tables consistent with what is published and with the bounds known beforehand, and compares it with the cell's
// protection levels. Both ends are proved: a Witness is a table that attains an end, and multipliers of the relations
// (Combination) show that nothing lies beyond it. The numbers of a proof are exact, so it can be checked by additions,
// and an end that is not proved never makes a cell protected.
//
// Both come from one linear program, the intruder's problem (docs/method.md, "The problem" and "Duals"): witnesses are
// its solutions, combinations those of its dual. Package internal/oracle has the engines.
//
// If ctx ends a call, it returns what it has and an error that wraps ctx.Err().
package interval

import "github.com/hitoku/hitoku/internal/oracle"

// The errors of Audit, wrapped with the table and the cell.
var (
	// ErrInconsistent: no table satisfies what is published.
	ErrInconsistent = oracle.ErrInconsistent
	// ErrInexact: exact arithmetic gave up; its steps are bounded.
	ErrInexact = oracle.ErrInexact
	// ErrNotWhole: intervals over whole numbers were asked for, and it is proved that no table of whole numbers
	// satisfies what is published.
	ErrNotWhole = oracle.ErrNotWhole
	// ErrFractional: no table of whole numbers was found, though there may be one.
	ErrFractional = oracle.ErrFractional
	// ErrNumbers: the back end gave no answer or an impossible one (numerical trouble).
	ErrNumbers = oracle.ErrNumbers
)

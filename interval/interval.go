// Package interval computes what the published part of a table tells about its withheld cells, and whether
// that is too much.
//
// Audit computes for every withheld cell the feasibility interval (秘匿インターバル): that of its values in all tables that agree
// with what is published and with the bounds known beforehand, and compares it with the cell's protection levels. Both
// ends are proved: a Witness is a table that attains an end, and multipliers of the relations (Combination) show that
// nothing lies beyond. The numbers of a proof are exact, so that it can be checked by additions, and an end that could
// not be proved never makes a cell protected.
//
// The one idea is that both come from one linear program, the intruder's problem (docs/method.md, "The problem"
// and "Duals"): witnesses are its solutions, combinations those of its dual. Package
// internal/oracle has the engines.
//
// Where ctx ends a call it returns what it has and an error that wraps ctx.Err().
package interval

import "github.com/hitoku/hitoku/internal/oracle"

// The errors of Audit, wrapped with the table and the cell.
var (
	// ErrInconsistent is returned where no table satisfies what is published.
	ErrInconsistent = oracle.ErrInconsistent
	// ErrInexact is returned where exact arithmetic gave up: its steps are bounded.
	ErrInexact = oracle.ErrInexact
	// ErrNotWhole is returned for intervals over whole numbers if it is proved that no table of whole numbers
	// satisfies what is published.
	ErrNotWhole = oracle.ErrNotWhole
	// ErrFractional is returned if none was found, though there may be some.
	ErrFractional = oracle.ErrFractional
	// ErrNumbers is returned if the back end gave no answer or an impossible one: numerical trouble.
	ErrNumbers = oracle.ErrNumbers
)

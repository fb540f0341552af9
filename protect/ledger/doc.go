// Package ledger records what an office has published already and combines it with what it is about to publish into one
// problem.
//
// Tables that share cells (another breakdown, a regional cut, last year's table, a revision) together tell more than
// each by itself. Join combines them into one table.Table: cells with the same codes in the same dimensions are one
// cell, subject to the relations of all tables; what is published is fixed, what is withheld is unknown. Dimensions
// that a table lacks, such as its period, response or population, are stated with it (Release.At), so the cells of two
// years are different cells. How years relate is stated too: by sums between codes (Sum), as of two quarters and a
// half-year, and by bounds on change (Change),
//
//	(1 − c) y_then ≤ y_now ≤ (1 + c) y_then ,
//
// which become relations with integer coefficients, each with a slack cell of its own: with c = p/q
//
//	(q + p) y_then − q y_now = s,   q y_now − (q − p) y_then = s',   s, s' ≥ 0 .
//
// The package opens no file and solves nothing, except that Joint.Complete and Joint.Exposed use package interval.
package ledger

// Package ledger knows what an office has published already, and makes one problem of it and of what it is about to publish.
//
// Tables that share cells (another breakdown, a regional cut, last year's table, a revision) tell more together than each by
// itself. Join makes of them one table.Table: cells with the same codes in the same dimensions are one cell, under the relations of all of
// them; what is published is fixed, what is withheld is unknown. Dimensions that a table lacks, like its period, its response or the
// population it is of, are stated with it (Release.At), so cells of two years are two cells, and what years have to do with
// each other is stated: sums between codes (Sum), as of quarters and a half-year, and bounds on change (Change),
//
//	(1 − c) y_then ≤ y_now ≤ (1 + c) y_then ,
//
// which are relations with whole coefficients and a cell of their own each that is at least 0: with c = p/q
//
//	(q + p) y_then − q y_now = s,   q y_now − (q − p) y_then = s',   s, s' ≥ 0 .
//
// The package solves nothing but what fills in unknown values (Joint.Complete), by package interval. It opens no file.
package ledger

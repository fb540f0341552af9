// Package defence protects tables against an intruder who knows the procedure that
// chose the pattern: who lists the tables y that fit the publication, runs the
// office's procedure on each, and keeps those that lead to the same pattern. A
// cheapest pattern depends on the withheld values and so betrays something of them; a
// pattern chosen from public data alone does not.
//
// The engine starts with everything withheld that may be and goes through the cells
// in an order made of public data. It releases cell i if, whatever value v cell i
// could have given all that is public so far, every cell to protect keeps
// an interval as wide as it needs once v is known (Kenthapadi, Mishra and Nissim,
// Simulatable auditing, PODS 2005, for cells in place of queries). So the decision
// is known before the value is looked at, every table that fits the publication
// leads to the same decisions, and none can be excluded.
//
// The width of the interval of cell k as a function of v is
//
//	w_k(v) = max { y_k − y'_k : y, y' fit what is public, y_i = y'_i = v } ,
//
// concave in v, so its least value is at one of the two ends of the interval of cell
// i: four flows or linear programs at most decide about the pair (i, k), in exact
// arithmetic.
//
// Where ctx ends a call there is no pattern, and the error wraps ctx.Err().
//
// docs/defence.md has the theorems, their assumptions and the price.
package defence

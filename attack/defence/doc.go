// Package defence protects tables against an intruder who knows the procedure that chose the pattern: who lists the
// tables y consistent with the publication, runs the office's procedure on each, and keeps those that lead to the same
// pattern. A cheapest pattern depends on the withheld values and so reveals something about them; a pattern chosen from
// public data alone does not.
//
// The engine starts with everything withheld that may be, and goes through the cells in an order derived from public
// data. It releases cell i if, whatever value v cell i can have given all that is public so far, every cell to protect
// keeps an interval of the required width once v is known (Kenthapadi, Mishra and Nissim, Simulatable auditing, PODS
// 2005, with cells instead of queries). So each decision is made before the value is looked at, every table consistent
// with the publication leads to the same decisions, and none can be excluded.
//
// The width of the interval of cell k as a function of v is
//
//	w_k(v) = max { y_k − y'_k : y, y' fit what is public, y_i = y'_i = v } ,
//
// which is concave in v, so its minimum is at one of the two ends of the interval of cell i: at most four flows or
// linear programs decide about the pair (i, k), in exact arithmetic.
//
// If ctx ends a call, there is no pattern, and the error wraps ctx.Err().
//
// docs/defence.md has the theorems, their assumptions and their cost.
package defence

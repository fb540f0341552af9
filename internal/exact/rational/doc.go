// Package rational solves linear programs
//
//	maximise ±x_k   s.t.  A x = b,  lo ≤ x ≤ up
//
// with integer A, b, lo, up in exact arithmetic: the answer is an optimum with its duals, a ray, or a proof of
// infeasibility, in fractions of any length.
//
// It is a bounded simplex method in which every step solves with the basis afresh, by sparse elimination modulo a
// prime, whose factors are kept for a few dozen column exchanges, and p-adic lifting (Dixon, Numerische Mathematik 40,
// 1982). So the cost of a step depends on the fill-in of the basis and the length of its fractions, not on the steps
// before it. The method is meant to start from a basis found in floating point, from which it usually has nothing left
// to do.
package rational

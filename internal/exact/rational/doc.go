// Package rational solves linear programs
//
//	maximise ±x_k   s.t.  A x = b,  lo ≤ x ≤ up
//
// with integer A, b, lo, up in exact arithmetic: the answer is an optimum with its
// duals, a ray, or a proof that nothing is feasible, in fractions of any length.
//
// It is a bounded simplex method whose every step solves with the basis anew, by
// sparse elimination modulo a prime, which a few dozen exchanges of columns keep, and p-adic lifting (Dixon, Numerische Mathematik 40,
// 1982). So a step costs as much as the fill of the basis and the length of its
// fractions, not what the steps before it left behind; the method is made to begin
// at a basis that floating point arithmetic found, where it mostly has nothing to do.
package rational

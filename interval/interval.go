// Package interval solves the intruder's problem: what the published part of a
// table tells about one withheld cell.
//
// With a the true cells, M a = b the relations and z = y − a the deviation of a
// candidate table y, the intruder of cell k solves
//
//	max ±z_k   s.t.  M z = 0,  −dn_i ≤ z_i ≤ up_i                     (1)
//
// where up_i = U_i x_i and dn_i = L_i x_i for the pattern x (design: U_i = ub_i −
// a_i, L_i = a_i − lb_i). z = 0 is always feasible. A dual of (1) is any γ; it
// gives d = e_k − Mᵀγ with z_k = Σ d_i z_i for every z of the kernel of M, hence
//
//	 z_k ≤ Σ d_i⁺ up_i + d_i⁻ dn_i
//	−z_k ≤ Σ d_i⁺ dn_i + d_i⁻ up_i                                     (2)
//
// whatever the capacities: d depends on M and k alone.
//
// Three engines (package internal/intruder) answer: network (max-flow, for matrices that are networks),
// simplex (any matrix, through package lp) and exact arithmetic, whose verdict
// counts: vertices are reconstructed over the rationals and checked by additions.
package interval

import "github.com/hitoku/hitoku/internal/intruder"

// The errors of Audit, wrapped with the table and the cell.
var (
	// ErrInconsistent is returned where no table satisfies what is published.
	ErrInconsistent = intruder.ErrInconsistent
	// ErrInexact is returned where exact arithmetic gave up: its steps are bounded.
	ErrInexact = intruder.ErrInexact
	// ErrNotWhole is returned where intervals over whole numbers were asked for and it is proved that
	// no table of whole numbers satisfies what is published.
	ErrNotWhole = intruder.ErrNotWhole
	// ErrFractional is returned where none was found, though there may be some.
	ErrFractional = intruder.ErrFractional
	// ErrNumbers is returned where the back end gave no answer, or one that cannot be:
	// numerical trouble.
	ErrNumbers = intruder.ErrNumbers
)

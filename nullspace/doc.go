// Package nullspace lists the integer tables that a publication leaves possible:
// the lattice points of
//
//	F = { y ∈ Zⁿ : A y = b, lo ≤ y ≤ hi }
//
// where y are the withheld cells, A the relations restricted to them and b the right-hand sides minus the published
// cells. The integer solutions of A y = b are v + N t, t ∈ Zᵈ, with a particular solution v and a basis N of the
// integer kernel of A, its null space (零空間): fundamental cycles if A is a network (two-way tables), columns of the
// unimodular matrix of a Hermite normal form otherwise. The kernel is split into its direct summands, so F is a product
// of smaller sets. Each N is LLL-reduced; the range of each t_j is found by exact linear programs and, during the
// descent, by inequalities prepared by Fourier–Motzkin elimination.
//
// No floating-point number decides anything. Numbers are int64 where a bound computed in advance excludes overflow,
// math/big otherwise. docs/nullspace.md has the theory.
package nullspace

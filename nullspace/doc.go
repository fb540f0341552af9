// Package nullspace works with the integer solutions of linear equations over the
// integers: Hermite normal form, particular solution, kernel basis, LLL reduction.
//
// Numbers are exact: int64 where a bound computed beforehand shows that nothing
// can overflow, math/big otherwise. docs/nullspace.md has the theory.
package nullspace

// Package clp adapts COIN-OR Clp, by way of github.com/lanl/clp, to package lp.
// It is empty unless built with cgo and -tags clp, and then needs the headers
// and the library of Clp (Debian: coinor-libclp-dev, pkg-config).
//
// The binding can load a program and solve it. It cannot change bounds, costs or
// rows, read or set a basis, return rays, or count iterations. This package
//
//   - loads the program anew after every change, without fixed columns and rows
//     that have no other entries, and re-uses the matrix where only costs or
//     bounds changed;
//   - solves in slices of a fixed number of iterations, each going on from the
//     basis of the one before, and looks at the context and the time in between;
//   - tells infeasible from unbounded and proves either by the programs of
//     certify.Phase1 and certify.RayProgram, one more solve each;
//   - checks every optimum and solves again unscaled, by the primal method, where
//     the certificate does not hold. With its default scaling Clp 1.17.6 calls
//     feasible programs infeasible in 2 % of the solves of package lptest.
//
// Result.Iterations is 0. Limits.Cutoff is not honoured. The binding frees its
// memory in finalizers, hence not before the next garbage collection; the
// package starts one itself whenever 64 MB may be waiting.
package clp

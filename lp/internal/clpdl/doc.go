// Package clpdl adapts COIN-OR Clp, by its own C interface, to package lp. The
// library is opened at run time (dlopen): building needs neither cgo nor a C
// compiler, only -tags clpdl, on Linux and macOS. Without the tag the package is empty,
// because a program that can open libraries is linked to the system's loader and no
// longer runs everywhere. Where Clp is not installed Open returns a *LibraryError.
//
// Unlike the binding behind package clp the C interface can change bounds, costs
// and rows of a loaded program, keeps its basis, counts iterations and has rays.
// This package
//
//   - solves warm: by the dual method after new bounds and rows, by the primal
//     after new costs;
//   - solves in slices of a fixed number of iterations, each going on from the
//     basis of the one before, and looks at the context and the time in between;
//   - uses Clp's rays if they prove the verdict, and otherwise proves it by the
//     programs of certify.Phase1 and certify.RayProgram;
//   - checks every optimum and solves again from the slack basis, unscaled, if the
//     certificate does not hold.
//
// A slice passes whole arrays of changed bounds and costs, O(columns + rows).
package clpdl

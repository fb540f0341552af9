// Package lpsolve adapts lp_solve 5.5, by way of github.com/draffensperger/golp,
// to package lp. It is empty unless built with cgo and -tags lpsolve. The binding
// looks for lp_solve inside its own module; with the library of the system
// (Debian: liblpsolve55-dev) set
//
//	CGO_CFLAGS=-I/usr/include/lpsolve
//	CGO_LDFLAGS="-llpsolve55 -lm -ldl -lcolamd"
//
// Bounds of columns, costs and new rows are passed on and keep the basis. The
// binding has no call for the rest: a two-sided row becomes an equation with a
// bounded column for its value, which makes its bounds changeable; another row
// becomes one the first time its bounds change, and that time, like the deletion
// of rows, builds the model anew.
//
// lp_solve's warm start is unreliable: on growing programs it has stalled for seconds where a new model takes
// milliseconds, and 0.3 % of the warm solves of package lptest end in a wrong verdict, a wrong dual or ACCURACYERROR.
// It calls a program optimal although a column without entries is unbounded. PRESOLVE_SENSDUALS is not needed for duals
// and makes warm solves of tables eight times slower. So every warm solve has its own time limit, every optimum is
// checked, and on any trouble the model is built anew and solved from the slack basis. Infeasibility and unboundedness
// are proved by the programs of certify.Phase1 and certify.RayProgram, at the cost of one more solve each.
//
// On some programs of a few dozen columns lp_solve never returns, whatever its timeout. A run that takes 2 seconds
// longer than its limit, or without a limit 5 seconds plus 10 ms for each entry and column, is abandoned in a thread
// that nothing can end; that program and all later ones of the process are solved by the default back end.
//
// A running solve cannot be interrupted; Limits.Time and the deadline of the
// context are kept to the second. Limits.Iterations and Limits.Cutoff are not
// honoured, and Result.Iterations is 0. The binding frees its memory in
// finalizers only.
package lpsolve

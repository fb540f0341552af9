// Package insider determines what contributors to a table learn about other contributors from it: the sole contributor
// to a withheld cell knows its value and may share it in a coalition.
//
// docs/insiders.md has the theory.
package insider

// Package insider finds out what contributors to a table learn of others from it: the only contributor of a withheld cell
// knows its value, alone and in coalitions with others.
//
// docs/insiders.md has the theory.
package insider

// Package guard finds patterns that protect more than single cells: against contributors who know their own cells
// (Insiders, Levels); by the τ-ARGUS rule for cells with one contributor (SingletonRule); and for sums of cells
// (Unions), including the sums that disclose groups.
//
// Each search finds a pattern; whatever it leaves unprotected is added to the table as a cell that is a sum of others,
// and the search is repeated. docs/insiders.md and docs/unions.md have the theory.
package guard

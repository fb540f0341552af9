// Package guard finds patterns that protect more than single cells: against contributors who know their own cells (Insiders, Levels), as τ-ARGUS
// does for cells with one contributor (SingletonRule), and of sums of cells (Unions), sums that groups disclose among them.
// A search finds a pattern; what it leaves open is added to the table as a cell that is a sum of others, and the search is repeated.
//
// docs/insiders.md and docs/unions.md have the theory.
package guard

// Package attack does what an intruder does with a published table.
//
// The matching attack (マッチング攻撃): the intruder knows the published cells, the relations, and the procedure of the
// office, which is a function of the table: a rule for sensitive cells, levels, costs, and the choice of a cheapest
// protected pattern. Let S be the withheld cells and
//
//	F = { y integer : M y = b, y_i = a_i for i ∉ S, Lower ≤ y ≤ Upper }
//
// the set of candidates. A candidate matches if the procedure, run on it, would have withheld S: under Any if S is a
// cheapest protected pattern for y, under Exact if it is the canonical one among the cheapest. The effective interval
// of a cell is [min, max] of its values over the matching candidates; the feasible interval is taken over all tables
// consistent with the publication.
//
// If ctx ends a call, it returns what it has and an error that wraps ctx.Err(); reaching a limit of the options is not
// an error. Result.Complete says that everything asked for is proved.
//
// docs/attack.md has the theory; the attack is that of Minami (2024).
package attack

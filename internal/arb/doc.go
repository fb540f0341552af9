// Package arb runs batch files of τ-ARGUS (.arb): it opens microdata or tables, applies
// the rules, protects and writes, with package tabulate, argus and the solver behind
// the commands. docs/arb.md says which commands do what.
package arb

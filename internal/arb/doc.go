// Package arb runs batch files of τ-ARGUS (.arb): it reads their commands, opens the microdata
// or tables that they name, and hands what they ask for to package protect, as the
// command does. What it adds is τ-ARGUS's own: the order of commands, recodings of
// variables, output types, the lines of the log that callers look for, its exit codes.
// docs/arb.md says which commands do what.
package arb

// Package bench draws test tables from a seed and measures the solver on them.
//
// The families are those used to compare cell-suppression codes. Each is
// defined by exact formulas (Spec), so that a family, a shape and a seed name a
// table: the same on every machine, but for a machine whose exp or log differs
// in the last bit just where a value is rounded.
//
// Find turns names of families, tables and files into instances, Run measures
// one of them, Write and Read keep the results in files, and Compare sets two
// files of results side by side.
//
// RunLP measures the back ends of package lp on LPCases: programs of an intruder, the
// linear programs of recorded searches, and whole searches.
//
// An Experiment attacks random frequency tables as an intruder who knows the
// office's procedure would, and sets what it finds beside the printed figures of
// its source.
package bench

// Package bench draws test tables from a seed and measures the solver on them.
//
// The families are those used to compare cell suppression codes. Each is defined by exact formulas (Spec), so a family,
// a shape and a seed identify a table: the same on every machine, unless its exp or log differs in the last bit exactly
// where a value is rounded.
//
// Find turns names of families, tables and files into instances, Run measures one of them, Write and Read store the
// results in files, and Compare compares two files of results.
//
// RunLP measures the back ends of package lp on LPCases: programs of an intruder, the
// linear programs of recorded searches, and whole searches.
//
// An Experiment attacks random frequency tables as an intruder would who knows the office's procedure, and compares the
// results with the published figures of its source.
package bench

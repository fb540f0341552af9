// Package bench draws test tables from a seed.
//
// The families are those used to compare cell-suppression codes. Each is
// defined by exact formulas below, so that a family, a shape and a seed name a
// table: the same on every machine, but for a machine whose exp or log differs
// in the last bit just where a value is rounded.
package bench

// Package certificate writes and checks proofs about protected patterns without any solver: that a pattern is
// protected, and that no protected pattern costs less than a bound. It trusts nothing it reads: a certificate holds
// only multipliers and witness tables, and every inequality, coefficient and sum is recomputed from the table in
// integers, with any rounding towards the weaker claim. docs/certificate.md describes the file and the argument. A list
// of derived rows that ends with the bound is the format of Cheung, Gleixner and Steffy (Verifying integer programming
// results, IPCO 2017); theirs contains the rows of the relaxation, this one derives them from the table.
//
// Notation: cells i = 1…n with values a_i, relations M a = b, U_i = ub_i − a_i, L_i = a_i − lb_i, x_i = 1 if cell i is
// withheld, costs w_i.
package certificate

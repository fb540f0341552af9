// Package cellkey implements the cell key method: noise on the cells of a table that is the same wherever the same
// records are counted. To every cell it adds a number looked up in a perturbation table by the cell's value and its
// cell key, the fractional part of the sum of the keys of its records.
//
// Sources: Thompson, Broadfoot and Elazar, Methodology for the automatic confidentialisation of statistical outputs
// from remote servers at the ABS (UNECE 2013); Giessing, Computational issues in the design of transition probabilities
// and disclosure risk estimation for additive noise (PSD 2016); Enderle, Giessing and Tent, Designing confidentiality
// on the fly methodology (PSD 2018). docs/cellkey.md describes the implementation.
package cellkey

// Package cellkey is the cell key method: noise on the cells of a table that is the same wherever the same records
// are counted. It adds to every cell a number looked up in a perturbation table by the cell's value and its cell key, the
// fractional part of the sum of the keys of its records.
//
// Sources: Thompson, Broadfoot and Elazar, Methodology for the automatic confidentialisation of statistical outputs from remote
// servers at the ABS (UNECE 2013); Giessing, Computational issues in the design of transition probabilities and disclosure risk
// estimation for additive noise (PSD 2016); Enderle, Giessing and Tent, Designing confidentiality on the fly methodology (PSD
// 2018). docs/cellkey.md describes what is made of it here.
package cellkey

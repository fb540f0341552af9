// Package compare measures what a release of microdata discloses about the records that it was made from, and how well
// it serves its users.
//
// Read reads the original, releases and a control file into Records, in which equal values have equal numbers across
// files. Attacks measure what an attacker can do with a release (record linkage, interval disclosure, singling out,
// linkability, inference); distances between the two files measure what a user loses (marginals, correlations,
// information loss, propensity score). An attack that draws does so from an explicit seed, and the same input gives the
// same bits.
package compare

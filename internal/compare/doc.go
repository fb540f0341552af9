// Package compare measures what a release of microdata tells of the records that it was made
// from, and how well it serves its users.
//
// Read reads the original, releases and a control file into Records, whose values have the same
// numbers in all of them. What an attacker does with a release is measured by attacks on it
// (record linkage, interval disclosure, singling out, linkability, inference), what a user loses
// by distances between the two files (marginals, correlations, information loss, propensity score).
// An attack that draws does so from an explicit seed, and the same input gives the same bits.
package compare

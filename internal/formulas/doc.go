// Package formulas has the formulas about releases that the command needs beside package risk: rules for a
// cell, hits of a guess, what a prior and a release tell, and the distributions of noise. Each comment names
// its source and, if that has a misprint, says what holds instead. Rational input (counts, and probabilities
// such as 0.29 or 1/3) is kept exact as *big.Rat, and so are rational results.
package formulas

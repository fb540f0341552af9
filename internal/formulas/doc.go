// Package formulas has what the command computes of releases beside package risk: rules for a cell, hits of a guess, what a prior and a
// release tell, and distributions behind noise. Each comment names its source; where that misprints a formula, it says what holds instead.
// Rational input (counts, and probabilities like 0.29 or 1/3) is kept exact as *big.Rat, and so is a rational result. Its tests, which
// share the vectors of package risk, are there.
package formulas

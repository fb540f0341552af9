// Package risk measures re-identification risk in microdata and in releases made of
// them by sampling, randomisation and noise. It knows records and numbers, no tables of
// cells.
//
// Functions say in their comments which formula they compute and from which document.
// Where a document misprints a formula, the comment names the place and what holds
// instead. Input that is rational (counts, and probabilities like "0.29" or "1/3") is
// kept exact as *big.Rat, and so is a result that is rational.
package risk

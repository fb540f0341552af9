// Package risk measures re-identification risk in microdata and in releases made of
// them by sampling, randomisation and noise. It knows records and numbers, no tables
// of cells.
//
// Measures of records take one pass: a Scanner reads files and turns values into numbers, an
// Accumulator (Classes, Sensitive, Entities, Weighted, Population) keeps what a measure needs of the
// classes of records alike, and methods of it compute the measure. Accumulators merge in any
// order to the same bits, so that workers and machines can share the work (Split). Guarantee is that of values
// changed by chance, and Randomise, Perturb and Sample apply a mechanism to a file.
//
// Functions say in their comments which formula they compute and from which document.
// Where a document misprints a formula, the comment names the place and what holds
// instead. Input that is rational (counts, and probabilities like "0.29" or "1/3") is
// kept exact as *big.Rat, and so is a result that is rational.
package risk

// Package risk measures re-identification risk in microdata and in releases made from them by sampling, randomisation
// and noise. It knows records and numbers, not tables of cells.
//
// Measures of records take one pass: a Scanner reads files and converts values to numbers; an Accumulator (Classes,
// Sensitive, Entities, Weighted, Population) keeps what a measure needs about the classes of equal records; methods of
// it compute the measure. Accumulators merge in any order to identical results, so workers and machines can share the
// work (Split). Guarantee states the protection of values changed at random; Randomise, Perturb and Sample apply a
// mechanism to a file.
//
// Doc comments state the formula that a function computes and its source. If a document misprints a formula, the
// comment names the place and states what holds instead. Rational input (counts, and probabilities like "0.29" or
// "1/3") is kept exact as *big.Rat, and so are rational results.
package risk

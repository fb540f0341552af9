package risk

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A Journalist holds the re-identification risks from an attacker who has the population, as defined by El Emam and
// computed by ARX. For J tuples of n records in the data set, with f and F as in KMap:
type Journalist struct {
	Max      *big.Rat // 1/min F: the largest risk of a record (journalist)
	Marketer float64  // (1/n) Σ min(1, f/F): share of records that a marketer matches correctly
	Average  float64  // max(J/ΣF, Marketer): average risk of a record (journalist)
}

// journalist computes them if no F is 0.
func (r *KMap) journalist() *Journalist {
	// The sums are grouped by F: f and the number of tuples add up as integers, so the result does not depend on the
	// order of tuples.
	var total num.Uint128
	for _, b := range r.Histogram {
		total, _ = total.Add(num.Mul128(b.Size, b.Classes))
	}
	terms := make([]float64, 0, len(r.Matched))
	for F, f := range r.Matched {
		terms = append(terms, float64(f)/float64(F))
	}
	j := &Journalist{Max: fraction{1, r.K}.rat(), Marketer: sum(terms) / float64(r.Records)}
	j.Average = max(float64(r.Classes)/double(total), j.Marketer)
	return j
}

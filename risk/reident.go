package risk

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// Journalist are risks of re-identification by an attacker who has the population, as
// El Emam defines them and ARX computes them. With J tuples of n records in the data
// set, f and F as in KMap:
type Journalist struct {
	Max      *big.Rat // 1/min F: of the most exposed record, for a journalist
	Marketer float64  // (1/n) Σ min(1, f/F): share of records a marketer is right about
	Average  float64  // max(J/ΣF, Marketer): of records, for a journalist
}

// journalist computes them where no F is 0.
func (r *KMap) journalist() *Journalist {
	// Sums are by F: f and the number of tuples add up as integers, so the result does
	// not depend on the order of tuples.
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

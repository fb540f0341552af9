package risk

import "math/big"

// Journalist are risks of re-identification by an attacker who has the population, as
// El Emam defines them and ARX computes them. With J tuples of n records in the data
// set, f and F as in KMap:
type Journalist struct {
	Max      *big.Rat // 1/min F: of the most exposed record, for a journalist
	Marketer float64  // (1/n) Σ min(1, f/F): share of records a marketer is right about
	Average  float64  // max(J/ΣF, Marketer): of records, for a journalist
}

func (p *Population) journalist() *Journalist {
	// Sums are by F, in ascending order: f and the number of tuples add up as
	// integers, so the result does not depend on the order of tuples.
	least, records := uint64(0), uint64(0)
	var total Amount             // 128 bits, here as a plain integer
	right := map[uint64]uint64{} // Σ min(f, F) by F
	for g := range p.data.t.n {
		F := p.Frequency(g)
		if g == 0 || F < least {
			least = F
		}
		right[F] += min(p.data.t.count(g), F)
		total, _ = total.plus(Amount{0, F})
		records += p.data.t.count(g)
	}
	terms := make([]float64, 0, len(right))
	for F, f := range right {
		terms = append(terms, float64(f)/float64(F))
	}
	r := &Journalist{Max: fraction{1, least}.rat(), Marketer: sum(terms) / float64(records)}
	r.Average = max(float64(p.data.t.n)/total.plain(), r.Marketer)
	return r
}

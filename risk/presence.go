package risk

import "math/big"

// Presence is δ-presence (δ-存在性): how sure an attacker who knows the population can be that a person in it is in the
// data set (Nergiz and Clifton, δ-presence without complete world knowledge, TKDE 22(6), 2010).
type Presence struct {
	// Max is max min(1, f/F) over the tuples of the data set; Min is the smallest f/F over all tuples of the
	// population: 0 as soon as one is not in the data set.
	Min, Max  *big.Rat
	Histogram []Share // histogram of min(1, f/F)
}

func (p *Population) presence() *Presence {
	least, most := fraction{1, 1}, fraction{0, 1}
	var bars shares
	for g := range p.data.t.n {
		x := p.share(g)
		if x.less(least) {
			least = x
		}
		if most.less(x) {
			most = x
		}
		bars.add(float64(x.num)/float64(x.den), p.data.t.count(g))
	}
	if p.unmatched > 0 {
		least = fraction{0, 1}
	}
	return &Presence{least.rat(), most.rat(), bars.list()}
}

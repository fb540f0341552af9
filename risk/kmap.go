package risk

import (
	"cmp"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// KMap is the k-map (k-マップ) of a data set, the result of Population.KMap: what an attacker who has the whole population
// learns about the records of a data set. For a tuple of the data set let f be the number of its records there and F
// the number of records of the population that match it. k = min F (Sweeney); δ = max min(1, f/F) (the upper bound of
// Nergiz and Clifton).
type KMap struct {
	Records, Classes uint64 // records and classes of the data set
	Suppressed       uint64 // number of records with a wildcard in every column
	Population       uint64
	// Unmatched is the number of records of the population that no tuple of the data set matches.
	Unmatched uint64
	K         uint64 // 0 if Absent > 0, or without records
	// Absent is the number of tuples with F = 0, Below the number with F < f: the population is incomplete then. If
	// Absent > 0, all fields below are undefined: nil and 0.
	Absent, Below uint64
	Presence      *Presence
	Journalist    *Journalist
	Histogram     Histogram // histogram of F; Records counts those of the data set
	// Matched is Σ min(f, F) by F.
	Matched map[uint64]uint64
	Worst   []ClassPopulation
}

// A ClassPopulation is a tuple of the data set with its frequencies.
type ClassPopulation struct {
	Tuple      []string
	Sample     uint64
	Population uint64
	Delta      *float64 // nil: F = 0
}

// KMap measures k-map, δ-presence and the risks from an attacker who has the population. It lists the n worst tuples,
// by F and then by f/F.
func (p *Population) KMap(n int) *KMap {
	c := p.data
	r := &KMap{Suppressed: p.shared.full, Population: p.records, Unmatched: p.unmatched, Classes: uint64(c.t.n), Matched: map[uint64]uint64{}}
	byF := map[uint64]SizeCount{}
	for g := range c.t.n {
		f, F := c.t.count(g), p.frequency(g)
		r.Records += f
		if g == 0 || F < r.K {
			r.K = F
		}
		if F == 0 {
			r.Absent++
		}
		if F < f {
			r.Below++
		}
		s := byF[F]
		s.Classes++
		s.Records += f
		byF[F] = s
		r.Matched[F] += min(f, F)
	}
	classes := map[uint64]uint64{}
	for F, s := range byF {
		classes[F] = s.Classes
	}
	r.Histogram = histogram(classes)
	for i := range r.Histogram {
		r.Histogram[i].Records = byF[r.Histogram[i].Size].Records
	}
	if c.t.n > 0 && r.Absent == 0 {
		r.Presence, r.Journalist = p.presence(), r.journalist()
	}
	for _, g := range worst(n, c.t.n, nil, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.frequency(a), p.frequency(b)), cmp.Compare(c.t.count(b), c.t.count(a)), c.compareTuples(a, b))
	}) {
		x := ClassPopulation{Tuple: c.Tuple(g), Sample: c.t.count(g), Population: p.frequency(g)}
		if x.Population > 0 {
			d := num.Float(p.share(g).rat())
			x.Delta = &d
		}
		r.Worst = append(r.Worst, x)
	}
	return r
}

// share returns min(1, f/F) of class g, which must have F > 0.
func (p *Population) share(g int) fraction {
	F := p.frequency(g)
	return fraction{min(p.data.t.count(g), F), F}
}

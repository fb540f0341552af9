package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Households adds up weights like Weighted, and also counts how many records of each class every household has. Memory
// is proportional to the number of households and of their different records.
type Households struct {
	Weighted
	pairs *tally // (household, class)
	pair  [2 * batchRows]uint32
	out   [batchRows]uint32
}

// NewHouseholds prepares households: the last of columns is the household's id, the others are quasi-identifiers.
func NewHouseholds(columns *Columns) *Households {
	return &Households{Weighted: *NewWeighted(columns, len(columns.names)-1), pairs: newTally(2)}
}

// AddBatch adds records that a Scanner has read.
func (h *Households) AddBatch(b *Batch) error {
	if err := h.Weighted.AddBatch(b); err != nil {
		return err
	}
	for r := range b.N {
		h.pair[2*r], h.pair[2*r+1] = b.IDs[r*b.width+h.t.w], b.groups[r]
	}
	h.pairs.addRows(h.pair[:], 2, b.N, h.out[:])
	if h.pairs.n >= maxGroups {
		return i18n.New("more than 2^31 pairs of household and class")
	}
	return nil
}

// Add adds one record with its weight, its quasi-identifiers and the id of its household.
func (h *Households) Add(weight Amount, values ...string) error {
	if err := h.Weighted.Add(1, weight, values...); err != nil {
		return err
	}
	ids, err := h.number(values)
	if err != nil {
		return err
	}
	h.pairs.add([]uint32{ids[h.t.w], uint32(h.t.find(ids[:h.t.w]))}, 1)
	return nil
}

// Merge adds what o has counted.
func (h *Households) Merge(o *Households) error {
	to, err := h.mergeSums(&o.Weighted)
	if err != nil {
		return err
	}
	translate := h.columns.translator(o.columns)
	for p := range o.pairs.n {
		x := o.pairs.tuple(p)
		h.pairs.add([]uint32{translate(h.t.w, x[0]), to[x[1]]}, o.pairs.count(p))
	}
	return nil
}

// HouseholdRisk is the result of Households.HouseholdRisk. The risk of a household is the probability that at least one
// of its records is identified, 1 − Π(1−r) over their individual risks r, which are assumed independent; each of its
// records has this risk (Hundepool and others, μ-ARGUS user's manual; sdcMicro calls it hierarchical risk).
type HouseholdRisk struct {
	Households   uint64
	WithoutID    uint64 // records without an id, each counted as a household
	MaxRisk      float64
	AverageRisk  float64 // mean over records
	Reidentified float64 // sum over records
	risk         map[uint32]float64
}

// HouseholdRisk computes the risk of households from the individual risks r. Records that r leaves out are left out.
func (h *Households) HouseholdRisk(r *SurveyRisk, m Missing) *HouseholdRisk {
	order := make([]int, 0, h.pairs.n)
	for p := range h.pairs.n {
		if r.frequency[h.pairs.tuple(p)[1]] > 0 {
			order = append(order, p)
		}
	}
	risk := func(p int) float64 { return r.risk[h.pairs.tuple(p)[1]] }
	slices.SortFunc(order, func(a, b int) int { // within a household in a canonical order
		return cmp.Or(cmp.Compare(h.pairs.tuple(a)[0], h.pairs.tuple(b)[0]), cmp.Compare(risk(a), risk(b)), cmp.Compare(h.pairs.count(a), h.pairs.count(b)))
	})
	out := &HouseholdRisk{risk: map[uint32]float64{}}
	none := h.columns.ids(h.t.w, m.Markers)
	type group struct {
		risk float64
		n    uint64
	}
	sums := map[group]uint64{} // sums over equal households
	add := func(x group, times uint64) {
		sums[x] += times
		out.Households += times
		out.MaxRisk = max(out.MaxRisk, x.risk)
	}
	for len(order) > 0 {
		id, n, safe, end := h.pairs.tuple(order[0])[0], uint64(0), 1.0, 0
		alone := slices.Contains(none, id)
		for ; end < len(order) && h.pairs.tuple(order[end])[0] == id; end++ {
			p := order[end]
			if alone {
				add(group{risk(p), 1}, h.pairs.count(p))
				out.WithoutID += h.pairs.count(p)
				continue
			}
			n += h.pairs.count(p)
			safe *= math.Pow(1-risk(p), float64(h.pairs.count(p)))
		}
		if !alone {
			out.risk[id] = 1 - safe
			add(group{1 - safe, n}, 1)
		}
		order = order[end:]
	}
	var terms []float64
	for x, times := range sums {
		terms = append(terms, x.risk*float64(x.n)*float64(times))
	}
	out.Reidentified = sum(terms)
	if r.Records > 0 {
		out.AverageRisk = out.Reidentified / float64(r.Records)
	}
	return out
}

// Of returns the risk of the household of a record in class g.
func (h *Households) Of(r *HouseholdRisk, of *SurveyRisk, g int, household string) float64 {
	if id, ok := h.columns.Find(h.t.w, household); ok {
		if x, ok := r.risk[id]; ok {
			return x
		}
	}
	return of.risk[g]
}

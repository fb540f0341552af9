package risk

import (
	"cmp"
	"context"
)

// KAnonymity is the result of Classes.KAnonymity.
//
// The frequency f_i of record i is the size of its class or, with missing values as wildcards, the number of records
// compatible with it; k = min f_i. K and MaxClass are 0 if no records are left.
type KAnonymity struct {
	Missing  MissingMode
	Records  uint64 // number of records counted: all but Excluded
	Excluded uint64 // left out because of a missing quasi-identifier
	// WithMissing is the number of records with a missing quasi-identifier, AllMissing the number of those with all
	// missing; both include excluded records.
	WithMissing, AllMissing uint64
	Classes                 uint64 // not defined with wildcards: 0
	K, MaxClass             uint64
	Uniques                 uint64 // records with f = 1
	// Histogram is of class sizes or, with wildcards, of frequencies, where Classes counts different tuples.
	Histogram Histogram
	// MaxRisk is 1/k, the prosecutor's largest risk. AverageRisk is the mean of 1/f over records; without wildcards
	// that is the number of classes divided by that of records.
	MaxRisk, AverageRisk float64
	// Reidentified is Σ 1/f, the expected number of correct matches of a prosecutor who guesses in every class.
	Reidentified float64
	Worst        []ClassFrequency
}

// A ClassFrequency is a class with the frequency of its records.
type ClassFrequency struct {
	Tuple     []string
	Records   uint64
	Frequency uint64
}

// KAnonymity measures k-anonymity (k-匿名性; Sweeney, k-anonymity: a model for protecting privacy, International Journal
// of Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002) and lists the n worst classes. Cost: linear in the
// number of classes; with wildcards, times the number of patterns of missing columns, which may take long. If ctx ends,
// it returns an error that wraps ctx.Err().
func (c *Classes) KAnonymity(ctx context.Context, m Missing, n int) (*KAnonymity, error) {
	f, missing, err := c.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	r := &KAnonymity{Missing: cmp.Or(m.Mode, Own), Excluded: missing.excluded, WithMissing: missing.records, AllMissing: missing.all}
	bySize := map[uint64]SizeCount{}
	for g, f := range f {
		if f == 0 {
			continue
		}
		s := bySize[f]
		s.Classes++
		s.Records += c.t.count(g)
		bySize[f] = s
	}
	sizes := map[uint64]uint64{}
	for s := range bySize {
		sizes[s] = bySize[s].Classes
	}
	r.Histogram = histogram(sizes)
	for i := range r.Histogram {
		r.Histogram[i].Records = bySize[r.Histogram[i].Size].Records
	}
	r.finish()
	for _, g := range worst(n, c.t.n, func(g int) bool { return f[g] > 0 }, func(a, b int) int {
		return cmp.Or(cmp.Compare(f[a], f[b]), c.compareTuples(a, b))
	}) {
		r.Worst = append(r.Worst, ClassFrequency{c.Tuple(g), c.t.count(g), f[g]})
	}
	return r, nil
}

// finish computes the figures that follow from the histogram.
func (r *KAnonymity) finish() {
	r.Records, r.Classes, r.Uniques, r.Reidentified = 0, 0, 0, 0
	for _, s := range r.Histogram {
		r.Records += s.Records
		if r.Missing != Wildcard {
			r.Classes += s.Classes
		}
		if s.Size == 1 {
			r.Uniques = s.Records
		}
		r.Reidentified += float64(s.Records) / float64(s.Size)
	}
	if r.Records == 0 {
		return
	}
	r.K, r.MaxClass = r.Histogram[0].Size, r.Histogram[len(r.Histogram)-1].Size
	r.MaxRisk = 1 / float64(r.K)
	if r.Missing != Wildcard {
		r.Reidentified = float64(r.Classes)
	}
	r.AverageRisk = r.Reidentified / float64(r.Records)
}

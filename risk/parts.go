package risk

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Results for parts of the classes (Split) can be merged into the result for all, without the classes: sums, extremes
// and histograms combine to identical results in any order.

// errResults is the error for results that cannot be merged.
var errResults = i18n.New("risk: results of different measures cannot be merged")

// plus adds up two histograms.
func (h Histogram) plus(o Histogram) Histogram {
	sum := map[uint64]SizeCount{}
	for _, s := range slices.Concat(h, o) {
		x := sum[s.Size]
		sum[s.Size] = SizeCount{s.Size, x.Classes + s.Classes, x.Records + s.Records}
	}
	out := make(Histogram, 0, len(sum))
	for _, size := range slices.Sorted(maps.Keys(sum)) {
		out = append(out, sum[size])
	}
	return out
}

// worstOf returns the n worst entries of two lists.
func worstOf[T any](a, b []T, n int, compare func(x, y T) int) []T {
	all := slices.Concat(a, b)
	slices.SortFunc(all, compare)
	return all[:min(n, len(all)):min(n, len(all))]
}

// greater returns the greater of two numbers; nil is less than any.
func greater(x, y *big.Rat) *big.Rat {
	if x == nil || y != nil && x.Cmp(y) < 0 {
		return y
	}
	return x
}

// Merge adds the result for other classes. Both list the n worst classes. Frequencies with wildcards cross classes, so
// their results cannot be merged.
func (r *KAnonymity) Merge(o *KAnonymity, n int) error {
	if r.Missing != o.Missing || r.Missing == Wildcard {
		return errResults
	}
	r.Excluded += o.Excluded
	r.WithMissing += o.WithMissing
	r.AllMissing += o.AllMissing
	r.Histogram = r.Histogram.plus(o.Histogram)
	r.finish()
	r.Worst = worstOf(r.Worst, o.Worst, n, func(x, y ClassFrequency) int {
		return cmp.Or(cmp.Compare(x.Frequency, y.Frequency), slices.Compare(x.Tuple, y.Tuple))
	})
	return nil
}

// Merge adds the result for other classes, for the same attribute and the same l. Both list the n worst classes.
func (r *LDiversity) Merge(o *LDiversity, n int) error {
	if r.Attribute != o.Attribute || !slices.EqualFunc(r.Recursive, o.Recursive, func(x, y RecursiveC) bool { return x.L == y.L }) {
		return errResults
	}
	switch {
	case o.Classes == 0:
	case r.Classes == 0:
		r.Distinct, r.Entropy = o.Distinct, o.Entropy
		r.Recursive = slices.Clone(o.Recursive)
	default:
		r.Distinct, r.Entropy = min(r.Distinct, o.Distinct), min(r.Entropy, o.Entropy)
		for i, c := range o.Recursive {
			if c.Infimum == nil || r.Recursive[i].Infimum == nil {
				r.Recursive[i].Infimum = nil
			} else {
				r.Recursive[i].Infimum = greater(r.Recursive[i].Infimum, c.Infimum)
			}
		}
	}
	r.Classes += o.Classes
	r.MissingValues += o.MissingValues
	r.Alpha = greater(r.Alpha, o.Alpha)
	for m, classes := range o.Histogram {
		r.Histogram[m] += classes
	}
	r.Worst = worstOf(r.Worst, o.Worst, n, func(x, y ClassDiversity) int {
		return cmp.Or(cmp.Compare(x.Distinct, y.Distinct), cmp.Compare(x.Entropy, y.Entropy), slices.Compare(x.Tuple, y.Tuple))
	})
	return nil
}

// Merge adds the result for other classes, for the same attribute and the same whole (TClosenessTo). Both list the n
// worst classes.
func (r *TCloseness) Merge(o *TCloseness, n int) error {
	if r.Attribute != o.Attribute || r.Distance != o.Distance {
		return errResults
	}
	if r.Values != o.Values && r.Classes > 0 && o.Classes > 0 {
		return i18n.Errorf("%w: %d and %d values of %s in all records", errResults, r.Values, o.Values, r.Attribute)
	}
	r.Values = max(r.Values, o.Values)
	r.Classes += o.Classes
	r.MissingValues += o.MissingValues
	r.T = greater(r.T, o.T)
	r.Worst = worstOf(r.Worst, o.Worst, n, func(x, y ClassDistance) int {
		return cmp.Or(cmp.Compare(y.Distance, x.Distance), slices.Compare(x.Tuple, y.Tuple))
	})
	return nil
}

// Merge adds the result for other tuples and for the people who match them, or match none. The tuples must not contain
// wildcards, as the people who match these are in several parts. Both list the n worst tuples.
func (r *KMap) Merge(o *KMap, n int) error {
	if r.Population+o.Population < o.Population {
		return errCounts
	}
	switch {
	case o.Classes == 0:
	case r.Classes == 0:
		r.K, r.Presence = o.K, o.Presence
	default:
		r.K = min(r.K, o.K)
		if r.Presence != nil && o.Presence != nil {
			r.Presence = r.Presence.merge(o.Presence)
		}
	}
	r.Records += o.Records
	r.Classes += o.Classes
	r.Suppressed += o.Suppressed
	r.Population += o.Population
	r.Unmatched += o.Unmatched
	r.Absent += o.Absent
	r.Below += o.Below
	r.Histogram = r.Histogram.plus(o.Histogram)
	for F, f := range o.Matched {
		r.Matched[F] += f
	}
	r.Journalist = nil
	if r.Classes == 0 || r.Absent > 0 {
		r.Presence = nil
	} else {
		if r.Unmatched > 0 {
			r.Presence.Min = new(big.Rat)
		}
		r.Journalist = r.journalist()
	}
	r.Worst = worstOf(r.Worst, o.Worst, n, func(x, y ClassPopulation) int {
		return cmp.Or(cmp.Compare(x.Population, y.Population), cmp.Compare(y.Sample, x.Sample), slices.Compare(x.Tuple, y.Tuple))
	})
	return nil
}

func (p *Presence) merge(o *Presence) *Presence {
	q := &Presence{Min: p.Min, Max: greater(p.Max, o.Max)}
	if o.Min.Cmp(q.Min) < 0 {
		q.Min = o.Min
	}
	bars := map[float64]Share{}
	for _, s := range slices.Concat(p.Histogram, o.Histogram) {
		x := bars[s.Lower]
		bars[s.Lower] = Share{s.Lower, s.Upper, x.Classes + s.Classes, x.Records + s.Records}
	}
	for _, lower := range slices.Sorted(maps.Keys(bars)) {
		q.Histogram = append(q.Histogram, bars[lower])
	}
	return q
}

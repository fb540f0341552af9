// Package riskdoc fills the documents of measures of risk, for all programs that print them.
package riskdoc

import (
	"cmp"
	"math/big"
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// Defined returns k, or null if it is 0 because there is no record.
func Defined(k uint64) document.Opt[uint64] { return document.SomeIf(k > 0, k) }

// Sizes returns the bars of a histogram.
func Sizes(h risk.Histogram) []document.SizeCount {
	return sets.Each(h, func(x risk.SizeCount) document.SizeCount { return document.SizeCount(x) })
}

// Shares returns the bars of a histogram of probabilities.
func Shares(s []risk.Share) []document.Share {
	return sets.Each(s, func(x risk.Share) document.Share { return document.Share(x) })
}

// Frequencies returns the worst classes, if they were asked for.
func Frequencies(worst int, list []risk.ClassFrequency) (o document.Opt[[]document.ClassFrequency]) {
	if worst == 0 {
		return o
	}
	return document.Some(sets.Each(list, func(x risk.ClassFrequency) document.ClassFrequency { return document.ClassFrequency(x) }))
}

// Missing describes the missing values and how they were treated.
func Missing(m risk.Missing, excluded, with, all uint64) document.MissingValues {
	mode := cmp.Or(m.Mode, risk.Own)
	return document.MissingValues{Missing: string(mode), Markers: m.Markers, Excluded: excluded, WithMissing: with, AllMissing: all}
}

// KAnonymity fills in k and all that follows it.
func KAnonymity(d *document.KAnonymity, k *risk.KAnonymity, m risk.Missing, worst int) {
	some := k.Records > 0
	d.K, d.Records, d.MaxClass, d.Uniques = Defined(k.K), k.Records, Defined(k.MaxClass), k.Uniques
	d.Classes = document.SomeIf(m.Mode != risk.Wildcard, k.Classes)
	d.MissingValues = Missing(m, k.Excluded, k.WithMissing, k.AllMissing)
	d.MaxRisk, d.AverageRisk = document.SomeIf(some, k.MaxRisk), document.SomeIf(some, k.AverageRisk)
	d.Reidentified, d.Histogram, d.Worst = k.Reidentified, Sizes(k.Histogram), Frequencies(worst, k.Worst)
}

// Entities returns the bars of a histogram of classes of entities, which package risk counts as records.
func Entities(h risk.Histogram) []document.EntityCount {
	bars := []document.EntityCount{}
	for _, s := range h {
		bars = append(bars, document.EntityCount{Size: s.Size, Classes: s.Classes, Entities: s.Records})
	}
	return bars
}

// Classes returns the beginning of a document about sensitive attributes.
func Classes(k *risk.KAnonymity, m risk.Missing, ownSensitive bool) document.Classes {
	how := "ignore"
	if ownSensitive {
		how = "own"
	}
	classes := uint64(0)
	for _, s := range k.Histogram {
		classes += s.Classes // with wildcards k.Classes is not defined, but the number of different tuples is
	}
	return document.Classes{Records: k.Records, Classes: classes, K: Defined(k.K),
		MissingValues: Missing(m, k.Excluded, k.WithMissing, k.AllMissing), MissingSensitive: how}
}

// Diversity fills in the attributes, and the smallest of each number; some says that there are records. It
// returns the smallest distinct l and entropy l, and the largest α.
func Diversity(d *document.LDiversity, all []*risk.LDiversity, some bool) (distinct uint64, entropy float64, alpha *big.Rat) {
	distinct, entropy = all[0].Distinct, all[0].Entropy
	for _, r := range all {
		x := document.Diversity{Attribute: r.Attribute, Histogram: map[string]uint64{}, MissingValues: r.MissingValues,
			Distinct: document.SomeIf(r.Classes > 0, r.Distinct), Entropy: document.SomeIf(r.Classes > 0, r.Entropy),
			Worst: sets.Each(r.Worst, func(x risk.ClassDiversity) document.ClassDiversity { return document.ClassDiversity(x) })}
		x.Alpha, x.AlphaFloat = document.Ratio(r.Alpha)
		for n, classes := range r.Histogram {
			x.Histogram[strconv.FormatUint(n, 10)] = classes
		}
		for _, c := range r.Recursive {
			infimum, _ := document.Ratio(c.Infimum)
			x.Recursive = append(x.Recursive, document.Recursive{L: c.L, Infimum: infimum})
		}
		d.Attributes = append(d.Attributes, x)
		distinct, entropy, alpha = min(distinct, r.Distinct), min(entropy, r.Entropy), greater(alpha, r.Alpha)
	}
	d.Distinct, d.Entropy = document.SomeIf(some, distinct), document.SomeIf(some, entropy)
	d.Alpha, d.AlphaFloat = document.Ratio(alpha)
	return distinct, entropy, alpha
}

// Closeness fills in the attributes, and the largest t, which it also returns.
func Closeness(d *document.TCloseness, all []*risk.TCloseness) (t *big.Rat) {
	for _, r := range all {
		x := document.Closeness{Attribute: r.Attribute, Distance: string(r.Distance), Values: r.Values, MissingValues: r.MissingValues,
			Worst: sets.Each(r.Worst, func(x risk.ClassDistance) document.ClassDistance { return document.ClassDistance(x) })}
		x.T, x.TFloat = document.Ratio(r.T)
		d.Attributes = append(d.Attributes, x)
		t = greater(t, r.T)
	}
	d.T, d.TFloat = document.Ratio(t)
	return t
}

// Likeness fills in the attributes, and the largest β and δ, which it also returns, with whether enhanced
// β-likeness holds.
func Likeness(d *document.Likeness, all []*risk.Likeness) (beta *big.Rat, delta float64, enhanced bool) {
	enhanced = true
	bounded, some := 0.0, false
	for _, r := range all {
		is := r.Classes > 0
		x := document.AttributeLikeness{Attribute: r.Attribute, Capped: r.Capped, Bounded: document.SomeIf(is, r.Bounded), Delta: document.SomeIf(is, r.Delta), Absent: r.Absent,
			Values: r.Values, MissingValues: r.MissingValues,
			Worst: sets.Each(r.Worst, func(x risk.ClassDistance) document.ClassDistance { return document.ClassDistance(x) })}
		x.Beta, x.BetaFloat = document.Ratio(r.Beta)
		d.Attributes = append(d.Attributes, x)
		beta, delta, enhanced, some = greater(beta, r.Beta), max(delta, r.Delta), enhanced && r.Capped, some || is
		bounded = max(bounded, r.Bounded)
		d.Absent += r.Absent
	}
	d.Beta, d.BetaFloat = document.Ratio(beta)
	d.Capped, d.Bounded, d.Delta = document.SomeIf(some, enhanced), document.SomeIf(some, bounded), document.SomeIf(some, delta)
	return beta, delta, enhanced && some
}

// greater returns the greater of two numbers; nil counts as less than any number.
func greater(x, y *big.Rat) *big.Rat {
	if x == nil || y != nil && x.Cmp(y) < 0 {
		return y
	}
	return x
}

// Presence returns δ, null unless there are records and each has a match.
func Presence(p *risk.Presence) (d document.Presence) {
	if p != nil {
		d.Max, d.MaxFloat = document.Ratio(p.Max)
		d.Min, d.MinFloat = document.Ratio(p.Min)
	}
	return d
}

// Matched returns what a population file tells.
func Matched(r *risk.KMap) document.Matched {
	d := document.Matched{Records: r.Records, Tuples: r.Classes, Population: r.Population, Unmatched: r.Unmatched, Suppressed: r.Suppressed,
		Absent: r.Absent, Below: r.Below, Histogram: Sizes(r.Histogram)}
	if j := r.Journalist; j != nil {
		d.MaxRisk, d.MaxFloat = document.Ratio(j.Max)
		d.Average, d.Marketer = document.Some(j.Average), document.Some(j.Marketer)
	}
	return d
}

// Populations returns the worst tuples, if they were asked for.
func Populations(worst int, list []risk.ClassPopulation) (o document.Opt[[]document.ClassPopulation]) {
	if worst == 0 {
		return o
	}
	return document.Some(sets.Each(list, func(x risk.ClassPopulation) document.ClassPopulation { return document.ClassPopulation(x) }))
}

// PresenceShares returns the histogram of f/F, null if δ is null.
func PresenceShares(p *risk.Presence) document.Opt[[]document.Share] {
	if p == nil {
		return document.Null[[]document.Share]()
	}
	return document.Some(Shares(p.Histogram))
}

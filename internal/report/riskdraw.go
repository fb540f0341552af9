package report

import (
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// A riskRange is a bar of a histogram: a range of sizes or of probabilities.
type riskRange struct {
	name, short      string // names of the range, the short one for the axis
	lower, below     *big.Rat
	classes, records uint64
}

// draw makes the histograms, each with a table of its numbers.
func (m *riskMeasure) draw() error {
	doc, p := m.doc, m.p
	records := p.T("w.records")
	name := "classsize"
	if doc.Metric == "k_map" || doc.Metric == "delta_presence" {
		name = "matches"
	}
	if doc.text("missing") == "wildcard" {
		name = "frequency"
	}
	switch bars := doc.values["histogram"].(type) {
	case []document.Share:
		m.histogram("risks", records, m.shareRanges(bars), "max-risk")
	case []document.EntityCount:
		var h risk.Histogram
		for _, b := range bars {
			h = append(h, risk.SizeCount{Size: b.Size, Classes: b.Classes, Records: b.Entities})
		}
		if err := m.sizes(name, p.T("w.entities"), h); err != nil {
			return err
		}
	case []document.SizeCount:
		var h risk.Histogram
		for _, b := range bars {
			h = append(h, risk.SizeCount(b))
		}
		if err := m.sizes(name, records, h); err != nil {
			return err
		}
	}
	if shares, ok := doc.values["delta_histogram"].([]document.Share); ok {
		m.histogram("deltas", records, m.shareRanges(shares), "max-delta")
	}
	if sizes, ok := doc.values["sizes"].([]document.ThinnedSize); ok {
		var h risk.Histogram
		for _, s := range sizes {
			h = append(h, risk.SizeCount{Size: s.Size, Classes: s.Classes, Records: s.Size * s.Classes})
		}
		return m.sizes("classsize", records, h)
	}
	attributes, _ := doc.values["attributes"].([]document.Diversity)
	for _, a := range attributes {
		classes := map[uint64]uint64{}
		for size, n := range a.Histogram {
			l, err := strconv.ParseUint(size, 10, 61)
			if err != nil {
				return i18n.Errorf("key attributes: distinct_l_histogram: %q is no number of values", size)
			}
			classes[l] = n
		}
		h := risk.Histogram{}
		for _, l := range slices.Sorted(maps.Keys(classes)) {
			h = append(h, risk.SizeCount{Size: l, Classes: classes[l]})
		}
		if len(h) > 0 {
			m.histogramOf(p.say("h.values", a.Attribute), p.T("w.distinct_l"), "", sizeRanges(h), m.doc.wanted("min-l"), "l")
		}
	}
	return nil
}

// sizes draws a histogram of sizes, which must be ascending.
func (m *riskMeasure) sizes(name, records string, h risk.Histogram) error {
	for k, s := range h {
		if k > 0 && s.Size <= h[k-1].Size || s.Size >= 1<<62 {
			return i18n.New("key histogram: want sizes in ascending order")
		}
	}
	limit := "min-k"
	if m.doc.has("sizes") { // the limit is on the estimated F
		limit = ""
	}
	m.histogram(name, records, sizeRanges(h), limit)
	return nil
}

func sizeRanges(h risk.Histogram) []riskRange {
	var all []riskRange
	for _, b := range h.Buckets() {
		r := riskRange{name: grouped(strconv.FormatUint(b.Lower, 10)), classes: b.Classes, records: b.Records,
			lower: new(big.Rat).SetUint64(b.Lower), below: new(big.Rat).SetUint64(b.Upper + 1)}
		if b.Upper > b.Lower {
			r.name += "–" + grouped(strconv.FormatUint(b.Upper, 10))
		}
		r.short = r.name
		all = append(all, r)
	}
	return all
}

// shareRanges returns ranges of probabilities with their names; the last contains only 1.
func (m *riskMeasure) shareRanges(list []document.Share) []riskRange {
	var all []riskRange
	for _, s := range list {
		lower, upper := floatText(s.Lower), floatText(s.Upper)
		r := riskRange{name: m.p.say("fromto", lower, upper), short: lower, classes: s.Classes, records: s.Records}
		if s.Lower == s.Upper {
			r.name = lower
		}
		r.lower, r.below = parseFraction(lower), parseFraction(upper)
		all = append(all, r)
	}
	return all
}

// histogram draws the shares of classes and of records in ranges.
func (m *riskMeasure) histogram(name, records string, ranges []riskRange, flag string) {
	if len(ranges) == 0 {
		return
	}
	m.histogramOf(m.p.T("h."+name), m.p.T("x."+name), records, ranges, m.doc.wanted(flag), m.p.T("mark."+name))
}

func (m *riskMeasure) histogramOf(title, x, records string, ranges []riskRange, limit *big.Rat, symbol string) {
	p := m.p
	classes := p.T("w.classes")
	if m.doc.text("missing") == "wildcard" {
		classes = p.T("w.different")
	}
	sheet := &sheet{Numbers: []int{1, 2}, Head: []string{x, classes}}
	var all [2]uint64
	for _, r := range ranges {
		all[0] += r.classes
		all[1] += r.records
	}
	var names []string
	var shares [2][]float64
	for _, r := range ranges {
		names = append(names, r.short)
		for k, n := range []uint64{r.classes, r.records} {
			shares[k] = append(shares[k], 100*float64(n)/max(1, float64(all[k])))
		}
		row := sheetRow{Texts: []string{r.name, count(r.classes).String()}}
		if records != "" {
			row.Texts = append(row.Texts, count(r.records).String())
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	kinds := []kind{{"feasible", classes, shares[0]}}
	if records != "" {
		sheet.Head = append(sheet.Head, records)
		kinds = append(kinds, kind{"ours", records, shares[1]})
	}
	h := newHistogram(title, x, "%", names, kinds...)
	if limit != nil { // draw it between two ranges, unless it is inside one
		at := slices.IndexFunc(ranges, func(r riskRange) bool { return r.lower != nil && r.lower.Cmp(limit) >= 0 })
		if at > 0 && ranges[at-1].below != nil && ranges[at-1].below.Cmp(limit) <= 0 {
			h.mark(at, len(ranges), symbol+" = "+fractionText(limit))
		}
	}
	m.Charts = append(m.Charts, riskChart{h, sheet})
}

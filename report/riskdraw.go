package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/risk"
)

// A riskRange is a bar of a histogram: a range of sizes or of probabilities.
type riskRange struct {
	name, short      string // of the range, and on the axis
	lower, below     *big.Rat
	classes, records uint64
}

// draw makes the histograms, and a table of the numbers of each.
func (m *riskMeasure) draw() error {
	doc, p := m.doc, m.p
	list := func(key string, to any) (bool, error) {
		if !doc.has(key) {
			return false, nil
		}
		if err := json.Unmarshal(doc.values[key], to); err != nil {
			return false, fmt.Errorf("key %s: want a list of objects with numbers of classes and records", key)
		}
		return true, nil
	}
	records := p.T("w.records")
	name := "classsize"
	if doc.Metric == "k_map" || doc.Metric == "delta_presence" {
		name = "matches"
	}
	if doc.text("missing") == "wildcard" {
		name = "frequency"
	}
	switch ok, err := false, error(nil); {
	case doc.Metric == "survey":
		var shares []risk.Share
		if ok, err = list("histogram", &shares); err != nil {
			return err
		} else if ok {
			m.histogram("risks", records, m.shareRanges(shares), "max-risk")
		}
	case doc.Metric == "k_anonymity_entity":
		var bars []struct{ Size, Classes, Entities uint64 }
		if ok, err = list("histogram", &bars); err != nil {
			return err
		} else if ok {
			h := risk.Histogram{}
			for _, b := range bars {
				h = append(h, risk.SizeCount{Size: b.Size, Classes: b.Classes, Records: b.Entities})
			}
			return m.sizes(name, p.T("w.entities"), h)
		}
	default:
		var h risk.Histogram
		if ok, err = list("histogram", &h); err != nil {
			return err
		} else if ok {
			if err := m.sizes(name, records, h); err != nil {
				return err
			}
		}
		var shares []risk.Share
		if ok, err = list("delta_histogram", &shares); err != nil {
			return err
		} else if ok {
			m.histogram("deltas", records, m.shareRanges(shares), "max-delta")
		}
		var sizes []struct{ Size, Classes uint64 }
		if ok, err = list("sizes", &sizes); err != nil {
			return err
		} else if ok {
			h := risk.Histogram{}
			for _, s := range sizes {
				h = append(h, risk.SizeCount{Size: s.Size, Classes: s.Classes, Records: s.Size * s.Classes})
			}
			return m.sizes("classsize", records, h)
		}
	}
	attributes, _ := doc.objects("attributes")
	for _, a := range attributes {
		if !a.has("distinct_l_histogram") {
			continue
		}
		var by map[string]uint64
		if err := json.Unmarshal(a.values["distinct_l_histogram"], &by); err != nil {
			return errors.New("key attributes: distinct_l_histogram: want numbers of classes by number of values")
		}
		classes := map[uint64]uint64{}
		for size, n := range by {
			l, err := strconv.ParseUint(size, 10, 61)
			if err != nil {
				return fmt.Errorf("key attributes: distinct_l_histogram: %q is no number of values", size)
			}
			classes[l] = n
		}
		h := risk.Histogram{}
		for _, l := range slices.Sorted(maps.Keys(classes)) {
			h = append(h, risk.SizeCount{Size: l, Classes: classes[l]})
		}
		if len(h) > 0 {
			m.histogramOf(p.say("h.values", a.text("attribute")), p.T("w.distinct_l"), "", sizeRanges(h), m.doc.wanted("min-l"), "l")
		}
	}
	return nil
}

// sizes draws a histogram of sizes, which must be in ascending order.
func (m *riskMeasure) sizes(name, records string, h risk.Histogram) error {
	for k, s := range h {
		if k > 0 && s.Size <= h[k-1].Size || s.Size >= 1<<62 {
			return errors.New("key histogram: want sizes in ascending order")
		}
	}
	limit := "min-k"
	if m.doc.has("sizes") { // the limit is on F then, which is estimated
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

// shareRanges names ranges of probabilities; the last holds 1 alone.
func (m *riskMeasure) shareRanges(list []risk.Share) []riskRange {
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

// histogram draws shares of classes and of records over ranges.
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
	if limit != nil { // between two ranges, where it is not inside of one
		at := slices.IndexFunc(ranges, func(r riskRange) bool { return r.lower != nil && r.lower.Cmp(limit) >= 0 })
		if at > 0 && ranges[at-1].below != nil && ranges[at-1].below.Cmp(limit) <= 0 {
			h.mark(at, len(ranges), symbol+" = "+fractionText(limit))
		}
	}
	m.Charts = append(m.Charts, riskChart{h, sheet})
}

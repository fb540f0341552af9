package bench

import (
	"fmt"
	"math"

	"github.com/hitoku/hitoku/internal/document"
)

// divided lists the numbers that Compare divides.
var divided = []struct {
	name string
	of   func(r *Result) *float64
}{
	{"seconds", func(r *Result) *float64 { return &r.Seconds }},
	{"cpu_seconds", func(r *Result) *float64 { return r.CPUSeconds }},
	{"first_seconds", func(r *Result) *float64 { return r.FirstSeconds }},
	{"cost", func(r *Result) *float64 { return float(r.Cost) }},
	{"bound", func(r *Result) *float64 { return float(r.Bound) }},
	{"gap", func(r *Result) *float64 { return r.Gap }},
	{"nodes", func(r *Result) *float64 { return new(float64(r.Nodes)) }},
}

// Compare compares two sets of results by name.
func Compare(oldName string, before []*Result, newName string, after []*Result) *document.BenchComparison {
	c := &document.BenchComparison{Old: oldName, New: newName, Differs: []string{}, Tables: []document.BenchPair{}, OnlyOld: []string{}, OnlyNew: []string{}}
	at := make(map[string]*Result, len(after))
	for _, r := range after {
		at[r.Table] = r
	}
	both, said := map[string]bool{}, map[string]bool{}
	for _, a := range before {
		b, ok := at[a.Table]
		if !ok {
			c.OnlyOld = append(c.OnlyOld, a.Table)
			continue
		}
		both[a.Table] = true
		p := document.BenchPair{Table: a.Table, Old: a.Status, New: b.Status, Ratios: map[string]*float64{}}
		for _, m := range divided {
			p.Ratios[m.name] = ratio(m.of(a), m.of(b))
		}
		c.Tables = append(c.Tables, p)
		for _, d := range differs(a, b) {
			if !said[d] {
				said[d] = true
				c.Differs = append(c.Differs, d)
			}
		}
	}
	for _, b := range after {
		if !both[b.Table] {
			c.OnlyNew = append(c.OnlyNew, b.Table)
		}
	}
	average(c)
	return c
}

// ratio returns b/a: below 1 means less than before. 0/0 is 1; it is nil if one side is 0 or was not measured. The time
// of a run that was stopped is the time until then.
func ratio(a, b *float64) *float64 {
	switch {
	case a == nil || b == nil:
		return nil
	case *a == 0 && *b == 0:
		return new(1.0)
	case *a <= 0 || *b <= 0:
		return nil
	}
	return new(*b / *a)
}

// differs names the conditions under which two results were not measured alike.
func differs(a, b *Result) []string {
	was := map[string]string{}
	for _, f := range fields(a) {
		was[f.name] = f.text()
	}
	var d []string
	for _, f := range fields(b) {
		if was[f.name] == f.text() {
			continue
		}
		switch f.name {
		case "cells", "relations", "sensitive":
			d = append(d, fmt.Sprintf("%s of %s: %s, then %s", f.name, a.Table, was[f.name], f.text()))
		case "lp", "workers", "canonical", "gap_limit", "time_limit", "rules", "version", "machine":
			d = append(d, fmt.Sprintf("%s: %q, then %q", f.name, was[f.name], f.text()))
		}
	}
	return d
}

// average computes the geometric means.
func average(c *document.BenchComparison) {
	c.Means = make(map[string]document.BenchMean, len(divided))
	for _, m := range divided {
		logs, mean := 0.0, document.BenchMean{}
		for _, p := range c.Tables {
			if x := p.Ratios[m.name]; x != nil {
				logs += math.Log(*x)
				mean.Tables++
			}
		}
		if mean.Tables > 0 {
			mean.Ratio = new(math.Exp(logs / float64(mean.Tables)))
		}
		c.Metrics, c.Means[m.name] = append(c.Metrics, m.name), mean
	}
}

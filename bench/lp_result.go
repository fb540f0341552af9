package bench

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/document"
)

// An LPReport is the result of RunLP.
type LPReport struct{ document.BenchLP }

// sumUp computes what follows from the trials: one for each measured back end and case, in the order of Backends.
func (r *LPReport) sumUp(trials []*lpTrial) {
	names := r.Measured()
	base := slices.Index(names, r.Base)
	for at := 0; at < len(trials); at += len(names) {
		one := trials[at : at+len(names)]
		for _, x := range one {
			x.sumUp(one[base].BenchLPCase)
		}
	}
	r.Means = []document.BenchLPMean{}
	for _, kind := range r.Kinds() {
		for _, name := range names {
			m := document.BenchLPMean{Kind: kind, LP: name}
			var wall, cpu []*float64
			for _, x := range r.Results {
				if x.Kind == kind && x.LP == name {
					m.Of++
					wall, cpu = append(wall, x.Ratio), append(cpu, x.CPURatio)
				}
			}
			m.Ratio, m.Cases = geometricMean(wall)
			m.CPURatio, _ = geometricMean(cpu)
			r.Means = append(r.Means, m)
		}
	}
}

func (x *lpTrial) sumUp(base *document.BenchLPCase) {
	if len(x.Runs) == 0 || x.Skipped != "" {
		return
	}
	x.Seconds, x.Q1, x.Q3 = new(median(x.Runs)), new(quantile(x.Runs, 0.25)), new(quantile(x.Runs, 0.75))
	x.Allocs, x.AllocBytes = new(median(x.allocs)), new(median(x.allocBytes))
	if len(x.CPURuns) > 0 {
		x.CPUSeconds = new(median(x.CPURuns))
	}
	if base.Skipped == "" {
		x.Ratio, x.CPURatio = pairedRatio(x.Runs, base.Runs), pairedRatio(x.CPURuns, base.CPURuns)
	}
}

// pairedRatio returns the median of a_r/b_r over the repetitions r that both have, nil if there are none.
func pairedRatio(a, b []float64) *float64 {
	var q []float64
	for r := range min(len(a), len(b)) {
		if a[r] > 0 && b[r] > 0 {
			q = append(q, a[r]/b[r])
		}
	}
	if len(q) == 0 {
		return nil
	}
	return new(median(q))
}

// geometricMean returns the geometric mean of the numbers present, nil if there are none.
func geometricMean(x []*float64) (mean *float64, n int) {
	logs := 0.0
	for _, v := range x {
		if v != nil {
			logs += math.Log(*v)
			n++
		}
	}
	if n > 0 {
		mean = new(math.Exp(logs / float64(n)))
	}
	return mean, n
}

// quantile returns the p-quantile of x, 0 ≤ p ≤ 1, linear between order statistics:
// x_(1+p(n−1)). x is not empty.
func quantile(x []float64, p float64) float64 {
	s := slices.SortedFunc(slices.Values(x), cmp.Compare)
	h := p * float64(len(s)-1)
	k := int(h)
	if k+1 == len(s) {
		return s[k]
	}
	return s[k] + float64((h-float64(k))*(s[k+1]-s[k]))
}

// WriteLP writes a report as one JSON document or, in format csv, with one line for each result, which includes the
// conditions.
func WriteLP(w io.Writer, format string, r *LPReport) error {
	if format != "csv" {
		return document.Write(w, r)
	}
	return writeLines(w, r.fields(&document.BenchLPCase{}), len(r.Results), func(k int) []field { return r.fields(r.Results[k]) })
}

// fields returns the columns of a result, and those of the common conditions.
func (r *LPReport) fields(x *document.BenchLPCase) []field {
	return append(fields(x), field{"base", &r.Base}, field{"limit", &r.Limit}, field{"version", &r.Version}, field{"machine", &r.Machine})
}

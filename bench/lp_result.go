package bench

import (
	"cmp"
	"math"
	"slices"
)

// An LPReport is what RunLP measured. The keys of its JSON document and their order
// are a contract. Times are seconds; what was not measured is null.
type LPReport struct {
	Base     string      `json:"base"`   // the back end that ratios are to
	Repeat   int         `json:"repeat"` // repetitions asked for
	Done     int         `json:"done"`   // and done by all; fewer after an interrupt
	Limit    float64     `json:"limit"`  // of a pass
	Version  string      `json:"version"`
	Machine  string      `json:"machine"`
	Backends []LPBackend `json:"backends"`
	Means    []LPMean    `json:"means"`
	Results  []*LPResult `json:"results"` // case by case
}

// An LPBackend is a back end asked for. Missing says why it was not measured and how
// it is added; it is empty for those measured.
type LPBackend struct {
	Name    string `json:"name"`
	Version string `json:"version"` // of the library behind it, if known
	Missing string `json:"missing"`
}

// An LPResult is one back end at work on one case.
type LPResult struct {
	Case      string `json:"case"`
	Kind      string `json:"kind"`
	Table     string `json:"table"`
	Cells     int    `json:"cells"`
	Relations int    `json:"relations"`
	// The largest program: columns, rows and nonzero coefficients; of kind suppress
	// those of the table's relations.
	Cols    int    `json:"cols"`
	Rows    int    `json:"rows"`
	Entries int    `json:"entries"`
	LP      string `json:"lp"`
	Skipped string `json:"skipped"` // why it was not measured to the end; else empty

	Solves int `json:"solves"` // of one pass; of kind suppress the searches, 1
	Passes int `json:"passes"` // of one sample
	// A solve: median and quartiles over the repetitions, and each of them.
	Seconds *float64  `json:"seconds"`
	Q1      *float64  `json:"q1"`
	Q3      *float64  `json:"q3"`
	Runs    []float64 `json:"runs"`
	// Processor time of the process in a solve, median; CPURuns each.
	CPUSeconds *float64  `json:"cpu_seconds"`
	CPURuns    []float64 `json:"cpu_runs"`
	// Ratio is the median over the repetitions of the time divided by that of the
	// base in the same repetition, CPURatio the same of processor time.
	Ratio    *float64 `json:"ratio"`
	CPURatio *float64 `json:"cpu_ratio"`
	// Objects and bytes allocated on the Go heap in a solve, medians.
	Allocs     *float64 `json:"allocs"`
	AllocBytes *float64 `json:"alloc_bytes"`
	// RSS is by how many bytes the resident memory of the process grew for one model
	// held after a pass, of kind suppress at most during the search.
	RSS *int64 `json:"rss"`

	// Answers compared with the reference's, those that differ, those that were none
	// (status unknown), the largest difference of two optima v, w relative to
	// max(1, |v|, |w|), and the first difference in words.
	Checked    int     `json:"checked"`
	Differ     int     `json:"differ"`
	Unanswered int     `json:"unanswered"`
	Worst      float64 `json:"worst"`
	Difference string  `json:"difference"`

	allocs, allocBytes []float64
}

// An LPMean is the geometric mean of the ratios of a back end over the cases of a kind
// for which there is one.
type LPMean struct {
	Kind     string   `json:"kind"`
	LP       string   `json:"lp"`
	Ratio    *float64 `json:"ratio"`
	CPURatio *float64 `json:"cpu_ratio"`
	Cases    int      `json:"cases"`
	Of       int      `json:"of"` // cases of the kind
}

// Differ counts the answers of all back ends that differ from the reference's.
func (r *LPReport) Differ() int {
	n := 0
	for _, x := range r.Results {
		n += x.Differ
	}
	return n
}

// Checked counts the answers compared.
func (r *LPReport) Checked() int {
	n := 0
	for _, x := range r.Results {
		n += x.Checked
	}
	return n
}

// Kinds returns the kinds of the cases in their order.
func (r *LPReport) Kinds() []string {
	var kinds []string
	for _, x := range r.Results {
		if !slices.Contains(kinds, x.Kind) {
			kinds = append(kinds, x.Kind)
		}
	}
	return kinds
}

// Measured returns the names of the back ends that are not missing.
func (r *LPReport) Measured() []string {
	var names []string
	for _, b := range r.Backends {
		if b.Missing == "" {
			names = append(names, b.Name)
		}
	}
	return names
}

// sumUp sets what follows from the runs. They are one result a measured back end in
// every case, in the order of Backends.
func (r *LPReport) sumUp() {
	names := r.Measured()
	base := slices.Index(names, r.Base)
	for at := 0; at < len(r.Results); at += len(names) {
		one := r.Results[at : at+len(names)]
		for _, x := range one {
			x.sumUp(one[base])
		}
	}
	r.Means = []LPMean{}
	for _, kind := range r.Kinds() {
		for _, name := range names {
			m := LPMean{Kind: kind, LP: name}
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

func (x *LPResult) sumUp(base *LPResult) {
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

// pairedRatio is the median of a_r/b_r over the repetitions r that both have, nil of
// none.
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

// geometricMean is that of the numbers there are, nil of none.
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
	return s[k] + (h-float64(k))*(s[k+1]-s[k])
}

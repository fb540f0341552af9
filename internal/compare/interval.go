package compare

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// An Interval is how often an original number lies in an interval around the released one.
type Interval struct {
	Column int
	Rank   []float64 // shares within p % of the ranks, for p = 1 … 10
	SD     float64   // share within a multiple of the standard deviation
}

// Average returns the mean of Rank.
func (x *Interval) Average() float64 {
	sum := 0.0
	for _, s := range x.Rank {
		sum += s
	}
	return sum / float64(len(x.Rank))
}

// maxPercent is the widest interval of ranks, in percent.
const maxPercent = 10

// IntervalDisclosure measures interval disclosure in columns of numbers, over records of the release whose original is
// known (truth[i] ≥ 0):
//
//   - by ranks: the interval about a released value reaches over ⌊p·n/100⌋ of the n sorted released values
//     to either side, p = 1 … 10 (Mateo-Sanz, Sebé and Domingo-Ferrer, Outlier protection in continuous
//     microdata masking, PSD 2004);
//   - by deviation: |x − x′| ≤ k·s, s the standard deviation of the original column (dRisk of sdcMicro).
//
// all is the share of records in which every column lies in the interval by deviation.
func IntervalDisclosure(original, release *Records, truth []int32, k float64) (columns []Interval, all float64) {
	records := sets.Count(truth, func(j int32) bool { return j >= 0 })
	inside := slices.Repeat([]bool{true}, release.N)
	for c, x := range original.X {
		if x == nil {
			continue
		}
		sorted := sets.Where(release.X[c], func(v float64) bool { return !math.IsNaN(v) })
		slices.Sort(sorted)
		_, s := moments(x)
		one := Interval{Column: c, Rank: make([]float64, maxPercent)}
		for i, j := range truth {
			if j < 0 {
				continue
			}
			v, w := release.X[c][i], x[j]
			near := !math.IsNaN(v) && !math.IsNaN(w) && math.Abs(v-w) <= k*s
			if near {
				one.SD++
			}
			inside[i] = inside[i] && near
			if math.IsNaN(v) || math.IsNaN(w) {
				continue
			}
			low, _ := slices.BinarySearch(sorted, v)
			high := low
			for high+1 < len(sorted) && sorted[high+1] == v {
				high++
			}
			for p := range one.Rank {
				reach := (p + 1) * len(sorted) / 100
				if w >= sorted[max(0, low-reach)] && w <= sorted[min(len(sorted)-1, high+reach)] {
					one.Rank[p]++
				}
			}
		}
		for p := range one.Rank {
			one.Rank[p] /= float64(records)
		}
		one.SD /= float64(records)
		columns = append(columns, one)
	}
	if columns == nil {
		return nil, 0
	}
	for i, in := range inside {
		if in && truth[i] >= 0 {
			all++
		}
	}
	return columns, all / float64(records)
}

// moments returns mean and standard deviation (with n−1) of the numbers that are not missing, 0 if there are fewer than
// two.
func moments(x []float64) (mean, sd float64) {
	n := 0.0
	for _, v := range x {
		if !math.IsNaN(v) {
			mean += v
			n++
		}
	}
	if n > 0 {
		mean /= n
	}
	for _, v := range x {
		if !math.IsNaN(v) {
			sd += float64((v - mean) * (v - mean))
		}
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(sd / (n - 1))
}

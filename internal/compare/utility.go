package compare

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// A Marginal describes how one column of a release differs from the original.
type Marginal struct {
	Column int
	// TV is the total variation distance ½ Σ |p − q| over values; numbers are binned by tenths of the original.
	TV float64
	// KS is the largest distance between the distribution functions, for numbers only.
	KS                     float64
	Mean, ReleasedMean     float64
	SD, ReleasedSD         float64
	Missing, ReleasedBlank int // records without a number
}

// Marginals compares each column by itself.
func Marginals(original, release *Records) []Marginal {
	var all []Marginal
	for k := range original.X {
		m := Marginal{Column: k}
		a, b := bins(original, release, k)
		m.TV = variation(shares(a), shares(b))
		if x := original.X[k]; x != nil {
			y := release.X[k]
			m.KS = kolmogorov(x, y)
			m.Mean, m.SD = moments(x)
			m.ReleasedMean, m.ReleasedSD = moments(y)
			m.Missing, m.ReleasedBlank = blanks(x), blanks(y)
		}
		all = append(all, m)
	}
	return all
}

func blanks(x []float64) int {
	return sets.Count(x, math.IsNaN)
}

// tenths is the number of bins of a column of numbers.
const tenths = 10

// bins returns the bins of the values of column k in both files: of categories by value, of numbers by the tenth of the
// original that they fall in, −1 if missing.
func bins(original, release *Records, k int) (a, b []int64) {
	if original.X[k] == nil {
		for _, id := range original.ID[k] {
			a = append(a, int64(id))
		}
		for _, id := range release.ID[k] {
			b = append(b, int64(id))
		}
		return a, b
	}
	sorted := sets.Where(original.X[k], func(v float64) bool { return !math.IsNaN(v) })
	slices.Sort(sorted)
	var ends []float64 // a bin reaches from above the previous end to its own end inclusive
	for i := 1; i < tenths && len(sorted) > 0; i++ {
		if v := sorted[(i*len(sorted)+tenths-1)/tenths-1]; len(ends) == 0 || v > ends[len(ends)-1] {
			ends = append(ends, v)
		}
	}
	number := func(x []float64) []int64 {
		list := make([]int64, len(x))
		for i, v := range x {
			if math.IsNaN(v) {
				list[i] = -1
				continue
			}
			n, _ := slices.BinarySearch(ends, v)
			list[i] = int64(n)
		}
		return list
	}
	return number(original.X[k]), number(release.X[k])
}

// shares returns the relative frequency of each value of a column.
func shares[T comparable](list []T) map[T]float64 {
	m := map[T]float64{}
	for _, v := range list {
		m[v]++
	}
	for v := range m {
		m[v] /= float64(len(list))
	}
	return m
}

// variation returns ½ Σ |p − q|.
func variation[T comparable](p, q map[T]float64) float64 {
	var d []float64
	for v, x := range p {
		d = append(d, math.Abs(x-q[v]))
	}
	for v, x := range q {
		if _, ok := p[v]; !ok {
			d = append(d, x)
		}
	}
	slices.Sort(d) // so that the sum is the same to the bit
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / 2
}

// kolmogorov returns max |F − G| over the numbers that are not missing.
func kolmogorov(x, y []float64) float64 {
	clean := func(x []float64) []float64 {
		list := sets.Where(x, func(v float64) bool { return !math.IsNaN(v) })
		slices.Sort(list)
		return list
	}
	a, b := clean(x), clean(y)
	if len(a) == 0 || len(b) == 0 {
		if len(a) == len(b) {
			return 0
		}
		return 1
	}
	most, i, j := 0.0, 0, 0
	for i < len(a) && j < len(b) {
		v := min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// An Association is the association of two columns, before and after: Pearson's r for two columns of numbers, else
// Cramér's V, with numbers by tenths.
type Association struct {
	A, B               int
	Kind               string // pearson or cramer
	Original, Released float64
	TV                 float64 // total variation distance of the joint distribution, numbers by tenths
}

// Associations compares each pair of columns. Cost: records times pairs.
func Associations(ctx context.Context, original, release *Records) ([]Association, error) {
	var all []Association
	type column struct{ a, b []int64 }
	columns := make([]column, len(original.X))
	for k := range columns {
		columns[k].a, columns[k].b = bins(original, release, k)
	}
	for i := range columns {
		for j := i + 1; j < len(columns); j++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			x := Association{A: i, B: j, Kind: "cramer"}
			a, b := pairs(columns[i].a, columns[j].a), pairs(columns[i].b, columns[j].b)
			x.TV = variation(shares(a), shares(b))
			if original.X[i] != nil && original.X[j] != nil {
				x.Kind = "pearson"
				x.Original, x.Released = pearson(original.X[i], original.X[j]), pearson(release.X[i], release.X[j])
			} else {
				x.Original, x.Released = cramer(a), cramer(b)
			}
			all = append(all, x)
		}
	}
	return all, nil
}

func pairs(a, b []int64) [][2]int64 {
	return sets.List(len(a), func(i int) [2]int64 { return [2]int64{a[i], b[i]} })
}

// pearson returns the correlation over records in which neither is missing, 0 if a column is constant.
func pearson(x, y []float64) float64 {
	var a, b []float64
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	ma, sa := moments(a)
	mb, sb := moments(b)
	if sa == 0 || sb == 0 {
		return 0
	}
	sum := 0.0
	for i := range a {
		sum += float64((a[i] - ma) * (b[i] - mb))
	}
	return sum / float64(len(a)-1) / sa / sb
}

// cramer returns √(χ²/(n·(min(rows, columns) − 1))), 0 if there is only one row or column.
func cramer(list [][2]int64) float64 {
	joint := map[[2]int64]float64{}
	row, column := map[int64]float64{}, map[int64]float64{}
	for _, v := range list {
		joint[v]++
		row[v[0]]++
		column[v[1]]++
	}
	least := min(len(row), len(column)) - 1
	if least < 1 {
		return 0
	}
	// χ²/n = Σ n_ij²/(n_i n_j) − 1
	var terms []float64
	for v, n := range joint {
		terms = append(terms, n*n/(row[v[0]]*column[v[1]]))
	}
	slices.Sort(terms)
	sum := -1.0
	for _, t := range terms {
		sum += t
	}
	return math.Sqrt(max(0, sum) / float64(least))
}

// IL1s returns the information loss of columns of numbers, with records matched by truth:
//
//	1/(p·n) Σ |x − x′| / (√2·s)
//
// over the p columns that are not constant and the n records that are known, where s is the standard deviation of the
// original column; pairs with a missing number are left out. ok is false if there is nothing to sum.
//
// Source: Mateo-Sanz, Domingo-Ferrer and Sebé, Probabilistic information loss measures in confidentiality
// protection of continuous microdata (DMKD 2005); IL1s of sdcMicro without its division by p and n.
func IL1s(original, release *Records, truth []int32) (loss float64, ok bool) {
	sum, n := 0.0, 0
	for c, x := range original.X {
		if x == nil {
			continue
		}
		_, s := moments(x)
		if s == 0 {
			continue
		}
		for i, j := range truth {
			if j < 0 || math.IsNaN(x[j]) || math.IsNaN(release.X[c][i]) {
				continue
			}
			sum += math.Abs(x[j]-release.X[c][i]) / (math.Sqrt2 * s)
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

// Distances summarises the distances of some records of the release to their nearest records of the original.
type Distances struct {
	Copies     float64 // share at distance 0
	Low, Mid   float64 // the 5th percentile and the median
	Mean       float64
	PerColumns int // number of columns, which is the largest possible distance
}

// Closest measures how near the release comes to the original (distance to the closest record).
func Closest(ctx context.Context, original, release *Records, records []int32) (d Distances, err error) {
	found, err := newMetric(original, release).nearest(ctx, release, original, records)
	if err != nil {
		return d, err
	}
	var list []float64
	for _, f := range found {
		list = append(list, f.distance)
		d.Mean += f.distance / float64(len(found))
		if f.distance <= slack {
			d.Copies += 1 / float64(len(found))
		}
	}
	slices.Sort(list)
	d.PerColumns = len(original.X)
	d.Low, d.Mid = list[(len(list)-1)*5/100], list[(len(list)-1)/2]
	return d, nil
}

// A Point is a release by its risk and its loss for users; less is better for both.
type Point struct {
	Name       string
	Risk, Loss float64
}

// Frontier reports for each point whether it is Pareto optimal: no other one is better in one respect and at least as
// good in the other.
func Frontier(points []Point) []bool {
	on := make([]bool, len(points))
	for i, p := range points {
		on[i] = true
		for _, q := range points {
			if q.Risk <= p.Risk && q.Loss <= p.Loss && (q.Risk < p.Risk || q.Loss < p.Loss) {
				on[i] = false
			}
		}
	}
	return on
}

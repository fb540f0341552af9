package cellkey

import (
	"math"
	"sort"
)

// Measures describe the loss of accuracy through noise: the distances between published and true counts, as cellKey's
// ck_cnt_measures prints them, following Antal, Enderle and Giessing, Methods for protecting census data in the EU
// (2017).
type Measures struct {
	Cells, Changed          int
	FalseZeros, FalseOthers int           // not 0 but published as 0; 0 but published as another number
	Noise                   map[int64]int // cells by noise
	Compared                int           // number of cells in the next three
	Absolute, Relative      Distances     // |n' − n|, |n' − n|/n
	Root                    Distances     // |√n' − √n|, the terms of Hellinger's distance
	Hellinger               float64       // √(½ Σ (√n' − √n)²) over these cells
}

// Distances summarise a distance over the cells.
type Distances struct {
	Mean, Median, Max float64
	Quantiles         []float64 // at 10, 20, 30, 40, 60, 70, 80, 90, 95 and 99 %, as computed by R's quantile
}

// quantiles are those that cellKey reports.
var quantiles = []float64{0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// measure compares true counts with published ones. As in cellKey, distances are over cells not published as 0, unless
// zeros is set.
func measure(truth, published []int64, zeros bool) *Measures {
	m := &Measures{Cells: len(truth), Noise: map[int64]int{}}
	var d, r, s []float64
	sum := 0.0
	for k, n := range truth {
		x := published[k]
		m.Noise[x-n]++
		if x != n {
			m.Changed++
		}
		if x == 0 && n != 0 {
			m.FalseZeros++
		}
		if x != 0 && n == 0 {
			m.FalseOthers++
		}
		if x == 0 && !zeros {
			continue
		}
		off := math.Abs(float64(x - n))
		root := math.Abs(math.Sqrt(float64(x)) - math.Sqrt(float64(n)))
		d, s = append(d, off), append(s, root)
		if n == 0 { // 0/0 counts as 0
			r = append(r, 0)
		} else {
			r = append(r, off/float64(n))
		}
		sum += float64(root * root)
	}
	m.Compared = len(d)
	m.Absolute, m.Relative, m.Root = distances(d), distances(r), distances(s)
	m.Hellinger = math.Sqrt(sum / 2)
	return m
}

func distances(x []float64) (d Distances) {
	d.Quantiles = make([]float64, len(quantiles))
	if len(x) == 0 {
		return d
	}
	sort.Float64s(x)
	at := func(q float64) float64 { // R's type 7
		h := float64(q * float64(len(x)-1))
		k := int(h)
		if k+1 >= len(x) {
			return x[len(x)-1]
		}
		return x[k] + float64((h-float64(k))*(x[k+1]-x[k]))
	}
	for _, v := range x {
		d.Mean += v
	}
	d.Mean /= float64(len(x))
	d.Median, d.Max = at(0.5), x[len(x)-1]
	for k, q := range quantiles {
		d.Quantiles[k] = at(q)
	}
	return d
}

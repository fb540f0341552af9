package cellkey

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Design specifies a perturbation table, in the terms of the R package ptable: the probabilities have the largest
// entropy among those with mean 0, variance at most V, noise at most D, and no positive value up to JS.
type Design struct {
	D  int
	V  float64
	JS int
	// Stay are the minimal probabilities of no noise, one for all rows or one each from i = 1; 0 for none. If a value
	// makes variance V unreachable, it is lowered by 0.05 until V is reached, as in ptable.
	Stay []float64
	// Free drops, for all rows or each, the condition that smaller negative noise is at least as likely as larger.
	Free []bool
	// Exact requires, for all rows or each, a variance of exactly V instead of at most V: method 4 of ptable.
	Exact []bool
	// Categories are the true values that have a row in tables for magnitudes, 1 and D among them; their noise is a
	// multiple of 1/Step. None: a table of counts.
	Categories []int64
	Step       int64
}

// resolution is the number of decimals of designed probabilities; grain is one unit of the last, in units of a key.
const (
	resolution = 1e9
	grain      = one / resolution
)

// Table designs the table. Row sums are exactly 1. In rows with three consecutive outcomes, means are exactly 0 and
// variances exactly V if the row can attain V, to 9 decimals. It fails if no probabilities satisfy the constraints.
func (d *Design) Table() (*Table, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	rows := d.rows()
	t := &Table{Step: d.step(), Rows: []Row{{V: []int64{0}, Upper: []uint64{one}}}}
	for n, i := range rows {
		r, err := d.row(n, i)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, *r)
	}
	return t, nil
}

func (d *Design) step() int64 {
	if d.Categories == nil {
		return 1
	}
	return d.Step
}

// rows returns the true values other than 0 that have a row.
func (d *Design) rows() []int64 {
	if d.Categories != nil {
		return slices.Compact(slices.Sorted(slices.Values(d.Categories)))
	}
	n := d.D
	if d.JS > 0 {
		n += d.JS + 1
	}
	return sets.List(n, func(k int) int64 { return int64(k + 1) })
}

// most is the largest D, which keeps rows small.
const most = 200

func (d *Design) check() error {
	n := len(d.rows())
	switch {
	case d.D < 1 || d.D > most:
		return i18n.Errorf("D = %d: want the largest noise, from 1 to %d", d.D, most)
	case !(d.V > 0 && d.V <= float64(d.D*d.D)):
		return i18n.Errorf("V = %g: want a variance above 0 and at most D² = %d", d.V, d.D*d.D)
	case d.JS < 0 || d.JS > d.D:
		return i18n.Errorf("js = %d: want the largest value that is not published, from 0 to D", d.JS)
	case len(d.Stay) > 1 && len(d.Stay) != n || len(d.Free) > 1 && len(d.Free) != n || len(d.Exact) > 1 && len(d.Exact) != n:
		return i18n.Errorf("want one value for all rows, or %d, one for each from i = 1", n)
	case slices.ContainsFunc(d.Stay, func(p float64) bool { return !(p >= 0 && p < 1) }):
		return i18n.Errorf("pstay %v: want chances below 1", d.Stay)
	case d.Categories == nil:
		return nil
	case d.Step < 1 || d.Step*int64(d.D) > most:
		return i18n.Errorf("step %d: want steps of 1/step, at most %d in D", d.Step, most)
	case d.JS > 0:
		return i18n.Errorf("js = %d: small values of magnitudes are separated, not left out", d.JS)
	case !slices.Contains(d.Categories, 1) || slices.Max(d.Categories) != int64(d.D) || slices.Min(d.Categories) < 1:
		return i18n.Errorf("categories %v: want true values from 1 to D = %d, both among them", d.Categories, d.D)
	}
	return nil
}

// of returns the value of a list for row n.
func of[T any](list []T, n int) (x T) {
	switch len(list) {
	case 0:
		return x
	case 1:
		return list[0]
	}
	return list[n]
}

// row designs the n-th row, for the true value i.
func (d *Design) row(n int, i int64) (*Row, error) {
	step := d.step()
	r := &Row{I: i}
	for j := max(0, (i-int64(d.D))*step); j <= (i+int64(d.D))*step; j++ {
		if j > 0 && j <= int64(d.JS) {
			continue
		}
		r.V = append(r.V, j-i*step)
	}
	stays := slices.Contains(r.V, 0)
	stay := of(d.Stay, n)
	if !stays {
		stay = 0
	}
	exact := of(d.Exact, n)
	var p []float64
	found := false
	for lower := range 20 {
		try, ok := d.chances(r.V, n, stay-float64(0.05*float64(lower)))
		if ok {
			p, found = try, true
			if math.Abs(d.variance(r.V, p)-d.V) < 5e-4 {
				break
			}
		}
		if stay == 0 {
			break
		}
	}
	if !found {
		variance := i18n.T("at most %g", d.V)
		if exact {
			variance = i18n.T("%g", d.V)
		}
		return nil, i18n.Errorf("row i = %d: no noise with mean 0 has a variance of %s; a larger V, a larger D or a smaller js helps", i, variance)
	}
	r.Upper = d.round(r.V, p)
	return r, nil
}

// variance returns the variance of the noise, in whole units.
func (d *Design) variance(v []int64, p []float64) float64 {
	sum := 0.0
	for j := range v {
		sum += float64(p[j] * float64(v[j]*v[j]))
	}
	return sum / float64(d.step()*d.step())
}

// chances returns the probabilities of the noise values v of row n that have the largest entropy.
func (d *Design) chances(v []int64, n int, stay float64) ([]float64, bool) {
	m, scale := len(v), float64(d.step())
	row := func(f func(j int) float64) []float64 {
		return sets.List(m, f)
	}
	d2 := float64(d.D * d.D)
	all := []constraint{
		{a: row(func(j int) float64 { return float64(v[j]) / scale / float64(d.D) })},
		{a: row(func(j int) float64 { return -float64(v[j]*v[j]) / scale / scale / d2 }), b: -d.V / d2, least: !of(d.Exact, n)},
	}
	at := slices.Index(v, 0)
	if stay > 0 && at >= 0 {
		all = append(all, constraint{a: row(func(j int) float64 {
			if j == at {
				return 1
			}
			return 0
		}), b: stay, least: true})
	}
	if !of(d.Free, n) {
		for k := range max(at, 0) { // p_k ≤ p_{k+1}
			all = append(all, constraint{a: row(func(j int) float64 {
				switch j {
				case k:
					return -1
				case k + 1:
					return 1
				}
				return 0
			}), least: true})
		}
	}
	return entropy(m, all)
}

// round converts probabilities to whole numbers with exactly the sum 1, mean 0 and, if p has it, variance V: the
// rounding errors are compensated at consecutive outcomes.
func (d *Design) round(v []int64, p []float64) []uint64 {
	w := make([]int64, len(p))
	left := int64(resolution)
	var mean, square int64 // what is still missing from Σ v w and Σ v² w
	step := d.step()
	target := 2 * int64(math.Round(d.V*float64(step*step)*resolution/2))
	for j := range p {
		w[j] = int64(math.Round(p[j] * resolution))
		left -= w[j]
		mean -= v[j] * w[j]
		square -= v[j] * v[j] * w[j]
	}
	if math.Abs(d.variance(v, p)-d.V) > 1e-9 || !triple(v, w, left, mean, square+target) {
		pair(v, w, left, mean)
	}
	upper, sum := make([]uint64, len(w)), uint64(0)
	for j := range w {
		sum += uint64(w[j]) * grain
		upper[j] = sum
	}
	upper[len(w)-1] = one
	return upper
}

// follow returns the position of n consecutive outcomes, −1 if there are none: the likeliest ones, preferring positive
// noise, whose order is unconstrained.
func follow(v, w []int64, n int) int {
	best := -1
	for k := 0; k+n <= len(v); k++ {
		if v[k+n-1] != v[k]+int64(n-1) {
			continue
		}
		if best < 0 || v[best] <= 0 && v[k] > 0 && slices.Min(w[k:k+n]) > 1e6 || (v[best] > 0) == (v[k] > 0) && slices.Min(w[k:k+n]) > slices.Min(w[best:best+n]) {
			best = k
		}
	}
	return best
}

// triple adjusts three consecutive outcomes so that all three sums become right.
func triple(v, w []int64, left, mean, square int64) bool {
	best := follow(v, w, 3)
	if best < 0 {
		return false
	}
	a := v[best+1]
	m1, m2 := mean-a*left, square-2*a*mean+a*a*left
	if (m1+m2)%2 != 0 {
		return false
	}
	up, down := (m1+m2)/2, (m2-m1)/2
	if w[best]+down < 0 || w[best+1]+left-m2 < 0 || w[best+2]+up < 0 {
		return false
	}
	w[best], w[best+1], w[best+2] = w[best]+down, w[best+1]+left-m2, w[best+2]+up
	return true
}

// pair does the same for the sum and the mean; without two consecutive outcomes, for the sum alone.
func pair(v, w []int64, left, mean int64) {
	if best := follow(v, w, 2); best >= 0 {
		up := mean - v[best]*left
		if w[best+1]+up >= 0 && w[best]+left-up >= 0 {
			w[best+1] += up
			w[best] += left - up
			return
		}
	}
	w[slices.Index(w, slices.Max(w))] += left
}

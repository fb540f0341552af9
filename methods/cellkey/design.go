package cellkey

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Design says what a perturbation table is to be, in the words of the R package ptable: the chances have the largest
// entropy among those with mean 0, a variance of at most V, noise of at most D, and no positive value up to JS.
type Design struct {
	D  int
	V  float64
	JS int
	// Stay are the least chances of no noise, one for all rows or one each from i = 1; 0 for none. One that does not let the
	// variance reach V is lowered by 0.05 until it does, as ptable does.
	Stay []float64
	// Free leaves out, for all rows or each, that below 0 smaller noise is no less likely than larger.
	Free []bool
	// Exact asks, for all rows or each, for a variance of V, not one of at most V: the method 4 of ptable.
	Exact []bool
	// Categories are the true values with a row in tables for magnitudes, 1 and D among them, whose noise is a multiple of
	// 1/Step. None: a table of counts.
	Categories []int64
	Step       int64
}

// resolution is the number of decimals of designed chances; grain is 1 of it in units of a key.
const (
	resolution = 1e9
	grain      = one / resolution
)

// Table designs the table. Row sums are exactly 1; means are exactly 0 and variances that the row attains exactly V, to 9 decimals,
// wherever a row has three outcomes that follow each other. It fails where no chances meet the constraints.
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

// rows are the true values beside 0 that have one.
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

// most is the largest D, so that rows stay small.
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

// of is the value of a list for row n.
func of[T any](list []T, n int) (x T) {
	switch len(list) {
	case 0:
		return x
	case 1:
		return list[0]
	}
	return list[n]
}

// row designs the row of the true value i, the nth.
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

// variance is that of the noise, in whole units.
func (d *Design) variance(v []int64, p []float64) float64 {
	sum := 0.0
	for j := range v {
		sum += float64(p[j] * float64(v[j]*v[j]))
	}
	return sum / float64(d.step()*d.step())
}

// chances are those with the largest entropy for the noise v of row n.
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

// round makes whole numbers of chances, with sum 1, mean 0, and the variance V if p has it, exactly: what rounding
// leaves is put on outcomes that follow each other.
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

// follow returns where n outcomes follow each other, −1 for nowhere: the likeliest, and such of noise above 0 before
// others, whose order counts.
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

// triple adds to three outcomes that follow each other so that all three sums come right.
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

// pair does so for the sum and the mean; where no two outcomes follow each other, for the sum alone.
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

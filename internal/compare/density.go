package compare

import (
	"math"
	"slices"
	"sort"
)

// A density is a kernel estimate of how far numbers were moved, tabulated from one end to the other.
type density struct {
	low, width float64
	list       []float64
	peak       float64 // peak of a single kernel
	least      float64
	mean, sd   float64
	from, to   float64 // the smallest and the largest movement
}

// newDensity returns a Gaussian kernel density with Silverman's bandwidth (Density estimation, 1986, 3.31), made wider
// by a factor; nil if all numbers were moved alike.
func newDensity(moved []float64, wider float64) *density {
	slices.Sort(moved)
	n := float64(len(moved))
	mean, sd := 0.0, 0.0
	for _, d := range moved {
		mean += d / n
	}
	for _, d := range moved {
		sd += (d - mean) * (d - mean) / n
	}
	sd = math.Sqrt(sd)
	all := sd
	if spread := (moved[len(moved)*3/4] - moved[len(moved)/4]) / 1.34; spread > 0 {
		sd = min(sd, spread)
	}
	if sd == 0 {
		return nil
	}
	h := wider * 0.9 * sd * math.Pow(n, -0.2)
	d := &density{from: moved[0], to: moved[len(moved)-1], mean: mean, sd: all, low: moved[0] - 4*h, peak: 1 / (h * math.Sqrt(2*math.Pi))}
	d.width = moved[len(moved)-1] + 4*h - d.low
	d.least = 1 / (n + 1) / d.width
	for p := range points {
		at, sum := d.low+float64(p)/(points-1)*d.width, 0.0
		for m := sort.SearchFloat64s(moved, at-5*h); m < len(moved) && moved[m] < at+5*h; m++ {
			u := (at - moved[m]) / h
			sum += math.Exp(-u * u / 2)
		}
		d.list = append(d.list, sum*d.peak/n)
	}
	return d
}

// at returns the density of a movement; where none was seen, or a number is missing, it is that of one more record
// anywhere.
func (d *density) at(v float64) float64 {
	p := (v - d.low) / d.width * (points - 1)
	if !(p >= 0 && p < points-1) {
		return d.least
	}
	n := int(p)
	return d.list[n] + (p-float64(n))*(d.list[n+1]-d.list[n]) + d.least
}

// normal returns the density of the normal distribution, not scaled.
func (d *density) normal(v float64) float64 {
	if math.IsNaN(v) {
		return d.least
	}
	u := (v - d.mean) / d.sd
	return math.Exp(-u * u / 2)
}

// laplace returns the density of the Laplace distribution, not scaled.
func (d *density) laplace(v float64) float64 {
	if math.IsNaN(v) {
		return d.least
	}
	return math.Exp(-math.Sqrt2 * math.Abs(v-d.mean) / d.sd)
}

// uniform returns the density of the uniform distribution, not scaled.
func (d *density) uniform(v float64) float64 {
	if near := 1e-9 * (d.to - d.from); v >= d.from-near && v <= d.to+near || math.IsNaN(v) {
		return 1
	}
	return 0
}

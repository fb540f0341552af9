package cellkey

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
)

// A Magnitude defines the noise of cells of a magnitude table (Giessing and Tent, Concepts for generalising tools
// implementing the cell key method to the case of continuous variables, UNECE 2019), as τ-ARGUS 4.2 does: for each of
// the largest contributions x_j
//
//	x ← x + sign(x)·|δ_j|·v_j,  δ_j = x_j·ε_j·m(|x_j|),
//
// where v_j comes from the table's row for |x/δ_j|, interpolated between two rows, using the cell key rotated by one
// digit for each j.
type Magnitude struct {
	Large, Odd *Table    // Odd: for cells with an odd number of contributors, Large for the others; nil: Large is for all
	Small      *Table    // with Separation
	Epsilon    []float64 // ε_1 = 1, ε_2, …: that many contributions are used
	// Flex makes m fall from P at Point to Least for large x, by the flex function with exponent Q; otherwise m is P.
	Flex            bool
	P, Least, Point float64
	Q               float64
	Mu              float64 // added to |v_1| in sensitive cells
	Digits          int     // number of decimals of record keys
}

// Check reports an invalid m.
func (m *Magnitude) Check() error {
	switch {
	case m.Large == nil:
		return i18n.Errorf("no perturbation table")
	case !(m.P > 0 && m.P <= 1) || m.Flex && !(m.Least > 0 && m.Least <= m.P && m.Point > 0 && m.Q >= 1):
		return i18n.Errorf("σ₁ = %g, σ₀ = %g, x* = %g, q = %g: want 0 < σ₀ ≤ σ₁ ≤ 1, x* > 0 and q ≥ 1", m.P, m.Least, m.Point, m.Q)
	case len(m.Epsilon) == 0 || m.Epsilon[0] != 1:
		return i18n.Errorf("ε = %v: want 1 first", m.Epsilon)
	case m.Digits < 1 || m.Digits > recordkey.Decimals:
		return i18n.Errorf("record keys of %d decimals: want 1 to %d", m.Digits, recordkey.Decimals)
	case !(m.Mu >= 0 && m.Mu <= 100):
		return i18n.Errorf("μ = %g: want 0 or more", m.Mu)
	}
	for _, e := range m.Epsilon {
		if !(e >= 0 && e <= 1) {
			return i18n.Errorf("ε = %v: want numbers from 0 to 1", m.Epsilon)
		}
	}
	return nil
}

// separation returns the point z_s below which a contribution counts as small: √m₁²/(σ₁·√E), where m₁² is the variance
// of the last row of the table for small cells and E = Σ ε².
func (m *Magnitude) separation() float64 {
	if m.Small == nil {
		return 0
	}
	v, _ := m.Small.Rows[len(m.Small.Rows)-1].moment(2).Float64()
	e := 0.0
	for _, x := range m.Epsilon {
		e += float64(x * x)
	}
	return math.Sqrt(v) / float64(m.Small.Step) / (m.P * math.Sqrt(e))
}

// factor returns m(z), by the flex function.
func (m *Magnitude) factor(z, separate float64) float64 {
	if m.Flex && z >= m.Point {
		p, q := m.Least, m.P
		return p * (1 + float64((float64(q*z)-float64(p*m.Point))/(p*m.Point)*math.Pow(2*m.Point/(z+m.Point), m.Q)))
	}
	if z > separate || m.Flex && separate == 0 {
		return m.P
	}
	return 0
}

// Value returns what a cell with value x and n contributors is published as. top are its largest contributions in
// absolute value, or what takes their place (their mean, or x); at most as many as ε has, and at most n, are used.
func (m *Magnitude) Value(x float64, top []float64, n int64, key Key, sensitive bool) float64 {
	if x == 0 || len(top) == 0 {
		return x
	}
	large := m.Large
	if m.Odd != nil && n%2 == 1 {
		large = m.Odd
	}
	separate := m.separation()
	for j := range min(len(m.Epsilon), len(top)) {
		z := math.Abs(top[j])
		delta := 1.0
		if z >= separate {
			delta = z * m.Epsilon[j] * m.factor(z, separate)
		} else if j > 0 {
			continue
		}
		if math.Abs(x) < delta {
			delta = math.Abs(x)
			z = delta / (m.Epsilon[j] * m.P)
			if z < separate {
				if j > 0 {
					continue
				}
				delta = 1
			}
		}
		key = turn(key, m.Digits)
		if delta == 0 {
			continue
		}
		t := large
		if m.Small != nil && z <= separate {
			t = m.Small
		}
		v := t.between(math.Abs(x)/delta, key)
		add := v
		if j == 0 && sensitive && z >= separate {
			add = math.Copysign(m.Mu+math.Abs(v), v)
		}
		by := math.Copysign(delta*add, x*add)
		if v < 0 { // do not pass 0
			by = math.Copysign(min(math.Abs(by), math.Abs(x)), by)
		}
		x += by
	}
	return x
}

// turn moves the first of the given number of decimals of a key to the end.
func turn(k Key, digits int) Key {
	unit := uint64(1)
	for range recordkey.Decimals - digits {
		unit *= 10
	}
	n := (uint64(k) + unit/2) / unit % (one / unit)
	first := one / unit / 10
	return Key((n%first*10 + n/first) * unit)
}

// between returns the noise for z, in whole units, interpolated linearly between the two neighbouring rows.
func (t *Table) between(z float64, key Key) float64 {
	last := len(t.Rows) - 1
	k := 0
	for k < last && float64(t.Rows[k+1].I) <= z {
		k++
	}
	v := float64(t.Rows[k].noise(key)) / float64(t.Step)
	if k == last {
		return v
	}
	a, b := float64(t.Rows[k].I), float64(t.Rows[k+1].I)
	λ := (z - a) / (b - a)
	if λ < 1e-8 {
		return v
	}
	return float64((1-λ)*v) + λ*float64(t.Rows[k+1].noise(key))/float64(t.Step)
}

package risk

import (
	"bytes"
	"cmp"
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Span is the range of a numeric column in a file.
type Span struct {
	Min, Max table.Decimal
	Decimals int // largest number of decimals of a value
}

// Length returns Max − Min.
func (s Span) Length() *big.Rat { return new(big.Rat).Sub(rational(s.Max), rational(s.Min)) }

// rational returns a decimal as a fraction.
func rational(d table.Decimal) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(d.Unscaled), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil))
}

func compareDecimals(a, b table.Decimal) int {
	scale := max(a.Scale, b.Scale)
	x, okX := a.At(scale)
	y, okY := b.At(scale)
	if okX && okY {
		return cmp.Compare(x, y)
	}
	return rational(a).Cmp(rational(b))
}

// number parses a value that gets noise.
func (r *record) number(column string, v []byte) (table.Decimal, error) {
	d, err := table.ParseDecimal(string(v))
	if err != nil {
		return d, r.fault(column, v, i18n.T("%s", err))
	}
	if bytes.IndexByte(v, ',') >= 0 {
		return d, r.fault(column, v, i18n.T("want a decimal point"))
	}
	return d, nil
}

// absent returns which of the numbers of r, its values from index from on, are missing, as bits, and whether the record
// is left out.
func (r *record) absent(m Missing, from int) (pattern uint64, out bool) {
	if m.Mode == "" {
		return 0, false
	}
	for c, v := range r.values[from:] {
		if slices.ContainsFunc(m.Markers, func(marker string) bool { return string(v) == marker }) {
			pattern |= 1 << c
		}
	}
	return pattern, pattern != 0 && m.Mode == Drop
}

// Spans returns the number of records of a file and the span of each of up to 64 columns. Every value must be a number
// unless it is missing: with Own missing values stay, with Drop their records are not counted, and with an empty mode
// none is missing. group is the smallest number of records that lack the same numbers: noise hides nobody among records
// that lack different ones, so the guarantee is that for group records.
func Spans(ctx context.Context, path string, l Layout, columns []string, m Missing) (n, group int64, spans []Span, err error) {
	if err := m.check(Own, Drop); err != nil {
		return 0, 0, nil, err
	}
	if len(columns) > maxColumns {
		return 0, 0, nil, i18n.Errorf("%d columns, want at most %d", len(columns), maxColumns)
	}
	spans = make([]Span, len(columns))
	seen := make([]bool, len(columns))
	groups := map[uint64]int64{}
	err = eachRecord(ctx, path, l, columns, nil, func(r *record) error {
		pattern, out := r.absent(m, 0)
		if out {
			return nil
		}
		groups[pattern]++
		for c, v := range r.values {
			if pattern>>c&1 == 1 {
				continue
			}
			x, err := r.number(columns[c], v)
			if err != nil {
				return err
			}
			s := &spans[c]
			if !seen[c] || compareDecimals(x, s.Min) < 0 {
				s.Min = x
			}
			if !seen[c] || compareDecimals(x, s.Max) > 0 {
				s.Max = x
			}
			seen[c] = true
			if i := bytes.IndexByte(v, '.'); i >= 0 {
				s.Decimals = max(s.Decimals, len(bytes.TrimRight(v, " "))-i-1)
			}
			s.Decimals = max(s.Decimals, x.Scale)
		}
		n++
		return nil
	})
	for _, size := range groups {
		if group == 0 || size < group {
			group = size
		}
	}
	return n, group, spans, err
}

// A Perturbation is Laplace noise on one column, applied to each value independently: the value is rounded to the
// nearest multiple of the grid's g, a multiple of g is added with the probabilities of [Grid], and the sum is rounded
// to Digits decimals, halves upwards both times. All of this is exact. Rounding and clamping the sum keep the guarantee
// of [Mixture.K].
type Perturbation struct {
	Column   string
	Min, Max table.Decimal // limits between which all values must lie
	Noise    Grid
	Digits   int  // decimals of the result, at most Noise.Digits if there is noise
	Clamp    bool // bring the result back to Min … Max
}

// check reports an invalid number of digits, or more digits than are meaningful.
func (p *Perturbation) check() error {
	most := table.MaxDecimals
	if p.Noise.T > 0 {
		most = min(most, p.Noise.Digits())
	}
	switch {
	case p.Noise.T > gridSteps || p.Noise.Exp < -maxExp || p.Noise.Exp > maxExp:
		return i18n.Errorf("column %s: no grid of package risk", p.Column)
	case p.Digits < 0 || p.Digits > most:
		return i18n.Errorf("column %s: %d decimals, want 0 to %d", p.Column, p.Digits, most)
	}
	return nil
}

// ends returns the least and the greatest number with p.Digits decimals in the range, in units of the last decimal.
// Results are clamped to these: clamped to the range and then rounded, they might leave it again.
func (p *Perturbation) ends() (low, high *big.Int, err error) {
	unit := new(big.Rat).SetInt(tens[p.Digits])
	low = num.Floor(new(big.Rat).Neg(new(big.Rat).Mul(rational(p.Min), unit)))
	low.Neg(low)
	high = num.Floor(new(big.Rat).Mul(rational(p.Max), unit))
	if low.Cmp(high) > 0 {
		return nil, nil, i18n.Errorf("column %s: no number of %d decimals is in the range %s to %s", p.Column, p.Digits, p.Min, p.Max)
	}
	return low, high, nil
}

// A perturber applies a Perturbation to a file.
type perturber struct {
	*Perturbation
	low, high *big.Int
	work      gridWork
	z         big.Int
	to        []byte
}

func (p *perturber) begin(*file) (err error) {
	if p.Clamp && p.Noise.T > 0 {
		p.low, p.high, err = p.ends()
	}
	return err
}

func (p *perturber) change(r *record, v []byte, rng *rand.Rand) ([]byte, error) {
	x, err := r.number(p.Column, v)
	if err != nil {
		return nil, err
	}
	if compareDecimals(x, p.Min) < 0 || compareDecimals(x, p.Max) > 0 {
		return nil, r.fault(p.Column, v, i18n.T("outside the range %s to %s", p.Min, p.Max))
	}
	if p.Noise.T == 0 {
		p.to = appendDecimal(p.to[:0], p.work.rounded(x, p.Digits), p.Digits)
		return p.to, nil
	}
	y := p.work.nearest(p.Noise, x)
	y = p.work.decimals(p.Noise, y.Add(y, p.z.SetInt64(p.Noise.draw(coins{rng}))), p.Digits)
	switch {
	case !p.Clamp:
	case y.Cmp(p.low) < 0:
		y.Set(p.low)
	case y.Cmp(p.high) > 0:
		y.Set(p.high)
	}
	p.to = appendDecimal(p.to[:0], y, p.Digits)
	return p.to, nil
}

// appendDecimal writes x·10^−digits with all its digits.
func appendDecimal(to []byte, x *big.Int, digits int) []byte {
	from := len(to)
	if to = x.Append(to, 10); x.Sign() < 0 {
		from++
	}
	if digits == 0 {
		return to
	}
	for len(to)-from <= digits {
		to = slices.Insert(to, from, '0')
	}
	return slices.Insert(to, len(to)-digits, '.')
}

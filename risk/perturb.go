package risk

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// A Span is what a column of numbers has in a file.
type Span struct {
	Min, Max table.Decimal
	Decimals int // the most of a value
}

// Length is Max − Min.
func (s Span) Length() *big.Rat { return new(big.Rat).Sub(rational(s.Max), rational(s.Min)) }

// rational is a decimal as a fraction.
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

// number reads a value that gets noise.
func (r *record) number(column string, v []byte) (table.Decimal, error) {
	d, err := table.ParseDecimal(string(v))
	if err != nil {
		return d, r.fault(column, v, err.Error())
	}
	if bytes.IndexByte(v, ',') >= 0 {
		return d, r.fault(column, v, "want a decimal point")
	}
	return d, nil
}

// Spans returns the number of records of a file and the span of each column. Every value
// must be a number.
func Spans(ctx context.Context, path string, l Layout, columns []string) (n int64, spans []Span, err error) {
	spans = make([]Span, len(columns))
	err = eachRecord(ctx, path, l, columns, nil, func(r *record) error {
		for c, v := range r.values {
			x, err := r.number(columns[c], v)
			if err != nil {
				return err
			}
			s := &spans[c]
			if n == 0 || compareDecimals(x, s.Min) < 0 {
				s.Min = x
			}
			if n == 0 || compareDecimals(x, s.Max) > 0 {
				s.Max = x
			}
			if i := bytes.IndexByte(v, '.'); i >= 0 {
				s.Decimals = max(s.Decimals, len(bytes.TrimRight(v, " "))-i-1)
			}
			s.Decimals = max(s.Decimals, x.Scale)
		}
		n++
		return nil
	})
	return n, spans, err
}

// A Perturbation is Laplace noise on one column.
type Perturbation struct {
	Column   string
	Min, Max table.Decimal // no value may lie outside
	Noise    Grid
	Digits   int  // decimals of the result, to which it is rounded: at most Noise.Digits, if there is noise
	Clamp    bool // bring the result back to Min … Max
}

// check wants digits, and no more than tell something.
func (p *Perturbation) check() error {
	most := table.MaxDecimals
	if p.Noise.T > 0 {
		most = min(most, p.Noise.Digits())
	}
	switch {
	case p.Noise.T > gridSteps || p.Noise.Exp < -maxExp || p.Noise.Exp > maxExp:
		return fmt.Errorf("column %s: no grid of package risk", p.Column)
	case p.Digits < 0 || p.Digits > most:
		return fmt.Errorf("column %s: %d decimals, want 0 to %d", p.Column, p.Digits, most)
	}
	return nil
}

// ends are the least and the greatest number of p.Digits decimals in the range, in units of
// the last one. Results are brought back to them: rounded afterwards, they would leave the
// range again.
func (p *Perturbation) ends() (low, high *big.Int, err error) {
	unit := new(big.Rat).SetInt(tens[p.Digits])
	low = floor(new(big.Rat).Neg(new(big.Rat).Mul(rational(p.Min), unit)))
	low.Neg(low)
	high = floor(new(big.Rat).Mul(rational(p.Max), unit))
	if low.Cmp(high) > 0 {
		return nil, nil, fmt.Errorf("column %s: no number of %d decimals is in the range %s to %s", p.Column, p.Digits, p.Min, p.Max)
	}
	return low, high, nil
}

// Perturb writes a file to w with noise added to columns, each value by itself: it is rounded
// to the nearest multiple of the grid's g, gets a multiple of g with the chances of [Grid], and
// the sum is rounded to the nearest number of Digits decimals, halves upwards both times. All
// this is exact. The guarantee is that of [GridK]; rounding and clamping the sum keep it. Other columns and the
// encoding stay. All records are written: M is not looked at.
func Perturb(ctx context.Context, w io.Writer, path string, l Layout, columns []Perturbation, release Release, rng *rand.Rand) error {
	m := Mixture{Noise: columns}
	return m.write(ctx, w, path, l, release, &everyone{release.N}, rng)
}

// A perturber is a Perturbation at work.
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
		return nil, r.fault(p.Column, v, fmt.Sprintf("outside the range %s to %s", p.Min, p.Max))
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

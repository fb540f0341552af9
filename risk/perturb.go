package risk

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"

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

// nearest is the float64 nearest to d.
func nearest(d table.Decimal) float64 {
	if -1<<53 < d.Unscaled && d.Unscaled < 1<<53 {
		return float64(d.Unscaled) / math.Pow10(d.Scale) // both are exact
	}
	return float(rational(d))
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
	Scale    float64       // 0: none
	Digits   int           // decimals of the result, to which it is rounded
	Clamp    bool          // bring the result back to Min … Max
}

// ends are the least and the greatest number of p.Digits decimals in the range, to which
// results are brought back: rounded afterwards, they would leave it again.
func (p *Perturbation) ends() (low, high float64, err error) {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.Digits)), nil))
	least := floor(new(big.Rat).Neg(new(big.Rat).Mul(rational(p.Min), unit)))
	least.Neg(least)
	most := floor(new(big.Rat).Mul(rational(p.Max), unit))
	if least.Cmp(most) > 0 {
		return 0, 0, fmt.Errorf("column %s: no number of %d decimals is in the range %s to %s", p.Column, p.Digits, p.Min, p.Max)
	}
	number := func(x *big.Int) float64 { r := new(big.Rat).SetInt(x); return float(r.Quo(r, unit)) }
	return number(least), number(most), nil
}

// Perturb writes a file to w with noise of density exp(−|x|/Scale)/(2·Scale) added to columns, each
// value by itself. Rounding and clamping come after and keep the guarantee of
// [LaplaceK] with D/σ = Σ (Max−Min)/Scale. Other columns and the encoding stay. All
// records are written: M is not looked at.
//
// Results are computed in floating point, so they have about 16 digits: a guarantee for
// real numbers holds for them as far as Digits does not ask for more.
func Perturb(ctx context.Context, w io.Writer, path string, l Layout, columns []Perturbation, release Release, rng *rand.Rand) error {
	names := make([]string, len(columns))
	low, high := make([]float64, len(columns)), make([]float64, len(columns))
	for c, x := range columns {
		names[c] = x.Column
		if !(x.Scale >= 0) || math.IsInf(x.Scale, 0) {
			return fmt.Errorf("column %s: scale %g, want at least 0", x.Column, x.Scale)
		}
		if x.Digits < 0 || x.Digits > table.MaxDecimals {
			return fmt.Errorf("column %s: %d decimals, want 0 to %d", x.Column, x.Digits, table.MaxDecimals)
		}
		if x.Clamp && x.Scale > 0 {
			var err error
			if low[c], high[c], err = x.ends(); err != nil {
				return err
			}
		}
	}
	out := sink{w: w, rng: rng, keep: release.Shuffle}
	to := make([][]byte, len(columns))
	var text []byte
	n := release.N
	err := eachRecord(ctx, path, l, names, out.head, func(r *record) error {
		n--
		for c, v := range r.values {
			p := &columns[c]
			x, err := r.number(names[c], v)
			if err != nil {
				return err
			}
			if compareDecimals(x, p.Min) < 0 || compareDecimals(x, p.Max) > 0 {
				return r.fault(names[c], v, fmt.Sprintf("outside the range %s to %s", p.Min, p.Max))
			}
			y := nearest(x) + p.Scale*laplace(rng)
			if p.Clamp && p.Scale > 0 {
				y = min(max(y, low[c]), high[c])
			}
			to[c] = strconv.AppendFloat(to[c][:0], y, 'f', p.Digits, 64)
			if !bytes.ContainsAny(to[c], "123456789") {
				to[c] = bytes.TrimPrefix(to[c], []byte{'-'}) // no −0
			}
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err == nil && n != 0 {
		err = errChanged
	}
	if err == nil {
		err = out.end()
	}
	return err
}

// laplace draws from the density exp(−|x|)/2: a sign, and as many times ln 2 as a coin
// falls on one side before the other, and the rest below ln 2. So it has no largest
// value, unlike the logarithm of a number of 53 bits.
func laplace(rng *rand.Rand) float64 {
	halves := 0
	u := rng.Uint64()
	for ; u == 0; u = rng.Uint64() {
		halves += 64
	}
	halves += bits.LeadingZeros64(u)
	x := float64(halves)*math.Ln2 - math.Log1p(-rng.Float64()/2)
	if rng.Uint64()&1 == 0 {
		return -x
	}
	return x
}

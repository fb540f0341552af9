package risk

import (
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Bits is bit decomposition (ビット分解) of a column of whole numbers Low … High: v − Low is written with as many bits as
// High − Low has, and each bit is kept with probability Rho and otherwise replaced by 0 or 1 with equal probability.
// Results are Low … Low + 2^bits − 1, which may exceed High.
type Bits struct {
	Column    string
	Low, High int64
	Rho       *big.Rat // its denominator must be below 2^63
}

// number returns the number of bits, 0 for Low = High.
func (x *Bits) number() int { return bits.Len64(uint64(x.High - x.Low)) }

// Guarantee returns α = x^L and β = x^2L for L bits, with x = (1−ρ)/(1+ρ): each bit is an attribute with two values.
//
// Source: the document on noise, section 3, proposal 0 (its second form), which gives no formula; it follows from the
// product over attributes. α is attained only if two values differ in every bit, which depends on Low and High: in
// general it is a bound.
func (x *Bits) Guarantee() Guarantee {
	g := Guarantee{num.Whole(1), num.Whole(1)}
	one := Attribute{Values: 2, Rho: x.Rho}.guarantee()
	for range x.number() {
		g = g.and(one)
	}
	return g
}

func (x *Bits) check() error {
	switch {
	case x.High < x.Low:
		return i18n.Errorf("column %s: %d is above %d", x.Column, x.Low, x.High)
	case x.High-x.Low < 0 || x.High-x.Low > 1<<62 || x.Low > 1<<62:
		return i18n.Errorf("column %s: a range of more than 2^62", x.Column)
	}
	r := Replacement{Column: x.Column, Values: []string{"0", "1"}, Rho: x.Rho}
	return r.check()
}

// Matrix returns the transition matrix from the values Low … High to all possible results.
func (x *Bits) Matrix() (Matrix, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	bit := Attribute{Values: 2, Rho: x.Rho}.Matrix()
	var a Matrix
	for v := range x.High - x.Low + 1 {
		var row []*big.Rat
		for w := range int64(1) << x.number() {
			p := num.Whole(1)
			for b := range x.number() {
				p.Mul(p, bit[v>>b&1][w>>b&1])
			}
			row = append(row, p)
		}
		a = append(a, row)
	}
	return a, nil
}

// A bitter applies Bits to a file.
type bitter struct {
	*Bits
	to []byte
}

func (x *bitter) begin(*file) error { return nil }

func (x *bitter) change(r *record, v []byte, rng *rand.Rand) ([]byte, error) {
	d, err := r.number(x.Column, v)
	if err != nil {
		return nil, err
	}
	w, ok := d.At(0)
	if !ok {
		return nil, r.fault(x.Column, v, i18n.T("want a whole number"))
	}
	if w < x.Low || w > x.High {
		return nil, r.fault(x.Column, v, i18n.T("outside the range %d to %d", x.Low, x.High))
	}
	keep, of := x.Rho.Num().Uint64(), x.Rho.Denom().Uint64()
	z := uint64(w - x.Low)
	for b := range x.number() {
		if rng.Uint64N(of) >= keep {
			z = z&^(1<<b) | rng.Uint64N(2)<<b
		}
	}
	x.to = appendDecimal(x.to[:0], new(big.Int).Add(big.NewInt(x.Low), new(big.Int).SetUint64(z)), 0)
	return x.to, nil
}

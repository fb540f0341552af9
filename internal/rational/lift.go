package rational

import (
	"context"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/num"
)

// A Vector is Num/Den, Den > 0. A nil entry is 0.
type Vector struct {
	Num []*big.Int
	Den *big.Int
}

// solve returns x with B x = b, by position of f.col, for integers b by row (nil: 0).
func (f *factor) solve(ctx context.Context, b []*big.Int) (*Vector, error) {
	return f.lift(ctx, b, false)
}

// solveT returns y with Bᵀ y = c, by row, for integers c by position of f.col.
func (f *factor) solveT(ctx context.Context, c []*big.Int) (*Vector, error) {
	return f.lift(ctx, c, true)
}

// lift finds the digits of the answer to the base p one by one (Dixon 1982): with the
// residues of r/B for the next digit x, the rest is (r − B x)/p. Every few digits it
// looks for the fractions behind them. Numerators n over a denominator d that fit are
// the answer where B n and d b are below half the modulus, for they agree modulo that.
// The right-hand side is taken by digits as well, so that all numbers are words.
func (f *factor) lift(ctx context.Context, rhs []*big.Int, transposed bool) (*Vector, error) {
	p, m := f.p, len(f.row)
	modulus := new(big.Int).SetUint64(uint64(p))
	left := make([]*big.Int, m) // of the right-hand side
	some, most := false, 0
	for i, v := range rhs {
		if v != nil && v.Sign() != 0 {
			left[i] = new(big.Int).Set(v)
			some = true
			most = max(most, v.BitLen())
		}
	}
	if !some {
		return &Vector{Num: make([]*big.Int, m), Den: big.NewInt(1)}, nil
	}
	norm := f.norm(transposed)
	rest := make([]int64, m)
	acc := make([]num.Int128, m)
	var digits [][]uint64
	rem := new(big.Int)
	for next := 2; ; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		// The residues of what is left, and one digit.
		for i := range rest {
			acc[i] = num.Int128Of(rest[i])
			if v := left[i]; v != nil {
				v.QuoRem(v, modulus, rem) // of the sign of v
				acc[i] = acc[i].Add(num.Int128Of(rem.Int64()))
				if v.Sign() == 0 {
					left[i] = nil
				}
			}
		}
		x := make([]uint64, m)
		if transposed {
			for t, j := range f.col {
				f.byCol[j] = mod(acc[t], p)
			}
			f.backward()
			copy(x, f.byRow)
			for t, j := range f.col {
				row, coef := f.a.column(j)
				for s, i := range row {
					acc[t] = acc[t].Sub(num.Product(coef[s], x[i]))
				}
			}
		} else {
			for i := range acc {
				f.byRow[i] = mod(acc[i], p)
			}
			f.forward()
			for t, j := range f.col {
				if x[t] = f.byCol[j]; x[t] == 0 {
					continue
				}
				row, coef := f.a.column(j)
				for s, i := range row {
					acc[i] = acc[i].Sub(num.Product(coef[s], x[t]))
				}
			}
		}
		zero := true
		for i := range acc {
			rest[i] = quo(acc[i], p)
			zero = zero && rest[i] == 0 && left[i] == nil
		}
		digits = append(digits, x)
		if len(digits) < next && !zero {
			continue
		}
		next = len(digits) + 1 + len(digits)/2
		if v := fractions(digits, modulus, norm, most); v != nil {
			return v, nil
		}
	}
}

// norm returns the bits of the largest sum of magnitudes in a row of the basis, or a
// column.
func (f *factor) norm(transposed bool) int {
	sum := make([]uint64, f.a.m)
	most := uint64(0)
	for t, j := range f.col {
		row, coef := f.a.column(j)
		for s, i := range row {
			at := i
			if transposed {
				at = int32(t)
			}
			sum[at] += num.Magnitude(coef[s])
			most = max(most, sum[at])
		}
	}
	return bits.Len64(most)
}

// fractions returns the numbers whose digits are given, nil if there are too few.
func fractions(digits [][]uint64, p *big.Int, norm, rhs int) *Vector {
	modulus := new(big.Int).Exp(p, big.NewInt(int64(len(digits))), nil)
	half := new(big.Int).Rsh(modulus, 1)
	// numerators up to 2^most, denominators up to 2^deepest
	spare := modulus.BitLen() - 2
	out := &Vector{Num: make([]*big.Int, len(digits[0])), Den: big.NewInt(1)}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(max(0, spare/2)))
	v, d := new(big.Int), new(big.Int)
	var scaled []int // entries, in the order found
	dens := []*big.Int{}
	for i := range out.Num {
		v.SetInt64(0)
		for t := len(digits) - 1; t >= 0; t-- {
			v.Mul(v, p)
			v.Add(v, d.SetUint64(digits[t][i]))
		}
		if v.Sign() == 0 {
			continue
		}
		v.Mul(v, out.Den)
		v.Mod(v, modulus)
		if v.Cmp(half) > 0 {
			v.Sub(v, modulus)
		}
		if v.CmpAbs(limit) > 0 {
			num, den := fraction(v, modulus, limit)
			if den == nil {
				return nil
			}
			v.Set(num)
			out.Den = new(big.Int).Mul(out.Den, den)
		}
		if out.Den.BitLen()+rhs >= spare || v.BitLen()+norm >= spare {
			return nil
		}
		out.Num[i] = new(big.Int).Set(v)
		scaled, dens = append(scaled, i), append(dens, out.Den)
	}
	for t, i := range scaled {
		if dens[t] != out.Den {
			n := out.Num[i]
			n.Mul(n, d.Quo(out.Den, dens[t]))
			if n.BitLen()+norm >= spare {
				return nil
			}
		}
	}
	return out
}

// fraction returns n/d ≡ v with |n| ≤ limit and the least d that the Euclidean
// algorithm finds, nil if that exceeds the square root of the modulus too.
func fraction(v, modulus, limit *big.Int) (num, den *big.Int) {
	r0, r1 := new(big.Int).Set(modulus), new(big.Int).Mod(v, modulus)
	t0, t1 := new(big.Int), big.NewInt(1)
	q, x := new(big.Int), new(big.Int)
	for r1.Cmp(limit) > 0 {
		q.QuoRem(r0, r1, r0)
		r0, r1 = r1, r0
		t0.Sub(t0, x.Mul(q, t1))
		t0, t1 = t1, t0
	}
	if t1.Sign() < 0 {
		r1.Neg(r1)
		t1.Neg(t1)
	}
	if t1.Sign() == 0 || t1.BitLen() > modulus.BitLen()/2+1 {
		return nil, nil
	}
	return r1, t1
}

// mod returns the residue of w.
func mod(w num.Int128, p num.Field) uint64 {
	m, negative := w.Magnitude()
	r := bits.Rem64(m.Hi, m.Lo, uint64(p))
	if negative {
		return p.Sub(0, r)
	}
	return r
}

// quo divides w by p, which goes without rest; the quotient is below 2^63.
func quo(w num.Int128, p num.Field) int64 {
	m, negative := w.Magnitude()
	q, _ := bits.Div64(m.Hi, m.Lo, uint64(p))
	if negative {
		return -int64(q)
	}
	return int64(q)
}

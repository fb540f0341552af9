package rational

import (
	"context"
	"math/big"
	"math/bits"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/work"
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

// lift finds the digits of the answer in base p one by one (Dixon 1982), each from −p/2 to p/2: with x the residues of
// B⁻¹r, the next remainder is (r − B x)/p. If no remainder is left, the digits are the answer. Every few digits it
// tries to reconstruct fractions from them. Numerators n over a denominator d are the answer if B n and d b are below
// half the modulus, as they agree modulo it. The right-hand side is also used digit by digit, so that all numbers are
// words.
func (f *factor) lift(ctx context.Context, rhs []*big.Int, transposed bool) (*Vector, error) {
	m := len(f.row)
	modulus := new(big.Int).SetUint64(uint64(f.p))
	left := make([]*big.Int, m) // what is left of the right-hand side
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
	var digits [][]int64
	rem := new(big.Int)
	for next := 1; ; {
		work.Spend(ctx, time.Duration(m)*digitTime)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		// The residues of the remainder, and one digit of the right-hand side.
		for i := range rest {
			acc[i] = num.Int128Of(rest[i])
			if v := left[i]; v != nil {
				if v.IsInt64() && num.Magnitude(v.Int64()) < uint64(f.p) {
					acc[i] = acc[i].Add(num.Int128Of(v.Int64()))
					left[i] = nil
					continue
				}
				v.QuoRem(v, modulus, rem) // with the sign of v
				acc[i] = acc[i].Add(num.Int128Of(rem.Int64()))
				if v.Sign() == 0 {
					left[i] = nil
				}
			}
		}
		x := f.digit(acc, transposed)
		whole := true
		for i := range acc {
			rest[i] = quo(acc[i], f.p)
			whole = whole && rest[i] == 0 && left[i] == nil
		}
		digits = append(digits, x)
		switch {
		case whole:
			return integers(digits, modulus), nil
		case len(digits) < next:
			continue
		}
		next = len(digits) + 1 + len(digits)/2
		if v := fractions(digits, modulus, norm, most); v != nil {
			return v, nil
		}
	}
}

// digitTime is the approximate time of one digit for each row.
const digitTime = 100 * time.Nanosecond

// digit returns the residues of B⁻¹r, or of B⁻ᵀr, and subtracts their product with B, or Bᵀ, from r.
func (f *factor) digit(r []num.Int128, transposed bool) []int64 {
	p, x := f.p, make([]int64, len(r))
	if transposed {
		for t := range r {
			f.byCol[t] = mod(r[t], p)
		}
		f.backward()
		for i, v := range f.byRow {
			x[i] = centred(v, p)
		}
		for t, j := range f.col {
			row, coef := f.a.column(j)
			for s, i := range row {
				if x[i] != 0 {
					r[t] = r[t].Sub(product(coef[s], x[i]))
				}
			}
		}
		return x
	}
	for i := range r {
		f.byRow[i] = mod(r[i], p)
	}
	f.forward()
	for t, j := range f.col {
		if x[t] = centred(f.byCol[t], p); x[t] == 0 {
			continue
		}
		row, coef := f.a.column(j)
		for s, i := range row {
			r[i] = r[i].Sub(product(coef[s], x[t]))
		}
	}
	return x
}

// centred returns the representative of residue v of least magnitude.
func centred(v uint64, p num.Field) int64 {
	if v > uint64(p)/2 {
		return int64(v) - int64(p)
	}
	return int64(v)
}

func product(a, b int64) num.Int128 {
	if b < 0 {
		return num.Product(-a, uint64(-b))
	}
	return num.Product(a, uint64(b))
}

// integers returns the numbers if the digits are complete.
func integers(digits [][]int64, p *big.Int) *Vector {
	out := &Vector{Num: make([]*big.Int, len(digits[0])), Den: big.NewInt(1)}
	for i := range out.Num {
		if v := joined(digits, i, p); v.Sign() != 0 {
			out.Num[i] = v
		}
	}
	return out
}

// joined returns Σ digits_t,i p^t.
func joined(digits [][]int64, i int, p *big.Int) *big.Int {
	last := len(digits) - 1
	v := big.NewInt(digits[last][i])
	for t := last - 1; t >= 0; t-- {
		if v.Sign() != 0 {
			v.Mul(v, p)
		}
		if d := digits[t][i]; d != 0 {
			v.Add(v, big.NewInt(d))
		}
	}
	return v
}

// norm returns the number of bits of the largest sum of magnitudes in a row of the basis, or in a column if transposed.
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

// fractions reconstructs the fractions with the given digits, nil if there are too few digits.
func fractions(digits [][]int64, p *big.Int, norm, rhs int) *Vector {
	modulus := new(big.Int).Exp(p, big.NewInt(int64(len(digits))), nil)
	half := new(big.Int).Rsh(modulus, 1)
	// numerators up to 2^most, denominators up to 2^deepest
	spare := modulus.BitLen() - 2
	out := &Vector{Num: make([]*big.Int, len(digits[0])), Den: big.NewInt(1)}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(max(0, spare/2)))
	d := new(big.Int)
	var scaled []int // entries, in the order found
	dens := []*big.Int{}
	for i := range out.Num {
		v := joined(digits, i, p)
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
		out.Num[i] = v
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

// fraction returns n/d ≡ v with |n| ≤ limit and the least d that the Euclidean algorithm finds, nil if that exceeds the
// square root of the modulus too.
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

// quo divides w by p, which must divide it; the quotient must be below 2^63.
func quo(w num.Int128, p num.Field) int64 {
	m, negative := w.Magnitude()
	q, _ := bits.Div64(m.Hi, m.Lo, uint64(p))
	if negative {
		return -int64(q)
	}
	return int64(q)
}

package nullspace

import (
	"math"
	"math/big"
	"math/bits"

	ints "github.com/hitoku/hitoku/internal/exact/num"
)

// A num is an integer of any size: s, or b if it does not fit an int64. b is non-nil only then and is never modified
// once stored.
type num struct {
	s int64
	b *big.Int
}

func small(x int64) num { return num{s: x} }

func fromBig(x *big.Int) num {
	if x.IsInt64() {
		return num{s: x.Int64()}
	}
	return num{b: x}
}

// big returns x as a new big.Int, which the caller may modify.
func (x num) big() *big.Int {
	if x.b != nil {
		return new(big.Int).Set(x.b)
	}
	return big.NewInt(x.s)
}

// wide returns x as a big.Int that must not be modified.
func (x num) wide() *big.Int {
	if x.b != nil {
		return x.b
	}
	return big.NewInt(x.s)
}

func (x num) sign() int {
	if x.b != nil {
		return x.b.Sign()
	}
	switch {
	case x.s > 0:
		return 1
	case x.s < 0:
		return -1
	}
	return 0
}

func (x num) cmp(y num) int {
	if x.b == nil && y.b == nil {
		switch {
		case x.s < y.s:
			return -1
		case x.s > y.s:
			return 1
		}
		return 0
	}
	return x.wide().Cmp(y.wide())
}

func (x num) neg() num {
	if x.b == nil && x.s != math.MinInt64 {
		return num{s: -x.s}
	}
	return fromBig(new(big.Int).Neg(x.wide()))
}

func (x num) abs() num {
	if x.sign() < 0 {
		return x.neg()
	}
	return x
}

func (x num) add(y num) num {
	if x.b == nil && y.b == nil {
		if s := x.s + y.s; (s > x.s) == (y.s > 0) {
			return num{s: s}
		}
	}
	return fromBig(new(big.Int).Add(x.wide(), y.wide()))
}

func (x num) sub(y num) num {
	if x.b == nil && y.b == nil {
		if s := x.s - y.s; (s < x.s) == (y.s > 0) {
			return num{s: s}
		}
	}
	return fromBig(new(big.Int).Sub(x.wide(), y.wide()))
}

func (x num) mul(y num) num {
	if x.b == nil && y.b == nil {
		if hi, lo := bits.Mul64(ints.Magnitude(x.s), ints.Magnitude(y.s)); hi == 0 && lo <= math.MaxInt64 {
			return num{s: x.s * y.s}
		}
	}
	return fromBig(new(big.Int).Mul(x.wide(), y.wide()))
}

// div returns ⌊x/y⌋, y ≠ 0.
func (x num) div(y num) num {
	if x.b == nil && y.b == nil && (x.s != math.MinInt64 || y.s != -1) {
		return num{s: ints.FloorDiv(x.s, y.s)}
	}
	q, r := new(big.Int).QuoRem(x.wide(), y.wide(), new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.sign() {
		q.Sub(q, big.NewInt(1))
	}
	return fromBig(q)
}

// divUp returns ⌈x/y⌉, y ≠ 0.
func (x num) divUp(y num) num { return x.neg().div(y).neg() }

// nearest returns ⌊x/y + 1/2⌋, y > 0.
func (x num) nearest(y num) num { return x.add(x).add(y).div(y.add(y)) }

// divides reports whether x divides y, x ≠ 0.
func (x num) divides(y num) bool {
	if x.b == nil && y.b == nil && (y.s != math.MinInt64 || x.s != -1) {
		return y.s%x.s == 0
	}
	return new(big.Int).Rem(y.wide(), x.wide()).Sign() == 0
}

// gcd returns the greatest common divisor ≥ 0; gcd(x, 0) = |x|.
func (x num) gcd(y num) num {
	if x.b == nil && y.b == nil {
		if g := ints.GCD(ints.Magnitude(x.s), ints.Magnitude(y.s)); g <= math.MaxInt64 {
			return num{s: int64(g)}
		}
	}
	return fromBig(new(big.Int).GCD(nil, nil, x.abs().wide(), y.abs().wide()))
}

package certificate

import (
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"pgregory.net/rapid"
)

// ratio is the exact quotient rounded up, or a little more where numbers are long.
func TestRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shift := rapid.UintRange(0, 126).Draw(t, "shift")
		draw := func(name string) num.Uint128 {
			v, _ := num.Uint128{Hi: rapid.Uint64().Draw(t, name+" hi") >> 1, Lo: rapid.Uint64().Draw(t, name+" lo")}.Shift(int(shift))
			return v
		}
		c, r := draw("c"), draw("r")
		if r.IsZero() {
			return
		}
		got := big.NewInt(ratio(c, r))
		// got/one ≥ min(c/r, 1), and less than one unit too many up to 63 bits.
		unit := big.NewInt(one)
		left := new(big.Int).Mul(got, r.Big())
		right := new(big.Int).Mul(c.Big(), unit)
		if got.Cmp(unit) != 0 && left.Cmp(right) < 0 {
			t.Fatalf("ratio(%v, %v) = %v is too small", c, r, got)
		}
		if got.Cmp(unit) > 0 {
			t.Fatalf("ratio(%v, %v) = %v > 1", c, r, got)
		}
		slack := int64(1)
		if r.Len() > 63 {
			slack = 4
		}
		if less := new(big.Int).Sub(got, big.NewInt(slack)); less.Mul(less, r.Big()).Cmp(right) >= 0 && right.Sign() > 0 {
			t.Fatalf("ratio(%v, %v) = %v is too large", c, r, got)
		}
	})
}

// Sums of products in 192 bits agree with big integers.
func TestWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s wide
		want := new(big.Int)
		for range rapid.IntRange(0, 9).Draw(t, "terms") {
			a, b := rapid.Uint64Range(0, 1<<63).Draw(t, "a"), rapid.Int64().Draw(t, "b")
			s.addMul(a, b)
			want.Add(want, new(big.Int).Mul(new(big.Int).SetUint64(a), big.NewInt(b)))
		}
		v, k := rapid.Int64Range(0, 1<<62).Draw(t, "v"), rapid.IntRange(0, 127).Draw(t, "k")
		power := new(big.Int).Lsh(big.NewInt(v), uint(k))
		sum, diff := s.plus(scaled(v, k)), s.minus(scaled(v, k))
		if s.int().Cmp(want) != 0 || sum.int().Cmp(new(big.Int).Add(want, power)) != 0 || diff.int().Cmp(new(big.Int).Sub(want, power)) != 0 {
			t.Fatalf("%v ± %d·2^%d: %v, %v, %v", want, v, k, s.int(), sum.int(), diff.int())
		}
		if s.sign() != want.Sign() || diff.sign() != new(big.Int).Sub(want, power).Sign() {
			t.Fatalf("sign of %v", want)
		}
	})
}

package num

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// ScaledUp is the quotient of long integers, rounded up, as far as it fits.
func TestScaledUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64))
		f, v, g := part.Draw(t, "f"), part.Draw(t, "v"), max(1, part.Draw(t, "g"))
		q := new(big.Int).Mul(big.NewInt(f), big.NewInt(v))
		q.Add(q, big.NewInt(g-1)).Div(q, big.NewInt(g))
		want := int64(math.MaxInt64)
		if q.IsInt64() && v != math.MaxInt64 {
			want = q.Int64()
		}
		if got := ScaledUp(f, v, g); got != want {
			t.Fatalf("⌈%d·%d/%d⌉ = %d, want %d", f, v, g, got, want)
		}
	})
}

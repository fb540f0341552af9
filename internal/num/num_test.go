package num

import (
	"hash/fnv"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Functions agree with those of math/big.
func TestNum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		a, b := rapid.Int64().Draw(r, "a"), rapid.Int64().Draw(r, "b")
		if rapid.Bool().Draw(r, "small") {
			a, b = a%100, b%100
		}
		x, y := big.NewInt(a), big.NewInt(b)
		ax, ay := new(big.Int).Abs(x), new(big.Int).Abs(y)
		if Magnitude(a) != ax.Uint64() {
			r.Errorf("Magnitude(%d)", a)
		}
		want := new(big.Int).GCD(nil, nil, ax, ay).Uint64()
		if g := GCD(Magnitude(a), Magnitude(b)); g != want {
			r.Errorf("GCD(%d, %d) = %d", a, b, g)
		}
		if a == math.MinInt64 || b == math.MinInt64 {
			return
		}
		if Abs(a) != ax.Int64() {
			r.Errorf("Abs(%d)", a)
		}
		if g := GCD(a, b); uint64(g) != want {
			r.Errorf("GCD(%d, %d) = %d", a, b, g)
		}
		if b == 0 {
			return
		}
		q := new(big.Rat).SetFrac(x, y)
		floor := new(big.Int).Div(q.Num(), q.Denom()).Int64()
		ceil := floor
		if !q.IsInt() {
			ceil++
		}
		if FloorDiv(a, b) != floor || CeilDiv(a, b) != ceil {
			r.Errorf("%d/%d between %d and %d", a, b, FloorDiv(a, b), CeilDiv(a, b))
		}
	})
}

// Over words below 256 the hash is that of the standard library.
func TestHash(t *testing.T) {
	t.Parallel()
	want, h := fnv.New64a(), NewHash()
	for _, b := range []byte("statistical table") {
		want.Write([]byte{b})
		h = h.Add(uint64(b))
	}
	if uint64(h) != want.Sum64() {
		t.Errorf("%x, want %x", h, want.Sum64())
	}
}

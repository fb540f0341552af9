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

// Unsigned numbers of 128 bits agree with big integers.
func TestUint128(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Uint128 {
			return Uint128{rapid.Uint64().Draw(t, name+" hi"), rapid.Uint64().Draw(t, name+" lo")}
		}
		a, b, s := draw("a"), draw("b"), rapid.IntRange(0, 127).Draw(t, "s")
		if Uint128Of(a.Big()) != a || a.Len() != a.Big().BitLen() || a.IsZero() != (a.Big().Sign() == 0) || a.Less(b) != (a.Big().Cmp(b.Big()) < 0) {
			t.Fatalf("%v is %v of %d bits; less than %v: %v", a, a.Big(), a.Len(), b, a.Less(b))
		}
		sum := new(big.Int).Add(a.Big(), b.Big())
		if c, ok := a.Add(b); ok != (sum.BitLen() <= 128) || c != Uint128Of(sum) {
			t.Fatalf("%v + %v = %v, %v", a, b, c, ok)
		}
		if !a.Less(b) && a.Sub(b).Big().Cmp(new(big.Int).Sub(a.Big(), b.Big())) != 0 {
			t.Fatalf("%v - %v = %v", a, b, a.Sub(b))
		}
		product := new(big.Int).Mul(a.Big(), new(big.Int).SetUint64(b.Lo))
		if p, ok := a.Mul(b.Lo); ok != (product.BitLen() <= 128) || p != Uint128Of(product) {
			t.Fatalf("%v·%d = %v, %v", a, b.Lo, p, ok)
		}
		product.Mul(new(big.Int).SetUint64(a.Lo), new(big.Int).SetUint64(b.Lo))
		if p := Mul128(a.Lo, b.Lo); p != Uint128Of(product) {
			t.Fatalf("%d·%d = %v", a.Lo, b.Lo, p)
		}
		d := max(1, b.Lo>>(s%64))
		want := new(big.Int).Div(a.Big(), new(big.Int).SetUint64(d))
		if q := a.Quotient(d); want.IsInt64() && q != want.Int64() || !want.IsInt64() && q != math.MaxInt64 {
			t.Fatalf("⌊%v/%d⌋ = %d, want %v", a, d, q, want)
		}
		want.Rsh(a.Big(), uint(s))
		if q, rest := a.Shift(s); q.Big().Cmp(want) != 0 || rest != (want.Lsh(want, uint(s)).Cmp(a.Big()) != 0) {
			t.Fatalf("%v >> %d = %v, %v", a, s, q, rest)
		}
	})
}

// Sums and products of 128 bits agree with big integers, and those that leave them say so.
func TestInt128(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, f := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b"), rapid.Int64Range(0, 1<<62).Draw(t, "f")
		x, okX := Int128Of(a).Scaled(f)
		y, okY := x.Sum(Int128Of(b))
		want := new(big.Int).Mul(big.NewInt(a), big.NewInt(f))
		if !okX || x.Big().Cmp(want) != 0 || !okY || y.Big().Cmp(want.Add(want, big.NewInt(b))) != 0 {
			t.Fatalf("%d·%d+%d = %v, want %v", a, f, b, y.Big(), want)
		}
		if p, d := Product(a, uint64(b)), x.Sub(y); p.Big().Cmp(new(big.Int).Mul(big.NewInt(a), new(big.Int).SetUint64(uint64(b)))) != 0 || d.Big().Cmp(big.NewInt(-b)) != 0 && b != math.MinInt64 {
			t.Fatalf("%d·%d = %v; %v", a, uint64(b), p.Big(), d.Big())
		}
		if v, ok := y.Int64(); ok != want.IsInt64() || ok && v != want.Int64() {
			t.Fatalf("%v = %d, %v", want, v, ok)
		}
		if Int128OfBig(want) != y {
			t.Fatalf("%v is %v", want, Int128OfBig(want).Big())
		}
		if y.Sign() != want.Sign() {
			t.Fatalf("sign of %v", want)
		}
		z, ok := y.Scaled(f)
		want.Mul(want, big.NewInt(f))
		if fits := want.BitLen() < 128; fits != ok || ok && z.Big().Cmp(want) != 0 {
			t.Fatalf("%v·%d = %v %v, want %v", y.Big(), f, z.Big(), ok, want)
		}
		if !ok {
			return
		}
		if s, ok := z.Sum(z); ok && s.Big().Cmp(want.Lsh(want, 1)) != 0 {
			t.Fatalf("sum %v, want %v", s.Big(), want)
		}
	})
}

// Residues modulo the first primes of the list agree with those of big integers.
func TestField(t *testing.T) {
	t.Parallel()
	primes := []Field{Prime(0), Prime(1), Prime(2)}
	if primes[0] != Mersenne {
		t.Errorf("Prime(0) = %d, want %d", primes[0], Mersenne)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(primes).Draw(t, "p")
		u, v := rapid.Int64().Draw(t, "u"), rapid.Int64().Draw(t, "v")
		q, x, y := new(big.Int).SetUint64(uint64(p)), big.NewInt(u), big.NewInt(v)
		mod := func(z *big.Int) uint64 { return z.Mod(z, q).Uint64() }
		a, b := p.Of(u), p.Of(v)
		if a != mod(new(big.Int).Set(x)) || p.Add(a, b) != mod(new(big.Int).Add(x, y)) || p.Sub(a, b) != mod(new(big.Int).Sub(x, y)) || p.Mul(a, b) != mod(new(big.Int).Mul(x, y)) {
			t.Fatalf("%d and %d modulo %d: %d, %d, %d, %d", u, v, p, a, p.Add(a, b), p.Sub(a, b), p.Mul(a, b))
		}
		if a != 0 && p.Mul(a, p.Inverse(a)) != 1 {
			t.Fatalf("1/%d modulo %d = %d", a, p, p.Inverse(a))
		}
	})
}

package recordkey

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Key{
		"0": 0, "1": 0, "1.000": 0, "0.5": Modulus / 2, ".5": Modulus / 2, "0,25": Modulus / 4, "00.125": Modulus / 8,
		"0.000000000000000001": 1, "0.999999999999999999": Modulus - 1, "1e-05": Modulus / 100000, "2.5E-1": Modulus / 4, "1e0": 0,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "-0.5", "1.5", "2", "10", "0.1234567890123456789", "0.5x", "x", "NaN", "1e99999999", "1e-30", "0.5.5", "-1e-3", "1e1"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
}

// TestAdd: sums are exact and do not depend on the order, and keys are read as they are written.
func TestAdd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Custom(func(t *rapid.T) Key { return Key(rapid.Uint64Range(0, Modulus-1).Draw(t, "key")) })
		a, b, c := key.Draw(t, "a"), key.Draw(t, "b"), key.Draw(t, "c")
		if Add(Add(a, b), c) != Add(Add(c, a), b) || uint64(Add(a, b)) != (uint64(a)+uint64(b))%Modulus {
			t.Fatalf("%v + %v + %v depends on the order", a, b, c)
		}
		if got, err := Parse(a.String()); err != nil || got != a {
			t.Fatalf("%v is read as %v, %v", a, got, err)
		}
	})
}

// TestKeyed: keys are uniform, the same for a secret and an identifier, and others for another secret.
func TestKeyed(t *testing.T) {
	t.Parallel()
	const n, parts = 20000, 20
	k, other, again := NewKeyed("a"), NewKeyed("b"), NewKeyed("a")
	var count [parts]float64
	same := 0
	for i := range n {
		id := fmt.Appendf(nil, "%d", i)
		x := k.Of(id)
		if x >= Modulus || x != again.Of(id) {
			t.Fatalf("record %d: %v, then another", i, x)
		}
		if x == other.Of(id) {
			same++
		}
		count[x/(Modulus/parts)]++
	}
	chi := 0.0
	for _, c := range count {
		chi += math.Pow(c-n/parts, 2) / (n / parts)
	}
	if chi > 60 || same > 0 { // 19 degrees of freedom: the hash is fixed, so this holds always or never
		t.Errorf("χ² = %g, %d keys are those of another secret", chi, same)
	}
}

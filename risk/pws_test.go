package risk

import (
	"math"
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"pgregory.net/rapid"
)

func init() {
	runners["pws_cup_r/r_table"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			P, Alpha rat
			From, To int64
		}
		c.input(t, &in)
		h := HitTest{P: in.P.Rat, Alpha: in.Alpha.Rat}
		if err := h.Check(); err != nil {
			c.refuse(t, err)
			return
		}
		var r, sharp []int64
		for n := in.From; n <= in.To; n++ {
			x, err := h.R(n)
			if err != nil {
				c.refuse(t, err)
				return
			}
			y, err := h.SharpR(n)
			if err != nil {
				c.refuse(t, err)
				return
			}
			r, sharp = append(r, x), append(sharp, y)
		}
		c.check(t, tol, map[string]any{"r": r, "r_sharp": sharp})
	}
	runners["pws_cup_r/u"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			P    rat
			N, S int64
		}
		c.input(t, &in)
		h := HitTest{P: in.P.Rat}
		u := h.U(in.N, in.S)
		if l := h.LogU(in.N, in.S); math.Abs(math.Exp(l)/num.Float(u)-1) > 1e-9 {
			t.Errorf("ln u = %v, u = %v", l, u)
		}
		c.check(t, tol, map[string]any{"u": u, "u_float": num.Float(u)})
	}
	// hits are R and the sharp R of n hits; ok is false where the case was refused.
	hits := func(t *testing.T, c vectorCase, p, alpha rat, n int64) (r, sharp int64, ok bool) {
		h := HitTest{P: p.Rat, Alpha: alpha.Rat}
		err := h.Check()
		if err == nil {
			r, err = h.R(n)
		}
		if err == nil {
			sharp, err = h.SharpR(n)
		}
		if err != nil {
			c.refuse(t, err)
		}
		return r, sharp, err == nil
	}
	runners["pws_cup_r/decision"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			P, Alpha rat
			N, S     int64
		}
		c.input(t, &in)
		if r, sharp, ok := hits(t, c, in.P, in.Alpha, in.N); ok {
			c.check(t, tol, map[string]any{"r": r, "r_sharp": sharp, "unsafe": r <= in.S})
		}
	}
	runners["pws_cup_r/r"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			P, Alpha rat
			N        int64
		}
		c.input(t, &in)
		if r, sharp, ok := hits(t, c, in.P, in.Alpha, in.N); ok {
			c.check(t, tol, map[string]any{"r": r, "r_sharp": sharp})
		}
	}
	runners["pws_cup_r/h0_of_k_anonymity"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			P rat
			K int64
		}
		c.input(t, &in)
		v, err := HitTest{P: in.P.Rat}.ClassVerdict(in.K)
		if err != nil {
			c.refuse(t, err)
			return
		}
		c.check(t, tol, map[string]any{"all_correct": v.AllRight, "p_pow_k": v.Allowed, "satisfies": v.Satisfies})
	}
}

// The contest's r, by logarithms where n is large. SharpR is one less at n = 21, 34,
// 52, 57 and nowhere else up to 60.
func TestContestR(t *testing.T) {
	want := []int64{2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 21, 22,
		23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 29, 30, 31, 31, 32, 32, 33, 34, 34, 35, 36, 36, 37, 37, 38, 39, 39, 40, 40}
	h := PWSCup2018()
	less := map[int64]int64{21: 1, 34: 1, 52: 1, 57: 1}
	check := func(n, want int64) {
		r, err := h.R(n)
		if err != nil || r != want {
			t.Errorf("r(%d) = %d, %v, want %d", n, r, err, want)
		}
	}
	for i, w := range want {
		n := int64(i + 1)
		check(n, w)
		if r, err := h.SharpR(n); err != nil || r != w-less[n] {
			t.Errorf("sharp r(%d) = %d, %v, want %d", n, r, err, w-less[n])
		}
	}
	check(0, 1)
	for n, w := range map[int64]int64{100: 65, 1000: 612, 2000: 1221, 10_000: 6093, 100_000: 60911, 1_000_000: 609091} {
		check(n, w)
	}
}

// A tie of u and α is no refutation: u(3, 3) = α for p = 1/2, α = 1/8.
func TestTie(t *testing.T) {
	h := HitTest{P: big.NewRat(1, 2), Alpha: big.NewRat(1, 8)}
	if r, err := h.R(3); err != nil || r != 4 {
		t.Errorf("r(3) = %d, %v, want 4", r, err)
	}
	h.Alpha = h.U(2500, 2000)
	if r, err := h.R(2500); err != nil || r != 2001 {
		t.Errorf("r(2500) = %d, %v, want 2001", r, err)
	}
}

func drawTest(t *rapid.T) HitTest {
	b := rapid.Int64Range(2, 12).Draw(t, "b")
	return HitTest{P: big.NewRat(rapid.Int64Range(1, b-1).Draw(t, "a"), b), Alpha: big.NewRat(1, rapid.Int64Range(1, 100000).Draw(t, "1/alpha"))}
}

// R is the least s with u < α by the definition, steps by 0 or 1 with n, and logarithms
// find it, too. SharpR is the least s whose term is below α.
func TestHitTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawTest(t)
		n := rapid.Int64Range(0, 40).Draw(t, "n")
		least := func(value func(s int64) *big.Rat) int64 {
			s := int64(0)
			for s <= n && value(s).Cmp(h.Alpha) >= 0 {
				s++
			}
			return s
		}
		u := func(s int64) *big.Rat { // the definition, term by term
			sum := new(big.Rat)
			for j := s; j <= n; j++ {
				sum.Add(sum, term(h, n, j))
			}
			return sum
		}
		r, err := h.R(n)
		if want := least(u); err != nil || r != want {
			t.Fatalf("R(%d) = %d, %v, want %d", n, r, err, want)
		}
		sharp, err := h.SharpR(n)
		if want := least(func(s int64) *big.Rat { return term(h, n, s) }); err != nil || sharp != want {
			t.Fatalf("SharpR(%d) = %d, %v, want %d", n, sharp, err, want)
		}
		if sharp > r {
			t.Fatalf("SharpR(%d) = %d > R = %d", n, sharp, r)
		}
		if next, err := h.R(n + 1); err != nil || next < r {
			t.Fatalf("R(%d) = %d, R(%d) = %d", n, r, n+1, next)
		}
		s := rapid.Int64Range(0, n).Draw(t, "s")
		if got, want := h.LogU(n, s), math.Log(num.Float(u(s))); math.Abs(got-want) > 1e-9 {
			t.Fatalf("ln u(%d, %d) = %v, want %v", n, s, got, want)
		}
		if h.U(n, s).Cmp(u(s)) != 0 {
			t.Fatalf("u(%d, %d) = %v, want %v", n, s, h.U(n, s), u(s))
		}
	})
}

// term is C(n,j)·p^j.
func term(h HitTest, n, j int64) *big.Rat {
	x := new(big.Rat).SetInt(new(big.Int).Binomial(n, j))
	for range j {
		x.Mul(x, h.P)
	}
	return x
}

// Logarithms and integers agree beyond the border between them.
func TestLogR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawTest(t)
		n := rapid.Int64Range(exactPersons+1, exactPersons+500).Draw(t, "n")
		r, err := h.R(n)
		if want := h.exactR(n); err != nil || r != want {
			t.Fatalf("R(%d) = %d, %v, by integers %d", n, r, err, want)
		}
		sharp, err := h.SharpR(n)
		if want := h.exactSharpR(n); err != nil || sharp != want {
			t.Fatalf("SharpR(%d) = %d, %v, by integers %d", n, sharp, err, want)
		}
	})
}

// The least class that satisfies H0, for some p; all larger ones do.
func TestClassVerdict(t *testing.T) {
	for d, want := range map[int64]int64{2: 4, 3: 7, 4: 9, 5: 12, 10: 25} {
		h := HitTest{P: big.NewRat(1, d)}
		for k := int64(1); k < 40; k++ {
			v, err := h.ClassVerdict(k)
			if err != nil || v.Satisfies != (k >= want) {
				t.Errorf("p = 1/%d, k = %d: %v, %v, want least %d", d, k, v.Satisfies, err, want)
			}
		}
	}
	for _, k := range []int64{0, -1, maxClass + 1} {
		if _, err := PWSCup2018().ClassVerdict(k); err == nil {
			t.Errorf("a class of %d is taken", k)
		}
	}
}

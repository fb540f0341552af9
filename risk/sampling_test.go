package risk

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"

	"fmt"
	"strconv"

	"pgregory.net/rapid"
)

// A rat is an exact number of a vector, a JSON string or number.
type rat struct{ *big.Rat }

func (r *rat) UnmarshalJSON(b []byte) error {
	var s spelt
	if err := s.UnmarshalJSON(b); err != nil || s == "" {
		return err // nil for null
	}
	if b[0] != '"' { // a JSON number, which may have an exponent
		if x, err := strconv.ParseFloat(string(s), 64); err == nil && x != 0 && (math.Abs(x) < 1e-99 || math.Abs(x) > 1e99) {
			return fmt.Errorf("%s: want a number between 1e-99 and 1e99", s)
		}
		x, ok := new(big.Rat).SetString(string(s))
		if !ok {
			return num.ErrNotNumber
		}
		r.Rat = x
		return nil
	}
	x, err := num.ParseNumber(string(s))
	r.Rat = x
	return err
}

// spelt is a number as it is spelt, as a string or as a JSON number; null leaves it empty.
type spelt string

func (s *spelt) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(s))
	}
	var n json.Number
	err := json.Unmarshal(b, &n)
	*s = spelt(n)
	return err
}

func init() {
	runners["sampling_known_subset/risk"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N, N0, M int64
			P        *rat
			Design   string
		}
		c.input(t, &in)
		s := Sampling{N: in.N, N0: in.N0, M: in.M}
		if in.P != nil {
			var err error
			if s.M, err = SampleSize(s.N, in.P.Rat); err != nil {
				c.refuse(t, err)
				return
			}
		}
		if err := s.Check(); err != nil {
			c.refuse(t, err)
			return
		}
		risk := s.Risk()
		switch in.Design {
		case "", "fixed":
		case "bernoulli":
			risk = num.Whole(1) // the sample may be the whole table
		default:
			t.Fatalf("design %q", in.Design)
		}
		k := new(big.Rat).Inv(risk)
		got := map[string]any{
			"m": s.M, "unknown_unsampled": s.Unknown(),
			"risk": risk, "risk_float": num.Float(risk), "k_effective": k, "k_effective_float": num.Float(k),
		}
		// The vectors give null also where u is large; there the two must agree.
		var out struct {
			Printed *float64 `json:"risk_printed_bounds"`
		}
		must.Do(t, json.Unmarshal(c.Out, &out))
		printed, ok := s.PrintedBounds()
		switch {
		case ok && out.Printed == nil && s.Unknown() > 50 && math.Abs(printed-num.Float(risk)) < 1e-12:
			got["risk_printed_bounds"] = nil
		case ok:
			got["risk_printed_bounds"] = printed
		default:
			got["risk_printed_bounds"] = nil
		}
		if s.N <= 6 {
			sup := strictSupremum(s)
			if sup.Cmp(risk) > 0 {
				t.Errorf("brute force %v > risk %v", sup, risk)
			}
			got["strict_supremum"] = sup
		}
		c.check(t, tol, got)
	}
	runners["sampling_known_subset/max_sample_size"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N, N0   int64
			TargetK rat `json:"target_k"`
		}
		c.input(t, &in)
		if err := (Sampling{N: in.N, N0: in.N0, M: 1}).Check(); err != nil {
			c.refuse(t, err)
			return
		}
		got := map[string]any{"status": "infeasible", "max_m": nil, "risk_at_max_m": nil, "max_p": nil}
		if m, ok := MaxSample(in.N, in.N0, in.TargetK.Rat); ok {
			s := Sampling{N: in.N, N0: in.N0, M: m}
			must.Do(t, s.Check())
			got = map[string]any{"status": "ok", "max_m": m, "risk_at_max_m": s.Risk(), "max_p": big.NewRat(m, in.N)}
		}
		c.check(t, tol, got)
	}
}

// counts calls do with every way to write n as a sum of parts that are not negative.
func counts(n, parts int, do func([]int)) {
	c := make([]int, parts)
	var place func(i, left int)
	place = func(i, left int) {
		if i == parts-1 {
			c[i] = left
			do(c)
			return
		}
		for c[i] = 0; c[i] <= left; c[i]++ {
			place(i+1, left-c[i])
		}
	}
	place(0, n)
}

// falling is n(n−1)…(n−k+1).
func falling(n, k int) int64 {
	x := int64(1)
	for ; k > 0; k-- {
		x *= int64(n)
		n--
	}
	return x
}

// strictSupremum is the largest posterior chance that a published record of value v is
// the known record of value v, over all known tables and releases, where the unknown
// records have values of the known ones with the chances of equation 1.
func strictSupremum(s Sampling) *big.Rat {
	n0, free := int(s.N0), int(s.N-s.N0)
	best := new(big.Rat)
	counts(n0, n0, func(known []int) { // how many known records have each value
		counts(int(s.M), n0, func(out []int) { // and how many published ones
			hit, all := make([]*big.Rat, n0), new(big.Rat) // of each value that is published of a known one
			for v := range known {
				if known[v] > 0 && out[v] > 0 {
					hit[v] = new(big.Rat)
				}
			}
			counts(free, n0, func(unknown []int) {
				w := big.NewRat(falling(free, free), 1) // arrangements and their chance
				for i, c := range unknown {
					w.Mul(w, big.NewRat(falling(known[i]+c, out[i]), falling(c, c)))
					for range c {
						w.Mul(w, big.NewRat(int64(known[i]), s.N0))
					}
				}
				all.Add(all, w)
				for v, h := range hit {
					if h != nil {
						h.Add(h, new(big.Rat).Quo(w, num.Whole(int64(known[v]+unknown[v]))))
					}
				}
			})
			for _, h := range hit {
				if h != nil && all.Sign() > 0 && h.Quo(h, all).Cmp(best) > 0 {
					best.Set(h)
				}
			}
		})
	})
	return best
}

// The closed form bounds every attacker of Claim 4.1, and is attained for m = 1 and u < 0.
func TestSamplingBruteForce(t *testing.T) {
	t.Parallel()
	most := int64(5)
	if heavy.On() {
		most = 6
	}
	for n := int64(1); n <= most; n++ {
		for n0 := int64(1); n0 <= n; n0++ {
			for m := int64(1); m <= n; m++ {
				s := Sampling{N: n, N0: n0, M: m}
				sup, risk := strictSupremum(s), s.Risk()
				if c := sup.Cmp(risk); c > 0 || c < 0 && (m == 1 || s.Unknown() < 0) {
					t.Errorf("%+v: brute force %v, risk %v", s, sup, risk)
				}
			}
		}
	}
}

func drawSampling(t *rapid.T) Sampling {
	n := rapid.Int64Range(1, 1e9).Draw(t, "n")
	return Sampling{N: n, N0: rapid.Int64Range(1, n).Draw(t, "n0"), M: rapid.Int64Range(1, n).Draw(t, "m")}
}

// The printed bounds never give less than the right ones, but for rounding.
func TestPrintedBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSampling(t)
		if p, ok := s.PrintedBounds(); ok && (p < num.Float(s.Risk())*(1-1e-12) || p > 1+1e-12) {
			t.Fatalf("printed %v, risk %v", p, s.Risk())
		}
	})
}

// MaxSample undoes Risk, one more record breaks the target, and the risk grows with m
// and n0.
func TestSamplingInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSampling(t)
		risk := s.Risk()
		if s.Unknown() >= 0 {
			if m, ok := MaxSample(s.N, s.N0, new(big.Rat).Inv(risk)); !ok || m != s.M {
				t.Fatalf("MaxSample = %d, %v, want %d", m, ok, s.M)
			}
		}
		if s.M < s.N {
			if next := (Sampling{N: s.N, N0: s.N0, M: s.M + 1}).Risk(); next.Cmp(risk) < 0 {
				t.Fatalf("risk falls from %v to %v with m", risk, next)
			}
		}
		if s.N0 < s.N {
			if next := (Sampling{N: s.N, N0: s.N0 + 1, M: s.M}).Risk(); next.Cmp(risk) < 0 {
				t.Fatalf("risk falls from %v to %v with n0", risk, next)
			}
		}
		k := big.NewRat(rapid.Int64Range(1, 1000).Draw(t, "a"), rapid.Int64Range(1, 10).Draw(t, "b"))
		if k.Cmp(num.One) <= 0 {
			return
		}
		kept := func(m int64) bool {
			return new(big.Rat).Inv(Sampling{N: s.N, N0: s.N0, M: m}.Risk()).Cmp(k) >= 0
		}
		if m, ok := MaxSample(s.N, s.N0, k); ok && (!kept(m) || m < s.N && kept(m+1)) || !ok && kept(1) {
			t.Fatalf("MaxSample for %v = %d, %v", k, m, ok)
		}
	})
}

func TestParseNumber(t *testing.T) {
	for s, want := range map[string]*big.Rat{
		"5": big.NewRat(5, 1), "0.29": big.NewRat(29, 100), "1/3": big.NewRat(1, 3), "-.5": big.NewRat(-1, 2),
		"0.5/3": big.NewRat(1, 6), "1.": big.NewRat(1, 1),
	} {
		if got, err := num.ParseNumber(s); err != nil || got.Cmp(want) != 0 {
			t.Errorf("ParseNumber(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "1/0", "1/-3", "1e9999", "1e", "e3", "1e3/2", "0x10", "1_000", "1,5", "NaN", "1/3/5", " 1", "."} {
		if got, err := num.ParseNumber(s); err == nil {
			t.Errorf("ParseNumber(%q) = %v, want an error", s, got)
		}
	}
}

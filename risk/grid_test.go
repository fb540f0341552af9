package risk

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/seed"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// gridOf is the grid of a scale.
func gridOf(t testing.TB, sigma string) Grid {
	t.Helper()
	s, ok := new(big.Rat).SetString(sigma)
	if !ok {
		t.Fatal(sigma)
	}
	return must.Get(NewGrid(s))(t)
}

func TestNewGrid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sigma := big.NewRat(rapid.Int64Range(1, math.MaxInt64).Draw(t, "above"), rapid.Int64Range(1, math.MaxInt64).Draw(t, "below"))
		g, err := NewGrid(sigma)
		if err != nil {
			t.Fatal(err)
		}
		if g.T <= gridSteps/2 || g.T > gridSteps {
			t.Fatalf("%d steps", g.T)
		}
		// σ ≤ T·g < σ + g, and half as large a g would have too many steps.
		over := new(big.Rat).Sub(g.Sigma(), sigma)
		if over.Sign() < 0 || over.Cmp(power(g.Exp)) >= 0 || new(big.Rat).Mul(sigma, power(1-g.Exp)).Cmp(big.NewRat(gridSteps, 1)) <= 0 {
			t.Fatalf("scale %s has the grid %+v", sigma, g)
		}
		unit := new(big.Rat).Inv(new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(g.Digits())), nil)))
		if g.Exp <= 0 && (unit.Cmp(power(g.Exp)) < 0 || unit.Quo(unit, big.NewRat(10, 1)).Cmp(power(g.Exp)) >= 0) {
			t.Fatalf("%d decimals fit 2^%d", g.Digits(), g.Exp)
		}
	})
	if g := gridOf(t, "10"); g != (Grid{-36, 10 << 36}) || g.Sigma().Cmp(big.NewRat(10, 1)) != 0 || g.Digits() != 10 {
		t.Errorf("scale 10: %+v, %d decimals", g, g.Digits())
	}
	if g := gridOf(t, "0"); g != (Grid{}) {
		t.Errorf("scale 0: %+v", g)
	}
	for _, s := range []string{"-1", "1e100", "1e-100"} {
		x, _ := new(big.Rat).SetString(s)
		if g, err := NewGrid(x); err == nil {
			t.Errorf("scale %s: %+v", s, g)
		}
	}
}

// A path answers chances from a list of choices and notes the chance of what it has
// answered; where the list ends it takes the first answer and notes how many there are.
type path struct {
	choices, of []uint64
	at          int
	prob        float64
	least       float64
}

type tooRare struct{}

func (p *path) pick(n uint64, prob func(i uint64) float64) uint64 {
	if p.at == len(p.choices) {
		p.choices, p.of = append(p.choices, 0), append(p.of, n)
	}
	i := p.choices[p.at]
	p.at++
	if p.prob *= prob(i); p.prob < p.least {
		panic(tooRare{})
	}
	return i
}

func (p *path) below(n uint64) uint64 {
	return p.pick(n, func(uint64) float64 { return 1 / float64(n) })
}

func (p *path) chance(a, n uint64) bool {
	return p.pick(2, func(i uint64) float64 { return math.Abs(float64(i) - float64(a)/float64(n)) }) == 0
}

// laws enumerates all that f may do with chances of at least least, and returns the chance
// of each result, and that of what was cut off.
func laws(least float64, f func(c chances) int64) (law map[int64]float64, rest float64) {
	law = map[int64]float64{}
	p := &path{least: least}
	for {
		p.at, p.prob = 0, 1
		func() {
			defer func() {
				if r := recover(); r != nil {
					if _, ok := r.(tooRare); !ok {
						panic(r)
					}
					rest += p.prob
				}
			}()
			x := f(p)
			law[x] += p.prob
		}()
		p.choices, p.of = p.choices[:p.at], p.of[:p.at]
		for len(p.choices) > 0 && p.choices[len(p.choices)-1]+1 == p.of[len(p.of)-1] {
			p.choices, p.of = p.choices[:len(p.choices)-1], p.of[:len(p.of)-1]
		}
		if len(p.choices) == 0 {
			return law, rest
		}
		p.choices[len(p.choices)-1]++
	}
}

// The law of the sampler, enumerated, is that of the formula: no chance is above it, nor
// below it by more than what was cut off.
func TestGridLaw(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ a, b uint64 }{{0, 1}, {1, 1}, {1, 2}, {3, 7}, {gridSteps - 1, gridSteps}} {
		law, rest := laws(1e-12, func(c chances) int64 {
			if exponential(c, tc.a, tc.b) {
				return 1
			}
			return 0
		})
		if want := math.Exp(-float64(tc.a) / float64(tc.b)); math.Abs(law[1]-want) > 1e-12+rest || rest > 1e-11 {
			t.Errorf("exp(−%d/%d): %v, want %v; %v cut off", tc.a, tc.b, law[1], want, rest)
		}
	}
	for _, T := range []uint64{1, 2, 3} {
		law, rest := laws(1e-7, Grid{T: T}.draw)
		q := math.Exp(-1 / float64(T))
		total := rest
		for z, p := range law {
			want := (1 - q) / (1 + q) * math.Pow(q, math.Abs(float64(z)))
			if total += p; p > want+1e-12 || p < want-rest {
				t.Errorf("T %d: chance of %d is %v, want %v; %v cut off", T, z, p, want, rest)
			}
		}
		if rest > 0.01 || math.Abs(total-1) > 1e-9 {
			t.Errorf("T %d: %v cut off, all chances %v", T, rest, total)
		}
	}
}

// With the bits of a generator the law is the same: χ² of single numbers for few steps, the
// distribution function for many.
func TestGridDraws(t *testing.T) {
	t.Parallel()
	const n = 100_000
	g, c := Grid{T: 3}, coins{seed.Rand("laplace", "1")}
	count := map[int64]float64{}
	for range n {
		count[g.draw(c)]++
	}
	q, chi, rest := math.Exp(-1.0/3), 0.0, float64(n)
	for z := int64(-12); z <= 12; z++ {
		want := n * (1 - q) / (1 + q) * math.Pow(q, math.Abs(float64(z)))
		chi += (count[z] - want) * (count[z] - want) / want
		rest -= count[z]
	}
	if chi > 52.6 { // of 25 degrees: once in 1,000 by chance, but the seed is fixed
		t.Errorf("χ² is %v; %v beyond ±12", chi, rest)
	}
	g = gridOf(t, "10")
	step := num.Float(power(g.Exp))
	var xs []float64
	for range n {
		xs = append(xs, float64(g.draw(c))*step/10)
	}
	slices.Sort(xs)
	worst := 0.0
	for i, x := range xs {
		f := math.Exp(-math.Abs(x)) / 2
		if x > 0 {
			f = 1 - f
		}
		worst = max(worst, math.Abs(f-float64(i)/n))
	}
	if worst > 2/math.Sqrt(n) { // Kolmogorov
		t.Errorf("distribution is off by %v", worst)
	}
}

// Rounding of values and results is exact.
func TestGridRounding(t *testing.T) {
	t.Parallel()
	half := big.NewRat(1, 2)
	rapid.Check(t, func(t *rapid.T) {
		g := Grid{Exp: rapid.IntRange(-60, 8).Draw(t, "exp"), T: gridSteps}
		v := table.Decimal{Unscaled: rapid.Int64().Draw(t, "unscaled"), Scale: rapid.IntRange(0, table.MaxDecimals).Draw(t, "scale")}
		var w gridWork
		x := new(big.Rat).Mul(rational(v), power(-g.Exp))
		if got, want := w.nearest(g, v), num.Floor(x.Add(x, half)); got.Cmp(want) != 0 {
			t.Fatalf("%s on 2^%d: %s steps, want %s", v, g.Exp, got, want)
		}
		digits := rapid.IntRange(0, table.MaxDecimals).Draw(t, "digits")
		tenth := new(big.Rat).SetInt(tens[digits])
		y := big.NewInt(rapid.Int64().Draw(t, "steps"))
		x.SetInt(y)
		x.Mul(x, power(g.Exp)).Mul(x, tenth)
		if got, want := w.decimals(g, new(big.Int).Set(y), digits), num.Floor(x.Add(x, half)); got.Cmp(want) != 0 {
			t.Fatalf("%s steps of 2^%d in %d decimals: %s, want %s", y, g.Exp, digits, got, want)
		}
		x.Mul(rational(v), tenth)
		if got, want := w.rounded(v, digits), num.Floor(x.Add(x, half)); got.Cmp(want) != 0 {
			t.Fatalf("%s in %d decimals: %s, want %s", v, digits, got, want)
		}
		u := y.Int64()
		if got, want := string(appendDecimal(nil, y, digits)), new(big.Rat).Quo(num.Whole(u), tenth).FloatString(digits); strings.TrimPrefix(got, "-") != strings.TrimPrefix(want, "-") || (got[0] == '-') != (u < 0) {
			t.Fatalf("%d with %d decimals: %s, want %s", u, digits, got, want)
		}
	})
}

// The attack on noise in floating point: a result that one value could not have led to
// excludes that value. Here each result, with all digits that it may have, can come from each value.
func TestNoiseExcludesNothing(t *testing.T) {
	t.Parallel()
	const n = 50
	var text strings.Builder
	text.WriteString("x\n")
	for i := range n {
		fmt.Fprintf(&text, "%d.%d\n", 1000*i, i%10)
	}
	file := written(t, text.String())
	for _, sigma := range []string{"0.1", "1/3", "20000", "1000000007"} {
		g := gridOf(t, sigma)
		p := Perturbation{Column: "x", Max: decimal(t, "50000"), Noise: g, Digits: g.Digits()}
		for round := range 20 {
			var b bytes.Buffer
			must.Do(t, perturb(t.Context(), &b, file, p, Release{N: n, KeepOrder: true}, seed.Rand("laplace", fmt.Sprint(round))))
			for i, line := range strings.Fields(b.String())[1:] {
				y, ok := new(big.Rat).SetString(line)
				if !ok {
					t.Fatal(line)
				}
				unit := new(big.Rat).SetInt(tens[p.Digits])
				if y.Mul(y, unit); !y.IsInt() {
					t.Fatalf("%s has more than %d decimals", line, p.Digits)
				}
				for other := range n {
					var w gridWork
					x := new(big.Int).Set(w.nearest(g, table.Decimal{Unscaled: int64(10000*other + other%10), Scale: 1}))
					steps := num.Floor(new(big.Rat).Add(new(big.Rat).Mul(new(big.Rat).Quo(y, unit), power(-g.Exp)), big.NewRat(1, 2)))
					z := new(big.Int).Sub(steps, x) // any whole number is drawn
					if w.decimals(g, z.Add(z, x), p.Digits).Cmp(y.Num()) != 0 {
						t.Fatalf("scale %s, seed %d, record %d: %s does not come from value %d", sigma, round, i, line, other)
					}
				}
			}
		}
	}
}

// Every ratio of chances of results is within the bound of GridK, and it is attained.
func TestGridGuarantee(t *testing.T) {
	t.Parallel()
	// exp(−d/T) of a step each, here with few steps.
	g := Grid{Exp: 2, T: 3}
	p := Perturbation{Min: decimal(t, "-9"), Max: decimal(t, "11.9"), Noise: g}
	lowest := 1.0
	chance := func(x table.Decimal, y int64) float64 {
		var w gridWork
		return math.Exp(-math.Abs(float64(w.nearest(g, x).Int64()-y)) / 3)
	}
	var values []table.Decimal
	for v := int64(-90); v <= 119; v += 7 {
		values = append(values, table.Decimal{Unscaled: v, Scale: 1})
	}
	values = append(values, p.Max)
	for _, u := range values {
		for _, v := range values {
			for x := int64(-6); x <= 6; x++ {
				for y := int64(-6); y <= 6; y++ {
					lowest = min(lowest, chance(u, y)*chance(v, x)/(chance(u, x)*chance(v, y)))
				}
			}
		}
	}
	if k := (&Mixture{Noise: []Perturbation{p}}).K(101, 101); math.Abs(1+100*lowest-k) > 1e-9 {
		t.Errorf("k %v, the worst ratio gives %v", k, 1+100*lowest)
	}
	constant := Perturbation{Min: p.Min, Max: p.Min}
	if k := (&Mixture{Noise: []Perturbation{constant, constant}}).K(7, 7); k != 7 {
		t.Errorf("constants: k %v, want 7", k)
	}
	p.Noise = Grid{}
	if k := (&Mixture{Noise: []Perturbation{constant, p}}).K(7, 7); k != 1 {
		t.Errorf("no noise: k %v, want 1", k)
	}
}

// SetNoise reaches k, with no more noise than it takes.
func TestSetNoise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, 1_000_000_000).Draw(t, "n")
		k := new(big.Rat).Add(num.One, new(big.Rat).Mul(big.NewRat(rapid.Int64Range(1, 9999).Draw(t, "share"), 10000), num.Whole(n-1)))
		var columns []Perturbation
		for range rapid.IntRange(1, 3).Draw(t, "columns") {
			low := rapid.Int64Range(-1e9, 1e9).Draw(t, "low")
			columns = append(columns, Perturbation{Min: table.Decimal{Unscaled: low, Scale: 3}, Max: table.Decimal{Unscaled: low + rapid.Int64Range(0, 1e12).Draw(t, "range"), Scale: 3}})
		}
		ok, err := SetNoise(n, columns, k)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		got, want := (&Mixture{Noise: columns}).K(n, n), num.Float(k)
		if got < want || got > float64(n)+1e-6 {
			t.Fatalf("k %v, want %v", got, want)
		}
		constant := true
		for _, c := range columns {
			constant = constant && c.Min == c.Max
		}
		if !constant && got > want*(1+1e-9) {
			t.Fatalf("k %v, want no more than %v", got, want)
		}
	})
	p := []Perturbation{{Max: table.Decimal{Unscaled: 5}}}
	if ok, err := SetNoise(4, p, num.Whole(4)); ok || err != nil {
		t.Errorf("k = n: %v, %v", ok, err)
	}
	if ok, err := SetNoise(4, p, num.One); !ok || err != nil || p[0].Noise != (Grid{}) {
		t.Errorf("k = 1: %v, %v, %+v", ok, err, p)
	}
	if ok, err := SetNoise(4, []Perturbation{{}}, num.Whole(4)); !ok || err != nil {
		t.Errorf("k = n of a constant: %v, %v", ok, err)
	}
}

package risk

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/seed"
)

// product is the matrix of two columns changed independently, as one.
func product(a, b Matrix) Matrix {
	var p Matrix
	for _, x := range a {
		for _, y := range b {
			var row []*big.Rat
			for _, s := range x {
				for _, t := range y {
					row = append(row, new(big.Rat).Mul(s, t))
				}
			}
			p = append(p, row)
		}
	}
	return p
}

func drawnMatrix(rng *rand.Rand, rows, columns int, least int64) Matrix {
	a := make(Matrix, rows)
	for u := range a {
		sum := int64(0)
		var list []int64
		for range columns {
			list = append(list, least+rng.Int64N(5))
			sum += list[len(list)-1]
		}
		if sum == 0 {
			list[u%columns], sum = 1, 1
		}
		for _, x := range list {
			a[u] = append(a[u], big.NewRat(x, sum))
		}
	}
	return a
}

// The k of a mixture is at most what exact posteriors of all tables and releases of three records give, for every
// mechanism and for products of two; for m = n it is that.
func TestMixtureBruteForce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		counts := []int64{1 + rng.Int64N(5), 1 + rng.Int64N(5)}
		rho := big.NewRat(rng.Int64N(8), 8)
		var m Mixture
		var a Matrix
		switch seed % 5 {
		case 0:
			a = drawnMatrix(rng, 2, 3, 0)
			m.Transit = []Transition{{Chances: a}}
		case 1:
			a = Proportional(rho, counts)
			m.Transit = []Transition{{Chances: a}}
		case 2:
			a = Invariant(drawnMatrix(rng, 2, 2, 0), counts)
			m.Transit = []Transition{{Chances: a}}
		case 3:
			b := Bits{Low: 5, High: 5 + 1 + rng.Int64N(3), Rho: rho}
			a, _ = b.Matrix()
			m.Bits = []Bits{b}
		case 4:
			a = product(drawnMatrix(rng, 2, 2, 1), Attribute{Values: 2, Rho: rho}.Matrix())
			m.Transit = []Transition{{Chances: a}}
		}
		n := 3
		if len(a) > 3 {
			n = 2
		}
		for published := 1; published <= n; published++ {
			k, exact := m.Guarantee().K(int64(n), int64(published)), exactK(a, n, published)
			if k.Cmp(exact) > 0 {
				t.Errorf("seed %d, %d of %d: k = %v, but a posterior of 1/%v", seed, published, n, k, exact)
			}
			// Bits of values that do not reach all patterns are a bound only.
			if published == n && seed%5 != 3 && k.Cmp(exact) != 0 {
				t.Errorf("seed %d: k = %v, exactly %v", seed, k, exact)
			}
			if f := m.K(int64(n), int64(published)); math.Abs(f-num.Float(k)) > 1e-12*f {
				t.Errorf("seed %d: %g, exactly %v", seed, f, k)
			}
		}
	}
}

// With noise the ratios multiply: the worst ratio of chances of a column of noise is exp(−D/T), and that of the mixture, over
// all pairs of records and results on a grid, is attained.
func TestMixtureNoise(t *testing.T) {
	t.Parallel()
	grid := Grid{Exp: 0, T: 3}
	p := Perturbation{Column: "x", Min: decimal(t, "0"), Max: decimal(t, "4"), Noise: grid}
	chance := func(v, w int) float64 { return math.Exp(-math.Abs(float64(v-w)) / 3) } // but for a constant
	category := Attribute{Values: 3, Rho: big.NewRat(1, 2)}
	alpha, beta := 1.0, 1.0
	c := category.Matrix()
	for u := range 3 * 5 {
		for v := range 3 * 5 {
			for x := range 3 * 15 {
				r := func(from, to int) float64 { return num.Float(c[from/5][to/15]) * chance(from%5, to%15-5) }
				alpha = min(alpha, r(v, x)/r(u, x))
				for y := range 3 * 15 {
					beta = min(beta, r(u, y)*r(v, x)/(r(u, x)*r(v, y)))
				}
			}
		}
	}
	m := Mixture{Replace: []Replacement{{Values: []string{"a", "b", "c"}, Rho: category.Rho}}, Noise: []Perturbation{p}}
	for _, n := range []int64{1, 2, 50} {
		for published := int64(1); published <= n; published += 7 {
			want := 1 + float64(n-published)*alpha + float64(published-1)*beta
			if got := m.K(n, published); math.Abs(got-want) > 1e-9 {
				t.Errorf("%d of %d: k = %g, want %g", published, n, got, want)
			}
		}
	}
	m.Noise[0].Noise = Grid{}
	if k := m.K(50, 50); k != 1 {
		t.Errorf("k = %g without noise", k)
	}
}

// Both invariant matrices keep the counts exactly, and rounding keeps rows, zeros and what is not zero.
func TestInvariant(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 12))
		v := 1 + rng.IntN(4)
		var counts []int64
		for range v {
			counts = append(counts, 1+rng.Int64N(50))
		}
		base := drawnMatrix(rng, v, 1+rng.IntN(4), 0)
		for name, a := range map[string]Matrix{"proportional": Proportional(big.NewRat(rng.Int64N(9), 8), counts), "two stages": invariant(base, counts)} {
			if err := a.Check(); err != nil {
				t.Fatalf("seed %d: %s: %v", seed, name, err)
			}
			for w := range a {
				sum := new(big.Rat)
				for u := range a {
					sum.Add(sum, new(big.Rat).Mul(num.Whole(counts[u]), a[u][w]))
				}
				if sum.Cmp(num.Whole(counts[w])) != 0 {
					t.Errorf("seed %d: %s: %v records expected of value %d, want %d", seed, name, sum, w, counts[w])
				}
			}
			r := rounded(a)
			if err := r.Check(); err != nil {
				t.Error(err)
			}
			for u := range r {
				if _, ok := cumulated(r[u]); !ok {
					t.Error("cannot be drawn")
				}
				for w := range r[u] {
					if d := math.Abs(num.Float(r[u][w]) - num.Float(a[u][w])); d > 1e-13 || (r[u][w].Sign() == 0) != (a[u][w].Sign() == 0) {
						t.Errorf("seed %d: %v for %v", seed, r[u][w], a[u][w])
					}
				}
			}
		}
	}
	// Values without records are not drawn; their rows still add up to 1.
	if err := invariant(Matrix{{num.One, num.Whole(0)}, {num.Whole(0), num.One}}, []int64{3, 0}).Check(); err != nil {
		t.Error(err)
	}
}

// The chances of a matrix, of bits and of drawing each record are those declared, in 20,000 records.
func TestMaskChances(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var b strings.Builder
	b.WriteString("a,b,c,x\n")
	for i := range n {
		fmt.Fprintf(&b, "%s,%d,z,%d\n", []string{"p", "q"}[i%2], 10+i%4, i%3)
	}
	chances := Matrix{{big.NewRat(1, 2), big.NewRat(3, 10), big.NewRat(1, 5)}, {num.Whole(0), big.NewRat(1, 10), big.NewRat(9, 10)}}
	noise := Perturbation{Column: "x", Min: decimal(t, "0"), Max: decimal(t, "2"), Noise: gridOf(t, "1")}
	m := Mixture{
		Transit: []Transition{{Column: "a", Before: []string{"p", "q"}, After: []string{"p", "r", "s"}, Declared: true, Chances: chances}},
		Bits:    []Bits{{Column: "b", Low: 10, High: 13, Rho: big.NewRat(1, 2)}},
		Noise:   []Perturbation{noise},
	}
	var out bytes.Buffer
	path := written(t, b.String())
	all, err := m.Mask(t.Context(), &out, path, Layout{}, Release{N: n, M: n, KeepOrder: true}, nil, seed.Rand("mix", "secret"))
	if err != nil || all != n {
		t.Fatal(all, err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != n+1 {
		t.Fatal(len(rows), err)
	}
	count := map[string]float64{}
	for i, r := range rows[1:] {
		count[fmt.Sprint([]string{"p", "q"}[i%2], ">", r[0])]++
		count[fmt.Sprint(10+i%4, ">", r[1])]++
		if r[2] != "z" {
			t.Fatal(r)
		}
	}
	check := func(name string, all, p float64) {
		if sd := math.Sqrt(all*p*(1-p)) + 1e-9; math.Abs(count[name]-all*p) > 5*sd {
			t.Errorf("%s: %g of %g, want about %g", name, count[name], all, all*p)
		}
	}
	for u, from := range []string{"p", "q"} {
		for j, to := range []string{"p", "r", "s"} {
			check(from+">"+to, n/2, num.Float(chances[u][j]))
		}
	}
	for v := range 4 {
		for w := range 4 {
			p := 1.0
			for b := range 2 {
				if v>>b&1 == w>>b&1 {
					p *= 0.75
				} else {
					p *= 0.25
				}
			}
			check(fmt.Sprint(10+v, ">", 10+w), n/4, p)
		}
	}
	out.Reset()
	some, err := m.Mask(t.Context(), &out, path, Layout{}, Release{N: n, M: n}, big.NewRat(1, 4), seed.Rand("mix", "secret"))
	if sd := math.Sqrt(n * 0.25 * 0.75); err != nil || math.Abs(float64(some)-n/4) > 5*sd || strings.Count(out.String(), "\n") != int(some)+1 {
		t.Errorf("%d of %d records with chance 1/4: %v", some, n, err)
	}
}

// Numbers alone are missing: an empty category is a value, which is changed like others.
func TestMaskMissing(t *testing.T) {
	t.Parallel()
	path := written(t, "x,a\n,\n2,\n,\n2,\n")
	always := Matrix{{num.Whole(0), num.Whole(1)}, {num.Whole(0), num.Whole(1)}}
	m := Mixture{
		Transit: []Transition{{Column: "a", Before: []string{"", "p"}, After: []string{"", "p"}, Declared: true, Chances: always}},
		Noise:   []Perturbation{{Column: "x", Min: decimal(t, "2"), Max: decimal(t, "2")}},
	}
	for mode, want := range map[MissingMode]string{Own: "x,a\n,p\n2,p\n,p\n2,p\n", Drop: "x,a\n2,p\n2,p\n"} {
		n := int64(strings.Count(want, "\n") - 1)
		var out bytes.Buffer
		release := Release{N: n, M: n, KeepOrder: true, Missing: Missing{Mode: mode, Markers: []string{""}}}
		some, err := m.Mask(t.Context(), &out, path, Layout{}, release, nil, seed.Rand("mix", "secret"))
		if err != nil || some != n || out.String() != want {
			t.Errorf("%s: %d records, %v:\n%s", mode, some, err, out.String())
		}
	}
	var out bytes.Buffer
	if _, err := m.Mask(t.Context(), &out, path, Layout{}, Release{N: 4, M: 4}, nil, seed.Rand("mix", "secret")); err == nil {
		t.Error("a missing number is no fault")
	}
}

// What cannot be done is an error.
func TestMaskErrors(t *testing.T) {
	t.Parallel()
	path := written(t, "a,b\np,3\nq,4\n")
	half := Matrix{{big.NewRat(1, 2), big.NewRat(1, 2)}, {num.Whole(0), num.Whole(1)}}
	big63 := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 63))
	for name, m := range map[string]Mixture{
		"nothing":     {},
		"missing":     {Transit: []Transition{{Column: "a", Before: []string{"p", "r"}, After: []string{"x", "y"}, Declared: true, Chances: half}}},
		"shape":       {Transit: []Transition{{Column: "a", Before: []string{"p"}, After: []string{"x", "y"}, Declared: true, Chances: half}}},
		"sum":         {Transit: []Transition{{Column: "a", Before: []string{"p"}, After: []string{"x"}, Declared: true, Chances: Matrix{{big.NewRat(1, 2)}}}}},
		"denominator": {Transit: []Transition{{Column: "a", Before: []string{"p"}, After: []string{"x", "y"}, Declared: true, Chances: Matrix{{big63, new(big.Rat).Sub(num.One, big63)}}}}},
		"twice":       {Transit: []Transition{{Column: "a", Before: []string{"p", "q"}, After: []string{"x", "x"}, Declared: true, Chances: half}}},
		"below":       {Bits: []Bits{{Column: "b", Low: 4, High: 9, Rho: num.Whole(1)}}},
		"above":       {Bits: []Bits{{Column: "b", Low: 1, High: 3, Rho: num.Whole(1)}}},
		"order":       {Bits: []Bits{{Column: "b", Low: 5, High: 3, Rho: num.Whole(1)}}},
		"wide":        {Bits: []Bits{{Column: "b", Low: math.MinInt64, High: math.MaxInt64, Rho: num.Whole(1)}}},
		"text":        {Bits: []Bits{{Column: "a", Low: 1, High: 3, Rho: num.Whole(1)}}},
		"rho":         {Bits: []Bits{{Column: "b", Low: 1, High: 9, Rho: num.Whole(2)}}},
	} {
		if _, err := m.Mask(t.Context(), &bytes.Buffer{}, path, Layout{}, Release{N: 2, M: 2}, nil, seed.Rand("mix", "s")); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ok := Mixture{Bits: []Bits{{Column: "b", Low: 3, High: 9, Rho: num.Whole(1)}}}
	for _, share := range []*big.Rat{num.Whole(0), num.Whole(2), big63} {
		if _, err := ok.Mask(t.Context(), &bytes.Buffer{}, path, Layout{}, Release{N: 2, M: 2}, share, seed.Rand("mix", "s")); err == nil {
			t.Errorf("share %v: no error", share)
		}
	}
	for _, n := range []int64{1, 3} { // the file is another one
		if _, err := ok.Mask(t.Context(), &bytes.Buffer{}, path, Layout{}, Release{N: n, M: n}, nil, seed.Rand("mix", "s")); err == nil {
			t.Errorf("%d records of 2: no error", n)
		}
	}
}

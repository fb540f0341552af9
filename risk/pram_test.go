package risk

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"pgregory.net/rapid"
)

// vectorAttribute is an attribute of a vector.
type vectorAttribute struct {
	Values int64
	Rho    rat
}

func retention(in []vectorAttribute, n, m int64) (Guarantee, error) {
	err := checkSample(n, m)
	var list []Attribute
	for _, x := range in {
		a := Attribute{Values: x.Values, Rho: x.Rho.Rat}
		err = errors.Join(err, a.Check())
		list = append(list, a)
	}
	if err != nil {
		return Guarantee{}, err
	}
	return Retention(list), nil
}

// vectorValues is the number of values of an attribute, or of several.
type vectorValues []int64

func (v *vectorValues) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]int64)(v))
	}
	*v = vectorValues{0}
	return json.Unmarshal(b, &(*v)[0])
}

func init() {
	runners["pram_and_sampling/matrix"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			A    [][]rat
			N, M int64
		}
		c.input(t, &in)
		var a Matrix
		for _, row := range in.A {
			var r []*big.Rat
			for _, x := range row {
				r = append(r, x.Rat)
			}
			a = append(a, r)
		}
		if err := errors.Join(a.Check(), checkSample(in.N, in.M)); err != nil {
			c.refuse(t, err)
			return
		}
		g := a.Guarantee()
		k, sharper := g.K(in.N, in.M), a.SharperK(in.N, in.M)
		got := map[string]any{
			"alpha": g.Alpha, "beta": g.Beta, "k_bound": k, "k_bound_float": num.Float(k),
			"k_pram_only": g.K(in.N, in.N), "k_pram_only_float": num.Float(g.K(in.N, in.N)),
		}
		if in.N <= 5 {
			exact := exactK(a, int(in.N), int(in.M))
			got["k_exact"] = exact
			if k.Cmp(sharper) > 0 || sharper.Cmp(exact) > 0 {
				t.Errorf("bound %v, sharper %v, exact %v: want them in this order", k, sharper, exact)
			}
		}
		c.check(t, tol, got)
	}
	runners["pram_and_sampling/retention_replacement"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Attributes []vectorAttribute
			N, M       int64
		}
		c.input(t, &in)
		g, err := retention(in.Attributes, in.N, in.M)
		if err != nil {
			c.refuse(t, err)
			return
		}
		k, only := g.K(in.N, in.M), g.K(in.N, in.N)
		c.check(t, tol, map[string]any{
			"alpha": g.Alpha, "beta": g.Beta, "k_bound": k, "k_bound_float": num.Float(k),
			"k_pram_only": only, "k_pram_only_float": num.Float(only),
		})
	}
	runners["pram_and_sampling/max_sample_size"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Attributes []vectorAttribute
			N          int64
			TargetK    rat `json:"target_k"`
		}
		c.input(t, &in)
		got := map[string]any{"status": "infeasible", "max_m": nil}
		g, err := retention(in.Attributes, in.N, in.N)
		if err != nil {
			c.refuse(t, err)
			return
		}
		if m, ok := g.MaxSample(in.N, in.TargetK.Rat); ok {
			got = map[string]any{"status": "ok", "max_m": m}
		}
		c.check(t, tol, got)
	}
	runners["pram_and_sampling/retention_for_target"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Values  vectorValues
			N, M    int64
			TargetK rat `json:"target_k"`
		}
		c.input(t, &in)
		if err := checkSample(in.N, in.M); err != nil {
			c.refuse(t, err)
			return
		}
		got := map[string]any{"status": "infeasible", "rho": nil, "ratio": nil}
		if rho, ok := retentionFor(in.Values, in.N, in.M, in.TargetK.Rat); ok {
			x := 1.0
			if len(in.Values) == 1 && in.Values[0] > 1 {
				x = alphaFor(in.N, in.M, in.TargetK.Rat)
			}
			got = map[string]any{"status": "ok", "rho": rho, "ratio": x}
		}
		c.check(t, tol, got)
	}
}

// each calls do with every word of length n over 0 … letters−1.
func each(n, letters int, do func([]int)) {
	w := make([]int, n)
	var place func(i int)
	place = func(i int) {
		if i == n {
			do(w)
			return
		}
		for w[i] = 0; w[i] < letters; w[i]++ {
			place(i + 1)
		}
	}
	place(0)
}

// exactK is 1/(the largest chance that published record 0 is record 0), over all tables
// of n records, which the attacker knows, and all releases of m.
func exactK(a Matrix, n, m int) *big.Rat {
	worst := new(big.Rat)
	each(n, len(a), func(table []int) {
		if !slices.IsSorted(table[1:]) {
			return // the order of the others is of no account
		}
		each(m, len(a[0]), func(out []int) {
			if !slices.IsSorted(out[1:]) {
				return
			}
			hit, all := new(big.Rat), new(big.Rat)
			used := make([]bool, n)
			var fill func(slot int, first int, w *big.Rat)
			fill = func(slot, first int, w *big.Rat) {
				if w.Sign() == 0 {
					return
				}
				if slot == m {
					all.Add(all, w)
					if first == 0 {
						hit.Add(hit, w)
					}
					return
				}
				for r := range n {
					if used[r] {
						continue
					}
					used[r] = true
					f := first
					if slot == 0 {
						f = r
					}
					fill(slot+1, f, new(big.Rat).Mul(w, a[table[r]][out[slot]]))
					used[r] = false
				}
			}
			fill(0, -1, num.Whole(1))
			if all.Sign() > 0 {
				if hit.Quo(hit, all); hit.Cmp(worst) > 0 {
					worst.Set(hit)
				}
			}
		})
	})
	return worst.Inv(worst)
}

// drawMatrix draws a matrix of tenths, zeros among them.
func drawMatrix(t *rapid.T, rows, columns int) Matrix {
	a := make(Matrix, rows)
	for u := range a {
		left := int64(10)
		for j := range columns {
			x := left
			if j < columns-1 {
				x = rapid.Int64Range(0, left).Draw(t, fmt.Sprintf("a%d%d", u, j))
			}
			left -= x
			a[u] = append(a[u], big.NewRat(x, 10))
		}
	}
	return a
}

// The bound holds for every matrix, the sharper one lies between it and the truth, and
// both are the truth for m = n and m = 1.
func TestPRAMBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		m := rapid.IntRange(1, n).Draw(t, "m")
		a := drawMatrix(t, rapid.IntRange(1, 3).Draw(t, "V"), rapid.IntRange(1, 3).Draw(t, "V'"))
		k, sharper, exact := a.Guarantee().K(int64(n), int64(m)), a.SharperK(int64(n), int64(m)), exactK(a, n, m)
		switch {
		case k.Cmp(sharper) > 0 || sharper.Cmp(exact) > 0:
			t.Fatalf("bound %v, sharper %v, exact %v", k, sharper, exact)
		case (m == 1 || m == n) && k.Cmp(exact) != 0:
			t.Fatalf("m = %d of %d: bound %v, exact %v", m, n, k, exact)
		}
	})
}

// Matrices whose bound is not attained. That of the note is beyond both bounds, the
// sharper one is the truth for the other.
func TestSharperK(t *testing.T) {
	for _, tc := range []struct {
		rows              [3][3]int64 // twentieths
		m                 int
		k, sharper, exact *big.Rat
	}{
		{[3][3]int64{{9, 9, 2}, {3, 9, 8}, {2, 16, 2}}, 3, big.NewRat(25, 18), big.NewRat(25, 18), big.NewRat(17, 12)},
		{[3][3]int64{{2, 8, 10}, {10, 4, 6}, {4, 14, 2}}, 2, big.NewRat(157, 105), big.NewRat(3, 2), big.NewRat(3, 2)},
	} {
		var a Matrix
		for _, row := range tc.rows {
			var r []*big.Rat
			for _, x := range row {
				r = append(r, big.NewRat(x, 20))
			}
			a = append(a, r)
		}
		k, sharper, exact := a.Guarantee().K(4, int64(tc.m)), a.SharperK(4, int64(tc.m)), exactK(a, 4, tc.m)
		if k.Cmp(tc.k) != 0 || sharper.Cmp(tc.sharper) != 0 || exact.Cmp(tc.exact) != 0 {
			t.Errorf("%v: bound %v, sharper %v, exact %v; want %v, %v, %v", tc.rows, k, sharper, exact, tc.k, tc.sharper, tc.exact)
		}
	}
}

// drawAttribute draws an attribute of few values.
func drawAttribute(t *rapid.T, name string) Attribute {
	return Attribute{
		Values:    rapid.Int64Range(1, 4).Draw(t, name+"V"),
		Rho:       big.NewRat(rapid.Int64Range(0, 20).Draw(t, name+"rho"), 20),
		Different: rapid.Bool().Draw(t, name+"different"),
	}
}

// Retention–replacement is the special case of its matrix, and of the product of the
// matrices of several attributes. The variant with a different value is the other with
// ρ = (qV−1)/(V−1).
func TestRetentionMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawAttribute(t, "x"), drawAttribute(t, "y")
		var product Matrix
		for _, p := range x.Matrix() {
			for _, q := range y.Matrix() {
				var row []*big.Rat
				for _, a := range p {
					for _, b := range q {
						row = append(row, new(big.Rat).Mul(a, b))
					}
				}
				product = append(product, row)
			}
		}
		if err := product.Check(); err != nil {
			t.Fatal(err)
		}
		got, want := Retention([]Attribute{x, y}), product.Guarantee()
		if got.Alpha.Cmp(want.Alpha) != 0 || got.Beta.Cmp(want.Beta) != 0 {
			t.Fatalf("retention %v, matrix %v", got, want)
		}
		if rho := new(big.Rat).Sub(new(big.Rat).Mul(x.Rho, num.Whole(x.Values)), num.One); x.Different && x.Values > 1 && rho.Sign() >= 0 {
			same := Attribute{Values: x.Values, Rho: rho.Quo(rho, num.Whole(x.Values-1))}
			if same.ratio().Cmp(x.ratio()) != 0 {
				t.Fatalf("q = %v: x = %v, as ρ = %v: %v", x.Rho, x.ratio(), same.Rho, same.ratio())
			}
		}
	})
}

// retentionFor and MaxSample undo K, k falls with ρ and m, and SafeRetention reaches its
// target exactly and by less than a unit.
func TestRetentionInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, 1e6).Draw(t, "n")
		m := rapid.Int64Range(1, n).Draw(t, "m")
		values := rapid.SliceOfN(rapid.Int64Range(1, 50), 1, 4).Draw(t, "values")
		rho := big.NewRat(rapid.Int64Range(0, 1000).Draw(t, "rho"), 1000)
		at := func(rho *big.Rat) Guarantee {
			var a []Attribute
			for _, v := range values {
				a = append(a, Attribute{Values: v, Rho: rho})
			}
			return Retention(a)
		}
		g := at(rho)
		k := g.K(n, m)
		constant := slices.Max(values) == 1
		if f, ok := retentionFor(values, n, m, k); !ok || !constant && math.Abs(f-num.Float(rho)) > 1e-9 {
			t.Fatalf("RetentionFor(%v) = %v, %v, want %v", num.Float(k), f, ok, rho)
		}
		if got, ok := g.MaxSample(n, k); !ok || got < m || got > m && g.K(n, got).Cmp(k) < 0 || got < n && g.K(n, got+1).Cmp(k) >= 0 {
			t.Fatalf("MaxSample = %d, %v, want at least %d", got, ok, m)
		}
		if m < n && g.K(n, m+1).Cmp(k) > 0 {
			t.Fatal("k grows with m")
		}
		if rho.Cmp(num.One) < 0 {
			if more := new(big.Rat).Add(rho, big.NewRat(1, 1000)); at(more).K(n, m).Cmp(k) > 0 {
				t.Fatal("k grows with ρ")
			}
		}
		target := new(big.Rat).Add(num.One, big.NewRat(rapid.Int64Range(0, 1000).Draw(t, "share")*(n-1), 1000))
		safe, ok := SafeRetention(values, n, m, target)
		if !ok || at(safe).K(n, m).Cmp(target) < 0 {
			t.Fatalf("SafeRetention(%v) = %v, %v: k = %v", target, safe, ok, at(safe).K(n, m))
		}
		if next := new(big.Rat).Add(safe, big.NewRat(1, retentionUnit)); next.Cmp(num.One) <= 0 && at(next).K(n, m).Cmp(target) >= 0 {
			t.Fatalf("SafeRetention(%v) = %v, but one unit more does", target, safe)
		}
	})
}

// α and β by 64-bit integers and by fractions, where a common denominator is too large
// for the former, are the same but for what was changed to make it so.
func TestLeast(t *testing.T) {
	tiny := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil))
	rapid.Check(t, func(t *rapid.T) {
		a := drawMatrix(t, rapid.IntRange(1, 4).Draw(t, "V"), 3)
		var b Matrix // a column more, the same for all rows, takes a little from each
		for _, row := range a {
			var r []*big.Rat
			for _, x := range row {
				r = append(r, new(big.Rat).Mul(x, new(big.Rat).Sub(num.One, tiny)))
			}
			b = append(b, append(r, tiny))
		}
		if a.scaled() == nil || b.scaled() != nil {
			t.Fatal("this was to try both ways")
		}
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		x, y := a.Guarantee(), b.Guarantee()
		if x.Alpha.Cmp(y.Alpha) != 0 || x.Beta.Cmp(y.Beta) != 0 {
			t.Fatalf("by integers %v, by fractions %v", x, y)
		}
	})
}

func TestMatrixCheck(t *testing.T) {
	r := big.NewRat
	for _, a := range []Matrix{{}, {{}}, {{r(1, 2), r(1, 3)}}, {{r(3, 2), r(-1, 2)}}, {{r(1, 1)}, {r(1, 2), r(1, 2)}}} {
		if a.Check() == nil {
			t.Errorf("Check(%v) finds nothing", a)
		}
	}
}

package nullspace

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// drawMatrix draws m rows over n columns: table-like ±1, small, or entries near
// the ends of int64.
func drawMatrix(t *rapid.T, m, n int) []row {
	entry := rapid.Int64Range(-1, 1)
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 1:
		entry = rapid.Int64Range(-9, 9)
	case 2:
		entry = rapid.Int64()
	case 3:
		entry = rapid.SampledFrom([]int64{0, 0, 1, -1, 2, math.MaxInt64, math.MinInt64, math.MinInt64 + 1})
	}
	a := make([]row, m)
	for i := range a {
		a[i] = newRow(n)
		for j := range n {
			a[i].s[j] = entry.Draw(t, "a")
		}
	}
	return a
}

// det returns the determinant of the columns c0…c0+len(a)−1 by fractions.
func det(a []row, c0 int) *big.Rat {
	n := len(a)
	w := make([][]*big.Rat, n)
	for i := range w {
		w[i] = make([]*big.Rat, n)
		for j := range n {
			w[i][j] = new(big.Rat).SetInt(a[i].at(c0 + j).wide())
		}
	}
	d := big.NewRat(1, 1)
	for k := range n {
		p := k
		for p < n && w[p][k].Sign() == 0 {
			p++
		}
		if p == n {
			return new(big.Rat)
		}
		if p != k {
			w[p], w[k] = w[k], w[p]
			d.Neg(d)
		}
		d.Mul(d, w[k][k])
		for i := k + 1; i < n; i++ {
			f := new(big.Rat).Quo(w[i][k], w[k][k])
			for j := k; j < n; j++ {
				w[i][j].Sub(w[i][j], new(big.Rat).Mul(f, w[k][j]))
			}
		}
	}
	return d
}

// The rows [A | I] become [H | U] with U A = H, det U = ±1 and H in Hermite form.
func TestHermite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := rapid.IntRange(1, 5).Draw(t, "m"), rapid.IntRange(1, 5).Draw(t, "n")
		a := drawMatrix(t, m, n)
		w := make([]row, m)
		for i := range w {
			w[i] = newRow(n + m)
			for j := range n {
				w[i].set(j, a[i].at(j))
			}
			w[i].set(n+i, small(1))
		}
		pivots := hermite(w, n)
		for i := range m {
			for j := range n {
				sum := num{}
				for l := range m {
					sum = sum.add(w[i].at(n + l).mul(a[l].at(j)))
				}
				if sum.cmp(w[i].at(j)) != 0 {
					t.Fatalf("(U A)[%d][%d] = %v, H has %v", i, j, sum.wide(), w[i].at(j).wide())
				}
			}
		}
		if d := det(w, n); d.Num().CmpAbs(big.NewInt(1)) != 0 || !d.IsInt() {
			t.Fatalf("det U = %v", d)
		}
		for k := range m {
			if k >= len(pivots) {
				if !w[k].isZero(n) {
					t.Fatalf("row %d is past the rank and not zero", k)
				}
				continue
			}
			c := pivots[k]
			if !w[k].isZero(c) || w[k].at(c).sign() <= 0 || k > 0 && pivots[k-1] >= c {
				t.Fatalf("row %d is not in echelon form", k)
			}
			for l := range m {
				x := w[l].at(c)
				if l < k && (x.sign() < 0 || x.cmp(w[k].at(c)) >= 0) || l > k && x.sign() != 0 {
					t.Fatalf("column %d is not reduced", c)
				}
			}
		}
	})
}

// checkLLL verifies both conditions of lll by fractions.
func checkLLL(t interface{ Fatalf(string, ...any) }, b []row) {
	d := len(b)
	star := make([][]*big.Rat, d)
	norm := make([]*big.Rat, d)
	dot := func(x, y []*big.Rat) *big.Rat {
		s := new(big.Rat)
		for i := range x {
			s.Add(s, new(big.Rat).Mul(x[i], y[i]))
		}
		return s
	}
	half := big.NewRat(1, 2)
	for i := range d {
		v := make([]*big.Rat, b[i].len())
		for c := range v {
			v[c] = new(big.Rat).SetInt(b[i].at(c).wide())
		}
		star[i] = append([]*big.Rat(nil), v...)
		last := new(big.Rat)
		for j := range i {
			mu := new(big.Rat).Quo(dot(v, star[j]), norm[j])
			if new(big.Rat).Abs(mu).Cmp(half) > 0 {
				t.Fatalf("μ[%d][%d] = %v", i, j, mu)
			}
			for c := range v {
				star[i][c] = new(big.Rat).Sub(star[i][c], new(big.Rat).Mul(mu, star[j][c]))
			}
			last = mu
		}
		norm[i] = dot(star[i], star[i])
		if norm[i].Sign() == 0 {
			t.Fatalf("row %d depends on those before", i)
		}
		if i > 0 {
			f := new(big.Rat).Sub(big.NewRat(3, 4), new(big.Rat).Mul(last, last))
			if norm[i].Cmp(f.Mul(f, norm[i-1])) < 0 {
				t.Fatalf("row %d is too short beside row %d", i, i-1)
			}
		}
	}
}

// sameLattice reports whether the independent rows a and b span the same lattice:
// their Hermite forms agree.
func sameLattice(a, b []row) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	n := a[0].len()
	var c, d []row
	for i := range a {
		c, d = append(c, a[i].clone()), append(d, b[i].clone())
	}
	hermite(c, n)
	hermite(d, n)
	for i := range c {
		for j := range n {
			if c[i].at(j).cmp(d[i].at(j)) != 0 {
				return false
			}
		}
	}
	return true
}

// The kernel of random rows is orthogonal to them, has full rank, is saturated
// (contains every integer solution), and lll keeps the lattice.
func TestKernelAndLLL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := rapid.IntRange(1, 4).Draw(t, "m"), rapid.IntRange(1, 6).Draw(t, "n")
		a := drawMatrix(t, m, n)
		y := make([]int64, n) // a solution, so that the system has one
		ab := make([]row, m)
		for i := range y {
			y[i] = rapid.Int64Range(-50, 50).Draw(t, "y")
		}
		for i := range ab {
			ab[i] = newRow(n + 1)
			b := num{}
			for j := range n {
				ab[i].set(j, a[i].at(j))
				b = b.add(a[i].at(j).mul(small(y[j])))
			}
			ab[i].set(n, b)
		}
		pivots, ok := reduce(&ab, n)
		if !ok {
			t.Fatalf("a system with a solution is called inconsistent")
		}
		v, kernel, ok := latticeSolve(ab, n)
		if !ok {
			t.Fatalf("a system with an integer solution is called unsolvable")
		}
		if len(kernel) != n-len(pivots) {
			t.Fatalf("kernel of dimension %d, rank %d of %d columns", len(kernel), len(pivots), n)
		}
		for i := range a {
			want := num{}
			for j := range n {
				want = want.add(a[i].at(j).mul(small(y[j])))
			}
			if got := a[i].dot(&v); got.cmp(want) != 0 {
				t.Fatalf("A v = %v, want %v", got.wide(), want.wide())
			}
			for _, k := range kernel {
				if a[i].dot(&k).sign() != 0 {
					t.Fatalf("A K ≠ 0")
				}
			}
		}
		if len(kernel) == 0 {
			return
		}
		// Saturated: the Hermite form of the transposed basis has unit pivots,
		// so every integer point of the span is an integer combination.
		tr := make([]row, n)
		for j := range tr {
			tr[j] = newRow(len(kernel))
			for k := range kernel {
				tr[j].set(k, kernel[k].at(j))
			}
		}
		for k, c := range hermite(tr, len(kernel)) {
			if tr[k].at(c).cmp(small(1)) != 0 {
				t.Fatalf("index %v in the lattice of integer solutions", tr[k].at(c).wide())
			}
		}
		before := make([]row, len(kernel))
		for k := range kernel {
			before[k] = kernel[k].clone()
		}
		lll(kernel)
		checkLLL(t, kernel)
		if !sameLattice(before, kernel) {
			t.Fatalf("lll changed the lattice")
		}
	})
}

// num agrees with math/big, promotion and demotion included.
func TestNum(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *big.Int {
		x := big.NewInt(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, -1, 0, 1})).Draw(t, "x"))
		if rapid.Bool().Draw(t, "wide") {
			x.Mul(x, big.NewInt(rapid.Int64().Draw(t, "f")))
		}
		return x
	})
	rapid.Check(t, func(t *rapid.T) {
		x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
		a, b := fromBig(x), fromBig(y)
		check := func(op string, got num, want *big.Int) {
			if got.big().Cmp(want) != 0 {
				t.Fatalf("%v %s %v = %v, want %v", x, op, y, got.wide(), want)
			}
			if got.b != nil && got.b.IsInt64() {
				t.Fatalf("%v %s %v is not demoted", x, op, y)
			}
		}
		check("+", a.add(b), new(big.Int).Add(x, y))
		check("−", a.sub(b), new(big.Int).Sub(x, y))
		check("·", a.mul(b), new(big.Int).Mul(x, y))
		check("neg", a.neg(), new(big.Int).Neg(x))
		check("gcd", a.gcd(b), new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)))
		if a.cmp(b) != x.Cmp(y) || a.sign() != x.Sign() {
			t.Fatalf("cmp(%v, %v)", x, y)
		}
		if y.Sign() != 0 {
			q := new(big.Rat).SetFrac(x, y)
			floor := new(big.Int).Div(q.Num(), q.Denom()) // Denom > 0: Euclid is floor
			check("div", a.div(b), floor)
			up := new(big.Int).Set(floor)
			if !q.IsInt() {
				up.Add(up, big.NewInt(1))
			}
			check("divUp", a.divUp(b), up)
			if b.divides(a) != q.IsInt() {
				t.Fatalf("%v divides %v", y, x)
			}
			if y.Sign() > 0 {
				q.Add(q, big.NewRat(1, 2))
				check("nearest", a.nearest(b), new(big.Int).Div(q.Num(), q.Denom()))
			}
		}
	})
}

// combine is exact at the ends of int64.
func TestRowCombine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawMatrix(t, 2, 4)
		p, q := small(rapid.Int64().Draw(t, "p")), small(rapid.Int64Range(-3, 3).Draw(t, "q"))
		if rapid.Bool().Draw(t, "one") {
			p = small(1)
		}
		r := a[0].clone()
		r.combine(p, q, &a[1])
		dot := num{}
		for i := range 4 {
			want := p.mul(a[0].at(i)).sub(q.mul(a[1].at(i)))
			if r.at(i).cmp(want) != 0 {
				t.Fatalf("entry %d: %v, want %v", i, r.at(i).wide(), want.wide())
			}
			dot = dot.add(a[0].at(i).mul(a[1].at(i)))
		}
		if got := a[0].dot(&a[1]); got.cmp(dot) != 0 {
			t.Fatalf("dot %v, want %v", got.wide(), dot.wide())
		}
		g := r.clone()
		g.primitive()
		g.combine(small(1), small(0), &a[1])
		r.negate()
		for i := range 4 {
			if r.at(i).sign() != -g.at(i).sign() {
				t.Fatalf("signs after primitive and negate differ")
			}
		}
	})
}

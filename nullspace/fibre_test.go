package nullspace

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var bg = context.Background()

// collect copies all points.
func collect(f *Fibre) [][]int64 {
	var p [][]int64
	for y := range f.Points(bg) {
		p = append(p, slices.Clone(y))
	}
	return p
}

// twoWay returns the relations of the inner cells of a table with the given
// margins: cell i·c+j.
func twoWay(rows, cols []int64) *table.Relations {
	r, c := len(rows), len(cols)
	rel := table.NewRelations(r * c)
	for i := range r {
		var cell, coef []int32
		for j := range c {
			cell, coef = append(cell, int32(i*c+j)), append(coef, 1)
		}
		rel.Add(cell, coef, rows[i])
	}
	for j := range c {
		var cell, coef []int32
		for i := range r {
			cell, coef = append(cell, int32(i*c+j)), append(coef, 1)
		}
		rel.Add(cell, coef, cols[j])
	}
	return rel
}

func all(n int) []int32 {
	w := make([]int32, n)
	for i := range w {
		w[i] = int32(i)
	}
	return w
}

func mustNew(t testing.TB, rel *table.Relations, withheld []int32, value, lo, hi []int64) *Fibre {
	t.Helper()
	return must.Get(New(rel, withheld, value, lo, hi))(t)
}

func mustCount(t testing.TB, f *Fibre) int64 {
	t.Helper()
	n, exact, err := f.Count(bg, nil)
	if err != nil || !exact {
		t.Fatalf("Count: %v, exact %v, %v", n, exact, err)
	}
	return n.Int64()
}

// The worked example of the lecture (Minami 2024, Institute of Statistical
// Mathematics): M2, M4 × P2, P4 withheld with rests 23, 9, 23, 9 has the solutions
// (14, 9, 9, 0) + k(1, −1, −1, 1), 0 ≤ k ≤ 9.
func TestWorkedExample(t *testing.T) {
	value := []int64{
		15, 15, 12, 10,
		19, 0, 13, 0,
		8, 8, 11, 14,
		9, 0, 26, 0,
	}
	rel := twoWay([]int64{52, 55, 41, 44}, []int64{51, 46, 62, 33})
	f := mustNew(t, rel, []int32{5, 7, 13, 15}, value, nil, nil)
	if f.Dim() != 1 {
		t.Fatalf("dimension %d", f.Dim())
	}
	got := collect(f)
	slices.SortFunc(got, slices.Compare[[]int64])
	var want [][]int64
	for k := range int64(10) {
		want = append(want, []int64{14 + k, 9 - k, 9 - k, k})
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Fatalf("points %v, want %v", got, want)
	}
	if n := mustCount(t, f); n != 10 {
		t.Fatalf("Count %d", n)
	}
	lo, hi, ok := f.Bounds(1)
	if !ok || lo.Cmp(big.NewRat(0, 1)) != 0 || hi.Cmp(big.NewRat(9, 1)) != 0 {
		t.Fatalf("x2 in [%v, %v]", lo, hi)
	}
	k := f.Kernel()
	for i, s := range []int64{1, -1, -1, 1} {
		if k[0][i].Int64()*k[0][0].Int64() != s {
			t.Fatalf("kernel %v", k)
		}
	}
}

// The number of n×n tables with all margins r: for n = 3 it is C(r+2, 4) + C(r+3, 4)
// + C(r+4, 4) (MacMahon 1916; Stanley, Enumerative Combinatorics I, 4.6.21), for 4
// and 5 the terms are those of OEIS A001496 and A003438.
func TestMagicSquares(t *testing.T) {
	c4 := func(n int64) int64 { return n * (n - 1) * (n - 2) * (n - 3) / 24 }
	square := func(n int, r int64) *Fibre {
		m := make([]int64, n)
		for i := range m {
			m[i] = r
		}
		return mustNew(t, twoWay(m, m), all(n*n), make([]int64, n*n), nil, nil)
	}
	for r := int64(0); r <= 12; r++ {
		f := square(3, r)
		want := c4(r+2) + c4(r+3) + c4(r+4)
		if got := mustCount(t, f); got != want {
			t.Fatalf("3×3, margins %d: %d, want %d", r, got, want)
		}
		if got := int64(len(collect(f))); got != want {
			t.Fatalf("3×3, margins %d: %d points, want %d", r, got, want)
		}
	}
	for r, want := range []int64{1, 24, 282, 2008, 10147} {
		if got := mustCount(t, square(4, int64(r))); got != want {
			t.Fatalf("4×4, margins %d: %d, want %d", r, got, want)
		}
	}
	for r, want := range []int64{1, 120, 6210} {
		if got := mustCount(t, square(5, int64(r))); got != want {
			t.Fatalf("5×5, margins %d: %d, want %d", r, got, want)
		}
	}
}

// Three-way tables with all line sums 1 are Latin squares: 12 of order 3, 576 of
// order 4. Other line sums are compared with the oracle.
func TestLatinSquares(t *testing.T) {
	for _, c := range []struct {
		k      int
		m, dim int
		want   int64
	}{{2, 5, 1, 6}, {3, 1, 8, 12}, {3, 2, 8, -1}, {3, 3, 8, -1}, {4, 1, 27, 576}} {
		f, rel := cube(t, c.k, int64(c.m))
		if c.want < 0 {
			hi := slices.Repeat([]int64{int64(c.m)}, rel.N)
			c.want = int64(len(backtrack(rel, all(rel.N), hi, make([]int64, rel.N), hi)))
		}
		if got := mustCount(t, f); got != c.want || f.Dim() != c.dim {
			t.Errorf("%d×%d×%d with sums %d: dimension %d, %d tables; want %d, %d", c.k, c.k, c.k, c.m, f.Dim(), got, c.dim, c.want)
		}
	}
}

// Two cycles that share a row but no cell are two blocks; a cell that the rest
// determines is in none.
func TestBlocks(t *testing.T) {
	// Rows 0–2, columns 0–4: cells (0,0) (0,1) (1,0) (1,1), (1,2) (1,3) (2,2) (2,3), (2,4).
	rows, cols := []int64{10, 20, 13}, []int64{9, 11, 8, 12, 3}
	rel := twoWay(rows, cols)
	withheld := []int32{14, 0, 7, 1, 8, 5, 12, 6, 13}
	f := mustNew(t, rel, withheld, make([]int64, rel.N), nil, nil)
	want := [][]int32{{1, 3, 5, 7}, {2, 4, 6, 8}}
	if got := f.Blocks(); !slices.EqualFunc(got, want, slices.Equal[[]int32]) {
		t.Fatalf("blocks %v, want %v", got, want)
	}
	points := collect(f)
	if len(points) == 0 || points[0][0] != 3 {
		t.Fatalf("points %v", points)
	}
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, slices.Compare[[]int64])
	hi := slices.Repeat([]int64{20}, rel.N)
	oracle := backtrack(rel, withheld, make([]int64, rel.N), make([]int64, rel.N), hi)
	slices.SortFunc(oracle, slices.Compare[[]int64])
	if !slices.EqualFunc(sorted, oracle, slices.Equal[[]int64]) {
		t.Fatalf("%d points, want %d", len(points), len(oracle))
	}
}

// One or two equations with large coefficients, where the reduced basis matters: the
// oracle splits the cells into halves and looks up sums.
func TestKnapsack(t *testing.T) {
	points, work := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		const n, top = 6, 8
		m := 1 + int(seed%2)
		rel := table.NewRelations(n)
		a := make([][]int64, m)
		for j := range m {
			coef := make([]int32, n)
			a[j] = make([]int64, n)
			rhs := int64(0)
			for i := range coef {
				coef[i] = 1 + r.Int32N([]int32{2000, 60}[m-1])
				a[j][i] = int64(coef[i])
				rhs += a[j][i] * top / 2
			}
			rel.Add(all(n), coef, rhs-r.Int64N(5))
		}
		half := func(from int, visit func(y [3]int64, sum [2]int64)) {
			var y [3]int64
			for y[0] = 0; y[0] <= top; y[0]++ {
				for y[1] = 0; y[1] <= top; y[1]++ {
					for y[2] = 0; y[2] <= top; y[2]++ {
						var sum [2]int64
						for j := range m {
							for i, v := range y {
								sum[j] += a[j][from+i] * v
							}
						}
						visit(y, sum)
					}
				}
			}
		}
		left := map[[2]int64][][3]int64{}
		half(0, func(y [3]int64, sum [2]int64) { left[sum] = append(left[sum], y) })
		var want [][]int64
		half(3, func(y [3]int64, sum [2]int64) {
			for j := range m {
				sum[j] = rel.RHS[j] - sum[j]
			}
			for _, x := range left[sum] {
				want = append(want, []int64{x[0], x[1], x[2], y[0], y[1], y[2]})
			}
		})
		slices.SortFunc(want, slices.Compare[[]int64])
		f := mustNew(t, rel, all(n), make([]int64, n), nil, slices.Repeat([]int64{top}, n))
		check(t, fmt.Sprintf("seed %d", seed), f, want)
		plans, _, _ := f.prepare(bg)
		for _, p := range plans {
			w := p.walker(bg, make([]int64, n))
			for w.reset(); w.next(); {
			}
			work += w.work
		}
		points += len(want)
	}
	if t.Logf("%d points, %d ranges", points, work); points < 100 {
		t.Errorf("%d points only", points)
	}
	// Enumerating the box would take 9⁵ ranges a system.
	if work > 60*200 {
		t.Errorf("%d ranges computed for %d points", work, points)
	}
}

// system is a random bounded problem with its solutions by brute force.
type system struct {
	rel       *table.Relations
	value     []int64
	withheld  []int32
	lo, hi    []int64
	solutions [][]int64
}

// randomSystem draws equations over at most 6 withheld cells in small boxes: with
// small or table-like coefficients, right-hand sides of a solution or at random,
// some cells published, some repeated within an equation.
func randomSystem(r *rand.Rand) *system {
	n, m := 1+r.IntN(7), r.IntN(5)
	s := &system{rel: table.NewRelations(n), value: make([]int64, n), lo: make([]int64, n), hi: make([]int64, n)}
	for i := range n {
		s.lo[i] = int64(r.IntN(5) - 3)
		s.hi[i] = s.lo[i] + int64(r.IntN(6))
		s.value[i] = s.lo[i] + r.Int64N(s.hi[i]-s.lo[i]+1)
		if len(s.withheld) < 6 && r.IntN(8) > 0 {
			s.withheld = append(s.withheld, int32(i))
		}
	}
	r.Shuffle(len(s.withheld), func(i, j int) { s.withheld[i], s.withheld[j] = s.withheld[j], s.withheld[i] })
	size, density := []int32{1, 1, 2, 5, 1000}[r.IntN(5)], 0.2+0.8*r.Float64()
	positive := r.IntN(3) == 0
	for range m {
		var cell, coef []int32
		rhs := int64(0)
		for i := range n {
			if r.Float64() > density {
				continue
			}
			c := r.Int32N(2*size+1) - size
			if positive {
				c = max(c, -c)
			}
			cell, coef = append(cell, int32(i)), append(coef, c)
			rhs += int64(c) * s.value[i]
			if r.IntN(20) == 0 {
				cell, coef = append(cell, int32(i)), append(coef, 1)
				rhs += s.value[i]
			}
		}
		if r.IntN(8) == 0 {
			rhs += int64(r.IntN(5) - 2)
		}
		s.rel.Add(cell, coef, rhs)
	}
	y := slices.Clone(s.value)
	var brute func(k int)
	brute = func(k int) {
		if k == len(s.withheld) {
			if s.rel.Holds(y) {
				p := make([]int64, k)
				for x, i := range s.withheld {
					p[x] = y[i]
				}
				s.solutions = append(s.solutions, p)
			}
			return
		}
		i := s.withheld[k]
		for y[i] = s.lo[i]; y[i] <= s.hi[i]; y[i]++ {
			brute(k + 1)
		}
	}
	brute(0)
	slices.SortFunc(s.solutions, slices.Compare[[]int64])
	return s
}

// check compares a fibre with all its solutions, sorted.
func check(t *testing.T, name string, f *Fibre, want [][]int64) {
	t.Helper()
	if err := f.Check(bg); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	order := collect(f)
	got := slices.Clone(order)
	slices.SortFunc(got, slices.Compare[[]int64])
	if !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Fatalf("%s: %d points, want %d\n%v\n%v", name, len(got), len(want), got, want)
	}
	if n := mustCount(t, f); n != int64(len(want)) {
		t.Fatalf("%s: Count %d, want %d", name, n, len(want))
	}
	reason, err := f.Empty(bg)
	if err != nil || (reason == None) != (len(want) > 0) {
		t.Fatalf("%s: Empty says %v, %v; %d points", name, reason, err, len(want))
	}
	for _, n := range []int{1, 2, 3, 7} {
		var union [][]int64
		parts, err := f.Parts(bg, n)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(parts) > n {
			t.Fatalf("%s: %d parts, want at most %d", name, len(parts), n)
		}
		for _, p := range parts {
			for y := range p.Points(bg) {
				union = append(union, slices.Clone(y))
			}
		}
		if !slices.EqualFunc(union, order, slices.Equal[[]int64]) {
			t.Fatalf("%s: %d parts give %v, want %v", name, n, union, order)
		}
	}
	if len(want) > 0 {
		limit := int64(1 + len(want)/2)
		n, exact, err := f.Count(bg, big.NewInt(limit))
		if err != nil || n.Int64() != min(limit, int64(len(want))) || exact && limit < int64(len(want)) {
			t.Fatalf("%s: Count up to %d of %d: %v, exact %v, %v", name, limit, len(want), n, exact, err)
		}
		for k := range f.Cells() {
			lo, hi, ok := f.Bounds(k)
			for _, y := range want {
				if v := new(big.Rat).SetInt64(y[k]); !ok || lo.Cmp(v) > 0 || hi.Cmp(v) < 0 {
					t.Fatalf("%s: cell %d is %d in a solution, Bounds [%v, %v]", name, k, y[k], lo, hi)
				}
			}
		}
	}
}

func TestBruteForce(t *testing.T) {
	reasons := map[Reason]int{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := randomSystem(r)
		f := mustNew(t, s.rel, s.withheld, s.value, s.lo, s.hi)
		check(t, fmt.Sprintf("seed %d", seed), f, s.solutions)
		reason, _ := f.Empty(bg)
		reasons[reason]++
		// The same without unit pivots and forests: the general path.
		for _, w := range f.blocks {
			w.reduce()
			if g, ok := general(s, w); !ok || !sameLattice(g, w.kernel) {
				t.Fatalf("seed %d: the kernel of a block differs from that by Hermite form", seed)
			}
		}
	}
	for reason := None; reason <= NoPoint; reason++ {
		if reasons[reason] < 10 {
			t.Errorf("%v: %d systems only", reason, reasons[reason])
		}
	}
}

// general returns the kernel over the cells of a block by Hermite form alone.
func general(s *system, b *block) ([]row, bool) {
	var ab []row
	for j := range s.rel.Len() {
		w := newRow(len(b.cells) + 1)
		cell, coef := s.rel.Row(j)
		for t, i := range cell {
			for x, k := range b.cells {
				if s.withheld[k] == i {
					w.s[x] += int64(coef[t])
				}
			}
		}
		ab = append(ab, w)
	}
	_, ok := reduce(&ab, len(b.cells))
	if !ok {
		return nil, false
	}
	_, kernel, ok := latticeSolve(ab, len(b.cells))
	return kernel, ok
}

// Each reason, by example.
func TestReasons(t *testing.T) {
	one := func(n int, rhs int64, coef ...int32) *table.Relations {
		rel := table.NewRelations(n)
		rel.Add(all(len(coef)), coef, rhs)
		return rel
	}
	contradiction := one(2, 3, 1, 1)
	contradiction.Add(all(2), []int32{1, 1}, 4)
	published := one(2, 3, 0, 1)
	gap := one(3, 1, 2, 2, -3) // 2x + 2y = 1 + 3z, x, y, z ∈ {0, 1} without (1,1,1)…
	for _, c := range []struct {
		name     string
		rel      *table.Relations
		withheld []int32
		hi       []int64
		want     Reason
	}{
		{"contradiction", contradiction, all(2), nil, NoRational},
		{"published", published, []int32{0}, []int64{9, 9}, NoRational},
		{"parity", one(2, 3, 2, 4), all(2), []int64{9, 9}, NoIntegral},
		{"parity of one cell", one(1, 3, 2), all(1), nil, NoIntegral},
		{"bounds", one(2, 20, 1, 1), all(2), []int64{9, 9}, NoReal},
		{"bound of one cell", one(1, 20, 1), all(1), []int64{9}, NoReal},
		{"gap", gap, all(3), []int64{1, 0, 1}, NoPoint},
		{"points", one(2, 3, 1, 1), all(2), nil, None},
	} {
		f := mustNew(t, c.rel, c.withheld, make([]int64, c.rel.N), nil, c.hi)
		if got, err := f.Empty(bg); got != c.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

// Without upper bounds the equations must bound every cell.
func TestUnbounded(t *testing.T) {
	rel := table.NewRelations(3)
	rel.Add([]int32{0, 1}, []int32{1, -1}, 2)
	f := mustNew(t, rel, []int32{0, 1}, make([]int64, 3), nil, nil)
	err, ok := f.Check(bg).(*UnboundedError)
	if !ok || err.Cell != 0 {
		t.Fatalf("Check: %v", f.Check(bg))
	}
	if p := collect(f); p != nil {
		t.Fatalf("points %v of an unbounded fibre", p)
	}
	hi := []int64{table.PosInf, 7, table.PosInf}
	check(t, "one bound is enough", mustNew(t, rel, []int32{0, 1}, make([]int64, 3), nil, hi),
		[][]int64{{2, 0}, {3, 1}, {4, 2}, {5, 3}, {6, 4}, {7, 5}, {8, 6}, {9, 7}})
}

// Coefficients and right-hand sides near the ends of their types.
func TestLargeNumbers(t *testing.T) {
	const big31, big62 = math.MaxInt32, math.MaxInt64 - 10
	rel := table.NewRelations(4)
	rel.Add(all(4), []int32{big31, big31 - 1, -big31, 1 - big31}, 0)
	rel.Add(all(4), []int32{big31 - 2, big31 - 5, 7 - big31, 3}, 5*(big31-2)+5*(big31-5)+5*(7-big31)+15)
	hi := []int64{12, 12, 12, 12}
	var want [][]int64
	y := make([]int64, 4)
	for y[0] = 0; y[0] <= 12; y[0]++ {
		for y[1] = 0; y[1] <= 12; y[1]++ {
			for y[2] = 0; y[2] <= 12; y[2]++ {
				for y[3] = 0; y[3] <= 12; y[3]++ {
					if rel.Holds(y) {
						want = append(want, slices.Clone(y))
					}
				}
			}
		}
	}
	check(t, "large coefficients", mustNew(t, rel, all(4), make([]int64, 4), nil, hi), want)

	// Sums beyond int64 on the way: x + y = 2·(2⁶³ − 11) + …, both near the top.
	wide := table.NewRelations(3)
	wide.Add(all(3), []int32{1, 1, -2}, 0)
	value, lo := []int64{0, 0, big62}, []int64{big62 - 3, math.MinInt64 + 1, 0}
	want = nil
	for x := int64(big62 - 3); x <= big62+3; x++ {
		want = append(want, []int64{x, big62 - (x - big62)})
	}
	top := []int64{big62 + 3, big62 + 9, 0}
	check(t, "near the top", mustNew(t, wide, []int32{0, 1}, value, lo, top), want)

	// A cell whose only value does not fit.
	wide = table.NewRelations(2)
	wide.Add([]int32{0, 1}, []int32{1, -2}, 0)
	f := mustNew(t, wide, []int32{0}, []int64{0, big62}, nil, nil)
	if _, ok := f.Check(bg).(*RangeError); !ok {
		t.Fatalf("Check: %v", f.Check(bg))
	}

	// More than 2⁶⁴ points: three lines of 2⁶² + 1.
	lines := table.NewRelations(6)
	for k := range int32(3) {
		lines.Add([]int32{2 * k, 2*k + 1}, []int32{1, 1}, 1<<62)
	}
	f = mustNew(t, lines, all(6), make([]int64, 6), nil, nil)
	n, exact, err := f.Count(bg, nil)
	w := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 62), big.NewInt(1))
	if w.Exp(w, big.NewInt(3), nil); !exact || err != nil || n.Cmp(w) != 0 {
		t.Fatalf("Count %v, exact %v, %v; want %v", n, exact, err, w)
	}
	// Their parts start in order and at different points.
	parts, err := f.Parts(bg, 5)
	if err != nil || len(parts) != 5 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	var starts [][]int64
	for _, p := range parts {
		for y := range p.Points(bg) {
			starts = append(starts, slices.Clone(y))
			break
		}
	}
	up := slices.IsSortedFunc(starts, slices.Compare[[]int64])
	slices.Reverse(starts)
	if len(slices.CompactFunc(starts, slices.Equal[[]int64])) != 5 || !up && !slices.IsSortedFunc(starts, slices.Compare[[]int64]) {
		t.Fatalf("parts start at %v", starts)
	}
}

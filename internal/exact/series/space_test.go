package series

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/simplex"
)

// rank is that of the columns of m that are in, by elimination modulo another prime.
func rank(m [][]int64, in []bool) int {
	f := num.Mersenne
	var rows [][]uint64
	for _, r := range m {
		row := make([]uint64, 0, len(r))
		for i, v := range r {
			if in[i] {
				row = append(row, f.Of(v))
			}
		}
		rows = append(rows, row)
	}
	n := 0
	for c := 0; n < len(rows) && c < len(rows[0]); c++ {
		at := n
		for at < len(rows) && rows[at][c] == 0 {
			at++
		}
		if at == len(rows) {
			continue
		}
		rows[n], rows[at] = rows[at], rows[n]
		inv := f.Inverse(rows[n][c])
		for _, row := range rows[n+1:] {
			if g := f.Mul(row[c], inv); g != 0 {
				for k := range row {
					row[k] = f.Sub(row[k], f.Mul(g, rows[n][k]))
				}
			}
		}
		n++
	}
	return n
}

// drawSpace draws products of two cycles and a few more relations, and returns the matrix and its movements.
func drawSpace(rng *rand.Rand) (m [][]int64, s *Space) {
	a, b := 2+rng.IntN(3), 2+rng.IntN(3)
	n := (a + 1) * (b + 1)
	cell := func(i, j int) int { return i*(b+1) + j }
	line := func(at func(k int) int, k int) {
		r := make([]int64, n)
		for h := range k {
			r[at(h)] = 1
		}
		r[at(k)] = -1
		m = append(m, r)
	}
	for i := range a + 1 {
		line(func(k int) int { return cell(i, k) }, b)
	}
	for j := range b + 1 {
		line(func(k int) int { return cell(k, j) }, a)
	}
	var basis []Vector // movements of the inner cells, then two-dimensional steps between them.
	for i := range a {
		for j := range b {
			v := Vector{Cells: []int32{int32(cell(i, j)), int32(cell(i, b)), int32(cell(a, j)), int32(cell(a, b))}, Num: []int64{1, 1, 1, 1}}
			if i > 0 && rng.IntN(2) == 0 {
				v = Vector{Cells: []int32{int32(cell(i, j)), int32(cell(i, b)), int32(cell(i-1, j)), int32(cell(i-1, b))}, Num: []int64{3, 3, -3, -3}}
			}
			basis = append(basis, v)
		}
	}
	s = &Space{}
	s.Set(n, basis, rng.Uint64())
	return m, s
}

// combine adds up the columns, each with its factor.
func combine(s *Space, factor func(k int) float64) []float64 {
	z := make([]float64, s.n)
	for k := range s.cols {
		f := factor(k)
		for i := range z {
			z[i] += f * s.cols[k].val[i]
		}
	}
	return z
}

// While cells are dropped, dimensions, cells that stand still and classes are those of the matrix, and movements stay movements.
func TestSpace(t *testing.T) {
	t.Parallel()
	classes := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m, s := drawSpace(rng)
		n := s.n
		in := make([]bool, n)
		for i := range in {
			in[i] = true
		}
		var copied Space
		along := combine(s, func(k int) float64 { return float64(k + 1) })
		for {
			if rng.IntN(2) == 0 {
				copied.Copy(s)
				s, copied = &copied, *s
			}
			check(t, seed, m, in, s, along)
			class := make([]int32, n)
			classes += s.Classes(class)
			i := int32(rng.IntN(n))
			if s.Dims() == 0 {
				break
			}
			in[i] = false
			s.Drop(i, along)
		}
	}
	if classes < 3000 {
		t.Errorf("%d classes seen: the test sees too little", classes)
	}
}

func check(t *testing.T, seed uint64, m [][]int64, in []bool, s *Space, along []float64) {
	t.Helper()
	n := len(in)
	count := 0
	for _, x := range in {
		if x {
			count++
		}
	}
	r := rank(m, in)
	if s.Dims() != count-r {
		t.Fatalf("seed %d: %d dimensions, want %d", seed, s.Dims(), count-r)
	}
	moves := func(i int) bool {
		if !in[i] {
			return false
		}
		in[i] = false
		defer func() { in[i] = true }()
		return rank(m, in) == r
	}
	class := make([]int32, n)
	number := s.Classes(class)
	most := int32(-1)
	for i := range n {
		if s.Still(int32(i)) == moves(i) || (class[i] >= 0) != moves(i) {
			t.Fatalf("seed %d: cell %d still: %v, class %d, moves: %v", seed, i, s.Still(int32(i)), class[i], moves(i))
		}
		if class[i] > most+1 {
			t.Fatalf("seed %d: class %d after %d", seed, class[i], most)
		}
		most = max(most, class[i])
	}
	if int(most)+1 != number {
		t.Fatalf("seed %d: %d classes, the last is %d", seed, number, most)
	}
	for i := range n {
		if class[i] < 0 {
			continue
		}
		in[i] = false
		less := rank(m, in)
		for k := range n {
			if k == i || class[k] < 0 {
				continue
			}
			in[k] = false
			together := rank(m, in) == less-1 // k stands still where i does
			in[k] = true
			if together != (class[i] == class[k]) || together != s.InSeries(int32(i), int32(k)) {
				t.Fatalf("seed %d: cells %d and %d in series: %v, classes %d and %d", seed, i, k, together, class[i], class[k])
			}
		}
		in[i] = true
	}
	for k := range s.cols {
		balanced(t, seed, m, in, s.cols[k].val)
		for i, v := range s.cols[k].mod {
			if (v == 0) != (s.cols[k].val[i] == 0) {
				t.Fatalf("seed %d: column %d is %v at %d, %d modulo the prime", seed, k, s.cols[k].val[i], i, v)
			}
		}
	}
	balanced(t, seed, m, in, along)
}

func balanced(t *testing.T, seed uint64, m [][]int64, in []bool, z []float64) {
	t.Helper()
	for i, v := range z {
		if !in[i] && math.Abs(v) > 1e-7 {
			t.Fatalf("seed %d: cell %d, dropped, moves by %g", seed, i, v)
		}
	}
	for _, r := range m {
		sum := 0.0
		for i, c := range r {
			sum += float64(c) * z[i]
		}
		if math.Abs(sum) > 1e-7 {
			t.Fatalf("seed %d: a relation is off by %g", seed, sum)
		}
	}
}

// A program reaches what the linear program over the relations does, with cells dropped and with a class left out.
func TestProgram(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		m, s := drawSpace(rng)
		n := s.n
		up, dn := make([]float64, n), make([]float64, n)
		for i := range n {
			up[i], dn[i] = float64(rng.IntN(20)), float64(rng.IntN(20))
			if rng.IntN(1+int(seed%8)) == 0 {
				up[i] = math.Inf(1)
			}
		}
		in := make([]bool, n)
		for i := range in {
			if in[i] = rng.IntN(6) > 0; !in[i] {
				s.Drop(int32(i))
			}
		}
		if s.Dims() == 0 {
			continue
		}
		along := combine(s, func(int) float64 { return rng.Float64() - 0.5 })
		class := make([]int32, n)
		count := s.Classes(class)
		var p, less Program
		p.Set(s, class, count, up, dn, along)
		q := int32(rng.IntN(count))
		less.Without(&p, q)
		for _, without := range [2]bool{false, true} {
			use, still := &p, int32(-2)
			if without {
				use, still = &less, q
			}
			fits := func(value func(i int32) float64) {
				z := make([]float64, n)
				for i := range z {
					z[i] = value(int32(i))
					if still == class[i] && math.Abs(z[i]) > 1e-7 || z[i] > up[i]+1e-6 || z[i] < -dn[i]-1e-6 {
						t.Fatalf("seed %d: cell %d moves by %g, within -%g and %g", seed, i, z[i], dn[i], up[i])
					}
				}
				balanced(t, seed, m, in, z)
			}
			use.Along(fits)
			for range 6 {
				k, sign := int32(rng.IntN(n)), 1-2*rng.IntN(2)
				got := use.Reach(k, sign, math.Inf(1))
				want := maximum(t, m, up, dn, func(i int) bool { return in[i] && class[i] != still }, int(k), sign)
				if !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) && got != want {
					t.Fatalf("seed %d: cell %d reaches %g in direction %d, want %g", seed, k, got, sign, want)
				}
				if !math.IsInf(got, 1) {
					use.Last(fits)
				}
				asked++
			}
		}
	}
	if asked < 2000 {
		t.Errorf("%d questions: the test sees too little", asked)
	}
}

// maximum of sign·z_k by package lp.
func maximum(t *testing.T, m [][]int64, up, dn []float64, in func(i int) bool, k, sign int) float64 {
	t.Helper()
	solver := must.Get(lp.Open("simplex"))(t)
	defer solver.Close()
	p := &lp.Problem{Cost: make([]float64, len(up)), Lo: make([]float64, len(up)), Up: make([]float64, len(up))}
	p.Cost[k] = float64(-sign)
	for i := range up {
		if in(i) {
			p.Lo[i], p.Up[i] = -dn[i], up[i]
		}
	}
	for _, r := range m {
		row := lp.Row{}
		for i, c := range r {
			if c != 0 {
				row.Idx, row.Val = append(row.Idx, int32(i)), append(row.Val, float64(c))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	must.Do(t, solver.Load(p))
	res := must.Get(solver.Solve(context.Background()))(t)
	if res.Status == lp.Unbounded {
		return math.Inf(1)
	}
	if res.Status != lp.Optimal {
		t.Fatalf("status %v", res.Status)
	}
	return -res.Value
}

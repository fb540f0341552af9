package rational_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A program is what New takes.
type program struct {
	n              int
	ptr, col, coef []int32
	rhs, lo, up    []int64
}

func (p *program) solver() *rational.Solver {
	rhs := make([]*big.Int, len(p.rhs))
	for i, v := range p.rhs {
		rhs[i] = big.NewInt(v)
	}
	return rational.New(p.n, p.ptr, p.col, p.coef, rhs, p.lo, p.up)
}

func entry(v *rational.Vector, i int) *big.Rat {
	if v.Num[i] == nil {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(v.Num[i], v.Den)
}

// rows returns A x.
func (p *program) rows(x *rational.Vector) []*big.Rat {
	out := make([]*big.Rat, len(p.rhs))
	for i := range out {
		out[i] = new(big.Rat)
		for t := p.ptr[i]; t < p.ptr[i+1]; t++ {
			out[i].Add(out[i], new(big.Rat).Mul(big.NewRat(int64(p.coef[t]), 1), entry(x, int(p.col[t]))))
		}
	}
	return out
}

// reduced returns cost·e_k − Aᵀ y.
func (p *program) reduced(y *rational.Vector, k, cost int) []*big.Rat {
	d := make([]*big.Rat, p.n)
	for j := range d {
		d[j] = new(big.Rat)
	}
	d[k].SetInt64(int64(cost))
	for i := range p.rhs {
		for t := p.ptr[i]; t < p.ptr[i+1]; t++ {
			d[p.col[t]].Sub(d[p.col[t]], new(big.Rat).Mul(big.NewRat(int64(p.coef[t]), 1), entry(y, i)))
		}
	}
	return d
}

// bound returns the most that y b + d x can be, nil if that has no end.
func (p *program) bound(y *rational.Vector, k, cost int) *big.Rat {
	sum := new(big.Rat)
	for i, b := range p.rhs {
		sum.Add(sum, new(big.Rat).Mul(big.NewRat(b, 1), entry(y, i)))
	}
	for j, d := range p.reduced(y, k, cost) {
		end := p.up[j]
		if d.Sign() < 0 {
			end = p.lo[j]
		}
		switch {
		case d.Sign() == 0:
		case end == rational.Inf || end == -rational.Inf:
			return nil
		default:
			sum.Add(sum, d.Mul(d, big.NewRat(end, 1)))
		}
	}
	return sum
}

// check proves the answer, independently of how it was found.
func (p *program) check(a *rational.Answer, k, sign int) error {
	if a.Status == rational.Infeasible {
		if b := p.bound(a.Y, k, 0); b == nil || b.Sign() >= 0 {
			return fmt.Errorf("no proof of infeasibility")
		}
		return nil
	}
	for i, v := range p.rows(a.X) {
		if v.Cmp(big.NewRat(p.rhs[i], 1)) != 0 {
			return fmt.Errorf("row %d is %s, want %d", i, v, p.rhs[i])
		}
	}
	for j := range p.n {
		v := entry(a.X, j)
		if p.lo[j] != -rational.Inf && v.Cmp(big.NewRat(p.lo[j], 1)) < 0 || p.up[j] != rational.Inf && v.Cmp(big.NewRat(p.up[j], 1)) > 0 {
			return fmt.Errorf("column %d is %s, outside [%d, %d]", j, v, p.lo[j], p.up[j])
		}
	}
	if a.Status == rational.Unbounded {
		for i, v := range p.rows(a.Ray) {
			if v.Sign() != 0 {
				return fmt.Errorf("row %d moves along the ray", i)
			}
		}
		for j := range p.n {
			v := entry(a.Ray, j)
			if v.Sign() < 0 && p.lo[j] != -rational.Inf || v.Sign() > 0 && p.up[j] != rational.Inf {
				return fmt.Errorf("the ray leaves the bounds of column %d", j)
			}
		}
		if entry(a.Ray, k).Sign() != sign {
			return fmt.Errorf("the ray leads nowhere")
		}
		return nil
	}
	value := new(big.Rat).Mul(big.NewRat(int64(sign), 1), entry(a.X, k))
	if b := p.bound(a.Y, k, sign); b == nil || b.Cmp(value) != 0 {
		return fmt.Errorf("value %s, but the duals prove %v", value, b)
	}
	return nil
}

// random draws a program whose numbers have up to the given bits.
func random(r *rand.Rand, n, m int, coefBits, boundBits uint) *program {
	p := &program{n: n, ptr: []int32{0}}
	x := make([]int64, n)
	for j := range n {
		x[j] = r.Int64N(1 << boundBits)
		lo, up := x[j]-r.Int64N(1<<boundBits), x[j]+r.Int64N(1<<boundBits)
		switch r.IntN(6) {
		case 0:
			lo = -rational.Inf
		case 1:
			up = rational.Inf
		case 2:
			lo, up = -rational.Inf, rational.Inf
		case 3:
			lo = up
		}
		p.lo, p.up = append(p.lo, lo), append(p.up, up)
	}
	for range m {
		sum := int64(0)
		for j := range n {
			if r.IntN(3) == 0 {
				c := int32(r.Int64N(1<<coefBits) - r.Int64N(1<<coefBits))
				p.col, p.coef = append(p.col, int32(j)), append(p.coef, c)
				sum += int64(c) * x[j]
			}
		}
		if r.IntN(8) == 0 {
			sum++ // perhaps infeasible
		}
		p.ptr, p.rhs = append(p.ptr, int32(len(p.col))), append(p.rhs, sum)
	}
	return p
}

// Every answer comes with its proof, whatever basis the search begins at.
func TestAnswersAreProved(t *testing.T) {
	t.Parallel()
	seen := map[rational.Status]int{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(12)
		p := random(r, n, r.IntN(9), []uint{1, 1, 3, 20}[r.IntN(4)], []uint{1, 4, 40}[r.IntN(3)])
		s := p.solver()
		for range 3 {
			if r.IntN(2) == 0 {
				var basic []int32
				at := make([]int64, n)
				for j := range at {
					if at[j] = p.lo[j]; r.IntN(2) == 0 {
						at[j] = p.up[j]
					}
					if at[j] == rational.Inf || at[j] == -rational.Inf {
						at[j] = 0
					}
					if r.IntN(2) == 0 {
						basic = append(basic, int32(j))
					}
				}
				s.Start(basic, at)
			}
			k, sign := r.IntN(n), 1-2*r.IntN(2)
			a, err := s.Maximise(context.Background(), k, sign, 0)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			seen[a.Status]++
			if err := p.check(a, k, sign); err != nil {
				t.Fatalf("seed %d: maximise %+d·x%d: %v", seed, sign, k, err)
			}
		}
	}
	for _, s := range []rational.Status{rational.Optimal, rational.Unbounded, rational.Infeasible} {
		if seen[s] < 100 {
			t.Errorf("status %d only %d times", s, seen[s])
		}
	}
}

// A solver that is led from basis to basis, near ones and far ones, answers as one that knows none.
func TestFollowsBases(t *testing.T) {
	t.Parallel()
	for seed, seen := uint64(0), 0; seen < 5; seed++ {
		r := rand.New(rand.NewPCG(seed, 2))
		const n, m = 70, 12
		p := random(r, n, m, 1, 8)
		for j := range n { // so that all ends are finite
			p.lo[j], p.up[j] = max(p.lo[j], -1000), min(p.up[j], 1000)
		}
		led := p.solver()
		if a, err := led.Feasible(context.Background(), 0); err != nil || a.Status == rational.Infeasible {
			continue
		}
		seen++
		in := make([]bool, n)
		for range 30 {
			for range []int{1, 3, n}[r.IntN(3)] {
				j := r.IntN(n)
				in[j] = !in[j]
			}
			var basic []int32
			for j, is := range in {
				if is {
					basic = append(basic, int32(j))
				}
			}
			led.Start(basic, p.lo)
			k, sign := r.IntN(n), 1-2*r.IntN(2)
			a := must.Get(led.Maximise(context.Background(), k, sign, 0))(t)
			if err := p.check(a, k, sign); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if y, err := led.Duals(context.Background(), k); err != nil || a.Status == rational.Optimal && !vanishes(p, led, y, k) {
				t.Fatalf("seed %d: the duals of the basis, %v", seed, err)
			}
			b, err := p.solver().Maximise(context.Background(), k, sign, 0)
			if err != nil || b.Status != a.Status || a.Status == rational.Optimal && entry(a.X, k).Cmp(entry(b.X, k)) != 0 {
				t.Fatalf("seed %d: %v at %v, %v", seed, a.Status, a.X, err)
			}
		}
	}
}

// vanishes reports whether the duals y of the basis of s give no column strictly between its bounds, which is basic, a reduced
// cost.
func vanishes(p *program, s *rational.Solver, y *rational.Vector, k int) bool {
	x, err := s.Point(context.Background())
	if err != nil || x == nil {
		return false
	}
	for j, d := range p.reduced(y, k, 1) {
		v := entry(x, j)
		if d.Sign() != 0 && v.Cmp(big.NewRat(p.lo[j], 1)) > 0 && v.Cmp(big.NewRat(p.up[j], 1)) < 0 {
			return false
		}
	}
	return true
}

// Fractions grow along a chain c_i x_i = c_{i+1} x_{i+1}; the search is none the worse.
func TestLongFractions(t *testing.T) {
	t.Parallel()
	const n = 60
	p := &program{n: n, ptr: []int32{0}}
	for j := range int32(n) {
		p.lo, p.up = append(p.lo, 0), append(p.up, rational.Inf)
		if j > 0 {
			p.col, p.coef = append(p.col, j-1, j), append(p.coef, 99991+2*j, -99989-4*j)
			p.ptr, p.rhs = append(p.ptr, int32(len(p.col))), append(p.rhs, 0)
		}
	}
	p.up[n-1] = 12
	s := p.solver()
	a := must.Get(s.Maximise(context.Background(), 0, 1, 0))(t)
	must.Do(t, p.check(a, 0, 1))
	if a.X.Den.BitLen() < 500 {
		t.Errorf("a denominator of %d bits, want a long one", a.X.Den.BitLen())
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	p := random(rand.New(rand.NewPCG(3, 1)), 12, 6, 3, 4)
	if _, err := p.solver().Maximise(context.Background(), 0, 1, 1); err != nil && err != rational.ErrSteps {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.solver().Maximise(ctx, 0, 1, 0); err != context.Canceled {
		t.Errorf("%v, want the context's error", err)
	}
}

package partial

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// asked draws a table with some sensitive cells.
func asked(rng *rand.Rand, kind int) *table.Table {
	t := tabletest.Random(rng, kind)
	for i := range t.Len() {
		t.Cost[i] = 1 + rng.Int64N(9)
		t.Upper[i] = t.Value[i] + 5 + rng.Int64N(20)
		switch rng.IntN(8) {
		case 0:
			t.Status[i] = table.Published
		case 1:
			t.Status[i] = table.Withheld
		}
	}
	for range 1 + rng.IntN(5) {
		i := rng.IntN(t.Len())
		t.Status[i] = table.Sensitive
		U, L := t.Upper[i]-t.Value[i], t.Value[i]-t.Lower[i]
		t.UPL[i], t.LPL[i], t.Width[i] = min(U, rng.Int64N(4)), min(L, rng.Int64N(4)), min(U+L, rng.Int64N(9))
	}
	return t
}

// TestSplit solves programs in full and by cutting planes alone.
func TestSplit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	closed := 0
	tables := heavy.Draws(16)
	for n := range tables {
		rng := rand.New(rand.NewPCG(7, uint64(n)))
		tab := asked(rng, n)
		opt := &Options{Workers: 1, Absolute: n%2 == 0}
		by := func(opt *Options, work func(s *search) error) *search {
			s := must.Get(newSearch(ctx, tab, opt))(t)
			t.Cleanup(s.close)
			if work(s) != nil {
				return nil
			}
			return s
		}
		unsplit := *opt // largest widths keep to cutting planes
		for range tab.Len() {
			unsplit.MaxWidth = append(unsplit.MaxWidth, table.PosInf)
		}
		cuts := by(&unsplit, func(s *search) error {
			return s.relax(ctx)
		})
		if cuts == nil {
			continue // no intervals protect the table
		}
		want := cuts.m.value
		var done bool
		whole := by(opt, func(s *search) (err error) {
			if _, err = s.m.add(s.o.first()); err == nil {
				if err = s.m.solve(ctx); err == nil {
					done, err = s.split(ctx)
				}
			}
			return err
		})
		if whole == nil {
			t.Errorf("%d: no optimum, which cuts have: %g", n, want)
			continue
		}
		if done {
			closed++
		}
		near := 1e-6 * max(1, want)
		if bound, _ := whole.bound().Float64(); bound > want+near || whole.hat != nil && whole.paid < want-near || done && math.Abs(whole.paid-want) > 2*near {
			t.Errorf("%d: bound %g, cost %g, closed %t; by cuts %g", n, bound, whole.paid, done, want)
		}
	}
	if closed < tables/2 {
		t.Errorf("%d of %d programs solved to the end", closed, tables)
	}
}

// TestProject compares projections with what they have to be: in the kernel, at right angles to the way there.
func TestProject(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 1))
	for n := range 50 {
		rel := tabletest.Random(rng, n).Rel
		k := &kernel{n: rel.N}
		for r := range rel.Len() {
			k.add(rel.Row(r))
		}
		v := make([]float64, rel.N*slots)
		for i := range v {
			v[i] = rng.Float64() - 0.5
		}
		x := append([]float64(nil), v...)
		var tol slot
		for t := range tol {
			tol[t] = 1e-11
		}
		g := k.newGradient()
		k.project(x, g, &tol, 10*rel.N)
		for t0 := range slots {
			for m := range k.norm {
				sum := 0.0
				for e := k.ptr[m]; e < k.ptr[m+1]; e++ {
					sum += k.coef[e] * x[int(k.cell[e])*slots+t0]
				}
				if math.Abs(sum) > 1e-10 {
					t.Fatalf("%d: relation %d is off by %g", n, m, sum)
				}
			}
			dot := 0.0
			for i := range rel.N {
				dot += x[i*slots+t0] * (v[i*slots+t0] - x[i*slots+t0])
			}
			if math.Abs(dot) > 1e-8 {
				t.Fatalf("%d: the way has %g along the kernel", n, dot)
			}
		}
		k.back(x, g.γ, 1)
		for i := range v {
			if math.Abs(x[i]-v[i]) > 1e-9 {
				t.Fatalf("%d: Mᵀγ misses the way by %g", n, x[i]-v[i])
			}
		}
	}
}

// TestShrink compares what becomes of one cell with the best of many others near it.
func TestShrink(t *testing.T) {
	t.Parallel()
	for n := range 60 {
		rng := rand.New(rand.NewPCG(9, uint64(n)))
		tab := asked(rng, n)
		p := newProblem(tab, &Options{Absolute: true})
		if len(p.cell) == 0 || len(p.levels) == 0 {
			continue
		}
		s := newSplitting(p, 1)
		sh := s.shards[0]
		for i := range s.v {
			s.v[i], s.x[i] = 20*rng.Float64()-10, 20*rng.Float64()-10
		}
		for i := range s.of {
			e := make([]float64, len(s.moves))
			v := make([]float64, len(s.moves))
			for m := range e {
				at := s.slot(m, i)
				e[m], v[m] = 2*s.x[at]-s.v[at], s.v[at]
			}
			sh.shrink(i)
			w := make([]float64, len(e))
			for m := range w {
				at := s.slot(m, i)
				w[m] = (s.v[at]-v[m])/relaxation + s.x[at]
			}
			paid := s.worth(i, w, e)
			if math.IsInf(paid, 1) {
				t.Fatalf("%d: cell %d: %v misses a level or a bound", n, i, w)
			}
			for range 200 {
				try := append([]float64(nil), w...)
				for range 1 + rng.IntN(3) {
					try[rng.IntN(len(try))] += (rng.Float64() - 0.5) * math.Pow(10, -float64(rng.IntN(4)))
				}
				if other := s.worth(i, try, e); other < paid-1e-7*max(1, paid) {
					t.Fatalf("%d: cell %d: %v is worth %g, %v %g", n, i, w, paid, try, other)
				}
			}
		}
	}
}

// worth is Σ w y + Σ |w − e|²/2t of cell i with the least y, infinite where a level or a bound is missed.
func (s *splitting) worth(i int, w, e []float64) float64 {
	var y [2]float64
	sum := 0.0
	for m, v := range w {
		y[up], y[down] = max(y[up], v), max(y[down], -v)
		sum += (v - e[m]) * (v - e[m]) / 2 / s.step[m]
	}
	const tol = 1e-9
	for d := range y {
		j := s.p.col[d][s.of[i]]
		if j < 0 {
			if y[d] > real(s.p.given[d][s.of[i]])+tol {
				return math.Inf(1)
			}
			continue
		}
		y[d] = max(y[d], float64(s.p.least[j]))
		if y[d] > real(s.p.room[j])+tol {
			return math.Inf(1)
		}
		sum += s.weight[j] * y[d]
	}
	for _, m := range s.own[i] {
		if s.moves[m].sign*w[m] < s.moves[m].want-tol {
			return math.Inf(1)
		}
	}
	for _, m := range s.pairs[i] {
		if w[m]-w[m+1] < s.moves[m].want-tol {
			return math.Inf(1)
		}
	}
	return sum
}

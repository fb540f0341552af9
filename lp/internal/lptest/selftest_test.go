package lptest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

// A liar is a right solver whose answers are spoiled.
type liar struct {
	*exactSolver
	spoil func(p *lp.Problem, r *lp.Result)
	caps  func(c *lp.Capabilities)
}

func (l *liar) Solve(ctx context.Context) (*lp.Result, error) {
	r, err := l.exactSolver.Solve(ctx)
	if err == nil && l.spoil != nil {
		l.spoil(l.p, r)
	}
	return r, err
}

func (l *liar) Capabilities() lp.Capabilities {
	c := l.exactSolver.Capabilities()
	if l.caps != nil {
		l.caps(&c)
	}
	return c
}

// failing returns the parts of the suite that a solver fails.
func failing(t *testing.T, open func() (lp.Solver, error), cfg Config) []string {
	t.Helper()
	s := must.Get(newSuite(open, cfg))(t)
	var names []string
	for _, c := range checks {
		if c.run(s) != nil {
			names = append(names, c.name)
		}
	}
	return names
}

// TestCatches spoils one thing at a time. Each lie must fail the named part.
func TestCatches(t *testing.T) {
	negate := func(v []float64) {
		for k := range v {
			v[k] = -v[k]
		}
	}
	var answers atomic.Int64
	// noProofs is a back end that returns bare verdicts.
	noProofs := func(c *lp.Capabilities) { c.Farkas, c.Ray = false, false }
	for _, tc := range []struct {
		name  string
		part  string
		spoil func(p *lp.Problem, r *lp.Result)
		caps  func(c *lp.Capabilities)
	}{
		{"dual sign", "random programs", func(_ *lp.Problem, r *lp.Result) { negate(r.Dual) }, nil},
		{"dual and reduced cost sign", "random programs", func(_ *lp.Problem, r *lp.Result) { negate(r.Dual); negate(r.Reduced) }, nil},
		{"reduced cost left out", "random programs", func(_ *lp.Problem, r *lp.Result) { r.Reduced = nil }, nil},
		{"reduced cost of the maximisation", "named programs", func(_ *lp.Problem, r *lp.Result) { negate(r.Reduced) }, nil},
		{"no duals", "named programs", func(_ *lp.Problem, r *lp.Result) { clear(r.Dual) }, nil},
		{"value off", "growing cover", func(_ *lp.Problem, r *lp.Result) { r.Value += 1e-3 }, nil},
		{"last bit of every second value", "many at once", func(_ *lp.Problem, r *lp.Result) {
			if answers.Add(1)%2 == 0 {
				r.Value = math.Nextafter(r.Value, inf)
			}
		}, nil},
		{"value NaN", "named programs", func(_ *lp.Problem, r *lp.Result) { r.Value = math.NaN() }, nil},
		{"primal slightly infeasible", "growing cover", func(_ *lp.Problem, r *lp.Result) {
			for j := range r.Primal {
				r.Primal[j] -= 1e-5
			}
		}, nil},
		{"primal NaN", "named programs", func(_ *lp.Problem, r *lp.Result) {
			for j := range r.Primal {
				r.Primal[j] = math.NaN()
			}
		}, nil},
		{"suboptimal vertex", "random programs", func(p *lp.Problem, r *lp.Result) {
			if r.Status == lp.Optimal {
				q := clone(p)
				clear(q.Cost)
				e := solveExact(q)
				r.Primal, r.Value = e.x, 0
				for j, c := range p.Cost {
					r.Value += c * e.x[j]
				}
			}
		}, nil},
		{"unbounded called infeasible", "named programs", func(_ *lp.Problem, r *lp.Result) {
			if r.Status == lp.Unbounded {
				*r = lp.Result{Status: lp.Infeasible}
			}
		}, noProofs},
		{"infeasible called unbounded", "random programs", func(_ *lp.Problem, r *lp.Result) {
			if r.Status == lp.Infeasible {
				*r = lp.Result{Status: lp.Unbounded}
			}
		}, noProofs},
		{"feasible table called infeasible", "intruder", func(_ *lp.Problem, r *lp.Result) {
			if r.Status == lp.Optimal {
				*r = lp.Result{Status: lp.Infeasible}
			}
		}, noProofs},
		{"no verdict", "random programs", func(_ *lp.Problem, r *lp.Result) { r.Status = lp.Unknown }, nil},
		{"Farkas sign", "random programs", func(_ *lp.Problem, r *lp.Result) { negate(r.Farkas) }, nil},
		{"Farkas missing", "random programs", func(_ *lp.Problem, r *lp.Result) { r.Farkas = nil }, nil},
		{"Farkas of another row", "random programs", func(_ *lp.Problem, r *lp.Result) { slices.Reverse(r.Farkas) }, nil},
		{"ray sign", "random programs", func(_ *lp.Problem, r *lp.Result) { negate(r.Ray) }, nil},
		{"ray missing", "named programs", func(_ *lp.Problem, r *lp.Result) { r.Ray = nil }, nil},
		{"cutoff undeclared", "cutoff", func(_ *lp.Problem, r *lp.Result) { r.Status = lp.Cutoff }, nil},
		{"basis declared only", "declared capabilities", nil, func(c *lp.Capabilities) { c.Basis = true }},
		{"name missing", "declared capabilities", nil, func(c *lp.Capabilities) { c.Name = "" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			open := func() (lp.Solver, error) {
				return &liar{exactSolver: new(exactSolver), spoil: tc.spoil, caps: tc.caps}, nil
			}
			s := must.Get(newSuite(open, Config{Tol: 1e-7, MaxCols: 8, Cases: 8, Steps: 16}))(t)
			for _, c := range checks {
				if c.name == tc.part {
					if c.run(s) == nil {
						t.Errorf("%q passes", tc.part)
					}
					return
				}
			}
			t.Fatalf("no part %q", tc.part)
		})
	}
}

// Solvers that break the contract outside of Solve.
type (
	aliasing  struct{ *exactSolver } // keeps the caller's slices
	forgetful struct{ *exactSolver } // drops every change of a bound
	deaf      struct{ *exactSolver } // ignores the context
	stale     struct{ *exactSolver } // keeps its model when Load fails
	careless  struct{ *exactSolver } // changes the model, then complains
)

func (s aliasing) Load(p *lp.Problem) error {
	err := s.exactSolver.Load(p)
	if err == nil {
		s.p = p
	}
	return err
}

func (s forgetful) SetRowBounds(i int, lo, up float64) error {
	if s.p == nil {
		return lp.ErrNotLoaded
	}
	return nil
}

func (s deaf) Solve(context.Context) (*lp.Result, error) {
	return s.exactSolver.Solve(context.Background())
}

func (s stale) Load(p *lp.Problem) error {
	if err := p.Check(); err != nil {
		return err
	}
	return s.exactSolver.Load(p)
}

func (s careless) SetCost(j int, c float64) error {
	err := s.exactSolver.SetCost(j, c)
	if e := (*lp.ModelError)(nil); errors.As(err, &e) {
		clear(s.p.Cost)
	}
	return err
}

func TestCatchesBreaches(t *testing.T) {
	for _, tc := range []struct {
		part string
		open func() (lp.Solver, error)
	}{
		{"copies", func() (lp.Solver, error) { return aliasing{new(exactSolver)}, nil }},
		{"changes", func() (lp.Solver, error) { return forgetful{new(exactSolver)}, nil }},
		{"context ended before", func() (lp.Solver, error) { return deaf{new(exactSolver)}, nil }},
		{"malformed programs", func() (lp.Solver, error) { return stale{new(exactSolver)}, nil }},
		{"malformed changes", func() (lp.Solver, error) { return careless{new(exactSolver)}, nil }},
	} {
		if got := failing(t, tc.open, Config{MaxCols: 6, Cases: 8, Steps: 60}); !slices.Contains(got, tc.part) {
			t.Errorf("%q passes, failing are %q", tc.part, got)
		}
	}
}

// TestCutoffJudge checks the judge of cutoffs, which the rational solver never
// answers, on min x, 2 ≤ x.
func TestCutoffJudge(t *testing.T) {
	p := &lp.Problem{Cost: []float64{1}, Lo: []float64{-inf}, Up: []float64{inf}, Rows: []lp.Row{{Lo: 2, Up: inf, Idx: []int32{0}, Val: []float64{1}}}}
	s := &suite{Config: Config{Tol: 1e-7}, caps: lp.Capabilities{Cutoff: true}}
	in := instance{p: p, want: lp.Optimal, value: 2}
	for _, tc := range []struct {
		name string
		r    lp.Result
		at   float64
		ok   bool
	}{
		{"proved", lp.Result{Status: lp.Cutoff, Dual: []float64{1}}, 1.5, true},
		{"bare", lp.Result{Status: lp.Cutoff}, 1.5, true},
		{"too high", lp.Result{Status: lp.Cutoff}, 2.5, false},
		{"dual infeasible", lp.Result{Status: lp.Cutoff, Dual: []float64{0.5}}, 1.5, false},
		{"dual of the wrong sign", lp.Result{Status: lp.Cutoff, Dual: []float64{-1}}, 1.5, false},
	} {
		if err := s.cut(in, &tc.r, tc.at, 2); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestFamilies checks that the planted verdicts are true, by the rational
// solver, and logs how often each occurs.
func TestFamilies(t *testing.T) {
	s := &suite{}
	for _, fam := range families {
		seen := map[lp.Status]int{}
		for k := range 40 {
			in := fam.make(s.rng(fam.name, k), min(fam.cols, 9))
			if err := in.p.Check(); err != nil {
				t.Fatalf("%s: %v", fam.name, err)
			}
			e := solveExact(in.p)
			seen[e.status]++
			if in.want != lp.Unknown && (e.status != in.want || in.want == lp.Optimal && !math.IsNaN(in.value) && math.Abs(e.value-in.value) > 1e-9) {
				t.Errorf("%s, case %d: planted %v %g, rational %v %g%s", fam.name, k, in.want, in.value, e.status, e.value, show(in.p))
			}
		}
		t.Logf("%-28s %v", fam.name, seen)
	}
}

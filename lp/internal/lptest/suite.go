package lptest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

type suite struct {
	Config
	open func() (lp.Solver, error)
	caps lp.Capabilities
}

// rng returns the random source of case k of one part of the suite.
func (s *suite) rng(part string, k int) *rand.Rand {
	h := s.Seed
	for _, b := range []byte(part) {
		h = h*1099511628211 + uint64(b)
	}
	return rand.New(rand.NewPCG(h, uint64(k)))
}

// faults collects the first few errors of one part of the suite.
type faults struct {
	errs []error
	more int
}

const maxFaults = 3

func (f *faults) add(err error, format string, args ...any) {
	switch {
	case err == nil:
	case len(f.errs) < maxFaults:
		f.errs = append(f.errs, fmt.Errorf(format+": %w", append(args, err)...))
	default:
		f.more++
	}
}

func (f *faults) err() error {
	if f.more > 0 {
		f.errs = append(f.errs, fmt.Errorf("and %d more", f.more))
		f.more = 0
	}
	return errors.Join(f.errs...)
}

// each runs the cases of one part of the suite, each with its own random source.
func (s *suite) each(part, what string, cases int, do func(rng *rand.Rand, k int) error) error {
	var f faults
	for k := range cases {
		f.add(do(s.rng(part, k), k), "%s %d", what, k)
	}
	return f.err()
}

// loaded returns a new solver that holds p.
func (s *suite) loaded(p *lp.Problem) (lp.Solver, error) {
	sol, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	if err := sol.Load(p); err != nil {
		return nil, fmt.Errorf("Load: %w", errors.Join(err, sol.Close()))
	}
	return sol, nil
}

// cold solves p by a new solver and returns a result that outlives it.
func (s *suite) cold(p *lp.Problem) (*lp.Result, error) {
	sol, err := s.loaded(p)
	if err != nil {
		return nil, err
	}
	r, err := solve(sol)
	return r, errors.Join(err, sol.Close())
}

// solve returns a copy of the result, which later calls do not change.
func solve(sol lp.Solver) (*lp.Result, error) {
	return solveContext(context.Background(), sol)
}

func solveContext(ctx context.Context, sol lp.Solver) (*lp.Result, error) {
	r, err := sol.Solve(ctx)
	if err != nil {
		return nil, fmt.Errorf("Solve: %w", err)
	}
	if r == nil {
		return nil, errors.New("Solve returned neither a result nor an error")
	}
	c := *r
	for _, v := range []*[]float64{&c.Primal, &c.Dual, &c.Reduced, &c.Farkas, &c.Ray} {
		if *v != nil {
			*v = append([]float64{}, *v...)
		}
	}
	return &c, nil
}

// judge returns nil if r is a verdict on in.p, agrees with what is known
// beforehand, and comes with the proofs the back end promises.
func (s *suite) judge(in instance, r *lp.Result) error {
	if in.want != lp.Unknown && r.Status != in.want {
		return fmt.Errorf("status %v (%q), want %v", r.Status, r.Raw, in.want)
	}
	switch r.Status {
	case lp.Optimal:
		if err := certify.Optimal(in.p, r, s.Tol); err != nil {
			return err
		}
		if in.want == lp.Optimal && !math.IsNaN(in.value) {
			return s.agree(in.p, r, in.value)
		}
		return nil
	case lp.Infeasible:
		return s.infeasible(in, r)
	case lp.Unbounded:
		return s.unbounded(in, r)
	}
	return fmt.Errorf("status %v (%q), want a verdict", r.Status, r.Raw)
}

// verdict solves and judges the answer.
func (s *suite) verdict(sol lp.Solver, in instance) (*lp.Result, error) {
	r, err := solve(sol)
	if err == nil {
		err = s.judge(in, r)
	}
	return r, err
}

// agree compares the value of an optimum with another.
func (s *suite) agree(p *lp.Problem, r *lp.Result, value float64) error {
	scale := 1 + math.Abs(value)
	for j, x := range r.Primal {
		scale += math.Abs(p.Cost[j] * x)
	}
	if math.Abs(r.Value-value) > 10*s.Tol*scale {
		return fmt.Errorf("value %.12g, want %.12g", r.Value, value)
	}
	return nil
}

func (s *suite) infeasible(in instance, r *lp.Result) error {
	crossed := certify.Crossed(in.p)
	if r.Farkas != nil || s.caps.Farkas && !crossed {
		return certify.Farkas(in.p, r.Farkas, s.Tol)
	}
	if in.want == lp.Infeasible || crossed {
		return nil
	}
	gap, err := s.phase1(in.p)
	if err != nil {
		return err
	}
	if gap <= s.Tol {
		return fmt.Errorf("infeasible, but the phase 1 program has the optimum %.6g", gap)
	}
	return nil
}

func (s *suite) unbounded(in instance, r *lp.Result) error {
	if r.Ray != nil || s.caps.Ray {
		if err := certify.Ray(in.p, r.Ray, s.Tol); err != nil {
			return err
		}
	}
	if in.want == lp.Unbounded {
		return nil
	}
	if certify.Crossed(in.p) {
		return errors.New("unbounded, but bounds are crossed")
	}
	gap, err := s.phase1(in.p)
	if err != nil {
		return err
	}
	if gap > 10*s.Tol {
		return fmt.Errorf("unbounded, but the phase 1 program has the optimum %.6g", gap)
	}
	q := certify.RayProgram(in.p)
	ray, err := s.cold(q)
	if err != nil {
		return fmt.Errorf("ray program: %w", err)
	}
	if err := s.judge(instance{p: q, want: lp.Optimal, value: math.NaN()}, ray); err != nil {
		return fmt.Errorf("ray program: %w", err)
	}
	return certify.Ray(in.p, ray.Primal, s.Tol)
}

// phase1 returns the proved optimum of the phase 1 program of p, relative to
// the largest bound of its rows.
func (s *suite) phase1(p *lp.Problem) (float64, error) {
	q := certify.Phase1(p)
	r, err := s.cold(q)
	if err != nil {
		return 0, fmt.Errorf("phase 1 program: %w", err)
	}
	if err := s.judge(instance{p: q, want: lp.Optimal, value: math.NaN()}, r); err != nil {
		return 0, fmt.Errorf("phase 1 program: %w", err)
	}
	scale := 1.0
	for i := range p.Rows {
		for _, b := range []float64{p.Rows[i].Lo, p.Rows[i].Up} {
			if !math.IsInf(b, 0) {
				scale = max(scale, math.Abs(b))
			}
		}
	}
	return r.Value / scale, nil
}

// try solves in cold and judges the answer; the error shows the program.
func (s *suite) try(in instance) error {
	r, err := s.cold(in.p)
	if err == nil {
		err = s.judge(in, r)
	}
	if err != nil {
		return fmt.Errorf("%w%s", err, show(in.p))
	}
	return nil
}

// show prints a small program in full, a large one by its size.
func show(p *lp.Problem) string {
	if p.NumCols() > 12 || len(p.Rows) > 15 {
		return fmt.Sprintf("\n\t%d columns, %d rows", p.NumCols(), len(p.Rows))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\tc  = %v\n\tlo = %v\n\tup = %v", p.Cost, p.Lo, p.Up)
	for i := range p.Rows {
		row := &p.Rows[i]
		fmt.Fprintf(&b, "\n\trow %d: %g ≤", i, row.Lo)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, " %+g·x%d", row.Val[k], j)
		}
		fmt.Fprintf(&b, " ≤ %g", row.Up)
	}
	return b.String()
}

func clone(p *lp.Problem) *lp.Problem {
	q := &lp.Problem{
		Cost: append([]float64(nil), p.Cost...),
		Lo:   append([]float64(nil), p.Lo...),
		Up:   append([]float64(nil), p.Up...),
		Rows: make([]lp.Row, len(p.Rows)),
	}
	for i := range p.Rows {
		q.Rows[i] = cloneRow(p.Rows[i])
	}
	return q
}

func cloneRow(r lp.Row) lp.Row {
	r.Idx = append([]int32(nil), r.Idx...)
	r.Val = append([]float64(nil), r.Val...)
	return r
}

package gonum

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	gonumlp "gonum.org/v1/gonum/optimize/convex/lp"

	"gonum.org/v1/gonum/mat"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/model"
)

// tries are the parameters with which a run is tried, in order. size is that of the random move of z that replaces b by
// b + Aδ, δ ∈ [size, 2·size]. opt is the reduced cost, relative to the largest cost, that gonum treats as 0; if it is
// too small, gonum pivots on noise into a singular basis.
var tries = [...]struct{ size, opt float64 }{
	{1e-5, 1e-10}, {1e-6, 1e-10}, {1e-4, 1e-9}, {1e-7, 1e-9}, {1e-5, 1e-8}, {1e-3, 1e-8}, {1e-6, 1e-7}, {1e-4, 1e-11}, {1e-8, 1e-9},
}

// run is one call of Solve.
type run struct {
	ctx      context.Context
	deadline time.Time // zero: none
}

// errStopped says that the context or the time limit ended the run.
var errStopped = errors.New("stopped")

// stopped returns Cancelled, TimeLimit, or Unknown if the run may go on.
func (r *run) stopped() lp.Status {
	switch {
	case r.ctx.Err() != nil:
		return lp.Cancelled
	case !r.deadline.IsZero() && !time.Now().Before(r.deadline):
		return lp.TimeLimit
	}
	return lp.Unknown
}

func (r *run) solve(p *lp.Problem) *lp.Result {
	if st := r.stopped(); st != lp.Unknown {
		return &lp.Result{Status: st}
	}
	if res := model.Crossed(p); res != nil {
		return res
	}
	s, farkas := standardise(p)
	if farkas != nil {
		if err := certify.Farkas(p, farkas, tol); err != nil {
			return &lp.Result{Raw: "contradicting equations: " + err.Error()}
		}
		return &lp.Result{Status: lp.Infeasible, Farkas: farkas, Raw: "contradicting equations"}
	}
	var raw error
	for k, t := range tries {
		res, err := r.attempt(p, s, t.size, t.opt, rand.New(rand.NewPCG(uint64(k), 0)))
		if err == nil {
			return res
		}
		if st := r.stopped(); st != lp.Unknown {
			return &lp.Result{Status: st, Raw: err.Error()}
		}
		raw = err
	}
	return &lp.Result{Raw: raw.Error()}
}

// attempt solves p once; err says why the answer, if any, is
// not to be trusted.
func (r *run) attempt(p *lp.Problem, s *standard, size, opt float64, rng *rand.Rand) (*lp.Result, error) {
	m, n := len(s.b), len(s.c)
	if m == 0 { // every remaining column is empty and stays at 0
		return r.finish(p, s, nil, s.falls)
	}
	b := make([]float64, m)
	copy(b, s.b)
	delta := make([]float64, n)
	for k := range delta {
		delta[k] = size * (1 + rng.Float64())
	}
	bv := mat.NewVecDense(m, b)
	var move mat.VecDense
	move.MulVec(s.a, mat.NewVecDense(n, delta))
	bv.AddVec(bv, &move)

	// Phase 1: min Σ w, Az ± w = b. The start w = |b| is a vertex, so gonum's
	// own search for one is not needed.
	a1 := mat.NewDense(m, n+m, nil)
	a1.Slice(0, m, 0, n).(*mat.Dense).Copy(s.a)
	c1 := make([]float64, n+m)
	start := make([]int, m)
	for i := range m {
		a1.Set(i, n+i, math.Copysign(1, b[i]))
		c1[n+i] = 1
		start[i] = n + i
	}
	z, err := r.simplex(c1, a1, b, opt, start)
	if err != nil {
		return nil, fmt.Errorf("phase 1: %w", err)
	}
	if r.stopped() != lp.Unknown {
		return nil, errStopped
	}
	basis, err := support(z, m)
	if err != nil {
		return nil, fmt.Errorf("phase 1: %w", err)
	}
	if basis[m-1] >= n {
		y, err := multipliers(c1, a1, basis)
		if err != nil {
			return nil, fmt.Errorf("phase 1: %w", err)
		}
		farkas := s.duals(y)
		if err := certify.Farkas(p, farkas, tol); err != nil {
			return nil, fmt.Errorf("phase 1: %w", err)
		}
		return &lp.Result{Status: lp.Infeasible, Farkas: farkas, Raw: "phase 1 > 0"}, nil
	}
	if s.falls {
		return r.finish(p, s, basis, true)
	}
	if m < n { // otherwise the only basis is optimal
		z, err = r.simplex(s.c, s.a, b, opt, basis)
		if err != nil {
			// If the objective decreases without bound, gonum reports ErrUnbounded or pivots on rounding noise into a
			// singular basis: look for a ray either way.
			res, rerr := r.finish(p, s, basis, true)
			if rerr != nil {
				return nil, fmt.Errorf("phase 2: %w; %w", err, rerr)
			}
			return res, nil
		}
		if basis, err = support(z, m); err != nil {
			return nil, fmt.Errorf("phase 2: %w", err)
		}
	}
	return r.finish(p, s, basis, false)
}

// finish makes the result of a feasible program out of its last basis, with the
// true b, and checks it.
func (r *run) finish(p *lp.Problem, s *standard, basis []int, falls bool) (*lp.Result, error) {
	z := make([]float64, len(s.c))
	y := make([]float64, len(s.b))
	if len(basis) > 0 {
		zb, err := values(s, basis)
		if err != nil {
			return nil, err
		}
		for i, k := range basis {
			z[k] = zb[i]
		}
		if !falls {
			if y, err = multipliers(s.c, s.a, basis); err != nil {
				return nil, err
			}
		}
	}
	x := s.point(z)
	for j := range x { // rounding errors of base + z
		if near := float64(math.Abs(x[j])*1e-12) + 1e-12; x[j] < p.Lo[j] && x[j] > p.Lo[j]-near {
			x[j] = p.Lo[j]
		} else if x[j] > p.Up[j] && x[j] < p.Up[j]+near {
			x[j] = p.Up[j]
		}
	}
	if falls {
		if err := certify.Feasible(p, x, tol); err != nil {
			return nil, err
		}
		res := r.solve(certify.RayProgram(p))
		if res.Status != lp.Optimal {
			return nil, fmt.Errorf("ray program: %v: %s", res.Status, res.Raw)
		}
		if err := certify.Ray(p, res.Primal, tol); err != nil {
			return nil, err
		}
		return &lp.Result{Status: lp.Unbounded, Ray: res.Primal, Raw: "unbounded"}, nil
	}
	dual := s.duals(y)
	res := &lp.Result{Status: lp.Optimal, Primal: x, Dual: dual, Reduced: certify.Reduced(p, dual), Raw: "optimal"}
	for j, c := range p.Cost {
		res.Value += float64(c * x[j])
	}
	if err := certify.Optimal(p, res, tol); err != nil {
		return nil, err
	}
	return res, nil
}

// patience is how long one call of gonum may take. Its simplex has no iteration limit and cycles forever on some
// degenerate programs.
const patience = time.Minute

// simplex calls gonum and turns its panics, which report a start that it finds singular or infeasible, into errors. A
// call cannot be interrupted: one that has not returned when the run is stopped, or after a minute, is abandoned with
// its copies of the program.
func (r *run) simplex(c []float64, a *mat.Dense, b []float64, opt float64, start []int) ([]float64, error) {
	largest := 0.0
	for _, v := range c {
		largest = max(largest, math.Abs(v))
	}
	type answer struct {
		z   []float64
		err error
	}
	done := make(chan answer, 1)
	go func() {
		var out answer
		defer func() {
			if v := recover(); v != nil {
				out = answer{nil, fmt.Errorf("gonum: %v", v)}
			}
			done <- out
		}()
		_, out.z, out.err = gonumlp.Simplex(c, a, b, opt*cmp.Or(largest, 1), start)
	}()
	left := patience
	if !r.deadline.IsZero() {
		left = min(left, time.Until(r.deadline))
	}
	t := time.NewTimer(left)
	defer t.Stop()
	select {
	case out := <-done:
		return out.z, out.err
	case <-r.ctx.Done():
		return nil, errStopped
	case <-t.C:
		if r.stopped() != lp.Unknown {
			return nil, errStopped
		}
		return nil, fmt.Errorf("gonum: no answer in %v", patience)
	}
}

// support returns the indices of the nonzeros of z, in order, which are the
// basis if there are m of them.
func support(z []float64, m int) ([]int, error) {
	basis := make([]int, 0, m)
	for k, v := range z {
		if v != 0 {
			basis = append(basis, k)
		}
	}
	if len(basis) != m {
		return nil, fmt.Errorf("degenerate vertex: %d nonzeros, want %d", len(basis), m)
	}
	return basis, nil
}

func columns(a *mat.Dense, basis []int) *mat.LU {
	m := len(basis)
	sub := mat.NewDense(m, m, nil)
	for k, j := range basis {
		for i := range m {
			sub.Set(i, k, a.At(i, j))
		}
	}
	var lu mat.LU
	lu.Factorize(sub)
	return &lu
}

// values returns the basic part of z for the true b.
func values(s *standard, basis []int) ([]float64, error) {
	var z mat.VecDense
	err := columns(s.a, basis).SolveVecTo(&z, false, mat.NewVecDense(len(s.b), s.b))
	return z.RawVector().Data, usable(err)
}

// multipliers returns the y with (c − Aᵀy)_k = 0 for the basic k.
func multipliers(c []float64, a *mat.Dense, basis []int) ([]float64, error) {
	cb := mat.NewVecDense(len(basis), nil)
	for i, k := range basis {
		cb.SetVec(i, c[k])
	}
	var y mat.VecDense
	err := columns(a, basis).SolveVecTo(&y, true, cb)
	return y.RawVector().Data, usable(err)
}

// usable accepts a bad condition number, as the certificate will be checked, but not a singular matrix.
func usable(err error) error {
	var c mat.Condition
	if errors.As(err, &c) && !math.IsInf(float64(c), 1) {
		return nil
	}
	return err
}

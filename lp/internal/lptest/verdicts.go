package lptest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/lp"
)

// named solves the corners of the interface and the classics.
func (s *suite) named() error {
	var f faults
	for _, in := range namedInstances() {
		if in.p.NumCols() <= s.MaxCols {
			f.add(s.try(in.instance), "%s", in.name)
		}
	}
	return f.err()
}

// random solves Cases programs of every family.
func (s *suite) random() error {
	var all []error
	for _, fam := range families {
		all = append(all, s.each(fam.name, fam.name+", case", s.Cases, func(rng *rand.Rand, _ int) error {
			return s.try(fam.make(rng, min(fam.cols, s.MaxCols)))
		}))
	}
	return errors.Join(all...)
}

// subgradient moves every active bound of planted programs by ±t and solves
// again. The optimum v is a convex function of each bound and the dual is a
// subgradient of it, so v(b + t) ≥ v(b) + dual·t, whatever ties there are; a
// dual of the wrong sign breaks this on one side.
func (s *suite) subgradient() error {
	const t = 0.25
	var f faults
	for k := range s.Cases {
		rng := s.rng("subgradient", k)
		n := min(8, s.MaxCols)
		in := plantOptimal(rng, n)
		if k%2 == 1 {
			in = plantDegenerate(rng, n)
		}
		r, err := s.cold(in.p)
		if err == nil {
			err = s.judge(in, r)
		}
		f.add(err, "case %d", k)
		if err != nil {
			continue
		}
		for i := range in.p.Rows {
			for _, step := range []float64{t, -t} {
				q := clone(in.p)
				shift(&q.Rows[i].Lo, &q.Rows[i].Up, r.Dual[i], step)
				f.add(s.rises(q, r, r.Dual[i]*step), "case %d, row %d, dual %g, step %g", k, i, r.Dual[i], step)
			}
		}
		for j := range in.p.Cost {
			for _, step := range []float64{t, -t} {
				q := clone(in.p)
				shift(&q.Lo[j], &q.Up[j], r.Reduced[j], step)
				f.add(s.rises(q, r, r.Reduced[j]*step), "case %d, column %d, reduced cost %g, step %g", k, j, r.Reduced[j], step)
			}
		}
	}
	return f.err()
}

// shift moves the bound that the dual belongs to, both if they are equal.
func shift(lo, up *float64, dual, step float64) {
	switch {
	case *lo == *up:
		*lo, *up = *lo+step, *up+step
	case dual < 0:
		*up += step
	default:
		*lo += step
	}
}

// rises checks that the optimum of q is at least r.Value + by. Moved bounds may
// leave q infeasible, which is an optimum of +∞, but never unbounded: duals of r
// still bound it.
func (s *suite) rises(q *lp.Problem, r *lp.Result, by float64) error {
	moved, err := s.cold(q)
	if err != nil {
		return err
	}
	if moved.Status == lp.Infeasible {
		return s.judge(instance{p: q}, moved)
	}
	if err := s.judge(instance{p: q, want: lp.Optimal, value: math.NaN()}, moved); err != nil {
		return fmt.Errorf("%w%s", err, show(q))
	}
	if want := r.Value + by; moved.Value < want-float64(10*s.Tol*(1+math.Abs(want)+math.Abs(r.Value))) {
		return fmt.Errorf("optimum %.12g, want ≥ %.12g", moved.Value, want)
	}
	return nil
}

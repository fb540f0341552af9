package certify

import (
	"fmt"

	"github.com/hitoku/hitoku/lp"
)

// ProveInfeasible turns a back end's unproved verdict that p, which has no crossed bounds, is infeasible into a result
// with a Farkas ray: the duals of the phase 1 program, whose costs are multiplied by weight because tolerances on duals
// are absolute. solve must return an optimum or an error.
func ProveInfeasible(p *lp.Problem, weight, tol float64, solve func(*lp.Problem) (*lp.Result, error)) (*lp.Result, error) {
	q := Phase1(p)
	for j := range q.Cost {
		q.Cost[j] *= weight
	}
	r, err := solve(q)
	if err != nil {
		return nil, fmt.Errorf("phase 1 program: %w", err)
	}
	if err := Farkas(p, r.Dual, tol); err != nil {
		return nil, fmt.Errorf("phase 1 program: %w", err)
	}
	return &lp.Result{Status: lp.Infeasible, Farkas: r.Dual, Raw: "infeasible"}, nil
}

// ProveUnbounded turns a back end's unproved verdict that p has no dual solution into a proved one: the ray of the ray
// program, if p has a feasible point, or a proof that it has none. solve must return an optimum or an error; verdict
// solves p with all costs 0 and may also find it infeasible.
func ProveUnbounded(p *lp.Problem, tol float64, solve, verdict func(*lp.Problem) (*lp.Result, error)) (*lp.Result, error) {
	r, err := solve(RayProgram(p))
	if err != nil {
		return nil, fmt.Errorf("ray program: %w", err)
	}
	ray := r.Primal
	if err := Ray(p, ray, tol); err != nil {
		return nil, fmt.Errorf("ray program: %w", err)
	}
	still := *p
	still.Cost = make([]float64, len(p.Cost))
	if r, err = verdict(&still); err != nil {
		return nil, fmt.Errorf("zero costs: %w", err)
	}
	if r.Status == lp.Infeasible {
		return r, nil
	}
	return &lp.Result{Status: lp.Unbounded, Ray: ray, Raw: "unbounded"}, nil
}

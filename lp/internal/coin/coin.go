// Package coin has what the two adapters of COIN-OR Clp share.
package coin

import (
	"fmt"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

const (
	// Tol is the tolerance of every certificate. Clp works to 1e-7 on the
	// scaled program.
	Tol = 1e-6
	// Slice is the number of iterations between two looks at the context. It
	// is fixed so that equal programs take equal paths.
	Slice = 2000
	// Slices is the number of slices that a method gets; after that Clp is making no progress.
	Slices = 500
)

// Return codes of Clp's algorithms.
const (
	Optimal    = 0
	Infeasible = 1
	Unbounded  = 2 // dual infeasible, whether or not primal feasible
	Stopped    = 3 // here: on iterations
)

// A Method is one way to solve a loaded program.
type Method struct {
	Name            string
	Warm            bool // start from the basis of the last solve, if there is one
	Dual, Unscaled  bool
	PrimalTolerance float64
}

// Cold are the methods that start from the slack basis, in the order tried. With scaling, Clp calls about 2 % of the
// suite's small random feasible programs infeasible; without, hardly any.
var Cold = [...]Method{
	{"dual", false, true, false, 1e-9},
	{"primal, unscaled", false, false, true, 1e-9},
	{"dual, unscaled", false, true, true, 1e-9},
	{"primal", false, false, false, 1e-7},
}

// Certified solves p, which has an optimum, by one method after another until one is certified.
// solve returns Clp's code, and optimum reads the solution behind it.
func Certified(p *lp.Problem, solve func(Method) (code int, err error), optimum func(*lp.Problem) *lp.Result) (*lp.Result, error) {
	var failure error
	for _, m := range Cold {
		code, err := solve(m)
		if err != nil {
			return nil, err
		}
		if code != Optimal {
			failure = fmt.Errorf("clp: %s: code %d", m.Name, code)
			continue
		}
		res := optimum(p)
		if failure = certify.Optimal(p, res, Tol); failure == nil {
			return res, nil
		}
	}
	return nil, failure
}

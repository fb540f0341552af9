// Package lptest is the conformance suite of the back ends of package lp.
//
// It compares no answer with a stored one. An optimum must prove itself by its
// duals, an infeasible program by its Farkas ray, an unbounded one by its ray,
// as far as the back end's Capabilities promise these; and the verdict must
// agree with what is known beforehand, because the program was built around a
// planted optimum, Farkas ray or ray, because it is small enough to be solved in
// rational arithmetic, or because the same back end solves the phase 1 and ray
// programs, whose optima prove the verdict.
//
// A back end's whole test is
//
//	func TestConformance(t *testing.T) {
//		lptest.Run(t, open, lptest.Config{Tol: 1e-9})
//	}
package lptest

import (
	"cmp"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

// Config fits the suite to a back end. The zero value is ready to use.
type Config struct {
	// Tol is the tolerance of every check, relative to 1 + the magnitudes
	// that enter it. Zero means 1e-7.
	Tol float64
	// MaxCols leaves out programs with more columns, for back ends that are
	// slow on them. Zero means no limit.
	MaxCols int
	// Cases is the number of random programs drawn from each family. Zero
	// means 60.
	Cases int
	// Steps is the number of changes in each sequence of changes. Zero means
	// 150.
	Steps int
	// Seed picks the random programs; equal seeds give equal programs.
	Seed uint64
}

// Run checks that the solvers that open returns keep the contract of lp.Solver.
// open must return a new, empty solver every time.
func Run(t *testing.T, open func() (lp.Solver, error), cfg Config) {
	s := must.Get(newSuite(open, cfg))(t)
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// A check is one part of the suite.
type check struct {
	name string
	run  func(*suite) error
}

var checks = []check{
	{"declared capabilities", (*suite).capabilities},
	{"not loaded", (*suite).notLoaded},
	{"malformed programs", (*suite).malformed},
	{"malformed changes", (*suite).malformedChanges},
	{"copies", (*suite).copies},
	{"load twice", (*suite).loadTwice},
	{"close twice", (*suite).closeTwice},
	{"separate solvers", (*suite).separate},
	{"many at once", (*suite).atOnce},
	{"named programs", (*suite).named},
	{"random programs", (*suite).random},
	{"dual is a subgradient", (*suite).subgradient},
	{"changes", (*suite).changes},
	{"intruder", (*suite).intruder},
	{"growing cover", (*suite).growing},
	{"save and restore basis", (*suite).basis},
	{"iteration limit", (*suite).iterationLimit},
	{"time limit", atWork((*suite).timeLimit)},
	{"cutoff", (*suite).cutoff},
	{"context ended before", atWork((*suite).cancelledBefore)},
	{"context ends during", (*suite).cancelledDuring},
}

func newSuite(open func() (lp.Solver, error), cfg Config) (*suite, error) {
	cfg.Tol = cmp.Or(cfg.Tol, 1e-7)
	cfg.MaxCols = cmp.Or(cfg.MaxCols, 1<<30)
	cfg.Cases = cmp.Or(cfg.Cases, 60)
	cfg.Steps = cmp.Or(cfg.Steps, 150)
	s := &suite{open: open, Config: cfg}
	sol, err := open()
	if err != nil {
		return nil, err
	}
	s.caps = sol.Capabilities()
	return s, sol.Close()
}

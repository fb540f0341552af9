//go:build clp && cgo

package clp

import (
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/lptest"
)

func TestConformance(t *testing.T) {
	lptest.Run(t, Open, lptest.Config{Tol: 1e-6})
}

// TestSlices stops and goes on so often that most programs of the suite take
// several slices.
func TestSlices(t *testing.T) {
	open := func() (lp.Solver, error) { return &solver{slice: 7}, nil }
	lptest.Run(t, open, lptest.Config{Tol: 1e-6, Cases: 30, Seed: 1})
}

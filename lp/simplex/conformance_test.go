package simplex_test

import (
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/lptest"
	"github.com/hitoku/hitoku/lp/simplex"
)

func TestConformance(t *testing.T) {
	lptest.Run(t, func() (lp.Solver, error) { return simplex.New(), nil }, lptest.Config{Tol: 1e-9})
}

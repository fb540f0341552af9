package gonum

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/lp/internal/lptest"
)

func TestConformance(t *testing.T) {
	lptest.Run(t, open, lptest.Config{Tol: 1e-8, MaxCols: 20, Cases: heavy.Draws(40), Steps: 60})
}

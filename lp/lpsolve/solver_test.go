//go:build lpsolve && cgo

package lpsolve

import (
	"testing"

	"github.com/hitoku/hitoku/lp/internal/lptest"
)

func TestConformance(t *testing.T) {
	lptest.Run(t, Open, lptest.Config{Tol: 1e-6})
}

// Package answer solves linear programs for tests.
package answer

import (
	"testing"

	"github.com/hitoku/hitoku/lp"
)

// Of solves p by s and returns the result. It closes both s and the result when the test ends.
func Of(t testing.TB, s lp.Solver, p *lp.Problem) *lp.Result {
	t.Helper()
	t.Cleanup(func() { s.Close() })
	if err := s.Load(p); err != nil {
		t.Fatal(err)
	}
	r, err := s.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

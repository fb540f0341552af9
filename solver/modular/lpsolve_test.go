//go:build lpsolve && cgo

package modular

import (
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	_ "github.com/hitoku/hitoku/lp/lpsolve"
	"github.com/hitoku/hitoku/solver"
)

// lp_solve does not return from a program of this table, whatever time it is given; the search does.
func TestBackEndThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	in, err := formats.Read("testdata/endless.jj", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Table.Strict = true
	sol, err := Suppress(t.Context(), in.Table, &solver.Options{LP: "lpsolve"})
	settled(t, in.Table, false, sol, err)
}

//go:build lpsolve && cgo

package modular

import (
	"testing"

	_ "github.com/hitoku/hitoku/lp/lpsolve"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table/tableio"
)

// lp_solve does not return from a program of this table, whatever time it is given; the search does.
func TestBackEndThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	in, err := tableio.Read("testdata/endless.jj", tableio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Table.Strict = true
	sol, err := Suppress(t.Context(), in.Table, &solver.Options{LP: "lpsolve"})
	settled(t, in.Table, false, sol, err)
}

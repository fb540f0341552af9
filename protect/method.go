package protect

import (
	"context"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// AutoCells is the number of cells above which the method auto takes sub-tables: far
// below, the whole table is not too large for the exact search.
const AutoCells = 20000

// A search is solver.Suppress or one like it.
type search = func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// search returns the solver of p's method for t.
func (p *Policy) search(t *table.Table) search {
	if p.Effort == "quick" {
		return modular.Quick
	}
	if p.modular(t) {
		return modular.Suppress
	}
	return modular.Whole
}

func (p *Policy) modular(t *table.Table) bool {
	switch p.Method {
	case "modular":
		return true
	case "", "auto":
		return p.Effort != "proof" && t.Len() > AutoCells && t.Layers <= 1 && !p.Canonical
	}
	return false
}

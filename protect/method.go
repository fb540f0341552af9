package protect

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// autoCells is the number of cells above which the method auto takes sub-tables: far
// below, the whole table is not too large for the exact search.
const autoCells = 20000

// A search is solver.Suppress or one like it.
type search = func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// search returns the solver of p's method for t.
func (p *Policy) search(t *table.Table) search {
	if !p.whole(t) {
		return p.inPlay
	}
	return p.of(t)
}

// of is search for a table as it is.
func (p *Policy) of(t *table.Table) search {
	if p.Effort == "quick" {
		return modular.Quick
	}
	if p.modular(t) {
		return modular.Suppress
	}
	return modular.Whole
}

// whole says whether cells that stay published have to be searched as well: they are left out of large tables with variables,
// by whose codes cells are named in errors.
func (p *Policy) whole(t *table.Table) bool {
	return len(t.Dims) == 0 || t.Len() <= autoCells || t.Layers > 1 || p.Effort == "proof" || p.Canonical || !slices.Contains(t.Status, table.Published)
}

// inPlay searches the part of t that is in play.
func (p *Policy) inPlay(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	if opt.Certificate { // which is of the whole
		return p.of(t)(ctx, t, opt)
	}
	part, cells := t.InPlay()
	if part == nil || len(cells) == 0 {
		return p.of(t)(ctx, t, opt)
	}
	sol, err := p.of(part)(ctx, part, opt)
	if sol == nil {
		return nil, err
	}
	if sol.Pattern != nil {
		pattern := make([]bool, t.Len())
		for s, in := range sol.Pattern {
			pattern[cells[s]] = in
		}
		sol.Pattern = pattern
	}
	for n, w := range sol.Witnesses { // which may share their cells
		one := *w
		one.Cells = sets.Pick(cells, w.Cells)
		sol.Witnesses[n] = &one
	}
	return sol, err
}

func (p *Policy) modular(t *table.Table) bool {
	switch p.Method {
	case "modular":
		return true
	case "", "auto":
		return p.Effort != "proof" && t.Len() > autoCells && t.Layers <= 1 && !p.Canonical
	}
	return false
}

package protect

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// autoCells is the number of cells above which the method auto searches sub-tables. Tables well below it are not too
// large for the exact search.
const autoCells = 20000

// A search is a function like solver.Suppress.
type search = func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// search returns the solver of p's method for t.
func (p *Policy) search(t *table.Table) search {
	if !p.whole(t) {
		return p.inPlay
	}
	return p.of(t)
}

// of is search without leaving out published cells.
func (p *Policy) of(t *table.Table) search {
	if p.Effort == "quick" {
		return modular.Quick
	}
	if p.modular(t) {
		return modular.Suppress
	}
	return modular.Whole
}

// whole reports whether published cells must be part of the search. Large tables with dimensions are searched without
// them: errors name cells by codes, which the reduced table keeps.
func (p *Policy) whole(t *table.Table) bool {
	return len(t.Dims) == 0 || t.Len() <= autoCells || t.Layers > 1 || p.Effort == "proof" || p.Canonical || !slices.Contains(t.Status, table.Published)
}

// inPlay searches the part of t that is in play (table.InPlay).
func (p *Policy) inPlay(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	if opt.Certificate { // a certificate is about the whole table
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
	for n, w := range sol.Witnesses { // witnesses may share their Cells slice
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

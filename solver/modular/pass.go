package modular

import (
	"context"
	"errors"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// maxPasses bounds the restarts from the top; what is then left undone is the
// repair's.
const maxPasses = 30

// pass protects the sub-tables one after another from the outermost ones, each by
// the exact search. What earlier ones withheld is withheld and, as their protection
// rests on it, must be able to move (demand); their margins stay published unless the
// sub-table cannot do without, and then the sub-tables that share them are protected again.
// Where a sub-table cannot be protected so the repair takes over.
func (m *run) pass(ctx context.Context) error {
	dirty := make([]bool, len(m.c.cells))
	for i, in := range m.x {
		if in {
			for _, s := range m.c.in[i] {
				dirty[s] = true
			}
		}
	}
	var first []int32
	for s, d := range dirty {
		if d {
			first = append(first, int32(s))
		}
	}
	m.time = m.budget(first)
	for range maxPasses {
		again := false
		for _, level := range m.c.level {
			var todo []int32
			for _, s := range level {
				if dirty[s] {
					todo = append(todo, s)
					dirty[s] = false
				}
			}
			found := make([][]int32, len(todo))
			stuck := make([]bool, len(todo))
			err := interval.Parallel(ctx, len(todo), m.workers, func(ctx context.Context, n int) error {
				var err error
				found[n], stuck[n], err = m.protect(ctx, todo[n], false)
				return err
			})
			if err != nil {
				return err
			}
			for n, s := range todo {
				if stuck[n] {
					if found[n], _, err = m.protect(ctx, s, true); err != nil {
						return err
					}
				}
				for _, i := range found[n] {
					m.x[i] = true
					for _, o := range m.c.in[i] {
						if o != s {
							dirty[o], again = true, true
						}
					}
				}
			}
		}
		if !again {
			break
		}
	}
	return nil
}

// subTable is the sub-table s as a table. Costs of margins are raised with margins, else
// margins are published.
func (m *run) subTable(s int32) *table.Table {
	cells := m.c.cells[s]
	n := len(cells)
	sub := &table.Table{Name: m.t.Name, Decimals: m.t.Decimals, CostDecimals: m.t.CostDecimals, Strict: m.t.Strict,
		Value: make([]int64, n), Cost: make([]int64, n), Status: make([]table.Status, n), LPL: make([]int64, n), UPL: make([]int64, n),
		SPL: make([]int64, n), Lower: make([]int64, n), Upper: make([]int64, n), Rel: table.NewRelations(n)}
	at := make(map[int32]int32, n)
	for c, i := range cells {
		at[i] = int32(c)
		sub.Value[c], sub.Cost[c], sub.Status[c] = m.t.Value[i], m.t.Cost[i], m.t.Status[i]
		sub.Lower[c], sub.Upper[c] = m.t.Lower[i], m.t.Upper[i]
		if m.t.Status[i] == table.Sensitive {
			sub.LPL[c], sub.UPL[c], sub.SPL[c] = m.t.LPL[i], m.t.UPL[i], m.t.SPL[i]
		}
	}
	var cell []int32
	for _, j := range m.c.rels[s] {
		c, v := m.t.Rel.Row(int(j))
		cell = cell[:0]
		for _, i := range c {
			cell = append(cell, at[i])
		}
		sub.Rel.Add(cell, v, m.t.Rel.RHS[j])
	}
	return sub
}

// protect solves sub-table s and returns the cells that it withholds besides; stuck
// says that it cannot be protected while its margins stay published.
func (m *run) protect(ctx context.Context, s int32, margins bool) (more []int32, stuck bool, err error) {
	sub := m.subTable(s)
	cells := m.c.cells[s]
	most, dearest, any, all := int64(1), int64(0), false, true
	for c, i := range cells {
		if m.t.Status[i] == table.Sensitive {
			most = max(most, m.t.LPL[i], m.t.UPL[i], (m.t.SPL[i]+1)/2)
		}
		any, all = any || m.x[i], all && m.x[i]
		if m.c.of[i] == s {
			dearest = max(dearest, sub.Cost[c])
		}
	}
	if !any || all {
		return nil, false, nil
	}
	raise, n := dearest, int64(len(cells))
	if dearest < 1<<60/n/n { // the sum of costs must fit
		raise *= n
	}
	for c, i := range cells {
		switch {
		case m.x[i] && m.t.Status[i] != table.Sensitive:
			if m.t.Status[i] == table.Safe {
				sub.Status[c] = table.Sensitive
				sub.UPL[c], sub.LPL[c] = m.demand(i, most)
			}
		case sub.Status[c] == table.Safe && m.c.of[i] != s:
			if sub.Cost[c] += raise; !margins {
				sub.Status[c] = table.Published
			}
		}
	}
	opt := &solver.Options{LP: m.lp, Workers: 1, Gap: m.gap, TimeLimit: m.time.share(s)}
	sol, err := solver.Suppress(ctx, sub, opt)
	var u *solver.UnprotectableError
	switch {
	case errors.As(err, &u):
		return nil, true, nil
	case errors.Is(err, solver.ErrNoSolution) && ctx.Err() == nil:
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	for c, in := range sol.Pattern {
		if i := cells[c]; in && !m.x[i] {
			more = append(more, i)
		}
	}
	return more, false, nil
}

// demand is how far a cell withheld for others must be able to move, one per cent of it
// and at most as far as anything in its sub-table.
func (m *run) demand(i int32, most int64) (up, dn int64) {
	v := m.t.Value[i]
	if v < 0 {
		v = -v
	}
	d := max(1, min(v/100, most))
	return min(d, m.up[i]), min(d, m.dn[i])
}

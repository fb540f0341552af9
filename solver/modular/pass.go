package modular

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// pass protects the sub-tables one after another from the outermost inwards, each by the exact search. Cells withheld
// by earlier ones stay withheld; margins stay published unless the sub-table cannot be protected that way. Secondary
// cells get no levels of their own: the repair finds what they need in sub-tables further in more cheaply than demands
// made in advance (see docs/modular.md).
func (m *run) pass(ctx context.Context) error {
	m.time = m.budget(m.lower.asks)
	for _, level := range m.c.level {
		var todo []int32
		for _, s := range level {
			if m.lower.needs[s] {
				todo = append(todo, s)
			}
		}
		slices.SortStableFunc(todo, func(a, b int32) int { return cmp.Compare(m.weight(a), m.weight(b)) })
		m.time.begin(todo)
		found := make([][]int32, len(todo))
		stuck := make([]bool, len(todo))
		err := parallel.Do(ctx, len(todo), m.workers, func(ctx context.Context, n int) error {
			more, ok, err := m.both(ctx, todo[n])
			if err == nil && !ok {
				more, stuck[n], err = m.protect(ctx, todo[n], false)
			}
			found[n] = more
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
			}
		}
	}
	return nil
}

// search is the function search for a sub-table within its limit. It records whether the limit cut it short.
func (m *run) search(ctx context.Context, sub *table.Table, opt *solver.Options) (*solver.Solution, error) {
	begun := work.Now(ctx)
	sol, err := search(ctx, sub, opt)
	if opt.TimeLimit > 0 && work.Since(ctx, begun) >= opt.TimeLimit {
		m.short.Store(true)
	}
	return sol, err
}

// subTable returns sub-table s as a table.
func (m *run) subTable(s int32) *table.Table {
	sub, _ := m.t.Among(m.c.rels[s])
	return sub
}

// protect solves sub-table s and returns the further cells that it withholds; stuck says that it cannot be
// protected while its margins stay published.
func (m *run) protect(ctx context.Context, s int32, margins bool) (more []int32, stuck bool, err error) {
	sub := m.subTable(s)
	cells := m.c.cells[s]
	dearest := int64(0)
	for c, i := range cells {
		if m.c.of[i] == s {
			dearest = max(dearest, sub.Cost[c])
		}
	}
	raise, n := dearest, int64(len(cells))
	if dearest < 1<<60/n/n { // the sum of costs must fit
		raise *= n
	}
	for c, i := range cells {
		switch {
		case m.x[i] && m.t.Status[i] == table.Safe:
			sub.Status[c] = table.Withheld
		case sub.Status[c] == table.Safe && m.c.of[i] != s:
			if sub.Cost[c] += raise; !margins {
				sub.Status[c] = table.Published
			}
		}
	}
	opt := &solver.Options{LP: m.lp, Workers: 1, Gap: m.gap, TimeLimit: m.time.share(ctx, s), Punctual: true}
	sol, err := m.search(ctx, sub, opt)
	if sol != nil {
		m.nodes.Add(int64(sol.Nodes))
	}
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

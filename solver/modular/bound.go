package modular

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
)

// lower computes a bound for the whole table. An intruder who forgets all relations
// but those of one sub-table knows less, so a protected pattern of the table protects
// every sub-table, margins free. Let each sub-table s with something to protect have costs w^s ≥ 0
// with Σ_s w^s_i ≤ w_i for every cell i; then
//
//	Σ_i w_i x_i ≥ Σ_s Σ_i w^s_i x_i ≥ Σ_s bound_s .
//
// Here w_i is shared evenly among the sub-tables of i that have something to protect.
func (m *run) lower(ctx context.Context) error {
	var asks []int32
	needs := make([]bool, len(m.c.cells))
	for s, cells := range m.c.cells {
		for _, i := range cells {
			needs[s] = needs[s] || len(m.asks[i]) > 0
		}
		if needs[s] {
			asks = append(asks, int32(s))
		}
	}
	shares := make([]int64, m.t.Len())
	for i, in := range m.c.in {
		for _, s := range in {
			if needs[s] {
				shares[i]++
			}
		}
	}
	bounds := make([]int64, len(asks))
	nodes := make([]int, len(asks))
	slices.SortStableFunc(asks, func(a, b int32) int { return cmp.Compare(m.weight(a), m.weight(b)) })
	m.time = m.budget(asks)
	err := interval.Parallel(ctx, len(asks), m.workers, func(ctx context.Context, n int) error {
		s := asks[n]
		sub := m.subTable(s)
		start := make([]bool, sub.Len())
		for c, i := range m.c.cells[s] {
			start[c] = m.x[i]
			sub.Cost[c] /= max(1, shares[i])
		}
		sol, err := solver.Suppress(ctx, sub, &solver.Options{LP: m.lp, Workers: 1, Gap: m.gap, Start: start, TimeLimit: m.time.share(s)})
		if err != nil && !errors.Is(err, solver.ErrNoSolution) {
			return err
		}
		bounds[n], nodes[n] = sol.Bound, sol.Nodes
		return nil
	})
	m.bound = 0
	for n, b := range bounds {
		m.bound += b
		m.nodes += nodes[n]
	}
	return err
}

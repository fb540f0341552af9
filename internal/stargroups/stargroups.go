// Package stargroups solves the integer program of withholding as few values as possible (risk.GroupProgram) by
// the branch and cut of internal/exact/integer, whose bounds are proved in integer arithmetic, whatever the
// floating point of a back end does.
package stargroups

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// Limits bound a search.
type Limits struct {
	Nodes      int           // number of linear programs
	Iterations int           // of the simplex method, in total
	Work       time.Duration // as counted by package work; 0: no limit
}

// Solve searches for a solution of p. If it reaches a limit, or a back end gives no verdict, the bound is the
// least of those of the open nodes. A program whose numbers are too large for exact sums is not searched, and
// its bound is 0. Cost: at each node a linear program with one column for each pair of class and group of p.
func Solve(ctx context.Context, p *risk.GroupProgram, limits Limits) (*risk.GroupSolution, error) {
	g, ok := newGroups(p)
	if !ok || p.Best == 0 || limits.Nodes <= 0 {
		return &risk.GroupSolution{}, nil
	}
	found, err := integer.Solve(ctx, &g.Program, &integer.Options{Nodes: limits.Nodes, Iterations: limits.Iterations, TimeLimit: limits.Work, Below: int64(p.Best), Relaxed: g.links})
	switch {
	case errors.Is(err, integer.ErrOutOfRange):
		return &risk.GroupSolution{}, nil
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	s := &risk.GroupSolution{Bound: uint64(max(0, found.Bound))}
	if found.Z != nil {
		s.Records = g.records(found.Z)
	}
	return s, nil
}

// A pair is a class and a group, for which there is a column x_gc.
type pair struct{ class, group, at int }

// groups is p as an integer program. Its columns are first the x, then the y. The rows x_gc ≤ f_g y_c, few of
// which are ever tight, are added when a relaxation violates them.
type groups struct {
	integer.Program
	p      *risk.GroupProgram
	pairs  []pair
	linked []bool // for each pair, whether its row has been added
}

// newGroups makes the integer program; it returns false if numbers exceed an int64.
func newGroups(p *risk.GroupProgram) (*groups, bool) {
	g := &groups{p: p}
	if p.K > math.MaxInt64 || p.Best > math.MaxInt64 {
		return nil, false
	}
	assign := make([]integer.Row, len(p.Classes))
	for c, f := range p.Classes {
		if f > math.MaxInt64 {
			return nil, false
		}
		assign[c].Lo, assign[c].Up = int64(f), int64(f)
	}
	size := make([]integer.Row, len(p.Groups))
	for c, x := range p.Groups {
		size[c].Up = integer.None
		for i, class := range x.Classes {
			if x.Cost[i] > math.MaxInt64 {
				return nil, false
			}
			j := int32(len(g.pairs))
			g.pairs = append(g.pairs, pair{class, c, i})
			g.Cost, g.Lo, g.Up, g.First = append(g.Cost, int64(x.Cost[i])), append(g.Lo, 0), append(g.Up, int64(p.Classes[class])), append(g.First, 0)
			add(&assign[class], j, 1)
			add(&size[c], j, 1)
		}
	}
	for c := range p.Groups {
		add(&size[c], int32(g.y(c)), -int64(p.K))
		g.Cost, g.Lo, g.Up, g.First = append(g.Cost, 0), append(g.Lo, 0), append(g.Up, 1), append(g.First, 1)
	}
	g.Rows = append(assign, size...)
	g.linked = make([]bool, len(g.pairs))
	return g, true
}

func add(r *integer.Row, j int32, coef int64) {
	r.Idx, r.Coef = append(r.Idx, j), append(r.Coef, coef)
}

func (g *groups) y(group int) int { return len(g.pairs) + group }

// links returns the rows x_gc ≤ f_g y_c that x violates.
func (g *groups) links(x []float64) []integer.Row {
	var rows []integer.Row
	for j, q := range g.pairs {
		f := int64(g.p.Classes[q.class])
		if !g.linked[j] && x[j] > float64(float64(f)*x[g.y(q.group)])+1e-6 {
			g.linked[j] = true
			rows = append(rows, integer.Row{Lo: -integer.None, Up: 0, Idx: []int32{int32(j), int32(g.y(q.group))}, Coef: []int64{1, -f}})
		}
	}
	return rows
}

// records returns how many records of each class each group takes.
func (g *groups) records(z []int64) [][]uint64 {
	records := sets.List(len(g.p.Groups), func(c int) []uint64 { return make([]uint64, len(g.p.Groups[c].Classes)) })
	for j, q := range g.pairs {
		records[q.group][q.at] = uint64(z[j])
	}
	return records
}

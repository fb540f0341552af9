package rounding

import (
	"context"
	"errors"

	"github.com/hitoku/hitoku/internal/exact/flow"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// A net is a set of relations that is the incidence matrix of a directed graph, as oracle.System.Arcs returns it.
type net struct {
	rel        *table.Relations
	tail, head []int32
	sign       []int8
}

// newNet returns nil if the relations are not a network.
func newNet(rel *table.Relations) *net {
	tail, head, sign, ok := oracle.NewSystem(rel).Arcs()
	if !ok {
		return nil
	}
	return &net{rel, tail, head, sign}
}

// flow finds the cheapest point of a lattice whose relations are a network, as a minimum-cost flow: the matrix of a
// network is totally unimodular, and the costs are convex. nil: there is none, or ctx ended.
func (l *lattice) flow(ctx context.Context, n *net) ([]int64, error) {
	tail, head, sign := n.tail, n.head, n.sign
	g := flow.New(len(sign) + 1)
	supply := make([]int64, len(sign)+1)
	for j, f := range sign {
		supply[j] = -int64(f) * l.d[j]
	}
	first := make([]int, len(l.a)+1)
	for i := range l.a {
		u, v := tail[i], head[i]
		if u != v { // the flow for z = lo
			supply[u] -= l.lo[i]
			supply[v] += l.lo[i]
		}
		arcs := 0
		for _, p := range l.pieces(i) {
			first[i+1] = g.Add(u, v, p.width, p.slope) + 1
			arcs++
		}
		if arcs == 0 {
			first[i+1] = first[i]
		}
	}
	ground := len(sign)
	supply[ground] = 0
	for j := range sign {
		supply[ground] -= supply[j]
	}
	switch err := g.Solve(ctx, supply); {
	case errors.Is(err, flow.ErrInfeasible), ctx.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, err
	}
	z := make([]int64, len(l.a))
	for i := range z {
		z[i] = l.lo[i]
		for k := first[i]; k < first[i+1]; k++ {
			z[i] += g.Flow(k)
		}
	}
	if !l.holds(z) { // the right-hand sides of dependent relations contradict one another
		return nil, nil
	}
	return z, nil
}

// A piece is a range of z over which the cost of a cell changes by slope for each unit.
type piece struct{ width, slope int64 }

// pieces returns those from lo to up, in order of ascending slope.
func (l *lattice) pieces(i int) []piece {
	var all []piece
	at := l.lo[i]
	for _, p := range [3]struct{ end, slope int64 }{
		{l.floor[i], -l.b * l.w[i]}, {l.floor[i] + 1, (l.b - 2*l.rest[i]) * l.w[i]}, {l.up[i], l.b * l.w[i]},
	} {
		if end := min(p.end, l.up[i]); end > at {
			all = append(all, piece{end - at, p.slope})
			at = end
		}
	}
	return all
}

package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// What the graph says of every cell is what max-flows in both directions say.
func TestMoves(t *testing.T) {
	moving, still, oneWay := 0, 0, 0
	for round := range 4000 {
		rng := rand.New(rand.NewPCG(uint64(round), 61))
		nodes, n := 1+rng.IntN(9), 1+rng.IntN(16)
		cells, coefs := randomGraph(rng, n, nodes)
		rel := table.NewRelations(n)
		for v := range nodes {
			rel.Add(cells[v], coefs[v], 0)
		}
		sys := NewSystem(rel)
		up, dn := make([]int64, n), make([]int64, n)
		for i := range n {
			up[i], dn[i] = max(0, rng.Int64N(5)-1), max(0, rng.Int64N(5)-1)
			if rng.IntN(9) == 0 {
				up[i] = table.PosInf
			}
		}
		moves, ok := sys.Moves(up, dn)
		if !ok {
			t.Fatalf("round %d: not taken for a network", round)
		}
		e := must.Get(sys.NewExact("network", ""))(t)
		e.SetCapacities(up, dn, 1<<20)
		for k := range n {
			hi := must.Get(e.Max(t.Context(), k, 1, 1<<20, false))(t)
			lo := must.Get(e.Max(t.Context(), k, -1, 1<<20, false))(t)
			if want := hi.Value.Sign()+lo.Value.Sign() > 0; moves[k] != want {
				t.Fatalf("round %d: cell %d moves: %v, flows say up by %v, down by %v", round, k, moves[k], hi.Value, lo.Value)
			}
			switch {
			case hi.Value.Sign()+lo.Value.Sign() == 1:
				oneWay++
			case moves[k]:
				moving++
			case up[k]|dn[k] != 0:
				still++
			}
		}
	}
	if min(moving, still, oneWay) < 1000 {
		t.Errorf("%d cells move both ways, %d one way, %d with capacity do not: too few to mean anything", moving, oneWay, still)
	}
}

package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// Whether relations follow from those that are nodes of a network is what elimination says.
func TestImplies(t *testing.T) {
	t.Parallel()
	said := map[bool]int{}
	for i := range 600 {
		rng := rand.New(rand.NewPCG(uint64(i), 4))
		rel, drops := drawnNetwork(rng)
		dropped := make([]bool, rel.Len())
		for _, j := range drops {
			dropped[j] = true
		}
		net := &network{nodes: rel.Len() + 1}
		if cols := rel.Columns(); net.orient(rel, cols, dropped) {
			net.connect(rel.N, cols, dropped)
		} else {
			t.Fatalf("%d: no network", i)
		}
		got, want := net.implies(rel, drops), rank(rel, all(rel.Len()-len(drops))) == rank(rel, all(rel.Len()))
		if got != want {
			t.Fatalf("%d: implied: %v, by elimination %v", i, got, want)
		}
		said[got]++
	}
	if said[true] < 100 || said[false] < 100 {
		t.Fatalf("too few of one kind: %v", said)
	}
}

// Tables of a tree and a flat dimension are networks, whichever comes first; those of two trees are none.
func TestTreesAreNetworks(t *testing.T) {
	t.Parallel()
	flat := must.Get(table.FlatDimension("f", "T", []string{"x", "y", "z"}))(t)
	for _, branching := range [][]int{{3}, {2, 2}, {2, 2, 2}, {3, 2, 2, 2}} {
		var edges []table.Edge
		level := []string{"T"}
		for _, k := range branching {
			var next []string
			for _, parent := range level {
				for c := range k {
					code := parent + string(rune('a'+c))
					edges, next = append(edges, table.Edge{Code: code, Parent: parent}), append(next, code)
				}
			}
			level = next
		}
		tree := must.Get(table.NewDimension("t", "T", edges))(t)
		for _, at := range []struct {
			dims    []table.Dimension
			network bool
		}{{[]table.Dimension{tree, flat}, true}, {[]table.Dimension{flat, tree}, true}, {[]table.Dimension{tree, tree}, len(branching) < 2}} {
			if got := NewSystem(zeros(t, at.dims).Rel).IsNetwork(); got != at.network {
				t.Errorf("%v, %d codes first: network %v", branching, len(at.dims[0].Codes), got)
			}
		}
	}
}

// zeros is the table of these dimensions, empty.
func zeros(t *testing.T, dims []table.Dimension) *table.Table {
	var recs []table.Record
	tabletest.Cells(dims, func(codes []string) {
		recs = append(recs, table.Record{Codes: codes, Value: table.Num(0, 0)})
	})
	return must.Get(table.Build("t", dims, recs, true))(t)
}

// drawnNetwork returns the incidence of a drawn graph, with signs, and behind it one to three
// relations that are combinations of its rows, now and then changed in one cell.
func drawnNetwork(rng *rand.Rand) (rel *table.Relations, drops []int) {
	nodes, n := 3+rng.IntN(6), 4+rng.IntN(14)
	rows := make([][]int32, nodes)
	for v := range rows {
		rows[v] = make([]int32, n)
	}
	for i := range n {
		// The last of the nodes drawn is the ground; loops stay loops.
		u, v := rng.IntN(nodes+1), rng.IntN(nodes+1)
		if u == v {
			continue
		}
		if u < nodes {
			rows[u][i] = 1
		}
		if v < nodes {
			rows[v][i] = -1
		}
	}
	for v := range rows {
		if rng.IntN(2) == 0 {
			for i := range rows[v] {
				rows[v][i] = -rows[v][i]
			}
		}
	}
	for range 1 + rng.IntN(3) {
		row := make([]int32, n)
		for v := range nodes {
			π := int32(rng.IntN(3) - 1)
			for i := range row {
				row[i] += π * rows[v][i]
			}
		}
		if rng.IntN(5) == 0 {
			row[rng.IntN(n)]++
		}
		drops = append(drops, len(rows))
		rows = append(rows, row)
	}
	rel = table.NewRelations(n)
	for _, row := range rows {
		var cell, coef []int32
		for i, c := range row {
			if c != 0 {
				cell, coef = append(cell, int32(i)), append(coef, c)
			}
		}
		rel.Add(cell, coef, 0)
	}
	return rel, drops
}

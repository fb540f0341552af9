package oracle

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// echelonOf returns the reduced echelon form of M over the rationals, pivots in
// ascending columns, and the pivot columns.
func echelonOf(rel *table.Relations, use func(j int) bool) (rows [][]*big.Rat, pivots []int) {
	for j := range rel.Len() {
		if !use(j) {
			continue
		}
		row := make([]*big.Rat, rel.N)
		for i := range row {
			row[i] = new(big.Rat)
		}
		cell, coef := rel.Row(j)
		for t, i := range cell {
			row[i].Add(row[i], big.NewRat(int64(coef[t]), 1))
		}
		rows = append(rows, row)
	}
	at := 0
	for c := range rel.N {
		p := slices.IndexFunc(rows[at:], func(r []*big.Rat) bool { return r[c].Sign() != 0 })
		if p < 0 {
			continue
		}
		rows[at], rows[at+p] = rows[at+p], rows[at]
		f := new(big.Rat).Inv(rows[at][c])
		for _, v := range rows[at] {
			v.Mul(v, f)
		}
		for q, row := range rows {
			if g := new(big.Rat).Set(row[c]); q != at && g.Sign() != 0 {
				for i, v := range row {
					v.Sub(v, new(big.Rat).Mul(g, rows[at][i]))
				}
			}
		}
		pivots = append(pivots, c)
		if at++; at == len(rows) {
			break
		}
	}
	return rows[:at], pivots
}

// randomGraph draws n arcs between nodes, some of them to the ground, and returns the arcs at each node
// with their signs.
func randomGraph(rng *rand.Rand, n, nodes int) (cells, coefs [][]int32) {
	cells, coefs = make([][]int32, nodes), make([][]int32, nodes)
	for i := range int32(n) {
		a, b := rng.IntN(nodes+1), rng.IntN(nodes+1)
		if a == b {
			continue
		}
		for s, v := range [2]int{a, b} {
			if v < nodes {
				cells[v], coefs[v] = append(cells[v], i), append(coefs[v], int32(1-2*s))
			}
		}
	}
	return cells, coefs
}

// Blocks, cells that never move and the rank of the relations kept agree with
// elimination over the rationals, on networks and other matrices.
func TestStructure(t *testing.T) {
	networks, split, still, dropped, joined := 0, 0, 0, 0, 0
	for round := range 6000 {
		rng := rand.New(rand.NewPCG(uint64(round), 41))
		n := 1 + rng.IntN(12)
		rel := table.NewRelations(n)
		if round%2 == 0 { // a graph: arcs between nodes, some to the ground
			cells, coefs := randomGraph(rng, n, 1+rng.IntN(8))
			for v := range cells {
				flip := int32(1 - 2*rng.IntN(2))
				for s := range coefs[v] {
					coefs[v][s] *= flip
				}
				rel.Add(cells[v], coefs[v], 0)
			}
		} else {
			for range 1 + rng.IntN(8) {
				var cell, coef []int32
				for i := range int32(n) {
					if rng.IntN(3) == 0 {
						cell, coef = append(cell, i), append(coef, int32(1-2*rng.IntN(2)))
						if rng.IntN(6) == 0 {
							coef[len(coef)-1] *= int32(1 + rng.IntN(9))
						}
					}
				}
				rel.Add(cell, coef, 0)
			}
			if rng.IntN(3) == 0 {
				cell, coef := rel.Row(rng.IntN(rel.Len()))
				rel.Add(slices.Clone(cell), slices.Clone(coef), 0)
			}
		}
		sys := NewSystem(rel)
		st, ok, err := sys.Structure(t.Context())
		if !ok || err != nil {
			t.Fatal(round, ok, err)
		}
		rows, pivots := echelonOf(rel, func(int) bool { return true })
		if kept, _ := echelonOf(rel, func(j int) bool { return st.Keep[j] }); len(kept) != len(rows) {
			t.Fatalf("round %d: rank %d, of the relations kept %d", round, len(rows), len(kept))
		}
		group := sets.New(n)
		moves := make([]bool, n)
		for i := range n {
			moves[i] = !slices.Contains(pivots, i)
		}
		for q, row := range rows {
			for i, v := range row {
				if i != pivots[q] && v.Sign() != 0 {
					group.Join(int32(i), int32(pivots[q]))
					moves[pivots[q]] = true
				}
			}
		}
		for i := range n {
			if (st.Block[i] >= 0) != moves[i] {
				t.Fatalf("round %d: cell %d in block %d, moves %v", round, i, st.Block[i], moves[i])
			}
			for k := range i {
				if moves[i] && moves[k] && (st.Block[i] == st.Block[k]) != (group.Root(int32(i)) == group.Root(int32(k))) {
					t.Fatalf("round %d: cells %d and %d in blocks %d and %d", round, k, i, st.Block[k], st.Block[i])
				}
			}
		}
		// z_i as a combination of the free cells.
		points := make([][]*big.Rat, n)
		for i := range n {
			points[i] = make([]*big.Rat, n)
			for c := range n {
				points[i][c] = new(big.Rat)
				if q := slices.Index(pivots, i); q >= 0 && c != i {
					points[i][c].Neg(rows[q][c])
				} else if q < 0 && c == i {
					points[i][c].SetInt64(1)
				}
			}
		}
		along := func(a, b int, sign int64) bool {
			for c := range n {
				if points[a][c].Cmp(new(big.Rat).Mul(big.NewRat(sign, 1), points[b][c])) != 0 {
					return false
				}
			}
			return true
		}
		for i := 0; i < n && st.Lead != nil; i++ {
			want := i
			for k := 0; k < i && want == i && moves[i]; k++ {
				if along(i, k, 1) || along(i, k, -1) {
					want = k
				}
			}
			if int(st.Lead[i]) != want || !along(i, want, int64(st.Sign[i])) {
				t.Fatalf("round %d: cell %d moves with %d·%d, want %d", round, i, st.Sign[i], st.Lead[i], want)
			}
			if want != i {
				joined++
			}
		}
		if sys.IsNetwork() {
			networks++
		}
		if st.Blocks > 1 {
			split++
		}
		if slices.Contains(moves, false) {
			still++
		}
		if slices.Contains(st.Keep, false) {
			dropped++
		}
	}
	for name, k := range map[string]int{"networks": networks, "several blocks": split, "cells that never move": still, "redundant relations": dropped, "cells that move together": joined} {
		if k < 300 {
			t.Errorf("%s: %d, too few to mean anything", name, k)
		}
	}
}

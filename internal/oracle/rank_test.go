package oracle

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// rank is the rank of the relations js by elimination over the rationals.
func rank(rel *table.Relations, js []int32) int {
	var rows [][]*big.Rat
	for _, j := range js {
		row := tabletest.Zeros(rel.N)
		cell, coef := rel.Row(int(j))
		for t, i := range cell {
			row[i].SetInt64(int64(coef[t]))
		}
		rows = append(rows, row)
	}
	return len(tabletest.Reduce(rows, rel.N))
}

// The relations kept are independent and span the others.
func TestIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		rel := &table.Relations{N: n, Ptr: []int32{0}}
		for range rapid.IntRange(0, 12).Draw(t, "m") {
			var cell, coef []int32
			for i := range int32(n) {
				if c := rapid.Int32Range(-2, 2).Draw(t, "coef"); c != 0 {
					cell, coef = append(cell, i), append(coef, c)
				}
			}
			rel.Add(cell, coef, 0)
		}
		keep := independent(rel)
		if sparse := sparsely(rel); len(sparse) != len(keep) || rank(rel, sparse) != len(keep) {
			t.Fatalf("%v kept with little fill, %v with short relations", sparse, keep)
		}
		if r := rank(rel, keep); r != len(keep) {
			t.Fatalf("%d relations of rank %d kept", len(keep), r)
		}
		if r := rank(rel, all(rel.Len())); r != len(keep) {
			t.Fatalf("%d relations kept of rank %d", len(keep), r)
		}
	})
}

// A table of three dimensions of 4 keeps 5³ − 4³ relations of 3·5².
func TestIndependentMargins(t *testing.T) {
	const z = 5
	at := func(x [3]int) int32 { return int32((x[0]*z+x[1])*z + x[2]) }
	rel := &table.Relations{N: z * z * z, Ptr: []int32{0}}
	for d := range 3 {
		for c := range z * z {
			x := [3]int{}
			x[(d+1)%3], x[(d+2)%3] = c/z, c%z
			var cell, coef []int32
			for x[d] = 0; x[d] < z; x[d]++ {
				cell, coef = append(cell, at(x)), append(coef, 1)
			}
			coef[z-1] = -1
			rel.Add(cell, coef, 0)
		}
	}
	if keep := independent(rel); len(keep) != 125-64 {
		t.Errorf("%d relations kept, want %d", len(keep), 125-64)
	}
}

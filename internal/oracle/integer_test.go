package oracle

import (
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// Whatever the number of nodes a search may take, what it found is feasible, what it proved holds, and it leaves no trace.
func TestIntegerNodes(t *testing.T) {
	t.Parallel()
	const free, sums = 6, 2
	coef := [sums][free]int32{{12, 15, 20, 21, 28, 35}, {4, 9, 1, -7, 3, 2}}
	rel := table.NewRelations(free)
	for j := range coef {
		cells := make([]int32, free)
		for i := range cells {
			cells[i] = int32(i)
		}
		rel.Add(cells, coef[j][:], 0)
	}
	s := NewSystem(rel)
	e := must.Get(s.NewExact("simplex", "simplex"))(t)
	defer e.Close()
	up, dn := make([]int64, free), make([]int64, free)
	for i := range up {
		up[i], dn[i] = 5, 4
	}
	e.SetCapacities(up, dn, 100)
	var least, most [free]int64
	z := [free]int64{}
	var fill func(k int)
	fill = func(k int) {
		if k == free {
			for j := range coef {
				sum := int64(0)
				for i, v := range z {
					sum += int64(coef[j][i]) * v
				}
				if sum != 0 {
					return
				}
			}
			for i, v := range z {
				least[i], most[i] = min(least[i], v), max(most[i], v)
			}
			return
		}
		for z[k] = -4; z[k] <= 5; z[k]++ {
			fill(k + 1)
		}
		z[k] = 0
	}
	fill(0)
	stopped, settled := 0, 0
	for nodes := range 60 {
		for k := range free {
			for sign := -1; sign <= 1; sign += 2 {
				r := e.inWhole()
				c := r.of(k)
				search := &integerSearch{r: r, c: c, k: k, sign: sign, step: c.multiples(r), most: nodes}
				if nodes%2 == 0 {
					search.guide = e.newGuide(c)
				}
				search.node(t.Context(), nil)
				want := most[k]
				if sign < 0 {
					want = -least[k]
				}
				if search.left {
					stopped++
				} else {
					settled++
				}
				switch at := big.NewInt(want); {
				case search.best != nil && search.value.Cmp(at) > 0:
					t.Errorf("cell %d, %d nodes: found %s, the largest is %d", k, nodes, search.value, want)
				case search.left && search.outer != nil && search.outer.Cmp(at) < 0 && (search.best == nil || search.value.Cmp(at) < 0):
					t.Errorf("cell %d, %d nodes: bound %s below %d", k, nodes, search.outer, want)
				case !search.left && (search.best == nil || search.value.Cmp(at) != 0):
					t.Errorf("cell %d, %d nodes: %v said to be the largest, want %d", k, nodes, search.value, want)
				}
				for i, v := range e.up {
					if r.up[i] != v || r.lo[i] != -e.dn[i] {
						t.Fatalf("cell %d: bounds [%d, %d] after the search, want [%d, %d]", i, r.lo[i], r.up[i], -e.dn[i], v)
					}
				}
			}
		}
	}
	if stopped == 0 || settled == 0 {
		t.Errorf("%d searches stopped and %d settled: want some of both", stopped, settled)
	}
}

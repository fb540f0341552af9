//go:build slow

package adversary

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// TestOracle compares the simplex of the oracle with something simpler still: the largest z_k over all
// vertices, each found by solving the equations of one choice of cells at their bounds.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	ends := 0
	for range 150 {
		n := 2 + rng.IntN(4)
		tab := blank(n)
		tab.Rel = table.NewRelations(n)
		withheld := make([]bool, n)
		for i := range n {
			withheld[i] = rng.IntN(5) > 0
			tab.Value[i] = rng.Int64N(20) - 5
			tab.Lower[i], tab.Upper[i] = tab.Value[i]-rng.Int64N(9), tab.Value[i]+rng.Int64N(9)
		}
		for range rng.IntN(3) {
			relate(tab, rng, 2+rng.IntN(n-1), func() int32 { return int32(rng.IntN(9) - 4) })
		}
		r := newRoom(tab, withheld)
		for k := range n {
			for _, sign := range []int{1, -1} {
				got, want := r.far(k, sign), vertices(tab, withheld, k, sign)
				if got == nil || got.Cmp(want) != 0 {
					t.Fatalf("cell %d of %+v, direction %d: the simplex says %v, the vertices %v", k, tab, sign, got, want)
				}
				ends++
			}
		}
	}
	t.Logf("%d ends", ends)
}

// vertices maximises sign·z_k over all z that have every cell but those of a basis at a bound.
func vertices(t *table.Table, withheld []bool, k, sign int) *big.Rat {
	n := t.Len()
	best := new(big.Rat)
	// choice[i]: 0 in the basis, 1 at the lower bound, 2 at the upper one.
	choice := make([]int, n)
	for {
		if z := solve(t, withheld, choice); z != nil {
			v := z[k]
			if sign < 0 {
				v.Neg(v)
			}
			if v.Cmp(best) > 0 {
				best = v
			}
		}
		i := 0
		for i < n && choice[i] == 2 {
			choice[i] = 0
			i++
		}
		if i == n {
			return best
		}
		choice[i]++
	}
}

// solve returns the one z that a choice leaves, nil where it leaves none, many, or one out of bounds.
func solve(t *table.Table, withheld []bool, choice []int) []*big.Rat {
	n := t.Len()
	var rows [][]*big.Rat
	add := func(set func(row []*big.Rat)) {
		row := tabletest.Zeros(n + 1)
		set(row)
		rows = append(rows, row)
	}
	for j := range t.Rel.Len() {
		cells, coef := t.Rel.Row(j)
		add(func(row []*big.Rat) {
			for s, i := range cells {
				row[i].SetInt64(int64(coef[s]))
			}
		})
	}
	for i := range n {
		bound := t.Value[i]
		switch {
		case !withheld[i]:
		case choice[i] == 0:
			continue
		case choice[i] == 1:
			bound = t.Lower[i]
		default:
			bound = t.Upper[i]
		}
		add(func(row []*big.Rat) {
			row[i].SetInt64(1)
			row[n].SetInt64(bound - t.Value[i])
		})
	}
	if len(tabletest.Reduce(rows, n)) < n {
		return nil
	}
	for _, row := range rows[n:] {
		if row[n].Sign() != 0 {
			return nil
		}
	}
	z := make([]*big.Rat, n)
	for i := range n {
		z[i] = rows[i][n]
		if withheld[i] && (z[i].Cmp(difference(t.Lower[i], t.Value[i])) < 0 || z[i].Cmp(difference(t.Upper[i], t.Value[i])) > 0) {
			return nil
		}
	}
	return z
}

package interval

import (
	"context"
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A giveUp is a back end that has no verdict from its third program on, as those of others have now and then.
type giveUp struct {
	lp.Solver
	solves int
}

func (g *giveUp) Solve(ctx context.Context) (*lp.Result, error) {
	if g.solves++; g.solves > 2 {
		return &lp.Result{Status: lp.Unknown, Raw: "given up"}, nil
	}
	return g.Solver.Solve(ctx)
}

// Numerical trouble of a back end is no reason for audit --integer to end without an answer.
func TestIntegerAfterTrouble(t *testing.T) {
	name, end := lp.Lend("giveup", func() (lp.Solver, error) {
		s, err := lp.Open("simplex")
		return &giveUp{Solver: s}, err
	})
	defer end()
	// 2 y0 + 3 y1 + 4 y2 = 18 and y0 + y2 ≤ 5 in integers: y1 is even.
	n := 4
	tab := &table.Table{Value: []int64{3, 4, 0, 2}, Cost: make([]int64, n), Status: []table.Status{table.Withheld, table.Sensitive, table.Withheld, table.Withheld},
		LPL: make([]int64, n), UPL: make([]int64, n), SPL: make([]int64, n), Lower: make([]int64, n), Upper: []int64{9, 9, 9, 9}, Rel: table.NewRelations(n)}
	tab.Rel.Add([]int32{0, 1, 2}, []int32{2, 3, 4}, 18)
	tab.Rel.Add([]int32{0, 2, 3}, []int32{1, 1, 1}, 5)
	withheld := []bool{true, true, true, true}
	for _, backend := range []string{"simplex", name} {
		rep, err := Audit(t.Context(), tab, withheld, &Options{Engine: "simplex", LP: backend, Integer: true, Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", backend, err)
		}
		// y1 = 6 − (2 y0 + 4 y2)/3 with y0 + y2 ≤ 5: 6, 4 (3, 0), 2 (2, 2), 0 (1, 4).
		if c := rep.Cells[1]; c.Lo.Cmp(big.NewRat(0, 1)) != 0 || c.Hi.Cmp(big.NewRat(6, 1)) != 0 {
			t.Errorf("%s: cell in [%v, %v], want [0, 6]", backend, c.Lo, c.Hi)
		}
	}
}

package interval

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
)

// Options.Cells leaves out cells and changes nothing about the others.
func TestAuditSomeCells(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 0))
	for n := range 60 {
		tb := tabletest.Random(rng, n)
		withheld := tabletest.Pattern(rng, tb.Len())
		all := must.Get(Audit(context.Background(), tb, withheld, nil))(t)
		var want []Cell
		cells := []int{}
		for k := range all.Cells {
			if k%2 == 1 {
				want, cells = append(want, all.Cells[k]), append(cells, all.Cells[k].Index)
			}
		}
		some := must.Get(Audit(context.Background(), tb, withheld, &Options{Cells: cells}))(t)
		if len(some.Cells) != len(want) {
			t.Fatalf("%d cells, want %d", len(some.Cells), len(want))
		}
		for k := range want {
			got := some.Cells[k]
			if !reflect.DeepEqual([]any{got.Index, got.Lo, got.Hi, got.Protected, got.Disclosed}, []any{want[k].Index, want[k].Lo, want[k].Hi, want[k].Protected, want[k].Disclosed}) {
				t.Errorf("table %d, cell %d: %v, want %v", n, got.Index, got, want[k])
			}
		}
	}
}

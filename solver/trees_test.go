package solver

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// Zero-half cuts are tried on tables of three variables with trees and not on flat ones.
func TestTrees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape shape
		trees bool
	}{
		{shape{"flat", [][]table.Edge{flat(4), flat(4), flat(4)}}, false},
		{shape{"flat", [][]table.Edge{flat(2), flat(2), flat(2), flat(2)}}, false},
		{shape{"tree", [][]table.Edge{twoLevels, flat(3), flat(3)}}, true},
		{shape{"trees", [][]table.Edge{twoLevels, twoLevels, flat(2)}}, true},
	} {
		tab := randomTable(rand.New(rand.NewPCG(1, 1)), c.shape, 1<<20, 1)
		s := must.Get(newSearch(t.Context(), newProblem(tab, oracle.NewSystem(tab.Rel)), &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
		if tried := s.half != useless; s.trees != c.trees || tried != c.trees {
			t.Errorf("%s of %d variables: trees %t, zero-half cuts tried %t", c.shape.name, len(c.shape.edges), s.trees, tried)
		}
		s.close()
	}
	in := must.Get(formats.Read(shared.Path(t, "instances/real/rta_a21_size_cj.jj.gz"), formats.Options{}))(t)
	s := must.Get(Suppress(t.Context(), in.Table, nil))(t)
	if s.Status != Optimal || s.Cuts[zeroHalfCut] == 0 {
		t.Errorf("%s with %d zero-half cuts", s.Status, s.Cuts[zeroHalfCut])
	}
}

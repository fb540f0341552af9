package solver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/table"
)

// Two-way tables with at most one hierarchy open no linear program but the master:
// separation, exact checks and routes run on the network, whatever is published,
// merged or split off.
func TestTwoWayTablesNeedOnlyTheMaster(t *testing.T) {
	deep := []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"},
		{Code: "a11", Parent: "a1"}, {Code: "a12", Parent: "a1"}, {Code: "only", Parent: "b"}}
	twoWay := []shape{
		{"2d", [][]table.Edge{flat(4), flat(5)}},
		{"hier", [][]table.Edge{twoLevels, flat(3)}},
		{"hier-ragged", [][]table.Edge{ragged, flat(3)}},
		{"hier-deep", [][]table.Edge{flat(3), deep}},
	}
	parts := 0
	for i := range 600 {
		rng := rand.New(rand.NewPCG(uint64(i), 51))
		tab := randomTable(rng, twoWay[i%len(twoWay)], 5+rng.IntN(40), i/len(twoWay))
		plain := true
		for _, c := range tab.Rel.Coef {
			plain = plain && (c == 1 || c == -1)
		}
		for j := range tab.Rel.Len() {
			plain = plain && tab.Rel.Dim != nil && tab.Rel.Dim[j] >= 0
		}
		if !plain {
			continue // a relation that is none of the two dimensions'
		}
		w, err := decompose(t.Context(), tab, &Options{LP: "simplex", Workers: 1}, time.Now())
		if err != nil {
			w.close()
			continue // unprotectable
		}
		_ = w.solve(t.Context(), t.Context())
		for _, s := range w.searches {
			parts++
			engines := []string{s.b.in.Name(), fmt.Sprintf("%T", s.b.router)}
			for _, sh := range s.sep.shards {
				engines = append(engines, sh.in.Name())
				if sh.exact != nil {
					engines = append(engines, sh.exact.Name())
				}
			}
			for _, e := range engines {
				if e != "network" && e != "*oracle.pathRouter" {
					t.Fatalf("table %d (%s): engines %v", i, tab.Name, engines)
				}
			}
		}
		w.close()
	}
	if parts < 100 {
		t.Errorf("%d parts searched, too few to mean anything", parts)
	}
}

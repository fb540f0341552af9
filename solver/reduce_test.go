package solver

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// A pattern protects a table exactly if it withholds the forced cells and protects
// every part, a group of cells being withheld where all its cells are.
func TestReduceKeepsProtection(t *testing.T) {
	const parts = 4
	const tables = 2400
	met := make([]map[string]int, parts)
	for part := range parts {
		met[part] = map[string]int{}
	}
	t.Run("tables", func(t *testing.T) {
		for part := range parts {
			t.Run(strconv.Itoa(part), func(t *testing.T) {
				t.Parallel()
				for i := part; i < tables; i += parts {
					rng := rand.New(rand.NewPCG(uint64(i), 33))
					tab := randomTable(rng, shapes[i%len(shapes)], 4+rng.IntN(10), i/len(shapes))
					reducedProtection(t, rng, tab, met[part])
				}
			})
		}
	})
	for _, what := range []string{"several parts", "merged", "opposite", "forced", "exposed", "protected", "unprotected", "network from none"} {
		n := 0
		for part := range parts {
			n += met[part][what]
		}
		if n < 10 {
			t.Errorf("%s: met %d times, too few to mean anything", what, n)
		}
	}
}

func reducedProtection(t *testing.T, rng *rand.Rand, tab *table.Table, met map[string]int) {
	r := must.Get(reduce(t.Context(), tab, techniques{}))(t)
	count := func(what string, yes bool) {
		if yes {
			met[what]++
		}
	}
	count("several parts", len(r.parts) > 1)
	count("forced", len(r.forced) > 0)
	count("exposed", len(r.exposed) > 0)
	count("opposite", slices.Contains(r.sign, -1))
	for _, p := range r.parts {
		count("network from none", r.engine == "simplex" && p.sys.IsNetwork())
		for _, behind := range p.cells {
			count("merged", len(behind) > 1)
		}
	}
	for range 6 {
		x := make([]bool, tab.Len())
		dense := rng.IntN(5)
		for i, st := range tab.Status {
			x[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && rng.IntN(5) <= dense
		}
		want := protected(tab, x)
		got := len(r.exposed) == 0
		for _, i := range r.forced {
			got = got && x[i]
		}
		for _, p := range r.parts {
			sub := make([]bool, p.t.Len())
			for s := range sub {
				sub[s] = true
				if p.cells == nil {
					sub[s] = x[s]
					continue
				}
				for _, i := range p.cells[s] {
					sub[s] = sub[s] && (x[i] || slices.Contains(r.forced, i))
				}
			}
			got = got && protected(p.t, sub)
		}
		if got != want {
			t.Fatalf("table %s: pattern %v protects: %v, its parts say %v", tab.Name, x, want, got)
		}
		count("protected", want)
		count("unprotected", !want)
	}
}

package rounding

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var large = flag.Bool("large", false, "round large tables and log what it takes")

// TestLarge measures what docs/figures.md tells: -large -v.
func TestLarge(t *testing.T) {
	if !*large {
		t.Skip("only with -large")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		name string
		tab  *table.Table
		opt  Options
	}{
		{"500x500", cube(t, rng, 50, 500, 500), Options{Base: 5}},
		{"two trees, 585x156", build(t, rng, 50, []table.Dimension{tree(t, "a", 8, 3), tree(t, "b", 5, 3)}), Options{Base: 5, Partitioned: true}},
		{"20x20x20 slabs", cube(t, rng, 50, 20, 20, 20), Options{Base: 5, Partitioned: true}},
		{"20x20x20", cube(t, rng, 50, 20, 20, 20), Options{Base: 5, TimeLimit: 10 * time.Second}},
	} {
		c.opt.Progress = func(p integer.Progress) {
			if p.Nodes%10 == 1 {
				t.Logf("node %d: %d to %d, %.1f s", p.Nodes, p.Lower, p.Upper, p.Seconds)
			}
		}
		start := time.Now()
		r := must.Get(Round(context.Background(), c.tab, &c.opt))(t)
		t.Logf("%s: %d cells, %d relations: %s by %s, distance %d, bound %d, %d steps, %d nodes, %.2f s", c.name, c.tab.Len(), c.tab.Rel.Len(), r.Status, r.Engine, r.Distance, r.Bound, r.Steps, r.Nodes, time.Since(start).Seconds())
	}
}

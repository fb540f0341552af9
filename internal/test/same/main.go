// Command same draws 200 tables of all kinds, protects each by one of the methods, and prints a hash of the
// result. Every processor must print the same lines; .ci/same compares them.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hitoku/hitoku/bench"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A kind is a family of tables with what is done to them; find returns what must not depend on the processor.
type kind struct {
	name, family string
	shape        []bench.Branching
	find         func(ctx context.Context, t *table.Table) (any, error)
}

func main() {
	ctx := context.Background()
	kinds := []kind{
		{"plain", "mag", []bench.Branching{{12}, {10}}, suppress(solver.Options{})},
		{"counts", "fs", []bench.Branching{{20}, {20}}, suppress(solver.Options{})},
		{"canonical", "n1510", []bench.Branching{{6}, {6}}, suppress(solver.Options{Canonical: true})},
		{"certificate", "mag", []bench.Branching{{8}, {8}}, suppress(solver.Options{Certificate: true})},
		{"tree", "mag", []bench.Branching{{6}, {3, 3}}, suppress(solver.Options{})},
		{"cube", "fs", []bench.Branching{{4}, {4}, {4}}, suppress(solver.Options{})},
		{"partial", "mag", []bench.Branching{{6}, {6}}, func(ctx context.Context, t *table.Table) (any, error) {
			s, err := partial.Suppress(ctx, t, &partial.Options{Workers: 1})
			if err != nil {
				return nil, err
			}
			return []any{s.Status, s.Lower, s.Upper, s.Cost, s.Bound}, nil
		}},
		{"round and adjust", "mag", []bench.Branching{{5}, {5}, {3}}, func(ctx context.Context, t *table.Table) (any, error) {
			r, err := rounding.Round(ctx, t, &rounding.Options{Base: 5, Nodes: 200})
			if err != nil {
				return nil, err
			}
			a, err := adjust.Adjust(ctx, t, &adjust.Options{Nodes: 200})
			if err != nil {
				return nil, err
			}
			return []any{r.Status, r.Value, r.Bound, a.Status, a.Value, a.Bound}, nil
		}},
	}
	for _, k := range kinds {
		for seed := range uint64(25) {
			spec := bench.Spec{Family: k.family, Shape: k.shape, Seed: seed + 1}
			t, err := spec.Table()
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			found, err := k.find(ctx, t)
			if err != nil { // errors must be the same, too
				found = err.Error()
			}
			text, err := json.Marshal(found)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Printf("%s %s %x\n", k.name, spec.Name(), sha256.Sum256(text))
		}
	}
}

// suppress returns a search for a pattern that also returns the counts of its nodes, rounds and cuts.
func suppress(opt solver.Options) func(ctx context.Context, t *table.Table) (any, error) {
	opt.Workers = 1
	return func(ctx context.Context, t *table.Table) (any, error) {
		s, err := solver.Suppress(ctx, t, &opt)
		if s != nil {
			s.Seconds, s.FirstSeconds = 0, 0
		}
		return s, err
	}
}

package bench_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

var update = flag.Bool("update", false, "rewrite the counts of searches")

// searched are the tables whose searches are counted: small ones of all families.
var searched = []string{
	"8x8-fs-1..3", "20x20-fs-1", "4x4x4-fs-1..2", "10x10-mag-1..2", "20x20-mag-1", "4x4x4-mag-1..3", "5x5x5-mag0.06-1", "3x3x3x3-mag0.04-1",
	"10x4.4-mag-1..2", "4.4x4.4-mag0.04-1..2", "3.3x3.3-mag-1..3", "3.3x4x3-mag0.1-1..2", "6x6-n1510-1..3", "5x4-n1510-1..2", "10x10-n1510-1..2",
}

// TestCounts compares the path of each kind of search, its rounds, nodes and cuts, with that of before: a change of structure, names or speed must
// not change it. A change of the search does; then -update writes the new counts, and the commit says why.
func TestCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("150 searches")
	}
	if runtime.GOARCH != "amd64" { // elsewhere sums may be fused with products
		t.Skip("counted on amd64")
	}
	t.Parallel()
	found := must.Get((&bench.Source{}).Find(searched))(t)
	var out strings.Builder
	out.WriteString("table,search,status,cost,bound,rounds,nodes,cuts\n")
	var names []string // a third by default, each in CI
	for k, in := range found {
		if k%3 > 0 && !heavy.On() && !*update {
			continue
		}
		names = append(names, in.Name)
		tab := must.Get(in.Load(0))(t)
		for _, s := range []struct {
			name string
			run  func(context.Context, *table.Table) (*solver.Solution, error)
		}{
			{"plain", exact(solver.Options{Workers: 2})},
			{"canonical", exact(solver.Options{Workers: 2, Canonical: true})},
			{"certificate", exact(solver.Options{Workers: 2, Certificate: true})},
			{"modular", func(ctx context.Context, t *table.Table) (*solver.Solution, error) {
				return modular.Suppress(ctx, t, &solver.Options{Workers: 2})
			}},
		} {
			sol, err := s.run(t.Context(), tab)
			var no *solver.UnprotectableError
			if err != nil && !errors.As(err, &no) {
				t.Fatalf("%s, %s: %v", in.Name, s.name, err)
			}
			cuts := 0
			for _, n := range sol.Cuts {
				cuts += n
			}
			fmt.Fprintf(&out, "%s,%s,%s,%d,%d,%d,%d,%d\n", in.Name, s.name, sol.Status, sol.Cost, sol.Bound, sol.Rounds, sol.Nodes, cuts)
		}
		sol, err := partial.Suppress(t.Context(), tab, &partial.Options{Workers: 2, Secret: [32]byte{1}})
		if err != nil {
			fmt.Fprintf(&out, "%s,partial,,,,,,\n", in.Name)
			continue
		}
		fmt.Fprintf(&out, "%s,partial,%s,%s,%s,%d,,%d\n", in.Name, sol.Status, sol.Cost.FloatString(6), sol.Bound.FloatString(6), sol.Rounds, sol.Cuts)
	}
	golden := filepath.Join("testdata", "counts.csv")
	if *update {
		must.Do(t, os.WriteFile(golden, []byte(out.String()), 0o644))
		return
	}
	want := must.Get(os.ReadFile(golden))(t)
	var lines strings.Builder
	for line := range strings.Lines(string(want)) {
		if name, _, _ := strings.Cut(line, ","); name == "table" || slices.Contains(names, name) {
			lines.WriteString(line)
		}
	}
	if d := cmp.Diff(lines.String(), out.String()); d != "" {
		t.Errorf("the path of a search has changed (-before +now):\n%s", d)
	}
}

func exact(opt solver.Options) func(context.Context, *table.Table) (*solver.Solution, error) {
	return func(ctx context.Context, t *table.Table) (*solver.Solution, error) {
		return solver.Suppress(ctx, t, &opt)
	}
}

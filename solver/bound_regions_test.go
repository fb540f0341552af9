package solver

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// The bound by regions never exceeds the optimum of small tables found by trying all patterns, is never below that by single relations,
// often above it, and its certificate confirms it.
func TestRegionBound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 22))
	tables, better, certified := 0, 0, 0
	for n := range heavy.Draws(320) {
		tab := randomTable(rng, shapes[n%len(shapes)], 11, rng.IntN(5))
		best, cost := bruteForce(tab)
		if best == nil || cost == 0 {
			continue
		}
		single, _ := must.Two(SingleRowBound(t.Context(), tab, nil))(t)
		last := int64(0)
		bound, _, err := RegionBound(t.Context(), tab, nil, func(v int64) {
			if v < last {
				t.Errorf("%s: %d told after %d", tab.Name, v, last)
			}
			last = v
		})
		if err != nil || bound != last && bound > 0 {
			t.Fatalf("%s: bound %d, last told %d, %v", tab.Name, bound, last, err)
		}
		if bound > cost || bound < single {
			t.Errorf("table %d, %s: bound %d, by single relations %d, optimum %d", n, tab.Name, bound, single, cost)
		}
		shown, proof := must.Two(RegionBound(t.Context(), tab, &Options{Certificate: true, Workers: 2}, nil))(t)
		var file bytes.Buffer
		must.Do(t, proof.Write(&file))
		rep, err := second.Verify(t, file.Bytes(), tab)
		if err != nil || rep.Bound != shown || shown > cost {
			t.Errorf("table %d, %s: %v, certified %d, want %d", n, tab.Name, err, rep.Bound, shown)
		}
		tables++
		if bound > single {
			better++
		}
		if shown > single {
			certified++
		}
	}
	if tables < heavy.Draws(80) || better < heavy.Draws(5) || certified < heavy.Draws(5) {
		t.Errorf("%d tables, bounds better than by single relations in %d, in %d certified", tables, better, certified)
	}
}

// Zero-half cuts of the rows of all regions together raise the bound of many tables with trees.
func TestRegionBoundHalves(t *testing.T) {
	t.Parallel()
	dims := make([]table.Dimension, 3)
	for d, e := range [][]table.Edge{twoLevels, flat(4), flat(3)} {
		var err error
		if dims[d], err = table.NewDimension(string(rune('A'+d)), "T", e); err != nil {
			t.Fatal(err)
		}
	}
	better := 0
	for n := range heavy.Draws(uint64(20)) {
		rng := rand.New(rand.NewPCG(31, n))
		tab := tableOf(t, rng, dims)
		for i := range tab.Len() {
			if rng.IntN(6) == 0 {
				tab.Status[i] = table.Sensitive
				tab.LPL[i], tab.UPL[i] = min(tab.Value[i], 1+rng.Int64N(3)), 1+rng.Int64N(3)
			}
		}
		with, _ := must.Two(RegionBound(t.Context(), tab, nil, nil))(t)
		without, _ := must.Two(RegionBound(t.Context(), tab, &Options{off: techniques{zeroHalf: true}}, nil))(t)
		if with > without {
			better++
		}
	}
	if better < heavy.Draws(8) {
		t.Errorf("%d tables have a better bound with zero-half cuts", better)
	}
}

// An end of the context ends it with what there is.
func TestRegionBoundEnds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	tab := randomTable(rng, shapes[3], 30, 0)
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	_, _, err := RegionBound(ctx, tab, nil, func(int64) { told++; cancel() })
	if told == 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("told %d times, %v", told, err)
	}
}

// A family divides the relations of a table: in products of groups of siblings each lies in all regions it is part of, in slices at
// codes of a variable those across that variable are in none; the cells of a region are those of its relations.
func TestFamilies(t *testing.T) {
	t.Parallel()
	dims := make([]table.Dimension, 3)
	for d, e := range [][]table.Edge{twoLevels, ragged, flat(2)} {
		var err error
		if dims[d], err = table.NewDimension(string(rune('A'+d)), "T", e); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	tab := tableOf(t, rng, dims)
	var sizes []int
	for n, f := range families(tab, nil) {
		sizes = append(sizes, len(f.rels))
		if f.groups != (n > 3) {
			t.Errorf("family %d: slices at groups: %v", n, f.groups)
		}
		in := 0
		for r, rels := range f.rels {
			in += len(rels)
			if !slices.IsSorted(rels) || !slices.IsSorted(f.cells[r]) {
				t.Error("not ascending")
			}
			for _, j := range rels {
				cell, _ := tab.Rel.Row(int(j))
				for _, i := range cell {
					if _, known := slices.BinarySearch(f.cells[r], i); !known {
						t.Errorf("relation %d leaves its region", j)
					}
				}
			}
		}
		if in == 0 || len(f.rels) == 1 {
			t.Errorf("a family of %d regions, %d relations", len(f.rels), in)
		}
	}
	// 3 × 3 groups of siblings; slices at the 7, 6 and 3 codes; slices at groups of the two trees.
	if want := []int{9, 7, 6, 3, 3, 3}; !slices.Equal(sizes, want) {
		t.Errorf("families of %v regions, want %v", sizes, want)
	}
	inside := make([]bool, tab.Rel.Len())
	for j := range inside {
		inside[j] = j%3 == 0
	}
	if n := codesOf(tab, 0, inside); n < 2 || n > codesOf(tab, 0, nil) || codesOf(tab, 0, nil) != len(dims[0].Codes) {
		t.Errorf("%d codes inside, %d in all", n, codesOf(tab, 0, nil))
	}
	for _, f := range families(tab, inside) {
		for _, rels := range f.rels {
			if slices.ContainsFunc(rels, func(j int32) bool { return j%3 != 0 }) {
				t.Error("a region has relations that are not inside")
			}
		}
	}
	tab.Dims, tab.Coord = nil, nil
	if families(tab, nil) != nil {
		t.Error("families without variables")
	}
}

// tableOf draws a table over dims.
func tableOf(t *testing.T, rng *rand.Rand, dims []table.Dimension) *table.Table {
	t.Helper()
	var records []table.Record
	tabletest.Cells(dims, func(codes []string) {
		records = append(records, table.Record{Codes: codes, Value: table.Num(1+rng.Int64N(9), 0)})
	})
	return must.Get(table.Build("t", dims, records, true))(t)
}

// Statistics Sweden's table of four flat variables, of which single relations say a fifth of what its slices say.
func TestRegionBoundFlat(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	in := must.Get(formats.ReadPath(shared.Path(t, "data/large/scb_BE0101A1.px.gz"), formats.Options{Select: map[string]string{"period": "2005"}}, px.ReadFrom))(t)
	tab := in.Table
	for i, v := range tab.Value {
		if v >= 1 && v < 5 {
			tab.Status[i], tab.Width[i] = table.Sensitive, 8
		}
	}
	const enough = 450_000
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	bound, _, err := RegionBound(ctx, tab, nil, func(v int64) {
		if v >= enough {
			cancel()
		}
	})
	if bound < enough || err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("bound %d, %v", bound, err)
	}
	if single, _, err := SingleRowBound(t.Context(), tab, nil); err != nil || single > enough/3 {
		t.Errorf("by single relations %d, %v", single, err)
	}
}

package nullspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
	"pgregory.net/rapid"
)

// backtrack is an oracle of its own: it fixes the withheld cells one after the
// other and gives up where some relation cannot be met within the bounds any more.
func backtrack(rel *table.Relations, withheld []int32, value, lo, hi []int64) [][]int64 {
	type half struct{ rel, coef int64 }
	of := make(map[int32][]half)
	open := make(map[int32]bool)
	for _, i := range withheld {
		open[i] = true
	}
	rest := make([]int64, rel.Len()) // b − what is fixed
	low, high := make([]int64, rel.Len()), make([]int64, rel.Len())
	move := func(j, c int64, i int32, by int64) {
		a, b := c*lo[i], c*hi[i]
		low[j] += by * min(a, b)
		high[j] += by * max(a, b)
	}
	for j := range rel.Len() {
		rest[j] = rel.RHS[j]
		cell, coef := rel.Row(j)
		for t, i := range cell {
			if !open[i] {
				rest[j] -= int64(coef[t]) * value[i]
				continue
			}
			of[i] = append(of[i], half{int64(j), int64(coef[t])})
			move(int64(j), int64(coef[t]), i, 1)
		}
		if rest[j] < low[j] || rest[j] > high[j] {
			return nil
		}
	}
	var found [][]int64
	y := make([]int64, len(withheld))
	var fix func(k int)
	fix = func(k int) {
		if k == len(withheld) {
			found = append(found, slices.Clone(y))
			return
		}
		i := withheld[k]
		for _, h := range of[i] {
			move(h.rel, h.coef, i, -1)
		}
		for v := lo[i]; v <= hi[i]; v++ {
			ok := true
			for _, h := range of[i] {
				rest[h.rel] -= h.coef * v
				ok = ok && low[h.rel] <= rest[h.rel] && rest[h.rel] <= high[h.rel]
			}
			if y[k] = v; ok {
				fix(k + 1)
			}
			for _, h := range of[i] {
				rest[h.rel] += h.coef * v
			}
		}
		for _, h := range of[i] {
			move(h.rel, h.coef, i, 1)
		}
	}
	fix(0)
	return found
}

// build makes a table with small random counts over the dimensions, margins
// included, and withholds at most most cells.
func build(t testing.TB, r *rand.Rand, most int, dims ...table.Dimension) (*table.Table, []int32) {
	var records []table.Record
	codes := make([]string, len(dims))
	var fill func(d int)
	fill = func(d int) {
		if d == len(dims) {
			records = append(records, table.Record{Codes: slices.Clone(codes), Value: table.Num(int64(r.IntN(5)), 0)})
			return
		}
		for k, leaf := range dims[d].Leaves() {
			if leaf {
				codes[d] = dims[d].Codes[k]
				fill(d + 1)
			}
		}
	}
	fill(0)
	tab := must.Get(table.Build("random", dims, records, true))(t)
	// Half of the patterns are a product of a few codes a dimension, where kernels
	// are, and a few cells more.
	in := make([]bool, tab.Len())
	if r.IntN(2) == 0 {
		pick := make([][]bool, len(dims))
		for d := range dims {
			pick[d] = make([]bool, len(dims[d].Codes))
			for _, k := range r.Perm(len(pick[d]))[:2+r.IntN(2)] {
				pick[d][k] = true
			}
		}
		for i := range in {
			in[i] = true
			for d := range dims {
				in[i] = in[i] && pick[d][tab.Coord[i*len(dims)+d]]
			}
		}
	}
	var withheld []int32
	share := r.Float64()
	for _, i := range r.Perm(tab.Len()) {
		if in[i] || len(withheld) < most && r.Float64() < share {
			withheld = append(withheld, int32(i))
		}
	}
	return tab, withheld
}

func flat(t testing.TB, name string, n int) table.Dimension {
	leaves := make([]string, n)
	for i := range leaves {
		leaves[i] = name + strconv.Itoa(i)
	}
	return must.Get(table.FlatDimension(name, "Total", leaves))(t)
}

func tree(t testing.TB, name string) table.Dimension {
	d := must.Get(table.NewDimension(name, "Total", []table.Edge{
		{Code: "A", Parent: "Total"}, {Code: "B", Parent: "Total"},
		{Code: "A1", Parent: "A"}, {Code: "A2", Parent: "A"}, {Code: "A3", Parent: "A"},
		{Code: "B1", Parent: "B"}, {Code: "B2", Parent: "B"},
	}))(t)
	return d
}

// Tables of several shapes with random withheld cells, margins among them, against
// the oracle.
func TestTables(t *testing.T) {
	shapes := map[string][]table.Dimension{
		"two-way":            {flat(t, "R", 4), flat(t, "C", 4)},
		"hierarchical":       {tree(t, "R"), flat(t, "C", 3)},
		"two hierarchies":    {tree(t, "R"), tree(t, "C")},
		"three-way":          {flat(t, "R", 3), flat(t, "C", 2), flat(t, "P", 3)},
		"three-way, a tree":  {flat(t, "R", 2), tree(t, "C"), flat(t, "P", 2)},
		"one-way, hierarchy": {tree(t, "R")},
	}
	for name, dims := range shapes {
		t.Run(name, func(t *testing.T) {
			networks, largest := 0, 0
			for seed := range uint64(60) {
				r := rand.New(rand.NewPCG(seed, 2))
				tab, withheld := build(t, r, 10, dims...)
				lo, hi := make([]int64, tab.Len()), make([]int64, tab.Len())
				for i := range hi {
					lo[i] = max(0, tab.Value[i]-int64(r.IntN(3)))
					hi[i] = tab.Value[i] + int64(r.IntN(3))
				}
				want := backtrack(tab.Rel, withheld, tab.Value, lo, hi)
				slices.SortFunc(want, slices.Compare[[]int64])
				f := mustNew(t, tab.Rel, withheld, tab.Value, lo, hi)
				check(t, fmt.Sprintf("seed %d", seed), f, want)
				largest = max(largest, f.Dim())
				networks += compareForest(t, tab, withheld)
			}
			t.Logf("%d components are networks, largest dimension %d", networks, largest)
		})
	}
}

// compareForest compares the cycles of every component that is a network with the
// elimination, and returns how many there are.
func compareForest(t *testing.T, tab *table.Table, withheld []int32) (networks int) {
	pos := make([]int32, tab.Len())
	for k, i := range withheld {
		pos[i] = int32(k) + 1
	}
	for _, c := range restrict(tab.Rel, pos, tab.Value, len(withheld)).components() {
		local := make(map[int32]int32)
		for k, p := range c.cells {
			local[p] = int32(k)
		}
		s := newForest(c, local)
		if s == nil {
			continue
		}
		networks++
		a, p, r1 := s.blocks()
		b, q, r2 := c.eliminate(local)
		if r1 != r2 || len(a) != len(b) || len(p) != len(q) {
			t.Fatalf("forest: %d blocks, %d cells, %v; elimination: %d, %d, %v", len(a), len(p), r1, len(b), len(q), r2)
		}
		for k := range a {
			cycles := a[k].basis()
			if !slices.Equal(a[k].cells, b[k].cells) || !sameLattice(cycles, b[k].basis()) {
				t.Fatalf("block %d differs", k)
			}
			for _, w := range cycles {
				if w.largest() != 1 {
					t.Fatalf("cycle %v", w.s)
				}
			}
		}
		for k := range p {
			if p[k].cell != q[k].cell || p[k].value.cmp(q[k].value) != 0 {
				t.Fatalf("cell %d is %v by the forest, cell %d is %v by elimination", p[k].cell, p[k].value.wide(), q[k].cell, q[k].value.wide())
			}
		}
	}
	return networks
}

// With linear programs in place of inequalities, on every level, the walk is the
// same.
func TestLinearProgramsAlone(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		tab, withheld := build(t, r, 8, flat(t, "R", 3), flat(t, "C", 3), flat(t, "P", 2))
		hi := make([]int64, tab.Len())
		for i := range hi {
			hi[i] = tab.Value[i] + 2
		}
		f, g := mustNew(t, tab.Rel, withheld, tab.Value, nil, hi), mustNew(t, tab.Rel, withheld, tab.Value, nil, hi)
		must.Do(t, g.Check(bg))
		for _, p := range g.plans {
			for j := range p.levels {
				l := &p.levels[j]
				l.c, l.r, l.wall, l.lp = nil, nil, nil, true
			}
		}
		if a, b := collect(f), collect(g); !slices.EqualFunc(a, b, slices.Equal[[]int64]) {
			t.Fatalf("seed %d: %d points with inequalities, %d with programs", seed, len(a), len(b))
		}
	}
}

// More than fourierRows derived inequalities are left out, to the loss of no point.
func TestCutShadows(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		const d, m = 7, 16
		rel := table.NewRelations(d + m)
		hi := make([]int64, rel.N)
		for j := range m { // y_d+j = 20 + random form of y_0 … y_d−1
			cell, coef := []int32{int32(d + j)}, []int32{-1}
			for i := range d {
				cell, coef = append(cell, int32(i)), append(coef, r.Int32N(9)-4)
			}
			rel.Add(cell, coef, -int64(5+r.IntN(10)))
		}
		for i := range hi {
			hi[i] = []int64{3, 15}[min(1, i/d)]
		}
		f := mustNew(t, rel, all(rel.N), make([]int64, rel.N), nil, hi)
		must.Do(t, f.Check(bg))
		cut := false
		for _, p := range f.plans {
			for j := range p.levels {
				cut = cut || p.levels[j].lp
			}
		}
		if !cut {
			continue
		}
		want := backtrack(rel, all(rel.N), make([]int64, rel.N), make([]int64, rel.N), hi)
		slices.SortFunc(want, slices.Compare[[]int64])
		check(t, fmt.Sprintf("seed %d", seed), f, want)
		if seed > 20 {
			return
		}
	}
	t.Fatal("no system was cut")
}

// The dimension of a large table needs no kernel.
func TestLargeTable(t *testing.T) {
	const n = 120
	m := slices.Repeat([]int64{100}, n)
	rel := twoWay(m, m)
	f := mustNew(t, rel, all(n*n), make([]int64, n*n), nil, nil)
	if f.Dim() != (n-1)*(n-1) || len(f.Blocks()) != 1 {
		t.Fatalf("dimension %d in %d blocks", f.Dim(), len(f.Blocks()))
	}
	if err, ok := f.Check(bg).(*SizeError); !ok || err.Dim != f.Dim() {
		t.Fatalf("Check: %v", f.Check(bg))
	}
}

// Points allocates for the walk, not for its points.
func TestAllocations(t *testing.T) {
	f := square(t, 4, 5)
	must.Do(t, f.Check(bg))
	points := 0
	n := testing.AllocsPerRun(1, func() {
		for range f.Points(bg) {
			points++
		}
	})
	if n > 20 || points < 40000 {
		t.Fatalf("%v allocations for %d points", n, points)
	}
}

// A limit of work ends Count.
func TestCountLimited(t *testing.T) {
	f := square(t, 5, 9)
	ctx := work.Metered(bg)
	ctx, stop := work.Limited(ctx, work.Now(ctx), 10*time.Millisecond)
	defer stop()
	if n, exact, err := f.Count(ctx, nil); exact || err == nil || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		t.Fatalf("%v, exact %v, %v", n, exact, err)
	}
}

func TestCancel(t *testing.T) {
	f := square(t, 5, 9)
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if err := f.Check(ctx); err != context.Canceled {
		t.Fatalf("Check after cancellation: %v", err)
	}
	if parts, err := f.Parts(ctx, 2); parts != nil || err != context.Canceled {
		t.Fatalf("Parts after cancellation: %d, %v", len(parts), err)
	}
	ctx, cancel = context.WithCancel(bg) // a later call starts again
	defer cancel()
	points := 0
	for range f.Points(ctx) {
		if points++; points == 10 {
			cancel()
		}
	}
	if points > 10+4096 {
		t.Fatalf("%d points after the context was done", points)
	}
	if n, exact, err := f.Count(ctx, nil); err == nil || exact {
		t.Fatalf("Count after cancellation: %v, exact %v, %v", n, exact, err)
	}
}

// Parts in parallel see every point once.
func TestPartsInParallel(t *testing.T) {
	f := square(t, 4, 5)
	var start sync.WaitGroup
	for range 4 { // the first calls prepare
		start.Go(func() {
			f.Kernel()
			f.Bounds(3)
			for range f.Points(bg) {
				break
			}
		})
	}
	start.Wait()
	want := mustCount(t, f)
	parts, err := f.Parts(bg, 8)
	if err != nil || len(parts) != 8 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	counts := make([]int64, len(parts))
	var wg sync.WaitGroup
	for k, p := range parts {
		wg.Go(func() {
			for range p.Points(bg) {
				counts[k]++
			}
		})
	}
	wg.Wait()
	sum := int64(0)
	for _, c := range counts {
		sum += c
		if c > want/2 {
			t.Errorf("a part of %d out of %d points", c, want)
		}
	}
	if sum != want {
		t.Fatalf("%d points in all parts, want %d", sum, want)
	}
}

// Counting contingency tables by columns, an oracle without linear algebra: ways to
// fill the columns one after the other, by what the rows have left.
func countTables(rows, cols []int64) int64 {
	ways := map[string]int64{fmt.Sprint(rows): 1}
	left := map[string][]int64{fmt.Sprint(rows): rows}
	for _, c := range cols {
		next, states := map[string]int64{}, map[string][]int64{}
		for key, r := range left {
			var fill func(i int, need int64, now []int64)
			fill = func(i int, need int64, now []int64) {
				if i == len(r) {
					if need == 0 {
						k := fmt.Sprint(now)
						next[k] += ways[key]
						states[k] = slices.Clone(now)
					}
					return
				}
				for v := int64(0); v <= min(need, r[i]); v++ {
					fill(i+1, need-v, append(now, r[i]-v))
				}
			}
			fill(0, c, nil)
		}
		ways, left = next, states
	}
	return ways[fmt.Sprint(make([]int64, len(rows)))]
}

func TestContingencyTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, c := rapid.IntRange(1, 4).Draw(t, "r"), rapid.IntRange(1, 4).Draw(t, "c")
		rows, cols := make([]int64, r), make([]int64, c)
		for i := range r {
			for j := range c {
				v := rapid.Int64Range(0, 2).Draw(t, "v")
				rows[i] += v
				cols[j] += v
			}
		}
		rel := twoWay(rows, cols)
		f, err := New(rel, all(rel.N), make([]int64, rel.N), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, exact, err := f.Count(bg, nil)
		if want := countTables(rows, cols); !exact || err != nil || n.Int64() != want {
			t.Fatalf("%v × %v: %v tables, want %d; %v", rows, cols, n, want, err)
		}
	})
}

// FuzzFibre reads a small system from bytes and compares with the oracle.
func FuzzFibre(f *testing.F) {
	f.Add([]byte{4, 2, 1, 1, 0, 0, 3, 0, 0, 1, 1, 3})
	f.Add([]byte{3, 1, 2, 3, 251, 7})
	f.Add([]byte{5, 3, 1, 255, 1, 255, 1, 0, 2, 2, 2, 2, 2, 6, 9, 0, 0, 0, 1, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() int64 {
			if len(data) == 0 {
				return 0
			}
			b := int8(data[0])
			data = data[1:]
			return int64(b)
		}
		n, m := int(next()&3)+2, int(next()&3)
		rel := table.NewRelations(n)
		for range m {
			coef := make([]int32, n)
			for i := range coef {
				coef[i] = int32(next())
			}
			rel.Add(all(n), coef, next())
		}
		lo, hi, zero := make([]int64, n), make([]int64, n), make([]int64, n)
		for i := range n {
			lo[i] = next() & 3
			hi[i] = lo[i] + next()&7 - 1
		}
		want := backtrack(rel, all(n), zero, lo, hi)
		slices.SortFunc(want, slices.Compare[[]int64])
		check(t, "fuzz", mustNew(t, rel, all(n), zero, lo, hi), want)
	})
}

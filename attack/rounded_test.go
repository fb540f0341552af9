package attack

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/table"
)

// small is a table of rows by columns of drawn counts, with margins.
func small(t testing.TB, rng *rand.Rand, most int64, sizes ...int) *table.Table {
	var dims []table.Dimension
	for d, n := range sizes {
		var codes []string
		for c := range n {
			codes = append(codes, fmt.Sprintf("%c%d", 'a'+d, c))
		}
		dim := must.Get(table.FlatDimension(fmt.Sprint("D", d), "T", codes))(t)
		dims = append(dims, dim)
	}
	var records []table.Record
	var fill func(codes []string)
	fill = func(codes []string) {
		if d := len(codes); d < len(dims) {
			for _, c := range dims[d].Codes[1:] {
				fill(append(slices.Clone(codes), c))
			}
			return
		}
		records = append(records, table.Record{Codes: codes, Value: table.Num(rng.Int64N(most+1), 0)})
	}
	fill(nil)
	return must.Get(table.Build("t", dims, records, true))(t)
}

// behind calls do for every table of inner counts, margins added up, whose cells all lie less than b from y. It knows nothing of lattices and relations.
func behind(t *table.Table, y []int64, b int64, do func(a []int64)) {
	leaves, k := t.Leaves(), len(t.Dims)
	var inner []int
	for i := range y {
		if !t.IsMargin(i, leaves) {
			inner = append(inner, i)
		}
	}
	a := make([]int64, len(y))
	var try func(n int)
	try = func(n int) {
		if n < len(inner) {
			i := inner[n]
			for v := max(0, y[i]-b+1); v < y[i]+b; v++ {
				a[i] = v
				try(n + 1)
			}
			return
		}
		for i := range a {
			if t.IsMargin(i, leaves) {
				a[i] = 0
				for _, j := range inner {
					part := true
					for d := range k {
						if c := t.Coord[i*k+d]; c != 0 && c != t.Coord[j*k+d] {
							part = false
						}
					}
					if part {
						a[i] += a[j]
					}
				}
			}
			if num.Abs(a[i]-y[i]) >= b {
				return
			}
		}
		do(a)
	}
	try(0)
}

// nearest is the least distance of a to a table of multiples next to it that adds up and for which keep holds, by going through all inner roundings.
func nearest(t *table.Table, a []int64, b int64, keep func(y []int64) bool) int64 {
	best := int64(-1)
	behind(t, a, b, func(y []int64) {
		d := int64(0)
		for i, v := range y {
			if v%b != 0 || a[i]%b == 0 && v != a[i] {
				return
			}
			d += num.Abs(v - a[i])
		}
		if (best < 0 || d < best) && keep(y) {
			best = d
		}
	})
	return best
}

// TestRoundedBruteForce compares with all tables behind a rounded one, and all roundings of each; without levels and with them.
func TestRoundedBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 5))
	ctx := context.Background()
	narrowed, levels := 0, 0
	for n := range 24 {
		of, base := small(t, rng, 6, 2, 2), int64(3)
		opt := &RoundedOptions{Base: base}
		if n%3 == 2 {
			opt.Below, opt.Strict = 2, false
			opt.Levels.Width = &table.Level{Decimal: table.Decimal{Unscaled: 3}}
		}
		truth := must.Get(opt.table(of, nil, nil))(t)
		res := must.Get(rounding.Round(ctx, truth, &rounding.Options{Base: base, Protect: true}))(t)
		if res.Value == nil {
			continue
		}
		pub := of.Clone()
		copy(pub.Value, res.Value)
		got := must.Get(Rounded(ctx, Published(pub, nil), opt))(t)
		// What a reader of a rounding knows of a count of 1: its interval is 3 wide.
		wide := func(y []int64) func(i int) bool {
			lo, hi := map[int]int64{}, map[int]int64{}
			behind(of, y, base, func(a []int64) {
				for i, v := range a {
					if l, ok := lo[i]; !ok || v < l {
						lo[i] = v
					}
					hi[i] = max(hi[i], v)
				}
			})
			return func(i int) bool { return hi[i]-lo[i] >= 3 }
		}
		cache := map[string]func(int) bool{}
		keep := func(a []int64) func(y []int64) bool {
			return func(y []int64) bool {
				if opt.Below == 0 {
					return true
				}
				id := fmt.Sprint(y)
				if cache[id] == nil {
					cache[id] = wide(y)
				}
				for i, v := range a {
					if v == 1 && !cache[id](i) {
						return false
					}
				}
				return true
			}
		}
		tables, matching := int64(0), int64(0)
		want := make([]Range, of.Len())
		for i := range want {
			want[i].Empty = true
		}
		behind(of, res.Value, base, func(a []int64) {
			tables++
			mine := int64(0)
			for i, v := range a {
				mine += num.Abs(v - res.Value[i])
			}
			a = slices.Clone(a)
			if keep(a)(res.Value) && nearest(of, a, base, keep(a)) == mine {
				matching++
				for i, v := range a {
					want[i].add(v)
				}
			}
		})
		if !got.Complete || got.Candidates.Int64() != tables || got.Matching.Int64() != matching {
			t.Fatalf("%d: %v: complete %v, %v candidates, %v match; there are %d, of which %d match", n, res.Value, got.Complete, got.Candidates, got.Matching, tables, matching)
		}
		for k, c := range got.Cells {
			if c.Outer != want[k] || c.Inner != want[k] {
				t.Errorf("%d: %s: %+v, want %+v", n, of.CellName(k), c.Outer, want[k])
			}
			if v := of.Value[k]; v < c.Outer.Lo || v > c.Outer.Hi {
				t.Errorf("%d: %s: %d is not in %+v", n, of.CellName(k), v, c.Outer)
			}
			lo, _ := ceilRat(c.Lo)
			if hi, _ := floorRat(c.Hi); lo < c.Outer.Lo || hi > c.Outer.Hi {
				narrowed++
			}
		}
		if opt.Below > 0 {
			levels++
		}
	}
	if narrowed < 10 || levels < 4 {
		t.Errorf("%d cells narrowed, %d tables with levels", narrowed, levels)
	}
}

// TestRoundedSmallBruteForce compares small counts with all inner counts behind them, and all ways to round these.
func TestRoundedSmallBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 6))
	ctx := context.Background()
	narrowed := 0
	for n := range 16 {
		of, base := small(t, rng, 6, 2, 2+n%2), int64(3+n%2)
		leaves := of.Leaves()
		var inner []int
		for i := range of.Value {
			if !of.IsMargin(i, leaves) {
				inner = append(inner, i)
			}
		}
		// product calls do for all tables whose inner cells have a value of their list.
		product := func(lists [][]int64, do func(a []int64)) {
			a := make([]int64, of.Len())
			var next func(k int)
			next = func(k int) {
				if k < len(inner) {
					for _, v := range lists[k] {
						a[inner[k]] = v
						next(k + 1)
					}
					return
				}
				for i := range a {
					if of.IsMargin(i, leaves) {
						a[i] = 0
						for _, j := range inner {
							if r, c := of.Coord[2*i], of.Coord[2*i+1]; (r == 0 || r == of.Coord[2*j]) && (c == 0 || c == of.Coord[2*j+1]) {
								a[i] += a[j]
							}
						}
					}
				}
				do(a)
			}
			next(0)
		}
		apart := func(a, y []int64) (d int64) {
			for i := range a {
				d += num.Abs(a[i] - y[i])
			}
			return d
		}
		res := must.Get(rounding.Small(ctx, of, &rounding.Options{Base: base}))(t)
		y := res.Value
		pub := of.Clone()
		copy(pub.Value, y)
		got := must.Get(Rounded(ctx, Published(pub, nil), &RoundedOptions{Base: base, Small: true}))(t)
		behind := make([][]int64, len(inner))
		for k, i := range inner {
			for v := int64(0); v <= y[i]; v++ {
				if v == y[i] || y[i] == base && v > 0 {
					behind[k] = append(behind[k], v)
				}
			}
			for v := int64(1); y[i] == 0 && v < base; v++ {
				behind[k] = append(behind[k], v)
			}
		}
		tables, matching := int64(0), int64(0)
		want := slices.Repeat([]Range{{Empty: true}}, of.Len())
		product(behind, func(a []int64) {
			tables++
			a = slices.Clone(a)
			ways := make([][]int64, len(inner))
			for k, i := range inner {
				if ways[k] = []int64{a[i]}; a[i] > 0 && a[i] < base {
					ways[k] = []int64{0, base}
				}
			}
			best := apart(a, y)
			product(ways, func(z []int64) { best = min(best, apart(a, z)) })
			if best == apart(a, y) {
				matching++
				for i, v := range a {
					want[i].add(v)
				}
			}
		})
		if !got.Complete || got.Candidates.Int64() != tables || got.Matching.Int64() != matching {
			t.Fatalf("%d: %v: complete %v, %v candidates, %v match; there are %d, of which %d match", n, y, got.Complete, got.Candidates, got.Matching, tables, matching)
		}
		for k, c := range got.Cells {
			if c.Outer != want[k] {
				t.Errorf("%d: %s: %+v, want %+v", n, of.CellName(k), c.Outer, want[k])
			}
			if hi, _ := floorRat(c.Hi); hi > c.Outer.Hi {
				narrowed++
			}
		}
	}
	if narrowed < 10 {
		t.Errorf("%d cells narrowed", narrowed)
	}
}

var roundedTables = flag.Int("rounded.tables", 0, "tables of each kind that TestRoundedNarrows draws, 0: one of the smallest; with -v it prints shares")

// TestRoundedNarrows asks that the true values match, and that exact finds a part of any; with -v it tells by how much intervals get narrower.
func TestRoundedNarrows(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for k, c := range []struct {
		rows, columns int
		base, below   int64
		small         bool
	}{{2, 2, 3, 0, false}, {2, 3, 3, 0, false}, {3, 3, 3, 0, false}, {2, 3, 3, 3, false}, {2, 2, 5, 0, false}, {2, 3, 5, 0, false}, {2, 2, 5, 3, false}, {2, 3, 3, 0, true}, {2, 3, 5, 0, true}, {3, 3, 3, 0, true}, {3, 3, 5, 0, true}} {
		rng := rand.New(rand.NewPCG(21, uint64(k)))
		cells, feasible := 0, int64(0)
		narrow, known, width := [2]int{}, [2]int{}, [2]int64{}
		candidates, matching := int64(0), [2]int64{}
		tables := *roundedTables
		if tables == 0 && c.rows*c.columns*int(c.base) <= 20 {
			tables = 1
		}
		for range tables {
			of := small(t, rng, 3*c.base, c.rows, c.columns)
			opt := &RoundedOptions{Base: c.base, Small: c.small}
			if c.below > 0 {
				opt.Below, opt.Levels.Width = c.below, &table.Level{Decimal: table.Decimal{Unscaled: c.base - 1}}
			}
			truth := must.Get(opt.table(of, nil, nil))(t)
			do := rounding.Round
			if c.small {
				do = rounding.Small
			}
			res := must.Get(do(ctx, truth, &rounding.Options{Base: c.base, Protect: true}))(t)
			if res.Value == nil {
				continue
			}
			pub := of.Clone()
			copy(pub.Value, res.Value)
			var before *Result
			for m, match := range []Match{Any, Exact} {
				opt.Match = match
				got := must.Get(Rounded(ctx, Published(pub, nil), opt))(t)
				if !got.Complete || before != nil && got.Matching.Cmp(before.Matching) > 0 {
					t.Fatalf("%v: complete %v, %v match", match, got.Complete, got.Matching)
				}
				matching[m] += got.Matching.Int64()
				for i, x := range got.Cells {
					if v := of.Value[i]; v < x.Inner.Lo || v > x.Inner.Hi || x.Inner.Empty || before != nil && (x.Inner.Lo < before.Cells[i].Inner.Lo || x.Inner.Hi > before.Cells[i].Inner.Hi) {
						t.Fatalf("%v: %s is %d, found %+v", match, of.CellName(i), v, x.Inner)
					}
					lo, _ := ceilRat(x.Lo)
					hi, _ := floorRat(x.Hi)
					width[m] += x.Inner.Width()
					if x.Inner.Width() < hi-lo {
						narrow[m]++
						if x.Inner.Width() == 0 {
							known[m]++
						}
					}
					if m == 0 {
						cells++
						feasible += hi - lo
					}
				}
				before = got
				candidates += got.Candidates.Int64() * int64(1-m)
			}
		}
		share := func(n int64, of int64) float64 { return float64(n) / float64(max(1, of)) }
		t.Logf("%d×%d base %d below %d small %v: %d cells, width %.2f → %.2f, %.2f; narrower %.1f %%, %.1f %%; one value left %d, %d; matching %.1f %%, %.1f %%",
			c.rows, c.columns, c.base, c.below, c.small, cells, share(feasible, int64(cells)), share(width[0], int64(cells)), share(width[1], int64(cells)),
			100*share(int64(narrow[0]), int64(cells)), 100*share(int64(narrow[1]), int64(cells)), known[0], known[1], 100*share(matching[0], candidates), 100*share(matching[1], candidates))
	}
}

package rounding

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// cube is a table of so many ways with drawn inner values from 0 to most.
func cube(t testing.TB, rng *rand.Rand, most int64, sizes ...int) *table.Table {
	var dims []table.Dimension
	for d, n := range sizes {
		codes := make([]string, n)
		for c := range codes {
			codes[c] = fmt.Sprintf("%c%d", 'a'+d, c)
		}
		dim := must.Get(table.FlatDimension(fmt.Sprintf("D%d", d), "T", codes))(t)
		dims = append(dims, dim)
	}
	return build(t, rng, most, dims)
}

// tree is a dimension of depth levels, every code with n below it.
func tree(t testing.TB, name string, n, depth int) table.Dimension {
	edges := []table.Edge{}
	above := []string{"T"}
	for level := range depth {
		var next []string
		for _, p := range above {
			for c := range n {
				code := fmt.Sprintf("%s%d", name, c)
				if level > 0 {
					code = fmt.Sprintf("%s%d", p, c)
				}
				edges = append(edges, table.Edge{Code: code, Parent: p, Line: len(edges) + 1})
				next = append(next, code)
			}
		}
		above = next
	}
	return must.Get(table.NewDimension(name, "T", edges))(t)
}

func build(t testing.TB, rng *rand.Rand, most int64, dims []table.Dimension) *table.Table {
	var records []table.Record
	leaves := make([][]string, len(dims))
	for d := range dims {
		for c, leaf := range dims[d].Leaves() {
			if leaf {
				leaves[d] = append(leaves[d], dims[d].Codes[c])
			}
		}
	}
	var codes func(have []string)
	codes = func(have []string) {
		if len(have) < len(dims) {
			for _, c := range leaves[len(have)] {
				codes(append(slices.Clone(have), c))
			}
			return
		}
		records = append(records, table.Record{Codes: have, Value: table.Num(rng.Int64N(most+1), 0)})
	}
	codes(nil)
	return must.Get(table.Build("t", dims, records, true))(t)
}

// all calls do with every rounding of t to base b within steps: every point of the lattice that adds up.
func all(t *table.Table, b int64, steps int, do func(y []int64)) {
	n := t.Len()
	choices := make([][]int64, n)
	for i, v := range t.Value {
		f := num.FloorDiv(v, b) * b
		lo, up := f, f+b
		if v == f {
			up = f
		}
		for y := lo - int64(steps)*b; y <= up+int64(steps)*b; y += b {
			if v == 0 && y != 0 || y < 0 {
				continue
			}
			choices[i] = append(choices[i], y)
		}
	}
	cols := t.Rel.Columns()
	left := make([]int, t.Rel.Len())
	for j := range left {
		cell, _ := t.Rel.Row(j)
		left[j] = len(cell)
	}
	sum := make([]int64, t.Rel.Len())
	y := make([]int64, n)
	var place func(i int)
	place = func(i int) {
		if i == n {
			do(y)
			return
		}
		rel, coef := cols.Column(i)
		for _, v := range choices[i] {
			y[i] = v
			fits := true
			for e, j := range rel {
				sum[j] += int64(coef[e]) * v
				left[j]--
				fits = fits && (left[j] > 0 || sum[j] == t.Rel.RHS[j])
			}
			if fits {
				place(i + 1)
			}
			for e, j := range rel {
				sum[j] -= int64(coef[e]) * v
				left[j]++
			}
		}
	}
	place(0)
}

func away(t *table.Table, w, y []int64) int64 {
	var d int64
	for i, v := range y {
		c := int64(1)
		if w != nil {
			c = w[i]
		}
		d += c * num.Abs(v-t.Value[i])
	}
	return d
}

// TestBruteForce compares with all roundings of small tables of two and three ways, with trees, and by both engines.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	none, found := 0, 0
	for n := range 120 {
		var tab *table.Table
		switch n % 4 {
		case 0:
			tab = cube(t, rng, 9, 2+rng.IntN(2), 3)
		case 1:
			tab = cube(t, rng, 7, 2, 2, 2)
		case 2:
			tab = build(t, rng, 8, []table.Dimension{tree(t, "a", 2, 2), tree(t, "b", 2, 1)})
		case 3:
			tab = cube(t, rng, 4, 2, 2, 2)
		}
		b := 2 + rng.Int64N(4)
		var w []int64
		if n%3 == 0 {
			w = make([]int64, tab.Len())
			for i := range w {
				w[i] = rng.Int64N(5)
			}
		}
		best := int64(-1)
		all(tab, b, 0, func(y []int64) {
			if d := away(tab, w, y); best < 0 || d < best {
				best = d
			}
		})
		opt := &Options{Base: b, Weights: w}
		r := must.Get(Round(context.Background(), tab, opt))(t)
		l := must.Get(nearest(tab, opt, 0))(t)
		s := must.Get(l.search(context.Background(), opt, &guard{}, nil))(t)
		for _, r := range []*Result{r, s} {
			switch {
			case best < 0:
				none++
				if r.Status != solver.Infeasible {
					t.Errorf("%d: %s %s, but there is no rounding", n, r.Engine, r.Status)
				}
			case r.Status != solver.Optimal || r.Distance != best || r.Bound != best || away(tab, w, r.Value) != best || !tab.Rel.Holds(r.Value) || r.Steps != 0:
				t.Errorf("%d: %s: %s %d (bound %d), the best is %d", n, r.Engine, r.Status, r.Distance, r.Bound, best)
			default:
				found++
			}
		}
	}
	if found < 150 {
		t.Errorf("%d found, %d without any: too few for a test", found, none)
	}
}

// TestSteps takes a table of three ways without zero-restricted rounding, and asks how far beyond it must go.
func TestSteps(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for n := 0; n < 4000 && seen < 2; n++ {
		tab := cube(t, rng, 2, 3, 3, 3)
		r := must.Get(Round(context.Background(), tab, &Options{Base: 2, Steps: 1}))(t)
		if r.Allowed == 0 {
			continue
		}
		seen++
		any := false
		all(tab, 2, 0, func([]int64) { any = true })
		if any || r.Fewer != solver.Infeasible || r.Value == nil || r.Steps != 1 || !tab.Rel.Holds(r.Value) {
			t.Errorf("%d: zero-restricted %t, said %s; %s with %d steps", n, any, r.Fewer, r.Status, r.Steps)
		}
	}
	t.Logf("%d tables without a zero-restricted rounding", seen)
}

// TestSlabs holds what slab by slab gives against the best of all.
func TestSlabs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for n := range 30 {
		tab := cube(t, rng, 20, 4, 4, 4)
		if n%3 == 0 {
			tab = build(t, rng, 20, []table.Dimension{tree(t, "a", 2, 3), tree(t, "b", 3, 2)})
		}
		r := must.Get(Round(context.Background(), tab, &Options{Base: 5, Partitioned: true}))(t)
		if r.Value == nil {
			continue
		}
		found++
		e := must.Get(Round(context.Background(), tab, &Options{Base: 5, Nodes: 200}))(t)
		t.Logf("slabs %d, search %s %d, bound %d, %d nodes", r.Distance, e.Status, e.Distance, e.Bound, e.Nodes)
		if r.Steps > 0 || !tab.Rel.Holds(r.Value) || r.Bound > e.Distance || r.Distance < e.Bound || e.Distance > r.Distance {
			t.Errorf("%d: slabs %d (bound %d), search %d (bound %d)", n, r.Distance, r.Bound, e.Distance, e.Bound)
		}
	}
	if found < 25 {
		t.Errorf("%d of 30 rounded slab by slab", found)
	}
}

// TestIsNetwork says which tables have the fast way.
func TestIsNetwork(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	if !oracle.NewSystem(tab.Rel).IsNetwork() {
		t.Error("a table of two ways is no network")
	}
}

// TestSmallPublished rounds the small counts of the example of the package SmallCountRounding (its vignette): all inner counts from 1 to 4 become 0
// or 5. The table printed there is as near as any.
func TestSmallPublished(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{6, 0, 1, 3, 4}, {1, 2, 3, 1, 2}, {0, 1, 1, 0, 2}})
	published := [][]int64{{6, 0, 0, 5, 5}, {0, 0, 5, 0, 0}, {0, 0, 0, 0, 5}}
	r := must.Get(Small(context.Background(), tab, &Options{Base: 5}))(t)
	theirs := tabletest.CrossTab(t, published)
	if r.Status != solver.Optimal || r.Distance != away(tab, nil, theirs.Value) || !tab.Rel.Holds(r.Value) {
		t.Errorf("%s, distance %d; theirs %d", r.Status, r.Distance, away(tab, nil, theirs.Value))
	}
	for i, v := range r.Value {
		if 0 < v && v < 5 {
			t.Errorf("%s: %d is small", tab.CellName(i), v)
		}
	}
	if best := smallest(tab, 5); r.Distance != best {
		t.Errorf("distance %d, the best of all is %d", r.Distance, best)
	}
}

// smallest is the least distance over all roundings of small inner counts.
func smallest(t *table.Table, b int64) int64 {
	leaves := t.Leaves()
	var cells []int
	for i, v := range t.Value {
		if 0 < v && v < b && !t.IsMargin(i, leaves) {
			cells = append(cells, i)
		}
	}
	best := int64(-1)
	k := len(t.Dims)
	for m := range 1 << len(cells) {
		y := slices.Clone(t.Value)
		for e, i := range cells {
			by := -t.Value[i]
			if m>>e&1 == 1 {
				by = b - t.Value[i]
			}
			for o := range t.Len() { // of tables without trees
				under := true
				for d := range k {
					c := t.Coord[o*k+d]
					under = under && (c == 0 || c == t.Coord[i*k+d])
				}
				if under {
					y[o] += by
				}
			}
		}
		if d := away(t, nil, y); best < 0 || d < best {
			best = d
		}
	}
	return best
}

// TestProtect asks for levels: all roundings are looked at, and what a reader learns of each.
func TestProtect(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 10))
	cuts, none := 0, 0
	for n := range 40 {
		tab := cube(t, rng, 6, 2, 3)
		if n%4 == 3 {
			tab = cube(t, rng, 3, 2, 2, 2)
		}
		b := 3 + rng.Int64N(3)
		for i := range tab.Len() {
			if tab.Value[i] > 0 && rng.IntN(3) == 0 {
				tab.Status[i] = table.Sensitive
				tab.UPL[i] = rng.Int64N(b + 1)
				tab.LPL[i] = min(tab.Value[i], rng.Int64N(b))
				tab.Width[i] = rng.Int64N(2 * b)
			}
		}
		opt := &Options{Base: b, Protect: true}
		l := must.Get(nearest(tab, opt, 0))(t)
		g := newGuard(tab, opt, l)
		best := int64(-1)
		all(tab, b, 0, func(y []int64) {
			if d := away(tab, nil, y); best < 0 || d < best {
				open := must.Get(g.open(context.Background(), y))(t)
				if len(open) == 0 {
					best = d
				}
			}
		})
		r := must.Get(Round(context.Background(), tab, opt))(t)
		cuts += r.Cuts
		if best < 0 {
			none++
			if r.Status != solver.Infeasible {
				t.Errorf("%d: %s, but nothing protects", n, r.Status)
			}
			continue
		}
		if r.Status != solver.Optimal || r.Distance != best {
			t.Errorf("%d: %s %d (bound %d), the best is %d", n, r.Status, r.Distance, r.Bound, best)
		}
	}
	if cuts == 0 || none == 40 {
		t.Errorf("%d cuts, %d tables that nothing protects", cuts, none)
	}
}

// TestMultiples rounds a table of three ways that is rounded already.
func TestMultiples(t *testing.T) {
	t.Parallel()
	tab := cube(t, rand.New(rand.NewPCG(13, 14)), 9, 2, 2, 3)
	for i := range tab.Value {
		tab.Value[i] *= 5
	}
	r, err := Round(context.Background(), tab, &Options{Base: 5})
	if err != nil || r.Status != solver.Optimal || r.Distance != 0 || !slices.Equal(r.Value, tab.Value) {
		t.Errorf("%v %+v", err, r)
	}
}

package modular

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/interval"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// tree returns a dimension with the branching given level by level.
func tree(t *testing.T, name string, branching ...int) table.Dimension {
	t.Helper()
	var edges []table.Edge
	above := []string{"Total"}
	for _, b := range branching {
		var next []string
		for _, p := range above {
			for c := range b {
				code := strconv.Itoa(c)
				if p != "Total" {
					code = p + "." + code
				}
				edges = append(edges, table.Edge{Code: code, Parent: p})
				next = append(next, code)
			}
		}
		above = next
	}
	d, err := table.NewDimension(name, "Total", edges)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// draw makes a table of counts over dims; small cells are sensitive, now and then a
// margin is too, and some cells must stay published.
func draw(t *testing.T, rng *rand.Rand, dims ...table.Dimension) *table.Table {
	t.Helper()
	var records []table.Record
	var walk func(codes []string)
	walk = func(codes []string) {
		if d := len(codes); d < len(dims) {
			leaf := dims[d].Leaves()
			for c, code := range dims[d].Codes {
				if leaf[c] {
					walk(append(slices.Clone(codes), code))
				}
			}
			return
		}
		records = append(records, table.Record{Codes: codes, Value: table.Num(rng.Int64N(30), 0)})
	}
	walk(nil)
	tab, err := table.Build("drawn", dims, records, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range tab.Value {
		switch {
		case v > 0 && v < 4 || v > 0 && rng.IntN(40) == 0:
			tab.Status[i] = table.Sensitive
			tab.LPL[i], tab.UPL[i] = min(v, 3), rng.Int64N(4)
			if rng.IntN(3) == 0 {
				tab.Width[i] = 8
			}
		case rng.IntN(30) == 0:
			tab.Status[i] = table.Published
		}
	}
	return tab
}

func shapes(t *testing.T) [][]table.Dimension {
	return [][]table.Dimension{
		{tree(t, "A", 3), tree(t, "B", 3)},
		{tree(t, "A", 2, 2), tree(t, "B", 3)},
		{tree(t, "A", 2, 2), tree(t, "B", 2, 2)},
		{tree(t, "A", 3, 1, 2), tree(t, "B", 2, 3)},
		{tree(t, "A", 2, 2, 2)},
		{tree(t, "A", 2, 2), tree(t, "B", 2), tree(t, "C", 2)},
	}
}

// The pattern is protected by witnesses and by the intervals themselves, the bound is
// below the exact optimum and the cost not below it, and what the exact search calls
// unprotectable is so here.
func TestAgainstExact(t *testing.T) {
	ctx := context.Background()
	protected, exposed, repaired := 0, 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 1))
		all := shapes(t)
		tab := draw(t, rng, all[seed%uint64(len(all))]...)
		tab.Strict = rng.IntN(4) == 0
		best, errBest := solver.Suppress(ctx, tab, nil)
		before := tab.Clone()
		sol, err := Suppress(ctx, tab, &solver.Options{Workers: 2})
		var u *solver.UnprotectableError
		if errors.As(errBest, &u) {
			if !errors.As(err, &u) {
				t.Errorf("seed %d: %v, want %v", seed, err, errBest)
			}
			exposed++
			continue
		}
		if err != nil || errBest != nil {
			t.Fatalf("seed %d: %v, %v", seed, err, errBest)
		}
		if !slices.Equal(before.Status, tab.Status) || !slices.Equal(before.Cost, tab.Cost) {
			t.Errorf("seed %d: the table was changed", seed)
		}
		if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		rep, err := interval.Audit(ctx, tab, sol.Pattern, nil)
		if err != nil || !rep.Protected {
			t.Errorf("seed %d: audit %v, %v", seed, rep, err)
		}
		if sol.Bound > best.Cost || best.Cost > sol.Cost {
			t.Errorf("seed %d: bound %d, optimum %d, cost %d", seed, sol.Bound, best.Cost, sol.Cost)
		}
		if sol.Status == solver.Optimal && sol.Cost != best.Cost {
			t.Errorf("seed %d: cost %d called optimal, the optimum is %d", seed, sol.Cost, best.Cost)
		}
		sum := int64(0)
		for i, in := range sol.Pattern {
			if in && tab.Status[i] == table.Safe {
				sum += tab.Cost[i]
			}
		}
		if sum != sol.Cost {
			t.Errorf("seed %d: cost %d, the pattern costs %d", seed, sol.Cost, sum)
		}
		if len(newClasses(tab.Rel).cells) == 1 && sol.Cost != best.Cost {
			t.Errorf("seed %d: cost %d of a single sub-table, the optimum is %d", seed, sol.Cost, best.Cost)
		}
		if sol.Cost > best.Cost {
			repaired++
		}
		protected++
	}
	if protected < 60 || exposed == 0 || repaired == 0 {
		t.Errorf("%d tables protected, %d exposed, %d above the optimum: too few to tell anything", protected, exposed, repaired)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	for seed := range uint64(8) {
		tab := draw(t, rand.New(rand.NewPCG(seed, 2)), tree(t, "A", 3, 3), tree(t, "B", 2, 3))
		var first *solver.Solution
		for _, workers := range []int{1, 3} {
			sol, err := Suppress(context.Background(), tab, &solver.Options{Workers: workers})
			if err != nil {
				t.Fatal(seed, err)
			}
			if first == nil {
				first = sol
			} else if !slices.Equal(first.Pattern, sol.Pattern) || first.Bound != sol.Bound {
				t.Errorf("seed %d: %d workers give another result", seed, workers)
			}
		}
	}
}

// Where a route's fractions are not simple exact arithmetic answers; its movements must show
// the same levels.
func TestExactly(t *testing.T) {
	ctx := context.Background()
	met, unmet := 0, 0
	for seed := range uint64(30) {
		all := shapes(t)
		tab := draw(t, rand.New(rand.NewPCG(seed, 5)), all[seed%uint64(len(all))]...)
		m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{})
		r, err := m.wholeTable()
		if err != nil {
			t.Fatal(err)
		}
		withheld := make([]bool, tab.Len())
		for i := range withheld {
			withheld[i] = tab.Status[i] != table.Published
		}
		rep, err := interval.Audit(ctx, tab, withheld, nil)
		if err != nil {
			t.Fatal(err)
		}
		ok := map[int32]bool{}
		for _, l := range m.levels {
			points, err := m.exactly(ctx, r, l, nil)
			if err != nil {
				t.Fatal(seed, err)
			}
			if _, seen := ok[l.K]; !seen {
				ok[l.K] = true
			}
			ok[l.K] = ok[l.K] && points != nil
		}
		for _, c := range rep.Cells {
			if got, asked := ok[int32(c.Index)]; asked && got != c.Protected {
				t.Errorf("seed %d: cell %d: %v, the audit says %v", seed, c.Index, got, c.Protected)
			}
		}
		for _, got := range ok {
			if got {
				met++
			} else {
				unmet++
			}
		}
		m.close()
	}
	if met == 0 || unmet == 0 {
		t.Errorf("%d cells met, %d not: nothing to tell them apart", met, unmet)
	}
}

// A hierarchical table comes apart into cross products of groups of siblings, each
// with its margins and their sums.
func TestClasses(t *testing.T) {
	tab := draw(t, rand.New(rand.NewPCG(1, 3)), tree(t, "A", 2, 3), tree(t, "B", 4))
	c := newClasses(tab.Rel)
	var sizes []int
	for s, cells := range c.cells {
		sizes = append(sizes, len(cells))
		for _, j := range c.rels[s] {
			row, _ := tab.Rel.Row(int(j))
			for _, i := range row {
				if _, in := slices.BinarySearch(cells, i); !in {
					t.Fatalf("sub-table %d lacks cell %s of its relation", s, tab.CellName(int(i)))
				}
			}
		}
	}
	slices.Sort(sizes)
	// B's total: {2+1}, twice {3+1}; A's total: {4+1}; then 3×5 and twice 4×5.
	if want := []int{3, 4, 4, 5, 15, 20, 20}; !slices.Equal(sizes, want) {
		t.Errorf("sub-tables of %v cells, want %v", sizes, want)
	}
	if len(c.level) != 3 {
		t.Errorf("%d levels, want 3", len(c.level))
	}
}

// Relations may run in circles in files that give relations alone.
func TestCircles(t *testing.T) {
	tab := &table.Table{Name: "circle", Rel: table.NewRelations(4)}
	for range 4 {
		tab.Value, tab.Cost, tab.Status = append(tab.Value, 5), append(tab.Cost, 1), append(tab.Status, table.Safe)
		tab.LPL, tab.UPL, tab.Width = append(tab.LPL, 0), append(tab.UPL, 0), append(tab.Width, 0)
		tab.Lower, tab.Upper = append(tab.Lower, 0), append(tab.Upper, table.PosInf)
	}
	tab.Status[0], tab.UPL[0] = table.Sensitive, 2
	for i := range int32(4) {
		tab.Rel.Add([]int32{i, (i + 1) % 4}, []int32{1, -1}, 0)
	}
	sol, err := Suppress(context.Background(), tab, nil)
	if err != nil || sol.Cost != 3 || sol.Bound > 3 {
		t.Fatalf("%+v, %v", sol, err)
	}
}

// A call that is asked to be punctual ends without a pattern, and so does one whose context ends.
func TestStopped(t *testing.T) {
	tab := draw(t, rand.New(rand.NewPCG(1, 4)), tree(t, "A", 4, 4), tree(t, "B", 4, 4))
	sol, err := Suppress(context.Background(), tab, &solver.Options{TimeLimit: time.Nanosecond, Punctual: true})
	if !errors.Is(err, solver.ErrNoSolution) || sol == nil || sol.Status != solver.None || sol.Pattern != nil {
		t.Errorf("%+v, %v", sol, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Suppress(ctx, tab, nil); !errors.Is(err, solver.ErrNoSolution) {
		t.Errorf("cancelled: %v", err)
	}
}

func ExampleSuppress() {
	// Two regions of two districts each; a district and its counterpart are small.
	dim := func(name string) table.Dimension {
		d, _ := table.NewDimension(name, "Total", []table.Edge{{Code: "1", Parent: "Total"}, {Code: "2", Parent: "Total"},
			{Code: "11", Parent: "1"}, {Code: "12", Parent: "1"}, {Code: "21", Parent: "2"}, {Code: "22", Parent: "2"}})
		return d
	}
	d := []table.Dimension{dim("A"), dim("B")}
	var records []table.Record
	for n, a := range []string{"11", "12", "21", "22"} {
		for m, b := range []string{"11", "12", "21", "22"} {
			records = append(records, table.Record{Codes: []string{a, b}, Value: table.Num(int64(3+7*n+5*m), 0)})
		}
	}
	t, _ := table.Build("districts", d, records, true)
	for i, v := range t.Value {
		if v < 5 {
			t.Status[i], t.UPL[i], t.LPL[i] = table.Sensitive, 2, 2
		}
	}
	sol, err := Suppress(context.Background(), t, nil)
	fmt.Println(sol.Status, sol.Cost, sol.Bound, err)
	// Output: optimal 33 33 <nil>
}

// Tables too large for routes through all of their cells have patterns that are protected, with the same bound.
func TestWithoutRoutes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dear, cheap := int64(0), int64(0)
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 9))
		tab := draw(t, rng, tree(t, "A", 3, 3), tree(t, "B", 3, 2, 2))
		var sol [2]*solver.Solution
		for n, routed := range []int{routedCells, 50} {
			m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{Workers: 1})
			m.routed = routed
			one, over, err := m.pattern(ctx, ctx, &solver.Options{}, m.solve(ctx, nil))
			m.close()
			var u *solver.UnprotectableError
			if errors.As(err, &u) {
				break
			}
			if err != nil || over {
				t.Fatalf("seed %d: %v, %v", seed, over, err)
			}
			sol[n] = one
			if err := certificate.Protects(tab, sol[n].Pattern, sol[n].Witnesses); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		if sol[1] == nil {
			continue
		}
		if sol[0].Bound > sol[1].Cost || sol[1].Bound > sol[0].Cost {
			t.Errorf("seed %d: bounds %d and %d, costs %d and %d", seed, sol[0].Bound, sol[1].Bound, sol[0].Cost, sol[1].Cost)
		}
		dear, cheap = dear+sol[1].Cost, cheap+sol[0].Cost
	}
	if cheap == 0 || float64(dear) > 1.2*float64(cheap) {
		t.Errorf("cost %d, with routes %d", dear, cheap)
	}
}

package insider

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// brief writes findings for comparison.
func brief(t *table.Table, found []Exposure) string {
	rat := func(r *big.Rat) string {
		if r == nil {
			return "-"
		}
		return r.RatString()
	}
	var lines []string
	for _, x := range found {
		relations := x.Relations && x.Disclosed
		lines = append(lines, fmt.Sprintf("%v %s [%s, %s] disclosed=%t relations=%t", x.Members, t.CellName(x.Cell), rat(x.Lo), rat(x.Hi), x.Disclosed, relations))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestInsidersOracle compares with every coalition tried one by one in rational
// arithmetic: two-way, three-way and hierarchical tables, with and without values.
func TestInsidersOracle(t *testing.T) {
	t.Parallel()
	found, disclosed, byBounds, larger, hidden := 0, 0, 0, 0, 0
	seeds := heavy.Draws(uint64(210))
	if testing.Short() {
		seeds = 42
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 11))
		tab, withheld := drawInsiders(rng, insiderShapes[seed%uint64(len(insiderShapes))])
		if seed%3 == 2 {
			tab = publish(tab, withheld)
		}
		rep, err := Run(t.Context(), tab, withheld, &Options{Coalition: 3})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if rep.Settled != 3 {
			t.Fatalf("seed %d: complete up to %d", seed, rep.Settled)
		}
		if len(rep.Contributors) > 12 {
			t.Fatalf("seed %d: %d contributors", seed, len(rep.Contributors))
		}
		// Widths in tables without values have tests of their own.
		rep.Findings = slices.DeleteFunc(rep.Findings, func(x Exposure) bool { return x.Most != nil })
		want := brute(tab, withheld, rep.Contributors, 3)
		if g, w := brief(tab, rep.Findings), brief(tab, want); g != w {
			t.Fatalf("seed %d: found\n%s\nwant\n%s\ncontributors %v", seed, g, w, rep.Contributors)
		}
		for _, x := range rep.Findings {
			found++
			if x.Disclosed {
				disclosed++
			}
			if x.Disclosed && !x.Relations {
				byBounds++
			}
			if len(x.Members) > 1 {
				larger++
			}
			if !x.Known {
				hidden++
			}
		}
	}
	t.Logf("%d findings, %d disclosed, %d of these by bounds, %d to coalitions of two or three, %d without values", found, disclosed, byBounds, larger, hidden)
	if !testing.Short() && (disclosed < heavy.Draws(50) || byBounds < heavy.Draws(5) || larger < heavy.Draws(50) || hidden < heavy.Draws(20) || found-disclosed < heavy.Draws(50)) {
		t.Error("the drawn tables do not test every kind of finding")
	}
}

// named withholds the cells named, sensitive those marked with !.
func named(t *table.Table, names string) []bool {
	withheld := make([]bool, t.Len())
	for _, name := range strings.Fields(names) {
		plain := strings.TrimPrefix(name, "!")
		for i := range withheld {
			if t.CellName(i) == plain {
				withheld[i] = true
				if t.Status[i] = table.Withheld; plain != name {
					t.Status[i] = table.Sensitive
				}
			}
		}
	}
	return withheld
}

// lineByLine is what the contributor of cell q computes by the naive rule: again
// and again a relation in which one value is missing.
func lineByLine(t *table.Table, withheld []bool, q int) []bool {
	known := make([]bool, t.Len())
	for i := range known {
		known[i] = !withheld[i] || i == q
	}
	for again := true; again; {
		again = false
		for j := range t.Rel.Len() {
			missing := -1
			cell, _ := t.Rel.Row(j)
			count := 0
			for _, i := range cell {
				if !known[i] {
					missing = int(i)
					count++
				}
			}
			if count == 1 {
				known[missing], again = true, true
			}
		}
	}
	return known
}

// TestInsidersBeyondLines has the two examples of docs/insiders.md.
func TestInsidersBeyondLines(t *testing.T) {
	// A cycle of six cells: the singleton r1/c1 shares no line with r2/c3. No
	// line has it and a sensitive cell alone, but line after line gives all.
	six := tabletest.Counts(t, [][]int64{{1, 9, 20}, {30, 12, 4}, {11, 40, 15}})
	withheld := named(six, "!r1/c1 r1/c2 r2/c2 !r2/c3 r3/c3 r3/c1")
	for i := range withheld {
		six.Width[i] = 8
	}
	q := slices.IndexFunc(six.Value, func(v int64) bool { return v == 1 })
	for j := range six.Rel.Len() {
		cell, _ := six.Rel.Row(j)
		var line []int
		for _, i := range cell {
			if withheld[i] {
				line = append(line, int(i))
			}
		}
		if len(line) == 2 && slices.Contains(line, q) && six.Status[line[0]] == table.Sensitive && six.Status[line[1]] == table.Sensitive {
			t.Error("the rule for single lines would have seen this one")
		}
	}
	rep := must.Get(Run(t.Context(), six, withheld, nil))(t)
	if got, want := brief(six, rep.Findings), "[0] r2/c3 [4, 4] disclosed=true relations=true"; got != want {
		t.Errorf("six cells: found %q, want %q", got, want)
	}

	// Two squares joined by r1/c3, which has one contributor, and r3/c1. Every line
	// of these two has two other withheld cells, so line by line the contributor learns
	// nothing. But rows M1 + M2 less columns P1 + P2 is r1/c3 − r3/c1 plus
	// published cells.
	two := tabletest.Counts(t, [][]int64{{20, 14, 1, 33}, {17, 25, 28, 31}, {3, 26, 19, 22}, {30, 35, 16, 27}})
	withheld = named(two, "r1/c1 r1/c2 r2/c1 r2/c2 r3/c3 r3/c4 r4/c3 r4/c4 !r1/c3 !r3/c1")
	for i := range withheld {
		two.Width[i] = 3
	}
	rep = must.Get(Run(t.Context(), two, withheld, nil))(t)
	if got, want := brief(two, rep.Findings), "[0] r3/c1 [3, 3] disclosed=true relations=true"; got != want {
		t.Errorf("two squares: found %q, want %q", got, want)
	}
	q, k := -1, -1
	for i := range withheld {
		switch two.CellName(i) {
		case "r1/c3":
			q = i
		case "r3/c1":
			k = i
		}
	}
	if lineByLine(two, withheld, q)[k] {
		t.Error("line by line the contributor computes r3/c1, too: no example")
	}
}

// A contributor of two cells is one person; a coalition of one knows both.
func TestInsidersOnePerson(t *testing.T) {
	dims := make([]table.Dimension, 2)
	for d, edges := range [][]table.Edge{treeEdges(), flatEdges(3)} {
		var err error
		if dims[d], err = table.NewDimension("d"+fmt.Sprint(d), "T", edges); err != nil {
			t.Fatal(err)
		}
	}
	var records []table.Record
	for _, r := range []struct {
		codes string
		v, f  int64
	}{
		{"g00 0", 7, 1}, {"g01 0", 0, 0}, {"g10 0", 50, 5}, {"g11 0", 40, 6},
		{"g00 1", 6, 2}, {"g01 1", 9, 1}, {"g10 1", 33, 5}, {"g11 1", 21, 6},
		{"g00 2", 60, 9}, {"g01 2", 70, 8}, {"g10 2", 55, 5}, {"g11 2", 44, 6},
	} {
		records = append(records, table.Record{Codes: strings.Fields(r.codes), Value: table.Num(r.v, 0), Freq: table.Num(r.f, 0)})
	}
	tab := must.Get(table.Build("t", dims, records, false))(t)
	withheld := named(tab, "!g00/0 g0/0 g10/0 !g01/1 g1/0")
	rep := must.Get(Run(t.Context(), tab, withheld, nil))(t)
	var got []string
	for _, cells := range rep.Contributors {
		var names []string
		for _, i := range cells {
			names = append(names, tab.CellName(i))
		}
		slices.Sort(names)
		got = append(got, strings.Join(names, " "))
	}
	slices.Sort(got)
	if want := []string{"g0/0 g00/0", "g01/1"}; !slices.Equal(got, want) {
		t.Errorf("contributors %q, want %q", got, want)
	}
	if rep.Singletons != 3 {
		t.Errorf("%d singletons, want 3", rep.Singletons)
	}
}

// TestInsidersCounts: in a table of counts the cells of value 1 have one contributor,
// also where levels have given it decimals.
func TestInsidersCounts(t *testing.T) {
	six := tabletest.Counts(t, [][]int64{{1, 9, 20}, {30, 12, 4}, {11, 40, 15}})
	withheld := named(six, "!r1/c1 r1/c2 r2/c2 !r2/c3 r3/c3 r3/c1")
	must.Do(t, six.Rescale(1))
	rep := must.Get(Run(t.Context(), six, withheld, nil))(t)
	if rep.Singletons != 1 || len(rep.Findings) != 1 {
		t.Errorf("%d singletons, %d findings, want 1 and 1", rep.Singletons, len(rep.Findings))
	}
	if _, err := Run(t.Context(), publish(six, withheld), withheld, nil); !errors.Is(err, ErrNoContributors) {
		t.Errorf("published counts: %v, want ErrNoContributors", err)
	}
	six.Counts = false
	if _, err := Run(t.Context(), six, withheld, nil); !errors.Is(err, ErrNoContributors) {
		t.Errorf("amounts: %v, want ErrNoContributors", err)
	}
}

func TestInsidersErrors(t *testing.T) {
	six := tabletest.Counts(t, [][]int64{{1, 9, 20}, {30, 12, 4}, {11, 40, 15}})
	withheld := named(six, "!r1/c1 r1/c2 r2/c2 !r2/c3 r3/c3 r3/c1")
	if _, err := Run(t.Context(), six, withheld, &Options{Coalition: -1}); err == nil {
		t.Error("a coalition of −1 is accepted")
	}
	if _, err := Run(t.Context(), six, withheld[1:], nil); err == nil {
		t.Error("a short pattern is accepted")
	}
	gone := publish(six, withheld)
	if _, err := Run(t.Context(), gone, make([]bool, six.Len()), nil); err == nil {
		t.Error("a published cell without value is accepted")
	}
}

// A run that is stopped says how far it came, and what it found holds.
func TestInsidersStopped(t *testing.T) {
	var tab *table.Table
	var withheld []bool
	var full *Report
	for seed := uint64(0); full == nil || full.Examined < 40; seed++ {
		tab, withheld = drawInsiders(rand.New(rand.NewPCG(seed, 14)), insiderShapes[4])
		var err error
		if full, err = Run(t.Context(), tab, withheld, &Options{Coalition: 3}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rep, err := Run(ctx, tab, withheld, nil)
	if !errors.Is(err, context.Canceled) || rep.Settled != -1 || len(rep.Findings) != 0 {
		t.Errorf("cancelled: %+v, %v", rep, err)
	}
	short, err := Run(t.Context(), tab, withheld, &Options{Coalition: 3, Limit: 8})
	if err != nil {
		t.Fatal(err)
	}
	if short.Settled >= full.Settled || short.Examined >= full.Examined {
		t.Errorf("with a limit complete up to %d after %d pairs, without %d after %d", short.Settled, short.Examined, full.Settled, full.Examined)
	}
	var want []Exposure
	for _, x := range full.Findings {
		if len(x.Members) <= short.Settled {
			want = append(want, x)
		}
	}
	if !reflect.DeepEqual(short.Findings, want) {
		t.Errorf("with a limit found\n%s\nwant\n%s", brief(tab, short.Findings), brief(tab, want))
	}
}

func TestInsidersProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		shape := rapid.SampledFrom(insiderShapes).Draw(r, "shape")
		tab, withheld := drawInsiders(rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 12)), shape)
		if rapid.Bool().Draw(r, "publish") {
			tab = publish(tab, withheld)
		}
		find := func(t *table.Table, withheld []bool, o Options) *Report {
			rep, err := Run(context.Background(), t, withheld, &o)
			if err != nil {
				r.Fatal(err)
			}
			return rep
		}
		base := find(tab, withheld, Options{Coalition: 2, Workers: 1})

		// The report, work done included, does not depend on the workers.
		if other := find(tab, withheld, Options{Coalition: 2, Workers: 4}); !reflect.DeepEqual(base, other) {
			r.Fatalf("1 worker: %+v\n4 workers: %+v", base, other)
		}

		// Findings of smaller coalitions stay; further members add to them.
		single := find(tab, withheld, Options{Coalition: 1})
		var ones []Exposure
		for _, x := range base.Findings {
			if len(x.Members) == 1 {
				ones = append(ones, x)
			}
		}
		if !reflect.DeepEqual(single.Findings, ones) {
			r.Fatalf("coalitions of one find\n%s\nof two\n%s", brief(tab, single.Findings), brief(tab, base.Findings))
		}

		// A member more never widens: what a coalition of two does to a cell is
		// no less than what each member does alone.
		width := func(x *Exposure) *big.Rat {
			if x.Lo == nil || x.Hi == nil {
				return big.NewRat(1<<62, 1)
			}
			return new(big.Rat).Sub(x.Hi, x.Lo)
		}
		for i := range base.Findings {
			for j := range base.Findings {
				a, b := &base.Findings[i], &base.Findings[j]
				if i != j && a.Cell == b.Cell && subset(a.Members, b.Members) && (!b.Disclosed || a.Disclosed || width(b).Cmp(width(a)) > 0 && b.Known) {
					r.Fatalf("%v then %v for %s", a, b, tab.CellName(a.Cell))
				}
			}
		}

		// Names of cells do not matter.
		perm := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "perm"), 13)).Perm(tab.Len())
		moved := table.NewRelations(tab.Len())
		for j := range tab.Rel.Len() {
			cell, coef := tab.Rel.Row(j)
			to := make([]int32, len(cell))
			for s, i := range cell {
				to[s] = int32(perm[i])
			}
			moved.Add(to, coef, tab.Rel.RHS[j])
		}
		c := tab.Clone()
		c.Dims, c.Coord, c.Max = nil, nil, nil
		c.Rel = moved
		hidden := make([]bool, tab.Len())
		for i, to := range perm {
			hidden[to] = withheld[i]
			c.Value[to], c.Status[to], c.Freq[to] = tab.Value[i], tab.Status[i], tab.Freq[i]
			c.LPL[to], c.UPL[to], c.Width[to], c.Lower[to], c.Upper[to] = tab.LPL[i], tab.UPL[i], tab.Width[i], tab.Lower[i], tab.Upper[i]
			if tab.Missing != nil {
				c.Missing[to] = tab.Missing[i]
			}
		}
		other := find(c, hidden, Options{Coalition: 2})
		key := func(found []Exposure, to []int) []string {
			var keys []string
			for _, x := range found {
				var cells []int
				for _, i := range x.Coalition {
					cells = append(cells, to[i])
				}
				slices.Sort(cells)
				keys = append(keys, fmt.Sprint(cells, to[x.Cell], x.Lo, x.Hi, x.Disclosed, x.Relations))
			}
			slices.Sort(keys)
			return keys
		}
		same := make([]int, tab.Len())
		for i := range same {
			same[i] = i
		}
		if a, b := key(base.Findings, perm), key(other.Findings, same); !slices.Equal(a, b) {
			r.Fatalf("found %v\nrelabelled %v", a, b)
		}
	})
}

// TestInsidersLongFractions: answers that are no short fractions are found as well. Cells 0 … 5 are a chain of ratios whose product has a long
// denominator, cells 6 and 7 are equal.
func TestInsidersLongFractions(t *testing.T) {
	rel := table.NewRelations(9)
	for j, c := range [][2]int32{{997, -991}, {983, -977}, {971, -967}, {953, -947}, {941, -937}} {
		rel.Add([]int32{int32(j), int32(j + 1)}, c[:], 0)
	}
	rel.Add([]int32{6, 7}, []int32{1, -1}, 0)
	rel.Add([]int32{5, 8}, []int32{1, 1}, 0)
	n := rel.N
	tab := &table.Table{Name: "t", Value: make([]int64, n), Freq: []int64{1, 3, 3, 3, 3, 3, 1, 3, 3}, Cost: make([]int64, n), Status: make([]table.Status, n),
		LPL: make([]int64, n), UPL: make([]int64, n), Width: make([]int64, n), Lower: make([]int64, n), Upper: make([]int64, n), Rel: rel}
	withheld := make([]bool, n)
	for i := range n {
		withheld[i] = true
		tab.Status[i] = table.Withheld
		tab.Lower[i], tab.Upper[i] = -1, 1
	}
	tab.Status[5], tab.Status[7] = table.Sensitive, table.Sensitive
	tab.Width[5], tab.Width[7] = 1, 1
	rep := must.Get(Run(t.Context(), tab, withheld, nil))(t)
	want := "[0] 5 [0, 0] disclosed=true relations=true\n[1] 7 [0, 0] disclosed=true relations=true"
	if got := brief(tab, rep.Findings); rep.Unsettled != 0 || got != want {
		t.Errorf("%d unsettled, found\n%s\nwant\n%s", rep.Unsettled, got, want)
	}
}

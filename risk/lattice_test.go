package risk

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"

	"pgregory.net/rapid"
)

// A naiveLattice is a table of numbers with the trees of its quasi-identifiers, and one sensitive value.
type naiveLattice struct {
	levels [][][]int // of each column
	rows   [][]int
}

func drawLattice(t *rapid.T) (naiveLattice, *Sensitive, []*Hierarchy) {
	var x naiveLattice
	var hs []*Hierarchy
	names := []string{}
	for k := range rapid.IntRange(1, 3).Draw(t, "columns") {
		x.levels = append(x.levels, drawTree(t, rapid.IntRange(1, 5).Draw(t, "values")))
		h, err := parseHierarchy([]byte(treeText(x.levels[k])), "", Layout{})
		check(t, err)
		hs, names = append(hs, h), append(names, fmt.Sprint("q", k))
	}
	columns, err := NewColumns(append(names, "s")...)
	check(t, err)
	s := NewSensitive(columns, len(names))
	for range rapid.IntRange(1, 25).Draw(t, "records") {
		var row []int
		var values []string
		for k := range x.levels {
			v := rapid.IntRange(0, len(x.levels[k][0])-1).Draw(t, "value")
			row, values = append(row, v), append(values, fmt.Sprint("v0-", v))
		}
		v := rapid.IntRange(0, 3).Draw(t, "sensitive")
		x.rows = append(x.rows, append(row, v))
		check(t, s.Add(1, append(values, fmt.Sprint(v))...))
	}
	return x, s, hs
}

// entropy is exp of the entropy of values.
func (naiveLattice) entropy(values []int) float64 {
	n, h := map[int]float64{}, 0.0
	for _, v := range values {
		n[v]++
	}
	for _, c := range n {
		p := c / float64(len(values))
		h -= p * math.Log(p)
	}
	return math.Exp(h)
}

// measure is k, l, entropy l and t at levels of what is left, and whether the goal is reached.
func (x naiveLattice) measure(levels []int, goal Goal) (k, l, left int, e float64, t *big.Rat, met bool) {
	classes := map[string][]int{}
	total := map[int]int{}
	for _, row := range x.rows {
		name := ""
		for c, level := range levels {
			name += fmt.Sprint(x.levels[c][level][row[c]], ",")
		}
		v := row[len(row)-1]
		classes[name] = append(classes[name], v)
		total[v]++
	}
	distinct := func(values []int) int { return len(slices.Compact(slices.Sorted(slices.Values(values)))) }
	misses := func(values []int) bool {
		return uint64(len(values)) < goal.K || uint64(distinct(values)) < goal.L || x.entropy(values) < goal.E*(1-1e-11)
	}
	for _, values := range classes {
		if misses(values) {
			left += len(values)
		}
	}
	met = left == 0 || goal.Left != nil && left < len(x.rows) && big.NewRat(int64(left), int64(len(x.rows))).Cmp(goal.Left) <= 0
	out := met && goal.Left != nil
	if !out {
		left = 0
	}
	t = new(big.Rat)
	for _, values := range classes {
		if out && misses(values) {
			continue
		}
		if k == 0 || len(values) < k {
			k = len(values)
		}
		if d := distinct(values); l == 0 || d < l {
			l = d
		}
		if h := x.entropy(values); e == 0 || h < e {
			e = h
		}
		d, run := new(big.Rat), new(big.Rat)
		for _, v := range slices.Sorted(maps.Keys(total)) {
			n := total[v]
			here := 0
			for _, u := range values {
				if u == v {
					here++
				}
			}
			gap := new(big.Rat).Sub(big.NewRat(int64(here), int64(len(values))), big.NewRat(int64(n), int64(len(x.rows))))
			if run.Add(run, gap); goal.Distances != nil { // ordered
				d.Add(d, new(big.Rat).Quo(new(big.Rat).Abs(run), big.NewRat(int64(max(1, len(total)-1)), 1)))
			} else {
				d.Add(d, gap.Abs(gap).Quo(gap, big.NewRat(2, 1)))
			}
		}
		if d.Cmp(t) > 0 {
			t = d
		}
	}
	return k, l, left, e, t, met && (goal.T == nil || t.Cmp(goal.T) <= 0)
}

// loss is that of levels where nothing is left out.
func (x naiveLattice) loss(levels []int) float64 {
	sum, columns := 0.0, 0
	for c, level := range levels {
		there := map[int]bool{}
		for _, row := range x.rows {
			there[row[c]] = true
		}
		if len(there) < 2 {
			continue
		}
		columns++
		for _, row := range x.rows {
			same := 0
			for v := range there {
				if x.levels[c][level][v] == x.levels[c][level][row[c]] {
					same++
				}
			}
			sum += float64(same-1) / float64(len(there)-1)
		}
	}
	if columns == 0 {
		return 0
	}
	return sum / float64(columns) / float64(len(x.rows))
}

func TestLatticeAgainstAllNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, s, hs := drawLattice(t)
		goal := Goal{K: uint64(rapid.IntRange(1, 6).Draw(t, "k")), L: uint64(rapid.IntRange(0, 3).Draw(t, "l"))}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			goal.T = big.NewRat(int64(rapid.IntRange(0, 10).Draw(t, "t")), 10)
		case 1:
			goal.Left = big.NewRat(int64(rapid.IntRange(0, 10).Draw(t, "left")), 10)
		}
		if rapid.Bool().Draw(t, "ordered") {
			goal.Distances = []Distance{Ordered}
		}
		goal.E = rapid.SampledFrom([]float64{0, 0, 1.5, 2, 2.7}).Draw(t, "entropy l")
		l, err := NewLattice(t.Context(), s, Missing{}, hs)
		check(t, err)
		got, err := l.Search(context.Background(), goal, nil)
		check(t, err)
		met := map[int]bool{}
		for node := range l.size {
			levels := l.levels(node)
			k, d, left, e, dist, ok := x.measure(levels, goal)
			met[node] = ok
			g, err := l.At(t.Context(), levels, goal)
			check(t, err)
			if g.Met != ok || g.K != uint64(k) || g.L[0] != uint64(d) || g.Left != uint64(left) || math.Abs(g.E[0]-e) > 1e-9 || left == 0 && g.T[0].Cmp(dist) != 0 {
				t.Fatalf("%v: %+v, want k %d l %d entropy l %g left %d t %s %v", levels, g, k, d, e, left, dist, ok)
			}
			if left == 0 && math.Abs(g.Loss-x.loss(levels)) > 1e-12 {
				t.Fatalf("%v: loss %g, want %g", levels, g.Loss, x.loss(levels))
			}
		}
		var want []int
		for node, ok := range met {
			lower := false
			for other, reached := range met {
				if other == node || !reached {
					continue
				}
				finer := true
				for k, v := range l.levels(other) {
					finer = finer && v <= l.levels(node)[k]
				}
				lower = lower || finer
			}
			if ok && !lower {
				want = append(want, node)
			}
		}
		var have []int
		for i, g := range got.Minimal {
			have = append(have, g.node)
			if i > 0 && got.Minimal[i-1].Loss > g.Loss {
				t.Fatalf("loss %g before %g", got.Minimal[i-1].Loss, g.Loss)
			}
			for _, b := range got.Below[i] {
				if b.Met {
					t.Fatalf("%v below %v reaches the goal", b.Levels, g.Levels)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Fatalf("minimal %v, want %v", have, want)
		}
		if got.Measured > l.size {
			t.Fatalf("%d of %d nodes measured", got.Measured, l.size)
		}
	})
}

func TestBandsAndPrefixes(t *testing.T) {
	t.Parallel()
	rat := func(s string) *big.Rat {
		return must.Get(num.ParseNumber(s))(t)
	}
	bands := must.Get(NewBands([]*big.Rat{rat("5"), rat("10")}, rat("20"), rat("80")))(t)
	prefixes := must.Get(NewPrefixes([]int{3, 0}))(t)
	for _, x := range []struct {
		h     *Hierarchy
		value string
		want  []string
	}{
		{bands, "34", []string{"34", "[30,35)", "[30,40)"}},
		{bands, "35.5", []string{"35.5", "[35,40)", "[30,40)"}},
		{bands, "19", []string{"19", "<20", "<20"}},
		{bands, "80", []string{"80", ">=80", ">=80"}},
		{bands, "", []string{"", "", ""}},
		{prefixes.Withhold(), "16007", []string{"16007", "160**", "*****", "*"}},
		{prefixes, "東京都港区", []string{"東京都港区", "東京都**", "*****", "*"}},
		{prefixes, "12", []string{"12", "12", "**", "*"}},
	} {
		for level, want := range x.want {
			if got, err := x.h.value(x.value, level); err != nil || got != want {
				t.Errorf("%s at %d: %s, %v, want %s", x.value, level, got, err, want)
			}
		}
	}
	if _, err := bands.value("old", 1); err == nil {
		t.Error("an interval of a text")
	}
	for _, x := range [][2][]*big.Rat{{{rat("5"), rat("7")}, {nil, nil}}, {{rat("0")}, {nil, nil}}, {{rat("10")}, {rat("15"), nil}}, {nil, {nil, nil}}, {nil, {rat("9"), rat("3")}}} {
		if _, err := NewBands(x[0], x[1][0], x[1][1]); err == nil {
			t.Errorf("bands %v", x)
		}
	}
	for _, x := range [][]int{nil, {3, 3}, {-1}} {
		if _, err := NewPrefixes(x); err == nil {
			t.Errorf("prefixes %v", x)
		}
	}
}

// TestEntropyLeftOut: the finest node leaves out one record of three, the coarser one all three, as merging {0, 1} and {0} loses l = 2.
func TestEntropyLeftOut(t *testing.T) {
	columns, err := NewColumns("q", "s")
	check(t, err)
	s := NewSensitive(columns, 1)
	for _, r := range [][]string{{"a", "0"}, {"a", "1"}, {"b", "0"}} {
		check(t, s.Add(1, r...))
	}
	h, err := parseHierarchy([]byte("a;*\nb;*\n"), "", Layout{})
	check(t, err)
	l, err := NewLattice(t.Context(), s, Missing{}, []*Hierarchy{h})
	check(t, err)
	for _, k := range []uint64{0, 1} {
		got, err := l.Search(context.Background(), Goal{K: k, E: 2, Left: big.NewRat(2, 5)}, nil)
		check(t, err)
		if len(got.Minimal) != 1 || got.Minimal[0].Levels[0] != 0 || got.Minimal[0].Left != 1 || got.Measured > 2 {
			t.Fatalf("k %d: %+v", k, got)
		}
	}
}

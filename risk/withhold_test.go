package risk

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A withheldFile is a small file with what Withhold has to reach in it. Its rows have quasi-identifiers, a sensitive number and an id.
type withheldFile struct {
	rows [][]string
	m    int
	goal Withholding
}

func drawWithheldFile(t *rapid.T) *withheldFile {
	x := &withheldFile{m: rapid.IntRange(1, 3).Draw(t, "columns")}
	x.goal = Withholding{Goal: Goal{K: rapid.Uint64Range(1, 3).Draw(t, "k")}, Columns: x.m, Nodes: 1 << 20}
	if rapid.Bool().Draw(t, "costs") {
		x.goal.Costs = rapid.SliceOfN(rapid.Uint64Range(0, 3), x.m, x.m).Draw(t, "costs")
	}
	if rapid.IntRange(0, 2).Draw(t, "kept") == 0 {
		x.goal.Kept = rapid.SliceOfN(rapid.Bool(), x.m, x.m).Draw(t, "kept")
	}
	switch rapid.IntRange(0, 5).Draw(t, "goal") {
	case 0:
		x.goal.L = rapid.Uint64Range(1, 3).Draw(t, "l")
	case 1:
		x.goal.E = rapid.SampledFrom([]float64{1.5, 1.8, 2}).Draw(t, "entropy l")
	case 2, 3:
		x.goal.T = big.NewRat(int64(rapid.IntRange(0, 6).Draw(t, "t")), 12)
		x.goal.Distances = []Distance{rapid.SampledFrom([]Distance{Equal, Ordered}).Draw(t, "distance")}
		if rapid.Bool().Draw(t, "and l") {
			x.goal.L = 2
		}
	}
	x.goal.Entity = rapid.IntRange(0, 2).Draw(t, "entity") == 0
	value := rapid.SampledFrom([]string{"a", "b", "*"})
	if rapid.Bool().Draw(t, "no stars") {
		value = rapid.SampledFrom([]string{"a", "b", "c"})
	}
	for range rapid.IntRange(1, []int{7, 6, 5}[x.m-1]).Draw(t, "records") {
		row := rapid.SliceOfN(value, x.m, x.m).Draw(t, "record")
		row = append(row, rapid.SampledFrom([]string{"1", "2", "5"}).Draw(t, "sensitive"), rapid.SampledFrom([]string{"p", "q", "r", "s", ""}).Draw(t, "id"))
		x.rows = append(x.rows, row)
	}
	return x
}

// kept reports whether a file that lacks values reaches the goal, by definition.
func (x *withheldFile) kept(rows [][]string) bool {
	classes := map[string][][]string{}
	var values []string
	for _, r := range rows {
		classes[key(r[:x.m])] = append(classes[key(r[:x.m])], r)
		values = append(values, r[x.m])
	}
	share := func(rows [][]string, v string) *big.Rat {
		n := int64(0)
		for _, r := range rows {
			if r[x.m] == v {
				n++
			}
		}
		return big.NewRat(n, int64(len(rows)))
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for _, class := range classes {
		ids, without := map[string]bool{}, 0
		for _, r := range class {
			if id := r[x.m+1]; id != "" {
				ids[id] = true
			} else {
				without++
			}
		}
		if n := len(ids) + without; x.goal.Entity && uint64(n) < x.goal.K || uint64(len(class)) < x.goal.K {
			return false
		}
		distinct, entropy := uint64(0), 0.0
		sum, up, steps := new(big.Rat), new(big.Rat), new(big.Rat)
		for _, v := range values {
			p, q := share(class, v), share(rows, v)
			if f, _ := p.Float64(); f > 0 {
				distinct++
				entropy -= f * math.Log(f)
			}
			d := new(big.Rat).Sub(p, q)
			sum.Add(sum, new(big.Rat).Abs(d))
			up.Add(up, d)
			steps.Add(steps, new(big.Rat).Abs(up))
		}
		far := sum.Quo(sum, big.NewRat(2, 1))
		if len(x.goal.Distances) > 0 && x.goal.Distances[0] == Ordered {
			far = steps.Quo(steps, big.NewRat(int64(max(1, len(values)-1)), 1))
		}
		if distinct < x.goal.L || x.goal.E > 0 && math.Exp(entropy) < x.goal.E-1e-9 || x.goal.T != nil && far.Cmp(x.goal.T) > 0 {
			return false
		}
	}
	return true
}

// least tries to withhold every set of values; −1 where none reaches the goal.
func (x *withheldFile) least() int {
	best := -1
	rows := make([][]string, len(x.rows))
	for i, r := range x.rows {
		rows[i] = slices.Clone(r)
	}
	var try func(cell, cost int)
	try = func(cell, cost int) {
		if best >= 0 && cost >= best {
			return
		}
		if cell == len(rows)*x.m {
			if x.kept(rows) {
				best = cost
			}
			return
		}
		i, k := cell/x.m, cell%x.m
		try(cell+1, cost)
		if was := rows[i][k]; was != "*" && (x.goal.Kept == nil || !x.goal.Kept[k]) {
			rows[i][k] = "*"
			if x.goal.Costs != nil {
				cost += int(x.goal.Costs[k])
			} else {
				cost++
			}
			try(cell+1, cost)
			rows[i][k] = was
		}
	}
	try(0, 0)
	return best
}

// classes counts the columns that the goal is of.
func (x *withheldFile) classes(t *rapid.T) *Classes {
	names := append([]string{"x", "y", "z"}[:x.m:x.m], "s")
	if x.goal.Entity {
		names = append(names, "id")
	}
	columns, err := NewColumns(names...)
	check(t, err)
	c := NewClasses(columns, len(names))
	for _, r := range x.rows {
		check(t, c.Add(1, r[:len(names)]...))
	}
	return c
}

// TestWithholdAgainstAllFiles compares with all files that lack some values: stars there before, costs, columns that are kept, entities, k, l and t.
func TestWithholdAgainstAllFiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := drawWithheldFile(t)
		c := x.classes(t)
		want := x.least()
		for _, nodes := range []int{1 << 20, 0} {
			x.goal.Nodes = nodes
			got, err := c.Withhold(t.Context(), Missing{Markers: []string{""}}, x.goal)
			if want < 0 {
				if !errors.Is(err, ErrUnreachable) {
					t.Fatalf("%v where nothing reaches the goal", err)
				}
				return
			}
			check(t, err)
			if nodes > 0 && (!got.Optimal || got.Cost != uint64(want)) || got.Bound > uint64(want) || got.Cost < uint64(want) || got.Optimal && got.Bound != got.Cost {
				t.Fatalf("cost %d, bound %d, optimal %v; want %d", got.Cost, got.Bound, got.Optimal, want)
			}
			var rows [][]string
			released := got.Released()
			cells, cost := uint64(0), uint64(0)
			for g := range released.Len() {
				for range released.Size(g) {
					rows = append(rows, released.Tuple(g))
				}
			}
			if !x.goal.Entity {
				for i := range rows {
					rows[i] = append(rows[i], "")
				}
			}
			if len(rows) != len(x.rows) || !x.kept(rows) {
				t.Fatalf("%v misses the goal", rows)
			}
			stars := func(rows [][]string, k int) (n uint64) {
				for _, r := range rows {
					if r[k] == "*" {
						n++
					}
				}
				return n
			}
			for k := range x.m {
				n := stars(rows, k) - stars(x.rows, k)
				cells += n
				if x.goal.Costs != nil {
					cost += n * x.goal.Costs[k]
				} else {
					cost += n
				}
				if n != got.ByColumn[k] || n > 0 && x.goal.Kept != nil && x.goal.Kept[k] {
					t.Fatalf("column %d lacks %d more, said to be %d", k, n, got.ByColumn[k])
				}
			}
			if cells != got.Cells || cost != got.Cost {
				t.Fatalf("%d values at %d, said to be %d at %d", cells, cost, got.Cells, got.Cost)
			}
		}
	})
}

// checkGroups wants groups of at least k that agree outside their columns, and all records in one.
func checkGroups(t *rapid.T, r *Suppression, c *Classes, want uint64, keep []uint64) {
	count := make([]uint64, c.t.n)
	total := uint64(0)
	for _, x := range r.groups {
		size := uint64(0)
		first := x.first(c)
		for g, n := range x.member {
			count[g] += n
			size += n
			for k := range c.t.w {
				if x.set>>k&1 == 0 && c.t.tuple(g)[k] != c.t.tuple(first)[k] {
					t.Fatalf("a group differs in a column that it shows")
				}
			}
		}
		if size != x.size || size < want {
			t.Fatalf("a group of %d, said to be of %d, k %d", size, x.size, want)
		}
		total += size * uint64(bits.OnesCount64(x.set))
	}
	if !slices.Equal(count, keep) || total != r.Cells {
		t.Fatalf("records %v, want %v; %d cells, said to be %d", count, keep, total, r.Cells)
	}
}

// The file has the k that was asked for and lacks as many values as were counted; all else stays.
func TestWithholdWrites(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		k := uint64(rapid.IntRange(1, 5).Draw(t, "k"))
		path := filepath.Join(dir, "in.csv")
		text := strings.Join(x.names(), ",") + "\n"
		for _, r := range x.rows {
			text += strings.Join(r, ",") + "\n"
		}
		if strings.Contains(text, "\n\n") {
			t.Skip("a blank line")
		}
		check(t, os.WriteFile(path, []byte(text), 0o600))
		s := x.sensitive(t, x.rows)
		r, err := s.Withhold(context.Background(), Missing{}, Withholding{Goal: Goal{K: k}, Nodes: 1000})
		if errors.Is(err, ErrUnreachable) {
			return
		}
		check(t, err)
		keep, err := s.Frequencies(t.Context(), Missing{})
		check(t, err)
		checkGroups(t, r, &s.Classes, k, keep)
		var out strings.Builder
		check(t, r.Write(context.Background(), &out, path, Layout{Separator: ','}, nil, nil))
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")[1:]
		if len(lines) != len(x.rows) {
			t.Fatalf("%d lines, want %d", len(lines), len(x.rows))
		}
		count, stars := map[string]uint64{}, uint64(0)
		for i, line := range lines {
			fields := strings.Split(line, ",")
			count[key(fields[:x.qi])]++
			for c, v := range fields {
				if v == withheld && c < x.qi {
					stars++
				} else if v != x.rows[i][c] {
					t.Fatalf("record %d: %q, was %q", i, v, x.rows[i][c])
				}
			}
		}
		for tuple, n := range count {
			if n < k {
				t.Fatalf("%q %d times, want %d", tuple, n, k)
			}
		}
		if stars != r.Cells {
			t.Fatalf("%d values withheld, said to be %d", stars, r.Cells)
		}
	})
}

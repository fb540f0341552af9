package risk

import (
	"context"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fewest is the least number of values to withhold, by all partitions of records into groups of at least k.
func fewest(rows [][]string, k int) int {
	best := -1
	var groups [][]int
	var place func(i int)
	place = func(i int) {
		if i == len(rows) {
			cost := 0
			for _, g := range groups {
				if len(g) < k {
					return
				}
				for c := range rows[0] {
					for _, r := range g {
						if rows[r][c] != rows[g[0]][c] {
							cost += len(g)
							break
						}
					}
				}
			}
			if best < 0 || cost < best {
				best = cost
			}
			return
		}
		for n := range groups {
			groups[n] = append(groups[n], i)
			place(i + 1)
			groups[n] = groups[n][:len(groups[n])-1]
		}
		groups = append(groups, []int{i})
		place(i + 1)
		groups = groups[:len(groups)-1]
	}
	place(0)
	return best
}

// checkGroups wants groups of at least k that agree outside their columns, and all records in one.
func checkGroups(t *rapid.T, r *Suppression, c *Classes, keep []uint64) {
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
		if size != x.size || size < r.K {
			t.Fatalf("a group of %d, said to be of %d, k %d", size, x.size, r.K)
		}
		total += size * uint64(bits.OnesCount64(x.set))
	}
	if !slices.Equal(count, keep) || total != r.Cells {
		t.Fatalf("records %v, want %v; %d cells, said to be %d", count, keep, total, r.Cells)
	}
}

func TestWithholdAgainstAllPartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 3).Draw(t, "columns")
		k := rapid.IntRange(2, 3).Draw(t, "k")
		var rows [][]string
		for range rapid.IntRange(1, 7).Draw(t, "records") {
			rows = append(rows, rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), m, m).Draw(t, "record"))
		}
		columns, err := NewColumns([]string{"x", "y", "z"}[:m]...)
		check(t, err)
		c := NewClasses(columns, m)
		for _, r := range rows {
			check(t, c.Add(1, r...))
		}
		got, err := c.Withhold(context.Background(), Missing{}, uint64(k), 1<<20)
		if len(rows) < k {
			if !errors.Is(err, ErrTooFew) {
				t.Fatalf("%v for %d records", err, len(rows))
			}
			return
		}
		check(t, err)
		keep, err := c.Frequencies(t.Context(), Missing{})
		check(t, err)
		checkGroups(t, got, c, keep)
		want := uint64(fewest(rows, k))
		if !got.Optimal || got.Cells != want || got.Bound != want {
			t.Fatalf("%d cells, bound %d, optimal %v; want %d", got.Cells, got.Bound, got.Optimal, want)
		}
		rough, err := c.Withhold(context.Background(), Missing{}, uint64(k), 0)
		check(t, err)
		checkGroups(t, rough, c, keep)
		if rough.Bound > want || rough.Cells < want || rough.Optimal && rough.Cells != want {
			t.Fatalf("without a search %d cells, bound %d, optimal %v; the least is %d", rough.Cells, rough.Bound, rough.Optimal, want)
		}
	})
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
		r, err := s.Withhold(context.Background(), Missing{}, k, 1000)
		if errors.Is(err, ErrTooFew) {
			return
		}
		check(t, err)
		keep, err := s.Frequencies(t.Context(), Missing{})
		check(t, err)
		checkGroups(t, r, &s.Classes, keep)
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

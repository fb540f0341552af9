package risk

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// msus are the minimal sample uniques of every record by comparing all pairs on all sets of columns.
func (x naive) msus(m Missing) [][]uint64 {
	missing := func(v string) bool { return m.Mode == Ignore && slices.Contains(m.Markers, v) }
	left := make([]bool, len(x.rows))
	for i, r := range x.rows {
		left[i] = m.Mode != Drop || !slices.ContainsFunc(r[:x.qi], func(v string) bool { return slices.Contains(m.Markers, v) })
	}
	all := make([][]uint64, len(x.rows))
	for i, a := range x.rows {
		for set := uint64(1); left[i] && set < 1<<x.qi; set++ {
			alone := true
			for k := range x.qi {
				alone = alone && !(set>>k&1 == 1 && missing(a[k]))
			}
			for n, b := range x.rows {
				agree := n != i && left[n]
				for k := range x.qi {
					agree = agree && (set>>k&1 == 0 || a[k] == b[k] && !missing(b[k]))
				}
				alone = alone && !agree
			}
			if alone && !slices.ContainsFunc(all[i], func(part uint64) bool { return part&set == part }) {
				all[i] = append(all[i], set)
			}
		}
	}
	return all
}

func TestSpecialsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{"", Own, Drop, Ignore}).Draw(t, "mode"), markers}
		size := rapid.IntRange(0, x.qi).Draw(t, "size")
		p := rapid.SampledFrom([]float64{0.01, 0.3, 1}).Draw(t, "p")
		s := x.sensitive(t, x.rows)
		got, err := s.Specials(context.Background(), m, size, p, len(x.rows))
		if err != nil {
			t.Fatal(err)
		}
		if size == 0 {
			size = x.qi
		}
		total, special, count := 0.0, uint64(0), uint64(0)
		for i, want := range x.msus(m) {
			g := s.Class(x.rows[i][:x.qi]...)
			want = slices.DeleteFunc(want, func(set uint64) bool { return bits.OnesCount64(set) > size })
			score := 0.0
			found := slices.Sorted(slices.Values(got.msus(g)))
			for _, set := range want {
				score += math.Gamma(float64(x.qi - bits.OnesCount64(set) + 1))
			}
			if !slices.Equal(found, want) {
				t.Fatalf("record %v: %b, want %b", x.rows[i], found, want)
			}
			if now, _ := got.Score(g); now != score {
				t.Fatalf("record %v: score %g, want %g", x.rows[i], now, score)
			}
			total += score
			count += uint64(len(want))
			if score > 0 {
				special++
			}
		}
		if got.Special != special || got.MSUs != count || len(got.Worst) != int(special) {
			t.Fatalf("%d records, %d sets, %d listed; want %d, %d", got.Special, got.MSUs, len(got.Worst), special, count)
		}
		share := 0.0
		for _, c := range got.Combinations {
			share += c.Share
		}
		if total > 0 && math.Abs(share-1) > 1e-12 {
			t.Fatalf("shares add up to %g", share)
		}
		// The scores of the file by their formulas.
		if got.Uniques == 0 {
			return
		}
		u, d := float64(got.Uniques), float64(got.Paired)
		match := u * p / (u*p + d*(1-p))
		q := 1 + (8-float64(x.qi))/20
		a := 0.0
		for _, w := range got.Worst {
			a += math.Pow(w.Score, -q)
		}
		for _, w := range got.Worst {
			if want := 1 / (1 + (u/match-u)/(math.Pow(w.Score, q)*a)); math.Abs(w.DIS-want) > 1e-12 {
				t.Fatalf("%v: %g, want %g", w, w.DIS, want)
			}
		}
	})
}

func TestSpecialsEnd(t *testing.T) {
	t.Parallel()
	columns, err := NewColumns("a", "b")
	check(t, err)
	c := NewClasses(columns, 2)
	check(t, c.Add(1, "1", "2"))
	check(t, c.Add(1, "1", "3"))
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := c.Specials(ctx, Missing{}, 0, 0.1, 0); err == nil {
		t.Error("an ended context ends nothing")
	}
	for _, p := range []float64{0, -1, 2, math.NaN()} {
		if _, err := c.Specials(context.Background(), Missing{}, 0, p, 0); err == nil {
			t.Errorf("a fraction of %g", p)
		}
	}
}

// TestSpecialsOfManyColumns: the codes of 64 columns take more than 64 bits.
func TestSpecialsOfManyColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := make([]string, 64)
		for k := range names {
			names[k] = fmt.Sprint("c", k)
		}
		columns, err := NewColumns(names...)
		if err != nil {
			t.Fatal(err)
		}
		c := NewClasses(columns, len(names))
		rows := make([][]string, rapid.IntRange(1, 9).Draw(t, "rows"))
		for i := range rows {
			rows[i] = slices.Repeat([]string{"0"}, len(names))
			for _, k := range rapid.SliceOfN(rapid.IntRange(0, 63), 0, 20).Draw(t, "others") {
				rows[i][k] = fmt.Sprint(rapid.IntRange(1, 5).Draw(t, "value"))
			}
			if err := c.Add(1, rows[i]...); err != nil {
				t.Fatal(err)
			}
		}
		got, err := c.Specials(context.Background(), Missing{}, 2, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		alone := func(i int, columns ...int) bool {
			return !slices.ContainsFunc(rows, func(other []string) bool {
				return &other[0] != &rows[i][0] && !slices.ContainsFunc(columns, func(k int) bool { return other[k] != rows[i][k] })
			})
		}
		for i, row := range rows {
			var want []uint64
			for j := range names {
				if alone(i, j) {
					want = append(want, 1<<j)
				}
				for k := range j {
					if alone(i, j, k) && !alone(i, j) && !alone(i, k) {
						want = append(want, 1<<j|1<<k)
					}
				}
			}
			slices.Sort(want)
			if found := slices.Sorted(slices.Values(got.msus(c.Class(row...)))); !slices.Equal(found, want) {
				t.Fatalf("record %d: %b, want %b", i, found, want)
			}
		}
	})
}

// TestSpecialSets: groups of more than smallGroup classes, and both ways to take down what is found.
func TestSpecialSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := naive{qi: rapid.IntRange(1, 5).Draw(t, "qi")}
		value := rapid.SampledFrom([]string{"a", "a", "a", "b", "b", "c", "NA", "", "d", "e"}[:rapid.IntRange(4, 10).Draw(t, "values")])
		for range rapid.IntRange(0, 90).Draw(t, "records") {
			x.rows = append(x.rows, rapid.SliceOfN(value, x.qi+2, x.qi+2).Draw(t, "record"))
		}
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Ignore}).Draw(t, "mode"), markers}
		size := rapid.IntRange(1, x.qi).Draw(t, "size")
		s := x.sensitive(t, x.rows)
		f, _, err := s.frequencies(context.Background(), Missing{Mode: Own})
		if err != nil {
			t.Fatal(err)
		}
		var pattern []uint64
		if m.Mode == Ignore {
			pattern = s.patterns(m.Markers)
		}
		planes := newSpecialSearch(context.Background(), &s.Classes, size, f, pattern)
		lists := newSpecialSearch(context.Background(), &s.Classes, size, f, pattern)
		lists.few, lists.sets = false, &specialLists{blocks: make([]specialBlock, len(lists.class)), column: lists.column}
		for name, search := range map[string]*specialSearch{"planes": planes, "lists": lists} {
			if err := search.run(); err != nil {
				t.Fatal(err)
			}
			found := map[uint32][]uint64{}
			count := search.sets.each(func(p uint32, sets []uint64) {
				found[search.class[p]] = slices.Sorted(slices.Values(sets))
				if again := slices.Sorted(slices.Values(search.sets.record(p))); !slices.Equal(found[search.class[p]], again) {
					t.Fatalf("%s: %b, then %b", name, found[search.class[p]], again)
				}
			})
			for i, want := range x.msus(m) {
				want = slices.DeleteFunc(want, func(set uint64) bool { return bits.OnesCount64(set) > size })
				if got := found[uint32(s.Class(x.rows[i][:x.qi]...))]; !slices.Equal(got, want) {
					t.Fatalf("%s, record %v: %b, want %b", name, x.rows[i], got, want)
				}
				for _, set := range want {
					count[set]--
				}
			}
			for set, n := range count {
				if n != 0 {
					t.Fatalf("%s: %b counted %d times too often", name, set, int64(n))
				}
			}
		}
	})
}

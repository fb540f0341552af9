package risk

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/heavy"
)

var _ = heavy.Properties()

// recoded are the sensitive values of records that are alike where each record has levels of its own, and the loss.
func (x naiveLattice) recoded(levels func(row []int) []int) (alike map[string][]int, loss float64) {
	alike = map[string][]int{}
	columns := 0
	for c := range x.levels {
		there := map[int]bool{}
		for _, row := range x.rows {
			there[row[c]] = true
		}
		if len(there) < 2 {
			continue
		}
		columns++
		for _, row := range x.rows {
			level := x.levels[c][levels(row)[c]]
			same := 0
			for v := range there {
				if level[v] == level[row[c]] {
					same++
				}
			}
			loss += float64(same-1) / float64(len(there)-1) / float64(len(x.rows))
		}
	}
	for _, row := range x.rows {
		name := ""
		for c, level := range levels(row) {
			name += fmt.Sprint(level, ":", x.levels[c][level][row[c]], ",")
		}
		alike[name] = append(alike[name], row[len(row)-1])
	}
	return alike, loss / float64(max(1, columns))
}

// reach says whether all records that are alike reach a goal.
func (x naiveLattice) reach(alike map[string][]int, goal Goal) bool {
	for _, values := range alike {
		distinct := slices.Compact(slices.Sorted(slices.Values(values)))
		if uint64(len(values)) < goal.K || uint64(len(distinct)) < goal.L || x.entropy(values) < goal.E*(1-1e-11) {
			return false
		}
		t := new(big.Rat)
		for v := range 4 {
			here, all := 0, 0
			for _, u := range values {
				if u == v {
					here++
				}
			}
			for _, row := range x.rows {
				if row[len(row)-1] == v {
					all++
				}
			}
			gap := new(big.Rat).Sub(big.NewRat(int64(here), int64(len(values))), big.NewRat(int64(all), int64(len(x.rows))))
			t.Add(t, gap.Abs(gap))
		}
		if goal.T != nil && t.Cmp(new(big.Rat).Add(goal.T, goal.T)) > 0 {
			return false
		}
	}
	return true
}

// A local recoding reaches the goal, record by record, loses what it says, and no more than the steps it begins with; of small files all are tried, and none loses less than the best.
func TestLocal(t *testing.T) {
	t.Parallel()
	var sums [3]float64 // by the best steps for all, by records from any minimal ones or the coarsest, the best by records
	draws, finer := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		x, s, hs := drawLattice(t)
		goal := Goal{K: uint64(rapid.IntRange(1, 6).Draw(t, "k")), L: uint64(rapid.IntRange(0, 2).Draw(t, "l")), Local: true}
		if rapid.Bool().Draw(t, "t asked") {
			goal.T = big.NewRat(int64(rapid.IntRange(2, 10).Draw(t, "t")), 10)
		}
		goal.E = rapid.SampledFrom([]float64{0, 0, 1.5}).Draw(t, "entropy l")
		l, err := NewLattice(t.Context(), s, Missing{}, hs)
		check(t, err)
		global, local := math.Inf(1), math.Inf(1)
		for node := range l.size {
			r, err := l.At(t.Context(), l.levels(node), goal)
			check(t, err)
			if !r.Met {
				if r.Steps != nil {
					t.Fatal("what misses the goal is recoded")
				}
				continue
			}
			of := map[string][]int{} // by values of the file
			for g := range l.s.t.n {
				of[strings.Join(l.s.Tuple(g), ",")] = r.levels(g)
			}
			alike, loss := x.recoded(func(row []int) []int {
				var key []string
				for _, v := range row[:len(row)-1] {
					key = append(key, fmt.Sprint("v0-", v))
				}
				return of[strings.Join(key, ",")]
			})
			if !x.reach(alike, goal) {
				t.Fatalf("%v: %v miss the goal %+v", r.Levels, alike, goal)
			}
			before := x.loss(r.Levels)
			if math.Abs(loss-r.Loss) > 1e-12 || loss > before+1e-12 || uint64(len(alike)) != r.Classes {
				t.Fatalf("%v: loss %g in %d classes, said %g in %d, %g before", r.Levels, loss, len(alike), r.Loss, r.Classes, before)
			}
			if loss < before-1e-12 {
				finer++
			}
			for k, steps := range r.Steps {
				sum := uint64(0)
				for level, n := range steps {
					sum += n
					if level > r.Levels[k] && n > 0 {
						t.Fatalf("%v: %v", r.Levels, r.Steps)
					}
				}
				if sum != uint64(len(x.rows)) {
					t.Fatalf("%v of %d records", r.Steps, len(x.rows))
				}
			}
			global, local = min(global, before), min(local, loss)
		}
		if all := math.Pow(float64(l.size), float64(l.s.t.n)); math.IsInf(global, 1) || all > 20_000 {
			return
		}
		best := math.Inf(1)
		steps := map[string]int{}
		var keys []string
		for g := range l.s.t.n {
			keys = append(keys, strings.Join(l.s.Tuple(g), ","))
		}
		var try func(n int)
		try = func(n int) {
			if n < len(keys) {
				for steps[keys[n]] = range l.size {
					try(n + 1)
				}
				return
			}
			alike, loss := x.recoded(func(row []int) []int {
				var key []string
				for _, v := range row[:len(row)-1] {
					key = append(key, fmt.Sprint("v0-", v))
				}
				return l.levels(steps[strings.Join(key, ",")])
			})
			if loss < best && x.reach(alike, goal) {
				best = loss
			}
		}
		try(0)
		if best > local+1e-12 {
			t.Fatalf("loss %g, but none of all has less than %g", local, best)
		}
		draws++
		sums[0], sums[1], sums[2] = sums[0]+global, sums[1]+local, sums[2]+best
	})
	t.Logf("%d small files: mean loss %.4f by steps for all, %.4f by records, %.4f at best; %d recodings became finer", draws, sums[0]/float64(draws), sums[1]/float64(draws), sums[2]/float64(draws), finer)
	if finer == 0 {
		t.Error("nothing ever becomes finer")
	}
}

// A value that stands for fewer originals at a finer step, or for as many others, is not used beside the same one of a coarser step.
func TestLocalUnclear(t *testing.T) {
	t.Parallel()
	for text, x := range map[string]struct {
		counts map[string]uint64
		steps  map[uint64][]uint64 // by k
	}{
		"a;x;x\nd;x;x\nb;y;x\nc;z;x\n":               {map[string]uint64{"a": 1, "d": 2, "b": 2, "c": 2}, map[uint64][]uint64{1: {7, 0, 0}, 3: {0, 0, 7}}},
		"a;x;y\nb;x;y\nc;z;y\nd;z;y\ne;w;x\nf;w;x\n": {map[string]uint64{"a": 2, "b": 2, "c": 2, "d": 2, "e": 2, "f": 2}, map[uint64][]uint64{1: {12, 0, 0}, 4: {0, 4, 8}}},
	} {
		h, err := parseHierarchy([]byte(text), "", Layout{})
		check(t, err)
		columns, err := NewColumns("q")
		check(t, err)
		s := NewSensitive(columns, 1)
		for v, n := range x.counts {
			check(t, s.Add(n, v))
		}
		l, err := NewLattice(t.Context(), s, Missing{}, []*Hierarchy{h})
		check(t, err)
		for k, want := range x.steps {
			r, err := l.At(t.Context(), []int{2}, Goal{K: k, Local: true})
			check(t, err)
			if !slices.Equal(r.Steps[0], want) {
				t.Errorf("%q, k %d: records by step %v, want %v", text, k, r.Steps[0], want)
			}
		}
	}
}

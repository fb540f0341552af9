package risk

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"pgregory.net/rapid"
)

func TestLikenessAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Suppressed, Wildcard}).Draw(t, "mode"), markers}
		own := rapid.Bool().Draw(t, "own")
		all, err := x.sensitive(t, x.rows).Likeness(t.Context(), m, own, 3)
		check(t, err)
		for a, got := range all {
			classes := x.classes(m, x.qi+a, own)
			total, records := map[string]int64{}, int64(0)
			for _, v := range x.values(m, x.qi+a, own) {
				total[v]++
				records++
			}
			if records == 0 {
				if got.Beta != nil || got.Classes != 0 {
					t.Fatalf("%+v without values", got)
				}
				continue
			}
			beta, delta, capped, absent := new(big.Rat), 0.0, true, 0
			for _, values := range classes {
				count := map[string]int64{}
				for _, v := range values {
					count[v]++
				}
				for v, n := range total {
					if len(values) > 0 && count[v] == 0 {
						absent++
					}
					if count[v] == 0 {
						continue
					}
					q, p := big.NewRat(count[v], int64(len(values))), big.NewRat(n, records)
					gain := new(big.Rat).Quo(new(big.Rat).Sub(q, p), p)
					if gain.Cmp(beta) > 0 {
						beta = gain
					}
					delta = max(delta, math.Abs(math.Log(num.Float(q)/num.Float(p))))
					capped = capped && num.Float(gain) <= -math.Log(num.Float(p))+1e-9
				}
			}
			if got.Beta.Cmp(beta) != 0 || math.Abs(got.Delta-delta) > 1e-12 || got.Capped != capped || got.Absent != uint64(absent) {
				t.Fatalf("%+v, want β %s, δ %g, %v, %d", got, beta, delta, capped, absent)
			}
			if beta.Sign() > 0 && math.Abs(got.Worst[0].Distance-num.Float(beta)) > 1e-9 {
				t.Fatalf("%+v, want a gain of %s", got.Worst[0], beta)
			}
		}
	})
}

// drawTree draws a hierarchy of the values 0 … n−1: by level the number that each value has.
func drawTree(t *rapid.T, n int) (levels [][]int) {
	now := make([]int, n)
	for v := range now {
		now[v] = v
	}
	levels = append(levels, now)
	for range rapid.IntRange(0, 2).Draw(t, "steps") {
		to := rapid.SliceOfN(rapid.IntRange(0, 2), max(n, 3), max(n, 3)).Draw(t, "to")
		next := make([]int, n)
		for v := range next {
			next[v] = to[now[v]]
		}
		levels = append(levels, next)
		now = next
	}
	return append(levels, make([]int, n))
}

// text is the file of a tree.
func treeText(levels [][]int) string {
	text := ""
	for v := range levels[0] {
		for k, level := range levels {
			if k > 0 {
				text += ";"
			}
			text += fmt.Sprint("v", k*k, "-", level[v])
		}
		text += "\n"
	}
	return text
}

func TestTreeDistanceAgainstSubtrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "values")
		levels := drawTree(t, n)
		h, err := parseHierarchy([]byte(treeText(levels)), "", Layout{})
		check(t, err)
		columns, err := NewColumns("q", "s")
		check(t, err)
		s := NewSensitive(columns, 1)
		check(t, s.Hierarchical(0, h))
		count := map[string][]int64{}
		total := make([]int64, n)
		for range rapid.IntRange(1, 20).Draw(t, "records") {
			q := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "class")
			v := rapid.IntRange(0, n-1).Draw(t, "value")
			check(t, s.Add(1, q, fmt.Sprint("v0-", v)))
			if count[q] == nil {
				count[q] = make([]int64, n)
			}
			count[q][v]++
			total[v]++
		}
		got, err := s.TCloseness(t.Context(), Missing{}, false, []Distance{ByTree}, 1)
		check(t, err)
		// By edges: what a subtree has too much crosses the edge above it; each crossing is half of a way up and down.
		sum := func(x []int64) (n int64) {
			for _, v := range x {
				n += v
			}
			return n
		}
		want := new(big.Rat)
		for _, c := range count {
			d := new(big.Rat)
			for k := range len(levels) - 1 {
				for _, node := range slices.Compact(slices.Sorted(slices.Values(levels[k]))) {
					var p, q int64
					for v := range n {
						if levels[k][v] == node {
							p, q = p+total[v], q+c[v]
						}
					}
					x := new(big.Rat).Sub(big.NewRat(q, sum(c)), big.NewRat(p, sum(total)))
					d.Add(d, x.Abs(x).Mul(x, big.NewRat(1, int64(2*(len(levels)-1)))))
				}
			}
			if d.Cmp(want) > 0 {
				want = d
			}
		}
		if got[0].T.Cmp(want) != 0 {
			t.Fatalf("t %s, want %s", got[0].T, want)
		}
	})
}

func TestHierarchyRefused(t *testing.T) {
	t.Parallel()
	columns, err := NewColumns("q", "s")
	check(t, err)
	for _, x := range []struct{ text, want string }{
		{"", "no values, want lines like 34;30-39;*"},
		{"a;b\nc\n", ":2: 1 fields: want 2 as in the lines before"},
		{"a;b\na;c\n", `:2: a: the value stands on an earlier line with other steps`},
		{"a;b;*\nc;b;x\n", "column s: c agrees with another value at step 1 and not at step 2; steps must be made of those before"},
		{"a;b;*\n", "column s: c: not among the values of the hierarchy"},
		{"a;b\nc;d\n", "s: the last step of the hierarchy has 2 values, want one that all values come to"},
	} {
		h, err := parseHierarchy([]byte(x.text), "", Layout{})
		if err == nil {
			s := NewSensitive(columns, 1)
			check(t, s.Hierarchical(0, h))
			check(t, s.Add(1, "q", "a"))
			check(t, s.Add(1, "q", "c"))
			_, err = s.TCloseness(t.Context(), Missing{}, false, []Distance{ByTree}, 0)
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %s", x.text, err, x.want)
		}
	}
}

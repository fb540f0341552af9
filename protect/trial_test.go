package protect

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// twoByThree is a 2×3 table of counts.
func twoByThree(v [6]int64) string {
	var b strings.Builder
	b.WriteString("region,activity,freq\n")
	for k, x := range v {
		fmt.Fprintf(&b, "r%d,a%d,%d\n", k/3, k%3, x)
	}
	return b.String()
}

// Of a table protected together with last year's, whoever knows how, and both tables, is left with the candidates for which its pattern is one of the
// cheapest of all patterns, tried one by one; the true table is one of them.
func TestTrialBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 10))
	narrower, matched := 0, 0
	for n := range 2 {
		var now, then [6]int64
		for k := range now {
			then[k] = 3 + rng.Int64N(9)
			now[k] = max(1, then[k]-1+rng.Int64N(3))
		}
		now[n], then[n] = 2, 3
		set := func() *ledger.Set {
			last := tidy(t, "last", twoByThree(then))
			for _, i := range []int{0, 1, 3, 4} {
				last.Status[i] = table.Withheld
			}
			last.Missing = make([]bool, last.Len())
			for _, i := range []int{0, 1, 3, 4} {
				last.Missing[i] = true
			}
			return &ledger.Set{At: period("2024"), Releases: []*ledger.Release{{File: "last", At: period("2023"), Table: last}}, Changes: []ledger.Change{{P: 1, Q: 2}}}
		}
		p := Policy{Below: 3, Width: level("3"), Cost: cost("count"), Margins: margins("publish"), Published: []string{"x"}, Lost: true}
		opt := &Options{Ledger: func(*Policy) (*ledger.Set, error) { return set(), nil }}
		res := must.Get(Run(t.Context(), []Input{{Table: tidy(t, "now", twoByThree(now))}}, p, opt))(t)
		if res.Verdict != interval.Protected || res.Solution.Status != solver.Optimal {
			t.Fatalf("draw %d: %v", n, res.Verdict)
		}
		pattern := res.Patterns[0]
		bits := 0
		published := tidy(t, "now", twoByThree(now))
		published.PublishMargins()
		published.Missing = slices.Clone(pattern)
		for i, w := range pattern {
			if w {
				bits |= 1 << i
				published.Status[i] = table.Withheld
			}
		}
		at := &attack.Options{Office: attack.Office{Below: 3, Levels: table.Levels{Width: &table.Level{Decimal: table.Decimal{Unscaled: 3}}}}}
		lo, hi := ends(t, published, pattern, set())
		alone := must.Get(attack.Run(t.Context(), attack.Published(published, pattern), &attack.Options{Office: at.Office}))(t)
		try := Trial(Input{Table: published}, pattern, p, opt)
		hulls, possible, matching := map[int][2]int64{}, 0, 0
		got, err := attack.Through(t.Context(), attack.Published(published, pattern), at, lo, hi, func(ctx context.Context, y []int64) (bool, bool, error) {
			can, match, err := try(ctx, y)
			candidate, k := now, 0
			for i, w := range pattern {
				if w { // an inner cell, one of the first
					candidate[i] = y[k]
					k++
				}
			}
			own, failed := Run(ctx, []Input{{Table: tidy(t, "now", twoByThree(candidate))}}, p, opt)
			if can != (failed == nil || own.Earlier != nil && own.Solution != nil) {
				t.Errorf("draw %d: %v possible %v: %v", n, candidate, can, failed)
			}
			want := false
			if failed == nil {
				_, best := cheapest(t, own, own.Table, set)
				want = slices.Contains(best, bits)
			}
			if match != want {
				t.Errorf("draw %d: %v matches %v, by all patterns %v", n, candidate, match, want)
			}
			if can {
				possible++
			}
			if want {
				matching++
				k := 0
				for i, w := range pattern {
					if w {
						h, ok := hulls[i]
						if !ok {
							h = [2]int64{y[k], y[k]}
						}
						hulls[i] = [2]int64{min(h[0], y[k]), max(h[1], y[k])}
						k++
					}
				}
			}
			return can, match, err
		})
		if err != nil || !got.Complete || got.Candidates.Int64() != int64(possible) || got.Matching.Int64() != int64(matching) {
			t.Fatalf("draw %d: %+v, %d possible, %d match: %v", n, got, possible, matching, err)
		}
		for k, c := range got.Cells {
			h := hulls[c.Index]
			if v := res.Table.Value[c.Index]; c.Outer != (attack.Range{Lo: h[0], Hi: h[1]}) || v < h[0] || v > h[1] {
				t.Errorf("draw %d: cell %d of value %d: %v, want %v", n, c.Index, v, c.Outer, h)
			}
			if a := alone.Cells[k]; c.Lo.Cmp(a.Lo) < 0 || c.Hi.Cmp(a.Hi) > 0 {
				t.Errorf("draw %d: what two tables tell is wider than what one does", n)
			} else if c.Lo.Cmp(a.Lo) > 0 || c.Hi.Cmp(a.Hi) < 0 {
				narrower++
			}
		}
		matched += matching
	}
	if narrower == 0 || matched == 0 {
		t.Errorf("%d intervals narrower, %d candidates match", narrower, matched)
	}
}

// ends are the intervals that two tables leave of the withheld cells of the first.
func ends(t *testing.T, published *table.Table, withheld []bool, set *ledger.Set) (lo, hi []*big.Rat) {
	t.Helper()
	j := must.Get(set.Join(&ledger.Release{Table: published, File: "now"}, ledger.Options{Withheld: withheld}))(t)
	rep := must.Get(interval.Audit(t.Context(), j.Table, j.Withheld, &interval.Options{Told: true, Cells: j.Asked()}))(t)
	for k := range rep.Cells {
		if c := &rep.Cells[k]; c.Index < published.Len() {
			lo, hi = append(lo, c.Lo), append(hi, c.Hi)
		}
	}
	return lo, hi
}

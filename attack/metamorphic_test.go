package attack_test

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

var _ = heavy.Properties()

// most is how many candidates a scenario has at most that is drawn.
const most = 60

// pick draws a scenario of few candidates, with a matching rule.
func pick(t *rapid.T) (*scenario, attack.Match) {
	return pickWhere(t, most, func(*scenario) bool { return true })
}

// pickWhere is pick among the scenarios that ok takes.
func pickWhere(t *rapid.T, most int64, ok func(s *scenario) bool) (*scenario, attack.Match) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
	m := rapid.SampledFrom([]attack.Match{attack.Any, attack.Exact}).Draw(t, "match")
	for {
		if s := drawScenario(rng); s != nil && ok(s) && s.fits(most) {
			return s, m
		}
	}
}

// public says whether statuses, costs and levels are the same for all candidates, or if relative in proportion to their values.
func public(s *scenario, relative bool) bool {
	o := s.opt.Office
	for _, l := range []*table.Level{o.Levels.LPL, o.Levels.UPL, o.Levels.Width} {
		if l != nil && l.Percent && !relative {
			return false
		}
	}
	return o.Below == 0 && o.Cost.Kind != "value" && o.Cost.Kind != "freq"
}

// moved returns s with all values and bounds larger, by as much as by says for each cell.
func moved(s *scenario, by []int64) *scenario {
	r := &scenario{t: s.t.Clone(), withheld: s.withheld}
	opt := *s.opt
	opt.Knows = maps.Clone(opt.Knows)
	t := r.t
	for i, d := range by {
		if t.Known(i) {
			t.Value[i] += d
		}
		if _, ok := opt.Knows[i]; ok {
			opt.Knows[i] += d
		}
		if t.Lower[i] += d; t.Upper[i] != table.PosInf {
			t.Upper[i] += d
		}
	}
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		for k, i := range cell {
			t.Rel.RHS[j] += int64(coef[k]) * by[i]
		}
	}
	r.opt = &opt
	return r
}

// multiplied returns s with all numbers times f². Two cells beside each withheld one, which cost nothing, make its value a multiple of that: it is f times the first,
// and that f times the second.
func multiplied(s *scenario, f int32) *scenario {
	t, n := s.t.Clone(), s.t.Len()
	all := int64(f) * int64(f)
	for _, c := range [][]int64{t.Value, t.LPL, t.UPL, t.Width, t.Lower} {
		for i := range c {
			c[i] *= all
		}
	}
	opt := *s.opt
	opt.Knows = maps.Clone(opt.Knows)
	for i := range opt.Knows {
		opt.Knows[i] *= all
	}
	for _, l := range []**table.Level{&opt.Levels.LPL, &opt.Levels.UPL, &opt.Levels.Width} {
		if *l != nil && !(*l).Percent {
			long := **l
			long.Unscaled *= all
			*l = &long
		}
	}
	if opt.Cost.Kind != "given" {
		opt.Cost.Kind = "given"
		for i := range t.Cost {
			t.Cost[i] = 1
		}
	}
	rel := table.NewRelations(n + 2*count(s.withheld))
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		rel.Add(cell, coef, 0)
	}
	r := &scenario{t: t, withheld: slices.Clone(s.withheld), opt: &opt}
	if t.Missing == nil {
		t.Missing = make([]bool, n)
	}
	for i := range n {
		if t.Upper[i] != table.PosInf {
			t.Upper[i] *= all
		}
		of := int32(i)
		for range 2 {
			if !s.withheld[i] {
				continue
			}
			c := int32(t.Len())
			t.Value, t.Missing, t.Cost, t.Status = append(t.Value, 0), append(t.Missing, true), append(t.Cost, 0), append(t.Status, table.Withheld)
			t.LPL, t.UPL, t.Width = append(t.LPL, 0), append(t.UPL, 0), append(t.Width, 0)
			t.Lower, t.Upper, r.withheld = append(t.Lower, table.NegInf), append(t.Upper, table.PosInf), append(r.withheld, true)
			rel.Add([]int32{of, c}, []int32{1, -f}, 0)
			of = c
		}
	}
	t.Rel, t.Dims, t.Coord, t.Freq, t.Reason = rel, nil, nil, nil, nil
	return r
}

func count(of []bool) (n int) {
	for _, v := range of {
		if v {
			n++
		}
	}
	return n
}

// fits reports whether s has at least one and at most most candidates.
func (s *scenario) fits(most int64) bool {
	lo, hi := s.t.Lower, slices.Clone(s.t.Upper)
	for i := range hi {
		hi[i] = min(hi[i], far)
	}
	var cells []int
	for i, w := range s.withheld {
		if w {
			cells = append(cells, i)
		}
	}
	n, some := int64(0), false
	ok := fibre(s.t.Rel, cells, s.t.Value, lo, hi, func(y []int64) bool {
		n++
		agrees := true
		for i, v := range s.opt.Knows {
			agrees = agrees && y[i] == v
		}
		some = some || agrees
		return n <= most
	})
	return ok && some && n <= most
}

// own returns the office's table, from which its procedure starts.
func (s *scenario) own() (*table.Table, error) {
	t := s.t.Clone()
	t.Strict = t.Strict || s.opt.Strict
	for i, st := range t.Status {
		if st == table.Withheld || st == table.Sensitive && s.opt.Below > 0 {
			t.Status[i] = table.Safe
		}
	}
	if s.opt.Below > 0 {
		if _, _, err := t.MinimumFrequency(s.opt.Below, s.opt.Zeros); err != nil {
			return nil, err
		}
	}
	cost := s.opt.Cost
	if cost.Kind == "" {
		cost.Kind = "count"
	}
	if err := t.SetCost(cost); err != nil {
		return nil, err
	}
	return t, t.SetLevels(s.opt.Levels)
}

// run attacks s, whose options change adapts.
func run(t *rapid.T, s *scenario, m attack.Match, change func(o *attack.Options)) *attack.Result {
	t.Helper()
	opt := *s.opt
	opt.Match, opt.Count = m, attack.CountAll
	if change != nil {
		change(&opt)
	}
	r, err := attack.Run(t.Context(), attack.Published(s.t, s.withheld), &opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	r.Judge(s.t)
	return r
}

// within reports whether a is a part of b.
func within(a, b attack.Range) bool { return a.Empty || !b.Empty && b.Lo <= a.Lo && a.Hi <= b.Hi }

// sameAs compares two results in all but their time and work.
func sameAs(t *rapid.T, s *scenario, a, b *attack.Result) {
	t.Helper()
	if a.Dim != b.Dim || a.Candidates.Cmp(b.Candidates) != 0 || a.Matching.Cmp(b.Matching) != 0 || a.Counted != b.Counted || a.Complete != b.Complete {
		t.Fatalf("%+v\nand %+v\n%s", a, b, s)
	}
	for k := range a.Cells {
		sameCell(t, s, &a.Cells[k], &b.Cells[k])
	}
}

func sameCell(t *rapid.T, s *scenario, a, b *attack.Cell) {
	t.Helper()
	if a.Lo.Cmp(b.Lo) != 0 || a.Hi.Cmp(b.Hi) != 0 || a.Outer != b.Outer || a.Inner != b.Inner || a.Verdict != b.Verdict {
		t.Fatalf("%s: %+v and %+v\n%s", s.t.CellName(a.Index), a, b, s)
	}
}

// relabel returns s with its cells in the order perm, its relations in the order rows
// and negated where flip says so. Cell i of the result is cell perm[i] of s.
func relabel(s *scenario, perm, rows []int, flip []bool) *scenario {
	t := s.t.Clone()
	k := len(t.Dims)
	at := make([]int32, t.Len())
	for i, p := range perm {
		at[p] = int32(i)
		copy(t.Coord[i*k:i*k+k], s.t.Coord[p*k:p*k+k])
		t.Status[i] = s.t.Status[p]
		if t.Missing != nil {
			t.Missing[i] = s.t.Missing[p]
		}
		for _, c := range [][2][]int64{{t.Value, s.t.Value}, {t.Cost, s.t.Cost}, {t.LPL, s.t.LPL}, {t.UPL, s.t.UPL}, {t.Width, s.t.Width}, {t.Lower, s.t.Lower}, {t.Upper, s.t.Upper}} {
			c[0][i] = c[1][p]
		}
	}
	t.Coord = slices.Clone(t.Coord)
	t.Rel = table.NewRelations(t.Len())
	for _, j := range rows {
		cell, coef := s.t.Rel.Row(j)
		cell, coef = slices.Clone(cell), slices.Clone(coef)
		sign := int32(1)
		if flip[j] {
			sign = -1
		}
		for n, i := range cell {
			cell[n], coef[n] = at[i], sign*coef[n]
		}
		t.Rel.Add(cell, coef, int64(sign)*s.t.Rel.RHS[j])
		if s.t.Rel.Dim != nil {
			t.Rel.Dim = append(t.Rel.Dim, -1)
			t.Rel.Margin = append(t.Rel.Margin, -1)
		}
	}
	r := &scenario{t: t, withheld: make([]bool, t.Len())}
	opt := *s.opt
	opt.Knows = map[int]int64{}
	for i, p := range perm {
		r.withheld[i] = s.withheld[p]
		if v, ok := s.opt.Knows[p]; ok {
			opt.Knows[i] = v
		}
	}
	r.opt = &opt
	return r
}

// upTo returns 0 … n−1.
func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestMetamorphic(t *testing.T) {
	t.Parallel()
	for name, property := range map[string]func(t *rapid.T){
		// That of rows, columns and dimensions is a special case.
		"relabelling cells and relations relabels the answer under any": func(t *rapid.T) {
			s, _ := pick(t)
			perm := rapid.Permutation(upTo(s.t.Len())).Draw(t, "cells")
			rows := rapid.Permutation(upTo(s.t.Rel.Len())).Draw(t, "relations")
			flip := rapid.SliceOfN(rapid.Bool(), len(rows), len(rows)).Draw(t, "flip")
			a, b := run(t, s, attack.Any, nil), run(t, relabel(s, perm, rows, flip), attack.Any, nil)
			slices.SortFunc(b.Cells, func(x, y attack.Cell) int { return perm[x.Index] - perm[y.Index] })
			sameAs(t, s, a, b)
		},
		"the office's own table matches": func(t *rapid.T) {
			s, m := pick(t)
			if s.t.Missing != nil || s.opt.Knows != nil {
				t.Skip("no true values")
			}
			own, err := s.own()
			if err != nil {
				t.Fatal(err)
			}
			sol, err := solver.Suppress(t.Context(), own, &solver.Options{Canonical: true, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if s.withheld = sol.Pattern; !s.fits(most) {
				t.Skip("too many candidates")
			}
			r := run(t, s, m, nil)
			if r.Matching.Sign() == 0 {
				t.Fatalf("nothing matches\n%s", s)
			}
			for k := range r.Cells {
				if v := s.t.Value[r.Cells[k].Index]; !within(attack.Range{Lo: v, Hi: v}, r.Cells[k].Outer) {
					t.Fatalf("%s is not in %+v\n%s", s.t.CellName(r.Cells[k].Index), r.Cells[k].Outer, s)
				}
			}
		},
		"effective intervals are parts of the feasible ones, exact ones of those of any": func(t *rapid.T) {
			s, _ := pick(t)
			any, exact := run(t, s, attack.Any, nil), run(t, s, attack.Exact, nil)
			if any.Matching.Cmp(exact.Matching) < 0 || any.Candidates.Cmp(exact.Candidates) != 0 {
				t.Fatalf("%+v, exact %+v\n%s", any, exact, s)
			}
			for k := range any.Cells {
				a, e := &any.Cells[k], &exact.Cells[k]
				feasible := attack.Range{Lo: a.Lo.Num().Int64(), Hi: a.Hi.Num().Int64()} // integers in these tables
				if !within(a.Outer, feasible) || !within(e.Outer, a.Outer) {
					t.Fatalf("%s: %+v, exact %+v\n%s", s.t.CellName(a.Index), a, e, s)
				}
			}
		},
		"knowledge never widens": func(t *rapid.T) {
			s, m := pick(t)
			if s.opt.Knows != nil {
				t.Skip("something is known already")
			}
			before := run(t, s, m, nil)
			c := before.Cells[rapid.IntRange(0, len(before.Cells)-1).Draw(t, "cell")]
			v := rapid.Int64Range(c.Lo.Num().Int64(), c.Hi.Num().Int64()).Draw(t, "value")
			after := run(t, s, m, func(o *attack.Options) { o.Knows = map[int]int64{c.Index: v} })
			if after.Matching.Cmp(before.Matching) > 0 || after.Candidates.Cmp(before.Candidates) > 0 {
				t.Fatalf("%+v, then %+v\n%s", before, after, s)
			}
			for k := range after.Cells {
				if b, a := before.Cells[k], after.Cells[k]; !within(a.Outer, b.Outer) || a.Lo.Cmp(b.Lo) < 0 || a.Hi.Cmp(b.Hi) > 0 {
					t.Fatalf("%s: %+v, knowing %s=%d %+v\n%s", s.t.CellName(b.Index), b, s.t.CellName(c.Index), v, a, s)
				}
			}
		},
		"numbers moved beyond 64 bits move the intervals": func(t *rapid.T) {
			s, m := pickWhere(t, most, func(s *scenario) bool { return public(s, false) })
			by := rapid.SliceOfN(rapid.Int64Range(6e17, 9e17), s.t.Len(), s.t.Len()).Draw(t, "by")
			a, b := run(t, s, m, nil), run(t, moved(s, by), m, nil)
			for k := range b.Cells {
				c := &b.Cells[k]
				d := by[c.Index]
				c.Lo, c.Hi = new(big.Rat).Sub(c.Lo, num.Whole(d)), new(big.Rat).Sub(c.Hi, num.Whole(d))
				for _, r := range []*attack.Range{&c.Outer, &c.Inner} {
					if !r.Empty {
						r.Lo, r.Hi = r.Lo-d, r.Hi-d
					}
				}
			}
			sameAs(t, s, a, b)
		},
		"numbers multiplied beyond 64 bits multiply the intervals": func(t *rapid.T) {
			s, _ := pickWhere(t, 20, func(s *scenario) bool { return public(s, true) && count(s.withheld) < 7 })
			f := rapid.SampledFrom([]int32{10, 1000, 100_000_000}).Draw(t, "f")
			all := int64(f) * int64(f)
			a, b := run(t, s, attack.Any, nil), run(t, multiplied(s, f), attack.Any, nil)
			b.Cells = b.Cells[:len(a.Cells)]
			for k := range a.Cells {
				c := &a.Cells[k]
				c.Lo, c.Hi = new(big.Rat).Mul(c.Lo, num.Whole(all)), new(big.Rat).Mul(c.Hi, num.Whole(all))
				for _, r := range []*attack.Range{&c.Outer, &c.Inner} {
					r.Lo, r.Hi = r.Lo*all, r.Hi*all
				}
			}
			sameAs(t, s, a, b)
		},
		"the number of workers changes nothing": func(t *rapid.T) {
			s, m := pick(t)
			count := rapid.SampledFrom([]attack.Counting{attack.CountAuto, attack.CountAll, attack.CountNone}).Draw(t, "count")
			one := run(t, s, m, func(o *attack.Options) { o.Workers, o.Count = 1, count })
			two := run(t, s, m, func(o *attack.Options) { o.Workers, o.Count = rapid.IntRange(2, 5).Draw(t, "workers"), count })
			if !one.Counted { // how many were met on the way to the intervals is chance
				two.Matching = one.Matching
			}
			sameAs(t, s, one, two)
		},
		"counting changes no interval": func(t *rapid.T) {
			s, m := pick(t)
			all := run(t, s, m, nil)
			for _, count := range []attack.Counting{attack.CountAuto, attack.CountNone} {
				r := run(t, s, m, func(o *attack.Options) { o.Count = count })
				for k := range all.Cells {
					sameCell(t, s, &all.Cells[k], &r.Cells[k])
				}
			}
		},
		"an attack cut off encloses the answer": func(t *rapid.T) {
			s, m := pick(t)
			whole := run(t, s, m, nil)
			limit := time.Duration(rapid.IntRange(30_000, 400_000).Draw(t, "limit"))
			opt := *s.opt
			opt.Match, opt.Count, opt.TimeLimit = m, attack.CountAll, limit
			r, err := attack.Run(t.Context(), attack.Published(s.t, s.withheld), &opt)
			if errors.Is(err, context.DeadlineExceeded) {
				return // stopped before it began, as nearly always on a busy machine
			} else if err != nil {
				t.Fatalf("%v\n%s", err, s)
			}
			r.Judge(s.t)
			if r.Candidates != nil && r.Candidates.Cmp(whole.Candidates) != 0 || r.Matching.Cmp(whole.Matching) > 0 || r.Dim != whole.Dim {
				t.Fatalf("%+v, cut off %+v\n%s", whole, r, s)
			}
			if len(r.Cells) != len(whole.Cells) {
				t.Fatalf("%d cells, cut off %d", len(whole.Cells), len(r.Cells))
			}
			for k := range r.Cells {
				w, c := whole.Cells[k], r.Cells[k]
				if !within(w.Outer, c.Outer) || !within(c.Inner, w.Outer) || c.Verdict != attack.Unknown && c.Verdict != w.Verdict || r.Complete && c.Outer != c.Inner {
					t.Fatalf("%s: %+v, cut off %+v\n%s", s.t.CellName(c.Index), w, c, s)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, property) })
	}
}

// TestCutOff: whenever an attack is stopped, with boxes on their way between workers, the
// office's own table, which matches, is not excluded.
func TestCutOff(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 9))
	levels := table.Levels{Width: levelOf(8, false)}
	cut := 0
	for range heavy.Draws(12) {
		tab := drawTable([]int{11, 11}, true, func() int64 { v := int64(15 + 10*rng.NormFloat64()); return max(v, -v) })
		tab.PublishMargins()
		s := &scenario{t: tab, opt: &attack.Options{Office: attack.Office{Below: 5, Levels: levels}}}
		own := must.Get(s.own())(t)
		sol := must.Get(solver.Suppress(t.Context(), own, &solver.Options{Canonical: true}))(t)
		for _, limit := range []time.Duration{20 * time.Millisecond, 60 * time.Millisecond} {
			opt := *s.opt
			opt.Workers, opt.TimeLimit, opt.Count = 3, limit, attack.CountNone
			r, err := attack.Run(t.Context(), attack.Published(tab, sol.Pattern), &opt)
			if errors.Is(err, context.DeadlineExceeded) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			if !r.Complete {
				cut++
			}
			for k := range r.Cells {
				if v := tab.Value[r.Cells[k].Index]; !within(attack.Range{Lo: v, Hi: v}, r.Cells[k].Outer) {
					t.Errorf("%s = %d is not in %+v", tab.CellName(r.Cells[k].Index), v, r.Cells[k].Outer)
				}
			}
		}
	}
	if cut == 0 {
		t.Log("no attack was cut off")
	}
}

// TestPublishedSensitive: no candidate explains a cell that is published although
// its value makes it sensitive.
func TestPublishedSensitive(t *testing.T) {
	tab := drawTable([]int{2, 3}, true, func() int64 { return 2 })
	tab.PublishMargins()
	withheld := make([]bool, tab.Len())
	for _, i := range []int{0, 1, 3, 4} {
		withheld[i] = true
	}
	opt := &attack.Options{Office: attack.Office{Below: 3, Levels: table.Levels{Width: levelOf(2, false)}}}
	r, err := attack.Run(t.Context(), attack.Published(tab, withheld), opt)
	switch {
	case errors.Is(err, attack.ErrPublished):
	case err != nil:
		t.Error(err)
	case r.Matching.Sign() != 0:
		t.Errorf("%v candidates match", r.Matching)
	}
}

//go:build slow

package adversary

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// askInsiders tries every coalition of up to two on every sensitive cell.
func askInsiders(ctx context.Context, t *table.Table, q *question, a *answer) {
	rng := rand.New(rand.NewPCG(q.seed, 3))
	t.Freq = make([]int64, t.Len())
	for i := range t.Freq {
		t.Freq[i] = 1 + max(0, rng.Int64N(9)-3)
	}
	withheld := given(t)
	rep, err := insider.Run(ctx, t, withheld, &insider.Options{Coalition: 2, LP: q.backend, Workers: q.workers})
	if late(a, ctx.Err()) {
		return
	}
	if err != nil {
		a.failed(q, err, "a report")
		return
	}
	if rep.Unsettled > 0 {
		a.note("insiders unsettled")
		return
	}
	if rep.Settled != 2 {
		a.wrong("insiders: incomplete", fmt.Sprintf("complete up to %d", rep.Settled), "2")
	}
	type key struct{ cell, one, two int }
	said := map[key]*insider.Exposure{}
	for f := range rep.Findings {
		x := &rep.Findings[f]
		at := key{x.Cell, -1, -1}
		if len(x.Members) > 0 {
			at.one = x.Members[0]
		}
		if len(x.Members) > 1 {
			at.two = x.Members[1]
		}
		said[at] = x
	}
	for k, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		ranks := map[key]int{}
		look := func(at key, before ...key) {
			left := append([]bool(nil), withheld...)
			for _, p := range []int{at.one, at.two} {
				if p < 0 {
					continue
				}
				for _, i := range rep.Contributors[p] {
					if i == k {
						return
					}
					left[i] = false
				}
			}
			s := newRoom(t, left).span(k)
			if w := s.width(); w != nil && w.Sign() == 0 {
				ranks[at] = 2
			} else if !s.meets(t, k) {
				ranks[at] = 1
			}
			if at.one < 0 {
				return // the public
			}
			news := ranks[at] > 0
			for _, b := range before {
				news = news && ranks[b] < ranks[at]
			}
			lo, hi := s.ends(t.Value[k])
			x := said[at]
			right := fmt.Sprintf("people %v and %v leave cell %d in [%s, %s], which is news: %v", at.one, at.two, k, end(lo), end(hi), news)
			switch {
			case (x != nil) != news:
				a.wrong("insiders: finding", fmt.Sprintf("said: %v", x), right)
			case x != nil && (x.Disclosed != (ranks[at] == 2) || !x.Inexact && (!same(x.Lo, lo) || !same(x.Hi, hi))):
				a.wrong("insiders: interval", fmt.Sprintf("said: %+v", *x), right)
			}
			a.note("coalitions tried")
		}
		public := key{k, -1, -1}
		look(public)
		for one := range min(len(rep.Contributors), 8) {
			look(key{k, one, -1}, public)
		}
		for two := range min(len(rep.Contributors), 8) {
			for one := range two {
				look(key{k, one, two}, public, key{k, one, -1}, key{k, two, -1})
			}
		}
	}
}

// askAttack publishes a table as an office would and runs the office's procedure, every pattern tried, on every
// table that agrees with what is published.
func askAttack(ctx context.Context, t *table.Table, q *question, a *answer) {
	if t.Layers > 1 {
		return // the attack is on one table
	}
	rng := rand.New(rand.NewPCG(q.seed, 4))
	free := 0
	for i, st := range t.Status {
		if st == table.Withheld {
			t.Status[i] = table.Safe
		}
		if t.Status[i] == table.Safe {
			if free++; free > 10 {
				t.Status[i] = table.Published
			}
		}
	}
	o := attack.Office{Cost: table.CostKind{Kind: []string{"count", "value", "given"}[rng.IntN(3)]}, Match: attack.Match(rng.IntN(2))}
	if rng.IntN(2) == 0 {
		o.Below, o.Zeros = 2+rng.Int64N(4), rng.IntN(4) == 0
		o.Levels.Width = &table.Level{Decimal: table.Decimal{Unscaled: 1 + rng.Int64N(5)}}
		for i, st := range t.Status {
			if t.LPL[i], t.UPL[i], t.Width[i] = 0, 0, 0; st == table.Sensitive {
				t.Status[i] = table.Safe
			}
		}
	}
	if o.Below == 0 {
		switch rng.IntN(4) {
		case 0:
			lengthen(t, rng)
		case 1:
			inPercent(t, &o, rng)
		}
	}
	own, ok := office(t, o, t.Value)
	if !ok {
		return // nothing is sensitive
	}
	sol, err := solver.Suppress(ctx, own, &solver.Options{Canonical: true, Workers: 1})
	if err != nil {
		return // asked elsewhere
	}
	all, ok := wholeTables(t, sol.Pattern)
	if !ok || len(all) > 300 {
		a.note("too many tables to try")
		return
	}
	rep, err := attack.Run(ctx, attack.Published(t, sol.Pattern), &attack.Options{Office: o, LP: q.backend, Workers: q.workers})
	if late(a, ctx.Err()) {
		return
	}
	if errors.Is(err, attack.ErrPublished) && o.Below > 0 {
		a.note("attacks refused")
		return
	}
	if err != nil {
		a.failed(q, err, "a result")
		return
	}
	matching := int64(0)
	lo, hi := make([]int64, t.Len()), make([]int64, t.Len())
	for _, y := range all {
		m, ok := matches(t, o, y, sol.Pattern)
		if !ok {
			a.note("too many patterns to try")
			return
		}
		if !m {
			continue
		}
		for i, v := range y {
			if matching == 0 || v < lo[i] {
				lo[i] = v
			}
			if matching == 0 || v > hi[i] {
				hi[i] = v
			}
		}
		matching++
	}
	a.note("attacks tried by brute force")
	if rep.Candidates == nil || rep.Candidates.Cmp(big.NewInt(int64(len(all)))) != 0 {
		a.wrong("attack: candidates", fmt.Sprint(rep.Candidates), fmt.Sprint(len(all)))
	}
	if rep.Counted && rep.Matching.Cmp(big.NewInt(matching)) != 0 || !rep.Complete {
		a.wrong("attack: matching", fmt.Sprintf("office %+v, pattern %v: %v, complete %v", o, members(sol.Pattern), rep.Matching, rep.Complete), fmt.Sprint(matching))
	}
	r := newRoom(t, sol.Pattern)
	for _, c := range rep.Cells {
		fl, fh := r.span(c.Index).ends(t.Value[c.Index])
		was := fmt.Sprintf("office %+v, pattern %v: cell %d in [%s, %s], effective %v", o, members(sol.Pattern), c.Index, end(c.Lo), end(c.Hi), c.Outer)
		switch {
		case !same(c.Lo, fl) || !same(c.Hi, fh):
			a.wrong("attack: feasible", was, fmt.Sprintf("[%s, %s]", end(fl), end(fh)))
		case c.Outer.Empty != (matching == 0) || matching > 0 && (c.Outer.Lo != lo[c.Index] || c.Outer.Hi != hi[c.Index]):
			a.wrong("attack: effective", was, fmt.Sprintf("[%d, %d] of %d matching", lo[c.Index], hi[c.Index], matching))
		}
	}
}

// inPercent asks for percentages of values in place of levels of cells, where these are short enough for their decimals.
func inPercent(t *table.Table, o *attack.Office, rng *rand.Rand) {
	for i, v := range t.Value {
		if abs(v) > 1e12 || t.Upper[i] != table.PosInf && abs(t.Upper[i]) > 1e12 || t.Lower[i] != table.NegInf && abs(t.Lower[i]) > 1e12 {
			return
		}
	}
	for i := range t.Value {
		t.LPL[i], t.UPL[i], t.Width[i] = 0, 0, 0
	}
	for _, l := range []**table.Level{&o.Levels.LPL, &o.Levels.UPL, &o.Levels.Width} {
		if rng.IntN(2) == 0 {
			*l = &table.Level{Decimal: table.Decimal{Unscaled: 1 + rng.Int64N(150)}, Percent: true}
		}
	}
}

// lengthen moves values, with their bounds, by so much that most sums need more than 64 bits, where right-hand sides still fit.
func lengthen(t *table.Table, rng *rand.Rand) {
	by := make([]int64, t.Len())
	most := []int64{1e14, 1e16, 9e17}[rng.IntN(3)]
	for i := range by {
		if by[i] = rng.Int64N(most); abs(t.Value[i]) > 1e17 || t.Upper[i] != table.PosInf && abs(t.Upper[i]) > 1e17 || t.Lower[i] != table.NegInf && abs(t.Lower[i]) > 1e17 {
			return
		}
	}
	rhs := make([]int64, t.Rel.Len())
	for j := range rhs {
		cells, coef := t.Rel.Row(j)
		sum := big.NewInt(t.Rel.RHS[j])
		for k, i := range cells {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(coef[k])), big.NewInt(by[i])))
		}
		if rhs[j] = sum.Int64(); !sum.IsInt64() || sum.BitLen() > 62 {
			return
		}
	}
	copy(t.Rel.RHS, rhs)
	for i, d := range by {
		if t.Value[i] += d; t.Lower[i] != table.NegInf {
			t.Lower[i] += d
		}
		if t.Upper[i] != table.PosInf {
			t.Upper[i] += d
		}
	}
}

// office is the table that the procedure o starts from where y are the values; ok is false where nothing is sensitive.
func office(t *table.Table, o attack.Office, y []int64) (c *table.Table, ok bool) {
	c = t.Clone()
	copy(c.Value, y)
	for i, v := range y {
		if o.Below > 0 && c.Status[i] == table.Safe && v < o.Below && (v >= 1 || v == 0 && o.Zeros) {
			c.Status[i] = table.Sensitive
		}
		ok = ok || c.Status[i] == table.Sensitive
	}
	if c.SetCost(o.Cost) != nil || c.SetLevels(o.Levels) != nil {
		return c, false
	}
	return c, ok
}

// matches says whether the procedure would have withheld the pattern x of y.
func matches(t *table.Table, o attack.Office, y []int64, x []bool) (matching, ok bool) {
	c, any := office(t, o, y)
	if !any {
		return false, true
	}
	for i, st := range c.Status {
		if st == table.Sensitive && !x[i] {
			return false, true
		}
	}
	if exposed(c, x) >= 0 {
		return false, true
	}
	var first []bool
	if o.Match == attack.Exact {
		first = x
	}
	better, ok := cheaper(c, costOf(c, x).Int64(), first)
	return better == nil, ok
}

package protect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/insee"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// asPublished is t as its readers see it under a pattern.
func asPublished(t *table.Table, pattern []bool) *table.Table {
	p := t.Clone()
	p.Missing = slices.Clone(pattern)
	p.Freq, p.Max = nil, nil
	for i, in := range pattern {
		switch {
		case !in:
			p.Status[i] = table.Published
		case t.Status[i] != table.Sensitive:
			p.Status[i] = table.Withheld
		}
		p.LPL[i], p.UPL[i], p.Width[i] = 0, 0, 0
	}
	return p
}

// exposed audits the second of two tables beside the first, and counts its cells that are short of their levels, and those of either that are disclosed.
func exposed(t *testing.T, set *ledger.Set, present *table.Table, pattern []bool) (short, disclosed int) {
	t.Helper()
	j := must.Get(set.Join(&ledger.Release{Table: present, File: "second"}, ledger.Options{Withheld: pattern}))(t)
	rep := must.Get(interval.Audit(t.Context(), j.Table, j.Withheld, &interval.Options{Told: true, Cells: j.Asked()}))(t)
	for k := range rep.Cells {
		c := &rep.Cells[k]
		if c.Index < j.Present && !c.Protected {
			short++
		}
		if c.Disclosed && j.Status[c.Index] == table.Sensitive {
			disclosed++
		}
	}
	return short, disclosed
}

// second protects a table by itself and with what is known, and returns how many of its cells are short of their levels in the set.
func second(t *testing.T, draw func() *table.Table, set func() *ledger.Set) (short [2]int) {
	t.Helper()
	for k, p := range []Policy{{Effort: "quick"}, {Effort: "quick", Published: []string{"first"}, Lost: true}} {
		tab := draw()
		res := must.Get(Run(t.Context(), []Input{{Table: tab}}, p, &Options{Ledger: func(*Policy) (*ledger.Set, error) { return set(), nil }, NoSuperfluous: true}))(t)
		if res.Verdict != interval.Protected {
			t.Errorf("%d: %s", k, res.Verdict)
		}
		shown := draw()
		for i, st := range res.Table.Status { // what the office had to give up needs no level
			if st == table.Published || st == table.Withheld {
				shown.Status[i], shown.LPL[i], shown.UPL[i], shown.Width[i] = st, 0, 0, 0
			}
		}
		missed, disclosed := exposed(t, set(), shown, res.Solution.Pattern)
		n, value := secondary(res)
		t.Logf("%d: %d secondary cells of turnover %s; %d cells short of their levels, %d sensitive ones disclosed", k, n, table.FormatDecimal(value, tab.Decimals), missed, disclosed)
		short[k] = missed
		if k > 0 {
			t.Logf("fixed %d, lost %d, exposed %d, again %d, before %v", res.Earlier.Fixed, res.Earlier.Lost, len(res.Earlier.Exposed), res.Earlier.Again, res.Earlier.Before)
		}
	}
	return short
}

// secondary counts the cells withheld for others, and adds up their values.
func secondary(res *Result) (n int, value int64) {
	for i, in := range res.Solution.Pattern {
		if in && res.Table.Status[i] == table.Safe {
			n, value = n+1, value+res.Table.Value[i]
		}
	}
	return n, value
}

// INSEE's turnover by activity and size, published first, tells more of turnover by activity and legal form than that by itself does, unless the second is
// protected with the first.
func TestSecondBreakdown(t *testing.T) {
	t.Parallel()
	first := insee.Turnover(t, "act_size", "ACTIVITY", "activity.hrc")
	res := must.Get(Run(t.Context(), []Input{{Table: first}}, Policy{Effort: "quick"}, &Options{NoSuperfluous: true}))(t)
	public := asPublished(res.Table, res.Solution.Pattern)
	short := second(t, func() *table.Table { return insee.Turnover(t, "act_cj", "ACTIVITY", "activity.hrc") },
		func() *ledger.Set {
			return &ledger.Set{Releases: []*ledger.Release{{Table: public.Clone(), File: "first"}}}
		})
	if short[0] == 0 || short[1] > 0 {
		t.Errorf("%d cells short of their levels by itself, %d with what is published", short[0], short[1])
	}
}

// The next year of the same table, where everybody knows that values move by 10 % at most.
func TestSecondYear(t *testing.T) {
	t.Parallel()
	first := insee.Turnover(t, "act_size", "ACTIVITY", "activity.hrc")
	res := must.Get(Run(t.Context(), []Input{{Table: first}}, Policy{Effort: "quick"}, &Options{NoSuperfluous: true}))(t)
	public := asPublished(res.Table, res.Solution.Pattern)
	draw := func() *table.Table { return nextYear(insee.Turnover(t, "act_size", "ACTIVITY", "activity.hrc")) }
	short := second(t, draw, func() *ledger.Set {
		return &ledger.Set{At: period("2024"), Changes: []ledger.Change{{P: 1, Q: 10}}, Releases: []*ledger.Release{{Table: public.Clone(), File: "first", At: period("2023")}}}
	})
	if short[0] == 0 || short[1] > 0 {
		t.Errorf("%d cells short of their levels by itself, %d with what is published", short[0], short[1])
	}
}

// nextYear moves the inner cells by up to 9 % and adds them up.
func nextYear(t *table.Table) *table.Table {
	rng := rand.New(rand.NewPCG(21, 4))
	margin := make([]int, t.Len()) // a relation whose margin it is, −1 for none
	for i := range margin {
		margin[i] = -1
	}
	for j, m := range t.Rel.Margin {
		if m >= 0 {
			margin[m] = j
		}
	}
	done := make([]bool, t.Len())
	var value func(i int) int64
	value = func(i int) int64 {
		if done[i] {
			return t.Value[i]
		}
		if done[i] = true; margin[i] < 0 {
			t.Value[i] = t.Value[i] * (91 + rng.Int64N(19)) / 100
			return t.Value[i]
		}
		sum := int64(0)
		cell, _ := t.Rel.Row(margin[i])
		for _, c := range cell {
			if int(c) != i {
				sum += value(int(c))
			}
		}
		t.Value[i] = sum
		return sum
	}
	for i := range t.Value {
		value(i)
	}
	return t
}

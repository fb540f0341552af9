//go:build slow

package adversary

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// askAudit compares every end of every withheld cell, and what is concluded from them.
func askAudit(ctx context.Context, t *table.Table, q *question, a *answer) {
	withheld := given(t)
	rep, err := interval.Audit(ctx, t, withheld, &interval.Options{Engine: q.engine, LP: q.backend, Workers: q.workers, Witness: q.seed%4 == 0})
	if err != nil {
		a.failed(q, err, "intervals")
		return
	}
	judgeAudit(t, t, withheld, rep, a)
}

// askPublished audits the table as published, without the values of withheld cells: the intervals
// are the same, and what the office knows of a sensitive cell is no longer part of the verdict.
func askPublished(ctx context.Context, t *table.Table, q *question, a *answer) {
	withheld := given(t)
	bare := t.Clone()
	bare.Missing = make([]bool, t.Len())
	for i, w := range withheld {
		if w {
			bare.Missing[i], bare.Value[i] = true, 0
		}
	}
	rep, err := interval.Audit(ctx, bare, withheld, &interval.Options{Engine: q.engine, LP: q.backend, Workers: q.workers, Witness: q.seed%4 == 0})
	if err != nil {
		a.failed(q, err, "intervals")
		return
	}
	judgeAudit(t, bare, withheld, rep, a)
}

// judgeAudit judges the report on shown, whose values are those of t or missing.
func judgeAudit(t, shown *table.Table, withheld []bool, rep *interval.Report, a *answer) {
	r := newRoom(t, withheld)
	all, exact := true, true
	c := 0
	for k, w := range withheld {
		if !w {
			continue
		}
		if c == len(rep.Cells) || rep.Cells[c].Index != k {
			a.wrong("audit: cells", fmt.Sprintf("no answer for cell %d", k), "every withheld cell in order")
			return
		}
		got := rep.Cells[c]
		c++
		s := r.span(k)
		lo, hi := s.ends(t.Value[k])
		protected := true
		switch {
		case !shown.Known(k):
			width := s.width()
			protected = (width == nil || width.Sign() > 0) && s.wide(t, k)
		case t.Status[k] == table.Sensitive:
			protected = s.meets(t, k)
		}
		all = all && protected
		disclosed := lo != nil && hi != nil && lo.Cmp(hi) == 0
		was := fmt.Sprintf("cell %d in [%s, %s], protected %v, disclosed %v, inexact %v", k, end(got.Lo), end(got.Hi), got.Protected, got.Disclosed, got.Inexact)
		right := fmt.Sprintf("cell %d in [%s, %s], protected %v, disclosed %v", k, end(lo), end(hi), protected, disclosed)
		counts := t.Status[k] == table.Sensitive || !shown.Known(k)
		switch {
		case got.Protected && counts && !protected:
			a.wrong("audit: false protected", was, right)
		case got.Disclosed && !disclosed:
			a.wrong("audit: false disclosed", was, right)
		case got.Inexact:
			exact = false
			a.note("inexact cells")
			if lo == nil && got.Lo != nil || hi == nil && got.Hi != nil ||
				got.Lo != nil && got.Lo.Cmp(lo) > 0 || got.Hi != nil && got.Hi.Cmp(hi) < 0 {
				a.wrong("audit: inexact end inside", was, right)
			}
		case !same(got.Lo, lo) || !same(got.Hi, hi):
			a.wrong("audit: false end", was, right)
		case got.Protected != protected && counts:
			a.wrong("audit: false unprotected", was, right)
		case got.Disclosed != disclosed:
			a.wrong("audit: not said to be disclosed", was, right)
		}
		for side, w := range []*interval.Witness{got.LoWitness, got.HiWitness} {
			if w == nil {
				continue
			}
			if err := w.Check(t, withheld); err != nil {
				a.wrong("audit: witness", fmt.Sprintf("cell %d: %v", k, err), "a table that agrees with everything published")
			} else if v := []*big.Rat{got.Lo, got.Hi}[side]; v != nil && !got.Inexact && !attains(w, k, v) {
				a.wrong("audit: witness", was+": a witness does not attain its end", right)
			}
		}
	}
	a.note("cells")
	if rep.Protected && !all || exact && rep.Protected != all {
		a.wrong("audit: verdict", fmt.Sprintf("the table is protected: %v", rep.Protected), fmt.Sprint(all))
	}
	if !exact {
		a.note("audits with an inexact end")
	}
}

func attains(w *interval.Witness, k int, v *big.Rat) bool {
	return w.At(k).Cmp(v) == 0
}

// askInteger compares intervals over whole numbers with all tables there are, where they are few.
func askInteger(ctx context.Context, t *table.Table, q *question, a *answer) {
	withheld := given(t)
	all, ok := wholeTables(t, withheld)
	if !ok {
		a.note("too many tables to try")
		return
	}
	rep, err := interval.Audit(ctx, t, withheld, &interval.Options{Engine: q.engine, LP: q.backend, Workers: q.workers, Integer: true})
	if err != nil {
		a.failed(q, err, "intervals")
		return
	}
	for _, got := range rep.Cells {
		k := got.Index
		lo, hi := t.Value[k], t.Value[k]
		for _, y := range all {
			lo, hi = min(lo, y[k]), max(hi, y[k])
		}
		was, right := fmt.Sprintf("cell %d in [%s, %s], inexact %v", k, end(got.Lo), end(got.Hi), got.Inexact), fmt.Sprintf("cell %d in [%d, %d]", k, lo, hi)
		bl, bh := new(big.Rat).SetInt64(lo), new(big.Rat).SetInt64(hi)
		switch {
		case got.Inexact:
			a.note("inexact cells")
			if got.Lo != nil && got.Lo.Cmp(bl) > 0 || got.Hi != nil && got.Hi.Cmp(bh) < 0 {
				a.wrong("audit integer: inexact end inside", was, right)
			}
		case !same(got.Lo, bl) || !same(got.Hi, bh):
			a.wrong("audit integer: false end", was, right)
		}
	}
	a.note("fibres enumerated")
}

// wholeTables returns all tables of whole numbers that agree with what is published; ok is false
// where there may be more than some thousand.
func wholeTables(t *table.Table, withheld []bool) (all [][]int64, ok bool) {
	r := newRoom(t, withheld)
	n := t.Len()
	lo, hi := make([]int64, n), make([]int64, n)
	boxes := 1.0
	var cells []int
	for k := range n {
		lo[k], hi[k] = t.Value[k], t.Value[k]
		if !withheld[k] {
			continue
		}
		s := r.span(k)
		if s.down == nil || s.up == nil {
			return nil, false
		}
		down, up := new(big.Int).Quo(s.down.Num(), s.down.Denom()), new(big.Int).Quo(s.up.Num(), s.up.Denom())
		if !down.IsInt64() || !up.IsInt64() || down.Int64() > 5000 || up.Int64() > 5000 {
			return nil, false
		}
		lo[k], hi[k] = t.Value[k]-down.Int64(), t.Value[k]+up.Int64()
		cells = append(cells, k)
		if boxes *= float64(hi[k] - lo[k] + 1); boxes > 20000 {
			return nil, false
		}
	}
	y := append([]int64(nil), t.Value...)
	var fill func(c int)
	fill = func(c int) {
		if c == len(cells) {
			if t.Rel.Holds(y) {
				all = append(all, append([]int64(nil), y...))
			}
			return
		}
		k := cells[c]
		for y[k] = lo[k]; y[k] <= hi[k]; y[k]++ {
			fill(c + 1)
		}
		y[k] = t.Value[k]
	}
	fill(0)
	return all, true
}

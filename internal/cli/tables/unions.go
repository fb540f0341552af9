package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
)

// manyUnions is the number of unions above which those that can be shown to keep their levels without linear programs
// are set aside first.
const manyUnions = 200

// lookedAt returns the flags of sums of cells for verbs that search for no pattern.
func lookedAt(r *flags.Rules) flags.Group {
	return flags.In(flags.IntruderGroup, r.Flags(flags.Unions).
		Saying("unions", "also look at the sums of up to `N` withheld cells of one relation, of all of them where that is known, and of any whose sum several relations tell, that the rules call sensitive", "").
		Saying("groups", "`k` or k,d: in tables of counts, look for margins of which all units but at most k are in one cell: the others must be able to be d more, 1 unless it is said", ""))
}

// newUnions describes the unions of a pattern, found for sums of up to size cells.
func newUnions(t *table.Table, size int, u *guard.UnionsFound) *document.Unions {
	r := &document.Unions{Verdict: document.Protected, Size: size, Searches: u.Rounds, Rows: u.Rows, Complete: u.Complete, Unions: []document.Union{}}
	switch {
	case len(u.Open) > 0:
		r.Verdict = document.Unprotected
	case !u.Complete:
		r.Verdict = document.Unsettled
	}
	for k := range u.Unions {
		n := &u.Unions[k]
		r.Unions = append(r.Unions, unionOf(t, n))
		r.Unions[k].Protected = !slices.ContainsFunc(u.Open, func(o table.Union) bool { return slices.Equal(o.Cells, n.Cells) })
	}
	return r
}

func unionOf(t *table.Table, n *table.Union) document.Union {
	u := document.Union{Relation: relationOf(t, n), Reason: n.Reason.String(), Possible: n.Possible, Implied: n.Implied, Value: render.Decimal(n.Value, t.Decimals),
		LPL: render.Decimal(n.LPL, t.Decimals), UPL: render.Decimal(n.UPL, t.Decimals), SPL: render.Decimal(n.Width, t.Decimals)}
	for _, i := range n.Cells {
		u.Cells = append(u.Cells, t.CellName(int(i)))
		u.Codes = appendCodes(u.Codes, t, int(i))
		if !t.Known(int(i)) {
			u.Value = ""
		}
	}
	return u
}

// endsOf returns the ends of an interval of t, null if unbounded.
func endsOf(t *table.Table, lo, hi *big.Rat) (lower, upper document.Opt[document.Exact]) {
	return document.Some(render.Ratio(lo, t.Decimals)), document.Some(render.Ratio(hi, t.Decimals))
}

// relationOf names the relation of n, empty if its cells are in several.
func relationOf(t *table.Table, n *table.Union) string {
	if n.Relation < 0 {
		return ""
	}
	return t.RelationName(n.Relation).String()
}

// openUnions counts the unions whose intervals are too narrow.
func openUnions(r *document.Unions) (n int) {
	for _, u := range r.Unions {
		if !u.Protected && !u.Unsettled {
			n++
		}
	}
	return n
}

// auditUnions audits the sums of cells of t that the policy asks for. The audit is of the problem whole, in which
// hidden is withheld and whose first cells and relations are those of t: t itself, or t with what is published beside
// it.
func auditUnions(ctx context.Context, words io.Writer, rules *flags.Rules, engine *flags.Engine, t *table.Table, withheld []bool, whole *table.Table, hidden []bool, end time.Time) (*report.Unions, error) {
	what, err := rules.Policy.Sums(t)
	if err != nil {
		return nil, flags.Flagged(err)
	}
	what.In = t
	all, complete, err := what.Find(ctx, whole, hidden)
	if err != nil {
		return nil, err
	}
	all = append(all, what.Lost...)
	if what.Rules != nil && lacksValues(t, withheld) {
		render.Say(words, t, "which sums of withheld cells are sensitive depends on values that a published table does not have; only those without such cells are looked at")
	}
	r := &report.Unions{Size: rules.Policy.Unions, Complete: complete}
	if len(all) > manyUnions {
		var rest []table.Union
		for k, met := range what.Met(ctx, whole, hidden, all) {
			if met {
				r.Found = append(r.Found, report.Union{Union: all[k], Protected: true, Shown: true})
			} else {
				rest = append(rest, all[k])
			}
		}
		all = rest
	}
	opt := &interval.Options{LP: engine.LP, Workers: engine.Workers}
	if !end.IsZero() {
		opt.TimeLimit = max(1, time.Until(end))
	}
	rep, err := guard.AuditUnions(ctx, whole, hidden, all, opt)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	if rep == nil {
		for k := range all {
			r.Found = append(r.Found, report.Union{Union: all[k], Unsettled: true})
		}
		return r, nil
	}
	r.Complete = r.Complete && len(rep.Cells) == len(all)
	if !end.IsZero() {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, end)
		defer stop()
	}
	why := unionsFollow(ctx, whole, hidden, all, rep, engine.Workers)
	for k := range rep.Cells {
		c := &rep.Cells[k]
		u := report.Union{Union: all[rep.Union(c.Index)], Ends: true, Lo: c.Lo, Hi: c.Hi, Protected: c.Protected, Unsettled: c.Unsettled, Follows: why[k]}
		if u.Reason == table.ByGroup && slices.ContainsFunc(u.Cells, func(i int32) bool { return !t.Known(int(i)) }) {
			// A group counts only if the others are certain to be few.
			if c.Hi == nil || c.Hi.Cmp(new(big.Rat).SetInt64(rules.Policy.Groups.K)) > 0 {
				continue
			}
			u.Protected, u.Unsettled = false, false
		}
		r.Found = append(r.Found, u)
	}
	return r, nil
}

// unionsFollow explains, by place in the report, by which arithmetic the ends of unions follow that contain withheld
// cells and have too narrow intervals, for the first of a long list. What is not found in time is left out.
func unionsFollow(ctx context.Context, t *table.Table, withheld []bool, all []table.Union, rep *guard.UnionReport, workers int) map[int][]string {
	var of []int
	for k := range rep.Cells {
		hidden := slices.ContainsFunc(all[rep.Union(rep.Cells[k].Index)].Cells, func(i int32) bool { return withheld[i] })
		if c := &rep.Cells[k]; !c.Protected && !c.Unsettled && hidden && len(of) < render.MaxListRows {
			of = append(of, k)
		}
	}
	found, err := rep.Explain(ctx, of, workers)
	why := map[int][]string{}
	if err != nil {
		return why
	}
	for n, list := range found {
		for c := range list {
			if len(list[c].Terms)+len(list[c].Bounds) <= maxTerms && len(list[c].Relations) > 0 {
				why[of[n]] = append(why[of[n]], list[c].Arithmetic(t, rep.Name))
			}
		}
	}
	return why
}

// unionsFound returns the document of what was audited.
func unionsFound(t *table.Table, r *report.Unions) *document.Unions {
	d := &document.Unions{Verdict: document.Protected, Size: r.Size, Complete: r.Complete, Unions: []document.Union{}}
	for k := range r.Found {
		n := &r.Found[k]
		u := unionOf(t, &n.Union)
		if u.Follows = n.Follows; n.Ends {
			u.Lower, u.Upper = endsOf(t, n.Lo, n.Hi)
		}
		u.Protected, u.Unsettled, u.Shown = n.Protected, n.Unsettled, n.Shown
		d.Unions = append(d.Unions, u)
	}
	switch {
	case r.Open() > 0:
		d.Verdict = document.Unprotected
	case !r.Complete || slices.ContainsFunc(r.Found, func(u report.Union) bool { return u.Unsettled }):
		d.Verdict = document.Unsettled
	}
	return d
}

// printOpen writes the unions with too narrow intervals, the first of a longer list.
func printOpen(w io.Writer, unions []document.Union) {
	var lines [][]string
	var cells []document.Interval
	var said []i18n.Text
	var follows []string
	open := 0
	for _, u := range unions {
		if u.Protected || u.Unsettled {
			continue
		}
		if open++; len(lines) == render.MaxListRows {
			continue
		}
		lines = append(lines, []string{strings.Join(u.Cells, " + "), u.Reason})
		lower, _ := u.Lower.Get()
		upper, _ := u.Upper.Get()
		cells = append(cells, document.Interval{Value: u.Value, Lower: lower, Upper: upper, LPL: u.LPL, UPL: u.UPL, SPL: u.SPL})
		word := i18n.Word("UNPROTECTED")
		if lower != "" && lower == upper {
			word = i18n.Word("DISCLOSED")
		}
		if u.Possible {
			word = word.Plus(", if contributors are the same")
		}
		said, follows = append(said, word), append(follows, u.Follows...)
	}
	if open == 0 {
		return
	}
	fmt.Fprintln(w)
	printIntervals(w, []string{"sum", "reason"}, lines, cells, true, said)
	if len(lines) < open {
		render.Tell(w, "%d of %d sums shown (--json lists all)\n", len(lines), open)
	}
	if len(follows) > 0 {
		render.Tell(w, "\nhow this follows from what is published:\n")
		for _, text := range follows {
			fmt.Fprintln(w, "  "+text)
		}
	}
}

// printUnions writes the unions with too narrow intervals, and a line that sums up.
func printUnions(w io.Writer, r *document.Unions, name string) error {
	printOpen(w, r.Unions)
	line := i18n.T("\n%s: sums of cells: %s, sensitive %d, told too closely %d", name, i18n.Word(string(r.Verdict)), len(r.Unions), openUnions(r))
	unsettled := sets.Count(r.Unions, func(u document.Union) bool { return u.Unsettled })
	if unsettled > 0 {
		line = line.Plus(", not settled in time %d", unsettled)
	}
	if !r.Complete {
		line = line.Plus(", and not all were looked at")
	}
	return render.Verdict(w, line)
}

package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/cli/words"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/report"
	"github.com/hitoku/hitoku/table"
)

// What --unions and --groups do where nothing is searched for.
const (
	unionsText = "also look at the sums of up to `N` withheld cells of one relation, of all of them where that is known, and of any whose sum several relations tell, that the rules call sensitive"
	groupsText = "`k` or k,d: in tables of counts, look for margins of which all units but at most k are in one cell: the others must be able to be d more, 1 unless it is said"
)

// newUnions describes unions of cells, of which those that are open do not meet their levels.
func newUnions(t *table.Table, all, open []table.Union) *document.Unions {
	r := &document.Unions{Verdict: document.Protected, Complete: true, Unions: []document.Union{}}
	if len(open) > 0 {
		r.Verdict = document.Unprotected
	}
	for k := range all {
		r.Unions = append(r.Unions, unionOf(t, &all[k]))
		r.Unions[k].Protected = !slices.ContainsFunc(open, func(n table.Union) bool { return slices.Equal(n.Cells, all[k].Cells) })
	}
	return r
}

func unionOf(t *table.Table, n *table.Union) document.Union {
	u := document.Union{Relation: relationOf(t, n), Reason: n.Reason.String(), Possible: n.Possible, Implied: n.Implied, Value: render.Decimal(n.Value, t.Decimals),
		LPL: render.Decimal(n.LPL, t.Decimals), UPL: render.Decimal(n.UPL, t.Decimals), SPL: render.Decimal(n.SPL, t.Decimals)}
	for _, i := range n.Cells {
		u.Cells = append(u.Cells, t.CellName(int(i)))
		u.Codes = appendCodes(u.Codes, t, int(i))
		if !t.Known(int(i)) {
			u.Value = ""
		}
	}
	return u
}

// relationOf names the relation of n, nothing where its cells are of several.
func relationOf(t *table.Table, n *table.Union) string {
	if n.Relation < 0 {
		return ""
	}
	return t.RelationName(n.Relation)
}

// openUnions counts those that are told too closely.
func openUnions(r *document.Unions) (n int) {
	for _, u := range r.Unions {
		if !u.Protected {
			n++
		}
	}
	return n
}

// auditUnions audits the sums of cells of t that the policy asks for, in a problem whose first cells and relations are those of t, and hidden those withheld there: t
// itself, or with what is published beside it.
func auditUnions(ctx context.Context, words io.Writer, rules *flags.Rules, engine *flags.Engine, t *table.Table, withheld []bool, whole *table.Table, hidden []bool) (*report.Unions, error) {
	what, fixed, err := rules.Parsed.Unions(&rules.Policy, t)
	if err != nil {
		return nil, flags.Flagged(err)
	}
	what.In = t
	all, complete, err := what.Find(ctx, whole, hidden)
	if err != nil {
		return nil, err
	}
	for k := range fixed {
		all = append(all, fixed[k].Others)
	}
	if what.Rules != nil && lacksValues(t, withheld) {
		render.Say(words, t, "which sums of withheld cells are sensitive depends on values that a published table does not have; only those without such cells are looked at")
	}
	cells, err := attack.AuditUnions(ctx, whole, hidden, all, &interval.Options{LP: engine.LP, Workers: engine.Workers})
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return nil, err
	}
	r := &report.Unions{Size: rules.Policy.Unions, Complete: complete && len(cells) == len(all)}
	for k := range cells {
		c := &cells[k]
		u := report.Union{Union: all[c.Index-whole.Len()], Lo: c.Lo, Hi: c.Hi, Protected: c.Protected}
		if u.Reason == table.ByGroup && slices.ContainsFunc(u.Cells, func(i int32) bool { return !t.Known(int(i)) }) {
			// A group only if the others are certain to be few.
			if c.Hi == nil || c.Hi.Cmp(new(big.Rat).SetInt64(rules.Parsed.Groups.K)) > 0 {
				continue
			}
			u.Protected = false
		}
		r.Found = append(r.Found, u)
	}
	return r, nil
}

// unionsFound is the document of what was audited.
func unionsFound(t *table.Table, r *report.Unions) *document.Unions {
	d := &document.Unions{Verdict: document.Protected, Size: r.Size, Complete: r.Complete, Unions: []document.Union{}}
	for k := range r.Found {
		n := &r.Found[k]
		u := unionOf(t, &n.Union)
		u.Lower, u.Upper, u.Protected = render.Ratio(n.Lo, t.Decimals), render.Ratio(n.Hi, t.Decimals), n.Protected
		d.Unions = append(d.Unions, u)
	}
	switch {
	case r.Open() > 0:
		d.Verdict = document.Unprotected
	case !r.Complete:
		d.Verdict = document.Unsettled
	}
	return d
}

// printUnions writes the unions that are told too closely, of a long list the first, and a line that sums up.
func printUnions(w io.Writer, r *document.Unions, name string) error {
	var lines [][]string
	var cells []document.Interval
	var said []string
	open := openUnions(r)
	for _, u := range r.Unions {
		if u.Protected || len(lines) == render.MaxListRows {
			continue
		}
		lines = append(lines, []string{strings.Join(u.Cells, " + "), words.Label(u.Reason)})
		cells = append(cells, document.Interval{Value: u.Value, Lower: u.Lower, Upper: u.Upper, LPL: u.LPL, UPL: u.UPL, SPL: u.SPL})
		word := "UNPROTECTED"
		if u.Lower != "" && u.Lower == u.Upper {
			word = "DISCLOSED"
		}
		if u.Possible {
			word += ", if contributors are the same"
		}
		said = append(said, word)
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
		printIntervals(w, []string{"sum", "reason"}, lines, cells, true, said)
		if len(lines) < open {
			render.Tell(w, "%d of %d sums shown (--json lists all)\n", len(lines), open)
		}
	}
	line := fmt.Sprintf("\n%s: sums of cells: %s, sensitive %d, told too closely %d", name, r.Verdict, len(r.Unions), open)
	if !r.Complete {
		line += ", and not all were looked at"
	}
	return render.Verdict(w, line)
}

package tables

import (
	"fmt"
	"io"
	"strings"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A naming is a table with names for its cells.
type naming struct {
	*table.Table
	name  func(i int) string
	codes func(i int) []string
}

// plain names the cells of t by their codes.
func plain(t *table.Table) naming {
	return naming{t, t.CellName, func(i int) []string { return CodesOf(t, i) }}
}

// NewInsiders describes what rep found in t, whose cells are named by their codes.
func NewInsiders(t *table.Table, rep *insider.Report) *document.Insiders {
	return newInsiders(plain(t), rep)
}

func newInsiders(t naming, rep *insider.Report) *document.Insiders {
	r := &document.Insiders{Verdict: document.Protected, Coalition: rep.Coalition, Singletons: rep.Singletons,
		Contributors: len(rep.Contributors), Values: rep.Values, Examined: rep.Examined, Unsettled: rep.Unsettled, Assumed: rep.Assumed, Widths: rep.Widths, Findings: []document.Finding{}}
	if rep.Settled >= 0 {
		r.Complete = &rep.Settled
	}
	switch {
	case len(rep.Findings) > 0:
		r.Verdict = document.Unprotected
	case rep.Settled < rep.Coalition || rep.Unsettled > 0:
		r.Verdict = document.Unsettled
	}
	for k := range rep.Findings {
		x := &rep.Findings[k]
		f := document.Finding{Interval: IntervalOf(t.Table, x.Cell, x.Lo, x.Hi), Disclosed: x.Disclosed, Relations: x.Disclosed && x.Relations, Width: render.Ratio(x.Most, t.Decimals)}
		f.Cell, f.Codes = t.name(x.Cell), t.codes(x.Cell)
		for _, i := range x.Coalition {
			f.Coalition = append(f.Coalition, t.name(i))
			if c := t.codes(i); c != nil {
				f.CoalitionCodes = append(f.CoalitionCodes, c)
			}
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// codeOf returns the exit code of a verdict.
func codeOf(v document.Verdict) cli.Code {
	switch v {
	case document.Unprotected:
		return cli.Verdict
	case document.Unsettled:
		return cli.Limit
	}
	return cli.Done
}

// printInsiders writes the findings, the first of a longer list, and a line that sums up.
func printInsiders(w io.Writer, r *document.Insiders, name string) error {
	shown := r.Findings[:min(len(r.Findings), render.MaxListRows)]
	if len(shown) > 0 {
		fmt.Fprintln(w)
		lines, words := make([][]string, len(shown)), make([]i18n.Text, len(shown))
		var cells []document.Interval
		for n, f := range shown {
			lines[n], cells = []string{strings.Join(f.Coalition, " "), f.Cell}, append(cells, f.Interval)
			switch words[n] = i18n.Word("UNPROTECTED"); {
			case f.Relations:
				words[n] = i18n.Word("DISCLOSED")
			case f.Disclosed:
				words[n] = i18n.T("DISCLOSED by bounds")
			case f.Width != "":
				words[n] = i18n.T("at most %s wide", f.Width)
			}
		}
		printIntervals(w, []string{"known", "cell"}, lines, cells, r.Values, words)
		if len(shown) < len(r.Findings) {
			render.Tell(w, "%d of %d findings shown, those of the smallest coalitions (--json lists all)\n", len(shown), len(r.Findings))
		}
	}
	open, disclosed := map[string]bool{}, map[string]bool{}
	for _, f := range r.Findings {
		open[f.Cell] = true
		if f.Disclosed {
			disclosed[f.Cell] = true
		}
	}
	line := i18n.T("\n%s: insiders: %s, %d cells with one contributor (%d persons)", name, i18n.Word(string(r.Verdict)), r.Singletons, r.Contributors)
	if r.Assumed > 0 {
		line = i18n.T("\n%s: insiders: %s, %d cells with one contributor or perhaps one", name, i18n.Word(string(r.Verdict)), r.Singletons)
	}
	if r.Coalition > 1 {
		line = line.Plus(", coalitions of up to %d", r.Coalition)
	}
	line = line.Plus(", %d cells laid open, %d disclosed", len(open), len(disclosed))
	switch {
	case r.Values:
	case r.Widths && r.Coalition > 1:
		line = line.Plus(" (without values: whatever these are; of coalitions only disclosure shows)")
	case r.Widths:
		line = line.Plus(" (without values: whatever these are)")
	default:
		line = line.Plus(" (without values only disclosure shows)")
	}
	return render.Verdict(w, line)
}

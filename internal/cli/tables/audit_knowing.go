package tables

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// lacksValues reports whether the value of some withheld cell is unknown, as in a published table.
func lacksValues(t *table.Table, withheld []bool) bool {
	for i, w := range withheld {
		if w && !t.Known(i) {
			return true
		}
	}
	return false
}

// knowing audits the sensitive cells for somebody who knows the withheld cells known, whatever their values are. rep is
// the audit for everybody.
func knowing(ctx context.Context, t naming, withheld []bool, known []int, rep *interval.Report, opt *interval.Options) (*document.Knowing, error) {
	r := &document.Knowing{Verdict: document.Protected, Left: []document.Left{}}
	own := map[int]bool{}
	for _, i := range known {
		own[i] = true
		r.Cells = append(r.Cells, t.name(i))
		if c := t.codes(i); c != nil {
			r.Codes = append(r.Codes, c)
		}
	}
	var ask []int
	public := map[int]bool{} // cells that are protected from everybody
	for k := range rep.Cells {
		if c := &rep.Cells[k]; !own[c.Index] && t.Status[c.Index] == table.Sensitive {
			ask = append(ask, c.Index)
			public[c.Index] = c.Protected
		}
	}
	widths, err := insider.WidthsKnowing(ctx, t.Table, withheld, known, ask, opt)
	if err != nil {
		return nil, err
	}
	for _, w := range widths {
		l := document.Left{Cell: t.name(w.Cell), Codes: t.codes(w.Cell), Width: render.Ratio(w.Most, t.Decimals), SPL: render.Decimal(t.Width[w.Cell], t.Decimals), Unsettled: w.Inexact}
		if w.Most != nil {
			c := w.Most.Cmp(new(big.Rat).SetInt64(t.Width[w.Cell]))
			l.Disclosed = w.Most.Cmp(new(big.Rat).SetInt64(t.RoundedTo(w.Cell))) <= 0
			l.Narrow = c < 0 || c == 0 && t.Strict || l.Disclosed
		}
		switch {
		case l.Narrow && public[w.Cell]:
			r.Verdict = document.Unprotected
		case !l.Narrow && l.Unsettled && r.Verdict == document.Protected:
			r.Verdict = document.Unsettled
		}
		r.Left = append(r.Left, l)
	}
	return r, nil
}

// printKnowing writes the cells with intervals that are too narrow, and a line that sums up.
func printKnowing(w io.Writer, r *document.Knowing, name string) error {
	grid := render.NewColumns(1, "cell", "width at most", "spl", "verdict")
	narrow, disclosed := 0, 0
	for _, l := range r.Left {
		if !l.Narrow {
			continue
		}
		narrow++
		word := "UNPROTECTED"
		if l.Disclosed {
			word = "DISCLOSED"
			disclosed++
		}
		if narrow <= render.MaxListRows {
			grid.Add(l.Cell, string(l.Width), string(l.SPL), word)
		}
	}
	if narrow > 0 {
		fmt.Fprintln(w)
		grid.Print(w)
	}
	return render.Verdict(w, i18n.T("\n%s: whoever knows %s: %s, of %d cells %d are too narrow and %d disclosed, whatever the values are", name, listed(r.Cells), i18n.Word(string(r.Verdict)), len(r.Left), narrow, disclosed))
}

// listed returns a few names as a list.
func listed(names []string) i18n.Text {
	const most = 10
	if len(names) <= most {
		return i18n.T("%s", strings.Join(names, " "))
	}
	return i18n.T("%s and %d more", strings.Join(names[:most], " "), len(names)-most)
}

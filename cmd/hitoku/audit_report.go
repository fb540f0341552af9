package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// auditReport is the JSON document of hitoku audit. Its keys and their order are
// a contract.
type auditReport struct {
	Table    string           `json:"table"`
	Verdict  interval.Verdict `json:"verdict"`
	Engine   string           `json:"engine"`
	Seconds  float64          `json:"seconds"`
	Cells    []auditCell      `json:"cells"`
	Insiders *insiderReport   `json:"insiders,omitempty"` // with --insider
}

// An auditCell is one withheld cell. An end of its interval is null where
// nothing bounds it.
type auditCell struct {
	Cell      string   `json:"cell"`
	Codes     []string `json:"codes,omitempty"` // where codes hold a /
	Value     exact    `json:"value"`
	Lower     exact    `json:"lower"`
	Upper     exact    `json:"upper"`
	LPL       exact    `json:"lpl"`
	UPL       exact    `json:"upl"`
	SPL       exact    `json:"spl"`
	Protected bool     `json:"protected"`
	Disclosed bool     `json:"disclosed"`
	idle      bool     // superfluous
	index     int
}

func newAuditReport(t *table.Table, rep *interval.Report, took time.Duration) *auditReport {
	r := &auditReport{Table: t.Name, Verdict: rep.Verdict(), Engine: rep.Engine, Seconds: took.Seconds(), Cells: []auditCell{}}
	codes := codesOf(t)
	for k := range rep.Cells {
		c := &rep.Cells[k]
		level := func(l []int64) exact { return decimal(l[c.Index], t.Decimals) }
		r.Cells = append(r.Cells, auditCell{
			Cell: t.CellName(c.Index), Codes: codes(c.Index), Value: value(t, c.Index), Lower: ratio(c.Lo, t.Decimals), Upper: ratio(c.Hi, t.Decimals),
			LPL: level(t.LPL), UPL: level(t.UPL), SPL: level(t.SPL),
			Protected: c.Protected, Disclosed: c.Disclosed, idle: c.Superfluous, index: c.Index,
		})
	}
	return r
}

// word says of one cell what matters most.
func (c *auditCell) word(t *table.Table) string {
	switch {
	case c.idle:
		return "superfluous"
	case c.Disclosed:
		return "DISCLOSED"
	case !c.Protected:
		return "UNPROTECTED"
	case t.Status[c.index] == table.Sensitive:
		return "protected"
	}
	return "secondary"
}

// print writes the withheld cells and a line that sums up. Of a long list it
// shows the cells that are disclosed or unprotected. told says that statuses tell
// the sensitive cells.
func (r *auditReport) print(w io.Writer, t *table.Table, told bool) error {
	sensitive, unprotected, disclosed, idle := 0, 0, 0, 0
	for k := range r.Cells {
		c := &r.Cells[k]
		if t.Status[c.index] == table.Sensitive {
			sensitive++
		}
		if !c.Protected {
			unprotected++
		}
		if c.Disclosed {
			disclosed++
		}
		if c.idle {
			idle++
		}
	}
	fmt.Fprintf(w, "%s\n\n", r.Table)
	r.list(w, t)
	line := fmt.Sprintf("%s: %s, %d cells withheld", r.Table, r.Verdict, len(r.Cells))
	if told {
		line += fmt.Sprintf(" (%d sensitive)", sensitive)
	}
	line += fmt.Sprintf(", %d unprotected, %d disclosed", unprotected, disclosed)
	line += superfluousLine(r.Table, idle)
	_, err := fmt.Fprintln(w, line)
	if err == nil && r.Insiders != nil {
		err = r.Insiders.print(w, r.Table)
	}
	return err
}

// superfluousLine is the remark on n superfluous cells, nothing if there are none.
func superfluousLine(name string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s: superfluous cells, which are withheld for others but can be computed by anyone, and so protect nothing: %d", name, n)
}

// list prints the withheld cells, leaving out columns that say nothing.
func (r *auditReport) list(w io.Writer, t *table.Table) {
	long := len(r.Cells) > maxListRows
	var shown []*auditCell
	for k := range r.Cells {
		c := &r.Cells[k]
		if !long || len(shown) < maxListRows && (c.Disclosed || !c.Protected) {
			shown = append(shown, c)
		}
	}
	if len(shown) > 0 {
		all := []struct {
			name, nothing, plain string
			of                   func(c *auditCell) exact
		}{
			{"value", "?", "", func(c *auditCell) exact { return c.Value }},
			{"lower", "-inf", "-", func(c *auditCell) exact { return c.Lower }},
			{"upper", "inf", "-", func(c *auditCell) exact { return c.Upper }},
			{"lpl", "", "0", func(c *auditCell) exact { return c.LPL }},
			{"upl", "", "0", func(c *auditCell) exact { return c.UPL }},
			{"spl", "", "0", func(c *auditCell) exact { return c.SPL }},
		}
		header, lines := []string{"cell"}, make([][]string, len(shown))
		for n, c := range shown {
			lines[n] = []string{c.Cell}
		}
		for _, col := range all {
			if !slices.ContainsFunc(shown, func(c *auditCell) bool { return string(col.of(c)) != col.plain }) {
				continue
			}
			header = append(header, col.name)
			for n, c := range shown {
				lines[n] = append(lines[n], or(col.of(c), col.nothing))
			}
		}
		grid := newColumns(1, append(header, "verdict")...)
		for n, c := range shown {
			grid.add(append(lines[n], c.word(t))...)
		}
		grid.print(w)
	}
	if long {
		fmt.Fprintf(w, "%d of %d withheld cells shown, only disclosed or unprotected ones (--json lists all)\n", len(shown), len(r.Cells))
	}
	if len(r.Cells) > 0 {
		fmt.Fprintln(w)
	}
}

// or returns x, or what stands for nothing.
func or(x exact, nothing string) string {
	if x == "" {
		return nothing
	}
	return string(x)
}

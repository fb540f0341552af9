package main

import (
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/table"
)

// attackReport is the JSON document of hitoku attack. Its keys and their order are
// a contract.
type attackReport struct {
	Table      string       `json:"table"`
	Dimension  int          `json:"dimension"`
	Candidates exact        `json:"candidates"` // null: not counted
	Matching   exact        `json:"matching"`   // all, or those found before a limit; null: not counted
	Counted    bool         `json:"counted"`
	Complete   bool         `json:"complete"`
	Seconds    float64      `json:"seconds"`
	Cells      []attackCell `json:"cells"`

	unexplained bool // no candidate matches
	match       attack.Match
	known       int // withheld cells that the intruder knows
}

// An attackCell is a withheld cell that the intruder does not know. Safe is null where
// a limit came first, or no candidate matches.
type attackCell struct {
	Cell      string     `json:"cell"`
	Codes     []string   `json:"codes,omitempty"` // where codes hold a /
	Feasible  [2]exact   `json:"feasible"`
	Effective *[2]exact  `json:"effective"`       // null: no candidate matches
	Found     *foundSpan `json:"found,omitempty"` // unless complete
	Safe      *bool      `json:"safe"`
	index     int
}

// A foundSpan is null where nothing was found.
type foundSpan struct{ ends *[2]exact }

func (f *foundSpan) MarshalJSON() ([]byte, error) {
	if f.ends == nil {
		return []byte("null"), nil
	}
	return []byte("[" + string(f.ends[0]) + "," + string(f.ends[1]) + "]"), nil
}

// unexplained is what is said where no candidate matches.
const unexplained = "no candidate matches: on no table that agrees with what is published does this procedure withhold these cells. " +
	"The office has another rule (--below, --zeros-sensitive), levels (--width, --lpl, --upl, --strict), cost (--cost), margins (--margins) or bounds (--lower, --upper), " +
	"or its pattern is not a cheapest one, or with --match exact not the canonical one"

func newAttackReport(t *table.Table, res *attack.Result, opt *attack.Options) *attackReport {
	r := &attackReport{
		Table: t.Name, Dimension: res.Dim, Candidates: digits(res.Candidates), Matching: digits(res.Matching),
		Counted: res.Counted, Complete: res.Complete, Seconds: res.Seconds, Cells: []attackCell{}, match: opt.Match,
		unexplained: res.Complete && res.Matching.Sign() == 0,
	}
	if r.Complete && !r.Counted && res.Matching.Sign() > 0 {
		r.Matching = "" // how many were met on the way to the intervals tells nothing
	}
	ends := func(x attack.Range) *[2]exact {
		if x.Empty {
			return nil
		}
		return &[2]exact{decimal(x.Lo, t.Decimals), decimal(x.Hi, t.Decimals)}
	}
	codes := codesOf(t)
	for k := range res.Cells {
		c := &res.Cells[k]
		if _, known := opt.Knows[c.Index]; known {
			r.known++
			continue
		}
		cell := attackCell{Cell: t.CellName(c.Index), Codes: codes(c.Index), Feasible: [2]exact{ratio(c.Lo, t.Decimals), ratio(c.Hi, t.Decimals)},
			Effective: ends(c.Outer), index: c.Index}
		if !res.Complete {
			cell.Found = &foundSpan{ends(c.Inner)}
		}
		if c.Verdict != attack.Unknown && !r.unexplained {
			safe := c.Verdict == attack.Safe
			cell.Safe = &safe
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// digits returns n, nothing for nil.
func digits(n *big.Int) exact {
	if n == nil {
		return ""
	}
	return exact(n.String())
}

// code is the exit code: a cell that is unsafe stays so, whatever a limit left open.
func (r *attackReport) code(opt *attack.Options) exitCode {
	unsafe, _ := r.tally()
	switch {
	case r.unexplained:
		return exitUsage
	case unsafe > 0:
		return exitVerdict
	case !r.Complete || opt.Count == attack.CountAll && !r.Counted:
		return exitLimit
	}
	return exitDone
}

// tally counts the cells that are unsafe and those about which nothing is known.
func (r *attackReport) tally() (unsafe, unknown int) {
	for k := range r.Cells {
		switch c := &r.Cells[k]; {
		case c.Safe == nil:
			unknown++
		case !*c.Safe:
			unsafe++
		}
	}
	return unsafe, unknown
}

// word is the verdict on one cell.
func (c *attackCell) word() string {
	switch {
	case c.Safe == nil:
		return "unknown"
	case *c.Safe:
		return "safe"
	case c.Effective != nil && c.Effective[0] == c.Effective[1]:
		return "DISCLOSED"
	}
	return "UNSAFE"
}

// span writes an interval; an end that is empty is infinite.
func span(lo, hi exact) string { return "[" + or(lo, "-inf") + ", " + or(hi, "inf") + "]" }

// print writes the withheld cells and a line that sums up. Of a long list it shows
// the cells that are not safe. Nothing in it depends on time, but for a limit.
func (r *attackReport) print(w io.Writer, t *table.Table) error {
	fmt.Fprintf(w, "%s\n\n", r.Table)
	r.list(w, t)
	unsafe, unknown := r.tally()
	verdict := "safe"
	switch {
	case r.unexplained:
		verdict = "not explained"
	case unsafe > 0:
		verdict = "unsafe"
	case unknown > 0:
		verdict = "unknown"
	}
	line := fmt.Sprintf("%s: %s, %d cells withheld", r.Table, verdict, len(r.Cells)+r.known)
	if r.known > 0 {
		line += fmt.Sprintf(" (%d known)", r.known)
	}
	if line += fmt.Sprintf(", %d unsafe", unsafe); unknown > 0 && !r.unexplained {
		line += fmt.Sprintf(", %d unknown", unknown)
	}
	line += fmt.Sprintf("; dimension %d, %s candidates, ", r.Dimension, or(r.Candidates, "uncounted"))
	if !r.Complete {
		line += "at least "
	}
	line += fmt.Sprintf("%s match (%v)", or(r.Matching, "some"), r.match)
	if !r.Complete {
		line += "; stopped by a limit"
	}
	_, err := fmt.Fprintln(w, line)
	if r.unexplained {
		_, err = fmt.Fprintf(w, "%s: %s\n", r.Table, unexplained)
	}
	return err
}

func (r *attackReport) list(w io.Writer, t *table.Table) {
	long, values := len(r.Cells) > maxListRows, false
	var shown []*attackCell
	for k := range r.Cells {
		if c := &r.Cells[k]; !long || len(shown) < maxListRows && (c.Safe == nil || !*c.Safe) {
			shown = append(shown, c)
			values = values || t.Known(c.index)
		}
	}
	if len(shown) > 0 {
		header := []string{"cell"}
		if values {
			header = append(header, "value")
		}
		header = append(header, "feasible", "effective")
		if !r.Complete {
			header = append(header, "found")
		}
		grid := newColumns(1, append(header, "verdict")...)
		for _, c := range shown {
			line := []string{c.Cell}
			if values {
				line = append(line, or(value(t, c.index), "?"))
			}
			line = append(line, span(c.Feasible[0], c.Feasible[1]), maybeSpan(c.Effective))
			if !r.Complete {
				line = append(line, maybeSpan(c.Found.ends))
			}
			word := c.word()
			if r.unexplained {
				word = "-"
			}
			grid.add(append(line, word)...)
		}
		grid.print(w)
	}
	if long {
		fmt.Fprintf(w, "%d of %d withheld cells shown, none that is safe (--json lists all)\n", len(shown), len(r.Cells))
	}
	if len(r.Cells) > 0 {
		fmt.Fprintln(w)
	}
}

func maybeSpan(ends *[2]exact) string {
	if ends == nil {
		return "none"
	}
	return span(ends[0], ends[1])
}

// attackProgress prints the course of an attack, one line at a time:
//
//	open  decided      matches    time
//	  12    45.1%          123    2.0s
type attackProgress struct {
	w     io.Writer
	lines int
	next  time.Duration // no line before
}

func (p *attackProgress) show(s attack.Progress) {
	if s.Elapsed < p.next {
		return
	}
	if p.lines == 0 {
		fmt.Fprintf(p.w, "%6s %8s %12s %7s\n", "open", "decided", "matches", "time")
	}
	p.lines++
	p.next = s.Elapsed + progressEvery
	decided := "-"
	if s.Decided >= 0 {
		decided = fmt.Sprintf("%.1f%%", 100*s.Decided)
	}
	fmt.Fprintf(p.w, "%6d %8s %12d %6.1fs\n", s.Open, decided, s.Matches, s.Elapsed.Seconds())
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// insiderReport is what hitoku audit --insider adds to its document. Its keys and
// their order are a contract.
type insiderReport struct {
	Verdict      string           `json:"verdict"`
	Coalition    int              `json:"coalition"`
	Complete     *int             `json:"complete"`
	Singletons   int              `json:"singletons"`
	Contributors int              `json:"contributors"`
	Values       bool             `json:"values"`
	Examined     int64            `json:"examined"`
	Unsettled    int64            `json:"unsettled"`
	Findings     []insiderFinding `json:"findings"`
}

// An insiderFinding is one sensitive cell that one coalition lays open.
type insiderFinding struct {
	Coalition      []string   `json:"coalition"`
	CoalitionCodes [][]string `json:"coalition_codes,omitempty"`
	Cell           string     `json:"cell"`
	Codes          []string   `json:"codes,omitempty"` // where codes hold a /
	Value          exact      `json:"value"`
	Lower          exact      `json:"lower"`
	Upper          exact      `json:"upper"`
	LPL            exact      `json:"lpl"`
	UPL            exact      `json:"upl"`
	SPL            exact      `json:"spl"`
	Disclosed      bool       `json:"disclosed"`
	Relations      bool       `json:"determined_by_relations"`
}

func newInsiderReport(t *table.Table, rep *attack.InsiderReport) *insiderReport {
	r := &insiderReport{Verdict: string(interval.Protected), Coalition: rep.Coalition, Singletons: rep.Singletons,
		Contributors: len(rep.Contributors), Values: rep.Values, Examined: rep.Examined, Unsettled: rep.Unsettled, Findings: []insiderFinding{}}
	if rep.Complete >= 0 {
		r.Complete = &rep.Complete
	}
	switch {
	case len(rep.Findings) > 0:
		r.Verdict = string(interval.Unprotected)
	case rep.Complete < rep.Coalition || rep.Unsettled > 0:
		r.Verdict = "unsettled"
	}
	codes := codesOf(t)
	for k := range rep.Findings {
		x := &rep.Findings[k]
		level := func(l []int64) exact { return decimal(l[x.Cell], t.Decimals) }
		f := insiderFinding{Cell: t.CellName(x.Cell), Codes: codes(x.Cell), Value: value(t, x.Cell), Lower: ratio(x.Lo, t.Decimals), Upper: ratio(x.Hi, t.Decimals),
			LPL: level(t.LPL), UPL: level(t.UPL), SPL: level(t.SPL), Disclosed: x.Disclosed, Relations: x.Disclosed && x.Relations}
		for _, i := range x.Coalition {
			f.Coalition = append(f.Coalition, t.CellName(i))
			if c := codes(i); c != nil {
				f.CoalitionCodes = append(f.CoalitionCodes, c)
			}
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// code is the exit code of the verdict.
func (r *insiderReport) code() exitCode {
	switch r.Verdict {
	case string(interval.Unprotected):
		return exitVerdict
	case "unsettled":
		return exitLimit
	}
	return exitDone
}

// print writes the findings, of a long list the first, and a line that sums up.
func (r *insiderReport) print(w io.Writer, name string) error {
	shown := r.Findings[:min(len(r.Findings), maxListRows)]
	if len(shown) > 0 {
		fmt.Fprintln(w)
		header := []string{"known", "cell"}
		lines := make([][]string, len(shown))
		for n, f := range shown {
			lines[n] = []string{strings.Join(f.Coalition, " "), f.Cell}
		}
		for _, col := range []struct {
			name, nothing, plain string
			of                   func(f *insiderFinding) exact
		}{
			{"value", "?", "", func(f *insiderFinding) exact { return f.Value }},
			{"lower", "-inf", "-", func(f *insiderFinding) exact { return f.Lower }},
			{"upper", "inf", "-", func(f *insiderFinding) exact { return f.Upper }},
			{"lpl", "", "0", func(f *insiderFinding) exact { return f.LPL }},
			{"upl", "", "0", func(f *insiderFinding) exact { return f.UPL }},
			{"spl", "", "0", func(f *insiderFinding) exact { return f.SPL }},
		} {
			if !r.Values && col.plain != "0" || !slices.ContainsFunc(shown, func(f insiderFinding) bool { return string(col.of(&f)) != col.plain }) {
				continue
			}
			header = append(header, col.name)
			for n := range shown {
				lines[n] = append(lines[n], or(col.of(&shown[n]), col.nothing))
			}
		}
		grid := newColumns(2, append(header, "verdict")...)
		for n, f := range shown {
			word := "UNPROTECTED"
			switch {
			case f.Relations:
				word = "DISCLOSED"
			case f.Disclosed:
				word = "DISCLOSED by bounds"
			}
			grid.add(append(lines[n], word)...)
		}
		grid.print(w)
		if len(shown) < len(r.Findings) {
			fmt.Fprintf(w, "%d of %d findings shown, those of the smallest coalitions (--json lists all)\n", len(shown), len(r.Findings))
		}
	}
	open, disclosed := map[string]bool{}, map[string]bool{}
	for _, f := range r.Findings {
		open[f.Cell] = true
		if f.Disclosed {
			disclosed[f.Cell] = true
		}
	}
	line := fmt.Sprintf("\n%s: insiders: %s, %d cells with one contributor (%d persons)", name, r.Verdict, r.Singletons, r.Contributors)
	if r.Coalition > 1 {
		line += fmt.Sprintf(", coalitions of up to %d", r.Coalition)
	}
	line += fmt.Sprintf(", %d cells laid open, %d disclosed", len(open), len(disclosed))
	if !r.Values {
		line += " (without values only disclosure shows)"
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

package report

import (
	"strings"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/sets"
)

// insiders fills the section about contributors, who know their own cells.
func (p *protectionPage) insiders() {
	r := p.Insiders
	if r == nil {
		return
	}
	s := section{Heading: p.T("insiders"), Text: []string{p.T("insiderstext")}}
	open, exact := map[int]bool{}, map[int]bool{}
	for k := range r.Findings {
		x := &r.Findings[k]
		open[x.Cell] = true
		if x.Disclosed {
			exact[x.Cell] = true
		}
	}
	switch {
	case len(r.Findings) > 0:
		p.warn(&s, "insidersbad", len(open), len(exact))
	case r.Settled < r.Coalition || r.Unsettled > 0:
		s.Text = append(s.Text, p.T("insidersopen"))
	default:
		s.Text = append(s.Text, p.T("insidersgood"))
	}
	if !r.Values {
		s.Text = append(s.Text, p.T("insidersnovalues"))
	}
	if r.Unknown > 0 {
		s.Text = append(s.Text, p.say("insidersunknown", r.Unknown))
	}
	if r.Settled < r.Coalition && r.Settled >= 0 {
		s.Text = append(s.Text, p.say("insiderscomplete", r.Settled))
	}
	s.Facts = []Fact{
		{p.T("insiderscells"), p.say("insiderscellstext", r.Singletons, len(r.Contributors))},
		{p.T("insiderscoalition"), p.say("insiderscoalitiontext", r.Coalition)},
	}
	if len(r.Findings) > 0 {
		s.Sheet = p.exposures(r)
		if rest := len(r.Findings) - len(s.Sheet.Rows); rest > 0 {
			s.Notes = append(s.Notes, p.say("insidersmore", rest))
		}
	}
	p.Sections = append(p.Sections, s)
}

// exposures lists the findings. A masked page has no intervals, because these follow from the true values of
// the cells that a coalition knows.
func (p *protectionPage) exposures(r *insider.Report) *sheet {
	intervals := r.Values && !p.Mask
	t := &sheet{Head: []string{p.T("insidersknown"), p.T("cell")}}
	if intervals {
		t.Head, t.Numbers = append(t.Head, p.T("lower"), p.T("upper")), []int{2, 3}
	}
	t.Head = append(t.Head, p.T("verdict"))
	for k := range r.Findings[:min(len(r.Findings), maxListedOthers)] {
		x := &r.Findings[k]
		known := sets.Each(x.Coalition, p.Table.CellName)
		row := sheetRow{Bad: true, Texts: []string{strings.Join(known, p.T("andword")), p.Table.CellName(x.Cell)}}
		if intervals && x.Known {
			row.Texts = append(row.Texts, p.column(x.Lo, "−"), p.column(x.Hi, ""))
		} else if intervals {
			row.Texts = append(row.Texts, unknown, unknown)
		}
		verdict := "fail"
		switch {
		case x.Disclosed && x.Relations:
			verdict = "byrelations"
		case x.Disclosed:
			verdict = "bybounds"
		}
		row.Texts = append(row.Texts, p.T(verdict))
		t.Rows = append(t.Rows, row)
	}
	return t
}

package report

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Intervals are published for withheld cells in place of marks. The bounds of Table are then these intervals,
// as readers know them.
type Intervals struct {
	// Of is the published interval of each cell, in units of Table; an unbounded end is NegInf or PosInf.
	Of           map[int][2]int64
	Lower, Upper []int64         // bounds of all cells before that
	Choice       *IntervalChoice // how the intervals were chosen; nil: not known
}

// IntervalChoice is what is known about the search for the intervals. Costs are written as by hitoku suppress.
type IntervalChoice struct {
	Weights            string // relative or absolute
	Optimum, Rounded   string // cost before and after the ends were rounded
	Computable, Proved bool   // the ends are those that everybody can compute; there is a bound
	Drawn              bool   // the intervals surround a table that was moved by a secret random draw
	Told               int    // number of sensitive cells that this does not hide
}

// Told returns the number of sensitive cells about which those who know how the ends are drawn may learn more
// than the levels allow; x may be nil.
func (x *Intervals) Told() int {
	if x == nil || x.Choice == nil {
		return 0
	}
	return x.Choice.Told
}

// published returns the interval that is published for cell i, as readers see it; "" if there is none.
func (p *protectionPage) published(i int) string {
	if p.Intervals == nil {
		return ""
	}
	x, ok := p.Intervals.Of[i]
	if !ok {
		return ""
	}
	// These are written as in files, but with the grouping commas of the page.
	switch from, to := p.number(x[0]), p.number(x[1]); {
	case x[0] == table.NegInf && x[1] == table.PosInf:
		return "x"
	case x[1] == table.PosInf:
		return "≥ " + from
	case x[0] == table.NegInf:
		return "≤ " + to
	default:
		return from + formats.IntervalDash + to
	}
}

// Interval reports whether the page is about intervals in place of marks.
func (p *protectionPage) Interval() bool { return p.Intervals != nil }

// partial fills the section about intervals in place of marks.
func (p *protectionPage) partial() {
	x := p.Intervals
	if x == nil {
		return
	}
	s := section{Heading: p.T("partial"), Text: []string{p.T("partialtext")}}
	if n := p.narrower(); n > 0 {
		s.Text = append(s.Text, p.say("partialnarrower", n, len(x.Of)))
	} else {
		s.Text = append(s.Text, p.T("partialtight"))
	}
	all, open := new(big.Int), 0
	least, widest := int64(table.PosInf), int64(-1)
	for _, e := range x.Of {
		if e[0] == table.NegInf || e[1] == table.PosInf {
			open++
			continue
		}
		w := e[1] - e[0]
		least, widest = min(least, w), max(widest, w)
		all.Add(all, big.NewInt(w))
	}
	add := func(key, value string) { s.Facts = append(s.Facts, Fact{p.T(key), value}) }
	add("partialcells", count(len(x.Of)).String())
	if widest >= 0 {
		add("partialwidth", ratText(new(big.Rat).SetInt(all), p.Table.Decimals))
		add("partialleast", p.number(least))
		add("partialwidest", p.number(widest))
	}
	if open > 0 {
		add("partialopen", count(open).String())
	}
	if n := x.Told(); n > 0 {
		p.warn(&s, "partialtold", n)
	}
	if c := x.Choice; c != nil && c.Computable {
		s.Notes = append(s.Notes, p.T("partialcomputable"))
	}
	p.Sections = append(p.Sections, s)
}

// narrower returns the number of cells about which more can be computed than their interval says.
func (p *protectionPage) narrower() int {
	n := 0
	beyond := func(end *big.Rat, published int64, sign int) bool {
		return end != nil && (published == table.NegInf || published == table.PosInf || sign*end.Cmp(new(big.Rat).SetInt64(published)) > 0)
	}
	for i, e := range p.Intervals.Of {
		var c *interval.Cell
		if c = p.of[i]; c != nil && (beyond(c.Lo, e[0], 1) || beyond(c.Hi, e[1], -1)) {
			n++
		}
	}
	return n
}

// chosenIntervals says in words how the intervals were found; add adds a fact.
func (p *protectionPage) chosenIntervals(s *section, add func(key, value string)) {
	c := p.Intervals.Choice
	if c.Computable {
		s.Text = append(s.Text, p.say("rundefence", p.T("defence"+p.Run.Defence)))
	} else {
		s.Text = append(s.Text, p.T("runpartial"), p.T("runpartial"+c.Weights))
	}
	switch {
	case !c.Proved:
	case p.Run.Status == "optimal":
		s.Text = append(s.Text, p.T("runpartialoptimal"))
	default:
		s.Text = append(s.Text, p.T("runpartialfeasible"))
	}
	if p.Mask { // costs reveal values
		return
	}
	add("runpartialcost", grouped(p.Run.Cost))
	add("runpartialoptimum", grouped(c.Optimum))
	add("runpartialrounded", grouped(c.Rounded))
	add("runpartialbound", grouped(p.Run.Bound))
}

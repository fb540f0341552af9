package report

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Intervals are what is published of withheld cells in place of a mark. The bounds of Table are these then, as whoever reads the publication knows them.
type Intervals struct {
	Of           map[int][2]int64 // published interval of each cell, in units of Table; NegInf and PosInf where there is no end
	Lower, Upper []int64          // bounds of all cells beforehand
	Choice       *IntervalChoice  // nil: not known
}

// IntervalChoice is what the search for the intervals tells. Costs are as hitoku suppress prints them.
type IntervalChoice struct {
	Weights            string // relative or absolute
	Optimum, Rounded   string // cost before ends were rounded, and after
	Computable, Proved bool   // the ends are those that everybody can compute; there is a bound
	Drawn              bool   // the ends are laid around a table that a secret draw has moved
	Told               int    // sensitive cells that this does not hide
}

// Told counts the sensitive cells of which who knows how ends are drawn may tell more than their levels allow; x may be nil.
func (x *Intervals) Told() int {
	if x == nil || x.Choice == nil {
		return 0
	}
	return x.Choice.Told
}

// published is the interval that is published of cell i, as readers see it; "" where there is none.
func (p *protectionPage) published(i int) string {
	if p.Intervals == nil {
		return ""
	}
	x, ok := p.Intervals.Of[i]
	if !ok {
		return ""
	}
	// As files have it, but for the commas of the page.
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

// Interval says that the page is of intervals in place of marks.
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

// narrower counts the cells of which more can be computed than their interval says.
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

// chosenIntervals says in words how the intervals were found; add takes a fact.
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
	if p.Mask { // costs follow from values
		return
	}
	add("runpartialcost", grouped(p.Run.Cost))
	add("runpartialoptimum", grouped(c.Optimum))
	add("runpartialrounded", grouped(c.Rounded))
	add("runpartialbound", grouped(p.Run.Bound))
}

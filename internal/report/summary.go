package report

import (
	"math/big"
	"strconv"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// protectionSums are the sums by status for one table, or for a set.
type protectionSums struct {
	Title string
	Lines []protectionSum
}

type protectionSum struct {
	Name, Share, Margins, Respondents, Value, Cost string
	Cells                                          count
	Sum                                            bool
}

// sums fills the tables of statuses: one for all cells, and one for each table of a set.
func (p *protectionPage) sums() {
	all := sets.Upto(int32(p.Table.Len()))
	if !p.Set() {
		p.Summary = []protectionSums{{"", p.sumsOf(all, p.margin)}}
		return
	}
	p.Summary = []protectionSums{{p.say("summaryset", len(p.Linked)), p.sumsOf(all, p.margin)}}
	for _, part := range p.Linked {
		leaves := part.Table.Leaves()
		margin := sets.List(len(part.Cell), func(i int) bool { return part.Table.IsMargin(i, leaves) })
		p.Summary = append(p.Summary, protectionSums{part.Table.Name, p.sumsOf(part.Cell, margin)})
	}
}

// statusGroup is a line of the sums, with indices into the list of cells.
type statusGroup struct {
	name  string
	at    []int
	sum   bool
	spare bool // leave the line out if it has no cells
}

// sumsOf sums up the cells; margin[n] says that the n-th of them is a margin.
func (p *protectionPage) sumsOf(cells []int32, margin []bool) []protectionSum {
	t := p.Table
	by := make([][]int, len(reasonClasses))
	var kept, free, empty, primary, all []int
	for n, c := range cells {
		i := int(c)
		all = append(all, n)
		switch {
		case p.Withheld[i]:
			k := p.class(i)
			by[k] = append(by[k], n)
			if reasonClasses[k].reason != table.NoReason {
				primary = append(primary, n)
			}
		case t.Freq != nil && t.Freq[i] == 0 && t.Value[i] == 0:
			empty = append(empty, n)
		case t.Status[i] == table.Published:
			kept = append(kept, n)
		default:
			free = append(free, n)
		}
	}
	var groups []statusGroup
	rules := 0
	for n, c := range reasonClasses {
		if c.reason != table.NoReason && len(by[n]) > 0 {
			groups = append(groups, statusGroup{name: p.say("primaryof", p.reason(n)), at: by[n]})
			rules++
		}
	}
	last := len(reasonClasses) - 1
	if rules > 1 {
		groups = append(groups, statusGroup{name: p.T("allprimary"), at: primary})
	}
	groups = append(groups, statusGroup{name: p.reason(last), at: by[last]}, statusGroup{name: p.T("kept"), at: kept, spare: true},
		statusGroup{name: p.T("free"), at: free}, statusGroup{name: p.T("empty"), at: empty, spare: true}, statusGroup{name: p.T("all"), at: all, sum: true})
	var lines []protectionSum
	for _, g := range groups {
		if !g.spare || len(g.at) > 0 {
			lines = append(lines, p.sum(g, cells, margin))
		}
	}
	return lines
}

// sum returns one line. It leaves out a sum that would reveal a withheld value, or for which a number is
// missing.
func (p *protectionPage) sum(g statusGroup, cells []int32, margin []bool) protectionSum {
	t := p.Table
	s := protectionSum{Name: g.name, Cells: count(len(g.at)), Sum: g.sum}
	if len(cells) > 0 {
		s.Share = strconv.FormatFloat(100*float64(len(g.at))/float64(len(cells)), 'f', 1, 64)
	}
	margins := 0
	value, freq, cost := new(big.Int), new(big.Int), new(big.Int)
	known, counted := true, t.Freq != nil || t.Counts
	add := func(to *big.Int, v int64) { to.Add(to, big.NewInt(v)) }
	for _, n := range g.at {
		i := int(cells[n])
		if margin[n] {
			margins++
		}
		known = known && t.Known(i) && (!p.Mask || !p.Withheld[i])
		add(value, t.Value[i])
		add(cost, t.Cost[i])
		switch {
		case t.Freq != nil:
			counted = counted && t.Freq[i] >= 0
			add(freq, t.Freq[i])
		case t.Counts:
			counted = counted && t.Known(i)
			add(freq, t.Value[i])
		}
	}
	format := func(ok bool, v *big.Int, decimals, places int) string {
		if !ok {
			return unknown
		}
		return padded(ratText(new(big.Rat).SetInt(v), decimals), places)
	}
	s.Value = format(known, value, t.Decimals, p.places)
	s.Respondents = format(counted && !(p.Mask && !known), freq, 0, 0)
	s.Cost = format(known, cost, t.CostDecimals, p.costs)
	if s.Margins = count(margins).String(); len(t.Dims) == 0 {
		s.Margins = unknown
	}
	return s
}

package report

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// protectionCell is a line of the list of withheld cells.
type protectionCell struct {
	Name, Class, Mark, Reason, Value, Lower, Upper, Range, Wanted, Verdict, Tables, Published string
	Bad                                                                                       bool
}

// wanted says what protection a cell needs.
func (p *protectionPage) wanted(i int) string {
	t := p.Table
	// Levels are often shares of the value, so a masked page only shows a width that all cells have in common.
	if t.Status[i] != table.Sensitive || p.Mask && (p.Width == nil || p.Width.Percent) {
		return ""
	}
	var all []string
	if t.LPL[i] > 0 && t.Known(i) && !p.Mask {
		all = append(all, p.say("wl", p.number(t.LPL[i])))
	}
	if t.UPL[i] > 0 && t.Known(i) && !p.Mask {
		all = append(all, p.say("wu", p.number(t.UPL[i])))
	}
	if t.Strict {
		all = append(all, p.say("wss", p.number(t.Width[i])))
	} else if t.Width[i] > 0 {
		all = append(all, p.say("ws", p.number(t.Width[i])))
	}
	return strings.Join(all, p.T("andword"))
}

func (p *protectionPage) verdict(i int) (text string, bad bool) {
	c := p.of[i]
	switch {
	case c.Superfluous:
		return p.T("superfluous"), false
	case c.Disclosed:
		return p.T("disclosed"), true
	case c.Unsettled:
		return p.T("unsettledcell"), true
	case !c.Protected:
		return p.T("fail"), true
	case p.Table.Status[i] == table.Sensitive:
		return p.T("ok"), false
	}
	return p.T("open"), false
}

// list fills the list of withheld cells: those that fail first, then the others with the narrowest interval
// first. Cells beyond the limit are left out, which is said.
func (p *protectionPage) list() {
	type line struct {
		*interval.Cell
		bad   bool
		width *big.Rat // nil: infinite
	}
	order := make([]line, len(p.Audit.Cells))
	for k := range order {
		c := &p.Audit.Cells[k]
		_, bad := p.verdict(c.Index)
		order[k] = line{c, bad, width(c.Lo, c.Hi)}
	}
	slices.SortStableFunc(order, func(a, b line) int {
		switch {
		case a.bad != b.bad && a.bad:
			return -1
		case a.bad != b.bad:
			return 1
		}
		return cmp.Or(compareWidths(a.width, b.width), cmp.Compare(a.Index, b.Index))
	})
	bad := sets.Count(order[min(len(order), maxListed):], func(c line) bool { return c.bad })
	if rest := len(order) - maxListed - bad; bad > 0 {
		p.More = append(p.More, p.say("morebad", bad, max(rest, 0)))
	} else if rest > 0 {
		p.More = append(p.More, p.say("more", rest))
	}
	for _, c := range order[:min(len(order), maxListed)] {
		i, n := c.Index, p.class(c.Index)
		x := protectionCell{
			Name: p.Table.CellName(i), Class: reasonClasses[n].class, Mark: p.mark(n), Reason: p.reason(n), Bad: c.bad,
			Lower: p.column(c.Lo, "−"), Upper: p.column(c.Hi, ""), Range: p.column(c.width, ""), Wanted: p.wanted(i), Value: unknown, Tables: p.tables(i, -1), Published: p.published(i),
		}
		if p.Table.Known(i) && !p.Mask {
			x.Value = p.value(i)
		}
		x.Verdict, _ = p.verdict(i)
		p.Cells = append(p.Cells, x)
	}
}

// tables lists the tables of a set that have cell i, except one.
func (p *protectionPage) tables(i, but int) string {
	var names []string
	if p.Set() {
		for _, k := range p.within[i] {
			if k != but {
				names = append(names, p.Linked[k].Table.Name)
			}
		}
	}
	return strings.Join(names, p.T("andword"))
}

// width returns the width of an interval, nil if an end is nil.
func width(lo, hi *big.Rat) *big.Rat {
	if lo == nil || hi == nil {
		return nil
	}
	return new(big.Rat).Sub(hi, lo)
}

// compareWidths orders widths; nil is infinite.
func compareWidths(a, b *big.Rat) int {
	switch {
	case a != nil && b != nil:
		return a.Cmp(b)
	case a != nil:
		return -1
	case b != nil:
		return 1
	}
	return 0
}

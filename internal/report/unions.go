package report

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Unions are sums of cells that are sensitive in the same way as cells.
type Unions struct {
	Size     int // all unions of up to this many withheld cells were examined; 0: none were
	Complete bool
	Found    []Union
}

// A Union is such a sum with what was found about it.
type Union struct {
	table.Union
	Lo, Hi    *big.Rat // the ends of its interval; nil: unbounded
	Ends      bool     // the ends were computed
	Protected bool
	Shown     bool     // it was proved to be protected, without computing its ends
	Unsettled bool     // a limit was reached before that was known
	Follows   []string // the arithmetic by which the ends follow from what is published, for some unions only
}

// Open returns the number of unions that miss their levels.
func (u *Unions) Open() int {
	return sets.Count(u.Found, func(n Union) bool { return !n.Protected && !n.Unsettled })
}

// unions fills the section about sums of cells.
func (p *protectionPage) unions() {
	u := p.Unions
	if u == nil {
		return
	}
	s := section{Heading: p.T("unions"), Text: []string{p.T("unionstext")}}
	open := u.Open()
	if open > 0 {
		p.warn(&s, "unionsbad", open)
	} else {
		s.Text = append(s.Text, p.T("unionsgood"))
	}
	if !u.Complete || slices.ContainsFunc(u.Found, func(n Union) bool { return n.Unsettled }) {
		s.Text = append(s.Text, p.T("unionsopen"))
	}
	if u.Size > 0 {
		s.Facts = append(s.Facts, Fact{p.T("unionssize"), p.say("unionssizetext", u.Size)})
	}
	s.Facts = append(s.Facts, Fact{p.T("unionsnumber"), count(len(u.Found)).String()})
	if open > 0 {
		s.Sheet = p.openUnions(u)
		if rest := open - len(s.Sheet.Rows); rest > 0 {
			s.Notes = append(s.Notes, p.say("unionsmore", rest))
		}
	}
	p.Sections = append(p.Sections, s)
}

// openUnions lists the sums that are told too closely. A masked page has no intervals: these may be computed
// from what is published, but they are about values that the page leaves out.
func (p *protectionPage) openUnions(u *Unions) *sheet {
	t := &sheet{Head: []string{p.T("unionsum"), p.T("reason")}}
	if !p.Mask {
		t.Head, t.Numbers = append(t.Head, p.T("lower"), p.T("upper")), []int{2, 3}
	}
	t.Head = append(t.Head, p.T("verdict"))
	if !p.Mask {
		t.Head = append(t.Head, p.T("unionfollows"))
	}
	for k := range u.Found {
		n := &u.Found[k]
		if n.Protected || n.Unsettled || len(t.Rows) == maxListedOthers {
			continue
		}
		names := sets.Each(n.Cells, func(i int32) string { return p.Table.CellName(int(i)) })
		why := p.T("group")
		for _, c := range reasonClasses {
			if c.reason == n.Reason {
				why = p.T(c.class)
			}
		}
		if n.Possible {
			why += " (" + p.T("unionspossible") + ")"
		}
		row := sheetRow{Bad: true, Texts: []string{strings.Join(names, " + "), why}}
		if !p.Mask {
			row.Texts = append(row.Texts, p.column(n.Lo, "−"), p.column(n.Hi, ""))
		}
		if row.Texts = append(row.Texts, p.T("fail")); !p.Mask {
			row.Texts = append(row.Texts, strings.Join(n.Follows, "; "))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

package report

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// maxTerms is how many published numbers and bounds of a combination are listed.
const maxTerms = 16

// follows says how the values of the cells that are disclosed, or whose intervals are too narrow, follow from
// what is published.
func (p *protectionPage) follows() {
	s := &section{Heading: p.T("follows"), Text: []string{p.T("followsnote")}, Sheet: &sheet{Head: []string{p.T("combination"), p.T("combinationof"), p.T("combinationas")}}}
	left := 0
	for k := range p.Audit.Cells {
		for n := range p.Combinations[p.Audit.Cells[k].Index] {
			c := &p.Combinations[p.Audit.Cells[k].Index][n]
			switch {
			case len(s.Sheet.Rows) == maxListedOthers:
				left++
			case len(c.Terms)+len(c.Bounds) > maxTerms:
				end := map[interval.Side]string{interval.LowerEnd: " ≥ ", interval.TheValue: " = ", interval.UpperEnd: " ≤ "}[c.Side] + table.FormatRat(c.Result, p.Table.Decimals)
				s.Sheet.Rows = append(s.Sheet.Rows, sheetRow{Texts: []string{p.name(c.Cell) + end, p.say("combinationlong", len(c.Terms)), ""}})
			default:
				s.Sheet.Rows = append(s.Sheet.Rows, sheetRow{Texts: []string{c.Arithmetic(cmp.Or(p.Whole, p.Table), p.name), c.Cells(p.name), p.conditions(c)}})
			}
		}
	}
	if left > 0 {
		s.Notes = append(s.Notes, p.say("more", left))
	}
	if len(s.Sheet.Rows) > 0 {
		p.Follows = s
	}
}

// name returns the name of cell i, which may be in another table.
func (p *protectionPage) name(i int) string {
	if p.Whole != nil {
		return p.Where(i)
	}
	return p.Table.CellName(i)
}

// conditions lists the bounds and the rounding that a combination uses.
func (p *protectionPage) conditions(c *interval.Combination) string {
	var all []string
	if c.Rounding != nil {
		all = append(all, p.say("combinationrounded", table.FormatRat(c.Rounding, p.Table.Decimals)))
	}
	for _, x := range c.Bounds {
		sign := " ≥ "
		if x.Coef.Sign() == int(c.Side) {
			sign = " ≤ "
		}
		all = append(all, p.name(x.Cell)+sign+table.FormatRat(x.Value, p.Table.Decimals))
	}
	return strings.Join(all, p.T("andword"))
}

// rounding returns the largest unit to which published values are rounded.
func (p *protectionPage) rounding() string {
	most := int64(0)
	for _, u := range p.Table.Rounding {
		most = max(most, u)
	}
	return table.FormatRat(new(big.Rat).SetInt64(most), p.Table.Decimals)
}

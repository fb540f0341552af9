package report

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/firewall"
	"github.com/hitoku/hitoku/table"
)

// Released describes for package firewall what masked pages may contain: no value of a withheld cell unless
// readers can compute it.
func Released(pages []*Protection, aside bool) *firewall.Release {
	r := &firewall.Release{Texts: map[string]bool{}, Aside: aside, Again: true}
	for _, p := range pages {
		for d := range p.Table.Dims {
			dim := &p.Table.Dims[d]
			r.Texts[dim.Name] = true
			for _, c := range dim.Codes {
				r.Texts[c], r.Texts[dim.Labels[c]] = true, true
			}
		}
	}
	r.Cells = func(yield func(firewall.Cell) bool) {
		for _, p := range pages {
			t := p.Table
			ends := map[int][]string{}
			end := func(i int, x *big.Rat) {
				if x != nil {
					ends[i] = append(ends[i], new(big.Rat).Quo(x, new(big.Rat).SetInt64(table.Pow10(t.Decimals))).FloatString(t.Decimals))
				}
			}
			for k := range p.Audit.Cells {
				c := &p.Audit.Cells[k]
				end(c.Index, c.Lo)
				end(c.Index, c.Hi)
			}
			if p.Intervals != nil {
				for i, of := range p.Intervals.Of {
					end(i, new(big.Rat).SetInt64(of[0]))
					end(i, new(big.Rat).SetInt64(of[1]))
				}
			}
			for i := range t.Len() {
				c := firewall.Cell{Withheld: p.Withheld[i], Ends: ends[i], InFile: true}
				if t.Known(i) {
					c.Values = append(c.Values, table.FormatDecimal(t.Value[i], t.Decimals))
				}
				if t.Freq != nil && t.Freq[i] > 0 {
					c.Values = append(c.Values, table.FormatDecimal(t.Freq[i], 0))
				}
				if !yield(c) {
					return
				}
			}
		}
	}
	return r
}

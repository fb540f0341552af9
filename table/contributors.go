package table

import (
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Contributors are what a table may tell about the contributors to its cells, besides Freq and Max. Only the office
// sees them.
type Contributors struct {
	// Who[r][i] indexes Names: the contributor of Max[r][i], or −1 if unknown. nil: no contributor is known.
	Who   [][]int32
	Names []string
	// Absolute[i] is the sum of the absolute contributions to cell i, NegInf if unknown. nil: unknown for all cells.
	Absolute []int64
	// Waived[i] is how many contributors to cell i consented to disclosure (waivers), and Target[i] the largest
	// contribution of the others. nil: nobody consented.
	Waived, Target []int64

	index map[string]int32
}

// number returns the index of a contributor's name, adding a new one; −1 for an empty name.
func (c *Contributors) number(name string) int32 {
	if name == "" {
		return -1
	}
	k, ok := c.index[name]
	if !ok {
		if c.index == nil {
			c.index = map[string]int32{}
		}
		k = int32(len(c.Names))
		c.index[name], c.Names = k, append(c.Names, name)
	}
	return k
}

// Told is what a record tells of a cell's contributors, which few records do: the names behind the largest
// contributions ("" if unknown), the sum of the absolute contributions, the number of contributors who consented to
// disclosure, and the largest contribution of the others.
type Told struct {
	Who                      []string
	Absolute, Waived, Target Number
}

// grow extends to n rows the columns that exist and those that told needs.
func (c *Contributors) grow(n int, told *Told) {
	for told != nil && len(c.Who) < len(told.Who) {
		c.Who = append(c.Who, nil)
	}
	for r := range c.Who {
		for len(c.Who[r]) < n {
			c.Who[r] = append(c.Who[r], -1)
		}
	}
	for _, f := range []struct {
		to    *[]int64
		set   bool
		unset int64
	}{{&c.Absolute, told != nil && told.Absolute.Set, NegInf}, {&c.Waived, told != nil && told.Waived.Set, 0}, {&c.Target, told != nil && told.Waived.Set, 0}} {
		if *f.to == nil && f.set {
			*f.to = []int64{}
		}
		for *f.to != nil && len(*f.to) < n {
			*f.to = append(*f.to, f.unset)
		}
	}
}

// tell appends what a record tells of its contributors; the first such record creates t.Contributors.
func (t *Table) tell(told *Told, at func(v Number, scale int, column string, unset int64) int64) {
	switch {
	case told == nil && t.Contributors == nil:
		return
	case told == nil:
		told = &Told{}
	case t.Contributors == nil:
		t.Contributors = &Contributors{}
	}
	c, i := t.Contributors, len(t.Value)-1
	c.grow(i, told)
	for r := range c.Who {
		who := int32(-1)
		if r < len(told.Who) {
			who = c.number(told.Who[r])
		}
		c.Who[r] = append(c.Who[r], who)
	}
	if c.Absolute != nil {
		c.Absolute = append(c.Absolute, at(told.Absolute, t.Decimals, "absolute", NegInf))
	}
	if c.Waived != nil {
		c.Waived = append(c.Waived, at(told.Waived, 0, "waived", 0))
		c.Target = append(c.Target, at(told.Target, t.Decimals, "unwaived", 0))
	}
}

// clone copies the columns.
func (c *Contributors) clone() *Contributors {
	if c == nil {
		return nil
	}
	out := &Contributors{Absolute: slices.Clone(c.Absolute), Waived: slices.Clone(c.Waived), Target: slices.Clone(c.Target), Names: slices.Clone(c.Names)}
	for _, w := range c.Who {
		out.Who = append(out.Who, slices.Clone(w))
	}
	return out
}

// pick returns the columns restricted to the given cells.
func (c *Contributors) pick(cells []int32) *Contributors {
	if c == nil {
		return nil
	}
	out := &Contributors{Absolute: pick(c.Absolute, cells), Waived: pick(c.Waived, cells), Target: pick(c.Target, cells), Names: c.Names}
	for _, w := range c.Who {
		out.Who = append(out.Who, pick(w, cells))
	}
	return out
}

// told returns what is known of cell i's contributors.
func (c *Contributors) told(i, decimals int) *Told {
	if c == nil {
		return nil
	}
	told := &Told{}
	for r := range c.Who {
		name := ""
		if k := c.Who[r][i]; k >= 0 {
			name = c.Names[k]
		}
		told.Who = append(told.Who, name)
	}
	if c.Absolute != nil && c.Absolute[i] != NegInf {
		told.Absolute = Num(c.Absolute[i], decimals)
	}
	if c.Waived != nil {
		told.Waived, told.Target = Num(c.Waived[i], 0), Num(c.Target[i], decimals)
	}
	return told
}

// lengths returns the lengths of the columns that are present.
func (c *Contributors) lengths() (n []int) {
	if c == nil {
		return nil
	}
	for _, f := range [][]int64{c.Absolute, c.Waived, c.Target} {
		if f != nil {
			n = append(n, len(f))
		}
	}
	for _, w := range c.Who {
		n = append(n, len(w))
	}
	return n
}

// checkContributors reports a number of cell i's contributors that is impossible.
func (t *Table) checkContributors(i int) *CellError {
	c := t.Contributors
	switch {
	case c == nil:
	case c.Waived != nil && (c.Waived[i] < 0 || t.Freq != nil && t.Freq[i] >= 0 && c.Waived[i] > t.Freq[i]):
		return &CellError{t.CellName(i), "waived", strconv.FormatInt(c.Waived[i], 10), i18n.T("want at least 0 and no more than there are contributors")}
	case c.Waived != nil && c.Target[i] < 0:
		return &CellError{t.CellName(i), "unwaived", FormatDecimal(c.Target[i], t.Decimals), i18n.T("want a contribution ≥ 0")}
	}
	return nil
}

package attack

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// base returns t in the state from which the office's procedure starts: withheld cells are safe until a rule says
// otherwise, unless the statuses are public.
func (o *Office) base(t *table.Table, withheld []bool) (*table.Table, error) {
	c := t.Clone()
	c.Missing = nil
	c.Strict = c.Strict || o.Strict
	for i, st := range c.Status {
		switch {
		case st == table.Withheld, st == table.Sensitive && o.Below > 0:
			c.Status[i] = table.Safe
		case st == table.Published && withheld[i]:
			return nil, i18n.Errorf("attack: cell %s is withheld although it must be published", t.CellName(i))
		}
	}
	return c, nil
}

// hides checks that the procedure would publish the published cells of base.
func (o *Office) hides(base *table.Table, withheld []bool) error {
	for i, st := range base.Status {
		if !withheld[i] && (o.Below > 0 && st != table.Published && o.sensitive(base.Value[i]) || o.Below == 0 && st == table.Sensitive) {
			return i18n.Errorf("%w: %s", ErrPublished, base.CellName(i))
		}
	}
	return nil
}

// cost returns the kind of costs, by default a count.
func (o *Office) cost() table.CostKind {
	if o.Cost.Kind == "" {
		return table.CostKind{Kind: "count"}
	}
	return o.Cost
}

// table returns the table to which the procedure applies suppression for the candidate y of the cells: base with these
// values and the statuses, costs and levels that follow from them.
func (o *Office) table(base *table.Table, cells []int32, y []int64) (*table.Table, error) {
	c, err := o.bare(base, cells, y)
	if err != nil {
		return nil, err
	}
	return c, c.SetLevels(o.Levels)
}

// bare is table without levels.
func (o *Office) bare(base *table.Table, cells []int32, y []int64) (*table.Table, error) {
	c := base.Clone()
	for k, i := range cells {
		c.Value[i] = y[k]
	}
	if o.Below > 0 {
		if c.Freq != nil {
			copy(c.Freq, c.Value)
		}
		if _, _, err := c.MinimumFrequency(o.Below, o.Zeros); err != nil {
			return nil, err
		}
	}
	return c, c.SetCost(o.cost())
}

// whole returns the table of the candidate y with levels in whole units, for numbers that leave no room for the
// decimals of levels. On networks, where nothing moves by a fraction, such levels are equivalent.
func (x *setting) whole(y []int64) (*table.Table, error) {
	c, err := x.office.bare(x.base, x.cells, y)
	if err != nil {
		return nil, err
	}
	unit := uint64(x.q * x.fine)
	for p, i := range x.cells {
		if c.Status[i] != table.Sensitive {
			continue
		}
		for k, to := range [3][]int64{c.Width, c.LPL, c.UPL} {
			level := x.exactly(int32(p), k, y[p])
			if k > 0 || !c.Strict { // the width must be exceeded
				level = level.Add(num.Int128Of(int64(unit - 1)))
			}
			m, _ := level.Magnitude()
			to[i] = m.Quotient(unit)
		}
	}
	return c, nil
}

package protect

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// PublishesMargins reports whether the margins of a table must be published; crossTab says that it was laid out as a
// cross-tabulation.
func (p *Policy) PublishesMargins(crossTab bool) bool {
	return p.Margins.Kind == "publish" || p.Margins.Kind == "" && crossTab
}

// Mark gives t its statuses, costs, levels and bounds, in the order given in the package comment, but does not publish
// margins. opt may be nil. Cost linear in the size of t, except for costs by distance.
func (p *Policy) Mark(t *table.Table, opt *Options) error {
	if err := p.Check(); err != nil {
		return err
	}
	_, err := p.mark(t, opt.own())
	return err
}

// mark is Mark for a policy that has been checked. marked are the sensitive cells that stay marked when intervals are
// published.
func (p *Policy) mark(t *table.Table, o *Options) (marked []int, err error) {
	if err := p.markPrimary(t, o); err != nil {
		return nil, err
	}
	if p.Below > 0 {
		_, skipped, err := t.MinimumFrequency(p.Below, p.ZerosSensitive)
		if err != nil {
			return nil, err
		}
		if len(skipped) > 0 {
			o.say(t, "below %d but published, as margins and cells of status z are: %s", p.Below, cells(t, skipped))
		}
	}
	// Costs come first: levels may give the table more decimals, and costs in the decimals of the values keep bounds
	// integral.
	if k := p.Cost; k.Kind != "" && k.Kind != "column" && k.Kind != "distance" {
		if err := t.SetCost(table.CostKind{Kind: k.Kind, Power: k.Power}); err != nil {
			return nil, err
		}
	}
	if err := p.change(t, o); err != nil {
		return nil, err
	}
	if err := p.decide(t); err != nil {
		return nil, err
	}
	if p.Cost.Kind == "distance" { // now that all sensitive cells are known
		if err := setDistance(t, p.Cost.Distance); err != nil {
			return nil, err
		}
	}
	if p.Margins.Kind == "weight" {
		if err := t.WeighMargins(p.Margins.Weight); err != nil {
			return nil, err
		}
	}
	if err := p.prefer(t, o); err != nil {
		return nil, err
	}
	if err := t.SetLevels(p.levels()); err != nil {
		return nil, err
	}
	t.Strict = t.Strict || p.Strict
	if err := t.SetBounds(p.Lower, p.Upper); err != nil {
		return nil, err
	}
	if p.LevelsAsGiven {
		return nil, nil
	}
	return guardExact(t, p, o), nil
}

// markPrimary marks the cells that a primary rule hits.
func (p *Policy) markPrimary(t *table.Table, o *Options) error {
	r := p.Primary()
	if r.Empty() && r.Manual == nil {
		return nil
	}
	if r.Weighted || r.MissingSafe || r.Holdings() {
		return i18n.Errorf("WGT, MIS and rules by holding need microdata; apply them with hitoku tabulate")
	}
	m, err := t.ApplyRules(r)
	if err != nil {
		return err
	}
	if len(m.Skipped) > 0 {
		o.say(t, "sensitive by the rules but published, as margins and cells of status z are: %s", cells(t, m.Skipped))
	}
	return nil
}

// change changes single cells as the file Apriori says. Cells that it makes sensitive without levels get the manual
// range of the rules, if there is one.
func (p *Policy) change(t *table.Table, o *Options) error {
	switch {
	case p.Apriori == "":
		return nil
	case len(t.Dims) == 0:
		return wrong("apriori", "{apriori} %s: names cells by codes, which this table does not have", p.Apriori)
	case o.Apriori == nil:
		return wrong("apriori", "{apriori} %s: nothing reads it", p.Apriori)
	}
	h, err := o.Apriori(p.Apriori, p.AprioriSeparator, len(t.Dims))
	if err != nil {
		return err
	}
	a := argus.AprioriOptions{Ignore: p.AprioriIgnore, Expand: p.AprioriExpand}
	if m := p.Primary().Manual; m != nil {
		a.Manual = &table.Level{Decimal: *m, Percent: true}
	}
	changed, skipped, err := h.Apply(t, a)
	if err != nil {
		return err
	}
	o.say(t, "%d cells changed by %s", changed, p.Apriori)
	for n, e := range skipped {
		if n == 10 {
			o.say(t, "%d lines of %s more are skipped", len(skipped)-n, p.Apriori)
			break
		}
		o.say(t, "skipped: %v", e)
	}
	return nil
}

// guardExact protects sensitive cells without any level against exact disclosure: it asks for widths > 0 (Strict). If
// other cells have widths, which Strict would raise as well, it asks for a width of one unit instead, and returns the
// cells so guarded: they stay marked when intervals are published, as so narrow an interval would give the value away.
func guardExact(t *table.Table, p *Policy, o *Options) (marked []int) {
	bare, leveled, wide := []int{}, false, false
	for i, st := range t.Status {
		switch {
		case st != table.Sensitive:
		case t.LPL[i] == 0 && t.UPL[i] == 0 && t.Width[i] == 0:
			bare = append(bare, i)
		default:
			leveled, wide = true, wide || t.Width[i] > 0
		}
	}
	switch {
	case len(bare) == 0 || t.Strict:
		return nil
	case wide:
		for _, i := range bare {
			t.Width[i] = 1
		}
		if p.Partial && p.Defence == "" {
			o.say(t, "%d sensitive cells have no protection level while others have widths: %s; they keep their marks, guarded by a width of %s; a level in columns lpl, upl or spl, or a {width} for all, gives them intervals",
				len(bare), cells(t, bare), table.FormatDecimal(1, t.Decimals))
			return bare
		}
		o.say(t, "%d sensitive cells have no protection level while others have widths: %s; they are guarded by a width of %s; a level in columns lpl, upl or spl, or a {width} for all, guards them better",
			len(bare), cells(t, bare), table.FormatDecimal(1, t.Decimals))
		return nil
	}
	t.Strict = true
	if leveled {
		o.say(t, "%d sensitive cells have no protection level while others have one: %s; they are guarded against exact disclosure only (width > 0); a level in columns lpl, upl or spl, or a {width} for all, guards them better",
			len(bare), cells(t, bare))
		return nil
	}
	o.say(t, "%d sensitive cells have no protection level; they are guarded against exact disclosure only (width > 0)", len(bare))
	return nil
}

// WeightedMargins reports the effect of weighting margins. Cost and bound of the solution are in weighted costs, which
// the search minimises.
type WeightedMargins struct {
	Factor   table.Decimal
	Cost     *big.Rat // cost of the pattern without the factor, in units of 10^−CostDecimals
	Withheld int      // number of secondary cells that are margins
}

// weighed reports on the margins among the secondary cells of pattern.
func weighed(f table.Decimal, t *table.Table, pattern []bool) *WeightedMargins {
	w := &WeightedMargins{Factor: f, Cost: t.UnweighedCost(f, pattern)}
	leaves := t.Leaves()
	for i, in := range pattern[:t.Len()/max(1, t.Layers)] {
		if in && t.Status[i] == table.Safe && t.IsMargin(i, leaves) {
			w.Withheld++
		}
	}
	return w
}

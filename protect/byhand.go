package protect

import (
	"fmt"

	"github.com/hitoku/hitoku/table"
)

// Cost factors of Policy.Prefer.
var (
	preferPublished = table.Decimal{Unscaled: 2}
	preferWithheld  = table.Decimal{Unscaled: 5, Scale: 1}
)

// decide sets the statuses that Publish and Withhold ask for; rules have already marked the sensitive cells.
func (p *Policy) decide(t *table.Table) error {
	open, err := t.FindCells(p.Publish)
	if err != nil {
		return wrong("publish", "{publish} %w", err)
	}
	shut, err := t.FindCells(p.Withhold)
	if err != nil {
		return wrong("withhold", "{withhold} %w", err)
	}
	published := make(map[int]bool, len(open))
	for _, i := range open {
		switch {
		case t.Status[i] == table.Sensitive:
			return wrong("publish", "{publish} %s: it is sensitive (%s), so it cannot be published; leave it out, or change what makes it sensitive", t.CellName(i), t.ReasonOf(i))
		case !t.Known(i):
			return wrong("publish", "{publish} %s: its value is not in the table", t.CellName(i))
		}
		published[i] = true
		t.Status[i] = table.Published
	}
	for _, i := range shut {
		switch {
		case published[i]:
			return wrong("withhold", "{withhold} %s: {publish} names it, too; want one of them", t.CellName(i))
		case t.Status[i] != table.Sensitive: // a sensitive cell is withheld and protected anyway
			t.Status[i] = table.Withheld
		}
	}
	return nil
}

// prefer changes the cost of cells that were published or withheld in the table of the file Prefer.
func (p *Policy) prefer(t *table.Table, o *Options) error {
	switch {
	case p.Prefer == "":
		return nil
	case len(t.Dims) == 0:
		return wrong("prefer", "{prefer} %s: cells are found by their codes, which this table does not have", p.Prefer)
	case o.Weights == nil:
		return wrong("prefer", "{prefer} %s: nothing reads it", p.Prefer)
	}
	old, err := o.Weights(p.Prefer)
	if err != nil {
		return err
	}
	name := func(t *table.Table, i int) string { return fmt.Sprintf("%q", t.CellCodes(i)) }
	at := make(map[string]int, old.Len())
	for j := range old.Len() {
		at[name(old, j)] = j
	}
	one := table.Decimal{Unscaled: 1}
	factor, dear, cheap, same := make([]table.Decimal, t.Len()), 0, 0, false
	leaves := t.Leaves()
	for i := range factor {
		j, known := at[name(t, i)]
		same = same || known && !t.IsMargin(i, leaves) // most tables have a total, so a total alone does not count
		switch {
		case !known:
			factor[i] = one
		case old.Known(j) && old.Status[j] != table.Sensitive && old.Status[j] != table.Withheld:
			factor[i] = preferPublished
			dear++
		default:
			factor[i] = preferWithheld
			cheap++
		}
	}
	if !same {
		return wrong("prefer", "{prefer} %s: it has none of the inner cells of table %s, by their codes in the order of dimensions", p.Prefer, t.Name)
	}
	o.say(t, "{prefer} %s: %d cells published there cost %s times as much, %d withheld there %s times; %d are new", p.Prefer, dear, preferPublished, cheap, preferWithheld, t.Len()-dear-cheap)
	return t.WeighCells(func(i int) table.Decimal { return factor[i] })
}

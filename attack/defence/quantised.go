package defence

import (
	"cmp"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// The classes of counts:
//
//	class 0   [0, B)                 withheld and protected
//	class q   [B + (q−1)C, B + qC)   q = 1, 2, …
//
// A count below N ≤ B is in class 0, so the classes reveal which cells the minimum frequency rule may hit, and no more
// about them.

// completeClasses checks the parameters of the classes and sets the defaults of B and C.
func (o *Options) completeClasses(t *table.Table) error {
	switch {
	case !t.Counts:
		return i18n.Errorf("defence quantised is for counts")
	case t.Freq != nil:
		for i, f := range t.Freq {
			if f*table.Pow10(t.Decimals) != t.Value[i] {
				return i18n.Errorf("defence quantised is for counts: cell %s has %d contributors and the value %s", t.CellName(i), f, table.FormatDecimal(t.Value[i], t.Decimals))
			}
		}
	}
	if o.Below < 1 {
		return i18n.Errorf("defence quantised needs the threshold N ≥ 1 of the minimum-frequency rule")
	}
	unit := table.Pow10(t.Decimals)
	width := (o.Width + unit - 1) / unit // in counts, rounded up
	if o.Width < 0 || o.Width == 0 && !t.Strict {
		return i18n.Errorf("defence quantised needs the width that every cell below %d is to have", o.Below)
	}
	o.Base = cmp.Or(o.Base, max(o.Below, width+2))
	o.Step = cmp.Or(o.Step, 2*o.Base)
	switch {
	case o.Base < o.Below:
		return i18n.Errorf("the base of classes is %d, want at least the threshold %d of the rule", o.Base, o.Below)
	case o.Base <= width:
		return i18n.Errorf("the base of classes is %d, want more than the width %s", o.Base, table.FormatDecimal(o.Width, t.Decimals))
	case o.Step < 1:
		return i18n.Errorf("the step of classes is %d, want 1 or more", o.Step)
	case o.Base > maxNum/unit || o.Step > maxNum/unit:
		return i18n.Errorf("classes of %d and %d are too large", o.Base, o.Step)
	}
	for i, st := range t.Status {
		if t.Value[i] < 0 || t.Value[i]%unit != 0 {
			return i18n.Errorf("defence quantised is for counts: cell %s has the value %s", t.CellName(i), table.FormatDecimal(t.Value[i], t.Decimals))
		}
		if st == table.Sensitive && t.Value[i] >= o.Base*unit {
			return i18n.Errorf("cell %s is sensitive with the value %s, but only cells below %d are protected", t.CellName(i), table.FormatDecimal(t.Value[i], t.Decimals), o.Base)
		}
		if st == table.Sensitive && t.Width[i] > o.Width {
			return i18n.Errorf("cell %s needs the width %s, but %s is what cells below %d get", t.CellName(i), table.FormatDecimal(t.Width[i], t.Decimals), table.FormatDecimal(o.Width, t.Decimals), o.Base)
		}
	}
	return nil
}

// classes returns the public part of t if the classes are public. Of the statuses only Published and Withheld are used.
func (o *Options) classes(t *table.Table) (*public, error) {
	n, unit := t.Len(), table.Pow10(t.Decimals)
	p := &public{Rel: t.Rel, Strict: t.Strict, Weight: o.Weights, LP: o.LP,
		Lower: make([]int64, n), Upper: make([]int64, n),
		Open: make([]bool, n), Given: make([]int64, n), Keep: make([]bool, n), Width: make([]int64, n)}
	for i, st := range t.Status {
		p.Width[i] = -1
		p.Lower[i], p.Upper[i] = t.Lower[i], t.Upper[i]
		if st == table.Published {
			p.Given[i] = t.Value[i]
			continue
		}
		p.Open[i] = true
		lo, hi := o.class(t.Value[i] / unit)
		if lo == 0 {
			p.Keep[i], p.Width[i] = true, o.Width
		}
		p.Keep[i] = p.Keep[i] || st == table.Withheld
		p.Lower[i], p.Upper[i] = max(p.Lower[i], lo*unit), min(p.Upper[i], hi*unit)
	}
	return p, nil
}

// class returns the least and the greatest count in the class of v.
func (o *Options) class(v int64) (lo, hi int64) {
	if v < o.Base {
		return 0, o.Base - 1
	}
	lo = v - (v-o.Base)%o.Step
	return lo, lo + o.Step - 1
}

package rounding

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Reach is how far, at most, values that are multiples of unit (0: 1) lie from their rounding to base b where cells may lie up to steps multiples beyond the two
// nearest: (steps + 1)·b − unit.
func Reach(base int64, steps int, unit int64) int64 {
	return (int64(steps)+1)*base - max(unit, 1)
}

// Nearby is what a reader knows of values that were rounded to either of the two multiples of base next to them, or up to steps beyond.
func Nearby(base int64, steps int) func(y []int64) Range {
	return func(y []int64) Range { return Within(y, Reach(base, steps, 0)) }
}

// A Range is where true values can lie before relations are looked at: Lo_i ≤ a_i ≤ Up_i.
type Range struct{ Lo, Up []int64 }

// Within is the range of values at most reach away from y.
func Within(y []int64, reach int64) Range {
	r := Range{make([]int64, len(y)), make([]int64, len(y))}
	for i, v := range y {
		r.Lo[i], r.Up[i] = v-reach, v+reach
	}
	return r
}

// opened returns what a reader is left with who knows a range of the values of t: a table of the same cells and relations, all of
// them withheld, with the range for bounds where that is narrower. Values stay those of t; none is there where known is false.
// Cost: a copy.
func opened(t *table.Table, r Range, known bool) (*table.Table, error) {
	w := t.Clone()
	w.Rounding, w.Missing = nil, nil
	if !known {
		w.Missing = slices.Repeat([]bool{true}, t.Len())
	}
	for i := range r.Lo {
		w.Lower[i], w.Upper[i] = max(w.Lower[i], r.Lo[i]), min(w.Upper[i], r.Up[i])
		if w.Lower[i] > w.Upper[i] {
			return nil, i18n.Errorf("table %s: cell %s: no value from %s to %s keeps its bounds", t.Name, t.CellName(i), table.FormatDecimal(r.Lo[i], t.Decimals), table.FormatDecimal(r.Up[i], t.Decimals))
		}
		if w.Status[i] != table.Sensitive {
			w.Status[i] = table.Withheld
		}
	}
	return w, nil
}

// Published is Opened of a table whose values are published, rounded to base, of which a reader knows what known says of multiples of base: no value is known any
// more. Values that are no multiple of base are an error, cells without one stay as they are.
func Published(t *table.Table, base int64, known func(y []int64) Range) (*table.Table, error) {
	if base < 2 {
		return nil, i18n.Errorf("base %s: %w", table.FormatDecimal(base, t.Decimals), errBase)
	}
	r := known(t.Value)
	for i, v := range t.Value {
		switch {
		case !t.Known(i):
			r.Lo[i], r.Up[i] = table.NegInf, table.PosInf
		case v%base != 0:
			return nil, i18n.Errorf("table %s: cell %s: %s is no multiple of %s", t.Name, t.CellName(i), table.FormatDecimal(v, t.Decimals), table.FormatDecimal(base, t.Decimals))
		}
	}
	return opened(t, r, false)
}

// Learned computes, exactly, between which ends a reader who knows a range of the values of t, and its relations and bounds, can
// place every cell, or those in cells if that is not nil, and whether sensitive cells keep their levels. Values of t are the true ones, if it has
// them all. See interval.Audit for cost and errors.
func Learned(ctx context.Context, t *table.Table, r Range, cells []int, opt *interval.Options) (*interval.Report, error) {
	o := interval.Options{}
	if opt != nil {
		o = *opt
	}
	o.Told, o.Cells = true, cells
	w, err := opened(t, r, t.Missing == nil)
	if err != nil {
		return nil, err
	}
	rep, err := interval.Learned(ctx, table.Publish(w, slices.Repeat([]bool{true}, t.Len()), table.Intruder{Beside: true, Unit: true}), &o)
	if rep != nil && err == nil {
		rep.Judge(w, true)
	}
	return rep, err
}

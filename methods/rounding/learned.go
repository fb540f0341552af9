package rounding

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Reach returns how far values that are multiples of unit (0: 1) may lie from their rounding to base b, if cells may
// lie up to steps multiples beyond the two nearest: (steps + 1)·b − unit.
func Reach(base int64, steps int, unit int64) int64 {
	return (int64(steps)+1)*base - max(unit, 1)
}

// Nearby returns what a reader knows about values rounded to one of the two neighbouring multiples of base, or up to
// steps beyond.
func Nearby(base int64, steps int) func(y []int64) Range {
	return func(y []int64) Range { return Within(y, Reach(base, steps, 0)) }
}

// A Range bounds the true values, before relations are taken into account: Lo_i ≤ a_i ≤ Up_i.
type Range struct{ Lo, Up []int64 }

// Within returns the range of values at most reach away from y.
func Within(y []int64, reach int64) Range {
	r := Range{make([]int64, len(y)), make([]int64, len(y))}
	for i, v := range y {
		r.Lo[i], r.Up[i] = v-reach, v+reach
	}
	return r
}

// opened returns what is left to a reader who knows a range of the values of t: a table of the same cells and relations
// in which all cells are withheld, bounded by the range where that is narrower. Values stay those of t, or are missing
// if known is false. Cost: a copy.
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

// Published returns the table of a reader of t, whose values are published rounded to base: no value is known, and
// known returns the range that the multiples of base tell. Values that are not multiples of base are an error; cells
// without a value stay as they are.
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

// Learned computes exactly the interval in which a reader who knows a range of the values of t, with its relations and
// bounds, can place every cell (or those in cells, if not nil), and whether sensitive cells keep their levels. If t has
// all its values, they are the true ones. For cost and errors see interval.Audit.
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

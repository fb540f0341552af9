package argus

import (
	"cmp"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/table"
)

// number reads a field; for an empty field, - and . the number is not Set.
func (p *tableReader) number(column int, fields []string) (table.Number, error) {
	s := Code(fields[column])
	if s == "" || s == "-" || s == "." { // the last is SAS's missing value
		return table.Number{}, nil
	}
	// Tables of τ-ARGUS use either decimal mark, and no separator of thousands.
	how := table.Notation{}
	if strings.Contains(s, ",") {
		switch {
		case !how.Either(s):
			p.certain = true
		case p.either == nil:
			p.either = p.fault(column, s, "thousands, or decimals behind a comma? No number of the file tells; say <DECIMALS> 3 in the metadata, or leave out what stands between thousands")
		}
		how.Decimal = ','
	}
	d, err := how.Parse(s, p.line, "")
	if err != nil {
		return table.Number{}, p.fault(column, s, "%v", err)
	}
	if strings.Contains(s, ",") {
		if p.point > 0 {
			return table.Number{}, p.fault(column, s, "a decimal comma, but line %d has a decimal point; want one of them throughout", p.point)
		}
		p.comma = cmp.Or(p.comma, p.line)
	} else if strings.Contains(s, ".") {
		if p.comma > 0 {
			return table.Number{}, p.fault(column, s, "a decimal point, but line %d has a decimal comma; want one of them throughout", p.comma)
		}
		p.point = cmp.Or(p.point, p.line)
	}
	return table.Number{Decimal: d, Set: true}, nil
}

// atLeast reads a number that must be ≥ 0 and, if whole is set, an integer.
func (p *tableReader) atLeast(column int, fields []string, what string, whole bool) (table.Number, error) {
	v, err := p.number(column, fields)
	switch {
	case err != nil:
	case v.Unscaled < 0:
		err = p.fault(column, fields[column], "%s must be ≥ 0", what)
	case whole && v.Scale > 0:
		err = p.fault(column, fields[column], "%s must be whole numbers", what)
	}
	return v, err
}

// numbers reads all fields other than codes.
func (p *tableReader) numbers(rec *table.Record, fields []string) (err error) {
	if p.counts {
		rec.Value, err = p.atLeast(p.response, fields, "frequencies", true)
	} else {
		rec.Value, err = p.number(p.response, fields)
	}
	if err != nil {
		return err
	}
	empty := !rec.Value.Set
	if empty {
		rec.Value = table.Num(0, 0)
	}
	for _, f := range []struct {
		column int
		to     *table.Number
		what   string
		whole  bool
	}{
		{p.freq, &rec.Freq, "frequencies", true}, {p.cost, &rec.Cost, "costs", false},
		{p.lower, &rec.LPL, "protection levels", false}, {p.upper, &rec.UPL, "protection levels", false},
	} {
		if f.column < 0 {
			continue
		}
		if *f.to, err = p.atLeast(f.column, fields, f.what, f.whole); err != nil {
			return err
		}
	}
	if empty && rec.Freq.Set && rec.Freq.Unscaled > 0 {
		return p.fault(p.response, fields[p.response], "an empty cell with %s contributors", rec.Freq)
	}
	if rec.Freq.Set && rec.Freq.Unscaled == 0 {
		if rec.Value.Unscaled != 0 {
			return p.fault(p.response, fields[p.response], "a value other than 0 without contributors")
		}
		empty = true
	}
	if err := p.statusOf(rec, fields, empty); err != nil {
		return err
	}
	p.empty = empty || p.status >= 0 && strings.EqualFold(Code(fields[p.status]), "E")
	if rec.Status != table.Sensitive { // τ-ARGUS writes levels for all cells, but they count for sensitive ones only
		rec.LPL, rec.UPL = table.Number{}, table.Number{}
	}
	formats.Bound(rec, p.o.Lower, p.o.Upper)
	shadow := rec.Value
	if p.shadow >= 0 {
		if shadow, err = p.number(p.shadow, fields); err != nil {
			return err
		}
		p.shadows = append(p.shadows, shadow)
	}
	return p.contributions(rec, fields, shadow)
}

// statusOf reads the status. empty says that the cell has no contributors.
func (p *tableReader) statusOf(rec *table.Record, fields []string, empty bool) error {
	if empty {
		rec.Status = table.Published
	}
	if p.status < 0 {
		return nil
	}
	m := p.t.Meta
	s := Code(fields[p.status])
	symbol := func(to string) bool { return strings.EqualFold(s, to) }
	switch {
	case symbol(m.Safe), s == "" && empty:
	case symbol(m.Unsafe):
		if empty {
			return p.fault(p.status, s, "an empty cell cannot be unsafe")
		}
		rec.Status = table.Sensitive
	case symbol(m.Protect):
		rec.Status = table.Published
	case symbol("M"):
		if empty {
			return p.fault(p.status, s, "an empty cell cannot be suppressed")
		}
		rec.Status = table.Withheld
	case symbol("E"):
		if rec.Value.Unscaled != 0 {
			return p.fault(p.status, s, "an empty cell with the value %s", rec.Value)
		}
		rec.Status = table.Published
	default:
		return p.fault(p.status, s, "want %s (safe), %s (unsafe), %s (protected), M (secondary) or E (empty)", m.Safe, m.Unsafe, m.Protect)
	}
	return nil
}

// contributions reads the largest contributions. They must not increase, nor add up to more than the total that
// they are part of, if that is ≥ 0.
func (p *tableReader) contributions(rec *table.Record, fields []string, total table.Number) error {
	if len(p.scores) == 0 {
		return nil
	}
	rec.Max = make([]table.Number, len(p.scores))
	for r, c := range p.scores {
		v, err := p.number(c, fields)
		if err != nil {
			return err
		}
		switch {
		case !v.Set || r == 0:
		case !rec.Max[r-1].Set:
			return p.fault(c, fields[c], "a contribution behind a missing larger one")
		case less(abs(rec.Max[r-1].Decimal), abs(v.Decimal)):
			return p.fault(c, fields[c], "larger than the contribution %s before it", rec.Max[r-1])
		}
		rec.Max[r] = v
	}
	if !total.Set || total.Unscaled < 0 || !rec.Max[0].Set {
		return nil
	}
	sum := table.Decimal{}
	for _, v := range rec.Max {
		if v.Unscaled < 0 {
			return nil
		}
		var ok bool
		if sum, ok = add(sum, v.Decimal); !ok {
			return p.fault(p.scores[0], fields[p.scores[0]], "the contributions add up to a number with more than 18 digits")
		}
	}
	if less(total.Decimal, sum) {
		return p.fault(p.scores[0], fields[p.scores[0]], "the largest contributions add up to %s, more than the total %s", sum, total)
	}
	return nil
}

func abs(d table.Decimal) table.Decimal {
	d.Unscaled = max(d.Unscaled, -d.Unscaled)
	return d
}

// less reports whether a < b. It compares the unscaled numbers if the two are too large for a common scale.
func less(a, b table.Decimal) bool {
	scale := max(a.Scale, b.Scale)
	x, okA := a.At(scale)
	y, okB := b.At(scale)
	switch {
	case okA && okB:
		return x < y
	case okA:
		return b.Unscaled > 0
	}
	return !okB && a.Unscaled < b.Unscaled || okB && a.Unscaled < 0
}

func add(a, b table.Decimal) (table.Decimal, bool) {
	scale := max(a.Scale, b.Scale)
	x, okA := a.At(scale)
	y, okB := b.At(scale)
	if !okA || !okB {
		return table.Decimal{}, false
	}
	return table.Decimal{Unscaled: x + y, Scale: scale}, x+y <= 1e18 && x+y >= -1e18
}

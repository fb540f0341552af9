package protect

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/option"
)

// Check reports as a *FieldError a value that a field may not have, and fields that conflict with each other or with
// the kinds of run named in beside: "certificate", "linked", "response".
func (p *Policy) Check(beside ...string) error {
	fields, again := p.Fields(), new(Policy).Fields()
	texts := map[string][]string{}
	for k := range fields {
		f := &fields[k]
		texts[f.Name] = f.Texts()
		if _, ok := f.To.(option.Value); !ok {
			continue
		}
		if err := again[k].Put(texts[f.Name]...); err != nil { // the field as it would be read from a file
			return wrong(f.Name, "%s %s: %w", named(f.Name), strings.Join(texts[f.Name], " "), err)
		}
	}
	holds := func(condition string) bool {
		name, value, one := strings.Cut(condition, "=")
		given := texts[name]
		return slices.Contains(beside, name) || len(given) > 0 && (!one || given[0] == value)
	}
	check := func(o *option.Option) error {
		if fault := o.Check(texts[o.Name], holds); !fault.IsZero() {
			return &FieldError{Field: o.Name, Text: fault}
		}
		return nil
	}
	for _, name := range beside {
		if err := check(&option.Option{Name: name, Clashes: Clashes(name)}); err != nil {
			return err
		}
	}
	for k := range fields {
		if holds(fields[k].Name) {
			if err := check(&fields[k]); err != nil {
				return err
			}
		}
	}
	return p.checkValues()
}

// checkValues checks what depends on the values of several fields.
func (p *Policy) checkValues() error {
	for _, twice := range []struct {
		field, rule string
		is          bool
	}{{"zero", "ZERO", p.Zero != nil && p.Rules != nil && p.Rules.Zero != nil}, {"manual", "MAN", p.Manual != nil && p.Rules != nil && p.Rules.Manual != nil}} {
		if twice.is {
			return wrong(twice.field, "%s and %s of {rules}: want one of them", named(twice.field), twice.rule)
		}
	}
	switch {
	case p.Absolute && p.Primary().Empty():
		return wrong("absolute", "{absolute} needs a rule that looks at contributions, as {p-percent}")
	case p.Unions > 0 && p.concentration().Empty():
		return wrong("unions", "{unions} needs a rule that says which sums are sensitive, as {p-percent} or {below}")
	case p.Defence != "" && p.Width != nil && p.Width.Percent:
		return wrong("width", "{width} %s%%: {defence} needs a number, for a percentage depends on the value", p.Width.Decimal)
	case p.Quantised() && (p.Below == 0 || p.Width == nil):
		return wrong("defence", "{defence} quantised needs {below} and {width}")
	}
	return nil
}

// Quantised reports whether only classes of the values are public.
func (p *Policy) Quantised() bool {
	return p.Defence == defence.Quantised || p.DefenceOver == defence.Quantised
}

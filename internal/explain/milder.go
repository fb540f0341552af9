package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// milder plans to relax each parameter of a rule by a step: numbers of contributors by 1, levels and the p of p
// % and p/q rules to three quarters, the k of n,k rules by a quarter of the way to 100.
func (e *Explanation) milder(r *runner) []plan {
	var plans []plan
	add := func(field, from, to string, set func(p *protect.Policy)) {
		if to == "" || to == from {
			return
		}
		c := plan{Change: Change{Kind: Rule, Field: field, From: from, To: to}, policy: r.p}
		set(&c.policy)
		plans = append(plans, c)
	}
	if n := r.p.Below; n > 1 {
		add("below", strconv.FormatInt(n, 10), strconv.FormatInt(n-1, 10), func(p *protect.Policy) {
			if p.Below = n - 1; p.Below == 1 && !p.ZerosSensitive {
				p.Below = 0 // a threshold of 1 makes no cell sensitive
			}
		})
	}
	for _, f := range []struct {
		field string
		part  int
		step  func(table.Decimal) (table.Decimal, bool)
	}{
		{"min-freq", 0, less}, {"min-respondents", 0, less}, {"width", 0, threeQuarters}, {"lpl", 0, threeQuarters}, {"upl", 0, threeQuarters},
		{"zero", 0, threeQuarters}, {"manual", 0, threeQuarters}, {"dominance", 1, towardsAll}, {"p-percent", 0, threeQuarters}, {"pq", 0, threeQuarters},
	} {
		texts := fieldOf(&r.p, f.field).Texts()
		for n, from := range texts {
			to := stepped(from, f.part, f.step)
			add(f.field, from, to, func(p *protect.Policy) {
				changed := slices.Clone(texts)
				changed[n] = to
				fieldOf(p, f.field).Put(changed...) // valid, as the old text was
			})
		}
	}
	return plans
}

// fieldOf returns the option that is the field called name.
func fieldOf(p *protect.Policy, name string) *option.Option {
	fields := p.Fields()
	return &fields[slices.IndexFunc(fields, func(f option.Option) bool { return f.Name == name })]
}

// stepped applies step to one number of a list with commas, before a % if there is one. It returns "" if there
// is no such step.
func stepped(text string, part int, step func(table.Decimal) (table.Decimal, bool)) string {
	parts := strings.Split(text, ",")
	if part >= len(parts) || text == "" {
		return ""
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(parts[part]), "%")
	d, err := table.ParseDecimal(number)
	if err != nil {
		return ""
	}
	d, ok := step(d)
	if !ok {
		return ""
	}
	if parts[part] = d.String(); percent {
		parts[part] += "%"
	}
	return strings.Join(parts, ",")
}

// less returns d − 1, if that is at least 1.
func less(d table.Decimal) (table.Decimal, bool) {
	unit := table.Pow10(d.Scale)
	d.Unscaled -= unit
	return d, d.Unscaled >= unit
}

// threeQuarters returns three quarters of d, rounded down to d's decimals unless that gives 0.
func threeQuarters(d table.Decimal) (table.Decimal, bool) {
	if d.Unscaled <= 0 || d.Unscaled > 1<<60 {
		return d, false
	}
	if v := d.Unscaled * 3 / 4; v > 0 {
		d.Unscaled = v
		return d, true
	}
	if d.Scale+2 > table.MaxDecimals {
		return d, false
	}
	return table.Decimal{Unscaled: d.Unscaled * 75, Scale: d.Scale + 2}, true
}

// towardsAll returns the number a quarter of the way from d to 100.
func towardsAll(d table.Decimal) (table.Decimal, bool) {
	all := 100 * table.Pow10(min(d.Scale, 16))
	if d.Scale > 16 || d.Unscaled >= all {
		return d, false
	}
	d.Unscaled += max(1, (all-d.Unscaled)/4)
	return d, d.Unscaled < all
}

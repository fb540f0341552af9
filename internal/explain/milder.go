package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// milder makes each parameter of a rule a step milder: numbers of contributors one less, levels and the p of p % and p/q three
// quarters, the k of n,k a quarter nearer to 100.
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
				p.Below = 0 // 1 ≤ contributors < 1: no cell
			}
		})
	}
	for _, f := range []struct {
		field string
		of    func(p *protect.Policy) *string
		step  func(table.Decimal) (table.Decimal, bool)
	}{
		{"min-freq", func(p *protect.Policy) *string { return &p.MinFreq }, less},
		{"min-respondents", func(p *protect.Policy) *string { return &p.MinRespondents }, less},
		{"width", func(p *protect.Policy) *string { return &p.Width }, threeQuarters},
		{"lpl", func(p *protect.Policy) *string { return &p.LPL }, threeQuarters},
		{"upl", func(p *protect.Policy) *string { return &p.UPL }, threeQuarters},
		{"zero", func(p *protect.Policy) *string { return &p.Zero }, threeQuarters},
		{"manual", func(p *protect.Policy) *string { return &p.Manual }, threeQuarters},
	} {
		from := *f.of(&r.p)
		to := stepped(from, 0, f.step)
		add(f.field, from, to, func(p *protect.Policy) { *f.of(p) = to })
	}
	for _, f := range []struct {
		field string
		of    func(p *protect.Policy) *[]string
		part  int
		step  func(table.Decimal) (table.Decimal, bool)
	}{
		{"dominance", func(p *protect.Policy) *[]string { return &p.Dominance }, 1, towardsAll},
		{"p-percent", func(p *protect.Policy) *[]string { return &p.PPercent }, 0, threeQuarters},
		{"pq", func(p *protect.Policy) *[]string { return &p.PQ }, 0, threeQuarters},
	} {
		for n, from := range *f.of(&r.p) {
			to := stepped(from, f.part, f.step)
			add(f.field, from, to, func(p *protect.Policy) {
				list := slices.Clone(*f.of(p))
				list[n] = to
				*f.of(p) = list
			})
		}
	}
	return plans
}

// stepped changes the number that is the given part of a list with commas, before a % if there is one; "" where there is no
// such step.
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

// less is 1 less, at least 1.
func less(d table.Decimal) (table.Decimal, bool) {
	unit := table.Pow10(d.Scale)
	d.Unscaled -= unit
	return d, d.Unscaled >= unit
}

// threeQuarters is that of d, rounded down to its decimals where that leaves something.
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

// towardsAll is a quarter of the way from d to 100.
func towardsAll(d table.Decimal) (table.Decimal, bool) {
	all := 100 * table.Pow10(min(d.Scale, 16))
	if d.Scale > 16 || d.Unscaled >= all {
		return d, false
	}
	d.Unscaled += max(1, (all-d.Unscaled)/4)
	return d, d.Unscaled < all
}

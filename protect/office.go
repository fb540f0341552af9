package protect

import (
	"slices"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/table"
)

// retraced are the fields of a policy that an attack repeats or that do not affect its patterns.
var retraced = []string{
	"below", "zeros-sensitive", "lpl", "upl", "width", "strict", "levels-as-given", "lower", "upper",
	"cost", "margins", "effort", "method", "canonical", "time-limit", "lp",
}

// Office returns the procedure of p as assumed by an intruder who knows p, for attack.Run on the publication t: which
// counts are sensitive, their levels, and the cost of withholding a cell. In a table of counts, Below applies to every
// table that t leaves possible; in a table of amounts, and for sensitive cells without a rule, the statuses of t tell
// which cells are sensitive. A policy without levels guards against exact disclosure, as Run does. Cost "" is the
// values; if the file has costs of its own, it is "given". Match is attack.Exact if p is Canonical, else attack.Any.
//
// Bounds and margins are those of t; Mark and Table.PublishMargins set them. The error is a *FieldError if p has a
// field that no attack repeats, such as Unions, Defence or Published, or a procedure that does not find a cheapest
// pattern.
func (p *Policy) Office(t *table.Table) (attack.Office, error) {
	if err := p.Check(); err != nil {
		return attack.Office{}, err
	}
	fields := p.Fields()
	for k := range fields {
		if field := fields[k].Name; fields[k].Texts() != nil && !slices.Contains(retraced, field) {
			return attack.Office{}, wrong(field, "%s: no attack repeats it; want a procedure of %s, levels, %s and %s alone", named(field), named("below"), named("cost"), named("margins"))
		}
	}
	switch {
	case p.Effort == "quick" || p.Method == "modular":
		return attack.Office{}, wrong("effort", "an attack needs a procedure that takes a cheapest pattern, not {effort} quick or {method} modular")
	case p.Margins.Kind == "weight":
		return attack.Office{}, wrong("margins", "{margins} %s: an attack knows withhold and publish", marginsField(&p.Margins))
	case p.Cost.Kind == "power":
		return attack.Office{}, wrong("cost", "{cost} %s: an attack knows count, value, freq and columns", costField(&p.Cost))
	case p.Cost.Kind == "distance":
		return attack.Office{}, wrong("cost", "{cost} distance is from the sensitive cells, which an attack looks for")
	}
	o := attack.Office{Levels: p.levels(), Cost: table.CostKind{Kind: "value"}}
	if t.Counts {
		o.Below, o.Zeros = p.Below, p.ZerosSensitive
	}
	switch p.Cost.Kind {
	case "":
	case "column":
		o.Cost.Kind = "given"
	default:
		o.Cost.Kind = p.Cost.Kind
	}
	if p.Canonical {
		o.Match = attack.Exact
	}
	asked := func(l *table.Level) bool { return l != nil && l.Unscaled > 0 }
	some := func(l []int64) bool { return slices.ContainsFunc(l, func(v int64) bool { return v > 0 }) }
	levels := asked(p.LPL) || asked(p.UPL) || asked(p.Width) || some(t.LPL) || some(t.UPL) || some(t.Width)
	o.Strict = p.Strict || t.Strict || !levels && !p.LevelsAsGiven
	return o, nil
}

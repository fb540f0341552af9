package protect

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack/defence"
)

// Methods are the words of the field Method.
func Methods() []string { return []string{"auto", "exact", "modular"} }

// Efforts are the words of the field Effort.
func Efforts() []string { return []string{"quick", "normal", "proof"} }

// Check reports texts that say nothing and fields that do not go together, as *FieldError. given
// says which fields somebody gave a value, which "certificate", "linked" and "response" are too; nil: those
// that are not zero.
func (p *Policy) Check(given func(field string) bool) error {
	if given == nil {
		given = p.given()
	}
	x, err := p.Parse()
	if err != nil {
		return err
	}
	for _, check := range []func(*Parsed, func(string) bool) error{p.checkSearch, p.checkRules, p.checkLedger, p.checkDefence, p.checkMethod, p.checkConflicts} {
		if err := check(x, given); err != nil {
			return err
		}
	}
	return nil
}

func (p *Policy) checkSearch(x *Parsed, given func(string) bool) error {
	switch {
	case x.TimeLimit < 0:
		return wrong("time-limit", "{time-limit} %s: want 0 or more", x.TimeLimit)
	case !(p.Gap >= 0 && p.Gap < 1):
		return wrong("gap", "{gap} %g: want a value in [0, 1)", p.Gap)
	case given("coalition") && p.Coalition < 1 || p.Coalition < 0:
		return wrong("coalition", "{coalition} %d: want 1 or more", p.Coalition)
	case given("unions") && (p.Unions < 2 || p.Unions > maxUnion):
		return wrong("unions", "{unions} %d: want a number of cells from 2 to %d", p.Unions, maxUnion)
	case p.UnionsPossible && p.Unions == 0:
		return wrong("unions-possible", "{unions-possible} needs {unions}")
	case p.Unions > 0 && x.concentration(p).Empty():
		return wrong("unions", "{unions} needs a rule that says which sums are sensitive, as {p-percent} or {below}")
	case given("coalition") && !p.Insiders:
		return wrong("coalition", "{coalition} needs {insiders}")
	}
	return p.checkPartial(given)
}

func (p *Policy) checkRules(x *Parsed, given func(string) bool) error {
	switch {
	case given("below") && p.Below < 1:
		return wrong("below", "{below} %d: want a number of contributors ≥ 1", p.Below)
	case p.Absolute && x.Rules.Empty():
		return wrong("absolute", "{absolute} needs a rule that looks at contributions, as {p-percent}")
	case given("cost") && p.Cost == "":
		return wrong("cost", "{cost} is empty, want count, value, freq, power:λ or a column")
	case p.ZerosSensitive && p.Below == 0:
		return wrong("zeros-sensitive", "{zeros-sensitive} needs {below}")
	case p.Apriori == "" && (p.AprioriSeparator != "" || p.AprioriIgnore || p.AprioriExpand):
		return wrong("apriori", "{apriori-separator}, {apriori-ignore} and {apriori-expand} need {apriori}")
	}
	return nil
}

// checkDefence reports fields that contradict each other where a defence is, or is not, asked for.
func (p *Policy) checkDefence(x *Parsed, given func(string) bool) error {
	kinds := defence.Kinds()
	for _, d := range []struct {
		field, kind string
		of          []defence.Kind
	}{{"defence", p.Defence, kinds}, {"defence-over", p.DefenceOver, kinds[:2]}} {
		if d.kind != "" && !slices.Contains(d.of, defence.Kind(d.kind)) {
			return wrong(d.field, "%s %q: want one of %q", named(d.field), d.kind, d.of)
		}
	}
	for _, f := range []struct {
		field string
		of    []defence.Kind
	}{
		{"public-weights", kinds},
		{"defence-over", []defence.Kind{defence.Random}},
		{"defence-base", []defence.Kind{defence.Quantised}},
		{"defence-step", []defence.Kind{defence.Quantised}},
		{"defence-orders", []defence.Kind{defence.Random}},
		{"defence-epsilon", []defence.Kind{defence.Random}},
		{"defence-seed", []defence.Kind{defence.Random}},
	} {
		if !given(f.field) || slices.Contains(f.of, defence.Kind(p.Defence)) || slices.Contains(f.of, defence.Kind(p.DefenceOver)) {
			continue
		}
		if len(f.of) > 1 {
			return wrong(f.field, "%s needs {defence}", named(f.field))
		}
		return wrong(f.field, "%s needs {defence} %s", named(f.field), f.of[0])
	}
	if p.Defence == "" {
		return nil
	}
	switch {
	case x.Width != nil && x.Width.Percent:
		return wrong("width", "{width} %s%%: {defence} needs a number, for a percentage depends on the value", x.Width.Decimal)
	case p.Quantised() && (p.Below == 0 || x.Width == nil):
		return wrong("defence", "{defence} quantised needs {below} and {width}")
	case given("defence-base") && p.DefenceBase < 1:
		return wrong("defence-base", "{defence-base} %d: want 1 or more", p.DefenceBase)
	case given("defence-step") && p.DefenceStep < 1:
		return wrong("defence-step", "{defence-step} %d: want 1 or more", p.DefenceStep)
	case given("defence-orders") && p.DefenceOrders < 1:
		return wrong("defence-orders", "{defence-orders} %d: want 1 or more", p.DefenceOrders)
	case given("defence-epsilon") && !(p.DefenceEpsilon > 0):
		return wrong("defence-epsilon", "{defence-epsilon} %g: want more than 0", p.DefenceEpsilon)
	}
	return nil
}

// Quantised reports whether classes of values are what is public.
func (p *Policy) Quantised() bool {
	return p.Defence == string(defence.Quantised) || p.DefenceOver == string(defence.Quantised)
}

func (p *Policy) checkMethod(*Parsed, func(string) bool) error {
	if p.Effort != "" && !slices.Contains(Efforts(), p.Effort) {
		return wrong("effort", "{effort} %q: want %s", p.Effort, strings.Join(Efforts(), ", "))
	}
	if p.Method != "" && !slices.Contains(Methods(), p.Method) {
		return wrong("method", "{method} %q: want %s", p.Method, strings.Join(Methods(), ", "))
	}
	return nil
}

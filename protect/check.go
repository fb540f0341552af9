package protect

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/defence"
)

// Methods are the words of the field Method.
func Methods() []string { return []string{"auto", "exact", "modular"} }

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
	for _, check := range []func(*Parsed, func(string) bool) error{p.checkSearch, p.checkRules, p.checkDefence, p.checkTables, p.checkSingletons, p.checkMethod, p.checkResponses} {
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
	case given("coalition") && !p.Insiders:
		return wrong("coalition", "{coalition} needs {insiders}")
	case p.Insiders && given("certificate"):
		return wrong("insiders", "{insiders} and {certificate}: a certificate knows nothing of insiders")
	case p.Insiders && p.Defence != "":
		return wrong("insiders", "{insiders} and {defence} do not go together")
	}
	return nil
}

func (p *Policy) checkRules(_ *Parsed, given func(string) bool) error {
	switch {
	case given("below") && p.Below < 1:
		return wrong("below", "{below} %d: want a number of contributors ≥ 1", p.Below)
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
			return wrong(d.field, "{%s} %q: want one of %q", d.field, d.kind, d.of)
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
			return wrong(f.field, "{%s} needs {defence}", f.field)
		}
		return wrong(f.field, "{%s} needs {defence} %s", f.field, f.of[0])
	}
	if p.Defence == "" {
		return nil
	}
	for _, field := range []string{"publish", "withhold", "prefer"} {
		if given(field) {
			return wrong(field, "{%s} and {defence} do not go together: a decision by hand may depend on the values", field)
		}
	}
	for _, field := range []string{"certificate", "gap", "canonical", "time-limit"} {
		if given(field) {
			return wrong(field, "{%s} is of no use with {defence}, which neither searches nor proves costs", field)
		}
	}
	switch {
	case x.LPL != nil || x.UPL != nil:
		return wrong("defence", "{defence} can promise the width of an interval, but not {lpl} and {upl}, distances from a value that no decision may depend on")
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

// checkTables reports what several tables that are protected as one do not go with.
func (p *Policy) checkTables(_ *Parsed, given func(string) bool) error {
	switch {
	case !given("linked"):
	case given("certificate"):
		return wrong("certificate", "{linked} and {certificate}: a certificate is about one table")
	case p.Defence != "":
		return wrong("defence", "{linked} and {defence} do not go together")
	}
	return nil
}

func (p *Policy) checkSingletons(x *Parsed, given func(string) bool) error {
	switch {
	case x.singletons == nil:
	case p.Insiders:
		return wrong("singletons", "{singletons} and {insiders} do not go together; {insiders} asks for what a contributor learns from all relations")
	case given("certificate"):
		return wrong("singletons", "{singletons} and {certificate}: a certificate knows nothing of contributors")
	case p.Defence != "":
		return wrong("singletons", "{singletons} and {defence} do not go together")
	}
	return nil
}

func (p *Policy) checkMethod(_ *Parsed, given func(string) bool) error {
	switch {
	case p.Method != "" && !slices.Contains(Methods(), p.Method):
		return wrong("method", "{method} %q: want %s", p.Method, strings.Join(Methods(), ", "))
	case !given("method"):
	case p.Defence != "":
		return wrong("method", "{method} is of no use with {defence}, which does not search")
	case p.Insiders:
		return wrong("method", "{method} is of no use with {insiders}, which searches the whole table")
	case p.Method != "modular":
	case given("certificate"):
		return wrong("method", "{method} modular and {certificate}: certificates are of the exact search")
	case p.Canonical:
		return wrong("method", "{method} modular and {canonical}: sub-tables do not find the canonical pattern of the whole")
	}
	return nil
}

// checkResponses reports what a mask of several responses does not go with.
func (p *Policy) checkResponses(x *Parsed, given func(string) bool) error {
	switch {
	case !given("response"):
	case p.Insiders:
		return wrong("response", "{response} and {insiders} do not go together")
	case x.singletons != nil:
		return wrong("response", "{response} and {singletons} do not go together")
	case p.Defence != "":
		return wrong("response", "{response} and {defence} do not go together")
	case p.Method == "modular":
		return wrong("response", "{response} and {method} modular: a common mask is found for the whole table at once")
	}
	return nil
}

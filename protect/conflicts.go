package protect

import (
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Conflict says that a field does not go with another one. FIELD=VALUE is a field that has that value.
type Conflict struct {
	Field, With string
	Why         string // nothing where that is clear; fields in it stand in braces
}

// conflicts are those between fields, and with what else a run may be about: linked tables, a certificate, responses.
var conflicts = []Conflict{
	{"insiders", "certificate", "a certificate knows nothing of insiders"},
	{"insiders", "defence", ""},
	{"publish", "defence", "a decision by hand may depend on the values"},
	{"withhold", "defence", "a decision by hand may depend on the values"},
	{"prefer", "defence", "a decision by hand may depend on the values"},
	{"certificate", "defence", "a defence neither searches nor proves costs"},
	{"gap", "defence", "a defence neither searches nor proves costs"},
	{"canonical", "defence", "a defence neither searches nor proves costs"},
	{"time-limit", "defence", "a defence neither searches nor proves costs"},
	{"method", "defence", "a defence does not search"},
	{"effort", "defence", "a defence does not search"},
	{"lpl", "defence", "a defence can promise the width of an interval, but no distance from a value that no decision may depend on"},
	{"upl", "defence", "a defence can promise the width of an interval, but no distance from a value that no decision may depend on"},
	{"certificate", "linked", "a certificate is about one table"},
	{"defence", "linked", ""},
	{"singletons", "insiders", "{insiders} asks for what a contributor learns from all relations"},
	{"singletons", "certificate", "a certificate knows nothing of contributors"},
	{"singletons", "defence", ""},
	{"published", "response", "responses are looked for in other tables one at a time; protect one after another, each {at} response=NAME"},
	{"ledger", "response", "responses are looked for in other tables one at a time; protect one after another, each {at} response=NAME"},
	{"relations", "response", "responses are looked for in other tables one at a time; protect one after another, each {at} response=NAME"},
	{"unions", "defence", "which sums are sensitive depends on the values; hitoku audit {unions} looks at those of its pattern"},
	{"unions", "response", "sums of several responses under one mask are not looked at; protect them one by one"},
	{"groups", "defence", "which groups there are depends on the values; hitoku audit {groups} looks at those of its pattern"},
	{"groups", "response", "groups of several responses under one mask are not looked at; protect them one by one"},
	{"method", "insiders", "{insiders} searches the whole table"},
	{"method=modular", "canonical", "sub-tables do not find the canonical pattern of the whole"},
	{"effort=quick", "method", "quick patterns are searched for in a way of their own"},
	{"effort=proof", "method=modular", "sub-tables do not prove the cheapest pattern of the whole"},
	{"effort=quick", "insiders", "{insiders} searches the whole table"},
	{"effort=quick", "canonical", "only what is proved is canonical"},
	{"response", "insiders", ""},
	{"response", "singletons", ""},
	{"response", "defence", ""},
	{"partial", "certificate", "a certificate is of a pattern of marks"},
	{"partial", "insiders", ""},
	{"partial", "singletons", ""},
	{"partial", "linked", ""},
	{"partial", "published", "intervals in place of marks are chosen for one table; leave {partial} out"},
	{"partial", "ledger", "intervals in place of marks are chosen for one table; leave {partial} out"},
	{"partial", "relations", "intervals in place of marks are chosen for one table; leave {partial} out"},
	{"partial", "unions", "intervals are chosen for cells; protect sums by marks, or look at them in the intervals by hitoku audit {unions}"},
	{"partial", "groups", "intervals are chosen for cells; protect groups by marks, or look at them in the intervals by hitoku audit {groups}"},
	{"partial", "response", ""},
	{"partial", "canonical", "a linear program has no order of patterns"},
	{"partial", "method", "intervals are searched for in a way of their own"},
	{"partial", "effort", "intervals are searched for in a way of their own"},
	{"response", "method=modular", "a common mask is found for the whole table at once"},
}

// Conflicts are those that Check reports.
func Conflicts() []Conflict { return append([]Conflict(nil), conflicts...) }

// checkConflicts reports the first of them.
func (p *Policy) checkConflicts(x *Parsed, given func(string) bool) error {
	has := func(field string) bool {
		switch field {
		case "insiders":
			return p.Insiders
		case "unions":
			return p.Unions > 0
		case "defence":
			return p.Defence != ""
		case "partial":
			return p.Partial
		case "canonical":
			return p.Canonical
		case "singletons":
			return x.singletons != nil
		case "lpl":
			return x.LPL != nil
		case "upl":
			return x.UPL != nil
		case "method=modular":
			return p.Method == "modular"
		case "effort=quick":
			return p.Effort == "quick"
		case "effort=proof":
			return p.Effort == "proof"
		}
		return given(field)
	}
	for _, c := range conflicts {
		if !has(c.Field) || !has(c.With) {
			continue
		}
		name, _, _ := strings.Cut(c.Field, "=")
		var why i18n.Text
		if c.Why != "" {
			why = i18n.T(": %s", i18n.Term(c.Why))
		}
		return wrong(name, "%s and %s do not go together%s", braced(c.Field), braced(c.With), why)
	}
	return nil
}

// braced is a field of a conflict as a message has it.
func braced(field string) i18n.Text {
	name, value, with := strings.Cut(field, "=")
	if !with {
		return named(name)
	}
	return i18n.T("%s %s", named(name), value)
}

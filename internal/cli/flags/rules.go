package flags

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// Rules says which cells are sensitive, how far they are to be protected, what withholding a cell costs, and whatever
// else a policy decides.
type Rules struct {
	Policy protect.Policy

	// made are the flags of all fields of the policy at of: a command asks for them group by group, and making them
	// takes longer than all else that it declares.
	made []Flag
	of   *protect.Policy
}

// Fields are names of fields of a policy.
type Fields []string

// Fields that verbs take together.
var (
	Below   = Fields{"below", "zeros-sensitive"}
	Levels  = Fields{"width", "lpl", "upl", "strict", "lower", "upper"}
	Primary = Fields{"dominance", "p-percent", "pq", "measure", "absolute", "min-freq", "min-respondents", "zero", "manual", "rules"}
	Apriori = Fields{"apriori", "apriori-separator", "apriori-ignore", "apriori-expand"} // what changes single cells after the rules
	Margins = Fields{"margins"}
	Cost    = Fields{"cost"} // which an audit does not need
	ByHand  = Fields{"publish", "withhold", "prefer"}
	Unions  = Fields{"unions", "unions-possible", "groups"}
	Ledger  = Fields{"published", "ledger", "relations", "period", "at", "change"} // what is already published
	Lost    = Fields{"lost"}                                                       // which gives up what is already disclosed
)

// Flags returns the flags of fields, in their order.
func (r *Rules) Flags(of ...Fields) Group {
	if r.of != &r.Policy { // not made yet, or of the rules of which these are a copy
		r.made, r.of = r.Policy.Fields(), &r.Policy
	}
	return Pick(r.made, slices.Concat(of...)...)
}

// Marks reports whether p has a primary rule, or a margin for the sensitive cells of the input, to apply.
func Marks(p *protect.Policy) bool {
	r := p.Primary()
	return !r.Empty() || r.Manual != nil
}

// Pick returns the flags of the records with these names.
func Pick(records []Flag, names ...string) Group {
	return sets.Each(names, func(name string) Flag {
		return records[slices.IndexFunc(records, func(f Flag) bool { return f.Name == name })]
	})
}

// Saying gives the flag called name the text for a verb, and instead, if not empty, as its default in words.
func (g Group) Saying(name, text, instead string) Group {
	for k := range g {
		if f := &g[k]; f.Name == name {
			f.Text, f.Else = text, cmp.Or(instead, f.Else)
		}
	}
	return g
}

// Bounds returns the flags of what is known beforehand, for tables without levels.
func (r *Rules) Bounds() Group {
	return r.Flags(Fields{"lower", "upper"}).Saying("lower", "no cell is below this; needed where values are negative and the input has no bounds", "the input's, else 0")
}

// Check returns an error for combinations that make no sense for any input, given what else the run is about.
func (r *Rules) Check(beside ...string) error { return Flagged(r.Policy.Check(beside...)) }

// Apply gives the table its statuses, costs, levels and bounds. Remarks for the user go to words.
func (r *Rules) Apply(in *formats.Input, words io.Writer) error {
	_, err := protect.Prepare([]protect.Input{InputOf(in)}, r.Policy, RuleOptions(words))
	return Flagged(err)
}

// Mark does the same for a table whose margins are already published where they must be.
func (r *Rules) Mark(t *table.Table, words io.Writer) error {
	return Flagged(r.Policy.Mark(t, RuleOptions(words)))
}

// InputOf describes a table that was read for package protect.
func InputOf(in *formats.Input) protect.Input {
	return protect.Input{Table: in.Table, CrossTab: in.Laid() == formats.CrossTab, SharedCost: in.HasCosts && !in.OwnCosts, Source: in.File}
}

// RuleOptions returns what rules need besides a policy.
func RuleOptions(words io.Writer) *protect.Options {
	return &protect.Options{
		Say: func(r protect.Remark) {
			cli.Note(words, "%s: %s", render.Visible(r.Table), r.Text.Named(flagOf))
		},
		Apriori: func(file, separator string, dims int) (*argus.Apriori, error) {
			return argus.ReadApriori(file, separator, dims, "")
		},
	}
}

// Flagged makes an error name fields by their flags.
func Flagged(err error) error {
	var f *protect.FieldError
	if !errors.As(err, &f) {
		return err
	}
	return &flagFault{err}
}

// flagFault is an error in the words of the command line.
type flagFault struct{ err error }

func (e *flagFault) Error() string { return e.Message().String() }

func (e *flagFault) Message() i18n.Text { return i18n.T("%s", e.err).Named(flagOf) }

// AtField returns the field of the policy that e is about.
func (e *flagFault) AtField() string {
	var f *protect.FieldError
	errors.As(e.err, &f)
	return f.Field
}

func (e *flagFault) Unwrap() error { return e.err }

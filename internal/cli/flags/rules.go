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

// Rules says which cells are sensitive, how far they are to be protected and
// what withholding a cell costs, and whatever else a policy decides.
type Rules struct {
	Policy protect.Policy
}

// Marks reports whether p has a primary rule, or a margin for the sensitive cells of the input, to apply.
func Marks(p *protect.Policy) bool {
	r := p.Primary()
	return !r.Empty() || r.Manual != nil
}

// Fields has the flags of the fields of a policy that are called so.
func Fields(p *protect.Policy, names ...string) Group { return Pick(p.Fields(), names...) }

// Pick has the flags of records that are called so.
func Pick(records []Flag, names ...string) Group {
	return sets.Each(names, func(name string) Flag {
		return records[slices.IndexFunc(records, func(f Flag) bool { return f.Name == name })]
	})
}

// Saying gives the flag called name the text of a verb, and what holds without it where instead says that.
func (g Group) Saying(name, text, instead string) Group {
	for k := range g {
		if f := &g[k]; f.Name == name {
			f.Text, f.Else = text, cmp.Or(instead, f.Else)
		}
	}
	return g
}

// Below has the flags of the rule that looks at contributors.
func (r *Rules) Below() Group { return Fields(&r.Policy, "below", "zeros-sensitive") }

// Levels has the flags of levels and bounds.
func (r *Rules) Levels() Group {
	return Fields(&r.Policy, "width", "lpl", "upl", "strict", "lower", "upper")
}

// Bounds are the flags of what is known beforehand of tables without levels.
func (r *Rules) Bounds() Group {
	return Fields(&r.Policy, "lower", "upper").Saying("lower", "no cell is below this; needed where values are negative and the input has no bounds", "the input's, else 0")
}

// Margins has the flag of what may be withheld.
func (r *Rules) Margins() Group { return Fields(&r.Policy, "margins") }

// Cost has the flag of the price, which an audit does not need.
func (r *Rules) Cost() Group { return Fields(&r.Policy, "cost") }

// Primary has the flags of the primary rules that look at contributions, beside --below.
func Primary(p *protect.Policy) Group {
	return Fields(p, "dominance", "p-percent", "pq", "measure", "absolute", "min-freq", "min-respondents", "zero", "manual", "rules")
}

// Unions has the flags of sums of cells that are looked at beside the cells.
func Unions(p *protect.Policy) Group { return Fields(p, "unions", "unions-possible", "groups") }

// ByHand has the flags of what is decided by hand.
func ByHand(p *protect.Policy) Group { return Fields(p, "publish", "withhold", "prefer") }

// Apriori has the flags of the file that changes single cells after the rules.
func Apriori(p *protect.Policy) Group {
	return Fields(p, "apriori", "apriori-separator", "apriori-ignore", "apriori-expand")
}

// Check reports combinations that make no sense for any input, with what else the run is about.
func (r *Rules) Check(beside ...string) error { return Flagged(r.Policy.Check(beside...)) }

// Apply gives the table its statuses, costs, levels and bounds. What a user
// should know of it goes to words.
func (r *Rules) Apply(in *formats.Input, words io.Writer) error {
	_, err := protect.Prepare([]protect.Input{InputOf(in)}, r.Policy, RuleOptions(words))
	return Flagged(err)
}

// Mark does it for a table whose margins are published already where they must be.
func (r *Rules) Mark(t *table.Table, words io.Writer) error {
	return Flagged(r.Policy.Mark(t, RuleOptions(words)))
}

// InputOf tells package protect about a table that was read.
func InputOf(in *formats.Input) protect.Input {
	return protect.Input{Table: in.Table, CrossTab: in.Laid() == formats.CrossTab, SharedCost: in.HasCosts && !in.OwnCosts, Source: in.File}
}

// RuleOptions are what rules need beside a policy.
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

// Flagged calls the fields that an error is about by their flags.
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

// AtField is the field of the policy that e is about.
func (e *flagFault) AtField() string {
	var f *protect.FieldError
	errors.As(e.err, &f)
	return f.Field
}

func (e *flagFault) Unwrap() error { return e.err }

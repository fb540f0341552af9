package flags

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync"

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
}

// Marks reports whether p has a primary rule, or a margin for the sensitive cells of the input, to apply.
func Marks(p *protect.Policy) bool {
	r := p.Primary()
	return !r.Empty() || r.Manual != nil
}

// made are the flags of all fields of the policy asked for last: a command asks for them group by group, and making them
// takes longer than all else that it declares.
var made struct {
	sync.Mutex
	of  *protect.Policy
	all []Flag
}

// Fields returns the flags of the fields of a policy with these names.
func Fields(p *protect.Policy, names ...string) Group {
	made.Lock()
	defer made.Unlock()
	if made.of != p {
		made.of, made.all = p, p.Fields()
	}
	return Pick(made.all, names...)
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

// Below returns the flags of the rule about the number of contributions.
func (r *Rules) Below() Group { return Fields(&r.Policy, "below", "zeros-sensitive") }

// Levels returns the flags of levels and bounds.
func (r *Rules) Levels() Group {
	return Fields(&r.Policy, "width", "lpl", "upl", "strict", "lower", "upper")
}

// Bounds returns the flags of what is known beforehand, for tables without levels.
func (r *Rules) Bounds() Group {
	return Fields(&r.Policy, "lower", "upper").Saying("lower", "no cell is below this; needed where values are negative and the input has no bounds", "the input's, else 0")
}

// Margins returns the flag of what may be withheld.
func (r *Rules) Margins() Group { return Fields(&r.Policy, "margins") }

// Cost returns the flag of the cost, which an audit does not need.
func (r *Rules) Cost() Group { return Fields(&r.Policy, "cost") }

// Primary returns the flags of the primary rules about contributions, besides --below.
func Primary(p *protect.Policy) Group {
	return Fields(p, "dominance", "p-percent", "pq", "measure", "absolute", "min-freq", "min-respondents", "zero", "manual", "rules")
}

// Unions returns the flags of sums of cells that are checked besides the cells.
func Unions(p *protect.Policy) Group { return Fields(p, "unions", "unions-possible", "groups") }

// ByHand returns the flags of decisions made by hand.
func ByHand(p *protect.Policy) Group { return Fields(p, "publish", "withhold", "prefer") }

// Apriori returns the flag of the file that changes single cells after the rules.
func Apriori(p *protect.Policy) Group {
	return Fields(p, "apriori", "apriori-separator", "apriori-ignore", "apriori-expand")
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

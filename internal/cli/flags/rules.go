package flags

import (
	"errors"
	"io"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/argus"
	"github.com/hitoku/hitoku/table/tableio"
)

// Rules says which cells are sensitive, how far they are to be protected and
// what withholding a cell costs, and whatever else a policy decides.
type Rules struct {
	Policy protect.Policy
	Parsed *protect.Parsed // once it has been checked
}

// Below has the flags of the rule that looks at contributors.
func (r *Rules) Below() Group {
	p := &r.Policy
	return In(RulesGroup, []Flag{
		{Name: "below", To: &p.Below, Text: "a cell is sensitive if 1 ≤ contributors < `N`, beside those that the input marks"},
		{Name: "zeros-sensitive", To: &p.ZerosSensitive, Needs: []string{"below"}, Text: "if 0 ≤ contributors < N"},
	})
}

// Levels has the flags of levels and bounds.
func (r *Rules) Levels() Group {
	p := &r.Policy
	return In(LevelsGroup, []Flag{
		{Name: "width", To: levelValue{&p.Width}, Text: "interval width each sensitive cell needs: a number, or a percentage of its value, which asks for at least one unit of the last decimal", Else: "the input's spl"},
		{Name: "lpl", To: levelValue{&p.LPL}, Text: "distance its interval must reach below the value: number, or percentage of it, which asks for at least one unit but no more than the value", Else: "the input's lpl"},
		{Name: "upl", To: levelValue{&p.UPL}, Text: "distance its interval must reach above the value: number, or percentage of it, which asks for at least one unit", Else: "the input's upl"},
		{Name: "strict", To: &p.Strict, Text: "widths must be exceeded, not only reached"},
		{Name: "lower", To: Decimal(&p.Lower), Text: "what the intruder knows beforehand: no cell is below this", Else: "the input's bounds, else 0"},
		{Name: "upper", To: Decimal(&p.Upper), Text: "and no cell is above this", Else: "the input's bounds, else none"},
	})
}

// Bounds are the flags of what is known beforehand of tables without levels.
func (r *Rules) Bounds() []Flag {
	return []Flag{
		{Name: "lower", To: Decimal(&r.Policy.Lower), Text: "no cell is below this; needed where values are negative and the input has no bounds", Else: "the input's, else 0"},
		{Name: "upper", To: Decimal(&r.Policy.Upper), Text: "and no cell is above this", Else: "the input's bounds, else none"},
	}
}

// Margins has the flag of what may be withheld.
func (r *Rules) Margins() Group {
	return In(CostsGroup, []Flag{r.MarginsFlag("withhold: margins may be withheld; publish: they may not; weight:F: they may, at F times the price for each dimension in which the cell is one")})
}

// MarginsFlag is that flag in the words of a verb.
func (r *Rules) MarginsFlag(text string) Flag {
	return Flag{Name: "margins", To: marginsValue{&r.Policy.Margins}, Offer: []string{"withhold", "publish", "weight:"}, Text: text, Else: "publish for cross-tabs, withhold otherwise"}
}

// Cost has the flag of the price, which an audit does not need.
func (r *Rules) Cost() Group {
	return In(CostsGroup, []Flag{r.CostFlag("price of a withheld cell: count, value, freq, power:λ, distance:1,3,5 from the nearest sensitive cell, or the `column` that holds it")})
}

// CostFlag is that flag in the words of a verb.
func (r *Rules) CostFlag(text string) Flag {
	return Flag{Name: "cost", To: &r.Policy.Cost, Offer: []string{"count", "value", "freq", "power:", "distance:"}, Text: text, Else: "the input's costs, else value"}
}

// Primary has the flags of the primary rules that look at contributions, beside --below.
func Primary(p *protect.Policy) Group {
	return In(RulesGroup, []Flag{
		{Name: "dominance", To: &p.Dominance, Text: "`n,k`: a cell is sensitive if its n largest contributions are more than k % of it"},
		{Name: "p-percent", To: &p.PPercent, Text: "`p` or p,n: if n contributors together can estimate the largest more closely than p %"},
		{Name: "pq", To: &p.PQ, Text: "`p,q` or p,q,n: the same with p/q in place of p %"},
		{Name: "measure", Rare: true, To: &p.Measure, Text: "`w1,...,wm`: if w1 x1 + w2 x2 + ... > 0 over its contributions from the largest down, wm for all from the m-th on: a linear sensitivity measure; p % is p/100,0,-1"},
		{Name: "absolute", Rare: true, To: &p.Absolute, Text: "where contributions may be negative, compare them with their total in absolute value instead of the net total", More: "A finished table needs a column absolute, as tabulate writes it"},
		{Name: "min-freq", To: &p.MinFreq, Text: "`m` or m,range: if 0 < contributors < m, protected by range % of the value"},
		{Name: "min-respondents", To: &p.MinRespondents, Text: "`m` or m,range: the same with contributors counted once each, whatever their weights"},
		{Name: "zero", To: &p.Zero, Text: "`range`: if its value is 0 although it has contributors, protected by range"},
		{Name: "manual", Rare: true, To: &p.Manual, Text: "`margin`: protect the sensitive cells of the input that have no level by margin % of the value"},
		{Name: "rules", Rare: true, To: &p.Rules, Text: "the rules as τ-ARGUS writes them, like `P(10,1)|FREQ(3,30)`, beside those of the other flags"},
	})
}

// Unions has the flags of sums of cells that are looked at beside the cells.
func Unions(p *protect.Policy, title, unions, groups string) Group {
	return In(title, []Flag{
		{Name: "unions", To: &p.Unions, Text: unions, More: "See [unions.md](unions.md)"},
		{Name: "unions-possible", Rare: true, To: &p.UnionsPossible, Needs: []string{"unions"}, Text: "also those sums that are sensitive only if contributors to different cells are the same, where the table does not tell who they are"},
		{Name: "groups", To: &p.Groups, Text: groups, More: "See [unions.md](unions.md#groups)"},
	})
}

// ByHand has the flags of what is decided by hand.
func ByHand(p *protect.Policy) Group {
	return In(CostsGroup, []Flag{
		{Name: "publish", To: &p.Publish, Text: "publish this `CELL`, named by its codes joined with / or as a JSON array of them; one that is sensitive cannot be"},
		{Name: "withhold", To: &p.Withhold, Text: "withhold this `CELL`, at no price"},
		{Name: "prefer", To: &p.Prefer, Files: []string{"csv", "xlsx", "px"}, Text: "`FILE` with the table as it was published last time: cells published there cost twice as much, those withheld there half"},
	})
}

// Apriori has the flags of the file that changes single cells after the rules.
func Apriori(p *protect.Policy) Group {
	return In(RulesGroup, []Flag{
		{Name: "apriori", To: &p.Apriori, Files: []string{"hst"}, Text: "change cells by this τ-ARGUS a-priori `file` (.hst), after the rules"},
		{Name: "apriori-separator", Rare: true, To: &p.AprioriSeparator, Needs: []string{"apriori"}, Text: "`text` between its fields", Else: "semicolon, comma or tab, as its first line has"},
		{Name: "apriori-ignore", Rare: true, To: &p.AprioriIgnore, Needs: []string{"apriori"}, Text: "skip its lines that cannot be followed, and tell them"},
		{Name: "apriori-expand", Rare: true, To: &p.AprioriExpand, Needs: []string{"apriori"}, Text: "repeat its changes along chains of codes with one child each"},
	})
}

// Check reports combinations that make no sense for any input.
func (r *Rules) Check(flags *pflag.FlagSet) (err error) {
	return r.CheckGiven(func(field string) bool { // other flags of some verbs are called like fields
		switch field {
		case "published", "ledger", "relations", "groups":
			return flags.Lookup("ledger") != nil && flags.Changed(field)
		case "below", "cost":
			return flags.Changed(field)
		}
		return false
	})
}

// CheckGiven is Check where more than flags says what was given.
func (r *Rules) CheckGiven(given func(string) bool) (err error) {
	if err := r.Policy.Check(given); err != nil {
		return Flagged(err)
	}
	r.Parsed, err = r.Policy.Parse()
	return Flagged(err)
}

// Apply gives the table its statuses, costs, levels and bounds. What a user
// should know of it goes to words.
func (r *Rules) Apply(in *tableio.Input, words io.Writer) error {
	_, err := protect.Prepare([]protect.Input{InputOf(in)}, r.Policy, RuleOptions(words))
	return Flagged(err)
}

// Mark does it for a table whose margins are published already where they must be.
func (r *Rules) Mark(t *table.Table, words io.Writer) error {
	return Flagged(r.Policy.Mark(t, RuleOptions(words)))
}

// InputOf tells package protect about a table that was read.
func InputOf(in *tableio.Input) protect.Input {
	return protect.Input{Table: in.Table, CrossTab: in.Laid() == tableio.CrossTab, SharedCost: in.HasCosts && !in.OwnCosts, Source: in.File}
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

// Message is the text of e.
func (e *flagFault) Message() i18n.Text { return i18n.T("%s", e.err).Named(flagOf) }

func (e *flagFault) Unwrap() error { return e.err }

package flags

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli/render"
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

func (r *Rules) Add(cmd *cobra.Command) {
	f, p := cmd.Flags(), &r.Policy
	f.Int64Var(&p.Below, "below", 0, "a cell is sensitive if 1 ≤ contributors < `N`")
	f.BoolVar(&p.ZerosSensitive, "zeros-sensitive", false, "with --below: if 0 ≤ contributors < N")
	f.Var(levelValue{&p.Width}, "width", "interval width each sensitive cell needs: a number, or a percentage of its value, which asks for at least one unit of the last decimal")
	f.Var(levelValue{&p.LPL}, "lpl", "distance its interval must reach below the value: number, or percentage of it, which asks for at least one unit but no more than the value")
	f.Var(levelValue{&p.UPL}, "upl", "distance its interval must reach above the value: number, or percentage of it, which asks for at least one unit")
	f.BoolVar(&p.Strict, "strict", false, "widths must be exceeded, not only reached")
	f.Var(marginsValue{&p.Margins}, "margins", "withhold: margins may be withheld; publish: they may not; weight:`F`: they may, at F times the price for each dimension in which the cell is one (default: publish for cross-tabs, withhold otherwise)")
	f.Var(Decimal(&p.Lower), "lower", "what the intruder knows beforehand: no cell is below this (default: the input's bounds, else 0)")
	f.Var(Decimal(&p.Upper), "upper", "and no cell is above this (default: the input's bounds, else none)")
	Complete(cmd, "margins", "withhold", "publish", "weight:")
}

// AddCost adds the flag of the price, which an audit does not need.
func (r *Rules) AddCost(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.Policy.Cost, "cost", "", "price of a withheld cell: count, value, freq, power:λ, distance:1,3,5 from the nearest sensitive cell, or the `column` that holds it (default: the input's costs, else value)")
	Complete(cmd, "cost", "count", "value", "freq", "power:", "distance:")
}

// AddPrimary adds the flags of the primary rules that look at contributions, beside --below.
func AddPrimary(cmd *cobra.Command, p *protect.Policy) {
	f := cmd.Flags()
	f.StringArrayVar(&p.Dominance, "dominance", nil, "`n,k`: a cell is sensitive if its n largest contributions are more than k % of it; repeatable")
	f.StringArrayVar(&p.PPercent, "p-percent", nil, "`p` or p,n: if n contributors together can estimate the largest more closely than p %; repeatable")
	f.StringArrayVar(&p.PQ, "pq", nil, "`p,q` or p,q,n: the same with p/q in place of p %; repeatable")
	f.StringVar(&p.MinFreq, "min-freq", "", "`m` or m,range: if 0 < contributors < m, protected by range % of the value")
	f.StringVar(&p.MinRespondents, "min-respondents", "", "`m` or m,range: the same with contributors counted once each, whatever their weights")
	f.StringVar(&p.Zero, "zero", "", "`range`: if its contributions are all 0, protected by range")
	f.StringVar(&p.Manual, "manual", "", "`margin`: protect the sensitive cells of the input that have no level by margin % of the value")
	f.StringVar(&p.Rules, "rules", "", "the rules as τ-ARGUS writes them, like `P(10,1)|FREQ(3,30)`, beside those of the other flags")
}

// AddByHand adds the flags of what is decided by hand.
func AddByHand(cmd *cobra.Command, p *protect.Policy) {
	f := cmd.Flags()
	f.StringArrayVar(&p.Publish, "publish", nil, "publish this `CELL`, named by its codes joined with / or as a JSON array of them; one that is sensitive cannot be; repeatable")
	f.StringArrayVar(&p.Withhold, "withhold", nil, "withhold this `CELL`, at no price; repeatable")
	f.StringVar(&p.Prefer, "prefer", "", "`FILE` with the table as it was published last time: cells published there cost twice as much, those withheld there half")
	CompleteFiles(cmd, "prefer", "csv", "xlsx", "px")
}

// AddApriori adds the flags of the file that changes single cells after the rules.
func AddApriori(cmd *cobra.Command, p *protect.Policy) {
	f := cmd.Flags()
	f.StringVar(&p.Apriori, "apriori", "", "change cells by this τ-ARGUS a-priori `file` (.hst), after the rules")
	f.StringVar(&p.AprioriSeparator, "apriori-separator", "", "what separates its fields (default: semicolon, comma or tab, as its first line has)")
	f.BoolVar(&p.AprioriIgnore, "apriori-ignore", false, "skip its lines that cannot be followed, and tell them")
	f.BoolVar(&p.AprioriExpand, "apriori-expand", false, "repeat its changes along chains of codes with one child each")
	CompleteFiles(cmd, "apriori", "hst")
}

// Check reports combinations that make no sense for any input.
func (r *Rules) Check(flags *pflag.FlagSet) (err error) {
	return r.CheckGiven(func(field string) bool { // other flags of some verbs are called like fields
		return (field == "below" || field == "cost") && flags.Changed(field)
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
			fmt.Fprintf(words, "hitoku: %s: %s\n", render.Visible(r.Table), r.Words(flagOf))
		},
		Apriori: func(file, separator string, dims int) (*argus.Apriori, error) {
			return argus.ReadApriori(file, separator, dims, "")
		},
	}
}

// flagOf is the flag of a field of a policy.
func flagOf(field string) string { return "--" + field }

// Flagged calls the fields that an error is about by their flags.
func Flagged(err error) error {
	var f *protect.FieldError
	if !errors.As(err, &f) {
		return err
	}
	return &flagFault{strings.Replace(err.Error(), f.Error(), f.Words(flagOf), 1), err}
}

// flagFault is an error in the words of the command line.
type flagFault struct {
	text string
	err  error
}

func (e *flagFault) Error() string { return e.text }

func (e *flagFault) Unwrap() error { return e.err }

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// ruleFlags say which cells are sensitive, how far they are to be protected and
// what withholding a cell costs.
type ruleFlags struct {
	below           int64
	zeros           bool
	lpl, upl, width *table.Level
	strict          bool
	cost            string
	distance        *distanceCost // of --cost distance
	margins         string
	factor          *table.Decimal // of --margins weight
	lower, upper    *table.Decimal
	primary         primaryFlags
	apriori         aprioriFlags
}

func (r *ruleFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Int64Var(&r.below, "below", 0, "a cell is sensitive if 1 ≤ contributors < `N`")
	f.BoolVar(&r.zeros, "zeros-sensitive", false, "with --below: if 0 ≤ contributors < N")
	f.Var(levelValue{&r.width}, "width", "interval width each sensitive cell needs: a number, or a percentage of its value, which asks for at least one unit of the last decimal")
	f.Var(levelValue{&r.lpl}, "lpl", "distance its interval must reach below the value: number, or percentage of it, which asks for at least one unit but no more than the value")
	f.Var(levelValue{&r.upl}, "upl", "distance its interval must reach above the value: number, or percentage of it, which asks for at least one unit")
	f.BoolVar(&r.strict, "strict", false, "widths must be exceeded, not only reached")
	f.Var(marginsValue{r}, "margins", "withhold: margins may be withheld; publish: they may not; weight:`F`: they may, at F times the price for each dimension in which the cell is one (default: publish for cross-tabs, withhold otherwise)")
	f.Var(decimalValue{&r.lower}, "lower", "what the intruder knows beforehand: no cell is below this (default: the input's bounds, else 0)")
	f.Var(decimalValue{&r.upper}, "upper", "and no cell is above this (default: the input's bounds, else none)")
	complete(cmd, "margins", "withhold", "publish", "weight:")
}

// addCost adds the flag of the price, which an audit does not need.
func (r *ruleFlags) addCost(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.cost, "cost", "", "price of a withheld cell: count, value, freq, power:λ, distance:1,3,5 from the nearest sensitive cell, or the `column` that holds it (default: the input's costs, else value)")
	complete(cmd, "cost", "count", "value", "freq", "power:", "distance:")
}

// check reports combinations that make no sense for any input.
func (r *ruleFlags) check(flags *pflag.FlagSet) error {
	switch {
	case flags.Changed("below") && r.below < 1:
		return fmt.Errorf("--below %d: want a number of contributors ≥ 1", r.below)
	case flags.Changed("cost") && r.cost == "":
		return fmt.Errorf("--cost is empty, want count, value, freq, power:λ or a column")
	case r.zeros && !flags.Changed("below"):
		return fmt.Errorf("--zeros-sensitive needs --below")
	}
	if steps, ok := strings.CutPrefix(r.cost, "distance:"); ok {
		var err error
		if r.distance, err = parseDistance(steps); err != nil {
			return fmt.Errorf("--%w", err)
		}
	} else if r.cost != "" && r.costColumn() == "" {
		if _, err := table.ParseCost(r.cost); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	if err := r.apriori.check(); err != nil {
		return err
	}
	return r.primary.parse()
}

// costColumn returns the column that --cost names, if it is none of the words.
func (r *ruleFlags) costColumn() string {
	switch kind, _, _ := strings.Cut(r.cost, ":"); kind {
	case "count", "value", "freq", "given", "power":
		return ""
	case "distance":
		if strings.Contains(r.cost, ":") { // else a column may be called so
			return ""
		}
	}
	return r.cost
}

// apply gives the table its statuses, costs, levels and bounds. What a user
// should know of it goes to words.
func (r *ruleFlags) apply(in *tableio.Input, words io.Writer) error {
	if err := r.set(in.Table, r.publishesMargins(in.Laid()), words); err != nil {
		return fmt.Errorf("%s: %w", in.File, err)
	}
	return nil
}

func (r *ruleFlags) set(t *table.Table, publish bool, words io.Writer) error {
	if publish {
		t.PublishMargins()
	}
	if err := r.primary.apply(t, words); err != nil {
		return err
	}
	if r.below > 0 {
		if err := r.mark(t, words); err != nil {
			return err
		}
	}
	// Costs first: levels may give the table more decimals, and costs in the
	// decimals of the values keep bounds integral.
	if r.cost != "" && r.costColumn() == "" && r.distance == nil {
		cost, err := table.ParseCost(r.cost)
		if err != nil {
			return err
		}
		if err := t.SetCost(cost); err != nil {
			return err
		}
	}
	if err := r.apriori.apply(t, r.primary.parsed, words); err != nil {
		return err
	}
	if r.distance != nil { // now that all sensitive cells are known
		if err := r.distance.apply(t); err != nil {
			return err
		}
	}
	if r.factor != nil {
		if err := t.WeighMargins(*r.factor); err != nil {
			return err
		}
	}
	if err := t.SetLevels(table.Levels{LPL: r.lpl, UPL: r.upl, SPL: r.width}); err != nil {
		return err
	}
	t.Strict = t.Strict || r.strict
	if err := t.SetBounds(r.lower, r.upper); err != nil {
		return err
	}
	return widthAboveZero(t, words)
}

// publishesMargins says whether margins of a table in this format must be published.
func (r *ruleFlags) publishesMargins(f tableio.Format) bool {
	return r.margins == "publish" || r.margins == "" && f == tableio.CrossTab
}

// mark applies the minimum-frequency rule.
func (r *ruleFlags) mark(t *table.Table, words io.Writer) error {
	_, skipped, err := t.MinimumFrequency(r.below, r.zeros)
	if err != nil {
		return err
	}
	if len(skipped) > 0 {
		say(words, t, "below %d but published, as margins and cells of status z are: %s", r.below, someCells(t, skipped))
	}
	return nil
}

// someCells lists cells by name, at most ten.
func someCells(t *table.Table, cells []int) string {
	const most = 10
	var names []string
	for _, i := range cells[:min(most, len(cells))] {
		names = append(names, t.CellName(i))
	}
	s := strings.Join(names, ", ")
	if len(cells) > most {
		s += fmt.Sprintf(" and %d more", len(cells)-most)
	}
	return s
}

// widthAboveZero protects sensitive cells that nobody gave a level against exact
// disclosure: it asks for widths > 0. It fails where other cells ask for widths,
// because strictness holds for all of them.
func widthAboveZero(t *table.Table, words io.Writer) error {
	bare, wide := []int{}, false
	for i, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		if t.LPL[i] == 0 && t.UPL[i] == 0 && t.SPL[i] == 0 {
			bare = append(bare, i)
		}
		wide = wide || t.SPL[i] > 0
	}
	switch {
	case len(bare) == 0 || t.Strict:
		return nil
	case wide:
		return fmt.Errorf("sensitive without any protection level, while others have widths: %s; give them one, or all a --width", someCells(t, bare))
	}
	t.Strict = true
	say(words, t, "%d sensitive cells have no protection level; they are guarded against exact disclosure only (width > 0)", len(bare))
	return nil
}

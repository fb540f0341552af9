package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// inspection is one run of hitoku audit.
type inspection struct {
	inputs  inputFlags
	rules   ruleFlags
	engine  engineFlags
	integer bool
	insider []string
	witness string
	json    bool
	quiet   bool
}

// newAudit is hitoku audit.
func newAudit() *cobra.Command {
	a := &inspection{}
	cmd := &cobra.Command{
		Use:   "audit INPUT...",
		Short: "Compute what can be learned about every withheld cell and compare it with the levels",
		Long: `Compute, exactly, the interval in which the published numbers pin down every
withheld cell, and say whether it meets the cell's protection levels.

Withheld are the cells without a value and those of status u, m or P. In a
published table, which has no values, --width is asked of every withheld cell
unless statuses tell the sensitive ones.`,
		Example: `  hitoku audit --width 8 published.csv
  hitoku audit --json protected/*.csv
  hitoku audit --integer --witness witnesses.csv table.csv`,
		Args:              inputArgs,
		ValidArgsFunction: tableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.check(cmd.Flags(), args); err != nil {
				return err
			}
			return eachInput(cmd, args, !a.json, func(n int) (exitCode, error) { return a.one(cmd, args[n]) })
		},
	}
	f := cmd.Flags()
	a.inputs.add(cmd)
	a.rules.add(cmd)
	a.engine.add(cmd)
	f.BoolVar(&a.integer, "integer", false, "intervals over tables of whole numbers only, which can be narrower from three dimensions on")
	f.StringArrayVar(&a.insider, "insider", nil, "audit for an intruder who knows this `CELL` too, as its only contributor does; repeatable")
	f.StringVar(&a.witness, "witness", "", "write the tables that prove both ends of every interval to this CSV `file`")
	f.BoolVar(&a.json, "json", false, "print one JSON document a table")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no progress on a terminal")
	completeFiles(cmd, "witness", "csv")
	return cmd
}

func (a *inspection) check(flags *pflag.FlagSet, args []string) error {
	if a.witness != "" && len(args) > 1 {
		return fmt.Errorf("--witness takes one input, not %d", len(args))
	}
	if err := a.rules.check(flags); err != nil {
		return err
	}
	return a.engine.check()
}

// one audits the table in the file called path.
func (a *inspection) one(cmd *cobra.Command, path string) (exitCode, error) {
	in, err := a.inputs.read(cmd, path, &a.rules)
	if err != nil {
		return 0, err
	}
	t := in.Table
	decimals := t.Decimals
	told, err := a.prepare(in, cmd.ErrOrStderr())
	if err != nil {
		return 0, err
	}
	if a.integer && t.Decimals > decimals {
		// Integer means multiples of the table's unit, which levels must not change.
		return 0, fmt.Errorf("%s: --integer: the levels need %d decimals, the values have %d; give levels with at most %d",
			path, t.Decimals, decimals, decimals)
	}
	withheld, err := a.withheld(t)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	start := time.Now()
	opt := &interval.Options{LP: a.engine.lp, Workers: a.engine.workers, Integer: a.integer, Witness: a.witness != ""}
	if words := cmd.ErrOrStderr(); !a.quiet && isTerminal(words) {
		opt.Progress = newAuditProgress(words).show
	}
	rep, err := interval.Audit(cmd.Context(), t, withheld, opt)
	switch {
	case err != nil && cmd.Context().Err() != nil:
		say(cmd.ErrOrStderr(), t, "interrupted, nothing to report")
		return exitLimit, nil
	case err != nil:
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	inexact := 0
	for i := range rep.Cells {
		if rep.Cells[i].Inexact {
			inexact++
		}
	}
	if inexact > 0 {
		say(cmd.ErrOrStderr(), t, "the intervals of %d cells are what witness tables show; they may be slightly wider", inexact)
	}
	r := newAuditReport(t, rep, time.Since(start))
	if a.witness != "" {
		if err := tableio.Save(a.witness, func(w io.Writer) error { return writeWitnesses(w, t, rep) }); err != nil {
			return 0, err
		}
	}
	if a.json {
		err = writeJSON(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout(), t, told)
	}
	if err != nil {
		return 0, err
	}
	if !rep.Protected {
		return exitVerdict, nil
	}
	return exitDone, nil
}

// prepare applies the rules. In a published table where no status tells the
// sensitive cells, every cell without a value may be one: told is false.
func (a *inspection) prepare(in *tableio.Input, words io.Writer) (told bool, err error) {
	t := in.Table
	told = t.Missing == nil
	for i := range t.Len() {
		told = told || !t.Known(i) && t.Status[i] == table.Sensitive
	}
	if t.Missing != nil && (a.rules.lpl != nil || a.rules.upl != nil) {
		return told, fmt.Errorf("%s: --lpl and --upl are distances from the true value, which a published table does not have; use --width", in.File)
	}
	for i := range t.Len() {
		if !told && !t.Known(i) {
			t.Status[i] = table.Sensitive
		}
	}
	return told, a.rules.apply(in, words)
}

// withheld marks the cells the intruder does not see.
func (a *inspection) withheld(t *table.Table) ([]bool, error) {
	w := make([]bool, t.Len())
	for i, st := range t.Status {
		w[i] = !t.Known(i) || st == table.Sensitive || st == table.Withheld
	}
	cells, err := findCells(t, "--insider", a.insider)
	if err != nil {
		return nil, err
	}
	for k, i := range cells {
		if !t.Known(i) {
			return nil, fmt.Errorf("--insider %s: its value is not in the table", a.insider[k])
		}
		w[i] = false
	}
	return w, nil
}

package tables

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/explain"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/solver"
)

// explanation is one run of hitoku explain.
type explanation struct {
	inputs  flags.Input
	rules   flags.Rules
	engine  flags.Engine
	files   flags.PolicyFile
	limit   time.Duration
	changes int
	json    bool
}

func NewExplain() *cobra.Command {
	x := &explanation{}
	p := &x.rules.Policy
	cmd := &cobra.Command{
		Use:   "explain CELL TABLE",
		Short: "Say what a cell is withheld for, what publishing it costs, and what would free most cells",
		Long: `Protect a table as hitoku suppress does with the same flags, and explain the pattern
by one of its cells, named by its codes joined with /: which sensitive cells it
guards, with the arithmetic by which they could be computed were it published and
nothing else changed; the cheapest pattern that publishes it, with its price and what
is proved of that; and which changes free most cells: a parameter of a rule one step
milder, the totals of a dimension left out, two neighbouring categories put together.

Whether a rule may be milder is for the office to decide, not for what it frees.
What is printed is for the office only.`,
		Example: `  hitoku explain --below 5 --width 8 II/A table.csv
  hitoku explain --policy office.toml --time-limit 10m --json II/A table.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return i18n.Errorf("explain: want a cell and a table, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return flags.TableFiles(cmd, args, word)
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error { return x.files.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			p.LP = x.engine.LP
			if err := x.rules.Check(); err != nil {
				return err
			}
			if err := x.engine.Check(); err != nil {
				return err
			}
			return cli.End(x.one(cmd, args[0], args[1]))
		},
	}
	search := x.rules.Flags(flags.Fields{"effort", "method", "canonical"}).
		Saying("effort", "how long patterns are searched for, as in hitoku suppress", "").
		Saying("method", "how patterns are searched for, as in hitoku suppress", "")
	for k := range search {
		search[k].More = ""
	}
	flags.Declare(cmd,
		x.inputs.Group(),
		x.inputs.LayoutGroup(),
		x.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Unions, flags.Apriori),
		x.files.Group(&x.rules),
		x.rules.Flags(flags.Margins, flags.Cost, flags.ByHand),
		search,
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &x.limit, Default: time.Minute, Range: "[0, ∞)", Text: "stop after this time, like 30s or 10m, with what was found; 0 for none", More: "A third of what is left is for the pattern, then for the one that publishes the cell, the rest for the changes"},
			{Name: "changes", To: &x.changes, Default: 20, Range: "[0, ∞)", Text: "try up to `N` changes; 0 for none"},
		}),
		x.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			flags.JSON(&x.json, "print one JSON document"),
		}),
	)
	flags.Common(cmd, "--below 5", "--width 8", "--total 合計", "--time-limit 30s", "--changes 50")
	return cmd
}

// one explains a cell of the table in the file called path.
func (x *explanation) one(cmd *cobra.Command, cell, path string) (cli.Code, error) {
	start := time.Now()
	in, err := x.inputs.Read(cmd, path, &x.rules)
	if err != nil {
		return 0, err
	}
	o := flags.RuleOptions(cmd.ErrOrStderr())
	o.Workers = x.engine.Workers
	o.Weights = x.inputs.Older(cmd, &x.rules)
	opt := &explain.Options{Protect: o, TimeLimit: x.limit, Changes: x.changes}
	if x.changes == 0 {
		opt.Changes = -1
	}
	input := flags.InputOf(in)
	input.AtMost = layout.Within(in)
	e, err := explain.Run(cmd.Context(), input, cell, x.rules.Policy, opt)
	var none *explain.NoCellError
	switch {
	case errors.As(err, &none):
		return 0, i18n.Errorf("%s: %w", path, err)
	case err != nil && cmd.Context().Err() != nil:
		render.Say(cmd.ErrOrStderr(), in.Table, "interrupted, nothing to report")
		return cli.Limit, nil
	case err != nil:
		return 0, flags.Flagged(err)
	}
	r := newExplanation(e, time.Since(start))
	if x.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		err = printExplanation(cmd.OutOrStdout(), e, r)
	}
	switch {
	case err != nil:
		return 0, err
	case e.Base.Err != nil:
		cli.Say(cmd.ErrOrStderr(), e.Base.Err)
		if e.Base.Solution != nil && e.Base.Solution.Status == solver.None {
			return cli.Limit, nil
		}
		return cli.Verdict, nil
	case e.Untried > 0 || unfinished(e.Base) || unfinished(e.Publish):
		return cli.Limit, nil
	}
	return cli.Done, nil
}

// unfinished reports whether a limit left a run without proof.
func unfinished(o *explain.Outcome) bool {
	return o != nil && !o.Complete && (o.Solution == nil || o.Solution.Status != solver.Unprotectable)
}

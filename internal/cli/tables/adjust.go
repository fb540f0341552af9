package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// adjustment is one run of hitoku adjust.
type adjustment struct {
	changing
}

// NewAdjust is hitoku adjust.
func NewAdjust() *cobra.Command { return new(adjustment).command() }

func (a *adjustment) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adjust INPUT...",
		Short: "Change sensitive cells by their levels, and others as little as makes the table add up",
		Long: `Publish every sensitive cell at least its upper level above or its lower level below its
true value, and change other cells as little as makes all sums hold (controlled tabular
adjustment). Which cells go up and which go down is searched for by branch and bound, with the
bound that is proved. Empty cells and cells that must stay published do not change.

Numbers stay whole multiples of the last decimal. Levels are those of --lpl, --upl and the rules,
at least half of --width. The distances of the sensitive cells and all sums are checked before
anything is printed.

What is printed is for the office only; what -o writes may be published.`,
		Example: `  hitoku adjust --below 3 --lpl 2 --upl 2 table.csv
  hitoku adjust --norm l2 --p-percent 10 -o adjusted.csv table.csv`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		PreRunE:           func(cmd *cobra.Command, _ []string) error { return a.files.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.check(cmd.Flags(), args); err != nil {
				return err
			}
			if err := a.files.Write(a.rules.Policy, a.how); err != nil {
				return err
			}
			return cli.EachInput(cmd, args, !a.json, func(n int) (cli.Code, error) { return a.one(cmd, args[n]) })
		},
	}
	a.how.Norm = string(adjust.L1)
	groups := append(a.groups(), a.rules.Margins().Saying("margins", "publish: sums stay as they are; withhold: they may change", ""),
		flags.Pick(a.how.Fields(), "norm", "most"), flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &a.limit, Range: "[0, ∞)", Text: "stop after this `time`, like 30s or 10m, with the best adjustment found", Else: "none"},
		}))
	flags.Declare(cmd, groups...)
	flags.Common(cmd, "--below 5", "--lpl 2", "--upl 2", "--total 合計", "-o adjusted.csv")
	return cmd
}

func (a *adjustment) check(fs *pflag.FlagSet, _ []string) error {
	a.rules.Policy.LP = a.engine.LP
	if err := a.rules.Check(); err != nil {
		return err
	}
	return a.engine.Check()
}

// one adjusts the table in the file called path, and prints what was done.
func (a *adjustment) one(cmd *cobra.Command, path string) (cli.Code, error) {
	d, t, y, code, err := a.do(cmd.Context(), cmd, path)
	if err != nil {
		return 0, err
	}
	if err := a.writePage(&d.Altered, d.Levels, adjustmentLine(d)); err != nil {
		return 0, err
	}
	if a.json {
		err = document.Write(cmd.OutOrStdout(), d)
	} else {
		printChange(cmd.OutOrStdout(), t, y, &d.Altered)
		printLevels(cmd.OutOrStdout(), d)
		err = render.Verdict(cmd.OutOrStdout(), adjustmentLine(d))
	}
	if err != nil {
		return 0, err
	}
	return code, nil
}

// do adjusts the table and writes it.
func (a *adjustment) do(ctx context.Context, call flags.Call, path string) (*document.Adjustment, *table.Table, []int64, cli.Code, error) {
	start, words := time.Now(), call.ErrOrStderr()
	failed := func(err error) (*document.Adjustment, *table.Table, []int64, cli.Code, error) {
		return nil, nil, nil, cli.Usage, err
	}
	in, whole, unit, err := a.read(call, path)
	if err != nil {
		return failed(err)
	}
	t := in.Table
	opt := &adjust.Options{Norm: adjust.Norm(a.how.Norm), Unit: unit, Weights: a.weights(t), LP: a.engine.LP}
	if a.how.Most != nil {
		if opt.Most, err = exact(t, "most", a.how.Most.String()); err != nil {
			return failed(i18n.Errorf("%s: %w", path, err))
		}
	}
	if a.limit > 0 {
		opt.TimeLimit = max(1, a.limit-time.Since(start))
	}
	if !a.quiet && render.ShowsProgress(words) {
		opt.Progress = changeProgress(words)
	}
	res, err := adjust.Adjust(ctx, t, opt)
	if errors.Is(err, adjust.ErrImpossible) { // which is proved, like other tables that nothing protects
		cli.Note(words, "%v", err)
		res, err = &adjust.Result{Status: solver.Infeasible}, nil
	}
	if err != nil {
		return failed(i18n.Errorf("%s: %w", path, err))
	}
	d := &document.Adjustment{Altered: newChange(t, a.how.Norm, res.Value, opt.Weights), Levels: []document.MovedCell{}}
	d.Status, d.Nodes, d.LP = string(res.Status), res.Nodes, a.engine.LP
	d.Distance = a.exact(t, res.Distance, opt)
	if res.Status != solver.Infeasible {
		d.Bound = a.exact(t, res.Bound, opt)
	}
	for i, s := range t.Status {
		if s == table.Sensitive && res.Value != nil {
			up, down := adjust.Needs(t, i, unit)
			by := res.Value[i] - t.Value[i]
			d.Levels = append(d.Levels, document.MovedCell{ChangedCell: d.Values[i], Up: render.Decimal(up, t.Decimals), Down: render.Decimal(down, t.Decimals), Kept: by >= up || -by >= down})
		}
	}
	d.Seconds = time.Since(start).Seconds()
	if err := a.save(in, whole, res.Value); err != nil {
		return failed(err)
	}
	return d, t, res.Value, changeCode(&d.Altered, res.Status == solver.Feasible && a.how.Norm == string(adjust.L1)), nil
}

// exact prints a distance or its bound, of squares with twice the decimals.
func (a *adjustment) exact(t *table.Table, v *big.Int, opt *adjust.Options) document.Exact {
	if v == nil {
		return ""
	}
	scale := t.Decimals
	if opt.Norm == adjust.L2 {
		scale *= 2
	}
	if opt.Weights != nil {
		scale += t.CostDecimals
	}
	return render.Ratio(new(big.Rat).SetInt(v), scale)
}

// printLevels prints the sensitive cells.
func printLevels(w io.Writer, d *document.Adjustment) {
	if len(d.Levels) == 0 {
		return
	}
	list := render.NewColumns(1, "cell", "value", "published", "up", "down")
	for k, c := range d.Levels {
		if k == render.MaxListRows {
			break
		}
		list.Add(c.Cell, string(c.Value), string(c.Published), string(c.Up), string(c.Down))
	}
	list.Print(w)
	fmt.Fprintln(w)
	if more := len(d.Levels) - render.MaxListRows; more > 0 {
		render.Tell(w, "… and %d more; --json has them all\n\n", more)
	}
}

// adjustmentLine sums up.
func adjustmentLine(d *document.Adjustment) i18n.Text {
	switch d.Status {
	case "infeasible":
		return i18n.T("%s: adjusted, infeasible: no table keeps all sums and moves every sensitive cell by its levels", d.Table)
	case "none":
		return i18n.T("%s: adjusted, none was found before a limit", d.Table)
	}
	return i18n.T("%s: adjusted by %s: %s; %d sensitive cells, each at its levels or beyond", d.Table, d.Method, changeLine(&d.Altered), d.Sensitive)
}

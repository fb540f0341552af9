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
	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// adjustment is one run of hitoku adjust.
type adjustment struct {
	changing
}

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
	}
	a.runs(cmd, a)
	a.how.Norm = string(adjust.L1)
	groups := append(a.groups(), a.rules.Flags(flags.Margins).Saying("margins", "publish: sums stay as they are; withhold: they may change", ""),
		flags.Pick(a.how.Fields(), "norm", "most"), flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &a.limit, Range: "[0, ∞)", Text: "stop after this `time`, like 30s or 10m, with the best adjustment found", Else: "none"},
		}))
	flags.Declare(cmd, groups...)
	flags.Common(cmd, "--below 5", "--lpl 2", "--upl 2", "--total 合計", "-o adjusted.csv")
	return cmd
}

func (a *adjustment) check(*pflag.FlagSet, []string) error { return a.changing.check() }

func (a *adjustment) do(ctx context.Context, call flags.Call, path, output string) (*changed, error) {
	return a.change(call, path, output, func(t, _ *table.Table, unit int64, limit time.Duration, progress func(integer.Progress)) (*changed, error) {
		opt := &adjust.Options{Norm: adjust.Norm(a.how.Norm), Unit: unit, Weights: a.weights(t), LP: a.engine.LP, TimeLimit: limit, Progress: progress}
		var err error
		if a.how.Most != nil {
			if opt.Most, err = exact(t, "most", a.how.Most.String()); err != nil {
				return nil, err
			}
		}
		res, err := adjust.Adjust(ctx, t, opt)
		if errors.Is(err, adjust.ErrImpossible) { // this is proved, as for other tables that nothing protects
			cli.Note(call.ErrOrStderr(), "%v", err)
			res, err = &adjust.Result{Status: solver.Infeasible}, nil
		}
		if err != nil {
			return nil, err
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
		return &changed{
			doc: d, Altered: &d.Altered, levels: d.Levels, line: adjustmentLine(d), t: t, y: res.Value,
			code: changeCode(&d.Altered, res.Status == solver.Feasible && a.how.Norm == string(adjust.L1)),
		}, nil
	})
}

// exact formats a distance or its bound; squares have twice the decimals.
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
func printLevels(w io.Writer, levels []document.MovedCell) {
	if len(levels) == 0 {
		return
	}
	list := render.NewColumns(1, "cell", "value", "published", "up", "down")
	for k, c := range levels {
		if k == render.MaxListRows {
			break
		}
		list.Add(c.Cell, string(c.Value), string(c.Published), string(c.Up), string(c.Down))
	}
	list.Print(w)
	fmt.Fprintln(w)
	if more := len(levels) - render.MaxListRows; more > 0 {
		render.Tell(w, "… and %d more; --json has them all\n\n", more)
	}
}

// adjustmentLine returns the line that sums up.
func adjustmentLine(d *document.Adjustment) i18n.Text {
	switch d.Status {
	case "infeasible":
		return i18n.T("%s: adjusted, infeasible: no table keeps all sums and moves every sensitive cell by its levels", d.Table)
	case "none":
		return i18n.T("%s: adjusted, none was found before a limit", d.Table)
	}
	return i18n.T("%s: adjusted by %s: %s; %d sensitive cells, each at its levels or beyond", d.Table, d.Method, changeLine(&d.Altered), d.Sensitive)
}

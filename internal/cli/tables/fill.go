package tables

import (
	"encoding/csv"
	"errors"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/methods/fill"
	"github.com/hitoku/hitoku/table"
)

// filling is one run of hitoku fill.
type filling struct {
	inputs flags.Input
	rules  flags.Rules
	engine flags.Engine
	seed   uint64
	output string
	json   bool
}

func NewFill() *cobra.Command {
	f := &filling{}
	cmd := &cobra.Command{
		Use:   "fill PUBLISHED",
		Short: "Fill the withheld cells of a published table with numbers that add up, flagged as filled",
		Long: `Put a number into every withheld cell of a published table, so that all sums hold and every
number agrees with what is published: of all such tables the one nearest to the middles
of the intervals that can be computed. It is made from what is published alone, also where the
input is the office's table with values, so that it tells nothing more: all true tables
with the same publication are filled alike. The numbers are no estimates; each is flagged.`,
		Example: `  hitoku fill published.csv -o filled.csv
  hitoku fill --seed 7 --json published.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return i18n.Errorf("fill: want one input, not %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: flags.TableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.rules.Check(); err != nil {
				return err
			}
			if err := f.engine.Check(); err != nil {
				return err
			}
			return f.run(cmd, args[0])
		},
	}
	flags.Declare(cmd,
		f.inputs.Group(),
		f.inputs.LayoutGroup(),
		f.rules.Bounds(),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "seed", To: &f.seed, Text: "draw the numbers to be near from the intervals, by this seed `N`", Else: "the middles of the intervals"},
		}),
		f.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &f.output, Files: []string{"csv"}, Writes: true, Text: "write the filled table with its flags to this CSV `file`"},
			flags.JSON(&f.json, "print one JSON document"),
		}),
	)
	flags.Common(cmd, "--total 合計", "--upper 1000", "--seed 7", "-o filled.csv", "--json")
	return cmd
}

func (f *filling) run(cmd *cobra.Command, path string) error {
	start := time.Now()
	in, err := f.inputs.Read(cmd, path, &f.rules)
	if err != nil {
		return err
	}
	t := in.Table
	if ext := strings.ToLower(filepath.Ext(f.output)); slices.Contains([]string{".tab", ".rda", ".jj", ".px", ".xlsx", ".ods", ".json"}, ext) {
		return i18n.Errorf("-o %s: filled tables are tidy CSV; want a name like %s.csv, which hitoku convert reads", f.output, strings.TrimSuffix(f.output, filepath.Ext(f.output)))
	}
	if f.output != "" && len(t.Dims) == 0 {
		return i18n.Errorf("-o %s: table %s has no dimensions, so that there is nothing to call its cells by", f.output, t.Name)
	}
	withheld := WithheldCells(t)
	opt := &fill.Options{LP: f.engine.LP, Workers: f.engine.Workers}
	if cmd.Flags().Changed("seed") {
		opt.Seed = &f.seed
	}
	who := table.Intruder{}
	res, err := fill.Table(cmd.Context(), table.Publish(t, withheld, who), opt)
	switch {
	case errors.Is(err, fill.ErrNone):
		return i18n.Errorf("%s: %w", path, err)
	case err != nil && cmd.Context().Err() != nil:
		render.Say(cmd.ErrOrStderr(), t, "interrupted, nothing to report")
		return cli.Limit.Result()
	case err != nil:
		return i18n.Errorf("%s: %w", path, err)
	}
	filled := sets.Mask(t.Len(), res.Cells)
	if f.output != "" {
		if err := formats.SaveAs(private.Filled, f.output, func(w io.Writer) error { return writeFilled(w, t, res, filled) }); err != nil {
			return err
		}
	}
	d := &document.Filled{Table: t.Name, Cells: t.Len(), Nearest: res.Nearest, LP: f.engine.LP, Version: cli.Version(), Filled: []document.FilledCell{}}
	if opt.Seed != nil {
		d.Seed = opt.Seed
	}
	end := func(v *big.Rat) document.Exact { return render.Ratio(v, res.Decimals) }
	for k, i := range res.Cells {
		d.Filled = append(d.Filled, document.FilledCell{Cell: t.CellName(i), Codes: CodesOf(t, i), Value: render.Decimal(res.Value[i], res.Decimals), Lower: end(res.Lower[k]), Upper: end(res.Upper[k])})
	}
	d.Intruder = newIntruder(t, res.Cells, who)
	d.Seconds = time.Since(start).Seconds()
	if f.json {
		return document.Write(cmd.OutOrStdout(), d)
	}
	f.print(cmd.OutOrStdout(), t, res, filled)
	return render.Verdict(cmd.OutOrStdout(), supposed(d.Table, d.Intruder))
}

// writeFilled writes every cell with its number, and whether that is filled in.
func writeFilled(w io.Writer, t *table.Table, res *fill.Filled, filled []bool) error {
	out := csv.NewWriter(w)
	row := sets.List(len(t.Dims), func(d int) string { return t.Dims[d].Name })
	out.Write(append(row, "value", "flag"))
	for i := range t.Len() {
		flag := ""
		if filled[i] {
			flag = "filled"
		}
		out.Write(append(CodesOf(t, i), table.FormatDecimal(res.Value[i], res.Decimals), flag))
	}
	out.Flush()
	return out.Error()
}

// print shows the table, with a mark before numbers that are filled in.
func (f *filling) print(w io.Writer, t *table.Table, res *fill.Filled, filled []bool) {
	text := func(i int) string {
		v := table.FormatDecimal(res.Value[i], res.Decimals)
		if filled[i] {
			return "~" + v
		}
		return v
	}
	render.Tell(w, "%s\n\n", t.Name)
	if len(t.Dims) > 0 && render.FitsGrid(t) {
		render.Grid(w, t, text)
	} else {
		list := render.NewColumns(1, "cell", "value")
		for n, i := range res.Cells {
			if n == render.MaxListRows {
				break
			}
			list.Add(t.CellName(i), text(i))
		}
		list.Print(w)
	}
	if res.Nearest {
		render.Tell(w, "%s: %d of %d cells filled (~), nearest to the middles of what can be computed\n", t.Name, len(res.Cells), t.Len())
		return
	}
	render.Tell(w, "%s: %d of %d cells filled (~), not proved to be nearest to the middles of what can be computed\n", t.Name, len(res.Cells), t.Len())
}

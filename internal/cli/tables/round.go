package tables

import (
	"context"
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Kinds of rounding.
const (
	controlled   = "controlled"
	smallCounts  = "small"
	conventional = "conventional"
	randomly     = "random"
)

// roundingRun is one run of hitoku round.
type roundingRun struct {
	changing
	secret flags.Seed
}

func NewRound() *cobra.Command { return new(roundingRun).command() }

func (r *roundingRun) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "round INPUT...",
		Short: "Round a table to a base so that it still adds up, and tell what a reader learns",
		Long: `Round every cell of a table to one of its two nearest multiples of a base, multiples and empty
cells staying as they are, so that all sums still hold exactly and the table is as near to the
true one as can be (controlled rounding). Tables of two ways with at most one hierarchy are
rounded at once; others are searched by branch and cut, with the bound that is proved. Where
sensitive cells have levels, a reader who knows the base cannot place them more closely; that is
part of the search, and is audited in exact arithmetic.

Some tables of three ways have no such rounding: it is proved or said to be unknown, and
--steps lets cells lie further away. --kind small rounds inner counts below the base only;
conventional and random round cell by cell, without sums, to be compared with.

What is printed is for the office only; what -o writes may be published.`,
		Example: `  hitoku round --base 5 table.csv
  hitoku round --base 3 --kind small -o rounded.csv table.csv
  hitoku round --base 5 --below 3 --width 4 --intervals --json table.csv`,
	}
	r.runs(cmd, r)
	base := flags.Pick(r.how.Fields(), "base", "kind", "steps", "partition")
	base[0].Wanted = true
	groups := append(r.groups(), base, flags.In(flags.SearchGroup, []flags.Flag{
		{Name: "time-limit", To: &r.limit, Range: "[0, ∞)", Text: "stop after this `time`, like 30s or 10m, with the best rounding found", Else: "none"},
	}), flags.In(flags.IntruderGroup, []flags.Flag{
		{Name: "intervals", To: &r.ends, Text: "compute between which ends a reader can place every cell, not only the sensitive ones"},
	}), flags.In(flags.ReleaseGroup, []flags.Flag{
		r.secret.FileFlag(),
		{Name: "seed", To: &r.secret.Text, Excludes: []string{"seed-file"}, Text: "`text`: secret that decides all randomness, in place of --seed-file, for trials: others can read it on the command line and guess a short one"},
	}))
	flags.Declare(cmd, groups...)
	flags.Common(cmd, "--base 5", "--kind small", "--total 合計", "--intervals", "-o rounded.csv")
	return cmd
}

func (r *roundingRun) check(fs *pflag.FlagSet, args []string) error {
	given := r.secret.File != "" || r.secret.Text != ""
	switch {
	case r.how.Kind == randomly && !given:
		return r.secret.Check(append([]string{r.output}, args...)...)
	case r.how.Kind == randomly:
		if err := r.secret.Check(append([]string{r.output}, args...)...); err != nil {
			return err
		}
	case given:
		return i18n.New("nothing but --kind random is random: --seed and --seed-file are of no use")
	}
	if r.how.Kind != controlled {
		for _, name := range []string{"steps", "partition"} {
			if fs.Changed(name) && (name == "steps" || r.how.Kind != smallCounts) {
				return i18n.Errorf("--%s is of no use with --kind %s", name, r.how.Kind)
			}
		}
	}
	return r.changing.check()
}

func (r *roundingRun) do(ctx context.Context, call flags.Call, path, output string) (*changed, error) {
	return r.change(call, path, output, func(t, whole *table.Table, unit int64, limit time.Duration, progress func(integer.Progress)) (*changed, error) {
		words := call.ErrOrStderr()
		b, err := exact(t, "base", r.how.Base.String())
		if err != nil {
			return nil, err
		}
		for least := table.Pow10(t.Decimals - whole.Decimals); unit > least && (b%unit != 0 || b <= unit); { // a base may have more decimals than the values
			unit /= 10
		}
		opt := &rounding.Options{Base: b, Unit: unit, Steps: r.how.Steps, Weights: r.weights(t), Protect: true, Partitioned: r.how.Partition, LP: r.engine.LP, TimeLimit: limit, Progress: progress}
		res, reach, err := r.round(ctx, words, t, opt)
		if err != nil {
			return nil, err
		}
		d := &document.Rounding{Altered: newChange(t, r.how.Kind, res.Value, opt.Weights), Base: render.Decimal(b, t.Decimals), Allowed: res.Allowed, Steps: res.Steps, Fewer: string(res.Fewer)}
		d.Status, d.Engine, d.Nodes, d.Cuts, d.LP = string(res.Status), res.Engine, res.Nodes, res.Cuts, r.engine.LP
		if res.Engine != "" && res.Status != solver.Infeasible {
			d.Bound = weighed(t, new(big.Rat).SetInt64(res.Bound), opt.Weights)
		}
		if d.Learned, err = r.learned(ctx, words, t, res.Value, reach); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			render.Say(words, t, "interrupted before it was computed what a reader learns")
		}
		if d.Learned != nil {
			d.Learned.Intruder = newIntruder(t, sets.Upto(t.Len()), table.Intruder{Kind: r.how.Kind, Base: b, Steps: res.Allowed})
		}
		return &changed{
			doc: d, Altered: &d.Altered, line: roundingLine(d), t: t, y: res.Value,
			code: changeCode(&d.Altered, res.Status == solver.Feasible && res.Engine == rounding.Search),
		}, nil
	})
}

// round rounds t by the chosen method and returns what a reader of the result knows.
func (r *roundingRun) round(ctx context.Context, words io.Writer, t *table.Table, opt *rounding.Options) (*rounding.Result, rounding.Range, error) {
	res := &rounding.Result{Status: solver.Feasible}
	switch r.how.Kind {
	case controlled, smallCounts:
		do := rounding.Round
		if r.how.Kind == smallCounts {
			do = rounding.Small
		}
		res, err := do(ctx, t, opt)
		switch {
		case err != nil || res.Value == nil:
			return res, rounding.Range{}, err
		case r.how.Kind == smallCounts:
			return res, rounding.SmallRange(t, res.Value, opt.Base), nil
		}
		return res, rounding.Within(res.Value, rounding.Reach(opt.Base, res.Allowed, opt.Unit)), nil
	case conventional:
		if err := rounding.Whole(t); err != nil {
			return nil, rounding.Range{}, err
		}
		res.Value = rounding.Conventional(t, opt.Base)
		return res, rounding.ConventionalRange(res.Value, opt.Base, opt.Unit), nil
	}
	if err := rounding.Whole(t); err != nil {
		return nil, rounding.Range{}, err
	}
	secret, err := r.secret.Secret(words)
	if err != nil {
		return nil, rounding.Range{}, err
	}
	res.Value = rounding.Random(t, opt.Base, secret)
	return res, rounding.Within(res.Value, rounding.Reach(opt.Base, 0, opt.Unit)), nil
}

// roundingLine returns the line that sums up.
func roundingLine(d *document.Rounding) i18n.Text {
	line := i18n.T("%s: rounded to %s, %s: ", d.Table, d.Base, i18n.Term(d.Method))
	switch {
	case d.Status == "infeasible":
		return line.Plus("infeasible: no rounding %s%s", stepsWords(d.Allowed), levelsKept(d.Sensitive))
	case d.Status == "none":
		return line.Plus("none was found before a limit")
	}
	line = line.Plus("%s", changeLine(&d.Altered))
	switch {
	case d.Allowed == 0:
	case d.Fewer == "infeasible":
		line = line.Plus("\n%s: cells lie up to %d multiples beyond the two nearest; that there is no rounding with fewer is proved", d.Table, d.Steps)
	default:
		line = line.Plus("\n%s: cells lie up to %d multiples beyond the two nearest; that there is no rounding with fewer is not known", d.Table, d.Steps)
	}
	if l := d.Learned; l != nil {
		line = line.Plus("%s", intruderLine(d.Table, l.Intruder))
	}
	return line
}

// stepsWords reports which roundings are allowed.
func stepsWords(steps int) i18n.Text {
	if steps == 0 {
		return i18n.T("to the two nearest multiples adds up")
	}
	return i18n.T("within %d multiples beyond the two nearest adds up", steps)
}

func levelsKept(sensitive int) i18n.Text {
	if sensitive == 0 {
		return i18n.Text{}
	}
	return i18n.T(" and keeps the levels of the sensitive cells")
}

// changeLine reports what was changed, how close that is to the optimum, and what a reader learns.
func changeLine(d *document.Altered) i18n.Text {
	line := i18n.T("%s, distance %s", i18n.Term(d.Status), d.Distance)
	if d.Bound != "" && d.Status != "optimal" {
		line = line.Plus(" (at least %s)", d.Bound)
	}
	line = line.Plus(", %d of %d cells changed, by %s at most", d.Changed, d.Size, d.Largest)
	if d.Broken > 0 {
		line = line.Plus("; %d of %d sums do not hold", d.Broken, d.Relations)
	}
	if l := d.Learned; l != nil {
		if d.Sensitive > 0 {
			line = line.Plus(": %s", i18n.Word(string(l.Verdict)))
		}
		line = line.Plus("; %d of %d cells looked at are disclosed", l.Disclosed, len(l.Cells))
	}
	return line
}

package bench

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/lp"
)

// lpBench is one run of hitoku bench lp.
type lpBench struct {
	lp     []string
	filter string
	repeat int
	limit  time.Duration
	list   bool
	output []string
	json   bool
	quiet  bool
}

func newBenchLP() *cobra.Command {
	b := &lpBench{}
	cmd := &cobra.Command{
		Use:   "lp",
		Short: "Measure the LP back ends: time, memory, agreement",
		Long: `Give every LP back end of this build the same work, compare its answers with those
of simplex and measure how long it takes. Cases are called KIND/TABLE:

  cold       programs of an intruder, each a new model of the withheld cells
  objective  the same model, another cell or direction
  bounds     a model of all cells, some of them published or withheld anew
  master     the relaxation of a search for a pattern, growing by its cuts
  sequence   the intruder's programs of a search
  suppress   a search from its start to its proof

Repetitions go through all cases, and through all back ends in each, so that
a drift of the machine meets all alike. docs/bench.md says what is measured how.`,
		Example: `  hitoku bench lp -o lp.csv -o lp.html
  hitoku bench lp --filter '^(cold|bounds)/' --lp simplex,clp
  hitoku bench lp --list`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cases, err := b.check()
			if err != nil {
				return err
			}
			if b.list {
				for _, c := range cases {
					fmt.Fprintln(cmd.OutOrStdout(), c.Name)
				}
				return nil
			}
			return b.run(cmd, cases)
		},
	}
	flags.Declare(cmd,
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "lp", Rare: true, To: &b.lp, Split: true, Offer: lp.Backends(), Text: "back ends, `names` with commas between", Else: "all of this build, the others listed as missing"},
			{Name: "filter", To: &b.filter, Text: "only cases whose name matches this `regexp`"},
			{Name: "repeat", To: &b.repeat, Default: 10, Range: "[1, ∞)", Text: "measure every case `N` times; times are medians"},
			{Name: "limit", To: &b.limit, Default: 3 * time.Second, Text: "skip a back end where one pass through a case takes longer than this `time`, there and in the later cases of the kind"},
			{Name: "list", To: &b.list, Text: "print the names of the cases and stop"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &b.output, Files: []string{"csv", "json", "html"}, Writes: true, Only: true, Text: "write the results to this `file`: .csv, .json or .html"},
			flags.JSON(&b.json, "print one JSON document"),
			flags.Quiet(&b.quiet),
		}),
	)
	flags.Common(cmd, "--lp simplex,clp", "--filter network", "--repeat 3", "--list", "-o results.csv")
	return cmd
}

// check returns the cases asked for.
func (b *lpBench) check() ([]*bench.LPCase, error) {
	if b.limit <= 0 {
		return nil, i18n.Errorf("--limit %s: want more than 0", b.limit)
	}
	only, err := regexp.Compile(b.filter)
	if err != nil {
		return nil, i18n.Errorf("--filter: %w", err)
	}
	all := bench.LPCases()
	n := len(all)
	chosen := slices.DeleteFunc(all, func(c *bench.LPCase) bool { return !only.MatchString(c.Name) })
	if len(chosen) == 0 {
		return nil, i18n.Errorf("--filter %s: none of %d cases matches; --list prints them", b.filter, n)
	}
	return chosen, nil
}

func (b *lpBench) run(cmd *cobra.Command, cases []*bench.LPCase) error {
	o := &bench.LPOptions{Backends: b.lp, Repeat: b.repeat, Limit: b.limit, Version: cli.Version()}
	if words := cmd.ErrOrStderr(); !b.quiet && render.ShowsProgress(words) {
		next := time.Now()
		o.Progress = func(repetition int, name string) {
			if now := time.Now(); now.After(next) {
				next = now.Add(render.Pause)
				round := "trial round"
				if repetition > 0 {
					round = fmt.Sprintf("repetition %d of %d", repetition, b.repeat)
				}
				fmt.Fprintf(words, "%s: %s\n", round, name)
			}
		}
	}
	r, err := bench.RunLP(cmd.Context(), cases, o)
	if none := (*lp.BackendError)(nil); errors.As(err, &none) {
		return i18n.Errorf("%s", flags.Lacking(none))
	}
	if err != nil {
		return err
	}
	if b.json {
		err = bench.WriteLP(cmd.OutOrStdout(), "json", r)
	} else {
		err = printLP(cmd.OutOrStdout(), r)
	}
	if err != nil {
		return err
	}
	if err := b.save(r); err != nil {
		return err
	}
	code := cli.Done
	if r.Differ() > 0 {
		code = cli.Verdict
	}
	if r.Done < r.Repeat {
		cli.Note(cmd.ErrOrStderr(), "interrupted after %d of %d repetitions", r.Done, r.Repeat)
		code = cli.Worst(code, cli.Limit)
	}
	return code.Result()
}

func (b *lpBench) save(r *bench.LPReport) error {
	return saveBench(b.output, r, bench.WriteLP, func(w io.Writer, r *bench.LPReport) error { return report.LP(w, cli.Speaks().Tag, &r.BenchLP) })
}

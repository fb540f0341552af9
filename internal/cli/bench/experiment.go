package bench

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/sets"
)

// experiment is one run of hitoku experiment.
type experiment struct {
	*bench.Experiment
	engine     flags.Engine
	sizes      []string
	convention string
	match      string
	empty      string
	defences   []string
	counting   string
	beyond     bool
	json       bool
	quiet      bool
	output     string
	csv        string
}

// beyond are the settings of --beyond.
var beyond = []struct{ flag, value string }{
	{"sizes", "8,9,10,11,12,3x3x3,4x4x4,5x5x5"}, {"tables", "20"}, {"cost", "count,value"}, {"defence", "none,simulatable,quantised"}, {"count", "none"}, {"time-limit", "10s"},
}

// beyondWords returns the settings of --beyond as flags.
func beyondWords() string {
	var words []string
	for _, s := range beyond {
		words = append(words, "--"+s.flag+" "+s.value)
	}
	return strings.Join(words, " ")
}

// defenceNames returns the values of --defence.
func defenceNames() (names []string) {
	for _, d := range bench.Defences() {
		names = append(names, string(d))
	}
	return names
}

// countings are the values of --count.
var countings = map[string]attack.Counting{"auto": attack.CountAuto, "all": attack.CountAll, "none": attack.CountNone}

func NewExperiment() *cobra.Command {
	e := &experiment{Experiment: bench.DefaultExperiment()}
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Measure on random tables how much the matching attack narrows",
		Long: `Draw random frequency tables, withhold a canonical cheapest pattern of each, let
an intruder rerun that procedure on every table that agrees with what is published,
and count the sensitive cells whose effective interval is narrower than required.
Without flags that is the experiment of Minami (2024), with the figures printed
there beside those found. docs/experiment.md defines everything exactly.`,
		Example: `  hitoku experiment --match both -o experiment.html
  hitoku experiment --sizes 4,5 --tables 1000 --csv cells.csv
  hitoku experiment --sizes 8,3x3x3 --cost value --time-limit 10s --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := e.check(cmd.Flags()); err != nil {
				return err
			}
			return e.run(cmd)
		},
	}
	conventions := sets.Each(bench.Conventions(), bench.Convention.String)
	flags.Declare(cmd,
		flags.In(flags.DrawnGroup, []flags.Flag{
			{Name: "sizes", To: &e.sizes, Default: []string{"4", "5", "6", "7"}, Split: true, Text: "`shapes` of the tables without margins: 4 for 4x4, 4x6, 3x3x3"},
			{Name: "tables", To: &e.Tables, Text: "draw `N` tables of each shape; fewer are a prefix of more"},
			{Name: "seed", To: &e.Seed, Text: "seed `N` of the tables, and of random defences"},
			{Name: "convention", Rare: true, To: &e.convention, From: conventions, Default: conventions[0], Text: "how deviates become counts and whether zeros are sensitive", More: "See [experiment.md](experiment.md)"},
			{Name: "mean", Rare: true, To: &e.Mean, Text: "`mean` of the normal distribution"},
			{Name: "sd", Rare: true, To: &e.SD, Text: "its standard `deviation`"},
			{Name: "empty", Rare: true, To: &e.empty, From: []string{"redraw", "keep"}, Default: "redraw", Text: "draw tables without sensitive cells again, or keep them"},
			{Name: "beyond", Rare: true, To: &e.beyond, Text: "settings beyond the source, each unless its flag is given: " + beyondWords()},
		}),
		flags.In(flags.RulesGroup, []flags.Flag{
			{Name: "below", To: &e.Below, Text: "a cell is sensitive if 1 ≤ count < `N`"},
		}),
		flags.In(flags.LevelsGroup, []flags.Flag{
			{Name: "width", To: &e.Width, Text: "interval width `W` that each sensitive cell needs"},
		}),
		flags.In(flags.CostsGroup, []flags.Flag{
			{Name: "cost", To: &e.Costs, Split: true, Offer: []string{"count", "value", "count,value"}, Text: "`price` of a withheld cell: count or value, or both"},
		}),
		flags.In(flags.DefenceGroup, []flags.Flag{
			{Name: "defence", To: &e.defences, Default: []string{string(bench.NoDefence)}, Split: true, Offer: defenceNames(), Text: "what the office does, one or several `words` of " + strings.Join(defenceNames(), ", ")},
		}),
		flags.In(flags.IntruderGroup, []flags.Flag{
			{Name: "match", To: &e.match, From: []string{"any", "exact", "both"}, Default: "any", Text: "a candidate matches if the pattern is a cheapest one for it (any), or the canonical one (exact)"},
			{Name: "count", To: &e.counting, From: []string{"auto", "all", "none"}, Default: "auto", Text: "decide every candidate, or only as many as the intervals need (auto: all while they are few)"},
		}),
		e.engine.Group(),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &e.TimeLimit, Range: "[0, ∞)", Text: "stop the office's search and each attack of a table after this `time`, like 30s", Else: "none"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &e.output, Files: []string{"html"}, Writes: true, Only: true, Text: "write a page with the figures and their plots to this .html `file`"},
			{Name: "csv", To: &e.csv, Files: []string{"csv", "csv.gz"}, Writes: true, Only: true, Text: "write every withheld cell of every attack to this .csv `file`"},
			flags.JSON(&e.json, "print one JSON document"),
			flags.Quiet(&e.quiet),
		}),
	)
	flags.Common(cmd, "--sizes 4,5x6", "--tables 1000", "--seed 7", "--match exact", "-o page.html")
	return cmd
}

// check turns the flags into settings.
func (e *experiment) check(fs *pflag.FlagSet) (err error) {
	for _, setting := range beyond {
		if e.beyond && !fs.Changed(setting.flag) {
			if err := fs.Set(setting.flag, setting.value); err != nil {
				return err
			}
		}
	}
	e.Shapes = nil
	for _, s := range e.sizes {
		shape, err := bench.ParseShape(s)
		if err != nil {
			return i18n.Errorf("--sizes: %w", err)
		}
		if len(shape) == 1 { // n means n×n
			shape = append(shape, shape[0])
		}
		e.Shapes = append(e.Shapes, shape)
	}
	all := bench.Conventions() // the flag takes only their names
	e.Convention = all[slices.IndexFunc(all, func(c bench.Convention) bool { return c.String() == e.convention })]
	if e.Matches, err = matches(e.match); err != nil {
		return err
	}
	e.Defences = nil
	for _, name := range e.defences {
		e.Defences = append(e.Defences, bench.Defence(name))
	}
	e.KeepEmpty = e.empty == "keep"
	e.Count = countings[e.counting]
	e.LP, e.Workers, e.Version = e.engine.LP, e.engine.Workers, cli.Version()
	return e.engine.Check()
}

func (e *experiment) run(cmd *cobra.Command) error {
	if words := cmd.ErrOrStderr(); !e.quiet && render.ShowsProgress(words) {
		e.Progress = (&batchProgress{w: words}).show
	}
	r, err := e.Run(cmd.Context())
	if err != nil {
		return err
	}
	if e.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		printExperiment(cmd.OutOrStdout(), r)
	}
	if err == nil && e.output != "" {
		err = formats.SaveAs(private.Drawn, e.output, func(w io.Writer) error { return report.Experiment(w, cli.Speaks().Tag, &r.Experiment) })
	}
	if err == nil && e.csv != "" {
		err = formats.SaveAs(private.Drawn, e.csv, r.WriteCells)
	}
	switch {
	case err != nil:
		return err
	case !r.Complete:
		cli.Note(cmd.ErrOrStderr(), "interrupted; the figures are those of the tables done")
		return cli.Limit
	}
	return nil
}

// matches reads "any", "exact" or "both".
func matches(s string) ([]attack.Match, error) {
	switch s {
	case "any":
		return []attack.Match{attack.Any}, nil
	case "exact":
		return []attack.Match{attack.Exact}, nil
	case "both":
		return []attack.Match{attack.Any, attack.Exact}, nil
	}
	return nil, i18n.Errorf("match %q: want any, exact or both", s)
}

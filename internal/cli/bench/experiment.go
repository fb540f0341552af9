package bench

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/report"
	"github.com/hitoku/hitoku/table/tableio"
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

// beyondWords lists them as flags.
func beyondWords() string {
	var words []string
	for _, s := range beyond {
		words = append(words, "--"+s.flag+" "+s.value)
	}
	return strings.Join(words, " ")
}

// defenceNames lists the words of --defence.
func defenceNames() (names []string) {
	for _, d := range bench.Defences() {
		names = append(names, string(d))
	}
	return names
}

// countings are the words of --count.
var countings = map[string]attack.Counting{"auto": attack.CountAuto, "all": attack.CountAll, "none": attack.CountNone}

// NewExperiment is hitoku experiment.
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := e.check(cmd.Flags()); err != nil {
				return err
			}
			return e.run(cmd)
		},
	}
	var conventions []string
	for _, c := range bench.Conventions() {
		conventions = append(conventions, c.String())
	}
	f := cmd.Flags()
	f.StringSliceVar(&e.sizes, "sizes", []string{"4", "5", "6", "7"}, "`shapes` of the tables without margins: 4 for 4x4, 4x6, 3x3x3")
	f.IntVar(&e.Tables, "tables", e.Tables, "number of tables of each shape; fewer are a prefix of more")
	f.Uint64Var(&e.Seed, "seed", e.Seed, "seed of the tables, and of random defences")
	e.match = "any"
	f.Var(flags.Choice(&e.match, []string{"any", "exact", "both"}), "match", "a candidate matches if the pattern is a cheapest one for it (any), or the canonical one (exact)")
	e.convention = conventions[0]
	f.Var(flags.Choice(&e.convention, conventions), "convention", "how deviates become counts and whether zeros are sensitive")
	f.Float64Var(&e.Mean, "mean", e.Mean, "mean of the normal distribution")
	f.Float64Var(&e.SD, "sd", e.SD, "its standard deviation")
	f.Int64Var(&e.Below, "below", e.Below, "a cell is sensitive if 1 ≤ count < `N`")
	f.Int64Var(&e.Width, "width", e.Width, "interval width each sensitive cell needs")
	e.empty = "redraw"
	f.Var(flags.Choice(&e.empty, []string{"redraw", "keep"}), "empty", "draw tables without sensitive cells again, or keep them")
	f.StringSliceVar(&e.Costs, "cost", e.Costs, "price of a withheld cell: count or value, or both")
	f.StringSliceVar(&e.defences, "defence", []string{string(bench.NoDefence)}, "what the office does, one or several of "+strings.Join(defenceNames(), ", "))
	e.counting = "auto"
	f.Var(flags.Choice(&e.counting, []string{"auto", "all", "none"}), "count", "decide every candidate, or only as many as the intervals need (auto: all while they are few)")
	f.BoolVar(&e.beyond, "beyond", false, "settings beyond the source, each unless its flag is given: "+beyondWords())
	e.engine.Add(cmd)
	f.DurationVar(&e.TimeLimit, "time-limit", 0, "stop the office's search and each attack of a table after this time, like 30s (default: none)")
	f.BoolVar(&e.json, "json", false, "print one JSON document")
	f.StringVarP(&e.output, "output", "o", "", "write a page with the figures and their plots to this .html `file`")
	f.StringVar(&e.csv, "csv", "", "write every withheld cell of every attack to this .csv `file`")
	f.BoolVarP(&e.quiet, "quiet", "q", false, "no progress on a terminal")
	flags.Complete(cmd, "match", "any", "exact", "both")
	flags.Complete(cmd, "convention", conventions...)
	flags.Complete(cmd, "empty", "redraw", "keep")
	flags.Complete(cmd, "cost", "count", "value", "count,value")
	flags.Complete(cmd, "defence", defenceNames()...)
	flags.Complete(cmd, "count", "auto", "all", "none")
	flags.CompleteFiles(cmd, "output", "html")
	flags.CompleteFiles(cmd, "csv", "csv", "csv.gz")
	return cmd
}

// check turns the flags into settings.
func (e *experiment) check(fs *pflag.FlagSet) (err error) {
	switch {
	case e.TimeLimit < 0:
		return fmt.Errorf("--time-limit %s: want 0 or more", e.TimeLimit)
	case e.output != "" && !strings.HasSuffix(e.output, ".html"):
		return fmt.Errorf("-o %s: want a name that ends in .html", e.output)
	case e.csv != "" && !strings.HasSuffix(strings.TrimSuffix(e.csv, ".gz"), ".csv"):
		return fmt.Errorf("--csv %s: want a name that ends in .csv or .csv.gz", e.csv)
	}
	for _, setting := range beyond {
		if e.beyond && !fs.Changed(setting.flag) {
			if err := fs.Set(setting.flag, setting.value); err != nil {
				return err
			}
		}
	}
	e.Shapes = nil
	for _, s := range e.sizes {
		shape, err := bench.ParseExperimentShape(s)
		if err != nil {
			return fmt.Errorf("--sizes: %w", err)
		}
		e.Shapes = append(e.Shapes, shape)
	}
	if e.Convention, err = bench.ParseConvention(e.convention); err != nil {
		return err
	}
	if e.Matches, err = bench.ParseMatches(e.match); err != nil {
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
		err = printExperiment(cmd.OutOrStdout(), r)
	}
	if err == nil && e.output != "" {
		err = tableio.Save(e.output, func(w io.Writer) error { return report.Experiment(w, &r.Experiment) })
	}
	if err == nil && e.csv != "" {
		err = tableio.Save(e.csv, r.WriteCells)
	}
	switch {
	case err != nil:
		return err
	case !r.Complete:
		fmt.Fprintln(cmd.ErrOrStderr(), "hitoku: interrupted; the figures are those of the tables done")
		return cli.Limit
	}
	return nil
}

package bench

import (
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// cspBench is one run of hitoku bench csp.
type cspBench struct {
	inputs    flags.Input
	rules     flags.Rules
	engine    flags.Engine
	limit     time.Duration
	gap       float64
	canonical bool
	verify    bool
	repeat    int
	tables    int
	filter    string
	compare   bool
	output    []string
	json      bool
	quiet     bool

	recorded []string // flags that change the tables
}

func newBenchCSP() *cobra.Command {
	b := &cspBench{}
	cmd := &cobra.Command{
		Use:   "csp [FAMILY|TABLE|FILE|DIRECTORY]...",
		Short: "Measure cell suppression: time, nodes, cuts, bounds and memory",
		Long: `Protect tables and measure how long it takes, what it costs and how good the
bound is. Every pattern is audited. Instances are

  fs, mag, n1510  every table of a family (docs/bench.md lists them)
  drawn           20 tables of each of nine kinds, of seeds that nothing was tuned on
  batch6          10,000 tables of 6x6 cells, one after another on one processor
  20x20-fs-7      one drawn table: shape, family, seed; 20x20-fs-1..9 several
  FILE            a table, read as suppress does
  DIRECTORY       the JJ files in it and below

With --compare, the two arguments are files of results, the old one first.`,
		Example: `  hitoku bench csp mag --time-limit 60s -o mag.csv -o mag.html
  hitoku bench csp instances/ --filter '2d.*fs' --repeat 5
  hitoku bench csp batch6 --tables 1000
  hitoku bench csp --compare old.csv mag.csv`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return families(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := b.check(args); err != nil {
				return err
			}
			if b.compare {
				return b.sideBySide(cmd, args)
			}
			instances, err := b.instances(cmd, args)
			if err != nil {
				return err
			}
			return b.run(cmd, instances)
		},
	}
	tables := []flags.Group{b.inputs.Group(), b.inputs.LayoutGroup(), b.rules.Flags(flags.Below, flags.Levels, flags.Margins, flags.Cost)}
	for _, g := range tables {
		b.recorded = append(b.recorded, g.Names()...)
	}
	slices.Sort(b.recorded)
	flags.Declare(cmd, append(tables,
		b.engine.Group(),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "repeat", To: &b.repeat, Default: 1, Range: "[1, ∞)", Text: "solve each table `N` times; times are medians"},
			{Name: "tables", To: &b.tables, Range: "[2, ∞)", Text: "`number` of tables of batch6", Else: "10000"},
			{Name: "filter", To: &b.filter, Text: "only instances whose name matches this `regexp`"},
			{Name: "verify", To: &b.verify, Text: "record and verify the certificate of every table's first solve, whose time has the recording in it"},
			{Name: "compare", To: &b.compare, Text: "compare two files of results, old and new, instead of solving"},
		}),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &b.limit, Default: 2 * time.Minute, Range: "[0, ∞)", Text: "stop each solve after this `time`, like 30s or 10m; 0 means never"},
			{Name: "gap", To: &b.gap, Text: "stop once (cost − bound)/cost is at most `G`; 0 proves optimality"},
			{Name: "canonical", Rare: true, To: &b.canonical, Text: "of all cheapest patterns the one that publishes the first cell where two differ"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &b.output, Files: []string{"csv", "json", "jsonl", "html"}, Writes: true, Only: true, Text: "write the results to this `file`: .csv, .json, .jsonl or .html", More: "A .json file is an array, a .jsonl file has a document a line"},
			flags.JSON(&b.json, "print one JSON document an instance"),
			flags.Quiet(&b.quiet),
		}),
	)...)
	flags.Common(cmd, "--time-limit 60s", "--repeat 5", "--filter '2d.*fs'", "--compare", "-o results.csv")
	return cmd
}

// families returns the names that the command accepts for several instances at once.
func families() []string { return append(bench.Families(), "batch6") }

func (b *cspBench) check(args []string) error {
	switch {
	case b.compare && len(args) != 2:
		return i18n.Errorf("--compare takes two files of results, the old one first, not %d", len(args))
	case !b.compare && len(args) == 0:
		return i18n.Errorf("bench csp: nothing to measure; want families (%s), tables like 20x20-fs-7, files or directories",
			strings.Join(families(), ", "))
	case !(b.gap >= 0 && b.gap < 1):
		return i18n.Errorf("--gap %g: want a value in [0, 1)", b.gap)
	}
	for _, path := range b.output {
		if b.compare && !strings.HasSuffix(path, ".html") {
			return i18n.Errorf("-o %s: a comparison is written to .html only; --json prints it", path)
		}
	}
	if err := b.rules.Check(); err != nil {
		return err
	}
	return b.engine.Check()
}

// instances finds the instances that args and --filter name.
func (b *cspBench) instances(cmd *cobra.Command, args []string) ([]bench.Instance, error) {
	only, err := regexp.Compile(b.filter)
	if err != nil {
		return nil, i18n.Errorf("--filter: %w", err)
	}
	words := cmd.ErrOrStderr()
	source := bench.Source{
		Tables: b.tables,
		Read: func(path string) (*table.Table, error) {
			in, err := b.inputs.Read(cmd, path, &b.rules)
			if err != nil {
				return nil, err
			}
			return in.Table, b.rules.Apply(in, words)
		},
		Prepare: func(t *table.Table) error {
			_, err := protect.Prepare([]protect.Input{{Table: t}}, b.rules.Policy, flags.RuleOptions(words))
			return flags.Flagged(err)
		},
	}
	all, err := source.Find(args)
	if err != nil {
		return nil, err
	}
	n := len(all)
	chosen := slices.DeleteFunc(all, func(in bench.Instance) bool { return !only.MatchString(in.Name) })
	if len(chosen) == 0 {
		return nil, i18n.Errorf("--filter %s: none of %d instances matches", b.filter, n)
	}
	return chosen, nil
}

// run measures one instance after another until an interrupt. The requested files are rewritten after each instance, so
// that a run that is killed leaves its results up to then.
func (b *cspBench) run(cmd *cobra.Command, instances []bench.Instance) error {
	stdout := cmd.OutOrStdout()
	var results []*bench.Result
	asked := sets.Each(instances, func(in bench.Instance) string { return in.Name })
	lines := newResultLines(stdout, asked)
	code := cli.EachInput(cmd, asked, false, func(n int) (cli.Code, error) {
		r, err := bench.Run(cmd.Context(), &instances[n], b.options(cmd))
		if err != nil {
			return 0, err
		}
		results = append(results, r)
		if b.json {
			err = bench.Write(stdout, "jsonl", results[len(results)-1:])
		} else {
			err = lines.print(r)
		}
		if err == nil {
			err = b.save(results)
		}
		switch {
		case err != nil:
			return 0, err
		case r.Audit == string(interval.Unprotected) || r.Certificate == "refuted":
			return cli.Verdict, nil
		case cmd.Context().Err() != nil:
			return cli.Limit, nil
		}
		return cli.Done, nil
	})
	if !b.json {
		if err := printTotals(stdout, results); err != nil {
			return err
		}
	}
	return code
}

// options returns the options for one instance.
func (b *cspBench) options(cmd *cobra.Command) *bench.Options {
	o := &bench.Options{
		Solver: solver.Options{LP: b.engine.LP, Workers: b.engine.Workers, TimeLimit: b.limit, Gap: b.gap, Canonical: b.canonical, Certificate: b.verify},
		Repeat: b.repeat, Rules: b.changed(cmd.Flags()), Version: cli.Version(),
	}
	if words := cmd.ErrOrStderr(); !b.quiet && render.ShowsProgress(words) {
		o.Solver.Progress = (&render.SearchProgress{W: words}).Show
		o.Started = func(t *table.Table) {
			render.Tell(words, "table %s   %d cells, %d relations, %d sensitive\n", t.Name, t.Len(), t.Rel.Len(), render.CountSensitive(t))
		}
		o.Done = (&batchProgress{w: words}).show
	}
	return o
}

// changed lists the given flags that change the tables, for the record.
func (b *cspBench) changed(fs *pflag.FlagSet) string {
	var given []string
	for _, name := range b.recorded {
		if f := fs.Lookup(name); f.Changed {
			given = append(given, "--"+name+"="+f.Value.String())
		}
	}
	return strings.Join(given, " ")
}

// save writes the results to every file asked for.
func (b *cspBench) save(results []*bench.Result) error {
	return saveBench(b.output, results, bench.Write, func(w io.Writer, r []*bench.Result) error { return report.Bench(w, cli.Speaks().Tag, r) })
}

// saveBench writes the results of a benchmark to files, as data or as a page by the name of each file.
func saveBench[R any](paths []string, r R, data func(io.Writer, string, R) error, page func(io.Writer, R) error) error {
	for _, path := range paths {
		err := formats.SaveAs(private.Drawn, path, func(w io.Writer) error {
			switch ext := filepath.Ext(path); ext {
			case ".json", ".jsonl", ".csv":
				return data(w, ext[1:], r)
			}
			return page(w, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

package risk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
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
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/stargroups"
	_ "github.com/hitoku/hitoku/lp/simplex" // which solves it
	"github.com/hitoku/hitoku/risk"
)

// withhold is hitoku risk withhold.
type withhold struct {
	microFlags
	goals
	entity    string
	weights   []string
	untouched []string
	distance  []string
	nodes     int
	path      string
	order     orderFlags
	asked     bool // the integer program was searched
}

func newRiskWithhold() *cobra.Command {
	w := &withhold{}
	cmd := &cobra.Command{
		Use:   "withhold FILE --qi COLUMNS --min-k K",
		Short: "Withhold as few values as possible so that each record agrees with k−1 others",
		Long: `Values of quasi-identifiers are replaced by * until every record has the same
quasi-identifiers as k−1 others, and those that agree are as diverse (--min-l, --min-entropy-l) and as
close to all (--max-t) as asked for. * agrees with * alone, also with those of the input, so that k, l and t
are those of the file as it is written. As few values as possible are withheld, or such as cost least by
--weights: a bound says below which number no choice gets. Tables of up to 64 records are searched in full,
through --nodes nodes; of others an integer program is solved by branch and bound over linear programs, where
these have at most 200,000 columns. Each bound is proved in whole numbers.`,
		Example: `  hitoku risk withhold persons.csv --qi region,age,sex --min-k 3 -o release.csv
  hitoku risk withhold persons.csv --qi region,age,sex --sensitive disease --min-k 3 --min-l 2 --max-t 0.3 --weights age=2 --untouched sex`,
		RunE: named(w.run),
	}
	flags.Declare(cmd,
		w.records([]string{"own", "drop", "suppressed"}, w.beside.sensitive(),
			flags.Flag{Name: "entity", To: &w.entity, Text: "`column` with the id of the person: a record is to agree with those of k−1 other persons; it is not written"}),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "weights", To: &w.weights, Split: true, Text: "`COLUMN=W,...`: what a value withheld costs, a whole number", Else: "1"},
			{Name: "untouched", To: &w.untouched, Split: true, Text: "`columns` in which no value is withheld"},
			{Name: "nodes", Rare: true, To: &w.nodes, Default: 1000000, Range: "[0, ∞)", Text: "search through at most `N` nodes; of integer programs at most 5,000, in about half a minute at most"},
		}),
		flags.In(flags.MeasureGroup, []flags.Flag{distanceFlag(&w.distance)}),
		w.group(flags.Flag{Wanted: true, Text: "the k to reach (`number`)"}),
		flags.In(flags.OutputGroup, append(w.order.list(), []flags.Flag{
			outputFlag(&w.path, false),
			w.out.flag(),
		}...)),
	)
	flags.Common(cmd, "--qi region,age,sex", "--min-k 3", "--drop name", "-o release.csv", "--json")
	return cmd
}

func (w *withhold) run(cmd *cobra.Command, args []string) error {
	if w.path != "" {
		if err := readTwice(args); err != nil {
			return err
		}
	}
	p, err := w.goal()
	if err != nil {
		return err
	}
	columns := slices.Concat(w.qi, w.measured())
	if w.entity != "" {
		columns = append(columns, w.entity)
	}
	c, err := scan(cmd, &w.microFlags, args, columns, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(columns)) })
	if err != nil {
		return err
	}
	if w.entity != "" {
		w.beside.drop = append(w.beside.drop, w.entity)
	}
	before, err := w.sensitive(c)
	if err != nil {
		return err
	}
	k, err := before.KAnonymity(cmd.Context(), w.mode(), 0)
	if err != nil {
		return err
	}
	doc := &document.Withhold{Records: k.Records, Before: riskdoc.Defined(k.K), Output: w.path, Sensitive: w.measured(), Entity: w.entity, Untouched: w.untouched,
		MissingValues: riskdoc.Missing(w.mode(), k.Excluded, k.WithMissing, k.AllMissing), Columns: []document.WithheldColumn{}}
	d := w.start(doc, &doc.Microdata, "withhold", args, k.Records)
	if k.Records == 0 {
		return d.print(cmd, &w.out)
	}
	r, err := c.Withhold(cmd.Context(), w.mode(), p)
	if errors.Is(err, risk.ErrUnreachable) {
		doc.Status = "infeasible"
		if err := d.print(cmd, &w.out); err != nil {
			return err
		}
		if k.Records < w.minK {
			cli.Note(cmd.ErrOrStderr(), "%d records are fewer than k = %d; nothing is written", k.Records, w.minK)
		} else {
			cli.Note(cmd.ErrOrStderr(), "even with every value withheld that may be the goal is missed; nothing is written")
		}
		return cli.Verdict
	}
	if err != nil {
		return err
	}
	switch {
	case r.Optimal:
	case w.asked || w.nodes <= 0:
		cli.Note(cmd.ErrOrStderr(), "the limit of counted work or of --nodes ended the search before the fewest values were proved: the bound is proved, the values withheld are the best found")
	default:
		cli.Note(cmd.ErrOrStderr(), "the integer program has more than 200,000 columns and was not searched: the bound is that of records one by one; fewer --qi, or coarser values (hitoku risk generalise) first, make it smaller")
	}
	doc.Cells, doc.Touched = document.Some(r.Cells), document.Some(r.Touched)
	doc.Share = document.Some(float64(r.Cells) / float64(r.Records) / float64(len(w.qi)))
	proved := map[bool]string{true: "proved", false: "not proved"}[r.Optimal]
	d.words["optimal"], d.words["cheapest"] = proved, proved
	if len(w.weights) == 0 {
		doc.Bound, doc.Optimal = document.Some(r.Bound), document.Some(r.Optimal)
	} else {
		doc.Cost, doc.CostBound, doc.Cheapest = document.Some(r.Cost), document.Some(r.Bound), document.Some(r.Optimal)
	}
	t := render.NewColumns(1, "column", "values withheld")
	for k, n := range r.ByColumn {
		doc.Columns = append(doc.Columns, document.WithheldColumn{Column: w.qi[k], Cells: n})
		t.Add(w.qi[k], fmt.Sprint(n))
	}
	d.list(t)
	if err := w.judge(cmd.Context(), d, r.Released()); err != nil {
		return err
	}
	if w.path != "" {
		if err := w.save(cmd, args[0], doc, r); err != nil {
			return err
		}
	}
	return d.print(cmd, &w.out)
}

// measured returns the sensitive columns that a limit is about.
func (w *withhold) measured() []string {
	if !w.diverse() {
		return nil
	}
	return w.beside.unknown
}

// goal returns the goal set by the flags.
func (w *withhold) goal() (p risk.Withholding, err error) {
	p = risk.Withholding{Goal: w.goals.goal(), Columns: len(w.qi), Entity: w.entity != "", Nodes: w.nodes, Solve: w.solve}
	if p.Distances, err = distances(w.distance, w.measured()); err != nil {
		return p, err
	}
	if len(w.weights) > 0 {
		p.Costs = slices.Repeat([]uint64{1}, len(w.qi))
	}
	for _, text := range w.weights {
		k, n, err := ofColumn("weights", text, w.qi)
		if err != nil {
			return p, err
		}
		if p.Costs[k], err = strconv.ParseUint(n[0], 10, 32); err != nil || len(n) > 1 {
			return p, i18n.Errorf("--weights %s: want COLUMN=W, a whole number", text)
		}
	}
	p.Kept = make([]bool, len(w.qi))
	for _, name := range w.untouched {
		k := slices.Index(w.qi, name)
		if k < 0 {
			return p, i18n.Errorf("--%s %s: %s is not among the columns %s", "untouched", name, name, strings.Join(w.qi, ", "))
		}
		p.Kept[k] = true
	}
	return p, nil
}

// sensitive counts records by quasi-identifiers and the sensitive columns that a limit is about.
func (w *withhold) sensitive(c *risk.Classes) (*risk.Sensitive, error) {
	columns, err := risk.NewColumns(slices.Concat(w.qi, w.measured())...)
	if err != nil {
		return nil, err
	}
	s := risk.NewSensitive(columns, len(w.qi))
	for g := range c.Len() {
		if err := s.Add(c.Size(g), c.Tuple(g)[:len(columns.Names())]...); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// judge measures the release and compares it with the limits.
func (w *withhold) judge(ctx context.Context, d *microMeasure, c *risk.Classes) error {
	s, err := w.sensitive(c)
	if err != nil {
		return err
	}
	k, err := w.released(ctx, s, c)
	if err != nil {
		return err
	}
	d.atLeast("min-k", w.minK, k)
	if len(w.measured()) == 0 {
		return nil
	}
	list, err := distances(w.distance, w.measured())
	if err != nil {
		return err
	}
	all, err := release.Worst(ctx, s, risk.Missing{Markers: w.markers}, list)
	if err != nil {
		return err
	}
	least, entropy, t := all[0].L, all[0].E, all[0].T
	for _, x := range all {
		least, entropy = min(least, x.L), min(entropy, x.E)
		if x.T.Cmp(t) > 0 {
			t = x.T
		}
	}
	w.goals.judge(d, least, entropy, t)
	return nil
}

// released returns k of the release: by records, or by the persons that share quasi-identifiers.
func (w *withhold) released(ctx context.Context, s *risk.Sensitive, c *risk.Classes) (uint64, error) {
	if w.entity == "" {
		k, err := s.KAnonymity(ctx, risk.Missing{}, 0)
		if err != nil {
			return 0, err
		}
		return k.K, nil
	}
	columns, err := risk.NewColumns(append(slices.Clone(w.qi), w.entity)...)
	if err != nil {
		return 0, err
	}
	e := risk.NewEntities(columns)
	for g := range c.Len() {
		tuple := c.Tuple(g)
		if err := e.Add(c.Size(g), append(tuple[:len(w.qi):len(w.qi)], tuple[len(tuple)-1])...); err != nil {
			return 0, err
		}
	}
	k, err := e.KAnonymity(ctx, risk.Missing{Markers: w.markers}, 0)
	if err != nil {
		return 0, err
	}
	return k.LeastPerTuple, nil
}

// programWork limits the search of an integer program. Without it, files of some thousand records took a minute and
// more, to save a value or two of thousands.
const programWork = 15 * time.Second

// solve looks for a better solution through the given number of nodes, at most some thousands.
func (w *withhold) solve(ctx context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
	w.asked = true
	return stargroups.Solve(ctx, p, stargroups.Limits{Nodes: min(w.nodes, 5000), Iterations: 100_000, Work: programWork})
}

// save writes the file, unless another column identifies the records.
func (w *withhold) save(cmd *cobra.Command, path string, doc *document.Withhold, r *risk.Suppression) error {
	doc.SetWritten(len(w.beside.found) == 0)
	if len(w.beside.found) > 0 {
		cli.Note(cmd.ErrOrStderr(), "nothing is written")
		return nil
	}
	rng, err := w.order.rng(cmd, path, w.path)
	if err != nil {
		return err
	}
	return formats.SaveAs(private.Release, w.path, func(out io.Writer) error {
		return r.Write(cmd.Context(), out, path, w.layout(), slices.Clone(w.beside.drop), rng)
	})
}

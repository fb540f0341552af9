package risk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/stargroups"
	_ "github.com/hitoku/hitoku/lp/simplex" // which solves it
	"github.com/hitoku/hitoku/risk"
)

// withhold is hitoku risk withhold.
type withhold struct {
	microFlags
	minK  uint64
	nodes int
	path  string
	order orderFlags
}

func newRiskWithhold() *cobra.Command {
	w := &withhold{}
	cmd := &cobra.Command{
		Use:   "withhold FILE --qi COLUMNS --min-k K",
		Short: "Withhold as few values as possible so that each record agrees with k−1 others",
		Long: `Values of quasi-identifiers are replaced by * until every record has the same
quasi-identifiers as k−1 others; * agrees with * alone, so that k is that of the file as it
is written. As few values as possible are withheld: a bound says below which number no choice
gets. Tables of up to 64 records are searched in full, through --nodes nodes; of others an
integer program is solved by branch and bound over linear programs, where these have at most 200,000
columns. Each bound is proved in whole numbers.`,
		Example: `  hitoku risk withhold persons.csv --qi region,age,sex --min-k 3 -o release.csv`,
		RunE:    named(w.run),
	}
	flags.Declare(cmd,
		w.records([]string{"own", "drop", "suppressed"}, w.beside.sensitive()),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "nodes", Rare: true, To: &w.nodes, Default: 1000000, Range: "[0, ∞)", Text: "search through at most `N` nodes; of integer programs at most 5,000"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "min-k", To: &w.minK, Wanted: true, Text: "the k to reach (`number`)"},
		}),
		flags.In(flags.OutputGroup, append(w.order.list(), []flags.Flag{
			{Name: "output", Short: "o", To: &w.path, Files: []string{"csv"}, Writes: true, Text: "`file` to write, compressed if it ends in .gz; it is complete or untouched"},
			w.out.flag(),
		}...)),
	)
	flags.Common(cmd, "--qi region,age,sex", "--min-k 3", "--drop name", "-o release.csv", "--json")
	return cmd
}

func (w *withhold) run(cmd *cobra.Command, args []string) error {
	if w.path != "" && (len(args) != 1 || args[0] == "-" || flags.IsParquet(args[0])) {
		return i18n.New("-o wants one CSV file, which is read twice")
	}
	c, err := w.readClasses(cmd, args)
	if err != nil {
		return err
	}
	before, err := c.KAnonymity(cmd.Context(), w.mode(), 0)
	if err != nil {
		return err
	}
	doc := &document.Withhold{Records: before.Records, Before: riskdoc.Defined(before.K), Output: w.path,
		MissingValues: riskdoc.Missing(w.mode(), before.Excluded, before.WithMissing, before.AllMissing), Columns: []document.WithheldColumn{}}
	d := w.start(doc, &doc.Microdata, "withhold", args, before.Records)
	if before.Records == 0 {
		return d.print(cmd, &w.out)
	}
	r, err := c.WithholdBy(cmd.Context(), w.mode(), w.minK, w.nodes, w.solve)
	if errors.Is(err, risk.ErrTooFew) {
		doc.Status = "infeasible"
		if err := d.print(cmd, &w.out); err != nil {
			return err
		}
		cli.Note(cmd.ErrOrStderr(), "%d records are fewer than k = %d; nothing is written", before.Records, w.minK)
		return cli.Verdict
	}
	if err != nil {
		return err
	}
	if marked(c) { // which agree with what is withheld, once that is written
		r.Bound, r.Optimal = 0, false
		cli.Note(cmd.ErrOrStderr(), "values are * in the input: they are taken for a value of their own, but agree with those withheld in what is written, so that fewer may do and nothing is proved of the fewest")
	}
	doc.Cells, doc.Bound, doc.Touched = document.Some(r.Cells), document.Some(r.Bound), document.Some(r.Touched)
	doc.Optimal, doc.Share = document.Some(r.Optimal), document.Some(float64(r.Cells)/float64(r.Records)/float64(len(w.qi)))
	d.words["optimal"] = map[bool]string{true: "proved", false: "not proved"}[r.Optimal]
	t := render.NewColumns(1, "column", "values withheld")
	for k, n := range r.ByColumn {
		doc.Columns = append(doc.Columns, document.WithheldColumn{Column: w.qi[k], Cells: n})
		t.Add(w.qi[k], fmt.Sprint(n))
	}
	d.list(t)
	if w.path != "" {
		if err := w.save(cmd, args[0], doc, r); err != nil {
			return err
		}
	}
	d.atLeast("min-k", w.minK, w.minK)
	return d.print(cmd, &w.out)
}

// marked says that a quasi-identifier has the mark of withheld values already.
func marked(c *risk.Classes) bool {
	for g := range c.Len() {
		if slices.Contains(c.Tuple(g), "*") {
			return true
		}
	}
	return false
}

// solve looks for a better solution through as many nodes as a search may have, at most some thousands.
func (w *withhold) solve(ctx context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
	return stargroups.Solve(ctx, p, stargroups.Limits{Nodes: min(w.nodes, 5000), Iterations: 100_000})
}

// save writes the file, unless a column beside tells who the records are.
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

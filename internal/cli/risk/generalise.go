package risk

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

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
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// generalise is hitoku risk generalise.
type generalise struct {
	microFlags
	hierarchyFlags
	goals
	sensitive []string
	steps     []string
	distance  []string
	leave     *big.Rat
	local     bool
	path      string
	order     orderFlags

	lattice *risk.Lattice
	ladders []*risk.Hierarchy

	distances []risk.Distance
}

func newRiskGeneralise() *cobra.Command {
	g := &generalise{}
	cmd := &cobra.Command{
		Use:   "generalise FILE --qi COLUMNS --recode COLUMN=FILE --band COLUMN=W,... --min-k K",
		Short: "Make quasi-identifiers coarser: k, l and t step by step, and the least that reaches a goal",
		Long: `Each quasi-identifier may have steps at which its values become coarser: from a file
(--recode), intervals (--band, with --bottom and --top), first characters (--prefix), or no
value at all (--withhold). Without a goal each step is measured by itself, and with --steps
the steps given. With --min-k, --min-l, --min-entropy-l or --max-t all combinations of steps are searched that
reach the goal and of which no finer one does. The search is exact: those one step finer are
shown to miss the goal. With --local these steps are for records, not for columns: values of records that reach the goal with
finer ones get them back, so that the loss is no larger. -o writes the file at the combination of least loss, or at --steps.`,
		Example: `  hitoku risk generalise persons.csv --qi age,zip,sex --band age=5,10,20 --prefix zip=3,0 --min-k 5
  hitoku risk generalise persons.csv --qi age,zip,sex --band age=5,10 --withhold sex --min-k 5 --leave-out 0.01 -o release.csv`,
		RunE: named(g.run),
	}
	flags.Declare(cmd,
		g.records([]string{"own", "drop", "suppressed"}),
		flags.In(flags.ReleaseGroup, append(g.list(), []flags.Flag{
			{Name: "steps", To: &g.steps, Split: true, Text: "`COLUMN=N,...`: measure and write these steps, 0 for the others; instead of a search"},
			{Name: "local", To: &g.local, Text: "local recoding: coarser values in those records only that need them, beginning with the best steps for all"},
			{Name: "leave-out", To: ratValue{&g.leave}, Excludes: []string{"max-t"}, Text: "share of the records that may be left out, those of classes that miss k or l (`number` like 0.01)", Else: "none"},
		}...)),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "sensitive", To: &g.sensitive, Split: true, Text: "`columns` that are sensitive, for l and t; a missing value is none, or for t one of its own where that is worse"},
			distanceFlag(&g.distance),
		}),
		g.group(flags.Flag{Text: "the goal: k of at least this `number`"}),
		flags.In(flags.OutputGroup, append(g.order.list(), []flags.Flag{
			outputFlag(&g.path, false),
			g.out.flag(),
		}...)),
	)
	flags.Common(cmd, "--qi age,zip,sex", "--band age=5,10", "--prefix zip=3,0", "--min-k 5", "-o release.csv")
	return cmd
}

// goal returns the goal set by the flags.
func (g *generalise) goal() risk.Goal {
	goal := g.goals.goal()
	goal.Left, goal.Distances, goal.Local = g.leave, g.distances, g.local
	return goal
}

func (g *generalise) run(cmd *cobra.Command, args []string) error {
	hasGoal := g.minK > 0 || g.diverse()
	if g.path != "" {
		if err := readTwice(args); err != nil {
			return err
		}
	}
	switch {
	case g.path != "" && !hasGoal && len(g.steps) == 0:
		return i18n.New("-o wants a goal (--min-k, --min-l, --min-entropy-l, --max-t) or --steps")
	case g.local && !hasGoal:
		return i18n.New("--local wants a goal (--min-k, --min-l, --min-entropy-l, --max-t)")
	case g.leave != nil && g.minK == 0 && g.minL == 0 && g.minE == nil:
		return i18n.New("--leave-out wants --min-k, --min-l or --min-entropy-l: those of classes that miss them are left out")
	}
	var err error
	if g.distances, err = distances(g.distance, g.sensitive); err != nil {
		return err
	}
	if g.ladders, err = g.of(g.qi); err != nil {
		return err
	}
	s, err := scan(cmd, &g.microFlags, args, append(slices.Clone(g.qi), g.sensitive...), nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(g.qi)) })
	if err != nil {
		return err
	}
	k, err := s.KAnonymity(cmd.Context(), g.mode(), 0)
	if err != nil {
		return err
	}
	if g.lattice, err = risk.NewLattice(cmd.Context(), s, g.mode(), g.ladders); err != nil {
		return err
	}
	doc := &document.Generalise{Records: k.Records, Sensitive: g.sensitive, MissingValues: riskdoc.Missing(g.mode(), k.Excluded, k.WithMissing, k.AllMissing), Nodes: 1, Output: g.path}
	d := g.start(doc, &doc.Microdata, "generalise", args, k.Records)
	g.describe(d, doc)
	var chosen *risk.Generalisation
	switch {
	case k.Records == 0:
	case len(g.steps) > 0:
		chosen, err = g.given(cmd.Context(), d)
	case hasGoal:
		chosen, err = g.search(cmd, d, doc)
	default:
		err = g.alone(cmd.Context(), d, doc)
	}
	if err != nil {
		return err
	}
	return g.finish(cmd, args, d, doc, chosen)
}

// finish judges what was chosen, writes it and prints the document.
func (g *generalise) finish(cmd *cobra.Command, args []string, d *microMeasure, doc *document.Generalise, chosen *risk.Generalisation) error {
	met := true
	if chosen != nil {
		x := g.document(chosen)
		doc.Chosen = &x
		g.judge(d, chosen)
		met = chosen.Met && len(g.beside.found) == 0
	}
	if g.path != "" && d.records > 0 {
		doc.SetWritten(chosen != nil && met)
		if chosen != nil && met {
			rng, err := g.order.rng(cmd, args[0], g.path)
			if err != nil {
				return err
			}
			err = formats.SaveAs(private.Release, g.path, func(w io.Writer) error {
				return g.lattice.Write(cmd.Context(), w, args[0], g.layout(), chosen, nil, g.beside.drop, rng, nil)
			})
			if err != nil {
				return err
			}
		} else {
			cli.Note(cmd.ErrOrStderr(), "nothing is written")
		}
	}
	if doc.Status == "infeasible" {
		if err := d.print(cmd, &g.out); err != nil {
			return err
		}
		cli.Note(cmd.ErrOrStderr(), "even the coarsest steps of all columns miss the goal; give coarser ones, like --withhold")
		return cli.Verdict
	}
	err := d.print(cmd, &g.out)
	if err == nil && g.path != "" && !met {
		return cli.Verdict
	}
	return err
}

// judge turns the goal into limits.
func (g *generalise) judge(d *microMeasure, x *risk.Generalisation) {
	d.atLeast("min-k", g.minK, x.K)
	if len(x.L) > 0 {
		var t *big.Rat // with records left out, t is neither measured nor limited
		if len(x.T) > 0 {
			t = slices.MaxFunc(x.T, (*big.Rat).Cmp)
		}
		g.goals.judge(d, slices.Min(x.L), slices.Min(x.E), t)
	}
}

// describe shows the steps of the columns.
func (g *generalise) describe(d *microMeasure, doc *document.Generalise) {
	t := render.NewColumns(2, "column", "steps", "different values")
	for k, h := range g.ladders {
		doc.Nodes *= h.Levels()
		x := document.Ladder{Column: g.qi[k], Kind: h.Kind, Steps: h.Names, Values: g.lattice.Values(k)}
		doc.Hierarchies = append(doc.Hierarchies, x)
		for i := range x.Steps {
			column := g.qi[k]
			if i > 0 {
				column = ""
			}
			t.Add(column, "", fmt.Sprint(x.Values[i]))
			t.Say(1, i18n.T("%d: %s", i, h.Said(i)))
		}
	}
	d.list(t)
}

// given measures --steps.
func (g *generalise) given(ctx context.Context, d *microMeasure) (*risk.Generalisation, error) {
	levels := make([]int, len(g.qi))
	for _, text := range g.steps {
		k, n, err := ofColumn("steps", text, g.qi)
		if err != nil {
			return nil, err
		}
		if levels[k], err = strconv.Atoi(n[0]); err != nil || len(n) > 1 {
			return nil, i18n.Errorf("--steps %s: want COLUMN=N", text)
		}
	}
	x, err := g.lattice.At(ctx, levels, g.goal())
	if err != nil {
		return nil, err
	}
	t := g.table("steps given")
	g.add(t, x, i18n.Text{})
	d.list(t)
	g.showLocal(d, x)
	return x, nil
}

// alone measures each step of each column by itself.
func (g *generalise) alone(ctx context.Context, d *microMeasure, doc *document.Generalise) error {
	t := g.table("step")
	levels := make([]int, len(g.qi))
	put := func(name i18n.Text) error {
		x, err := g.lattice.At(ctx, levels, risk.Goal{Distances: g.distances})
		if err == nil {
			doc.Steps = append(doc.Steps, g.document(x))
			g.add(t, x, name)
		}
		return err
	}
	if err := put(i18n.T("as it is")); err != nil {
		return err
	}
	for k, h := range g.ladders {
		for levels[k] = 1; levels[k] < h.Levels(); levels[k]++ {
			if err := put(i18n.T("%s: %s", g.qi[k], h.Said(levels[k]))); err != nil {
				return err
			}
		}
		levels[k] = 0
	}
	for k, h := range g.ladders {
		levels[k] = h.Levels() - 1
	}
	if err := put(i18n.T("all at their last step")); err != nil {
		return err
	}
	d.list(t)
	return nil
}

// search finds the minimal generalisations.
func (g *generalise) search(cmd *cobra.Command, d *microMeasure, doc *document.Generalise) (*risk.Generalisation, error) {
	r, err := g.lattice.Search(cmd.Context(), g.goal(), nil)
	if err != nil {
		return nil, err
	}
	doc.Measured = r.Measured
	if len(r.Minimal) == 0 {
		doc.Status = "infeasible"
		return nil, nil
	}
	chosen := r.Minimal[0]
	if g.local {
		levels := sets.Each(g.ladders, func(h *risk.Hierarchy) int { return h.Levels() })
		if chosen, err = release.Locally(cmd.Context(), g.lattice, levels, r.Minimal, g.goal()); err != nil {
			return nil, err
		}
	}
	t, finer := g.table("minimal generalisations"), g.table("one step finer than the first")
	for i, x := range r.Minimal {
		one := document.Generalisation{Generalised: g.document(x)}
		for _, b := range r.Below[i] {
			one.Below = append(one.Below, g.document(b))
			if i == 0 {
				g.add(finer, b, i18n.Text{})
			}
		}
		doc.Minimal = append(doc.Minimal, one)
		if i < 20 {
			g.add(t, x, i18n.Text{})
		}
	}
	if n := len(r.Minimal) - 20; n > 0 {
		t.Add(fmt.Sprintf("%d more with --json", n))
	}
	d.list(t)
	d.list(finer)
	g.showLocal(d, chosen)
	return chosen, nil
}

// showLocal shows a local recoding.
func (g *generalise) showLocal(d *microMeasure, x *risk.Generalisation) {
	if x.Steps == nil {
		return
	}
	t := g.table("local recoding")
	g.add(t, x, i18n.T("by records"))
	d.list(t)
	t = render.NewColumns(2, "column", "steps", "records")
	for k, h := range g.ladders {
		for level, n := range x.Steps[k] {
			column := g.qi[k]
			if level > 0 {
				column = ""
			}
			t.Add(column, "", fmt.Sprint(n))
			t.Say(1, i18n.T("%d: %s", level, h.Said(level)))
		}
	}
	d.list(t)
}

// table returns an empty table of generalisations.
func (g *generalise) table(title string) *render.Columns {
	names := []i18n.Text{i18n.Term(title), i18n.T("k")}
	for _, s := range g.sensitive {
		names = append(names, i18n.T("l of %s", s))
		if g.minE != nil {
			names = append(names, i18n.T("entropy l of %s", s))
		}
		names = append(names, i18n.T("t of %s", s))
	}
	if g.leave != nil {
		names = append(names, i18n.T("left out"))
	}
	names = append(names, i18n.T("classes"), i18n.T("loss"))
	t := render.NewColumns(1, make([]string, len(names))...)
	for k, name := range names {
		t.Say(k, name)
	}
	return t
}

// add adds a generalisation to a table, by a name or by its steps.
func (g *generalise) add(t *render.Columns, x *risk.Generalisation, name i18n.Text) {
	if name.IsZero() {
		var steps i18n.List
		for k, level := range x.Levels {
			if level > 0 {
				steps.Items = append(steps.Items, i18n.T("%s: %s", g.qi[k], g.ladders[k].Said(level)))
			}
		}
		if name = i18n.T("%s", steps); len(steps.Items) == 0 {
			name = i18n.T("all as they are")
		}
	}
	line := []string{"", fmt.Sprint(x.K)}
	for a := range g.sensitive {
		closeness := "-"
		if a < len(x.T) && x.T[a] != nil {
			f, _ := x.T[a].Float64()
			closeness = fmt.Sprintf("%.4f", f)
		}
		line = append(line, fmt.Sprint(x.L[a]))
		if g.minE != nil {
			line = append(line, fmt.Sprintf("%.4f", x.E[a]))
		}
		line = append(line, closeness)
	}
	if g.leave != nil {
		line = append(line, fmt.Sprint(x.Left))
	}
	t.Add(append(line, fmt.Sprint(x.Classes), fmt.Sprintf("%.4f", x.Loss))...)
	t.Say(0, name)
}

// document returns a generalisation for JSON.
func (g *generalise) document(x *risk.Generalisation) document.Generalised {
	d := document.Generalised{Steps: x.Levels, K: riskdoc.Defined(x.K), L: x.L, E: x.E, Classes: x.Classes, Left: x.Left, Loss: x.Loss, Discernibility: document.Exact(x.Discernibility.String()), Met: x.Met, Records: x.Steps}
	for _, t := range x.T {
		if t != nil {
			d.T = append(d.T, document.Rational(t.RatString()))
		}
	}
	return d
}

package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// inspection is one run of hitoku audit.
type inspection struct {
	inputs  flags.Input
	rules   flags.Rules
	engine  flags.Engine
	integer bool
	knows   []string
	rounded string
	places  int          // number of decimals with which rounded was written
	base    int64        // the base to which values are rounded
	before  *table.Table // the rounded table, with the bounds of all cells
	steps   int
	kind    string // the kind of rounding
	insider bool
	members int
	limit   time.Duration
	witness string
	output  string
	json    bool
	quiet   bool
	unsaid  bool // statuses do not say for every cell without a value why it is withheld
}

func NewAudit() *cobra.Command {
	a := &inspection{}
	cmd := &cobra.Command{
		Use:   "audit INPUT...",
		Short: "Compute what can be learned about every withheld cell and compare it with the levels",
		Long: `Compute, exactly, the interval in which the published numbers pin down every
withheld cell, and say whether it meets the cell's protection levels.

Withheld are the cells without a value and those whose status is sensitive (u) or
withheld (m). In a published table, which has no values, --width is asked of every
withheld cell unless statuses tell the sensitive ones. Each input is audited by
itself; hitoku report --linked audits tables that share cells as one.

The verdict is "protected" if every cell that is or may be sensitive meets its
levels. Cells that statuses say are withheld for others have no part in it; those
that can be computed even so are called superfluous.

With --insider, audit also for those who are the only contributor of a withheld
cell and so know its value, each alone and, with --coalition, several together.`,
		Example: `  hitoku audit --width 8 published.csv
  hitoku audit --json protected/*.csv
  hitoku audit --integer --witness witnesses.csv table.csv
  hitoku audit --coalition 2 --width 8 protected.csv`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.check(cmd.Flags()); err != nil {
				return err
			}
			return cli.EachInput(cmd, args, !a.json, func(n int) (cli.Code, error) { return a.each(cmd, args[n]) })
		},
	}
	flags.Declare(cmd,
		a.inputs.Group(),
		a.inputs.LayoutGroup(),
		a.inputs.ResponseGroup(),
		a.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori, flags.Margins, flags.Ledger),
		flags.In(flags.IntruderGroup, []flags.Flag{
			{Name: "knows", To: &a.knows, Text: "audit for an intruder who knows this `CELL` too; CELL=VALUE tells a value that the table lacks, else what is left of others is told whatever the value is"},
			{Name: "rounded", To: flags.Spelled(&a.rounded, &a.places), Text: "all values are rounded to multiples of this, as hitoku round does: what does a reader learn of the true ones?", More: "5.00 says that they had two decimals"},
			{Name: "kind", Rare: true, To: &a.kind, Default: controlled, From: []string{controlled, smallCounts, conventional, randomly}, Needs: []string{"rounded"}, Text: "how, by round's words: conventional is to the nearest multiple, halves away from zero; controlled and random to either of the two next to the value"},
			{Name: "steps", Rare: true, To: &a.steps, Range: "[0, ∞)", Needs: []string{"rounded"}, Text: "cells may lie up to `K` multiples beyond the two nearest"},
			{Name: "integer", To: &a.integer, Excludes: []string{"insider", "coalition"}, Why: "insiders are audited over all tables, not those of whole numbers only", Text: "intervals over tables of whole numbers only, which can be narrower from three dimensions on", More: "Where the search for an end is stopped, by --time-limit or after 200,000 programs, the end is what is proved from outside, and the cell protected only if tables of whole numbers show it. Exit code 3 if only such cells may miss a level"},
			{Name: "insider", To: &a.insider, Text: "also audit for every only contributor of a withheld cell, each alone"},
			{Name: "coalition", To: &a.members, Default: 1, Range: "[1, ∞)", Text: "with --insider, which it implies: for coalitions of up to `m` of them"},
		}),
		lookedAt(&a.rules),
		a.engine.Group(),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &a.limit, Range: "[0, ∞)", Text: "stop after this `time`, like 30s or 10m, with what is proved by then of intervals, sensitive cells first, and found about insiders", Else: "none", More: "Exit code 3 if only cells whose intervals are not settled may miss a level"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &a.output, Files: []string{"xlsx", "ods"}, Writes: true, Inputs: 1, Text: "mark the cells that are disclosed or not protected in a copy of the workbook, with how they follow: this `file`, for the office only"},
			{Name: "witness", To: &a.witness, Files: []string{"csv"}, Writes: true, Inputs: 1, Text: "write the tables that prove both ends of every interval to this CSV `file`"},
			flags.JSON(&a.json, "print one JSON document a table"),
			flags.Quiet(&a.quiet),
		}),
	)
	flags.Common(cmd, "--width 8", "--below 5", "--total 合計", "--knows A1/B2=14", "-o marked.xlsx")
	return cmd
}

func (a *inspection) check(fs *pflag.FlagSet) error {
	a.insider = a.insider || fs.Changed("coalition")
	for _, f := range []struct{ flag, file string }{{"--witness", a.witness}, {"-o", a.output}} {
		if f.file != "" && len(a.inputs.Responses) > 1 {
			return i18n.Errorf("%s takes one response, not %d", f.flag, len(a.inputs.Responses))
		}
	}
	if err := a.rules.Check(); err != nil {
		return err
	}
	return a.engine.Check()
}

// each audits the table in the file called path, or each of its responses separately.
func (a *inspection) each(cmd *cobra.Command, path string) (cli.Code, error) {
	if len(a.inputs.Responses) == 0 {
		return a.one(cmd, path)
	}
	code := cli.Done
	err := a.inputs.EachResponse(cmd, path, func(response string) error {
		if !a.json && response != a.inputs.Responses[0] {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		c, err := a.one(cmd, path)
		code = cli.Worst(code, c)
		return err
	})
	return code, err
}

// one audits the table in the file called path.
func (a *inspection) one(cmd *cobra.Command, path string) (cli.Code, error) {
	ctx, begun := cmd.Context(), time.Now()
	in, told, err := a.open(cmd, path)
	if err != nil {
		return 0, err
	}
	t := in.Table
	withheld, blind, err := a.withheld(t)
	if err != nil {
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if flags.Joins(&a.rules.Policy) {
		return a.joint(cmd, path, in, withheld, blind, begun, told)
	}
	start := time.Now()
	rep, err := a.learned(ctx, t, withheld, a.options(cmd, begun, told), lacksValues(t, withheld))
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)): // stopped before any table that agrees was found
		render.Say(cmd.ErrOrStderr(), t, "%s, nothing to report", a.why(cmd))
		return cli.Limit, nil
	case err != nil:
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	a.sayInexact(cmd.ErrOrStderr(), t, rep, begun)
	if a.limit > 0 && !a.integer {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, max(0, a.limit-time.Since(begun)))
		defer stop()
	}
	r := NewAuditReport(t, rep, time.Since(start))
	if a.before != nil {
		r.Intruder = newIntruder(a.before, sets.Upto(t.Len()), rep.Intruder)
	}
	r.address = formats.Addresses(in)
	err = r.explain(ctx, t, rep, a.engine.Workers)
	if err == nil {
		err = a.beyond(ctx, cmd, r, &audited{rep: rep, t: t, withheld: withheld, naming: plain(t), people: t, hidden: withheld}, blind)
	}
	if err != nil {
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if err := a.save(path, rep, plain(t), r); err != nil {
		return 0, err
	}
	if a.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout(), t, told)
	}
	if err != nil {
		return 0, err
	}
	return a.within(cmd, in, rep, withheld, a.code(rep, r))
}

// within returns code or, if memo items or the order of rows reveal more about sensitive cells than the sums do, the
// code for cells that are not protected.
func (a *inspection) within(cmd *cobra.Command, in *formats.Input, rep *interval.Report, withheld []bool, code cli.Code) (cli.Code, error) {
	var cells []int
	for k := range rep.Cells {
		if c := &rep.Cells[k]; c.Protected && in.Table.Status[c.Index] == table.Sensitive {
			cells = append(cells, c.Index)
		}
	}
	err := protect.Within(cmd.Context(), in.Table, withheld, cells, layout.Within(in), in.Table.CellName, interval.Options{LP: a.engine.LP, Workers: a.engine.Workers})
	if err != nil && cmd.Context().Err() == nil {
		render.Say(cmd.ErrOrStderr(), in.Table, "%v", flags.Flagged(err))
		code = cli.Worst(code, cli.Verdict)
	}
	return code, nil
}

// learned audits a table: that of the office or, with readers, what its readers have.
func (a *inspection) learned(ctx context.Context, t *table.Table, withheld []bool, opt *interval.Options, readers bool) (*interval.Report, error) {
	if !readers {
		return interval.Audit(ctx, t, withheld, opt)
	}
	who := table.Intruder{Beside: true, Unit: true, Whole: a.integer, Base: a.base}
	if a.rounded != "" {
		who.Kind, who.Steps = a.kind, a.steps
	}
	return interval.Learned(ctx, table.Publish(t, withheld, who), opt)
}

// cellsLimit returns the part of the time limit for the intervals of the cells; the rest is for sums of cells.
func (a *inspection) cellsLimit() time.Duration {
	if p := &a.rules.Policy; p.Unions > 0 || p.Groups != nil {
		return a.limit * 7 / 10
	}
	return a.limit
}

// options returns the options of the audit in a run that began at begun.
func (a *inspection) options(cmd *cobra.Command, begun time.Time, told bool) *interval.Options {
	opt := &interval.Options{LP: a.engine.LP, Workers: a.engine.Workers, Integer: a.integer, Witness: a.witness != "", Told: told && !a.unsaid}
	if a.limit > 0 {
		opt.TimeLimit = max(1, a.cellsLimit()-time.Since(begun))
	}
	if words := cmd.ErrOrStderr(); !a.quiet && render.ShowsProgress(words) {
		opt.Progress = render.NewAuditProgress(words).Show
	}
	return opt
}

// audited is what was audited: a table, or a table together with what is published beside it.
type audited struct {
	naming   // the problem audited, with names for its cells
	rep      *interval.Report
	hidden   []bool       // which of its cells are withheld
	people   *table.Table // the problem with numbers of contributors
	t        *table.Table // the table itself, whose cells come first
	withheld []bool
}

// beyond adds to the report what is asked for besides intervals: what insiders learn, sums of cells, and what those
// learn who know a value that is not given.
func (a *inspection) beyond(ctx context.Context, cmd *cobra.Command, r *auditReport, x *audited, blind []int) error {
	if a.insider {
		found, err := a.insiders(ctx, cmd, x.people, x.hidden)
		if err != nil {
			return err
		}
		r.Insiders = newInsiders(x.naming, found)
	}
	if p := &a.rules.Policy; p.Unions > 0 || p.Groups != nil {
		end, _ := ctx.Deadline()
		found, err := auditUnions(cmd.Context(), cmd.ErrOrStderr(), &a.rules, &a.engine, x.t, x.withheld, x.Table, x.hidden, end)
		if err != nil {
			return err
		}
		r.Unions = unionsFound(x.t, found)
	}
	if blind != nil {
		var err error
		if r.Knowing, err = knowing(ctx, x.naming, x.hidden, blind, x.rep, &interval.Options{LP: a.engine.LP, Workers: a.engine.Workers}); err != nil {
			return i18n.Errorf("--knows: %w", err)
		}
	}
	return nil
}

// save writes the files that are asked for.
func (a *inspection) save(path string, rep *interval.Report, t naming, r *auditReport) error {
	if a.witness != "" {
		if err := formats.Save(a.witness, func(w io.Writer) error { return writeWitnesses(w, t, rep) }); err != nil {
			return err
		}
	}
	if a.output != "" {
		return r.mark(path, a.output, t)
	}
	return nil
}

// open reads the table in the file called path and applies the rules; told says that statuses show the sensitive cells.
func (a *inspection) open(cmd *cobra.Command, path string) (in *formats.Input, told bool, err error) {
	a.inputs.Rounded = a.rounded != "" && (a.kind == conventional || a.kind == randomly)
	if in, err = a.inputs.Read(cmd, path, &a.rules); err != nil {
		return nil, false, err
	}
	if a.rounded != "" {
		if a.places > in.Table.Decimals { // the decimals of the values before rounding removed them
			if err := in.Table.Rescale(a.places); err != nil {
				return nil, false, i18n.Errorf("--%s %s: %w", "rounded", a.rounded, err)
			}
		}
		b, err := exact(in.Table, "rounded", a.rounded)
		before := in.Table.Clone()
		if err == nil {
			unread(in)
			in.Table, err = a.opened(in.Table, b)
		}
		if a.base, a.before = b, before; err == nil {
			err = before.SetBounds(a.rules.Policy.Lower, a.rules.Policy.Upper)
		}
		if err != nil {
			return nil, false, i18n.Errorf("%s: %w", path, err)
		}
	}
	if in.Table.Missing != nil { // a table as readers have it, whatever else the file contains
		in.Table = table.Publish(in.Table, WithheldCells(in.Table), table.Intruder{Beside: true}).Table()
	}
	t := in.Table
	if a.inputs.Response != "" {
		t.Name += "." + a.inputs.Response
		protect.OpenCounts(t, a.inputs.Responses)
	}
	decimals := t.Decimals
	if told, err = a.prepare(in, cmd.ErrOrStderr()); err != nil {
		return nil, false, err
	}
	if a.integer && t.Decimals > decimals {
		// Integer means multiples of the table's unit, which levels must not change.
		return nil, false, i18n.Errorf("%s: --integer: the levels need %d decimals, the values have %d; give levels with at most %d",
			path, t.Decimals, decimals, decimals)
	}
	return in, told, nil
}

// unread removes the values of margins that the file of in does not contain: they are sums of rounded parts, not
// rounded values.
func unread(in *formats.Input) {
	t := in.Table
	for i := range t.Len() {
		if in.Line(i) == 0 && in.Format != formats.JJ {
			if t.Missing == nil {
				t.Missing = make([]bool, t.Len())
			}
			t.Missing[i] = true
		}
	}
}

// opened returns what readers know of a table rounded to base in a given way.
func (a *inspection) opened(t *table.Table, base int64) (*table.Table, error) {
	switch a.kind {
	case smallCounts:
		return rounding.PublishedSmall(t, base)
	case conventional:
		return rounding.Published(t, base, func(y []int64) rounding.Range { return rounding.ConventionalRange(y, base, 0) })
	}
	return rounding.Published(t, base, rounding.Nearby(base, a.steps))
}

// sayInexact says how many intervals are only outer bounds, if any.
func (a *inspection) sayInexact(words io.Writer, t *table.Table, rep *interval.Report, begun time.Time) {
	inexact := rep.Open()
	switch {
	case len(rep.Cells) == 0:
		render.Say(words, t, "no cell is withheld and none is sensitive, so no verdict is given; --below or a column status says which are")
	case inexact > 0 && a.integer:
		render.Say(words, t, "the search over whole numbers stopped before the intervals of %d cells were settled: they are proved to be no wider, and protected only where witness tables show it", inexact)
	case inexact > 0 && a.limit > 0 && time.Since(begun) >= a.cellsLimit():
		render.Say(words, t, "stopped after --time-limit %s before the intervals of %d of %d cells were settled: they are proved to be no wider, and protected only where tables found show it", a.limit, inexact, len(rep.Cells))
	case inexact > 0:
		render.Say(words, t, "exact arithmetic gave up on the intervals of %d cells: they are proved to be no wider, and protected only where witness tables show it", inexact)
	}
}

// code returns the exit code by the verdicts.
func (a *inspection) code(rep *interval.Report, r *auditReport) cli.Code {
	code := cli.Done
	switch {
	case rep.Protected:
	case rep.Verdict() == interval.Unsettled:
		code = cli.Limit
	default:
		code = cli.Verdict
	}
	if r.Knowing != nil {
		code = cli.Worst(code, codeOf(r.Knowing.Verdict))
	}
	if r.Unions != nil {
		code = cli.Worst(code, codeOf(r.Unions.Verdict))
	}
	if r.Insiders != nil {
		code = cli.Worst(code, codeOf(r.Insiders.Verdict))
	}
	return code
}

// why reports what ended the run.
func (a *inspection) why(cmd *cobra.Command) i18n.Text {
	if cmd.Context().Err() != nil {
		return i18n.T("interrupted")
	}
	return i18n.T("stopped after --time-limit %s", a.limit)
}

// insiders audits what the only contributors of withheld cells learn.
func (a *inspection) insiders(ctx context.Context, cmd *cobra.Command, t *table.Table, withheld []bool) (*insider.Report, error) {
	words := cmd.ErrOrStderr()
	opt := &insider.Options{Coalition: a.members, LP: a.engine.LP, Workers: a.engine.Workers, Anyone: lacksValues(t, withheld)}
	if !a.quiet && render.ShowsProgress(words) {
		opt.Progress = render.NewAuditProgress(words).Insiders
	}
	rep, err := insider.Run(ctx, t, withheld, opt)
	if err != nil && (rep == nil || ctx.Err() == nil) {
		return nil, err
	}
	if rep.Assumed > 0 {
		render.Say(words, t, "the number of contributors of %d withheld cells is not known; each is taken for one contributor's", rep.Assumed)
	}
	if rep.TooMany {
		render.Say(words, t, "insiders: too many pairs of a contributor and a cell for widths; only exact disclosure was looked for")
	}
	if rep.Unknown > 0 {
		render.Say(words, t, "the number of contributors of %d withheld cells is not known; insiders among them were left out", rep.Unknown)
	}
	inexact := 0
	for i := range rep.Findings {
		if rep.Findings[i].Inexact {
			inexact++
		}
	}
	if inexact > 0 {
		render.Say(words, t, "insiders: exact arithmetic gave up on the intervals of %d findings: they are proved to be no wider", inexact)
	}
	if rep.Unsettled > 0 {
		render.Say(words, t, "insiders: %d pairs of a coalition and a cell are left open, as exact arithmetic gave up on them", rep.Unsettled)
	}
	if rep.Settled < rep.Coalition {
		why := i18n.T("too many coalitions wait")
		if ctx.Err() != nil {
			why = a.why(cmd)
		}
		settled := i18n.T("nothing is settled")
		if rep.Settled >= 0 {
			settled = i18n.T("all coalitions of up to %d are settled", rep.Settled)
		}
		render.Say(words, t, "insiders: %s; %s, %d pairs of a coalition and a cell were looked at", why, settled, rep.Examined)
	}
	return rep, nil
}

// prepare applies the rules. In a published table in which no status shows the sensitive cells, every cell without a
// value may be one: told is false.
func (a *inspection) prepare(in *formats.Input, words io.Writer) (told bool, err error) {
	a.unsaid = in.Unsaid
	if told, err = a.suspect(in.Table, in.Told); err != nil {
		return told, i18n.Errorf("%s: %w", in.File, err)
	}
	return told, a.rules.Apply(in, words)
}

// suspect treats the cells without a value as sensitive if no status says which are.
func (a *inspection) suspect(t *table.Table, given bool) (told bool, err error) {
	told = t.Missing == nil || given
	for i := range t.Len() {
		told = told || !t.Known(i) && t.Status[i] == table.Sensitive
	}
	if t.Missing != nil && (a.rules.Policy.LPL != nil || a.rules.Policy.UPL != nil) {
		return told, i18n.New("--lpl and --upl are distances from the true value, which a published table does not have; use --width")
	}
	for i := range t.Len() {
		if !told && !t.Known(i) {
			t.Status[i] = table.Sensitive
		}
	}
	return told, nil
}

// withheld returns the cells that the intruder does not see. A cell that --knows gives a value gets it; those whose
// value it does not give are blind.
func (a *inspection) withheld(t *table.Table) (w []bool, blind []int, err error) {
	w = WithheldCells(t)
	for _, s := range a.knows {
		k := knownCell{name: s}
		cells, err := findCells(t, []string{s})
		if parsed := parseKnown(s); err != nil && parsed.value != nil { // s is not a code that contains =, but a code and a value
			k = parsed
			cells, err = findCells(t, []string{k.name})
		}
		if err != nil {
			return nil, nil, err
		}
		i := cells[0]
		if k.value != nil {
			if err := know(t, i, *k.value); err != nil {
				return nil, nil, i18n.Errorf("--knows %s: %w", s, err)
			}
		} else if !t.Known(i) {
			blind = append(blind, i)
			continue
		}
		w[i] = false
		if t.Rounding != nil { // whoever knows a value knows it exactly
			t.Rounding[i] = 0
		}
	}
	return w, blind, nil
}

// know gives cell i the value that an intruder knows.
func know(t *table.Table, i int, d table.Decimal) error {
	v, ok := d.At(t.Decimals)
	switch {
	case !ok:
		return i18n.Errorf("want at most %d decimals, as the values have", t.Decimals)
	case t.Known(i) && v != t.Value[i]:
		return i18n.Errorf("the table has %s", render.Value(t, i))
	case v < t.Lower[i] || v > t.Upper[i]:
		return i18n.Errorf("outside the bounds the intruder is said to know")
	}
	if !t.Known(i) {
		t.Value[i], t.Missing[i] = v, false
	}
	return nil
}

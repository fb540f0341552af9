package tables

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// changing is what the verbs share that publish changed values instead of withholding some.
type changing struct {
	inputs flags.Input
	rules  flags.Rules
	engine flags.Engine
	files  flags.PolicyFile
	how    protect.Change
	limit  time.Duration
	ends   bool
	output string
	to     string
	page   string
	json   bool
	quiet  bool
}

// groups returns the flags that these verbs share, except those of a search.
func (c *changing) groups() []flags.Group {
	return []flags.Group{
		c.inputs.Group(),
		c.inputs.LayoutGroup(),
		c.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori),
		c.files.Group(&c.rules),
		c.rules.Flags(flags.Cost).Saying("cost", "weight of a cell's change: count, value, freq, power:λ, distance:1,3,5 from the nearest sensitive cell, or the `column` that holds it", "1 each"),
		c.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &c.output, Files: flags.FormatExtensions(), Writes: true, Inputs: 1, Text: "write the table of changed values, which may be published, to this `file`"},
			{Name: "page", To: &c.page, Files: []string{"html"}, Writes: true, Inputs: 1, Text: "write a page of HTML for the office to this `file`: what was changed, what users lose, what a reader learns"},
			{Name: "to", To: &c.to, From: flags.FormatNames(false), Text: "format of the output", Else: "that of its extension"},
			flags.JSON(&c.json, "print one JSON document a table"),
			flags.Quiet(&c.quiet),
		}),
		c.files.SaveGroup(),
	}
}

// A changer is a verb that changes values. Its options are read once, for many tables.
type changer interface {
	command() *cobra.Command
	check(fs *pflag.FlagSet, args []string) error
	// do changes a table and writes it to the file output, if that is not empty.
	do(ctx context.Context, call flags.Call, path, output string) (*changed, error)
	// alone prepares for a table of a job, whose tables share the processors.
	alone(fs *pflag.FlagSet)
	policy() *protect.Policy
}

// A changed is the result for a table.
type changed struct {
	*document.Altered
	doc    any // the document that contains it
	levels []document.MovedCell
	line   i18n.Text // the line that sums up
	t      *table.Table
	y      []int64 // the published values; nil if none were found
	code   cli.Code
}

// runs makes cmd change the tables given to it by v.
func (c *changing) runs(cmd *cobra.Command, v changer) {
	cmd.Args, cmd.ValidArgsFunction = flags.InputArgs, flags.TableFiles
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return c.files.Load(cmd) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := v.check(cmd.Flags(), args); err != nil {
			return err
		}
		if err := c.files.Write(c.rules.Policy, c.how); err != nil {
			return err
		}
		return cli.EachInput(cmd, args, !c.json, func(n int) (cli.Code, error) {
			x, err := v.do(cmd.Context(), cmd, args[n], c.output)
			if err != nil {
				return 0, err
			}
			if err := c.writePage(x.Altered, x.levels, x.line); err != nil {
				return 0, err
			}
			if c.json {
				return x.code, document.Write(cmd.OutOrStdout(), x.doc)
			}
			printChange(cmd.OutOrStdout(), x.t, x.y, x.Altered)
			printLevels(cmd.OutOrStdout(), x.levels)
			return x.code, render.Verdict(cmd.OutOrStdout(), x.line)
		})
	}
}

// check checks the rules and the engine.
func (c *changing) check() error {
	c.rules.Policy.LP = c.engine.LP
	if err := c.rules.Check(); err != nil {
		return err
	}
	return c.engine.Check()
}

// change reads a table, applies the rules, has it changed by a method, and writes it. Values of t are multiples of
// unit; whole is a copy of t from before the levels of the rules gave it more decimals.
func (c *changing) change(call flags.Call, path, output string, by func(t, whole *table.Table, unit int64, limit time.Duration, progress func(integer.Progress)) (*changed, error)) (*changed, error) {
	start, words := time.Now(), call.ErrOrStderr()
	in, err := c.inputs.Read(call, path, &c.rules)
	if err != nil {
		return nil, err
	}
	whole := in.Table.Clone()
	if err := c.rules.Apply(in, words); err != nil {
		return nil, i18n.Errorf("%s: %w", path, err)
	}
	var limit time.Duration
	if c.limit > 0 {
		limit = max(1, c.limit-time.Since(start))
	}
	var progress func(integer.Progress)
	if !c.quiet && render.ShowsProgress(words) {
		progress = changeProgress(words)
	}
	x, err := by(in.Table, whole, in.Table.Unit(), limit, progress)
	if err != nil {
		return nil, i18n.Errorf("%s: %w", path, err)
	}
	x.Seconds = time.Since(start).Seconds()
	return x, c.save(output, in, whole, x.y)
}

// weights returns the costs, nil if all are 1.
func (c *changing) weights(t *table.Table) []int64 {
	if k := c.rules.Policy.Cost.Kind; k == "" || k == "count" {
		return nil
	}
	return t.Cost
}

// exact returns a number that a flag gives, in units of the table.
func exact(t *table.Table, flag, text string) (int64, error) {
	d, err := table.ParseDecimal(text)
	if err != nil {
		return 0, i18n.Errorf("--%s %s: %w", flag, text, err)
	}
	v, ok := d.At(t.Decimals)
	if !ok {
		return 0, i18n.Errorf("--%s %s: want at most %d decimals, as the values of table %s have", flag, text, t.Decimals, t.Name)
	}
	return v, nil
}

// newChange describes the change of t: y is published, nil if nothing is.
func newChange(t *table.Table, method string, y, weights []int64) document.Altered {
	d := document.Altered{Table: t.Name, Method: method, Size: t.Len(), Relations: t.Rel.Len(), Sensitive: render.CountSensitive(t), Values: []document.ChangedCell{}}
	if y == nil {
		return d
	}
	distance, sum, largest := new(big.Int), new(big.Int), int64(0)
	for i, v := range y {
		by := num.Abs(v - t.Value[i])
		if by > 0 {
			d.Changed++
		}
		largest = max(largest, by)
		b := big.NewInt(by)
		sum.Add(sum, b)
		if weights != nil {
			b = new(big.Int).Mul(b, big.NewInt(weights[i]))
		}
		distance.Add(distance, b)
		d.Values = append(d.Values, document.ChangedCell{Cell: t.CellName(i), Codes: CodesOf(t, i), Value: render.Value(t, i), Published: render.Decimal(v, t.Decimals)})
	}
	d.Largest = render.Decimal(largest, t.Decimals)
	d.Distance = weighed(t, new(big.Rat).SetInt(distance), weights)
	mean, _ := new(big.Rat).SetFrac(sum, new(big.Int).Mul(big.NewInt(max(1, int64(t.Len()))), big.NewInt(table.Pow10(t.Decimals)))).Float64()
	d.Mean, d.Hellinger, d.Broken = &mean, hellinger(t.Value, y), broken(t, y)
	return d
}

// weighed formats a distance, whose weights may have decimals.
func weighed(t *table.Table, v *big.Rat, weights []int64) document.Exact {
	scale := t.Decimals
	if weights != nil {
		scale += t.CostDecimals
	}
	return render.Ratio(v, scale)
}

// hellinger returns √(½ Σ (√(a_i/Σa) − √(y_i/Σy))²), nil if it is not defined.
func hellinger(a, y []int64) *float64 {
	var A, Y float64
	for i := range a {
		if a[i] < 0 || y[i] < 0 {
			return nil
		}
		A, Y = A+float64(a[i]), Y+float64(y[i])
	}
	if A == 0 || Y == 0 {
		return nil
	}
	var s float64
	for i := range a {
		d := math.Sqrt(float64(a[i])/A) - math.Sqrt(float64(y[i])/Y)
		s += float64(d * d)
	}
	s = math.Sqrt(s / 2)
	return &s
}

// learned audits y for a reader who knows the range, for the sensitive cells or for all; nil if there are no such
// cells.
func (c *changing) learned(ctx context.Context, out io.Writer, t *table.Table, y []int64, r rounding.Range) (*document.Learned, error) {
	var cells []int
	for i, s := range t.Status {
		if s == table.Sensitive || c.ends {
			cells = append(cells, i)
		}
	}
	if len(cells) == 0 || y == nil {
		return nil, nil
	}
	opt := &interval.Options{LP: c.engine.LP, Workers: c.engine.Workers}
	if !c.quiet && render.ShowsProgress(out) {
		opt.Progress = render.NewAuditProgress(out).Show
	}
	rep, err := rounding.Learned(ctx, t, r, cells, opt)
	if err != nil {
		return nil, err
	}
	l := &document.Learned{Verdict: document.Verdict(rep.Verdict()), Engine: rep.Engine, Cells: []document.LearnedCell{}}
	for k := range rep.Cells {
		q := &rep.Cells[k]
		if q.Disclosed {
			l.Disclosed++
		}
		l.Cells = append(l.Cells, document.LearnedCell{
			Interval: IntervalOf(t, q.Index, q.Lo, q.Hi), Published: render.Decimal(y[q.Index], t.Decimals),
			Sensitive: t.Status[q.Index] == table.Sensitive, Protected: q.Protected, Disclosed: q.Disclosed,
		})
	}
	return l, nil
}

// changedTable returns a table of the values y and nothing else.
func changedTable(t *table.Table, y []int64) *table.Table {
	n := t.Len()
	p := &table.Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.Decimals, Dims: t.Dims, Coord: t.Coord, Value: y, Counts: t.Counts, Rel: t.Rel,
		Cost: make([]int64, n), Status: make([]table.Status, n), LPL: make([]int64, n), UPL: make([]int64, n), Width: make([]int64, n), Lower: make([]int64, n), Upper: make([]int64, n)}
	for i, v := range y {
		p.Cost[i] = max(table.Pow10(t.Decimals), num.Abs(v))
		p.Upper[i] = table.PosInf
		if t.Lower[i] < 0 { // the published number does not bound the true one
			p.Lower[i] = table.NegInf
		}
	}
	return p
}

// save writes to output y as the input's table with nothing else, with its original number of decimals.
func (c *changing) save(output string, in *formats.Input, whole *table.Table, y []int64) error {
	if output == "" || y == nil {
		return nil
	}
	v, scale := make([]int64, len(y)), table.Pow10(in.Table.Decimals-whole.Decimals)
	for i := range y {
		v[i] = y[i] / scale
	}
	format := flags.FormatNamed(in.Laid())
	if of := flags.FormatsOf(output); c.to != "" {
		format = flags.FormatNamed(formats.Format(c.to))
	} else if len(of) > 0 && (format == nil || !slices.Contains(of, format)) {
		format = of[0]
	}
	if format == nil || format.Write == nil {
		return i18n.Errorf("-o %s: no format that is written has this extension; say --to tidy", output)
	}
	out := *in
	out.Table, out.Behind, out.HasCosts, out.HasBounds = changedTable(whole, v), whole, false, false
	if err := format.Write(output, &out, &flags.Conversion{}); err != nil {
		return i18n.Errorf("-o %s: %w", output, err)
	}
	return nil
}

// writePage writes the page, if one was asked for. line sums up what was done.
func (c *changing) writePage(d *document.Altered, levels []document.MovedCell, line i18n.Text, facts ...report.Fact) error {
	if c.page == "" {
		return nil
	}
	a := &report.Altered{Lang: cli.Speaks().Tag, Version: cli.Version(), Verdict: cli.Speaks().Say(line), Facts: facts, Of: d, Levels: levels}
	return formats.Save(c.page, func(w io.Writer) error { return report.WriteAltered(w, a) })
}

// printChange prints the table, old and new, and what a reader learns.
func printChange(w io.Writer, t *table.Table, y []int64, d *document.Altered) {
	fmt.Fprintf(w, "%s\n\n", d.Table)
	if y != nil && render.FitsGrid(t) {
		render.Grid(w, t, func(i int) string {
			if y[i] == t.Value[i] {
				return table.FormatDecimal(y[i], t.Decimals)
			}
			return table.FormatDecimal(t.Value[i], t.Decimals) + " → " + table.FormatDecimal(y[i], t.Decimals)
		})
	}
	l := d.Learned
	if l == nil {
		return
	}
	list := render.NewColumns(1, "cell", "value", "published", "lower", "upper", "").Words(5)
	for k := range l.Cells {
		c := &l.Cells[k]
		if k == render.MaxListRows {
			break
		}
		word := ""
		switch {
		case c.Disclosed:
			word = "DISCLOSED"
		case c.Sensitive && !c.Protected:
			word = "UNPROTECTED"
		case c.Sensitive:
			word = "protected"
		}
		list.Add(c.Cell, string(c.Value), string(c.Published), or(c.Lower, "-inf"), or(c.Upper, "inf"), word)
	}
	list.Print(w)
	fmt.Fprintln(w)
	if more := len(l.Cells) - render.MaxListRows; more > 0 {
		render.Tell(w, "… and %d more; --json has them all\n\n", more)
	}
}

// changeCode returns the exit code of a search and an audit.
func changeCode(d *document.Altered, limited bool) cli.Code {
	switch {
	case d.Status == "infeasible":
		return cli.Verdict
	case d.Status == "none":
		return cli.Limit
	case d.Learned != nil && d.Learned.Verdict == document.Verdict(interval.Unsettled):
		return cli.Limit
	case d.Learned != nil && d.Sensitive > 0 && d.Learned.Verdict != document.Verdict(interval.Protected):
		return cli.Verdict
	case limited:
		return cli.Limit
	}
	return cli.Done
}

// changeProgress returns a function that shows the progress of a search, at most once a second.
func changeProgress(w io.Writer) func(integer.Progress) {
	var last time.Time
	return func(p integer.Progress) {
		if time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		upper := i18n.T("none")
		if p.Upper != integer.None {
			upper = i18n.T("%d", p.Upper)
		}
		render.Tell(w, "node %d   distance %s, at least %d, %.0fs\n", p.Nodes, upper, p.Lower, p.Seconds)
	}
}

// broken counts the relations of t that y does not satisfy.
func broken(t *table.Table, y []int64) int {
	n := 0
	for j := range t.Rel.Len() {
		if _, zero := t.Rel.Residual(j, y); !zero {
			n++
		}
	}
	return n
}

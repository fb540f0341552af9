package desk

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/cli/tables"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// How long a click on a cell may take at most: for its interval, and for the explanation of its ends.
const (
	patience   = 10 * time.Second
	explaining = 3 * time.Second
)

// maxWitness is how many cells of a witness the page shows.
const maxWitness = 2000

// cellCall asks about one cell of a run.
type cellCall struct {
	Run  string
	Cell int
}

// whole returns an error unless i is the number by which the page calls a cell of a run's table.
func (run *deskRun) whole(i int) error {
	if n := shown(&run.res.Prepared).Len(); i < 0 || i >= n {
		return i18n.Errorf("the table has no cell %d", i)
	}
	return nil
}

// cell returns all that is known about a cell.
func (d *desk) cell(ctx context.Context, a cellCall) (any, error) {
	run, err := d.run(a.Run)
	if err == nil {
		err = run.whole(a.Cell)
	}
	if err != nil {
		return nil, err
	}
	res, i := run.res, a.Cell
	t := shown(&res.Prepared)
	lang := page.Language(ctx)
	c := run.facts(lang.Tag, i)
	pattern, err := run.pattern()
	c.Withheld = err == nil && pattern[i]
	rel, _ := run.columns().Column(i)
	for _, j := range rel {
		cells, _ := t.Rel.Row(int(j))
		s := document.OpenSum{Name: lang.Say(t.RelationName(int(j))), Cells: len(cells)}
		for _, k := range cells {
			if pattern != nil && pattern[k] {
				s.Withheld++
			}
		}
		c.Relations = append(c.Relations, s)
	}
	if !c.Withheld {
		return c, nil
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rep, err := interval.Audit(ctx, res.Table, pattern, &interval.Options{LP: run.policy.LP, Cells: []int{i}, Witness: true})
	if err != nil || len(rep.Cells) == 0 {
		c.Unsettled = unsettled(ctx, lang, err)
		return c, nil
	}
	x := &rep.Cells[0]
	c.Interval = &document.AuditCell{Interval: tables.IntervalOf(res.Table, i, x.Lo, x.Hi), Protected: x.Protected, Disclosed: x.Disclosed, Unsettled: x.Unsettled}
	c.Least, c.Most = differing(res.Table, pattern, x.LoWitness), differing(res.Table, pattern, x.HiWitness)
	ctx, end = context.WithTimeout(ctx, explaining)
	defer end()
	found, err := rep.Explain(ctx, []int{0}, 0)
	if err != nil {
		c.Unsettled = unsettled(ctx, lang, err)
	}
	for k := range found {
		for n := range found[k] {
			c.Interval.Follows = append(c.Interval.Follows, run.combination(lang, &found[k][n]))
		}
	}
	return c, nil
}

// combination explains in a language how an end of an interval follows.
func (run *deskRun) combination(l *i18n.Language, x *interval.Combination) document.Combination {
	t := run.res.Table
	c := tables.CombinationOf(t, x, run.addresses())
	c.Text = tables.Followed(l, x, t, t.CellName)
	return c
}

// unsettled says why there is no answer.
func unsettled(ctx context.Context, l *i18n.Language, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return l.Say(i18n.T("not found within some seconds"))
	case err != nil:
		return l.Say(err)
	}
	return ""
}

// addresses returns the addresses of cells in the file, nil if it has none or there are several files.
func (run *deskRun) addresses() func(i int) string {
	if len(run.set.Read[0]) > 1 {
		return nil
	}
	return formats.Addresses(run.set.Read[0][0])
}

// facts returns what the table and the rules say about cell i.
func (run *deskRun) facts(lang string, i int) *document.OpenCell {
	res := run.res
	t := shown(&res.Prepared)
	letters, reasons := run.marks()
	c := &document.OpenCell{Index: i, Codes: tables.CodesOf(t, i), Status: letters[i : i+1], Reason: reasons[i], Cost: render.Decimal(t.Cost[i], t.CostDecimals), Relations: []document.OpenSum{}}
	for k, code := range c.Codes {
		c.Labels = append(c.Labels, t.Dims[k].Labels[code])
	}
	if address := run.addresses(); address != nil {
		c.Address = address(i)
	}
	if t.Freq != nil && t.Freq[i] >= 0 {
		c.Freq = new(t.Freq[i])
	}
	for _, m := range t.Max {
		c.Max = append(c.Max, render.Decimal(m[i], t.Decimals))
	}
	if c.Reason != "" {
		c.Rules = report.RulesInWords(lang, t, run.policy.Primary())
	}
	return c
}

// differing returns the cells to which a witness gives a value other than the table's.
func differing(t *table.Table, withheld []bool, w *interval.Witness) []document.OpenWitness {
	if w == nil {
		return nil
	}
	var all []document.OpenWitness
	for i, x := range withheld {
		if !x || len(all) == maxWitness {
			continue
		}
		if y := w.At(i); !t.Known(i) || y.Cmp(new(big.Rat).SetInt64(t.Value[i])) != 0 {
			all = append(all, document.OpenWitness{Cell: i, Value: render.Ratio(y, t.Decimals)})
		}
	}
	return all
}

// why supposes that a withheld cell were published, and returns the sensitive cells that this would disclose.
func (d *desk) why(ctx context.Context, a cellCall) (any, error) {
	run, pattern, err := d.withheld(a.Run)
	if err == nil {
		err = run.whole(a.Cell)
	}
	if err != nil {
		return nil, err
	}
	t := run.res.Table
	lang := page.Language(ctx)
	if !pattern[a.Cell] || t.Status[a.Cell] == table.Sensitive {
		return nil, i18n.New("the cell is not withheld for others")
	}
	without := append([]bool(nil), pattern...)
	n := shown(&run.res.Prepared).Len()
	for i := a.Cell; i < len(without); i += n { // in every layer
		without[i] = false
	}
	var ask []int
	for i, w := range without {
		if w && t.Status[i] == table.Sensitive {
			ask = append(ask, i)
		}
	}
	g := &document.Guarding{Guards: []document.GuardedCell{}, Cells: []int{}, Verdict: document.Protected, Complete: true}
	if len(ask) == 0 {
		return g, nil
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rep, err := interval.Audit(ctx, t, without, &interval.Options{LP: run.policy.LP, Cells: ask})
	if rep == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	g.Complete = err == nil
	var of []int
	for k := range rep.Cells {
		switch c := &rep.Cells[k]; {
		case c.Unsettled:
			g.Complete = false
		case !c.Protected:
			of = append(of, k)
		}
	}
	found := make([][]interval.Combination, len(of))
	if len(of) <= 20 {
		if got, err := rep.Explain(ctx, of, 0); err == nil {
			found = got
		}
	}
	for k, m := range of {
		x := &rep.Cells[m]
		c := document.GuardedCell{Interval: tables.IntervalOf(t, x.Index, x.Lo, x.Hi), Disclosed: x.Disclosed}
		for n := range found[k] {
			c.Follows = append(c.Follows, run.combination(lang, &found[k][n]))
		}
		g.Guards, g.Cells, g.Verdict = append(g.Guards, c), append(g.Cells, x.Index), document.Unprotected
	}
	return g, nil
}

// ofRun makes a job that answers a question about the pattern of a run.
func (d *desk) ofRun(do func(context.Context, *deskRun, []bool, runCall, func(any)) (any, error)) func(context.Context, runCall, func(any)) (any, error) {
	return func(ctx context.Context, a runCall, emit func(any)) (any, error) {
		ctx, end := d.job(ctx, a.Job)
		defer end()
		run, pattern, err := d.withheld(a.Run)
		if err != nil {
			return nil, err
		}
		return do(ctx, run, pattern, a, emit)
	}
}

// audit computes the intervals of all withheld cells.
func (d *desk) audit(ctx context.Context, run *deskRun, pattern []bool, a runCall, emit func(any)) (any, error) {
	start, progress := time.Now(), countEvents(emit)
	rep, err := interval.Audit(ctx, run.res.Table, pattern, &interval.Options{LP: run.policy.LP, Told: true, Progress: progress})
	if rep == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	return &tables.NewAuditReport(run.res.Table, rep, time.Since(start)).Audit, nil
}

// attack runs the matching attack on what a run would publish.
func (d *desk) attack(ctx context.Context, run *deskRun, pattern []bool, a runCall, emit func(any)) (any, error) {
	if len(run.set.Read) > 1 || len(run.set.Read[0]) > 1 {
		return nil, i18n.New("the matching attack takes one table with one response")
	}
	read, err := run.table.read(run.policy)
	if err != nil {
		return nil, d.plain(err)
	}
	in := read.copied().Read[0][0]
	opt, err := tables.AttackOptions(in, pattern, run.policy, a.Match)
	if err != nil {
		return nil, err
	}
	if a.Limit > 0 {
		opt.TimeLimit = time.Duration(a.Limit * float64(time.Second))
	}
	due := every(between)
	opt.Progress = func(p attack.Progress) {
		if due() {
			emit(document.RunEvent{Search: &document.SearchEvent{Seconds: p.Seconds, Lower: p.Decided}})
		}
	}
	res, err := attack.Run(ctx, attack.Published(in.Table, pattern), opt)
	switch {
	case errors.Is(err, attack.ErrUnbounded):
		return nil, i18n.Errorf("%w, so the candidates are infinitely many; --upper bounds them", err)
	case res == nil || err != nil && ctx.Err() == nil:
		return nil, err
	}
	return &tables.NewAttackReport(in.Table, res, opt).Attack, nil
}

// insiders computes what the only contributors of withheld cells learn about others.
func (d *desk) insiders(ctx context.Context, run *deskRun, pattern []bool, a runCall, emit func(any)) (any, error) {
	progress := countEvents(emit)
	rep, err := insider.Run(ctx, run.res.Table, pattern, &insider.Options{Coalition: max(1, a.Coalition), LP: run.policy.LP,
		Progress: func(_, done, total int) { progress(done, total) }})
	if rep == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	return tables.NewInsiders(run.res.Table, rep), nil
}

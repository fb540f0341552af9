package desk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/cli/tables"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// runCall asks for a run, or for something about one.
type runCall struct {
	Job         string // the name by which stop ends it
	Table       string
	Policy      protect.Policy
	Certificate bool
	From        string // a run with whose pattern the search begins
	Trial       bool   // only compute what the policy would cost; the run is not kept
	Last        string // a file with the table as last published, whose pattern is applied to this one

	Run       string
	Match     string // any or exact
	Coalition int
	Limit     float64 // seconds
}

// A deskRun is a finished run.
type deskRun struct {
	told  *document.RunResult
	ready func() error // returns an error if a run of a session cannot be restored

	table  *deskTable
	policy protect.Policy
	set    *flags.FileSet
	res    *protect.Result

	// What a click on a cell needs and is the same for all cells.
	marks   func() (status string, reasons map[int]string)
	columns func() *table.Columns
}

// ended makes a run of what was found.
func ended(t *deskTable, p protect.Policy, set *flags.FileSet, res *protect.Result) *deskRun {
	run := &deskRun{ready: func() error { return nil }}
	run.fill(t, p, set, res)
	return run
}

// fill stores what was found.
func (run *deskRun) fill(t *deskTable, p protect.Policy, set *flags.FileSet, res *protect.Result) {
	run.table, run.policy, run.set, run.res = t, p, set, res
	run.marks = sync.OnceValues(func() (string, map[int]string) { return statuses(&res.Prepared) })
	run.columns = sync.OnceValue(func() *table.Columns { return shown(&res.Prepared).Rel.Columns() })
}

// protect runs the procedure and reports progress.
func (d *desk) protect(ctx context.Context, a runCall, emit func(any)) (any, error) {
	ctx, end := d.job(ctx, a.Job)
	defer end()
	t, read, err := d.under(a.Table, a.Policy)
	if err != nil {
		return nil, err
	}
	r := &document.RunResult{}
	opt := d.options(ctx, t, &r.Says)
	opt.Certificate = a.Certificate
	opt.Progress = progressEvents(emit)
	opt.Secret = d.secret
	if a.From != "" {
		from, err := d.run(a.From)
		if err != nil {
			return nil, err
		}
		if from.res.Solution != nil {
			opt.Start = from.res.Solution.Pattern
		}
	}
	set := read.copied()
	res, err := protect.Run(ctx, set.Inputs(), a.Policy, opt)
	var none *protect.NoPatternError
	switch {
	case errors.As(err, &none):
		r.Why = d.plain(none).Told(page.Language(ctx))
	case err != nil && ctx.Err() != nil && res != nil && res.Verdict != "":
	case err != nil && ctx.Err() != nil:
		return nil, i18n.New("stopped before there was a pattern")
	case err != nil:
		return nil, d.plain(flags.Flagged(err))
	}
	run := ended(t, a.Policy, set, res)
	run.tell(r)
	if !a.Trial {
		d.ran(run, r)
	}
	return r, nil
}

// published treats a table as already published, with the cells withheld that have no value or a status that says so,
// and audits it.
func (d *desk) published(ctx context.Context, a runCall, emit func(any)) (any, error) {
	ctx, end := d.job(ctx, a.Job)
	defer end()
	t, read, err := d.under(a.Table, a.Policy)
	if err != nil {
		return nil, err
	}
	r := &document.RunResult{}
	set := read.copied()
	p, err := protect.Prepare(set.Inputs(), a.Policy, d.options(ctx, t, &r.Says))
	if err != nil {
		return nil, d.plain(flags.Flagged(err))
	}
	pattern, told := tables.WithheldCells(p.Table), read.set.Read[0][0].HasStatus
	if a.Last != "" {
		if pattern, err = d.patternOf(t, p, a.Last); err != nil {
			return nil, d.plain(err)
		}
		told = true
	}
	if !slices.Contains(pattern, true) {
		return nil, i18n.New("the table withholds nothing: every cell has a value, and no status says otherwise")
	}
	rep, err := interval.Audit(ctx, p.Table, pattern, &interval.Options{LP: a.Policy.LP, Told: told, Progress: countEvents(emit)})
	if err != nil {
		return nil, d.plain(err)
	}
	run := ended(t, a.Policy, set, &protect.Result{Prepared: *p, Policy: a.Policy, Solution: &solver.Solution{Status: solver.Feasible, Pattern: pattern}, Verdict: rep.Verdict()})
	tally := rep.Tally(p.Table, told)
	r.Result = &document.Suppression{Table: p.Table.Name, Status: "published", Cells: p.Table.Len(), Suppressed: tally.Withheld, Sensitive: tally.Sensitive, Audit: document.Verdict(rep.Verdict())}
	r.Complete = true
	r.Status, r.Reasons = run.marks()
	for k := range rep.Cells {
		if c := &rep.Cells[k]; !c.Superfluous && (c.Disclosed || !c.Protected && !c.Unsettled && p.Table.Status[c.Index] != table.Withheld) {
			r.Exposed = append(r.Exposed, c.Index)
		}
	}
	for i, st := range p.Table.Status {
		if st != table.Sensitive && pattern[i] {
			r.Result.Secondary++
		}
		if st == table.Sensitive && !pattern[i] { // sensitive under this year's rules, but not withheld by last year's pattern
			r.Exposed = append(r.Exposed, i)
			run.res.Verdict, r.Result.Audit = interval.Unprotected, document.Unprotected
		}
	}
	r.Withheld, r.Lost = run.withheld(r.Status)
	d.ran(run, r)
	return r, nil
}

// patternOf returns the pattern of a prepared table that withholds the cells withheld in a file of the desk, matched by
// their codes.
func (d *desk) patternOf(t *deskTable, p *protect.Prepared, file string) ([]bool, error) {
	if p.Responses != nil || len(p.Table.Dims) == 0 {
		return nil, i18n.New("the table of last time is laid beside one table with one response, whose cells have codes")
	}
	old, err := d.options(context.Background(), t, new([]string)).Weights(file)
	if err != nil {
		return nil, err
	}
	if len(old.Dims) != len(p.Table.Dims) {
		return nil, i18n.Errorf("%s has %d dimensions, the table %d", old.Name, len(old.Dims), len(p.Table.Dims))
	}
	gone, known := tables.WithheldCells(old), map[string]bool{}
	for j := range old.Len() {
		known[fmt.Sprintf("%q", old.CellCodes(j))] = gone[j]
	}
	pattern, found := make([]bool, p.Table.Len()), false
	for i := range pattern {
		w, there := known[fmt.Sprintf("%q", p.Table.CellCodes(i))]
		pattern[i], found = w, found || there
	}
	if !found {
		return nil, i18n.Errorf("%s has none of the cells of the table, by their codes in the order of dimensions", old.Name)
	}
	return pattern, nil
}

// ran keeps a run, and gives r the name by which the page calls it.
func (d *desk) ran(run *deskRun, r *document.RunResult) {
	d.mu.Lock()
	r.Run, run.told = "r"+strconv.Itoa(len(d.runs)), r
	d.runs = append(d.runs, run)
	d.mu.Unlock()
	line := document.SessionLine{What: "protected", Of: r.Run, Says: strings.Join(fieldTexts(d.public(run.policy), nil), " ")}
	if r.Result != nil && r.Result.Audit != document.Protected {
		line.What = "run"
	}
	d.note(line)
}

// tell puts the findings into the answer.
func (run *deskRun) tell(r *document.RunResult) {
	res := run.res
	r.Status, r.Reasons = run.marks()
	r.Complete = res.Complete
	if res.Solution == nil {
		return
	}
	r.Result = &tables.NewSuppressReport(res).Suppression
	r.Proof = res.Solution.Certificate != nil
	if res.Solution.Pattern != nil {
		r.Withheld, r.Lost = run.withheld(r.Status)
	}
}

// withheld returns the statuses with the cells that the pattern withholds, and the sum of the absolute values of the
// secondary ones.
func (run *deskRun) withheld(status string) (string, document.Exact) {
	t, pattern := shown(&run.res.Prepared), run.res.Solution.Pattern
	var b strings.Builder
	lost := new(big.Int)
	for i := range t.Len() {
		if !pattern[i] {
			b.WriteByte('0')
			continue
		}
		b.WriteByte('1')
		if t.Known(i) && status[i] == table.Safe.String()[0] {
			lost.Add(lost, new(big.Int).Abs(big.NewInt(t.Value[i])))
		}
	}
	return b.String(), render.Ratio(new(big.Rat).SetInt(lost), t.Decimals)
}

// between is the shortest time between two events if the second brings nothing better.
const between = 150 * time.Millisecond

// every returns a function that reports whether that much time has passed since it last returned true.
func every(pause time.Duration) func() bool {
	var next time.Time
	return func() bool {
		now := time.Now()
		due := now.After(next)
		if due {
			next = now.Add(pause)
		}
		return due
	}
}

// progressEvents reports the progress of a run to the page, a few times a second.
func progressEvents(emit func(any)) func(protect.Progress) {
	var next time.Time
	upper, count := math.Inf(1), countEvents(emit)
	return func(p protect.Progress) {
		switch now := time.Now(); {
		case p.Begin:
		case p.Stage != protect.Searching:
			count(p.Done, p.Total)
		case p.Search.Upper < upper || now.After(next):
			next = now.Add(between)
			e := &document.SearchEvent{Seconds: p.Search.Seconds, Lower: p.Search.Lower, Nodes: p.Search.Nodes, Cuts: p.Search.Cuts}
			if upper = p.Search.Upper; !math.IsInf(upper, 1) {
				e.Upper = new(upper)
			}
			emit(document.RunEvent{Search: e})
		}
	}
}

// countEvents reports how many of all are done. It may be called from several goroutines.
func countEvents(emit func(any)) func(done, total int) {
	var mu sync.Mutex
	due := every(between)
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if due() {
			emit(document.RunEvent{Auditing: &document.Counted{Done: done, Total: total}})
		}
	}
}

// pattern returns what a run withholds; it is an error if the run has no pattern.
func (run *deskRun) pattern() ([]bool, error) {
	if run.res.Solution == nil || run.res.Solution.Pattern == nil {
		return nil, i18n.Errorf("the run has no pattern")
	}
	return run.res.Solution.Pattern, nil
}

// secret returns the secret of the page's random defences, drawn once.
func (d *desk) secret() ([32]byte, error) {
	text, _, err := seed.File(d.seedFile())
	if err != nil {
		return [32]byte{}, err
	}
	return seed.Key("suppress", text), nil
}

func (d *desk) seedFile() string { return filepath.Join(d.dir, "seed") }

// withheld returns the run called id and its pattern; it is an error if the run has none.
func (d *desk) withheld(id string) (*deskRun, []bool, error) {
	run, err := d.run(id)
	if err != nil {
		return nil, nil, err
	}
	pattern, err := run.pattern()
	return run, pattern, err
}

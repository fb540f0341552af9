package protect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// A Result is what a run found.
type Result struct {
	Prepared
	Policy   Policy
	Solution *solver.Solution // of Table; nil where the run ended before
	// Patterns say for each input which of its cells are withheld; nil without a pattern. They may
	// be published only if Verdict is Protected.
	Patterns [][]bool
	// Verdict is that of the audit, by exact arithmetic; "" where there was none.
	Verdict interval.Verdict
	// Complete: the search proved what the policy asks for; a limit or the context has not ended it before.
	Complete bool
	Remarks  []Remark

	Guarded    *guard.Result      // with Insiders
	Singletons *Singletons        // with Singletons
	Unions     *guard.UnionsFound // with Unions or Groups
	Defence    *defence.Solution  // with Defence
	Margins    *WeightedMargins   // with Margins weight:F and a pattern
	Earlier    *Earlier           // with Published, Ledger or Relations; Joint is the problem that they make with Table
	// Partial are the intervals, with Partial; Table has them as bounds of the cells that are not published.
	Partial *partial.Solution
	// Superfluous are cells (in layers, of the first) that the input withholds for others but that anyone
	// can compute, so far as the time limit let them be looked for.
	Superfluous []int
}

// Nothing says that no cell is sensitive by a rule or a status, neither here nor in what is published beside it, and none is withheld for
// others: there was nothing to protect, which is not to say that the table is protected.
func (r *Result) Nothing() bool {
	t := r.Table
	if r.Joint != nil {
		t = r.Joint.Table
	}
	if r.Verdict != interval.Protected || slices.Contains(t.Status, table.Sensitive) || r.Policy.Quantised() || r.Unions != nil && len(r.Unions.Unions) > 0 {
		return false
	}
	for i, withheld := range r.Solution.Pattern {
		if withheld && r.Table.Status[i] != table.Withheld {
			return false
		}
	}
	return true
}

// Singletons tell what the rule for cells with one contributor asked for.
type Singletons struct {
	Rule string // the field of the policy
	Sums int    // of cells, protected beside the cells
}

// A NoPatternError says why a run, whose Result tells the rest, has no pattern: Err is a
// *solver.UnprotectableError or *guard.InsiderError, or wraps solver.ErrNoSolution.
type NoPatternError struct{ Err error }

func (e *NoPatternError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *NoPatternError) Message() i18n.Text {
	return i18n.T("%s", e.Err)
}

func (e *NoPatternError) Unwrap() error { return e.Err }

// ErrAudit is wrapped by the error of a run that the context ended while its pattern, which is in the
// Result without a verdict, was audited.
var ErrAudit = i18n.New("stopped while the pattern was audited")

// run is one Run.
type run struct {
	*Result
	policy *Policy
	opt    *Options
	start  time.Time
	exact  *table.Table // what is searched: Table, or what Joint makes of it, as if its values were exact
	asked  bool         // what releases tell by themselves has been looked for
}

// Run protects the inputs as one table, or as responses under one mask, as p says. It changes
// their tables, as Prepare does; where values are rounded it searches what table.Unrounded makes of them. Then every table's statuses are those of what they make together. opt may be nil.
//
// The result is never nil and holds what was found, beside an error, too: *FieldError about p, *NoPatternError
// where there is no pattern, ErrAudit, or what Link, Stack, the rules and the searches return. A search that the limit
// ends has its best pattern without an error; where ctx ended it the pattern, which is audited all the same, stands beside an
// error that wraps ctx.Err().
//
// Cost: that of the search, and of an audit of all withheld cells where the search does not name
// tables that show every level.
func Run(ctx context.Context, inputs []Input, p Policy, opt *Options) (*Result, error) {
	r := &run{Result: &Result{Policy: p}, policy: &p, opt: opt.own(), start: time.Now()}
	if !r.opt.Started.IsZero() {
		r.start = r.opt.Started
	}
	err := r.do(ctx, inputs)
	r.Remarks = r.opt.remarks
	return r.Result, err
}

func (r *run) do(ctx context.Context, inputs []Input) error {
	var beside []string
	if r.opt.Certificate {
		beside = append(beside, "certificate")
	}
	switch {
	case len(inputs) > 0 && inputs[0].Response != "":
		beside = append(beside, "response")
	case len(inputs) > 1:
		beside = append(beside, "linked")
	}
	if err := r.policy.Check(beside...); err != nil {
		return err
	}
	s, err := prepare(inputs, r.policy, r.opt)
	if err != nil {
		return err
	}
	r.Prepared = *s
	about := func(err error) error { return err }
	if len(inputs) == 1 {
		about = inputs[0].about
	}
	t := r.Table
	if !slices.Contains(t.Status, table.Sensitive) && !r.policy.Quantised() && r.policy.Groups == nil {
		r.opt.say(t, "no cell is sensitive, so nothing needs to be withheld; {below} or a column status says which are")
	}
	if err := r.joined(ctx, inputs); err != nil {
		return err
	}
	defer r.cut()
	if r.exact, err = r.whole().Unrounded(); err != nil {
		return about(err)
	}
	if t.Rounded() {
		r.opt.say(t, "the values are rounded to %s, so levels and bounds are asked for half of that more strictly", table.FormatDecimal(slices.Max(t.Rounding), t.Decimals))
	}
	if t.Rounded() && r.opt.Certificate {
		return wrong("certificate", "{certificate}: table %s has rounded values, and a certificate is of exact ones", t.Name)
	}
	switch {
	case r.policy.Partial:
		err = r.publishIntervals(ctx)
	case r.policy.Defence != "":
		err = r.defend(ctx)
	default:
		err = r.spared(ctx)
	}
	r.Complete = r.complete()
	var none *NoPatternError
	stop := err
	switch {
	case errors.As(err, &none):
		return err
	case err != nil && (r.Solution == nil || r.Solution.Pattern == nil || !errors.Is(err, ctx.Err())):
		return about(err)
	case r.Solution.Pattern == nil:
		return &NoPatternError{solver.ErrNoSolution}
	}
	r.share(inputs)
	if r.policy.Margins.Kind == "weight" {
		r.Margins = weighed(r.policy.Margins.Weight, t, r.Solution.Pattern[:t.Len()])
	}
	if err := r.audit(ctx); err != nil {
		return about(err)
	}
	if r.Joint != nil && r.policy.Defence != "" && r.Verdict != interval.Protected {
		r.opt.say(t, "the defence chooses by this table alone, and beside what is published that does not protect; without {defence} the search takes both together")
	}
	if stop != nil {
		return about(stop)
	}
	return nil
}

// share gives every input its part of the pattern, and linked ones the statuses of all.
func (r *run) share(inputs []Input) {
	for k, in := range inputs {
		pattern := make([]bool, in.Table.Len())
		for i, c := range r.Cells[k] {
			pattern[i] = r.Solution.Pattern[c]
			if r.Responses == nil {
				in.Table.Status[i] = r.Table.Status[c]
			}
		}
		r.Patterns = append(r.Patterns, pattern)
	}
}

// search runs the search.
func (r *run) search(ctx context.Context) error {
	p, t := r.policy, r.Table
	opt := &solver.Options{LP: p.LP, Workers: r.opt.Workers, Gap: p.Gap, Canonical: p.Canonical, Certificate: r.opt.Certificate, Start: r.opt.Start, Punctual: r.opt.Punctual}
	if p.Canonical { // which the memory does not change
		opt.Memory = r.opt.Memory
	}
	if r.policy.TimeLimit > 0 {
		opt.TimeLimit = searchTime(r.policy.TimeLimit, time.Since(r.start))
	}
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{Stage: Searching, Begin: true, Table: t})
		opt.Progress = func(s solver.Progress) { r.opt.Progress(Progress{Stage: Searching, Table: t, Search: s}) }
	}
	var err error
	if p.Insiders && !r.sums() {
		r.Guarded, err = guard.Insiders(ctx, r.exact, opt, r.insiders())
		r.Solution = r.Guarded.Solution
	} else {
		r.Solution, err = r.find(ctx, opt)
	}
	var impossible *solver.UnprotectableError
	var none *NoPatternError
	switch {
	case errors.As(err, &none):
		return err
	case errors.As(err, &impossible):
		return &NoPatternError{err}
	case errors.Is(err, solver.ErrNoSolution):
		return &NoPatternError{i18n.Errorf("table %s: %w", t.Name, err)}
	}
	return err
}

// find searches by the method of the policy, under the rule for singletons if it has one.
func (r *run) find(ctx context.Context, opt *solver.Options) (*solver.Solution, error) {
	t, find := r.exact, r.policy.search(r.whole())
	if r.sums() {
		return r.findUnions(ctx, opt)
	}
	rule := r.policy.singletonRule()
	if rule == nil {
		return find(ctx, t, opt)
	}
	find = r.policy.of(r.whole()) // of all cells, to which it adds sums
	s, sums, err := rule.Suppress(ctx, r.peopled(), opt, find)
	r.Singletons = &Singletons{showSingletons(r.policy.Singletons), sums}
	return s, r.lacksFreq(err)
}

// peopled is what is searched, with the numbers of contributors of the table itself alone, which the rule for singletons is about.
func (r *run) peopled() *table.Table {
	if r.Joint == nil || r.exact.Freq == nil {
		return r.exact
	}
	own := *r.exact
	own.Freq = slices.Clone(own.Freq)
	for i := r.Table.Len(); i < own.Len(); i++ {
		own.Freq[i] = -1
	}
	return &own
}

// sums says that the policy asks for sums of cells that are sensitive.
func (r *run) sums() bool { return r.policy.Unions > 0 || r.policy.Groups != nil }

// searchTime is what a limit leaves for the search after reading: a tenth of the time of that
// is kept for the audit, which adds up the witnesses in a fifteenth or less of it.
func searchTime(limit, reading time.Duration) time.Duration {
	return max(time.Nanosecond, limit-reading-reading/10)
}

// complete says whether the search came to its end: not where it stopped short of the gap asked for.
func (r *run) complete() bool {
	s, p := r.Solution, r.policy
	switch limit := r.policy.TimeLimit; {
	case s == nil:
		return false
	case s.Status == solver.None, r.Unions != nil && (len(r.Unions.Open) > 0 || !r.Unions.Complete):
		return false
	case r.Partial != nil && p.Defence == "":
		return (r.Partial.Status == solver.Optimal || r.Partial.Gap() <= p.Gap) && r.Partial.Told == 0
	case p.Gap == 0 && p.Effort == "quick" && s.Pattern != nil:
		return true // more was not asked for
	case p.Gap == 0 && s.Engine == modular.Engine && (limit == 0 || s.Seconds < limit.Seconds()):
		return true // sub-tables promise no optimum; they came to their end
	}
	return s.Status != solver.Feasible || s.Gap() <= p.Gap || p.Defence != ""
}

// audit says whether the pattern protects the table: at once where the search names a table
// for every level and they add up, else (of a defence always, which does not search) by the
// intervals, which no limit ends but the context does.
func (r *run) audit(ctx context.Context) error {
	opt := &interval.Options{LP: r.policy.LP, Workers: r.opt.Workers}
	told := sync.OnceFunc(func() {
		if r.policy.Defence == "" {
			r.opt.say(r.Table, "the tables that the search names do not show every level, so the audit computes the intervals of all withheld cells, which no {time-limit} ends")
		}
	})
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{Stage: Auditing, Begin: true, Table: r.Table})
	}
	opt.Progress = func(done, total int) {
		told()
		if r.opt.Progress != nil {
			r.opt.Progress(Progress{Stage: Auditing, Table: r.Table, Done: done, Total: total})
		}
	}
	before := ctx.Err()
	verdict, err := r.verdict(ctx, opt)
	switch {
	case err != nil && before == nil && ctx.Err() != nil:
		return i18n.Errorf("%w: %w", ErrAudit, err)
	case err != nil:
		return i18n.Errorf("audit: %w", err)
	}
	r.Verdict = verdict
	if r.opt.NoSuperfluous {
		return nil
	}
	ctx, stop := parallel.Limited(ctx, r.start, r.policy.TimeLimit)
	defer stop()
	opt.Progress = nil
	r.Superfluous, err = r.Solution.Superfluous(ctx, r.whole(), opt)
	r.Superfluous = slices.DeleteFunc(r.Superfluous, func(i int) bool { return i >= r.Table.Len() })
	if err != nil && ctx.Err() == nil {
		return i18n.Errorf("audit: %w", err)
	}
	return nil
}

// verdict audits the pattern: what protects the table without help by the rounding of its values does with it (table.Unrounded); else
// what the rounded values tell decides.
func (r *run) verdict(ctx context.Context, opt *interval.Options) (interval.Verdict, error) {
	verdict, err := r.Solution.Audit(ctx, r.exact, opt)
	if r.Unions != nil && len(r.Unions.Open) > 0 { // audited by the search
		return interval.Unprotected, err
	}
	if err != nil || verdict == interval.Protected || r.exact == r.whole() {
		return verdict, err
	}
	report, err := interval.Audit(ctx, r.whole(), r.Solution.Pattern, opt)
	if err != nil || !report.Protected {
		return interval.Unprotected, err
	}
	return interval.Protected, nil
}

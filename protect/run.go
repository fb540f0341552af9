package protect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// A Result is the outcome of a run.
type Result struct {
	Prepared
	Policy   Policy
	Solution *solver.Solution // over Table; nil if the run ended before
	// Patterns mark for each input the cells to withhold; nil without a pattern. They may be published only if Verdict
	// is Protected.
	Patterns [][]bool
	// Verdict is that of the audit, in exact arithmetic; "" without an audit.
	Verdict interval.Verdict
	// Complete: the search proved what the policy asks for before any limit or the context ended it.
	Complete bool
	Remarks  []Remark

	Guarded    *guard.Result      // with Insiders
	Singletons *Singletons        // with Singletons
	Unions     *guard.UnionsFound // with Unions or Groups
	Defence    *defence.Solution  // with Defence
	Margins    *WeightedMargins   // with Margins weight:F and a pattern
	Earlier    *Earlier           // with Published, Ledger or Relations; Joint is the problem that these and Table make
	// Partial are the intervals, with Partial; in Table they are the bounds of the cells that are not published.
	Partial *partial.Solution
	// Superfluous are cells (of the first layer) that the input withholds to protect others although anyone can compute
	// them, as far as the time limit allowed checking.
	Superfluous []int
}

// Nothing reports that there was nothing to protect: no cell is sensitive, here or in what is published beside it, and
// none is withheld for others. This does not mean that the table is protected.
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

// Singletons reports on the rule for cells with one contributor.
type Singletons struct {
	Rule string // field of the policy
	Sums int    // number of sums of cells protected beside the cells
}

// A NoPatternError says why a run has no pattern; its Result holds everything else. Err is a *solver.UnprotectableError
// or *guard.InsiderError, or wraps solver.ErrNoSolution.
type NoPatternError struct{ Err error }

func (e *NoPatternError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *NoPatternError) Message() i18n.Text {
	return i18n.T("%s", e.Err)
}

func (e *NoPatternError) Unwrap() error { return e.Err }

// solution returns s with the status that e implies.
func (e *NoPatternError) solution(s *solver.Solution) *solver.Solution {
	if s.Status = solver.Unprotectable; errors.Is(e, solver.ErrNoSolution) {
		s.Status = solver.None
	}
	return s
}

// ErrAudit is wrapped by the error of a run whose context ended during the audit; the Result has the pattern without a
// verdict.
var ErrAudit = i18n.New("stopped while the pattern was audited")

// A run is the state of one call of Run.
type run struct {
	policy *Policy
	opt    *Options
	start  time.Time // when the time limit began
}

// found is what the search or the defence found for a problem.
type found struct {
	*solver.Solution // nil if it ended before
	guarded          *guard.Result
	singletons       *Singletons
	unions           *guard.UnionsFound
	defence          *defence.Solution
	partial          *partial.Solution
}

// Run protects the inputs as one table, or as responses under one mask, as p says. It modifies their tables as Prepare
// does; afterwards each has the statuses of the common table. Rounded values are searched as table.Unrounded returns
// them. opt may be nil.
//
// The result is never nil and holds what was found, even with an error: a *FieldError about p, a *NoPatternError if
// there is no pattern, ErrAudit, or an error of Link, Stack, the rules or the searches. A search that reaches the limit
// returns its best pattern without an error. If ctx ends it, its pattern is still audited and returned with an error
// that wraps ctx.Err().
//
// Cost: that of the search and, unless the search returns witness tables for every level, of an audit of all withheld
// cells.
func Run(ctx context.Context, inputs []Input, p Policy, opt *Options) (*Result, error) {
	res := &Result{Policy: p}
	o := opt.own()
	ctx = work.Metered(ctx)
	r, say := &run{&p, o, work.Now(ctx)}, o.Say
	o.Say = func(m Remark) {
		res.Remarks = append(res.Remarks, m)
		say(m)
	}
	err := r.do(ctx, inputs, res)
	if none, ok := errors.AsType[*NoPatternError](err); ok && res.Solution == nil {
		res.Solution = none.solution(&solver.Solution{})
	}
	return res, err
}

// do fills in res as far as it gets.
func (r *run) do(ctx context.Context, inputs []Input, res *Result) error {
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
	about := new(Input).about // several tables are named by how they are joined
	if len(inputs) == 1 {
		about = inputs[0].about
	}
	t := s.Table
	if !slices.Contains(t.Status, table.Sensitive) && !r.policy.Quantised() && r.policy.Groups == nil {
		r.opt.say(t, "no cell is sensitive, so nothing needs to be withheld; {below} or a column status says which are")
	}
	p, err := r.pose(ctx, inputs, s)
	if res.Prepared, res.Earlier = *s, p.earlier; err != nil {
		return err
	}
	if t.Rounded() {
		r.opt.say(t, "the values are rounded to %s, so levels and bounds are asked for half of that more strictly", table.FormatDecimal(slices.Max(t.Rounding), t.Decimals))
	}
	if t.Rounded() && r.opt.Certificate {
		return wrong("certificate", "{certificate}: table %s has rounded values, and a certificate is of exact ones", t.Name)
	}
	f, stop := p.beside(ctx)
	defer p.cut(f.Solution)
	res.Solution, res.Guarded, res.Singletons, res.Unions, res.Defence, res.Partial = f.Solution, f.guarded, f.singletons, f.unions, f.defence, f.partial
	res.Complete = f.complete(r.policy, r.late(ctx))
	switch {
	case is[*NoPatternError](stop):
		return stop
	case stop != nil && (f.Solution == nil || f.Pattern == nil || !errors.Is(stop, ctx.Err())):
		return about(stop)
	case f.Pattern == nil:
		return &NoPatternError{solver.ErrNoSolution}
	}
	own := p.own(f.Pattern)
	res.Patterns = s.share(inputs, own)
	if r.policy.Margins.Kind == "weight" {
		res.Margins = weighed(r.policy.Margins.Weight, t, own[:t.Len()])
	}
	if res.Verdict, res.Superfluous, err = p.audit(ctx, &f); err != nil {
		return about(err)
	}
	if s.Joint != nil && r.policy.Defence != "" && res.Verdict != interval.Protected {
		r.opt.say(t, "the defence chooses by this table alone, and beside what is published that does not protect; without {defence} the search takes both together")
	}
	return about(stop)
}

// share returns the part of the pattern for every input, and gives linked inputs the statuses of the common table.
func (s *Prepared) share(inputs []Input, all []bool) [][]bool {
	patterns := make([][]bool, len(inputs))
	for k, in := range inputs {
		patterns[k] = make([]bool, in.Table.Len())
		for i, c := range s.Cells[k] {
			patterns[k][i] = all[c]
			if s.Responses == nil {
				in.Table.Status[i] = s.Table.Status[c]
			}
		}
	}
	return patterns
}

// protect finds a pattern as the policy asks. It may return what was found with an error.
func (r *problem) protect(ctx context.Context) (found, error) {
	switch {
	case r.opt.Found != nil:
		return r.again()
	case r.policy.Partial:
		return r.publishIntervals(ctx)
	case r.policy.Defence != "":
		return r.defend(ctx)
	}
	return r.spared(ctx)
}

// again uses the solution of an earlier run (Options.Found).
func (r *problem) again() (found, error) {
	p, pattern := r.policy, r.opt.Found.Pattern
	if p.Insiders || p.Singletons != nil || p.Unions > 0 || p.Groups != nil || p.Defence != "" || p.Partial || r.Joint != nil {
		return found{}, i18n.New("what the rules ask for beside intervals is shown by a search alone; protect again")
	}
	fits := len(pattern) == r.Table.Len()
	for i := 0; fits && i < len(pattern); i++ {
		switch r.Table.Status[i] {
		case table.Sensitive, table.Withheld:
			fits = pattern[i]
		case table.Published:
			fits = !pattern[i]
		}
	}
	if !fits {
		return found{}, i18n.New("the pattern is not one of this table under these rules; protect again")
	}
	return found{Solution: r.opt.Found}, nil
}

// search searches for a pattern.
func (r *problem) search(ctx context.Context) (found, error) {
	exact, err := r.posed().Unrounded()
	if err != nil {
		return found{}, err
	}
	p, t := r.policy, r.Table
	opt := &solver.Options{LP: p.LP, Workers: r.opt.Workers, Gap: p.Gap, Canonical: p.Canonical, Certificate: r.opt.Certificate, Start: r.opt.Start, Punctual: r.opt.Punctual}
	if len(r.taken) > 0 {
		opt.Start = nil // it does not mark the remainders
	}
	if p.Canonical { // the memory does not change its result
		opt.Memory = r.opt.Memory
	}
	if r.policy.TimeLimit > 0 {
		opt.TimeLimit = r.left(ctx)
		if len(r.taken) < len(r.pairs) {
			opt.TimeLimit -= time.Duration(restShare * float64(opt.TimeLimit))
		}
	}
	r.opt.Progress(Progress{Stage: Searching, Begin: true, Table: t})
	opt.Progress = func(s solver.Progress) { r.opt.Progress(Progress{Stage: Searching, Table: t, Search: s}) }
	f, err := r.find(ctx, exact, opt)
	switch {
	case is[*NoPatternError](err):
		return f, err
	case is[*solver.UnprotectableError](err):
		return f, &NoPatternError{err}
	case errors.Is(err, solver.ErrNoSolution):
		return f, &NoPatternError{i18n.Errorf("table %s: %w", t.Name, err)}
	}
	return f, err
}

// find searches by the policy's method, under its rules for contributors and sums.
func (r *problem) find(ctx context.Context, exact *table.Table, opt *solver.Options) (f found, err error) {
	rule := r.policy.singletonRule()
	switch {
	case r.policy.Unions > 0 || r.policy.Groups != nil:
		return r.findUnions(ctx, exact, opt)
	case r.policy.Insiders:
		f.guarded, err = guard.Insiders(ctx, exact, opt, r.insiders())
		f.Solution = f.guarded.Solution
	case rule != nil:
		f.singletons = &Singletons{Rule: showSingletons(r.policy.Singletons)}
		// The rule adds sums to the table, so all cells are searched.
		f.Solution, f.singletons.Sums, err = rule.Suppress(ctx, r.peopled(exact), opt, r.policy.of(exact))
		err = r.lacksFreq(err)
	default:
		f.Solution, err = r.policy.search(exact)(ctx, exact, opt)
	}
	return f, err
}

// peopled returns the table to search, with contributor counts for the table's own cells only: these are what the rule
// for singletons is about.
func (r *problem) peopled(exact *table.Table) *table.Table {
	if r.Joint == nil || exact.Freq == nil {
		return exact
	}
	own := *exact
	own.Freq = slices.Clone(own.Freq)
	for i := r.Table.Len(); i < own.Len(); i++ {
		own.Freq[i] = -1
	}
	return &own
}

// late reports whether the time limit is reached.
func (r *run) late(ctx context.Context) bool {
	return r.policy.TimeLimit > 0 && work.Since(ctx, r.start) >= r.policy.TimeLimit
}

// left returns what remains of the time limit, if there is one.
func (r *run) left(ctx context.Context) time.Duration {
	return max(time.Nanosecond, r.policy.TimeLimit-work.Since(ctx, r.start))
}

// complete reports whether the search finished, stopping neither at its limit (late) nor short of the gap asked for.
func (f *found) complete(p *Policy, late bool) bool {
	s := f.Solution
	switch {
	case s == nil:
		return false
	case s.Status == solver.None, f.unions != nil && (len(f.unions.Open) > 0 || !f.unions.Complete):
		return false
	case f.partial != nil && p.Defence == "":
		return (f.partial.Status == solver.Optimal || f.partial.Gap() <= p.Gap) && f.partial.Told == 0
	case p.Gap == 0 && p.Effort == "quick" && s.Pattern != nil:
		return true // the policy asks for no more
	case p.Gap == 0 && s.Engine == modular.Engine && !late:
		return true // sub-tables promise no optimum, and all were finished
	}
	return s.Status != solver.Feasible || s.Gap() <= p.Gap || p.Defence != ""
}

// audit decides whether the pattern protects the table: at once if the search returned a witness table for every level
// and all are valid, else (always for a defence, which does not search) by intervals, which only the context can stop.
// It then looks for superfluous cells.
func (r *problem) audit(ctx context.Context, f *found) (verdict interval.Verdict, superfluous []int, err error) {
	opt := &interval.Options{LP: r.policy.LP, Workers: r.opt.Workers}
	told := sync.OnceFunc(func() {
		if r.policy.Defence == "" {
			r.opt.say(r.Table, "the tables that the search names do not show every level, so the audit computes the intervals of all withheld cells, which no {time-limit} ends")
		}
	})
	r.opt.Progress(Progress{Stage: Auditing, Begin: true, Table: r.Table})
	opt.Progress = func(done, total int) {
		told()
		r.opt.Progress(Progress{Stage: Auditing, Table: r.Table, Done: done, Total: total})
	}
	before := ctx.Err()
	verdict, err = r.verdict(ctx, f, opt)
	switch {
	case err != nil && before == nil && ctx.Err() != nil:
		return "", nil, i18n.Errorf("%w: %w", ErrAudit, err)
	case err != nil:
		return "", nil, i18n.Errorf("audit: %w", err)
	case r.opt.NoSuperfluous:
		return verdict, nil, nil
	}
	ctx, stop := work.Limited(ctx, r.start, r.policy.TimeLimit)
	defer stop()
	opt.Progress = nil
	superfluous, err = f.Superfluous(ctx, r.posed(), opt)
	superfluous = slices.DeleteFunc(superfluous, func(i int) bool { return i >= r.Table.Len()/max(1, r.Table.Layers) })
	if err != nil && ctx.Err() == nil {
		return verdict, superfluous, i18n.Errorf("audit: %w", err)
	}
	return verdict, superfluous, nil
}

// verdict audits the pattern. A pattern that protects table.Unrounded of the table, without help from rounding,
// protects the table; otherwise the audit of the rounded publication decides.
func (r *problem) verdict(ctx context.Context, f *found, opt *interval.Options) (interval.Verdict, error) {
	posed := r.posed()
	exact, err := posed.Unrounded()
	if err != nil {
		return "", err
	}
	verdict, err := f.Audit(ctx, exact, opt)
	if f.unions != nil && len(f.unions.Open) > 0 { // the search audited them
		return interval.Unprotected, err
	}
	if err != nil || verdict == interval.Protected || exact == posed {
		return verdict, err
	}
	report, err := interval.Audit(ctx, posed, f.Pattern, opt)
	if err != nil || !report.Protected {
		return interval.Unprotected, err
	}
	return interval.Protected, nil
}

package explain

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options tune Run. The zero value is ready to use.
type Options struct {
	Protect *protect.Options // of every run; Say tells of the first alone
	// TimeLimit is for all runs together; 0: none. A third of what is left is for the pattern, then for the
	// one that publishes the cell, the rest for the changes, each of which gets an even share. Runs that it stops
	// have bounds, as those of protect.Run, or are left out.
	TimeLimit time.Duration
	// Changes is how many changes are tried at most: those of rules first, then margins, then categories, the latter by
	// withheld cells in them. Negative: none; 0: 20.
	Changes int
}

// A Guard is a sensitive cell that a withheld one keeps protected.
type Guard struct {
	Cell         interval.Cell          // with the other published, and all else as it is
	Combinations []interval.Combination // how its interval follows then
}

// An Outcome is a run.
type Outcome struct {
	*protect.Result
	Err error // why there is no pattern
}

// Withheld counts the cells of the pattern.
func (o *Outcome) Withheld() int {
	return sets.Times(o.Solution.Pattern, true)
}

// found says that the run has a protected pattern.
func (o *Outcome) found() bool {
	return o.Err == nil && o.Solution != nil && o.Solution.Pattern != nil && o.Verdict == interval.Protected
}

// An Explanation is the result of Run.
type Explanation struct {
	Cell int
	Base *Outcome // the pattern that is explained
	// Guards are the sensitive cells that miss a level once the cell, withheld for others, is published and nothing
	// else changes. GuardedBy are, where the cell itself is sensitive, the cells withheld for others whose publication makes it miss one.
	Guards    []Guard
	GuardedBy []int
	// Sums are the sensitive unions, and the cells beside those that have nearly all units of a margin, that miss a level once the cell, withheld for others, is published.
	Sums []Sum
	// Publish is the run that must publish the cell, nil where it is sensitive or published anyway.
	Publish *Outcome
	// Changes are the changes tried that have a pattern, those that free most cells first; Untried counts those for which no time was left, NoPattern
	// those that have none, or that the rest of the policy does not fit.
	Changes            []Change
	Untried, NoPattern int
}

// Price returns bounds on what publishing the cell costs: the optimum with it published less that without. Both are equal where
// both runs are optimal.
func (e *Explanation) Price() (least, most int64) {
	a, b := e.Base.Solution, e.Publish.Solution
	return b.Bound - a.Cost, b.Cost - a.Bound
}

// ErrResponses is returned for policies that mask several responses.
var ErrResponses = i18n.New("explain: want one response")

// A NoCellError says that the table has no such cell.
type NoCellError struct{ Err error }

func (e *NoCellError) Error() string { return e.Message().String() }

func (e *NoCellError) Message() i18n.Text {
	return i18n.T("%s", e.Err)
}

func (e *NoCellError) Unwrap() error { return e.Err }

// Run protects the table of in as p says and explains the cell called name, as table.FindCells reads it. It changes no
// table. Errors are those of protect.Run and *NoCellError; a base without a pattern is no error, but has nothing else explained.
//
// Cost: two searches, one for each change tried, and audits of the sensitive cells.
func Run(ctx context.Context, in protect.Input, name string, p protect.Policy, opt *Options) (*Explanation, error) {
	o := Options{}
	if opt != nil {
		o = *opt
	}
	if in.Response != "" {
		return nil, ErrResponses
	}
	if p.Defence != "" || p.Insiders {
		return nil, i18n.Errorf("explain: a pattern of a defence or against insiders is not explained")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	cells, err := in.Table.FindCells([]string{name})
	if err != nil {
		return nil, &NoCellError{err}
	}
	ctx = work.Metered(ctx)
	r := &runner{in: in, p: p, o: o, clock: ctx, start: work.Now(ctx)}
	e := &Explanation{Cell: cells[0]}
	if e.Base, err = r.run(ctx, p, nil, r.share(3), true); err != nil {
		return nil, err
	}
	if !e.Base.found() {
		return e, nil
	}
	switch t := e.Base.Table; {
	case t.Status[e.Cell] == table.Sensitive:
		err = e.guardedBy(ctx, r)
	case e.Base.Solution.Pattern[e.Cell]:
		if err = e.guards(ctx, r); err == nil {
			err = e.sums(ctx, r)
		}
		if err == nil {
			publish := p
			publish.Withhold = slices.DeleteFunc(slices.Clone(p.Withhold), func(s string) bool {
				c, err := t.FindCells([]string{s})
				return err == nil && c[0] == e.Cell
			})
			publish.Publish = append(slices.Clone(p.Publish), codes(t, e.Cell))
			e.Publish, err = r.run(ctx, publish, nil, r.share(3), false)
		}
	}
	if err == nil && o.Changes >= 0 && e.Base.Withheld() > 0 {
		err = e.change(ctx, r)
	}
	return e, err
}

// runner makes runs.
type runner struct {
	in    protect.Input
	p     protect.Policy
	o     Options
	clock context.Context // has the meter of the runs
	start time.Time       // on it
}

// share is a part of the time that is left; 0: no limit. It is negative where none is left.
func (r *runner) share(parts int) time.Duration {
	if r.o.TimeLimit == 0 {
		return 0
	}
	left := r.o.TimeLimit - work.Since(r.clock, r.start)
	if left <= 0 {
		return -1
	}
	return max(1, left/time.Duration(max(1, parts)))
}

// run protects t, nil for the input's, as p says. An outcome without a pattern has Err.
func (r *runner) run(ctx context.Context, p protect.Policy, t *table.Table, limit time.Duration, say bool) (*Outcome, error) {
	in := r.in
	if in.Table = t; t == nil {
		in.Table = r.in.Table.Clone()
	}
	if limit > 0 && (p.TimeLimit == 0 || limit < p.TimeLimit) {
		p.TimeLimit = limit
	}
	o := protect.Options{}
	if r.o.Protect != nil {
		o = *r.o.Protect
	}
	if !say {
		o.Say, o.Punctual = nil, true
	}
	res, err := protect.Run(ctx, []protect.Input{in}, p, &o)
	var none *protect.NoPatternError
	switch {
	case errors.As(err, &none):
		return &Outcome{res, err}, nil
	case err != nil:
		return nil, err
	case res.Verdict != interval.Protected:
		return &Outcome{res, solver.ErrNoSolution}, nil
	}
	return &Outcome{Result: res}, nil
}

// codes names cell i for a policy.
func codes(t *table.Table, i int) string {
	if len(t.Dims) == 0 {
		return t.CellName(i)
	}
	return jsonList(t.CellCodes(i))
}

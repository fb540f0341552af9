package explain

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options tune Run. The zero value is ready to use.
type Options struct {
	Protect *protect.Options // for every run; Say is used by the first only
	// TimeLimit is for all runs together; 0: none. A third of what is left is for the pattern, then a third for
	// the one that publishes the cell; the rest is divided evenly among the changes. A run that reaches its
	// limit has bounds, as those of protect.Run, or is left out.
	TimeLimit time.Duration
	// Changes is the largest number of changes to try: those of rules first, then margins, then mergers of
	// categories, those with most withheld cells first. Negative: none; 0: 20.
	Changes int
}

// A Guard is a sensitive cell that a withheld one keeps protected.
type Guard struct {
	Cell         interval.Cell          // its interval with the other cell published and all else unchanged
	Combinations []interval.Combination // how that interval follows
}

// An Outcome is the result of a run.
type Outcome struct {
	*protect.Result
	Err error // why there is no pattern
}

// Withheld counts the cells of the pattern.
func (o *Outcome) Withheld() int {
	return sets.Times(o.Solution.Pattern, true)
}

// found reports whether the run has a pattern that protects.
func (o *Outcome) found() bool {
	return o.Err == nil && o.Solution != nil && o.Solution.Pattern != nil && o.Verdict == interval.Protected
}

// An Explanation is the result of Run.
type Explanation struct {
	Cell int
	Base *Outcome // the run whose pattern is explained
	// Audited is the table of Base with a cell behind its own for the remainder of each pair of the input (AtMost).
	Audited *table.Table
	// Guards are, if the cell is withheld to protect others, the sensitive cells that miss a level once it is
	// published and nothing else changes. GuardedBy are, if the cell itself is sensitive, the cells withheld to
	// protect others whose publication makes it miss one.
	Guards    []Guard
	GuardedBy []int
	// Sums are the sums of cells that miss a level once the cell, withheld to protect others, is published:
	// sensitive unions, and the other cells of a margin of which one cell has nearly all units.
	Sums []Sum
	// Publish is the run in which the cell must be published, nil if it is sensitive or published anyway.
	Publish *Outcome
	// Changes are the changes tried that have a pattern, those that free most cells first. Untried is how many
	// there was no time for, NoPattern how many have no pattern or do not fit the rest of the policy.
	Changes            []Change
	Untried, NoPattern int
}

// Price returns bounds on what it costs to publish the cell: the cost of the optimum with it published, less
// that of the optimum without. They are equal if both runs are optimal.
func (e *Explanation) Price() (least, most int64) {
	a, b := e.Base.Solution, e.Publish.Solution
	return b.Bound - a.Cost, b.Cost - a.Bound
}

// ErrResponses is returned for policies that mask several responses.
var ErrResponses = i18n.New("explain: want one response")

// A NoCellError says that the table does not have the named cell.
type NoCellError struct{ Err error }

func (e *NoCellError) Error() string { return e.Message().String() }

func (e *NoCellError) Message() i18n.Text {
	return i18n.T("%s", e.Err)
}

func (e *NoCellError) Unwrap() error { return e.Err }

// Run protects the table of in as p says, and explains the cell called name, which is read as by
// table.FindCells. It changes no table. Errors are those of protect.Run and *NoCellError. If the base has no
// pattern, that is no error, but nothing else is explained.
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
	e.Audited = protection.AtMost(e.Base.Table, in.AtMost)
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

// runner makes the runs.
type runner struct {
	in    protect.Input
	p     protect.Policy
	o     Options
	clock context.Context // has the meter of work for all runs
	start time.Time       // when the first run began, by that meter
}

// share returns the given part of the time that is left, 0 if there is no limit, and a negative time if none is
// left.
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

// run protects t, or the table of the input if t is nil, as p says. Err of the outcome says why there is no
// pattern.
func (r *runner) run(ctx context.Context, p protect.Policy, t *table.Table, limit time.Duration, say bool) (*Outcome, error) {
	in := r.in
	if in.Table = t; t == nil {
		in.Table = r.in.Table.Clone()
	} else {
		in.AtMost = within(r.in.AtMost, r.in.Table, t)
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

// within returns the pairs of cells of a table that are cells of t, too, by their names, as pairs of these.
func within(pairs [][2]int, of, t *table.Table) (found [][2]int) {
	if pairs == nil {
		return nil
	}
	at := map[string]int{}
	for i := range t.Len() {
		at[t.CellName(i)] = i
	}
	for _, p := range pairs {
		i, has := at[of.CellName(p[0])]
		if j, both := at[of.CellName(p[1])]; has && both {
			found = append(found, [2]int{i, j})
		}
	}
	return found
}

// codes returns the codes of cell i in the form that policies use.
func codes(t *table.Table, i int) string {
	if len(t.Dims) == 0 {
		return t.CellName(i)
	}
	return jsonList(t.CellCodes(i))
}

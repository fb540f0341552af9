package protect

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A lostError says that what is published already discloses sensitive cells of the table, so that no pattern protects
// them.
type lostError struct {
	Joint   *ledger.Joint
	Fixed   []ledger.Mention // published themselves
	Exposed []ledger.Exposed // computable from what is published
}

func (e *lostError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *lostError) Message() i18n.Text {
	t := i18n.T("table %s: %d sensitive cells cannot be protected any more, whatever is withheld now", e.Joint.Table.Name, len(e.Fixed)+len(e.Exposed))
	left := 10
	for _, f := range e.Fixed[:min(left, len(e.Fixed))] {
		t = t.Plus("; %s is published in %s", e.Joint.Origin(f.Cell).Name, f.File)
		left--
	}
	for _, x := range e.Exposed[:min(left, len(e.Exposed))] {
		t = t.Plus("; %s", tells(e.Joint, &x))
	}
	if n := len(e.Fixed) + len(e.Exposed) - 10; n > 0 {
		t = t.Plus("; and %d more", n)
	}
	return t
}

// tells explains how published cells disclose x: which cells of which files.
func tells(j *ledger.Joint, x *ledger.Exposed) i18n.Text {
	if len(x.Follows) > 0 {
		c := &x.Follows[0]
		text := c.Text(j.Table, j.Where)
		if cells := c.Cells(j.Where); len(c.Terms) > 0 {
			text += " (" + cells + ")"
		}
		return i18n.T("%s", text)
	}
	end := func(r interface{ RatString() string }, none bool) string {
		if none {
			return "?"
		}
		return r.RatString()
	}
	return i18n.T("%s is known to be from %s to %s", j.Where(x.Cell), end(x.Lo, x.Lo == nil), end(x.Hi, x.Hi == nil))
}

// Earlier is what a run found out about earlier publications.
type Earlier struct {
	Releases []*ledger.Release
	Shared   []int // by release: number of its cells that are cells of the table
	// Counts of cells. Fixed: cells of the table published in a release; Lost: sensitive ones among those that releases
	// disclose; Again: cells that a release withholds as the same cells; Before: withheld and published cells of the
	// period before. Exposed are cells of releases that the releases disclose by themselves.
	Fixed, Lost, Again int
	Exposed            []ledger.Exposed
	Before             [2]int // withheld, published
	// Pattern is over the joint table.
	Pattern []bool
}

// A problem is what a run searches and audits: a table with the policy applied, alone or joined with what is published
// already.
type problem struct {
	*run
	*Prepared
	earlier *Earlier // set if Joint is
	// Pairs of cells of which readers know that the first is at most the second, and those taken into the problem.
	pairs, taken [][2]int
}

// pose makes one problem of the table and what is published already. The result is never nil, even with an error.
func (r *run) pose(ctx context.Context, inputs []Input, s *Prepared) (*problem, error) {
	q := &problem{run: r, Prepared: s}
	if p := r.policy; len(p.Published) == 0 && p.Ledger == "" && len(p.Relations) == 0 {
		q.pair(inputs)
		return q, nil
	}
	if r.opt.Ledger == nil {
		return q, wrong("published", "{published}, {ledger}, {relations}: nothing reads them")
	}
	set, err := r.opt.Ledger(r.policy)
	if err == nil && set != nil && len(set.Releases)+len(set.Sums)+len(set.Changes) > 0 {
		err = q.join(ctx, &ledger.Release{Table: s.Table, File: sources(inputs)}, set)
	}
	q.pair(inputs)
	return q, err
}

// join joins the table, given as the release now, with the releases of set.
func (r *problem) join(ctx context.Context, now *ledger.Release, set *ledger.Set) error {
	p, t, o := r.policy, r.Table, r.opt
	opt := ledger.Options{Below: p.Below}
	if x := p.Width; x != nil && !x.Percent {
		opt.Width = &x.Decimal
	}
	for _, s := range set.Releases {
		if err := s.Table.SetBounds(p.Lower, p.Upper); err != nil {
			return i18n.Errorf("%s: %w", s.File, err)
		}
	}
	j, err := set.Join(now, opt)
	if err != nil {
		return err
	}
	for _, s := range j.Skipped {
		o.say(t, "%s", s)
	}
	r.Joint, r.earlier = j, &Earlier{Releases: set.Releases, Shared: j.Shared, Fixed: len(j.Fixed), Again: len(j.Again)}
	for k, n := range j.Shared {
		if n == 0 && len(set.Sums) == 0 && len(set.Changes) == 0 {
			o.say(t, "%s has no cell of this table, by codes and what is told of the two", set.Releases[k].File)
		}
	}
	if err := r.prefers(j); err != nil {
		return err
	}
	audit := &interval.Options{LP: p.LP, Workers: o.Workers}
	err = r.inTime(ctx, func(ctx context.Context) error {
		err := j.Complete(ctx, audit)
		if err != nil {
			err, _ = set.Contradiction(now, opt, err, func(j *ledger.Joint) error { return j.Complete(ctx, audit) })
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range j.Fixed {
		t.Status[m.Cell], t.LPL[m.Cell], t.UPL[m.Cell], t.Width[m.Cell] = table.Published, 0, 0, 0
	}
	if len(j.Lost) == 0 { // what releases disclose by themselves is examined only if no pattern is found
		return nil
	}
	_, err = r.lost(ctx)
	return err
}

// inTime runs do, which must precede any pattern, within the time limit.
func (r *run) inTime(ctx context.Context, do func(context.Context) error) error {
	if r.policy.TimeLimit == 0 {
		return do(ctx)
	}
	limited, stop := work.Limited(ctx, r.start, r.policy.TimeLimit)
	defer stop()
	err := do(limited)
	if err == nil || limited.Err() == nil || ctx.Err() != nil {
		return err
	}
	return &NoPatternError{wrong("time-limit", "stopped by {time-limit} %s while what is published was joined with the table, before the search: %w; with more time, or fewer releases, there is one", r.policy.TimeLimit, solver.ErrNoSolution)}
}

// sources names the files of the table.
func sources(inputs []Input) string {
	var names []string
	for _, in := range inputs {
		if in.Source != "" {
			names = append(names, in.Source)
		}
	}
	if names == nil {
		return name(inputs)
	}
	return strings.Join(names, " + ")
}

// prefers lowers the cost of cells that are withheld already and raises that of cells that the period before published.
func (r *problem) prefers(j *ledger.Joint) error {
	factor := slices.Repeat([]table.Decimal{{Unscaled: 1}}, j.Present)
	again := map[int]bool{}
	for _, m := range j.Again {
		factor[m.Cell], again[m.Cell] = preferWithheld, true
	}
	r.earlier.Again = len(again)
	for _, m := range j.Before {
		switch {
		case again[m.Cell]:
		case m.Told:
			factor[m.Cell] = preferPublished
			r.earlier.Before[1]++
		default:
			factor[m.Cell] = preferWithheld
			r.earlier.Before[0]++
		}
	}
	if len(again)+len(j.Before) == 0 {
		return nil
	}
	if err := r.Table.WeighCells(func(i int) table.Decimal { return factor[i] }); err != nil {
		return err
	}
	copy(j.Cost, r.Table.Cost)
	j.CostDecimals = r.Table.CostDecimals
	return nil
}

// lost finds sensitive cells that are disclosed already. Those of the table are an error unless the policy continues
// without them; for those of releases only the protection that is left is asked for. some reports whether there are
// any.
func (r *problem) lost(ctx context.Context) (some bool, err error) {
	p, t, j := r.policy, r.Table, r.Joint
	var present, earlier []ledger.Exposed
	err = r.inTime(ctx, func(ctx context.Context) (err error) {
		present, earlier, err = j.Exposed(ctx, &interval.Options{LP: p.LP, Workers: r.opt.Workers})
		return err
	})
	if err != nil {
		return false, err
	}
	for n := range earlier {
		r.opt.say(t, "already told by what is published before: %s", tells(j, &earlier[n]))
		if n == 9 && len(earlier) > 10 {
			r.opt.say(t, "%d more cells of releases are told already", len(earlier)-10)
			break
		}
	}
	r.earlier.Exposed, r.earlier.Lost = earlier, len(j.Lost)+len(present)
	if r.earlier.Lost == 0 {
		return len(earlier) > 0, nil
	}
	e := &lostError{Joint: j, Fixed: j.Lost, Exposed: present}
	if !p.Lost {
		return true, &NoPatternError{wrong("lost", "%w; with {lost} the others are protected without them", e)}
	}
	for _, x := range present {
		for _, of := range []*table.Table{j.Table, t} {
			of.Status[x.Cell], of.LPL[x.Cell], of.UPL[x.Cell], of.Width[x.Cell] = table.Withheld, 0, 0, 0
		}
	}
	r.opt.say(t, "%s", e)
	return true, nil
}

// spared searches for a pattern. If there is none beside the releases, it finds what these disclose whatever the table
// withholds, and searches again without asking for that.
func (r *problem) spared(ctx context.Context) (found, error) {
	f, err := r.search(ctx)
	if !r.unasked() || !is[*NoPatternError](err) || errors.Is(err, solver.ErrNoSolution) {
		return f, err
	}
	some, told := r.lost(ctx)
	if none, ok := errors.AsType[*NoPatternError](told); ok {
		s := none.solution(&solver.Solution{})
		if f.Solution != nil && s.Status == solver.Unprotectable {
			s.Certificate = f.Certificate
		}
		f.Solution = s
	}
	switch {
	case told != nil:
		return f, told
	case !some:
		return f, err
	}
	return r.search(ctx)
}

// Certify applies p to the inputs as Run does and calls try with the table to certify, joined with what is published
// already, and if that fails with the remainders of Input.AtMost. If try fails and releases disclose something by
// themselves, it calls try again with a table that asks only for the protection that is left. It returns the errors
// that Run returns before its search, and those of try.
func Certify(ctx context.Context, inputs []Input, p Policy, opt *Options, try func(*table.Table) error) error {
	ctx = work.Metered(ctx)
	r := &run{&p, opt.own(), work.Now(ctx)}
	s, err := prepare(inputs, &p, r.opt)
	if err != nil {
		return err
	}
	q, err := r.pose(ctx, inputs, s)
	if err != nil {
		return err
	}
	first := try(q.whole())
	if first == nil {
		return nil
	}
	if q.taken = q.pairs; q.taken != nil {
		if try(q.posed()) == nil {
			return nil
		}
		q.taken = nil
		first = try(q.whole()) // which the error is about
	}
	if !q.unasked() {
		return first
	}
	if some, err := q.lost(ctx); err != nil || !some {
		return first
	}
	return try(q.whole())
}

// whole returns the table with what is published already.
func (s *Prepared) whole() *table.Table {
	if s.Joint != nil {
		return s.Joint.Table
	}
	return s.Table
}

// unasked reports whether there are releases for which join has not yet examined what they disclose by themselves.
func (s *Prepared) unasked() bool { return s.Joint != nil && len(s.Joint.Lost) == 0 }

// cut restricts the pattern to the cells of the table and keeps the whole one in earlier.
func (r *problem) cut(s *solver.Solution) {
	if s == nil || s.Pattern == nil {
		return
	}
	if len(r.taken) > 0 {
		s.Pattern, s.Witnesses = r.own(s.Pattern), nil
	}
	if r.Joint == nil {
		return
	}
	r.earlier.Pattern, s.Pattern = s.Pattern, s.Pattern[:r.Joint.Present:r.Joint.Present]
}

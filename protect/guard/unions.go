package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// UnionOptions say which unions of cells Unions protects besides single cells.
type UnionOptions struct {
	// Rules decide which of the unions of withheld cells that Options selects are sensitive; nil: none.
	Rules   *table.Rules
	Options table.UnionOptions
	// Always are unions to protect whatever is withheld.
	Always []table.Union
	// Lost are sums that nothing can protect; they are Open under every pattern.
	Lost []table.Union
	// Beside are further sums to protect in every search, such as those of SingletonRule, which are not reported as
	// unions.
	Beside []table.Union
	// In is the table in whose relations unions are sought; its cells and relations come first in the table that is
	// searched. nil: the searched table itself.
	In *table.Table
	// Show quickly finds witness tables for levels of a table whose pattern is fixed; nil: none.
	Show func(context.Context, *table.Table) []*certificate.Witness
	// Quick is a search that finds some pattern soon; nil: the search passed to Unions.
	Quick search
}

// A search is solver.Suppress or a function like it.
type search = func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// A UnionsFound is the result of Unions.
type UnionsFound struct {
	*solver.Solution
	Rounds int // number of searches
	Rows   int // number of unions that are cells in the last search
	// Unions are the sensitive unions under the pattern, the Always and Lost ones included. Open are those not proved
	// to meet their levels: the Lost ones, and others if a limit ended the rounds. If any are Open, the Status is at
	// most Feasible and the Pattern is guaranteed to protect single cells only.
	Unions, Open []table.Union
	// Complete is false if not all unions could be examined.
	Complete bool
}

// A UnionError says that no pattern protects a union.
type UnionError struct {
	Table string
	Cells []string
	Err   *solver.UnprotectableError
}

func (e *UnionError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *UnionError) Message() i18n.Text {
	return i18n.T("table %s: whatever is withheld, the sum of %s is told too closely: %v", e.Table, i18n.Names("and", e.Cells), e.Err)
}

func (e *UnionError) Unwrap() error { return e.Err }

// Unions finds a pattern of t, using find, that protects every sensitive union of the withheld cells as well as the
// cells. Unions that a pattern does not protect are added to the table as cells, and the search is repeated until there
// are none; there are finitely many. The last pattern is therefore a cheapest one that protects the unions added, and
// its bound is valid for all patterns that protect every sensitive union. This is because the measures are sublinear:
// if a pattern publishes some cells of a union, the remaining ones form a union that is at least as sensitive, and the
// sum of all can move exactly as far as theirs.
//
// opt.TimeLimit covers all rounds. Part of it goes to a search without limit (see unlimited), the rest to runs that
// each have twice the share of the one before (see within), so a larger limit never makes the pattern dearer. In a run
// a search gets most of the time left, and unions not yet known to be protected are added too. When most of the run's
// share is used, the cells of the last pattern stay withheld and what.Quick withholds more until every union meets its
// levels, however long that takes (unless opt.Punctual). The unions under the pattern are audited in exact arithmetic;
// the end of ctx, or Punctual, may leave some in Open.
//
// With opt.Certificate, the first search is of t alone and its certificate is returned: the pattern protects the cells,
// and the bound holds for all patterns that do. Errors are those of find and *UnionError. Cost per round: a search, and
// two linear programs for each union that the search's witnesses do not show.
func Unions(ctx context.Context, t *table.Table, opt *solver.Options, what UnionOptions, find search) (*UnionsFound, error) {
	if t.Layers > 1 {
		return nil, i18n.New("attack: sensitive unions are of one response, not of several with a common mask")
	}
	ctx = work.Metered(ctx)
	start := time.Now()
	g := newUnionGuard(ctx, t, opt, what, find)
	f, err, whole := unlimited(ctx, opt, func(ctx context.Context, opt *solver.Options) (*UnionsFound, error) {
		g.opt = opt
		return g.search(ctx, find)
	})
	if !whole {
		g = newUnionGuard(ctx, t, opt, what, find)
		f, err = g.within(ctx, find)
	}
	if f.Solution != nil {
		if f.Pattern != nil {
			f.Unions, f.Open = append(f.Unions, what.Lost...), append(f.Open, what.Lost...)
		}
		if len(f.Open) > 0 && f.Status == solver.Optimal {
			f.Status = solver.Feasible
		}
		if g.proof != nil && f.Pattern != nil {
			f.Certificate = g.proof.For(f.Pattern, f.Witnesses)
		}
		f.Seconds = time.Since(start).Seconds()
	}
	return f, err
}

func newUnionGuard(ctx context.Context, t *table.Table, opt *solver.Options, what UnionOptions, find search) *unionGuard {
	g := &unionGuard{t: t, opt: opt, what: what, clock: ctx, begun: work.Now(ctx), have: map[string]bool{}, found: &UnionsFound{Complete: true}}
	g.what.Options.Across = slices.Clip(what.Options.Across)
	if g.what.Quick == nil {
		g.what.Quick = find
	}
	for k := range what.Always {
		g.add(&what.Always[k])
	}
	g.rows = append(g.rows, what.Beside...)
	return g
}

// A unionGuard is the state of one run of Unions.
type unionGuard struct {
	t      *table.Table
	opt    *solver.Options
	what   UnionOptions
	clock  context.Context // carries the meter of the run
	begun  time.Time       // start of the run on that meter
	rows   []table.Union   // unions that are cells of the next search
	have   map[string]bool
	probed bool // probe has run
	found  *UnionsFound
	bound  int64
	proof  *certificate.Certificate // certificate of the search without unions
}

const (
	// searchShare is the share of the remaining time for one search.
	searchShare = 0.7
	// growAfter is the share of the time limit after which patterns are only extended, no longer searched anew;
	// unionShare is the share that the audit of unions may take in a round.
	growAfter, unionShare = 0.7, 0.1
	// growShare is the share of the remaining time for each search for more cells.
	growShare = 0.5
	// probeShare is the share of the time limit for the first pattern.
	probeShare = 0.05
	// probeCells is the number of cells from which on a first pattern is used to find unions before the search.
	probeCells = 3500
)

// probe adds the unions that a quick first pattern does not protect: most of them will be withheld whatever the final
// pattern.
func (g *unionGuard) probe(ctx context.Context) error {
	s, err := g.what.Quick(ctx, withUnions(g.t, g.rows), &solver.Options{LP: g.opt.LP, Workers: g.opt.Workers, TimeLimit: g.left(probeShare), Punctual: g.opt.Punctual})
	if s == nil || s.Pattern == nil {
		return unionError(g.t, g.rows, err)
	}
	g.own(s)
	all, _, err := g.what.Find(context.WithoutCancel(ctx), g.t, s.Pattern)
	for k, met := range shown(g.t, s.Pattern, s.Witnesses, all) {
		if !met {
			g.add(&all[k])
		}
	}
	return err
}

// add makes n a cell of the next search; it returns false if it already is one.
func (g *unionGuard) add(n *table.Union) bool {
	key := unionKey(n)
	if g.have[key] {
		return false
	}
	g.have[key] = true
	g.rows = append(g.rows, *n)
	// A union across relations remains of interest even if its sum is no longer known.
	if n.Relation < 0 && n.Reason != table.NoReason {
		g.what.Options.Across = append(g.what.Options.Across, n.Cells)
	}
	return true
}

// unionKey identifies a union by its cells.
func unionKey(n *table.Union) string { return fmt.Sprint(n.Cells) }

// left returns the given share of the remaining time, 0 if there is no limit.
func (g *unionGuard) left(share float64) time.Duration {
	if g.opt.TimeLimit == 0 {
		return 0
	}
	return max(time.Nanosecond, time.Duration(share*float64(g.opt.TimeLimit-work.Since(g.clock, g.begun))))
}

// late reports whether the given share of the limit has passed.
func (g *unionGuard) late(share float64) bool {
	return g.opt.TimeLimit > 0 && work.Since(g.clock, g.begun) > time.Duration(share*float64(g.opt.TimeLimit))
}

func (g *unionGuard) search(ctx context.Context, find search) (*UnionsFound, error) {
	f, o := g.found, *g.opt
	if g.opt.TimeLimit > 0 && !g.probed && g.t.Len() >= probeCells && !g.opt.Certificate {
		g.probed = true
		if err := g.probe(ctx); err != nil {
			return f, err
		}
	}
	for last := false; ; {
		if o.TimeLimit = g.left(searchShare); last {
			o.TimeLimit = g.left(1)
		}
		rows := g.rows
		if plain := g.opt.Certificate && f.Rounds == 0; plain {
			rows = nil
		} else {
			o.Certificate = false
		}
		if o.Start != nil {
			o.Start = append(slices.Clone(o.Start[:g.t.Len()]), slices.Repeat([]bool{true}, len(rows))...)
		}
		s, stopped := find(ctx, withUnions(g.t, rows), &o)
		f.Rounds++
		if s == nil || s.Pattern == nil {
			if last {
				return f, nil // keep the pattern before
			}
			f.Solution, f.Rows = s, len(rows)
			return f, unionError(g.t, rows, stopped)
		}
		g.own(s)
		before := *f
		f.Solution, f.Rows = s, len(rows)
		open, unknown, err := g.judge(ctx, s)
		f.Open = append(open, unknown...)
		switch {
		case err != nil:
			return f, err
		case last && (len(f.Open) > 0 || s.Cost > before.Cost):
			before.Solution.Bound, before.Rounds = max(before.Solution.Bound, min(s.Bound, before.Cost)), f.Rounds
			*f = before
			return f, stopped
		case stopped != nil || last || len(f.Open) == 0 && len(rows) == len(g.rows) && (g.opt.TimeLimit == 0 || s.Status != solver.Feasible || s.Gap() <= o.Gap || g.late(growAfter)):
			return f, stopped
		case len(f.Open) == 0 && len(rows) == len(g.rows): // spend the remaining time on the same unions
			last, o.Start = true, s.Pattern
			continue
		}
		fresh := len(rows) < len(g.rows)
		for k := range open {
			fresh = g.add(&open[k]) || fresh
		}
		if g.opt.TimeLimit > 0 {
			for k := range unknown {
				fresh = g.add(&unknown[k]) || fresh
			}
		}
		switch {
		case g.late(growAfter) && !g.opt.Punctual, !fresh && g.opt.TimeLimit > 0 && !g.opt.Punctual:
			return f, g.grow(ctx)
		case !fresh, g.late(1):
			return f, nil
		}
	}
}

// own restricts s to the cells of the table and sets its bound to the best of all searches.
func (g *unionGuard) own(s *solver.Solution) {
	n := g.t.Len()
	s.Pattern = s.Pattern[:n]
	for _, w := range s.Witnesses {
		drop(w, int32(n))
	}
	if s.Certificate != nil {
		g.proof = s.Certificate
	}
	g.bound = max(g.bound, s.Bound)
	s.Bound = min(g.bound, s.Cost)
}

// judge determines the unions under the pattern of s, and those of them that do not meet their levels.
func (g *unionGuard) judge(ctx context.Context, s *solver.Solution) (open, unknown []table.Union, err error) {
	f := g.found
	if f.Unions, f.Complete, err = g.what.Find(context.WithoutCancel(ctx), g.t, s.Pattern); err != nil {
		return nil, f.Unions, err
	}
	if g.opt.TimeLimit > 0 {
		var stop context.CancelFunc
		ctx, stop = work.Limited(ctx, work.Now(ctx), min(g.left(growShare), time.Duration(unionShare*float64(g.opt.TimeLimit))))
		defer stop()
	}
	return g.what.open(ctx, g.t, s, f.Unions, g.opt)
}

// atOnce is the number of unions audited at a time; once that many are open, the next search starts.
const atOnce = 64

// Find returns the unions that are sensitive under the pattern withheld, the Always ones first; complete is false if
// not all could be examined. Cost: that of table.SensitiveUnions and unionsAcross.
func (what *UnionOptions) Find(ctx context.Context, t *table.Table, withheld []bool) (all []table.Union, complete bool, err error) {
	if what.Rules == nil {
		return slices.Clone(what.Always), true, nil
	}
	in, opt := cmp.Or(what.In, t), what.Options
	across, whole, err := unionsAcross(ctx, t, withheld, opt.Size)
	if err != nil {
		return slices.Clone(what.Always), false, err
	}
	across = slices.DeleteFunc(across, func(cells []int32) bool {
		return slices.ContainsFunc(cells, func(i int32) bool { return int(i) >= in.Len() })
	})
	opt.Across = append(across, opt.Across...)
	found, complete, err := in.SensitiveUnions(ctx, what.Rules, withheld[:in.Len()], opt)
	return append(slices.Clone(what.Always), found...), complete && whole, err
}

// open returns the unions among all that do not meet their levels under the pattern of s; unknown are those not
// decided, because ctx ended or enough are open for another search.
func (what *UnionOptions) open(ctx context.Context, t *table.Table, s *solver.Solution, all []table.Union, opt *solver.Options) (open, unknown []table.Union, err error) {
	var rest []table.Union
	for k, met := range shown(t, s.Pattern, s.Witnesses, all) {
		if !met {
			rest = append(rest, all[k])
		}
	}
	if len(rest) >= atOnce {
		met := what.Met(ctx, t, s.Pattern, rest)
		left := rest[:0]
		for k := range rest {
			if !met[k] {
				left = append(left, rest[k])
			}
		}
		rest = left
	}
	for len(rest) > 0 && len(open) < atOnce && ctx.Err() == nil {
		next := rest[:min(atOnce, len(rest))]
		cells, err := unionCells(ctx, t, s.Pattern, next, &interval.Options{LP: opt.LP, Workers: opt.Workers})
		if err != nil && ctx.Err() == nil {
			return open, append(unknown, rest...), err
		}
		if err != nil {
			break
		}
		for k := range cells {
			if !cells[k].Protected {
				open = append(open, next[k])
			}
		}
		rest = rest[len(next):]
	}
	return open, append(unknown, rest...), nil
}

// unionError names the union that a solver error is about, if it is about one.
func unionError(t *table.Table, rows []table.Union, err error) error {
	var no *solver.UnprotectableError
	if !errors.As(err, &no) {
		return err
	}
	for k := range rows {
		n := &rows[k]
		if t.CellName(int(n.Cells[0])) == no.Cell && n.Value == no.Value && n.LPL == no.LPL && n.UPL == no.UPL && n.Width == no.Width {
			return &UnionError{t.Name, namesOf(t, n.Cells), no}
		}
	}
	return err
}

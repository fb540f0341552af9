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

// UnionOptions say which unions of cells Unions protects beside the cells.
type UnionOptions struct {
	// Rules call unions of withheld cells sensitive, of those that Options say; nil: none.
	Rules   *table.Rules
	Options table.UnionOptions
	// Always are protected whatever is withheld.
	Always []table.Union
	// Lost are sums that nothing protects, so that they are open in whatever is found.
	Lost []table.Union
	// Beside are cells of every search, too, with their levels, but no unions that are told of: the sums of SingletonRule.
	Beside []table.Union
	// In is the table in whose relations unions are looked for; its cells and relations are the first of the table that is searched. nil: in that.
	In *table.Table
	// Show finds tables that show levels of a table whose pattern is given, quickly; nil: none.
	Show func(context.Context, *table.Table) []*certificate.Witness
	// Quick is a search that has some pattern soon; nil: that of the call.
	Quick search
}

// A Search is solver.Suppress or one like it.
type search = func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// A UnionsFound is what Unions found.
type UnionsFound struct {
	*solver.Solution
	Rounds int // searches
	Rows   int // unions that are cells of the last of them
	// Unions are the sensitive unions of the pattern, those that are always protected and those that nothing protects, and Open those of them of which it is not proved
	// that they meet their levels: the last, and others if a limit ended the rounds. With some Open the Status is at most Feasible, and the Pattern protects the cells alone.
	Unions, Open []table.Union
	// Complete is false where there were more unions than were looked at.
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

// Unions looks for a pattern of t, by find, that protects beside the cells every sensitive union of the cells that it
// withholds. Those that a pattern found leaves too closely told are added to the table as cells of their own, and the
// search goes on until there are none: unions are finitely many. So the last pattern is a cheapest one of those
// that protect the unions added, and the bound one for all patterns that protect every sensitive union. For the measures are
// sublinear: if a pattern publishes some cells of a union, the others are a union that is at least as sensitive, and how far the
// sum of these can move so can that of all.
//
// opt.TimeLimit is one for all rounds (see unlimited), in runs of twice the share each (see within), so that more of it never makes the pattern dearer: in a run a search has most of what is left, and unions of
// which it is not known whether they are told too closely by the time are added as well. When most of the run's share is gone, what the last pattern withholds stays withheld, and more with it until
// every union keeps its levels, by what.Quick, however long that takes
// (unless opt.Punctual). The unions of the pattern are audited in exact arithmetic; the end of ctx leaves some in Open, as Punctual may.
// With opt.Certificate the first search is of t alone, and its certificate is that of the pattern: that it protects the cells, and a bound for all patterns that do.
// Errors are those of find and *UnionError. Cost: a search, and two linear programs a union that its witnesses do not show, a round.
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

// unionGuard is a run of Unions.
type unionGuard struct {
	t      *table.Table
	opt    *solver.Options
	what   UnionOptions
	clock  context.Context // has the meter of the run
	begun  time.Time       // on it
	rows   []table.Union   // that are cells
	have   map[string]bool
	probed bool // by probe
	found  *UnionsFound
	bound  int64
	proof  *certificate.Certificate // of the search without unions
}

const (
	// searchShare is what of the time that is left a search has.
	searchShare = 0.7
	// growAfter is the share of a time limit after which a pattern is no longer searched for anew, unionShare what the audit of unions may take of it in a round.
	growAfter, unionShare = 0.7, 0.1
	// growShare is what of the rest the search for more cells has each time.
	growShare = 0.5
	// probeShare is what the first pattern has.
	probeShare = 0.05
	// probeCells is the number of cells from which the first pattern at hand tells some unions before the search.
	probeCells = 3500
)

// probe adds the unions that a first pattern does not show to keep their levels: whatever is withheld in the end, most of them will be withheld, too.
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

// add makes n a cell of the next search; false if it is one.
func (g *unionGuard) add(n *table.Union) bool {
	key := unionKey(n)
	if g.have[key] {
		return false
	}
	g.have[key] = true
	g.rows = append(g.rows, *n)
	if n.Relation < 0 && n.Reason != table.NoReason { // it stays one that is looked at when its sum is no longer known
		g.what.Options.Across = append(g.what.Options.Across, n.Cells)
	}
	return true
}

// unionKey tells unions by their cells.
func unionKey(n *table.Union) string { return fmt.Sprint(n.Cells) }

// left is a share of the time that is left, 0 where no limit is.
func (g *unionGuard) left(share float64) time.Duration {
	if g.opt.TimeLimit == 0 {
		return 0
	}
	return max(time.Nanosecond, time.Duration(share*float64(g.opt.TimeLimit-work.Since(g.clock, g.begun))))
}

// late says that so much of the limit is gone.
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
				return f, nil // with the pattern before
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
		case len(f.Open) == 0 && len(rows) == len(g.rows): // the time that is left is for the same unions
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

// own leaves of s what is of the table, and takes the bounds of the searches together.
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

// judge looks for the unions of the pattern of s, and for those that do not meet their levels.
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

// atOnce is how many unions are audited before it is asked whether that is enough for another search.
const atOnce = 64

// Find returns the sensitive unions if the cells withheld are, those that are always protected first; complete is false where there are more than are looked at. Cost: that of
// table.SensitiveUnions and unionsAcross.
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

// open returns those of all unions of the pattern of s that do not meet their levels, or of which, where unknown says so, that is not known
// because ctx ended or enough are open for another search.
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

// unionError says which union an error is about, if it is about one.
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

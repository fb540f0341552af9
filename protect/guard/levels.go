package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Searches are what Levels finds patterns by.
type Searches struct {
	// Find is solver.Suppress or one like it.
	Find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)
	// Widen, if set, adds cells to the pattern of s, which protects t, so that the findings are no more, as far as it can.
	Widen func(ctx context.Context, t *table.Table, s *solver.Solution, findings []insider.Exposure) (*solver.Solution, error)
}

// Levels looks for a pattern that insiders lay less open than first, a protected pattern of t: it guards levels where
// Insiders guards against disclosure. u is t, or t with sums that are to be protected (SingletonRule.Apply). The
// result is the best pattern met, by the number of cells that insiders disclose, then
// by that of all they lay open, then by the cost; first if none is better, with the report on it.
//
// If a contributor who knows the cells Q is left with an interval of y_k that misses a level, so would be anybody of
// some v = y_k + Σ d_q y_q, for the maximum of z_k with z_Q = 0 is the least of those of z_k + Σ d_q z_q over all d; in a network
// d is of −1, 0 and 1. These v are therefore added to u with the levels of k, and the search is repeated, until
// nothing is laid open, no v is new, or opt.TimeLimit, which is one for all rounds, is over. Every pattern
// without findings protects them all. A v that cannot be protected is left out. Before that the first pattern is widened, if how says
// how, which in large tables may be all that there is time for.
//
// With a limit the first insider.Run takes half of it at most. A report may have cells that were not looked at (Unlooked); two patterns are compared by
// the cells looked at in both. Cost: a search and an insider.Run a round. An end of ctx ends it with what has been found and no error.
func Levels(ctx context.Context, t, u *table.Table, first *solver.Solution, opt *solver.Options, insiders *insider.Options, how Searches) (*Result, error) {
	n, o := t.Len(), *opt
	o.Punctual = true // first stands
	ctx = work.Metered(ctx)
	ctx, stop := work.Limited(ctx, work.Now(ctx), o.TimeLimit)
	defer stop()
	u = u.Clone()
	u.Rel, u.Coord = own(u.Rel), slices.Clone(u.Coord)
	best := &Result{Solution: first}
	var err error
	if best.Report, err = lookedAt(ctx, t, first, insiders, 2); err != nil || best.Report == nil {
		return best, ended(ctx, err)
	}
	latest := best
	if how.Widen != nil && len(best.Report.Findings) > 0 && ctx.Err() == nil {
		s, err := how.Widen(ctx, t, first, best.Report.Findings)
		if err != nil {
			return best, ended(ctx, err)
		}
		wide := &Result{Solution: s}
		if wide.Report, err = lookedAt(ctx, t, s, insiders, 1); err != nil {
			return best, ended(ctx, err)
		}
		best = better(best, wide)
	}
	seen := map[string]bool{}
	for len(latest.Report.Findings) > 0 && ctx.Err() == nil {
		added := 0
		for i := range latest.Report.Findings {
			added += addLevels(u, &latest.Report.Findings[i], seen)
		}
		if added == 0 {
			break
		}
		s, err := findAround(ctx, u, &o, how.Find, n)
		if s == nil || s.Pattern == nil || ctx.Err() != nil {
			return best, ended(ctx, err)
		}
		s.Pattern = s.Pattern[:n]
		for _, w := range s.Witnesses {
			drop(w, int32(n))
		}
		latest = &Result{Solution: s, Rounds: latest.Rounds + 1, Sums: latest.Sums + added}
		if latest.Report, err = lookedAt(ctx, t, s, insiders, 1); err != nil {
			return best, ended(ctx, err)
		}
		best = better(best, latest)
	}
	return best, nil
}

// lookedAt is the report of insider.Run on s, in a share of the time that ctx leaves: what has been found where that
// ends, nil if nothing at all.
func lookedAt(ctx context.Context, t *table.Table, s *solver.Solution, insiders *insider.Options, share int) (*insider.Report, error) {
	own := insider.Options{}
	if insiders != nil {
		own = *insiders
	}
	own.Witnesses = s.Witnesses
	limit := ctx
	if end, ok := work.Deadline(ctx); ok && share > 1 {
		var cancel context.CancelFunc
		limit, cancel = work.Limited(ctx, work.Now(ctx), max(1, work.Until(ctx, end)/time.Duration(share)))
		defer cancel()
	}
	r, err := insider.Run(limit, t, s.Pattern, &own)
	if err != nil && limit.Err() != nil {
		err = nil
	}
	return r, err
}

// better is b if insiders lay less open in it than in a, of the cells that were looked at in both, else a.
func better(a, b *Result) *Result {
	if b.Report == nil {
		return a
	}
	out := map[int]bool{}
	for _, g := range [2]*Result{a, b} {
		for _, k := range g.Report.Unlooked {
			out[k] = true
		}
	}
	if b.openness(out).less(a.openness(out)) {
		return b
	}
	return a
}

// ended is nil where ctx has ended, by the limit or otherwise, or there was no pattern; else err.
func ended(ctx context.Context, err error) error {
	var no *solver.UnprotectableError
	if ctx.Err() != nil || errors.Is(err, solver.ErrNoSolution) || errors.As(err, &no) {
		return nil
	}
	return err
}

// openness is how many cells insiders disclose and lay open, without some cells, and the cost.
type openness [3]int64

func (g *Result) openness(without map[int]bool) openness {
	exact, open := g.open(without)
	return openness{int64(exact), int64(open), g.Cost}
}

// Open returns how many cells insiders disclose and how many they lay open, these among them.
func (g *Result) Open() (exact, open int) { return g.open(nil) }

func (g *Result) open(without map[int]bool) (exact, open int) {
	is := map[int]bool{}
	for i := range g.Report.Findings {
		if e := &g.Report.Findings[i]; !without[e.Cell] {
			is[e.Cell] = is[e.Cell] || e.Disclosed
		}
	}
	for _, d := range is {
		if d {
			exact++
		}
	}
	return exact, len(is)
}

func (a openness) less(b openness) bool { return slices.Compare(a[:], b[:]) < 0 }

// findAround finds a pattern for u, of which cells from n on that cannot be protected lose their levels.
func findAround(ctx context.Context, u *table.Table, opt *solver.Options,
	find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error), n int) (*solver.Solution, error) {
	for {
		if end, ok := work.Deadline(ctx); ok && opt.TimeLimit > 0 {
			opt.TimeLimit = max(time.Nanosecond, work.Until(ctx, end)/3) // others follow, and runs of insiders
		}
		s, err := find(ctx, u, opt)
		var no *solver.UnprotectableError
		if !errors.As(err, &no) {
			return s, err
		}
		found := false
		for i := n; i < u.Len(); i++ {
			if u.CellName(i) == no.Cell && u.Value[i] == no.Value && u.LPL[i] == no.LPL && u.UPL[i] == no.UPL && u.Width[i] == no.Width && no.LPL+no.UPL+no.Width > 0 {
				u.LPL[i], u.UPL[i], u.Width[i] = 0, 0, 0
				found = true
			}
		}
		if !found {
			return s, err
		}
	}
}

// addLevels adds to u the sums and differences of e.Cell and the cells that its coalition knows, with the levels of e.Cell,
// and returns how many are new. Coalitions that know more than three cells are left out.
func addLevels(u *table.Table, e *insider.Exposure, seen map[string]bool) (added int) {
	k, m := e.Cell, len(e.Coalition)
	if m > 3 {
		return 0
	}
	signs := make([]int32, m)
	for c := 0; c < pow3(m); c++ {
		rest, v := c, u.Value[k]
		for q := range signs {
			signs[q] = int32(rest%3) - 1
			v += int64(signs[q]) * u.Value[e.Coalition[q]]
			rest /= 3
		}
		key := fmt.Sprint(k, e.Coalition, signs)
		if seen[key] || !slices.ContainsFunc(signs, func(s int32) bool { return s != 0 }) || num.Abs(v) >= maxWord {
			continue
		}
		seen[key] = true
		addCell(u, k, v)
		i := u.Len() - 1
		u.LPL[i], u.UPL[i], u.Width[i] = u.LPL[k], u.UPL[k], max(u.Width[i], u.Width[k])
		row, val := []int32{int32(i), int32(k)}, []int32{1, -1}
		for q, s := range signs {
			if s != 0 {
				row, val = append(row, int32(e.Coalition[q])), append(val, -s)
			}
		}
		relate(u, row, val)
		added++
	}
	return added
}

func pow3(m int) int {
	p := 1
	for range m {
		p *= 3
	}
	return p
}

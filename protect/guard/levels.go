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

// Searches are the ways in which Levels finds patterns.
type Searches struct {
	// Find is solver.Suppress or a function like it.
	Find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)
	// Widen, if set, adds cells to the pattern of s, which protects t, to remove as many of the findings as possible.
	Widen func(ctx context.Context, t *table.Table, s *solver.Solution, findings []insider.Exposure) (*solver.Solution, error)
}

// Levels searches for a pattern that tells insiders less than first, a protected pattern of t: it guards levels, where
// Insiders guards against disclosure. u is t, or t with sums to be protected (SingletonRule.Apply). The result is the
// best pattern found: the one with the fewest cells disclosed to insiders, then the fewest cells with a violated level,
// then the least cost. It is first, with the report on it, if none is better.
//
// If an insider who knows the cells Q has an interval of y_k that violates a level, then everybody has such an interval
// of some v = y_k + Σ d_q y_q: the maximum of z_k subject to z_Q = 0 is the minimum over d of the maximum of z_k + Σ
// d_q z_q, and in a network each d_q can be −1, 0 or 1. These v are therefore added to u with the levels of k, and the
// search is repeated until there are no findings, no v is new, or opt.TimeLimit, which covers all rounds, has passed. A
// pattern without findings protects them all; a v that cannot be protected is left out. Before the rounds, how.Widen is
// applied to the first pattern; in large tables there may be no time for more.
//
// With a limit, the first insider.Run takes at most half of it. A report may have cells that were not examined
// (Unlooked); two patterns are compared on the cells examined in both. Cost: a search and an insider.Run for each
// round. If ctx ends, what was found is returned without an error.
func Levels(ctx context.Context, t, u *table.Table, first *solver.Solution, opt *solver.Options, insiders *insider.Options, how Searches) (*Result, error) {
	n, o := t.Len(), *opt
	o.Punctual = true // first is the fallback
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

// lookedAt returns the report of insider.Run on s, run for 1/share of the time left in ctx. If time runs out, it has
// the findings so far, or is nil if there are none.
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

// better returns b if it tells insiders less than a about the cells examined in both, else a.
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

// ended returns nil if ctx has ended or there was no pattern, else err.
func ended(ctx context.Context, err error) error {
	var no *solver.UnprotectableError
	if ctx.Err() != nil || errors.Is(err, solver.ErrNoSolution) || errors.As(err, &no) {
		return nil
	}
	return err
}

// An openness counts the cells that insiders disclose and those with a violated level, followed by the cost.
type openness [3]int64

func (g *Result) openness(without map[int]bool) openness {
	exact, open := g.open(without)
	return openness{int64(exact), int64(open), g.Cost}
}

// Open returns the number of cells that insiders disclose, and of all those with a finding, the disclosed ones
// included.
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

// findAround finds a pattern for u; cells from n on that cannot be protected lose their levels.
func findAround(ctx context.Context, u *table.Table, opt *solver.Options,
	find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error), n int) (*solver.Solution, error) {
	for {
		if end, ok := work.Deadline(ctx); ok && opt.TimeLimit > 0 {
			opt.TimeLimit = max(time.Nanosecond, work.Until(ctx, end)/3) // later patterns and insider runs need time too
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

// addLevels adds to u the sums and differences of e.Cell and the cells that its coalition knows, with the levels of
// e.Cell, and returns how many are new. Coalitions that know more than three cells are skipped.
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

package arb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// guard looks for a pattern that leaves less open to cells' only contributors than that of res does, and puts
// it in its place. It considers all relations together, where τ-ARGUS looks at single rows and the hypercube
// method at single cubes. The singleton rule of r stays in force.
func (b *batch) guard(ctx context.Context, res *protect.Result, r *request) error {
	t, first := res.Table, res.Solution
	u := t
	if rule := r.policy.Singletons; rule != nil {
		var err error
		if u, _, err = rule.Apply(t); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	opt := &solver.Options{LP: b.opt.LP, Workers: b.opt.Workers, TimeLimit: r.limit}
	how := guard.Searches{Find: modular.Suppress, Widen: func(ctx context.Context, t *table.Table, s *solver.Solution, findings []insider.Exposure) (*solver.Solution, error) {
		pairs := sets.List(len(findings), func(n int) modular.Pair { return modular.Pair{K: findings[n].Cell, Known: findings[n].Coalition} })
		wide, _, err := modular.Widen(ctx, t, s, pairs, &solver.Options{LP: b.opt.LP, Workers: b.opt.Workers})
		return wide, err
	}}
	if r.policy.Effort == "quick" {
		how.Find = modular.Quick
	}
	if r.limit == 0 { // GH
		opt.TimeLimit = share(time.Minute)
	}
	g, err := guard.Levels(ctx, t, u, first, opt, &insider.Options{LP: b.opt.LP, Workers: b.opt.Workers}, how)
	switch {
	case errors.Is(err, insider.ErrNoContributors):
		return nil
	case err != nil:
		return i18n.Errorf("only contributors: %w", err)
	}
	b.unguarded(t, g)
	if g.Solution == first {
		return nil
	}
	if res.Verdict, err = g.Audit(ctx, t, nil); err != nil {
		return err
	}
	res.Solution = g.Solution
	for k, cells := range res.Cells {
		for i, c := range cells {
			res.Patterns[k][i] = g.Pattern[c]
		}
	}
	return nil
}

// unguarded reports what only contributors can still compute, and for how many cells that is not known: the
// totals in words, the first cells in the log, which is for the office only.
func (b *batch) unguarded(t *table.Table, g *guard.Result) {
	exact, open := g.Open()
	rest := ""
	if n := len(g.Report.Unlooked); n > 0 {
		rest = fmt.Sprintf("; the time did not do to look at %d of %d unsafe cells", n, g.Report.Sensitive)
	}
	b.say("Only contributors of withheld cells compute %d unsafe cells of others exactly, and %d more closely than their levels allow%s", exact, open-exact, rest)
	several(b.note, len(g.Report.Findings), func(i int) string {
		e := &g.Report.Findings[i]
		known := sets.Each(e.Coalition, t.CellName)
		how := "more closely than its levels allow"
		if e.Disclosed {
			how = "exactly"
		}
		return fmt.Sprintf("Not guarded: %s, which the only contributor of %s computes %s", t.CellName(e.Cell), strings.Join(known, ", "), how)
	})
	several(b.note, len(g.Report.Unlooked), func(i int) string { return fmt.Sprintf("Not looked at: %s", t.CellName(g.Report.Unlooked[i])) })
}

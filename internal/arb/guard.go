package arb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
)

// guard looks for a pattern that leaves less open to only contributors than that of res, by all relations together, where
// τ-ARGUS looks at single rows and the hypercube at single cubes, and puts it in its place. The
// rule of r stays.
func (b *batch) guard(ctx context.Context, res *protect.Result, r *request) error {
	t, first := res.Table, res.Solution
	u := t
	if rule := r.singletonRule(); rule != nil {
		var err error
		if u, _, err = rule.Apply(t); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	opt := &solver.Options{LP: b.opt.LP, Workers: b.opt.Workers, TimeLimit: r.limit}
	find := modular.Suppress
	if r.policy.Effort == "quick" {
		opt.TimeLimit, find = share(time.Minute), modular.Quick
	}
	g, err := attack.GuardLevels(ctx, t, u, first, opt, &attack.InsiderOptions{LP: b.opt.LP, Workers: b.opt.Workers}, find)
	switch {
	case errors.Is(err, attack.ErrNoContributors):
		return nil
	case err != nil:
		return fmt.Errorf("only contributors: %w", err)
	case g.Report == nil || g.Report.Settled < 1:
		b.say("Only contributors: the time did not do to find out what they learn")
		return nil
	}
	exact, open := g.Open()
	b.say("Only contributors of withheld cells compute %d unsafe cells of others exactly, and %d more closely than their levels allow", exact, open-exact)
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

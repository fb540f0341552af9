package protect

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Trial returns the test that attack.Through applies to a candidate for the published table of in: would p, applied to
// it together with the earlier publications that p names, withhold these cells? It would if they are a cheapest
// protected pattern or, with p.Canonical, the one that p finds. The statuses of the table tell the sensitive cells
// unless p.Below does; cells withheld for others may be published.
func Trial(in Input, withheld []bool, p Policy, opt *Options) attack.Trial {
	o := *opt.own()
	o.NoSuperfluous, o.Say, o.Progress = true, nil, nil
	base := in.Table.Clone()
	base.Missing = nil
	for i, st := range base.Status {
		if st == table.Withheld || st == table.Sensitive && p.Below > 0 {
			base.Status[i] = table.Safe
		}
	}
	return func(ctx context.Context, y []int64) (possible, match bool, err error) {
		own := in
		own.Table, own.AtMost = base.Clone(), nil // which holds for the true values
		k := 0
		for i, w := range withheld {
			if w {
				own.Table.Value[i] = y[k]
				k++
			}
		}
		if p.Below > 0 && own.Table.Freq != nil {
			copy(own.Table.Freq, own.Table.Value)
		}
		res, err := Run(ctx, []Input{own}, p, &o)
		switch {
		case is[*ledger.ConflictError](err), is[*formats.Error](err), errors.Is(err, interval.ErrInconsistent):
			return false, false, nil
		case is[*NoPatternError](err) && !errors.Is(err, solver.ErrNoSolution):
			return true, false, nil
		case err != nil:
			return false, false, err
		case p.Canonical:
			return true, slices.Equal(res.Patterns[0], withheld), nil
		}
		match, err = res.cheapest(ctx, withheld, p.LP)
		return true, match, err
	}
}

// cheapest reports whether a pattern protects the table too and costs no more than that of r.
func (r *Result) cheapest(ctx context.Context, pattern []bool, lp string) (bool, error) {
	cost := int64(0)
	for i, w := range pattern {
		switch st := r.Table.Status[i]; {
		case w && st == table.Published, !w && (st == table.Sensitive || st == table.Withheld):
			return false, nil
		case st != table.Safe || w == r.Solution.Pattern[i]:
		case w:
			cost += r.Table.Cost[i]
		default:
			cost -= r.Table.Cost[i]
		}
	}
	if cost > 0 {
		return false, nil
	}
	all := pattern
	if r.Joint != nil {
		all = slices.Concat(pattern, r.Earlier.Pattern[len(pattern):])
	}
	rep, err := interval.Audit(ctx, r.whole(), all, &interval.Options{LP: lp, Workers: 1})
	if err != nil {
		return false, err
	}
	return rep.Protected, nil
}

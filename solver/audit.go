package solver

import (
	"context"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Audit says whether the pattern of s, which must have one, protects t. It trusts the
// search with nothing but where to look: that each witness satisfies all that is published, keeps
// to the intruder's bounds and is as far from the true table as a level asks is
// checked by additions, and that every level has one. Were one amiss, the
// intervals themselves would decide, by interval.Audit with opt, which can take longer than the
// search. An end of ctx stops that, unless it came before Audit did: a search that was
// stopped has a pattern to be judged all the same. Cost: the entries of the witnesses.
func (s *Solution) Audit(ctx context.Context, t *table.Table, opt *interval.Options) (interval.Verdict, error) {
	if certificate.Protects(t, s.Pattern, s.Witnesses) == nil {
		return interval.Protected, nil
	}
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	report, err := interval.Audit(ctx, t, s.Pattern, opt)
	if err != nil {
		return interval.Unprotected, err
	}
	return report.Verdict(), nil
}

package solver

import (
	"context"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Audit decides whether the pattern of s, which must have one, protects t. It trusts nothing that the search says: by
// additions it checks that every level has a witness, and that each witness satisfies everything published, respects
// the intruder's bounds and is as far from the true table as its level asks. If a check fails, interval.Audit with opt
// computes the intervals instead, which can take longer than the search. The end of ctx stops the audit, unless ctx had
// ended before the call: the pattern of a stopped search is still audited. Cost linear in the entries of the witnesses.
func (s *Solution) Audit(ctx context.Context, t *table.Table, opt *interval.Options) (interval.Verdict, error) {
	if certificate.Protects(t, s.Pattern, s.Witnesses) == nil {
		return interval.Protected, nil
	}
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	report, err := interval.Audit(ctx, t, s.Pattern, opt)
	if err != nil || !report.Protected {
		return interval.Unprotected, err
	}
	return interval.Protected, nil
}

// Superfluous returns the cells of the pattern that are withheld for others but that anyone can compute (in tables with
// layers: in every layer; the cells of the first are returned). Every secondary cell that the search chose is moved by
// some witness, so only cells withheld by the input can be superfluous, and only those that no witness moves are
// audited.
func (s *Solution) Superfluous(ctx context.Context, t *table.Table, opt *interval.Options) ([]int, error) {
	moved := certificate.Moved(t, s.Witnesses)
	m := len(moved)
	only := *opt
	for i, in := range s.Pattern {
		if in && t.Status[i] == table.Withheld && !moved[i%m] {
			only.Cells = append(only.Cells, i)
		}
	}
	if only.Cells == nil {
		return nil, nil
	}
	report, err := interval.Audit(ctx, t, s.Pattern, &only)
	if report == nil {
		return nil, err
	}
	idle, count := []int(nil), make([]int, m)
	for k := range report.Cells {
		if i := report.Cells[k].Index % m; report.Cells[k].Superfluous {
			if count[i]++; count[i] == max(1, t.Layers) {
				idle = append(idle, i)
			}
		}
	}
	return idle, err
}

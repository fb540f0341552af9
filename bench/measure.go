package bench

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// measured is what the solves of one table gave.
type measured struct {
	t        *table.Table
	sol      *solver.Solution // of the first solve
	patterns [][]bool         // all different ones

	seconds, first, cpu []float64 // of every solve

	verdict      string // of the audits
	auditSeconds float64

	certificate        string // empty, or what became of it
	certificateSeconds float64
}

// solve solves t as often as asked, or until ctx ends.
func (o *Options) solve(ctx context.Context, t *table.Table) (*measured, error) {
	m := &measured{t: t}
	for k := range o.Repeat {
		if k > 0 && ctx.Err() != nil {
			break
		}
		before, _ := cpuTime()
		sol, err := solver.Suppress(ctx, t, &o.Solver)
		after, ok := cpuTime()
		var impossible *solver.UnprotectableError
		if err != nil && !errors.As(err, &impossible) && !errors.Is(err, solver.ErrNoSolution) {
			return nil, err
		}
		if m.sol == nil {
			m.sol = sol
		}
		m.seconds = append(m.seconds, sol.Seconds)
		if ok {
			m.cpu = append(m.cpu, (after - before).Seconds())
		}
		if sol.Pattern == nil {
			continue
		}
		m.first = append(m.first, sol.FirstSeconds)
		if !slices.ContainsFunc(m.patterns, func(p []bool) bool { return slices.Equal(p, sol.Pattern) }) {
			m.patterns = append(m.patterns, sol.Pattern)
		}
	}
	return m, nil
}

// audit computes what can be learned from every pattern found. An interrupt does
// not stop it.
func (m *measured) audit(ctx context.Context, o *solver.Options) error {
	start := time.Now()
	m.verdict = "none"
	for _, pattern := range m.patterns {
		report, err := interval.Audit(context.WithoutCancel(ctx), m.t, pattern, &interval.Options{LP: o.LP, Workers: o.Workers})
		switch {
		case err != nil:
			return fmt.Errorf("audit: %w", err)
		case !report.Protected:
			m.verdict = "unprotected"
		case m.verdict == "none":
			m.verdict = "protected"
		}
	}
	m.auditSeconds = time.Since(start).Seconds()
	return nil
}

// withheldCost sums the costs of all withheld cells, sensitive ones too.
func (m *measured) withheldCost() *big.Rat {
	sum := new(big.Int)
	for i, withheld := range m.sol.Pattern {
		if withheld {
			sum.Add(sum, big.NewInt(m.t.Cost[i]))
		}
	}
	return unscale(sum, m.t.CostDecimals)
}

// unscale returns v·10^−scale.
func unscale(v *big.Int, scale int) *big.Rat {
	return new(big.Rat).SetFrac(v, big.NewInt(table.Pow10(scale)))
}

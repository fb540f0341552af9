package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// A measured holds the results of the solves of one table.
type measured struct {
	t     *table.Table
	sol   *solver.Solution   // solution of the first solve
	found []*solver.Solution // one for each different pattern

	seconds, first, cpu []float64 // by solve

	verdict      string // worst verdict of the audits
	auditSeconds float64

	certificate        string // empty, or the result of verifying it
	certificateSeconds float64
}

// solve solves t as often as requested, or until ctx ends.
func (o *Options) solve(ctx context.Context, t *table.Table) (*measured, error) {
	m := &measured{t: t}
	for k := range o.Repeat {
		if k > 0 && ctx.Err() != nil {
			break
		}
		before, _ := cpuTime()
		sol, err := modular.Whole(ctx, t, &o.Solver)
		after, ok := cpuTime()
		var impossible *solver.UnprotectableError
		if err != nil && !errors.As(err, &impossible) && !errors.Is(err, solver.ErrNoSolution) && (sol == nil || ctx.Err() == nil) {
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
		if !slices.ContainsFunc(m.found, func(f *solver.Solution) bool { return slices.Equal(f.Pattern, sol.Pattern) }) {
			m.found = append(m.found, sol)
		}
	}
	return m, nil
}

// audit checks every pattern found: by adding up the solver's witnesses, as hitoku suppress does, or, if these do not
// suffice, by what an intruder can learn. The end of ctx does not stop it.
func (m *measured) audit(ctx context.Context, o *solver.Options) error {
	start := time.Now()
	m.verdict = "none"
	for _, sol := range m.found {
		verdict, err := sol.Audit(context.WithoutCancel(ctx), m.t, &interval.Options{LP: o.LP, Workers: o.Workers})
		if err != nil {
			return i18n.Errorf("audit: %w", err)
		}
		if m.verdict == "none" || verdict == interval.Unprotected {
			m.verdict = string(verdict)
		}
	}
	m.auditSeconds = time.Since(start).Seconds()
	return nil
}

// withheldCost returns the total cost of all withheld cells, including sensitive ones.
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

// machineName describes the machine of a measurement: the processor, if /proc tells it, the platform, GOMAXPROCS and
// the version of Go.
func machineName() string {
	s := fmt.Sprintf("%s/%s, GOMAXPROCS %d, %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version())
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return s
	}
	for line := range bytes.Lines(info) {
		key, value, _ := bytes.Cut(line, []byte(":"))
		if string(bytes.TrimSpace(key)) == "model name" {
			return string(bytes.TrimSpace(value)) + ", " + s
		}
	}
	return s
}

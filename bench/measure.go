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

// measured is what the solves of one table gave.
type measured struct {
	t     *table.Table
	sol   *solver.Solution   // of the first solve
	found []*solver.Solution // with all different patterns

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

// audit checks every pattern found: by adding up the witnesses the solver shows, as
// hitoku suppress does, or by what an intruder can learn where they do not suffice. An
// interrupt does not stop it.
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

// machineName names what a result was measured on: the processor where /proc tells
// it, the platform, GOMAXPROCS and the version of Go.
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

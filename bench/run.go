package bench

import (
	"cmp"
	"context"
	"math/big"
	"runtime"
	"slices"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options tune Run. The zero value is ready to use.
type Options struct {
	Solver solver.Options
	// Repeat is the number of solves of each table, whose median time counts; 0 means 1.
	Repeat int
	// Rules describes how the tables were changed, Version is the program's version; both are only recorded.
	Rules, Version string
	// Started, if set, is called before the solves of a single table, Done after every table of a batch.
	Started func(t *table.Table)
	Done    func(done, total int)
}

// Run solves an instance and audits every pattern found; with Solver.Certificate it also verifies the certificate of
// the first solve. If ctx ends, it returns what it has, for a batch the tables done. Loading and auditing do not count
// as time of the solve. opt may be nil.
func Run(ctx context.Context, in *Instance, opt *Options) (*Result, error) {
	o := Options{}
	if opt != nil {
		o = *opt
	}
	if o.Repeat < 1 {
		o.Repeat = 1
	}
	s := &o.Solver
	s.LP = cmp.Or(s.LP, "simplex")
	if s.Workers < 1 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	r := &Result{
		Table: in.Name, Cuts: map[string]int{}, LP: s.LP, Workers: s.Workers, Canonical: s.Canonical,
		GapLimit: s.Gap, TimeLimit: s.TimeLimit.Seconds(), Rules: o.Rules, Version: o.Version, Machine: machineName(),
	}
	fill := o.single
	if in.Tables > 1 {
		fill = o.batch
	}
	if err := fill(ctx, in, r); err != nil {
		return nil, err
	}
	return r, nil
}

// single fills in r for an instance of one table.
func (o *Options) single(ctx context.Context, in *Instance, r *Result) error {
	t, err := in.Load(0)
	if err != nil {
		return err
	}
	if o.Started != nil {
		o.Started(t)
	}
	watch := watchMemory()
	m, err := o.solve(ctx, t)
	watch.stop(r)
	if err != nil {
		return i18n.Errorf("%s: %w", in.Name, err)
	}
	if err := m.audit(ctx, &o.Solver); err != nil {
		return i18n.Errorf("%s: %w", in.Name, err)
	}
	if o.Solver.Certificate {
		if err := m.verify(ctx); err != nil {
			return i18n.Errorf("%s: %w", in.Name, err)
		}
	}
	sol := m.sol
	describe(r, m)
	r.Status, r.Seconds, r.Runs = string(sol.Status), median(m.seconds), m.seconds
	if len(m.cpu) > 0 {
		r.CPUSeconds = new(median(m.cpu))
	}
	r.Audit, r.AuditSeconds = m.verdict, m.auditSeconds
	r.Certificate, r.CertificateSeconds = m.certificate, m.certificateSeconds
	if sol.Status != solver.Unprotectable {
		r.Bound = number(sol.Bound, t.CostDecimals)
	}
	if sol.Pattern != nil {
		r.Cost, r.WithheldCost = number(sol.Cost, t.CostDecimals), amount(m.withheldCost())
		r.Gap, r.FirstSeconds = new(sol.Gap()), new(median(m.first))
	}
	if !r.Stopped() {
		r.ProofSeconds = new(r.Seconds)
	}
	return nil
}

// describe adds the sizes and the work of one solved table to r.
func describe(r *Result, m *measured) {
	t, sol := m.t, m.sol
	r.Cells, r.Relations, r.Engine = t.Len(), t.Rel.Len(), sol.Engine
	for i, st := range t.Status {
		if st == table.Sensitive {
			r.Sensitive++
		}
		if sol.Pattern != nil && sol.Pattern[i] {
			r.Suppressed++
		}
	}
	r.Nodes += sol.Nodes
	r.Rounds += sol.Rounds
	for family, n := range sol.Cuts {
		r.Cuts[family] += n
	}
}

// amount returns a sum of costs as text.
func amount(r *big.Rat) document.Exact { return document.Exact(table.FormatRat(r, 0)) }

// median returns the middle element of x, or the mean of the middle two; 0 if x is empty.
func median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(n-1)/2] + s[n/2]) / 2
}

// A Result is the measurement of one instance by Run.
type Result = document.Bench

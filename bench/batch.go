package bench

import (
	"context"
	"math/big"
	"runtime"
	"slices"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
)

// A tally sums up the tables of a batch.
type tally struct {
	cost, bound, withheld big.Rat // sums over the tables with a pattern
	cpu                   float64
	seconds               []float64
}

// batch fills in r for an instance of many tables, which are solved one after another on one processor.
func (o *Options) batch(ctx context.Context, in *Instance, r *Result) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	o.Solver.Workers, o.Solver.Progress = 1, nil
	r.Workers, r.Status, r.Batch = 1, string(solver.Optimal), &document.BenchBatch{}
	sum := &tally{}
	watch := watchMemory()
	err := o.tables(ctx, in, r, sum)
	watch.stop(r)
	if err != nil {
		return err
	}
	if r.Batch.Tables < in.Tables {
		r.Status = string(solver.None)
	}
	sum.finish(r)
	return nil
}

// tables solves and audits the tables of a batch until ctx ends.
func (o *Options) tables(ctx context.Context, in *Instance, r *Result, sum *tally) error {
	for n := range in.Tables {
		if ctx.Err() != nil {
			break
		}
		t, err := in.Load(n)
		if err != nil {
			return err
		}
		m, err := o.solve(ctx, t)
		if err == nil {
			err = m.audit(ctx, &o.Solver)
		}
		if err == nil && o.Solver.Certificate {
			err = m.verify(ctx)
		}
		if err != nil {
			return i18n.Errorf("%s: %w", t.Name, err)
		}
		sum.add(r, m)
		if o.Done != nil {
			o.Done(n+1, in.Tables)
		}
	}
	return nil
}

// add counts one table.
func (s *tally) add(r *Result, m *measured) {
	sol, b := m.sol, r.Batch
	describe(r, m)
	r.AuditSeconds += m.auditSeconds
	r.CertificateSeconds += m.certificateSeconds
	if r.Certificate != "refuted" && m.certificate != "none" {
		r.Certificate = m.certificate
	}
	s.seconds = append(s.seconds, median(m.seconds))
	s.cpu += median(m.cpu)
	b.Tables++
	switch sol.Status {
	case solver.Unprotectable:
		b.Unprotectable++
		return
	case solver.None:
		b.Stopped++
		r.Status = string(solver.None)
		return
	case solver.Feasible:
		if r.Status == string(solver.Optimal) {
			r.Status = string(solver.Feasible)
		}
	}
	if m.verdict == string(interval.Protected) {
		b.Protected++
	} else {
		b.Unprotected++
	}
	scale := m.t.CostDecimals
	s.cost.Add(&s.cost, unscale(big.NewInt(sol.Cost), scale))
	s.bound.Add(&s.bound, unscale(big.NewInt(sol.Bound), scale))
	s.withheld.Add(&s.withheld, m.withheldCost())
}

// finish turns the sums into the numbers of r.
func (s *tally) finish(r *Result) {
	b := r.Batch
	total := 0.0
	for _, sec := range s.seconds {
		total += sec
	}
	r.Seconds, r.Runs = total, []float64{total}
	if _, ok := cpuTime(); ok {
		r.CPUSeconds = new(s.cpu)
	}
	if b.Tables > 0 {
		b.MedianMS, b.MeanMS, b.MaxMS = 1e3*median(s.seconds), 1e3*total/float64(b.Tables), 1e3*slices.Max(s.seconds)
	}
	r.Audit = "none"
	switch {
	case b.Unprotected > 0:
		r.Audit = string(interval.Unprotected)
	case b.Protected > 0:
		r.Audit = string(interval.Protected)
	}
	if b.Protected+b.Unprotected > 0 {
		r.Cost, r.Bound, r.WithheldCost = amount(&s.cost), amount(&s.bound), amount(&s.withheld)
		cost, _ := s.cost.Float64()
		bound, _ := s.bound.Float64()
		gap := 0.0
		if cost > 0 {
			gap = (cost - bound) / cost
		}
		r.Gap = &gap
	}
	if !r.Stopped() {
		r.ProofSeconds = new(total)
	}
}

package bench

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// measure runs the only instance that arg names.
func measure(t *testing.T, ctx context.Context, arg string, opt Options) *Result {
	t.Helper()
	in, err := (&Source{Tables: 20}).Find([]string{arg})
	if err != nil || len(in) != 1 {
		t.Fatalf("Find(%q) = %d instances, %v", arg, len(in), err)
	}
	r, err := Run(ctx, &in[0], &opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unsteady are the fields that the clock, the machine or the course of the search
// decides.
var unsteady = cmpopts.IgnoreFields(Result{}, "Nodes", "Rounds", "Cuts", "FirstSeconds", "ProofSeconds", "Seconds", "CPUSeconds", "Runs",
	"AuditSeconds", "CertificateSeconds", "HeapPeak", "RSSPeak", "RSSScope", "Machine")

func TestRun(t *testing.T) {
	r := measure(t, t.Context(), "6x6-n1510-1", Options{
		Solver: solver.Options{Workers: 1, TimeLimit: time.Minute, Canonical: true}, Repeat: 3, Rules: "none", Version: "v0",
	})
	want := &Result{
		Table: "6x6-n1510-1", Cells: 49, Relations: 14, Sensitive: 3, Status: "optimal",
		Cost: "29", WithheldCost: "36", Bound: "29", Gap: new(0.0), Suppressed: 7, Audit: "protected",
		LP: "simplex", Engine: "network", Workers: 1, Canonical: true, TimeLimit: 60, Rules: "none", Version: "v0",
	}
	if d := cmp.Diff(want, r, unsteady); d != "" {
		t.Errorf("Run (-want +got):\n%s", d)
	}
	switch {
	case len(r.Runs) != 3 || r.Seconds != median(r.Runs):
		t.Errorf("seconds %g of runs %v, want the median of three", r.Seconds, r.Runs)
	case r.FirstSeconds == nil || r.ProofSeconds == nil || *r.ProofSeconds != r.Seconds:
		t.Errorf("first %v, proof %v; want both, the proof after %g", r.FirstSeconds, r.ProofSeconds, r.Seconds)
	case r.HeapPeak <= 0 || r.Machine == "" || r.TotalCuts() == 0:
		t.Errorf("heap peak %d, machine %q, %d cuts", r.HeapPeak, r.Machine, r.TotalCuts())
	}
}

// A batch is the sum of its tables, each solved by itself.
func TestBatch(t *testing.T) {
	tables := 0
	r := measure(t, t.Context(), "batch6", Options{Solver: solver.Options{Workers: 4}, Done: func(done, total int) {
		if tables++; done != tables || total != 20 {
			t.Errorf("Done(%d, %d) after %d tables", done, total, tables)
		}
	}})
	cost, sensitive := 0, 0
	for k := range 20 {
		one := draw(t, Spec{Family: "n1510", Shape: shape(t, "6x6"), Seed: uint64(k) + 1})
		must.Do(t, one.SetCost(table.CostKind{Kind: "count"}))
		sol := must.Get(solver.Suppress(t.Context(), one, nil))(t)
		cost += int(sol.Cost)
		sensitive += count(one)
	}
	total := table.FormatDecimal(int64(cost), 0)
	want := &Result{
		Table: "batch6", Cells: 49, Relations: 14, Sensitive: sensitive, Status: "optimal",
		Cost: document.Exact(total), Bound: document.Exact(total), WithheldCost: document.Exact(table.FormatDecimal(int64(cost+sensitive), 0)), Gap: new(0.0),
		Suppressed: cost + sensitive, Audit: "protected", LP: "simplex", Engine: "network", Workers: 1,
		Batch: &document.BenchBatch{Tables: 20, Protected: 20},
	}
	if d := cmp.Diff(want, r, unsteady, cmpopts.IgnoreFields(document.BenchBatch{}, "MedianMS", "MeanMS", "MaxMS")); d != "" {
		t.Errorf("Run (-want +got):\n%s", d)
	}
	if b := r.Batch; !(0 < b.MedianMS && b.MedianMS <= b.MaxMS && b.MeanMS <= b.MaxMS) {
		t.Errorf("median %g, mean %g, maximum %g", b.MedianMS, b.MeanMS, b.MaxMS)
	}
}

// alone is a table that nothing can protect: a sensitive cell whose neighbours
// must all be published.
func alone() (*table.Table, error) {
	dims := make([]table.Dimension, 2)
	for d := range dims {
		var err error
		if dims[d], err = (Branching{2}).dimension(d); err != nil {
			return nil, err
		}
	}
	g := newGrid(dims)
	for _, i := range g.internal {
		g.value[i] = int64(i)
	}
	g.addUp()
	records := g.records()
	for i := range records {
		records[i].Status = table.Published
	}
	i := g.internal[0]
	records[i].Status, records[i].Width = table.Sensitive, table.Num(1, 0)
	return table.Build("alone", dims, records, true)
}

func TestUnprotectable(t *testing.T) {
	load := func(int) (*table.Table, error) { return alone() }
	r, err := Run(t.Context(), &Instance{Name: "alone", Tables: 1, Load: load}, &Options{})
	if err != nil || r.Status != "unprotectable" || r.Audit != "none" || r.Cost != "" || r.Bound != "" || r.Gap != nil || r.ProofSeconds == nil {
		t.Errorf("Run = %+v, %v", r, err)
	}
	r, err = Run(t.Context(), &Instance{Name: "alone", Tables: 3, Load: load}, &Options{})
	if err != nil || r.Status != "optimal" || r.Batch.Unprotectable != 3 || r.Batch.Protected != 0 || r.Audit != "none" {
		t.Errorf("Run = %+v, %v", r, err)
	}
}

// A run that is stopped keeps what it has.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := measure(t, ctx, "10x10-fs-1", Options{Repeat: 5})
	if len(r.Runs) != 1 || !r.Stopped() || r.ProofSeconds != nil {
		t.Errorf("Run = %+v", r)
	}
	ctx, cancel = context.WithCancel(t.Context())
	r = measure(t, ctx, "batch6", Options{Done: func(done, _ int) {
		if done == 3 {
			cancel()
		}
	}})
	if r.Batch.Tables != 3 || r.Status != "none" || r.Batch.Protected != 3 {
		t.Errorf("Run = %+v, batch %+v", r, r.Batch)
	}
}

func TestMedian(t *testing.T) {
	for _, tc := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 2}, 2}} {
		before := slices.Clone(tc.x)
		if got := median(tc.x); got != tc.want || !slices.Equal(before, tc.x) {
			t.Errorf("median(%v) = %g, left %v; want %g", before, got, tc.x, tc.want)
		}
	}
}

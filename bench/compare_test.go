package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hitoku/hitoku/internal/document"
)

func TestCompare(t *testing.T) {
	before := []*Result{
		{Table: "a", Cells: 9, Status: "optimal", Cost: "10", Bound: "10", Gap: new(0.0), Nodes: 4, Seconds: 2, FirstSeconds: new(0.5), TimeLimit: 60},
		{Table: "b", Status: "feasible", Cost: "8", Bound: "4", Gap: new(0.5), Seconds: 60, CPUSeconds: new(60.0), TimeLimit: 60},
		{Table: "gone", Status: "none", TimeLimit: 60},
	}
	after := []*Result{
		{Table: "new", TimeLimit: 120},
		{Table: "b", Status: "optimal", Cost: "6", Bound: "6", Gap: new(0.0), Nodes: 7, Seconds: 30, CPUSeconds: new(15.0), FirstSeconds: new(1.0), TimeLimit: 120},
		{Table: "a", Cells: 10, Status: "optimal", Cost: "10", Bound: "10", Gap: new(0.0), Nodes: 1, Seconds: 1, FirstSeconds: new(1.0), TimeLimit: 120},
	}
	got := Compare("old.csv", before, "new.csv", after)
	want := &document.BenchComparison{
		Old: "old.csv", New: "new.csv",
		Differs: []string{"cells of a: 9, then 10", `time_limit: "60", then "120"`},
		Tables: []document.BenchPair{
			{Table: "a", Old: "optimal", New: "optimal", Ratios: map[string]*float64{
				"seconds": new(0.5), "cpu_seconds": nil, "first_seconds": new(2.0), "cost": new(1.0), "bound": new(1.0), "gap": new(1.0), "nodes": new(0.25)}},
			{Table: "b", Old: "feasible", New: "optimal", Ratios: map[string]*float64{
				"seconds": new(0.5), "cpu_seconds": new(0.25), "first_seconds": nil, "cost": new(0.75), "bound": new(1.5), "gap": nil, "nodes": nil}},
		},
		Means: map[string]document.BenchMean{
			"seconds": {Ratio: new(0.5), Tables: 2}, "cpu_seconds": {Ratio: new(0.25), Tables: 1}, "first_seconds": {Ratio: new(2.0), Tables: 1}, "cost": {Ratio: new(0.8660254), Tables: 2},
			"bound": {Ratio: new(1.2247449), Tables: 2}, "gap": {Ratio: new(1.0), Tables: 1}, "nodes": {Ratio: new(0.25), Tables: 1},
		},
		Metrics: []string{"seconds", "cpu_seconds", "first_seconds", "cost", "bound", "gap", "nodes"},
		OnlyOld: []string{"gone"}, OnlyNew: []string{"new"},
	}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 0)); d != "" {
		t.Errorf("Compare (-want +got):\n%s", d)
	}
}

// Nothing in common leaves no mean.
func TestCompareNothing(t *testing.T) {
	got := Compare("a", []*Result{{Table: "x"}}, "b", nil)
	for _, m := range got.Metrics {
		if mean := got.Means[m]; mean.Ratio != nil || mean.Tables != 0 {
			t.Errorf("%s: mean %v of %d", m, mean.Ratio, mean.Tables)
		}
	}
	if d := cmp.Diff([]string{"x"}, got.OnlyOld); d != "" {
		t.Error(d)
	}
}

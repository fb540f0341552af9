package bench

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
)

var update = flag.Bool("update", false, "rewrite testdata/experiment.txt")

// The text of a result, figures of the source beside it.
func TestPrintExperiment(t *testing.T) {
	count := func(unsafe, unknown int, share, most float64) document.ExperimentVerdicts {
		return document.ExperimentVerdicts{Unsafe: unsafe, Unknown: unknown, Share: &share, ShareMost: &most}
	}
	r := &bench.ExperimentResult{Experiment: document.Experiment{
		Settings: document.ExperimentSettings{Tables: 50, Seed: 7, Convention: "abs-floor", Words: "v = ⌊|N(15, 10)|⌋, sensitive iff 1 ≤ v < 5", Below: 5, Width: 8},
		Complete: true,
		Series: []*document.ExperimentSeries{
			{
				Defence: string(bench.NoDefence), Cost: "count", Match: "any",
				Sizes: []*document.ExperimentSize{
					{
						Shape: "4x4", Cells: 16, Tables: 50, Redrawn: 6, Primary: 90, Withheld: 245, ExperimentVerdicts: count(45, 0, .5, .5), ShareError: new(.05),
						Dimensions: []*document.ExperimentDimension{{Dimension: 1, Primary: 40, ExperimentVerdicts: count(30, 0, .75, .75), Printed: new(.83)}, {Dimension: 2, Primary: 50, ExperimentVerdicts: count(15, 0, .3, .3), Printed: new(.42)}},
						Widths:     []int{0, 2, 2, 30, 2, 1, 1, 7}, Candidates: document.ExperimentCandidates{Median: "21", Max: "495", Counted: 50, MedianShare: new(.4), Share: new(.2)},
						Seconds: document.ExperimentSeconds{Office: .5, Attack: 1, Median: .01, Max: .25}, Rate: document.ExperimentRate{Median: new(250000.0), Mean: new(100000.0)},
						Source: &document.ExperimentPrinted{Tables: 50, Primary: 104, Unsafe: 48, Share: 48.0 / 104, Difference: new(.54), PrimaryDifference: new(-1.25), Widths: []int{6, 6, 7, 20, 1, 0, 4, 4}},
					},
					{
						Shape: "8x8", Cells: 64, Tables: 50, Stopped: 3, Primary: 400, Withheld: 600, ExperimentVerdicts: count(300, 20, .75, .8), ShareError: new(.02),
						Dimensions: []*document.ExperimentDimension{{Dimension: 2, Primary: 300, ExperimentVerdicts: count(280, 0, 14.0/15, 14.0/15)}, {Dimension: 11, Primary: 40, ExperimentVerdicts: count(10, 5, .25, .375)}, {Dimension: 12, Primary: 60, ExperimentVerdicts: count(10, 15, 1.0/6, 5.0/12)}},
						Widths:     []int{100, 100, 40, 30, 10, 5, 5, 5}, Unsettled: 5, Candidates: document.ExperimentCandidates{Median: "5000", Counted: 47},
					},
				},
				Dimensions: []*document.ExperimentDimension{
					{Dimension: 1, Primary: 40, ExperimentVerdicts: count(30, 0, .75, .75)}, {Dimension: 2, Primary: 350, ExperimentVerdicts: count(295, 0, 295.0/350, 295.0/350)},
					{Dimension: 11, Primary: 40, ExperimentVerdicts: count(10, 5, .25, .375)}, {Dimension: 12, Primary: 60, ExperimentVerdicts: count(10, 15, 1.0/6, 5.0/12)},
				},
			},
			{Defence: "simulatable", Match: "public", Sizes: []*document.ExperimentSize{{Shape: "4x4", Cells: 16, Tables: 50, Primary: 90, Withheld: 400, Cheapest: new(245), Rerun: 180, ExperimentVerdicts: count(0, 0, 0, 0)}}},
		},
	}}
	var b bytes.Buffer
	printExperiment(&b, r)
	const golden = "testdata/experiment.txt"
	if *update {
		must.Do(t, os.WriteFile(golden, b.Bytes(), 0o666))
	}
	want := must.Get(os.ReadFile(golden))(t)
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

package cellkey

import (
	"math"
	"testing"

	"github.com/hitoku/hitoku/internal/recordkey"
)

func keyOf(k uint64) recordkey.Key { return recordkey.Key(k) }

// TestMeasure is the example of cellKey's ck_cnt_measures, whose answers are those of its version 1.0.2.
func TestMeasure(t *testing.T) {
	t.Parallel()
	truth := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0}
	published := []int64{0, 2, 3, 4, 6, 6, 9, 8, 9, 10, 0, 0}
	for _, tc := range []struct {
		zeros                bool
		compared             int
		mean, median, q95    float64
		relative, root, q99d float64
	}{
		{false, 9, 0.333, 0, 1.6, 0.054, 0.063, 0.279},
		{true, 12, 0.333, 0, 1.45, 0.124, 0.131, 0.921},
	} {
		m := measure(truth, published, tc.zeros)
		if m.FalseZeros != 1 || m.FalseOthers != 0 || m.Changed != 3 || m.Noise[0] != 9 || m.Noise[2] != 1 || m.Compared != tc.compared {
			t.Errorf("%+v", m)
		}
		for n, x := range [][2]float64{{m.Absolute.Mean, tc.mean}, {m.Absolute.Median, tc.median}, {m.Absolute.Quantiles[8], tc.q95}, {m.Relative.Mean, tc.relative}, {m.Root.Mean, tc.root}, {m.Relative.Quantiles[9], tc.q99d}} {
			if math.Abs(x[0]-x[1]) > 5.1e-4 {
				t.Errorf("zeros %v, number %d: %g, want %g", tc.zeros, n, x[0], x[1])
			}
		}
	}
}

package formats

import (
	"path/filepath"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// The tables in testdata, as published and as the office holds them.
func TestTestdata(t *testing.T) {
	for _, tc := range []struct {
		file, total            string
		format                 Format
		cells, relations, gone int
	}{
		{"3x3.csv", "合計", Tidy, 16, 8, 0},
		{"3x3-published.csv", "合計", CrossTab, 16, 8, 4},
		{"4x4.csv", "計", CrossTab, 25, 10, 0},
		{"4x4-published.csv", "計", CrossTab, 25, 10, 9},
		{"4x4-candidates.csv", "Sum", CrossTab, 25, 10, 4},
		{"frequency.csv", "合計", CrossTab, 24, 10, 0},
		{"income.csv", "合計", Tidy, 24, 10, 0},
	} {
		t.Run(tc.file, func(t *testing.T) {
			in := must.Get(Read(filepath.Join("../../testdata", tc.file), Options{Total: tc.total}))(t)
			gone := 0
			for i := range in.Table.Len() {
				if !in.Table.Known(i) {
					gone++
				}
			}
			if in.Format != tc.format || in.Table.Len() != tc.cells || in.Table.Rel.Len() != tc.relations || gone != tc.gone {
				t.Errorf("%s with %d cells, %d withheld, %d relations; want %s with %d, %d, %d",
					in.Format, in.Table.Len(), gone, in.Table.Rel.Len(), tc.format, tc.cells, tc.gone, tc.relations)
			}
		})
	}
}

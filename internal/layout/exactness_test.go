package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// exactCounts are counts whose sums are right beside bounds whose sums are not.
const exactCounts = "Area;Single;Married;Total;upper\nAdair;3;30;33;6\nBoone;21;40;61;3\nClay;14;17;31;4\nAll;38;87;125;9\n"

// TestExactness: a tolerance that a column of another kind needs rounds nothing of which all sums are right.
func TestExactness(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(exactCounts), "f.csv", "", "", Options{Tolerance: "4"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rounded := 0
	for _, unit := range in.Table.Rounding {
		if unit != 0 {
			rounded++
		}
	}
	if rounded != 4 {
		t.Errorf("%d cells are rounded, want those of the bounds: 4", rounded)
	}
}

// TestNoTolerance: none is offered where a column apart misses by more than rounding explains.
func TestNoTolerance(t *testing.T) {
	t.Parallel()
	for text, offered := range map[string]bool{exactCounts: false, strings.Replace(exactCounts, "125;9", "125;12", 1): true} {
		_, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err == nil || strings.Contains(err.Error(), "--tolerance") != offered || !strings.Contains(err.Error(), "--derived upper") {
			t.Errorf("%v: tolerance offered, want %t", err, offered)
		}
	}
}

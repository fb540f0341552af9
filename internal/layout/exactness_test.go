package layout

import (
	"fmt"
	"slices"
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

// TestExactByMany: where very many sums are right and none misses, a tolerance that a table left aside needs rounds nothing.
func TestExactByMany(t *testing.T) {
	t.Parallel()
	for rows, exact := range map[int]bool{8: false, 60: true} {
		text := "Area,Single,Married,Total\n"
		a, b := 0, 0
		for i := range rows {
			x, y := 1000+i*i*377%7013, 2000+i*i*i*119%9001
			text += fmt.Sprintf("A%d,%d,%d,%d\n", i, x, y, x+y)
			a, b = a+x, b+y
		}
		s, err := Open(strings.NewReader(text+fmt.Sprintf("All,%d,%d,%d\n", a, b, a+b)), "f.csv", "", "", Options{Tolerance: "1"})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := !slices.ContainsFunc(in.Table.Rounding, func(unit int64) bool { return unit != 0 }); got != exact {
			t.Errorf("%d rows: exact %t, want %t", rows, got, exact)
		}
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

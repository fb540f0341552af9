package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

func draw(t *testing.T, s Spec) *table.Table {
	t.Helper()
	got, err := s.Table()
	if err != nil {
		t.Fatalf("%s: %v", s.Name(), err)
	}
	return got
}

func shape(t *testing.T, s string) []Branching {
	t.Helper()
	return must.Get(ParseShape(s))(t)
}

// count returns the number of sensitive cells.
func count(t *table.Table) int {
	n := 0
	for _, s := range t.Status {
		if s == table.Sensitive {
			n++
		}
	}
	return n
}

// Cells, relations and, for mag, sensitive cells of shapes that are published
// under the same names: they depend on the shape alone.
func TestSizes(t *testing.T) {
	for _, tc := range []struct {
		family, shape               string
		share                       float64
		cells, relations, sensitive int
	}{
		{"mag", "20x20", 0, 441, 42, 32},
		{"mag", "30x30", 0, 961, 62, 72},
		{"mag", "50x50", 0, 2601, 102, 200},
		{"mag", "4x4x4", 0, 125, 75, 5},
		{"mag", "6x6x6", 0, 343, 147, 17},
		{"mag", "8x8x8", 0.02, 729, 243, 10},
		{"mag", "3x3x3x3", 0.04, 256, 256, 3},
		{"mag", "10x4.4", 0, 231, 76, 13},
		{"mag", "20x4.4.4", 0.02, 1785, 526, 26},
		{"fs", "100x100", 0, 10201, 202, -1},
	} {
		s := Spec{Family: tc.family, Shape: shape(t, tc.shape), Share: tc.share, Seed: 1}
		got := draw(t, s)
		if got.Len() != tc.cells || got.Rel.Len() != tc.relations {
			t.Errorf("%s: %d cells, %d relations; want %d, %d", s.Name(), got.Len(), got.Rel.Len(), tc.cells, tc.relations)
		}
		if n := count(got); tc.sensitive >= 0 && n != tc.sensitive {
			t.Errorf("%s: %d sensitive cells, want %d", s.Name(), n, tc.sensitive)
		}
	}
}

func TestDeterminism(t *testing.T) {
	for _, family := range Families() {
		s := Spec{Family: family, Shape: shape(t, "6x3.2"), Seed: 7}
		a, b := draw(t, s), draw(t, s)
		if d := cmp.Diff(a, b); d != "" {
			t.Errorf("%s: two tables from one seed differ:\n%s", family, d)
		}
		s.Seed = 8
		if cmp.Equal(a.Value, draw(t, s).Value) {
			t.Errorf("%s: seeds 7 and 8 give the same values", family)
		}
	}
}

// The first values of a few tables, so that a change of generator, which would
// rename every published instance, cannot go unseen.
func TestGolden(t *testing.T) {
	for family, want := range map[string][]int64{
		"fs":    {423, 191, 232, 283, 134, 149, 140, 57, 83},
		"mag":   {882, 786, 96, 664, 574, 90, 218, 212, 6},
		"n1510": {62, 42, 20, 36, 25, 11, 26, 17, 9},
	} {
		got := draw(t, Spec{Family: family, Shape: shape(t, "2x2"), Seed: 7}).Value
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s 2x2 seed 7 (-want +got):\n%s", family, d)
		}
	}
}

// Every drawn table adds up, and each cell meets the formulas of its family.
func TestFormulas(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := Spec{Family: rapid.SampledFrom(Families()).Draw(r, "family"), Seed: rapid.Uint64().Draw(r, "seed")}
		for range rapid.IntRange(2, 3).Draw(r, "variables") {
			s.Shape = append(s.Shape, rapid.SliceOfN(rapid.IntRange(1, 4), 1, 2).Draw(r, "branching"))
		}
		if s.Family == "n1510" {
			s.Shape = s.Shape[:2]
		}
		got, err := s.Table()
		if err != nil {
			r.Fatal(err)
		}
		if bad := got.CheckAdditive(1); bad != nil {
			r.Fatal(bad[0])
		}
		leaves := got.Leaves()
		for i, v := range got.Value {
			margin := got.IsMargin(i, leaves)
			status, lpl, spl, upper := table.Safe, int64(0), int64(0), 2*v
			small := !margin && v >= 1 && v <= 4
			switch s.Family {
			case "fs":
				upper = max(upper, 1e6)
				if v <= 1e6 {
					upper = 1e6
				}
				if small {
					status, lpl = table.Sensitive, v
				}
			case "mag":
				status = got.Status[i] // drawn
				if status == table.Sensitive {
					lpl = (15*v + 99) / 100
				}
				if status == table.Sensitive && margin || v < 1 {
					r.Fatalf("cell %s: value %d, status %s", got.CellName(i), v, status)
				}
			case "n1510":
				upper = table.PosInf
				if small {
					status, spl = table.Sensitive, 8
				}
				if margin {
					status = table.Published
				}
			}
			if got.Status[i] != status || got.LPL[i] != lpl || got.UPL[i] != lpl || got.Width[i] != spl || got.Upper[i] != upper || got.Lower[i] != 0 || got.Cost[i] != max(1, v) {
				r.Fatalf("%s cell %s: value %d, status %s, levels %d %d %d, bounds [%d, %d], cost %d", s.Name(), got.CellName(i), v,
					got.Status[i], got.LPL[i], got.UPL[i], got.Width[i], got.Lower[i], got.Upper[i], got.Cost[i])
			}
		}
	})
}

func TestSpecErrors(t *testing.T) {
	for want, s := range map[string]Spec{
		`bench: family "cauchy", want fs, mag or n1510`:                    {Family: "cauchy", Shape: shape(t, "2x2")},
		"bench: shape 2: want 2 to 4 variables":                            {Family: "fs", Shape: shape(t, "2")},
		"bench: shape 2x2x2: family n1510 has two variables":               {Family: "n1510", Shape: shape(t, "2x2x2")},
		"bench: share 2, want a value in [0, 1]":                           {Family: "mag", Shape: shape(t, "2x2"), Share: 2},
		"bench: family fs has no share of sensitive cells to set; mag has": {Family: "fs", Shape: shape(t, "2x2"), Share: 0.1},
		"bench: shape 9000x9000 has more than 4194304 cells":               {Family: "fs", Shape: shape(t, "9000x9000")},
		"bench: shape 99.99.99.99.99x2 has more than 4194304 cells":        {Family: "fs", Shape: shape(t, "99.99.99.99.99x2")},
	} {
		if _, err := s.Table(); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", s.Name(), err, want)
		}
	}
}

func TestParseShape(t *testing.T) {
	for _, s := range []string{"20x20", "10x4.4", "4x4x4", "3x3x3x3"} {
		if got := shapeString(shape(t, s)); got != s {
			t.Errorf("ShapeString(ParseShape(%q)) = %q", s, got)
		}
	}
	for _, s := range []string{"", "x", "20x", "0x5", "-1x5", "4..4", "axb", "20X20"} {
		if _, err := ParseShape(s); err == nil {
			t.Errorf("ParseShape(%q) accepted", s)
		}
	}
}

// A table one period later moves no cell by more than the share.
func TestChange(t *testing.T) {
	t.Parallel()
	for _, family := range Families() {
		s := Spec{Family: family, Shape: shape(t, "6x3.2"), Seed: 7}
		then := draw(t, s)
		s.Change = 0.3
		now := draw(t, s)
		moved := 0
		for i, v := range then.Value {
			if w := now.Value[i]; w != v {
				moved++
				if d := max(w-v, v-w); 10*d > 3*v {
					t.Errorf("%s: %s moves from %d to %d", family, then.CellName(i), v, w)
				}
			}
		}
		if 2*moved < then.Len() {
			t.Errorf("%s: %d of %d cells move", family, moved, then.Len())
		}
	}
}

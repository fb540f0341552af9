package risk

import (
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formulas"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/table"
)

func init() {
	runners["cell_rules/min_frequency"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Counts     [][]int64
			Threshold  int64
			ZeroUnsafe bool `json:"zero_unsafe"`
		}
		c.input(t, &in)
		unsafe := [][]int{}
		for i, row := range in.Counts {
			for j, x := range row {
				if formulas.FrequencyUnsafe(x, in.Threshold, in.ZeroUnsafe) {
					unsafe = append(unsafe, []int{i, j})
				}
			}
		}
		c.check(t, tol, map[string]any{"unsafe": unsafe})
	}
	runners["cell_rules/dominance"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Contributions []rat
			N             int
			KPercent      rat `json:"k_percent"`
			Inclusive     bool
		}
		c.input(t, &in)
		var x []*big.Rat
		for _, r := range in.Contributions {
			x = append(x, r.Rat)
		}
		share, unsafe, err := formulas.Dominance(x, in.N, in.KPercent.Rat, in.Inclusive)
		if err != nil {
			c.refuse(t, err)
			return
		}
		c.check(t, tol, map[string]any{"share": share, "unsafe": unsafe})
	}
	runners["cell_rules/collusion"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct{ Contributors, Coalition int64 }
		c.input(t, &in)
		unknown, exact, err := formulas.Collusion(in.Contributors, in.Coalition)
		if err != nil {
			c.refuse(t, err)
			return
		}
		c.check(t, tol, map[string]any{"exact_disclosure": exact, "unknown_contributors": unknown})
	}
	runners["cell_rules/audit"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Table         [][]int64
			Suppressed    [][2]int
			RequiredWidth rat `json:"required_width"`
		}
		c.input(t, &in)
		auditVector(t, c, tol, in.Table, in.Suppressed, in.RequiredWidth.Rat)
	}
}

// auditVector finds what a two-way table with margins, its last row and column, tells
// of the suppressed cells, by enumeration, which must agree with linear programs.
func auditVector(t *testing.T, c vectorCase, tol tolerance, cells [][]int64, suppressed [][2]int, width *big.Rat) {
	rows, columns := len(cells), len(cells[0])
	at := func(i, j int) int32 { return int32(i*columns + j) }
	var value []int64
	for _, row := range cells {
		value = append(value, row...)
	}
	rel := table.NewRelations(len(value))
	add := func(line []int32) { // the last is the sum of the others
		coef := make([]int32, len(line))
		for i := range coef {
			coef[i] = 1
		}
		coef[len(coef)-1] = -1
		rel.Add(line, coef, 0)
	}
	for i := range rows {
		var line []int32
		for j := range columns {
			line = append(line, at(i, j))
		}
		add(line)
	}
	for j := range columns {
		var line []int32
		for i := range rows {
			line = append(line, at(i, j))
		}
		add(line)
	}
	if !rel.Holds(value) {
		t.Fatal("the table does not add up")
	}
	var withheld []int32
	for _, s := range suppressed {
		withheld = append(withheld, at(s[0], s[1]))
	}
	f := must.Get(nullspace.New(rel, withheld, value, nil, nil))(t)
	n, exact, err := f.Count(t.Context(), big.NewInt(1e6))
	if err != nil || !exact {
		t.Fatalf("%v tables, exact %v, %v", n, exact, err)
	}
	intervals := make([][]int64, len(withheld))
	for y := range f.Points(t.Context()) {
		for k, x := range y {
			if intervals[k] == nil {
				intervals[k] = []int64{x, x}
			}
			intervals[k][0], intervals[k][1] = min(intervals[k][0], x), max(intervals[k][1], x)
		}
	}
	unsafe := [][]int{}
	for k, x := range intervals {
		lo, hi, ok := f.Bounds(k)
		if !ok || lo == nil || hi == nil || lo.Cmp(num.Whole(x[0])) != 0 || hi.Cmp(num.Whole(x[1])) != 0 {
			t.Errorf("cell %v: %v by enumeration, [%v, %v] by linear programs", suppressed[k], x, lo, hi)
			continue
		}
		if formulas.WidthUnsafe(lo, hi, width) {
			unsafe = append(unsafe, suppressed[k][:])
		}
	}
	c.check(t, tol, map[string]any{
		"intervals": intervals, "null_space_dimension": f.Dim(), "integer_solutions": n.Int64(), "unsafe": unsafe,
	})
}

// Bounds of the rules, where the notes of the vectors stop.
func TestCellRules(t *testing.T) {
	for _, tc := range []struct {
		count, t int64
		zero     bool
		want     bool
	}{
		{0, 10, false, false}, {0, 10, true, true}, {1, 10, false, true}, {9, 10, false, true}, {10, 10, false, false},
	} {
		if got := formulas.FrequencyUnsafe(tc.count, tc.t, tc.zero); got != tc.want {
			t.Errorf("%+v: %v", tc, got)
		}
	}
	r := big.NewRat
	if share, unsafe, err := formulas.Dominance([]*big.Rat{r(0, 1), r(0, 1)}, 1, r(70, 1), true); share != nil || unsafe || err != nil {
		t.Errorf("total 0: %v, %v, %v", share, unsafe, err)
	}
	if share, unsafe, err := formulas.Dominance([]*big.Rat{r(1, 10), r(2, 10)}, 5, r(100, 1), true); share.Cmp(num.One) != 0 || !unsafe || err != nil {
		t.Errorf("fewer than n: %v, %v, %v", share, unsafe, err)
	}
	for _, inclusive := range []bool{false, true} {
		if _, unsafe, err := formulas.Dominance([]*big.Rat{r(1, 1), r(7, 1), r(2, 1)}, 1, r(70, 1), inclusive); unsafe != inclusive || err != nil {
			t.Errorf("70 %% of 70 %%, inclusive %v: unsafe %v, %v", inclusive, unsafe, err)
		}
	}
	if _, _, err := formulas.Dominance([]*big.Rat{r(-1, 1)}, 1, r(70, 1), true); err == nil {
		t.Error("a negative contribution is taken")
	}
	if _, _, err := formulas.Collusion(3, 4); err == nil {
		t.Error("a coalition larger than the cell is taken")
	}
	if formulas.WidthUnsafe(r(0, 1), r(8, 1), r(8, 1)) || !formulas.WidthUnsafe(r(0, 1), r(7, 1), r(8, 1)) {
		t.Error("a width that is just reached is safe, a smaller one is not")
	}
}

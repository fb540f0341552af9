package xlsx

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/formats"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
)

// uncalculated is a cross-tab whose sums are formulas that no program has calculated, with more formulas beside.
func uncalculated(t *testing.T, more map[string]string) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for n, row := range [][]any{{"region", "S", "L", "Total"}, {"A", 2, 10}, {"B", 20, 30}, {"Total"}} {
		at, _ := excelize.CoordinatesToCellName(1, n+1)
		must.Do(t, f.SetSheetRow("Sheet1", at, &row))
	}
	for at, formula := range map[string]string{"D2": "SUM(B2:C2)", "D3": "B3+C3", "B4": "SUM(B2:B3)", "C4": "SUM(C2:C3)", "D4": "SUM(D2:D3)"} {
		must.Do(t, f.SetCellFormula("Sheet1", at, formula))
	}
	for at, formula := range more {
		must.Do(t, f.SetCellFormula("Sheet1", at, formula))
	}
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return b.Bytes()
}

// Formulas as libraries write them have their results in what is read, plain or as a workbook, and in the copy, where those that would show a withheld number are numbers.
func TestUncalculated(t *testing.T) {
	raw := uncalculated(t, map[string]string{"F2": "ROUND(B2/D2*100,1)", "F3": `IF(B3=0,"–","yes")`})
	w := must.Get(Open(bytes.NewReader(raw), "t.xlsx"))(t)
	again := must.Get(Open(bytes.NewReader(w.Stored), "t.xlsx"))(t)
	for _, w := range []*Workbook{w, again} {
		got := map[string]string{}
		for _, c := range w.Sheets[0].Cells {
			if c.Formula != "" {
				got[placeName(c.Column, c.Row)] = c.Text
				if c.Number != (c.Text != "yes") {
					t.Errorf("%s: a number: %v", c.Text, c.Number)
				}
			}
		}
		if len(got) != 7 || got["D2"] != "12" || got["D3"] != "50" || got["B4"] != "22" || got["D4"] != "62" || got["F2"] != "16.7" || got["F3"] != "yes" {
			t.Errorf("%v", got)
		}
	}
	if again.Stored != nil {
		t.Error("results are stored, and calculated again")
	}
	in := must.Get(ReadFrom(bytes.NewReader(uncalculated(t, nil)), "t.xlsx", formats.Options{}))(t)
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		pattern[i] = !strings.Contains(in.Table.CellName(i), "Total")
	}
	f := written(t, in, pattern)
	for at, want := range map[string]string{"B2": "x", "D2": "12", "B4": "22", "D4": "62"} {
		formula, _ := f.GetCellFormula("Sheet1", at)
		if got, _ := f.GetCellValue("Sheet1", at); got != want || formula != "" && at != "D4" {
			t.Errorf("%s: %q, by %q, want %q", at, got, formula, want)
		}
	}
}

// What is not calculated is refused by its name.
func TestUncalculatedRefused(t *testing.T) {
	for formula, want := range map[string]string{
		"VLOOKUP(A2,A2:D4,2)": "t.xlsx: Sheet1!F2: the formula =VLOOKUP(A2,A2:D4,2) has no stored result, and is not calculated here: it is more than sums, differences, products, quotients, rounding and comparisons; open the workbook in a spreadsheet program and save it",
		"F2+1":                "t.xlsx: Sheet1!F2: the formula =F2+1 has no stored result, and is not calculated here: it depends on itself; open the workbook in a spreadsheet program and save it",
		"B2/B9":               "t.xlsx: Sheet1!F2: the formula =B2/B9 has no stored result, and is not calculated here: it has no number for its result; open the workbook in a spreadsheet program and save it",
		"Old!B2":              "t.xlsx: Sheet1!F2: the formula =Old!B2 has no stored result, and is not calculated here: there is no sheet Old; open the workbook in a spreadsheet program and save it",
	} {
		_, err := Open(bytes.NewReader(uncalculated(t, map[string]string{"F2": formula})), "t.xlsx")
		if err == nil || err.Error() != want || !errors.Is(err, ErrResult) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

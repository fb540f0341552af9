package xlsx

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
)

// crossTab is a workbook with a cross-tab, a style and a note; total is a formula or a number.
func crossTab(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for n, row := range [][]any{{"region", "S", "L", "Total"}, {"A", 2, 10, 12}, {"B", 20, 30, 50}, {"C", 15, 25, 40}, {"Total", 37, 65, 102}} {
		at, _ := excelize.CoordinatesToCellName(1, n+1)
		must.Do(t, f.SetSheetRow("Sheet1", at, &row))
	}
	bold, _ := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	must.Do(t, f.SetCellStyle("Sheet1", "A1", "D1", bold))
	must.Get(f.NewSheet("Notes"))(t)
	must.Do(t, f.SetCellValue("Notes", "A1", "See the handbook"))
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return b.Bytes()
}

// A cross-tab is written into a copy of its workbook: only withheld cells change, and no sheet of statuses comes to it.
func TestCrossTabCopied(t *testing.T) {
	raw := crossTab(t)
	in := must.Get(ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{Sheet: "Sheet1"}))(t)
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		name := in.Table.CellName(i)
		pattern[i] = strings.HasPrefix(name, "A/") && name != "A/Total" || strings.HasPrefix(name, "C/") && name != "C/Total"
	}
	for _, symbol := range []string{"", "(D)"} {
		in.Style = formats.Style{Symbol: symbol}
		f := written(t, in, pattern)
		if got := strings.Join(f.GetSheetList(), " "); got != "Sheet1 Notes" {
			t.Errorf("sheets %s", got)
		}
		mark := symbol
		if mark == "" {
			mark = "x"
		}
		for at, want := range map[string]string{"B2": mark, "C2": mark, "D2": "12", "B3": "20", "C4": mark, "D5": "102", "A2": "A"} {
			if got, _ := f.GetCellValue("Sheet1", at); got != want {
				t.Errorf("%s is %q, want %q", at, got, want)
			}
		}
		if note, _ := f.GetCellValue("Notes", "A1"); note != "See the handbook" {
			t.Errorf("the note is %q", note)
		}
		if style, _ := f.GetCellStyle("Sheet1", "B1"); style == 0 {
			t.Error("the style of the header is gone")
		}
	}
	// With values kept beside flags it is written anew, with statuses.
	in.Style = formats.Style{Flag: true}
	f := written(t, in, pattern)
	if got := strings.Join(f.GetSheetList(), " "); got != valuesSheet+" "+statusesSheet {
		t.Errorf("sheets %s", got)
	}
}

// written is the workbook that a table is written to.
func written(t *testing.T, in *formats.Input, pattern []bool) *excelize.File {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, formats.Write(&b, in, pattern))
	return must.Get(excelize.OpenReader(&b))(t)
}

// Intervals stand in the cells of the copy in place of the mark, and are read again as bounds.
func TestCrossTabIntervals(t *testing.T) {
	in := must.Get(ReadFrom(bytes.NewReader(crossTab(t)), "t.xlsx", formats.Options{Sheet: "Sheet1"}))(t)
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		switch in.Table.CellName(i) {
		case "A/S", "A/L", "C/S", "C/L":
			pattern[i] = true
			in.Table.Lower[i], in.Table.Upper[i] = in.Table.Value[i]-2, in.Table.Value[i]+3
		}
	}
	in.Intervals = true
	f := written(t, in, pattern)
	for at, want := range map[string]string{"B2": "0–5", "C2": "8–13", "D2": "12", "B3": "20", "C4": "23–28", "D5": "102"} {
		if got, _ := f.GetCellValue("Sheet1", at); got != want {
			t.Errorf("%s is %q, want %q", at, got, want)
		}
	}
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	again := must.Get(ReadFrom(&b, "t.xlsx", formats.Options{Sheet: "Sheet1"}))(t)
	for i, out := range pattern {
		if out && (again.Table.Known(i) || again.Table.Lower[i] != in.Table.Lower[i] || again.Table.Upper[i] != in.Table.Upper[i]) {
			t.Errorf("%s is read as [%d, %d], want [%d, %d]", in.Table.CellName(i), again.Table.Lower[i], again.Table.Upper[i], in.Table.Lower[i], in.Table.Upper[i])
		}
	}
	in.Style.Flag = true
	if err := formats.Write(&b, in, pattern); !errors.Is(err, formats.ErrFlagged) {
		t.Errorf("values and intervals: %v", err)
	}
}

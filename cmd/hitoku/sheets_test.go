package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A plain table in a workbook is read beside a sheet of notes, as only one sheet has a table with sums, and
// refused beside one with numbers that do not add up, as nobody knows what these tell; of two that do add up one must be chosen.
func TestSheets(t *testing.T) {
	t.Parallel()
	sheet := [][]any{{"area", "a", "b", "Total"}, {"x", 2, 30, 32}, {"y", 14, 25, 39}, {"z", 21, 17, 38}, {"Total", 37, 72, 109}}
	for _, c := range []struct {
		name   string
		second [][]any
		code   cli.Code
		told   string
		flags  []string
		left   []string // of the second sheet in the copy
	}{
		{"notes", [][]any{{"Notes"}, {"Counts of persons."}}, cli.Done, "protected, 4 of 12 cells withheld", nil, nil},
		{"the table once more", sheet, cli.Done, "protected, 4 of 12 cells withheld", nil, nil},
		{"numbers without sums", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Usage, "4 numbers of the file are in no table that is read, and may tell what is withheld: Other!B2, Other!C2, Other!B3, Other!C3;", nil, nil},
		{"numbers of notes", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Done, "protected, 4 of 12 cells withheld", []string{"--note", "Other!B2:C3"}, []string{"B2", "C2", "B3", "C3"}},
		{"numbers to be blanked", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Done, "16 numbers, 4 withheld, 2 blanked", []string{"--note", "Other!B", "--blank", "Other!C"}, []string{"B2", "B3"}},
		{"a sheet to be blanked", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Done, "16 numbers, 4 withheld, 4 blanked", []string{"--blank", "Other"}, nil},
		{"some of them", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Usage, "Other!C2", []string{"--note", "Other!B"}, nil},
		{"a field without a number", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Usage, "Other!A1: --note: want fields of the file with numbers", []string{"--note", "Other!A1"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := excelize.NewFile()
			defer f.Close()
			must.Get(f.NewSheet("Other"))(t)
			for name, rows := range map[string][][]any{"Sheet1": sheet, "Other": c.second} {
				for r := range rows {
					at, _ := excelize.CoordinatesToCellName(1, r+1)
					must.Do(t, f.SetSheetRow(name, at, &rows[r]))
				}
			}
			path := filepath.Join(t.TempDir(), "t.xlsx")
			must.Do(t, f.SaveAs(path))
			out := filepath.Join(t.TempDir(), "out.xlsx")
			var stdout, stderr bytes.Buffer
			code := run(append([]string{"suppress", "--below", "3", "--width", "4", "-o", out, path}, c.flags...), nil, &stdout, &stderr)
			if code != c.code || !strings.Contains(stdout.String()+stderr.String(), c.told) {
				t.Errorf("%d\n%s%s", code, &stdout, &stderr)
			}
			if c.flags == nil || code != cli.Done {
				return
			}
			var left []string
			for _, ref := range []string{"B2", "C2", "B3", "C3"} {
				if text, err := openBook(t, out).GetCellValue("Other", ref); err == nil && strings.ContainsAny(text, "0123456789") {
					left = append(left, ref)
				}
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("left are %v, want %v", left, c.left)
			}
		})
	}
}

// TestTableAmongSheets: of a workbook with several sheets what is asked is about the table of one of them, where there is
// one, and which sheet to read only where there is none.
func TestTableAmongSheets(t *testing.T) {
	t.Parallel()
	for told, head := range map[string][]any{"have the same labels": {"area", "a", "b", "a"}, "say --sheet": {}} {
		f := excelize.NewFile()
		defer f.Close()
		must.Get(f.NewSheet("Other"))(t)
		for r, row := range [][]any{head, {"x", 2, 30, 7}, {"y", 14, 25, 9}, {"z", 21, 17, 5}} {
			if len(head) == 0 {
				row = row[:min(len(row), 1)]
			}
			at, _ := excelize.CoordinatesToCellName(1, r+1)
			must.Do(t, f.SetSheetRow("Sheet1", at, &row))
		}
		path := filepath.Join(t.TempDir(), "t.xlsx")
		must.Do(t, f.SaveAs(path))
		var text bytes.Buffer
		if code := run([]string{"suppress", "--below", "3", path}, nil, &text, &text); code != cli.Usage || !strings.Contains(text.String(), told) {
			t.Errorf("%d: %s\nwant %q", code, &text, told)
		}
	}
}

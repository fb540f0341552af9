package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/cli"
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
	}{
		{"notes", [][]any{{"Notes"}, {"Counts of persons."}}, cli.Done, "protected, 4 of 12 cells withheld"},
		{"the table once more", sheet, cli.Done, "protected, 4 of 12 cells withheld"},
		{"numbers without sums", [][]any{{"item", "x", "y"}, {"p", 1.5, 12}, {"q", 3, 7}}, cli.Usage, "4 numbers of the file are in no table that is read, and may tell what is withheld: Other!B2, Other!C2, Other!B3, Other!C3;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := excelize.NewFile()
			defer f.Close()
			if _, err := f.NewSheet("Other"); err != nil {
				t.Fatal(err)
			}
			for name, rows := range map[string][][]any{"Sheet1": sheet, "Other": c.second} {
				for r := range rows {
					at, _ := excelize.CoordinatesToCellName(1, r+1)
					if err := f.SetSheetRow(name, at, &rows[r]); err != nil {
						t.Fatal(err)
					}
				}
			}
			path := filepath.Join(t.TempDir(), "t.xlsx")
			if err := f.SaveAs(path); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			code := run([]string{"suppress", "--below", "3", "--width", "4", path}, nil, &stdout, &stderr)
			if code != c.code || !strings.Contains(stdout.String()+stderr.String(), c.told) {
				t.Errorf("%d\n%s%s", code, &stdout, &stderr)
			}
		})
	}
}

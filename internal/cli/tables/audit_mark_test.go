package tables

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/test/must"
)

// The marked copy has a colour and a comment where cells are disclosed, and nowhere else.
func TestAuditMarks(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "marked.xlsx")
	cmd := NewAudit()
	var text, words bytes.Buffer
	cmd.SetOut(&text)
	cmd.SetErr(&words)
	cmd.SetArgs([]string{"--from", "layout", "--below", "3", "--width", "4", "-o", out, "../../../testdata/establishments.xlsx"})
	if err := cmd.Execute(); err == nil {
		t.Error("want the exit code of an unprotected table")
	}
	f, err := excelize.OpenFile(out)
	if err != nil {
		t.Fatal(err, words.String())
	}
	defer f.Close()
	found := 0
	for _, sheet := range f.GetSheetList() {
		comments := must.Get(f.GetComments(sheet))(t)
		for _, c := range comments {
			said := c.Text
			for _, p := range c.Paragraph {
				said += p.Text
			}
			if !strings.Contains(said, "DISCLOSED") {
				continue // the office's own
			}
			found++
			first, _, _ := strings.Cut(said, ":")
			name := first[strings.LastIndexByte(first, '\n')+1:]
			if !strings.Contains(text.String(), "\n"+strings.TrimSpace(name)) || !strings.Contains(said, sheet+"!") || !strings.Contains(said, " = ") {
				t.Errorf("%s!%s: %q", sheet, c.Cell, said)
			}
			id := must.Get(f.GetCellStyle(sheet, c.Cell))(t)
			if style, err := f.GetStyle(id); err != nil || style.Fill.Pattern != 1 {
				t.Errorf("%s!%s has no colour: %v %v", sheet, c.Cell, style.Fill, err)
			}
		}
	}
	if want := strings.Count(text.String(), " DISCLOSED"); found != want || found == 0 {
		t.Errorf("%d cells marked, %d listed\n%s%s", found, want, text.String(), words.String())
	}
	// Another input has no cells to mark.
	cmd = NewAudit()
	cmd.SetOut(&text)
	cmd.SetErr(&words)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	words.Reset()
	cmd.SetArgs([]string{"--below", "5", "-o", filepath.Join(t.TempDir(), "no.xlsx"), "../../../testdata/frequency.csv", "--total", "合計"})
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error()+words.String(), "marks cells in a copy of the workbook") {
		t.Errorf("%v %s", err, words.String())
	}
}

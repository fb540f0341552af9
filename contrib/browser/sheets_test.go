package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSheets opens workbooks of several sheets: what stands on them is one table for the page as for the command, protected alike and written into
// the same copy; the sheets that are left aside are said.
func TestSheets(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"workbooks/01-share-sheet-fractions/share-sheet-fractions.xlsx", // the second sheet has shares of the first
		"workbooks/09-change-sheet/change-sheet.xlsx",                   // three years, and changes between them
		"workbooks/16-sheets-total-male-female/sheets-total-male-female.xlsx",
		"layouts/office-formulas/haigu.xlsx", // a hidden sheet, and one of formulas
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			file := filepath.Join("../../../shared/data", file)
			if _, err := os.Stat(file); err != nil {
				t.Skip("no folder shared beside the project")
			}
			copied := filepath.Join(t.TempDir(), "out.xlsx")
			command := exec.Command(program, "suppress", "--json", "--below=3", "--width=3", "-o", copied, file)
			var words strings.Builder
			command.Stderr = &words
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, words.String())
			}
			var want struct{ Cells, Suppressed int }
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatal(err)
			}
			v := prepared(t, map[string]string{"below": "3", "width": "3"}, file)
			v.protect()
			v.shot("protected")
			if got, facts := js[string](v, `document.querySelector(".state").textContent`), fmt.Sprintf("withheld %d / %d", want.Suppressed, want.Cells); !strings.Contains(got, facts) {
				t.Errorf("the page: %s; the command: %s", got, facts)
			}
			v.tab("out")
			if book, err := os.ReadFile(copied); err != nil || v.saved("Protected file") != string(book) {
				t.Errorf("the page writes another copy than the command (%v)", err)
			}
			v.tab("sheet")
			v.until(`document.querySelectorAll(".sheets .words li").length > 2`)
			v.settled()
			v.shot("sheet")
			understood := js[string](v, `document.querySelector(".sheets .words").textContent`)
			for line := range strings.Lines(words.String()) {
				if _, aside, ok := strings.Cut(strings.TrimSpace(line), "left aside: "); ok && !strings.Contains(understood, aside) {
					t.Errorf("the page does not say what is left aside: %s\n%s", aside, understood)
				}
			}
		})
	}
}

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write makes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pick chooses an option of a select.
func (v *visit) pick(selector, value string) {
	v.Helper()
	if got := js[string](v, fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e) return "no such field"; e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); return e.value; })()`, selector, value)); got != value {
		v.shot("failed")
		v.Fatalf("%s: %q, want %q", selector, got, value)
	}
	v.settled()
}

const firms = "area,size,turnover,wages,freq\nn1,small,10,5,3\nn1,large,40,20,9\nn2,small,30,12,8\nn2,large,50,25,12\ns1,small,25,11,2\ns1,large,35,16,7\n"

// TestResponses names the columns of a file in the form: two values that are withheld together, and those who contribute.
func TestResponses(t *testing.T) {
	t.Parallel()
	v := open(t, write(t, "firms.csv", firms))
	v.until(`document.querySelector(".problem, .cell")`)
	v.tab("open")
	v.settled()
	v.pick(`[data-key="is-area"]`, "dimension")
	v.pick(`[data-key="is-size"]`, "dimension")
	v.pick(`[data-key="is-turnover"]`, "response")
	v.pick(`[data-key="is-wages"]`, "response")
	v.shot("form")
	v.button("form.files", "Open as a table")
	v.opened()
	if got := js[int](v, `document.querySelectorAll('[data-key="response"] option').length`); got != 2 {
		t.Errorf("%d values to choose from", got)
	}
	v.pick(`[data-key="response"]`, "1")
	v.until(`document.querySelector('.cell[data-name="n2/large"]').textContent === "25"`)
	v.set("below", "3")
	v.set("width", "5")
	v.settled()
	v.protect()
	v.shot("responses")
	v.tab("out")
	v.until(`document.querySelector(".repeat pre")?.textContent.includes("--response=turnover,wages")`)
}

// TestTreeChosen takes a hierarchy from a file that is not called like its table.
func TestTreeChosen(t *testing.T) {
	t.Parallel()
	v := open(t, write(t, "firms.csv", strings.Replace(firms, "turnover,wages", "value,wages", 1)), write(t, "parts.csv", "code,parent\nAll,\nNorth,All\nn1,North\nn2,North\ns1,All\n"))
	v.until(`document.querySelector(".problem, .cell")`)
	v.tab("open")
	v.settled()
	v.pick(`[data-key="tree-area"]`, "parts.csv")
	v.shot("form")
	v.button("form.files", "Open as a table")
	v.until(`[...document.querySelectorAll(".stub b")].some((e) => e.textContent === "North")`)
	v.settled()
	v.shot("tree")
}

// TestLinkedChosen opens two files as one problem.
func TestLinkedChosen(t *testing.T) {
	t.Parallel()
	v := open(t, write(t, "bysize.csv", "area,size,value\nn,small,10\nn,large,3\ns,small,30\ns,large,20\n"), write(t, "byage.csv", "area,age,value\nn,young,6\nn,old,7\ns,young,28\ns,old,22\n"))
	v.opened()
	v.tab("open")
	v.settled()
	v.click(`form.files input[name=table]:not(:checked)`)
	v.settled()
	v.button("form.files", "Open as a table")
	v.until(`document.querySelectorAll('[data-key^="at"]').length === 1`)
	v.settled()
	v.shot("linked")
	v.tab("out")
	v.until(`document.querySelector(".repeat pre")?.textContent.includes("--linked")`)
}

// TestLastYear lays the pattern of last year's table beside this year's runs: that pattern as it is, and a run that prefers it.
func TestLastYear(t *testing.T) {
	t.Parallel()
	v := prepared(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.protect()
	v.tab("compare")
	v.chooseAt("#lastfile", write(t, "last.csv", "地域,P1,P2,P3,P4,P5,合計\nM1,,15,,20,10,95\nM2,72,20,1,30,10,133\nM3,,38,,40,2,133\n合計,130,73,46,90,22,361\n"))
	v.until(`document.querySelector('[data-key="beside"]')`)
	v.click(`[data-key="beside"]`)
	v.until(ran + " === 2")
	v.click(`[data-key="prefer"]`)
	v.until(ran + " === 3")
	v.shot("beside")
	rows := js[[]string](v, `[...document.querySelectorAll("table.runs tbody tr:not(.group)")].map((r) => [0, 2, 5, 7, 8, 10].map((c) => r.children[c].textContent).join("|"))`)
	if want := []string{"as the file says|25|4|25|= 1  + 3  − 3|protected", "as last time: last.csv|–|4|103|–|unprotected", "as the file says, prefer last.csv|27.5|4|25|= 1  + 3  − 3|protected"}; !slices.Equal(rows, want) {
		t.Errorf("%q", rows)
	}
}

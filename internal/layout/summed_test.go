package layout

import (
	"fmt"
	"strings"
	"testing"
)

// TestSummands: what a formula adds up is told only where it does nothing else.
func TestSummands(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]string{
		"=SUM(C5:C6)": "[C5 C6]", "=C4+$C$7+C11": "[C4 C7 C11]", "=sum(C4,C7:C8)": "[C4 C7 C8]", "SUM(C13;C20)": "[C13 C20]", "=C4": "[C4]",
		"=C4-C5": "[]", "=SUM(C4:C5)/2": "[]", "=C4+1": "[]", "=Data!C4+C5": "[]", "=SUM(C4:C5)+C6": "[]", "=C4:C5": "[]", "=SUM(C9:C5)": "[]", "=SUM(A1:ZZ999999)": "[]",
	} {
		if got, _ := summands(formula); fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", formula, got, want)
		}
	}
}

// TestSumsByFormula: formulas say what adds up where the numbers alone are too few to show it. Sums that the numbers deny, and those of which one
// is told beside another, are left to the numbers.
func TestSumsByFormula(t *testing.T) {
	t.Parallel()
	const text = "Gemeente|2018|2019\nAubigny|4|7\nBelmont|7|1\nNoord|11|8\nÉtréval|0|14\nFontenay|0|6\nZuid|0|20\nGrandmont|3|3\nHautecour|4|14\nJoigny|0|12\nWest|7|29\nLand|18|57"
	for name, c := range map[string]struct {
		formulas map[string]string
		sums     string
	}{
		"none":   {nil, "no sums were found"},
		"some":   {map[string]string{"B7": "=SUM(B5:B6)", "C7": "=SUM(C5:C6)", "B12": "=SUM(B4,B7,B11)"}, "sums: 8 right"},
		"denied": {map[string]string{"B12": "=SUM(B2:B10)"}, "no sums were found"},
		"twice":  {map[string]string{"B7": "=SUM(B5:B6)", "B12": "=B4+B5+B6+B11"}, "no sums were found"},
	} {
		book := sheetOf(text)
		for ref, formula := range c.formulas {
			r, ok := parseRect(ref)
			if !ok {
				t.Fatal(ref)
			}
			book.Grids[0].Rows[r.Top][r.Left].Formula = formula
		}
		r, err := find(book, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.Tables) != 1 || !strings.Contains(told(r.Tables[0]), c.sums) {
			t.Errorf("%s: %v", name, r.Words())
		}
	}
}

// TestRoundedGroup: where formulas tell the total of two groups, the parts of each, which miss it by rounding, are asked about.
func TestRoundedGroup(t *testing.T) {
	t.Parallel()
	book := sheetOf("Ort|ledig|verheiratet|verwitwet|Insgesamt\nNord|139|5|958|1102\nAltdorf|137|3|688|828\nBergen|2|3|269|274\nSüd|694|1220|5|1919\nDorf|570|877|3|1450\nEschen|124|343|3|470\nΣ|833|1225|963|3021")
	for c, formula := range map[int]string{1: "B2+B5", 2: "C2+C5", 4: "E2+E5"} {
		book.Grids[0].Rows[7][c].Formula = formula
	}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Tables[0].doubts; len(d) != 1 || !strings.Contains(d[0].Question.String(), "Nord may be the sum of Altdorf, Bergen") {
		t.Errorf("asked %v", d)
	}
}

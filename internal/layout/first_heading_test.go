package layout

import (
	"fmt"
	"testing"
)

// The first panel is called by what stands above the header where headings in the table name the others; a unit names nothing, nor does the title.
func TestFirstHeading(t *testing.T) {
	for _, tc := range [][3]string{
		{"Males", "Females", "Males Females"},
		{"31.12.2018", ",31.12.2019", "31.12.2018 31.12.2019"},
		{",2018", ",2019", "2018 2019"},
		{"令和元年", "令和2年", "令和元年 令和2年"},
		{"(persons)", "Females", "All Females"},
	} {
		r := readText(t, fmt.Sprintf("Table 33: Residents by county\n\n%s\nCounty,Total,Young,Old\nAll,294,181,113\nDane,74,72,2\nOzark,64,59,5\nEllis,156,50,106\n\n%s\nAll,274,153,121\nDane,78,76,2\nOzark,70,64,6\nEllis,126,13,113\n", tc[0], tc[1]), Options{})
		got := ""
		for i, c := range r.Tables[0].Dimensions[0].Codes {
			if i > 0 {
				got += " "
			}
			got += c.Code
		}
		if got != tc[2] {
			t.Errorf("%q: %s, want %s", tc[0], got, tc[2])
		}
	}
}

package layout

import (
	"slices"
	"strings"
	"testing"
)

// TestTotalWithin: a total of two levels is found wherever it stands, within a group, too.
func TestTotalWithin(t *testing.T) {
	t.Parallel()
	rows := strings.Fields("North|27|3|8|12|4 Adair|8|0|3|5|0 Boone|11|1|2|5|3 Clay|8|2|3|2|1 South|16|2|6|7|1 Dover|4|0|1|2|1 Elk|12|2|5|5|0 West|21|7|5|5|4 Floyd|8|5|2|1|0 Gibson|13|2|3|4|4")
	for i := range rows {
		r, err := find(sheetOf("Table 1. Persons\nArea|Total|Theft|Fraud|Assault|Arson\n"+strings.Join(slices.Insert(slices.Clone(rows), i, "Counties|64|12|19|24|9"), "\n")), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(r.Tables[0]); !strings.Contains(got, "Area: 11 codes, depth 2, total Counties\n") {
			t.Errorf("behind %d rows\n%s", i, got)
		}
	}
}

// TestTotalAmongFew: so is the total of a table so small that a sum elsewhere would be chance.
func TestTotalAmongFew(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Area|Total|Single|Married\nAdair|1|0|1\nBoone|3|1|2\nΣ|8|2|6\nClay|4|1|3"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := told(r.Tables[0]); !strings.Contains(got, "Area: 4 codes, depth 1, total Σ\n") {
		t.Error(got)
	}
}

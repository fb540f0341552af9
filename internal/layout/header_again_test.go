package layout

import (
	"strings"
	"testing"
)

// TestHeaderAgain: a header that stands again on the next page without what was added at its right is completed, where it repeats the rest.
func TestHeaderAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		tables int
	}{
		"shorter": {"Area,Single,Married,Total,People\nAdair,12,30,42,901\nBoone,7,9,16,333\n,,,,\nArea,Single,Married,Total,\nClay,3,4,7,77\nTotal,22,43,65,1311\n", 1},
		"another": {"Area,Single,Married,Total,People\nAdair,12,30,42,901\nTotal,12,30,42,901\n,,,,\nArea,Single,Widowed,Total,\nClay,3,4,7,\nDover,1,2,3,\nTotal,4,6,10,\n", 2},
	} {
		s, err := Open(strings.NewReader(tc.text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(s.Reading.Tables); n != tc.tables {
			t.Errorf("%s: %d tables, want %d: %v", name, n, tc.tables, s.Reading.Words())
		}
		if name == "shorter" && len(s.Reading.Tables[0].Cells) != 16 {
			t.Errorf("%s: %v", name, s.Reading.Words())
		}
	}
}

package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestHeaderAgain: a header that stands again on the next page without what was added at its right is completed, where it repeats the rest.
func TestHeaderAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		tables int
	}{
		"shorter": {"Area,Single,Married,Total,People\nAdair,12,30,42,901\nBoone,7,9,16,333\n,,,,\nArea,Single,Married,Total,\nClay,3,4,7,77\nTotal,22,43,65,1311\n", 1},
		"flags":   {"Area,Single,Flag,Total,Flag,Rank\nAdair,12,p,42,,1\nBoone,7,,16,,2\n,,,,,\nArea,Single,Flag,Total,Flag,\nClay,3,,7,,3\nDover,2,,5,,4\n", 1},
		"months":  {"Area,１月,２月,３月,People\nAdair,12,30,42,901\nBoone,7,9,16,333\n,,,,\nArea,１月,２月,３月,\nClay,3,4,7,77\nDover,2,4,5,65\n", 1},
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
		if _, err := s.Input(formats.Options{}); tc.tables == 1 && err != nil && strings.Contains(err.Error(), "no label") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "shorter" && len(s.Reading.Tables[0].Cells) != 16 {
			t.Errorf("%s: %v", name, s.Reading.Words())
		}
	}
}

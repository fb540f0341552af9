package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestAlmostGroup: a group whose total the rounding misses in one column is asked about where few numbers speak for it, too.
func TestAlmostGroup(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Commune,2019,2020,2021\nTotal,55,93,76\nNord,29,66,22\nAubigny,4,40,2\nBelmont,0,15,2\nDompierre,25,11,18\nSud,26,27,54\nÉtréval,1,26,14\nFontenay,25,2,40\n",
		"Area,Single,Married,Widowed\nNorth,153,375,26\nAdair,1,1,23\nBoone,151,374,2\nSouth,676,192,989\nClay,1,189,376\nDover,562,0,2\nElk,114,3,611\nAll,829,567,1014\n",
	} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "--tolerance") {
			t.Errorf("%v", err)
		}
	}
}

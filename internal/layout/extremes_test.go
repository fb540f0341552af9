package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestExtremes: rows that tell the largest and the smallest number above them bound every withheld one, and are asked about, as is another row in no sum where columns
// have none either.
func TestExtremes(t *testing.T) {
	t.Parallel()
	const rows = "Area,Born,Died,Moved\nNorth,17,2,31\nSouth,11,11,8\nEast,5,1,9\nWest,7,17,3\nAll,40,31,51\n"
	for _, c := range []struct{ text, want string }{
		{rows + "Minimum,5,1,3\nMaximum,17,17,31\n", "--derived Minimum --derived Maximum"},
		{rows + "Highest (max.),17,17,31\n", `--derived "Highest (max.)"`},
		{rows + "Minimo,5,1,3\nMassimo,17,17,31\n", "--derived Minimo --derived Massimo"},
		{"Area,Born,Died,All,Posto\nNorth,17,2,19,3\nSouth,11,11,22,2\nEast,5,19,24,1\nWest,4,5,9,4\nAll,37,37,74,\n", "--derived Posto"},
		{"Area,Born,Died,All,Posto\nNorth,17,2,19,3\nSouth,11,11,22,2\nEast,5,19,24,4\nWest,4,5,9,1\nAll,37,37,74,\n", ""},
		{rows, ""}, {rows + "Elsewhere,17,17,31\n", "--derived Elsewhere"},
		{"Area,Born,Died,All\nNorth,17,2,19\nSouth,11,11,22\nEast,5,19,24\nAll,33,32,65\nElsewhere,17,19,36\n", ""},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

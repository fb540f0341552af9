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
	const wide = ",M,M,M,M,F,F,F,F,All,All,All,All\nArea,a,b,c,Sum,a,b,c,Sum,a,b,c,Sum\n" +
		"North,44,22,53,119,33,14,73,120,77,36,126,239\nSouth,86,9,12,107,57,10,75,142,143,19,87,249\nEast,71,15,49,135,18,31,83,132,89,46,132,267\n" +
		"West,77,10,67,154,83,77,10,170,160,87,77,324\nMid,30,7,14,51,76,77,53,206,106,84,67,257\nFar,58,56,11,125,9,31,8,48,67,87,19,173\nAll,366,119,206,691,276,240,302,818,642,359,508,1509\n"
	for _, c := range []struct{ text, want string }{
		{rows + "Minimum,5,1,3\nMaximum,17,17,31\n", "--derived Minimum --derived Maximum"},
		{rows + "Highest (max.),17,17,31\n", `--derived "Highest (max.)"`},
		{rows + "Minimo,5,1,3\nMassimo,17,17,31\n", "--derived Minimo --derived Massimo"},
		{"Area,Born,Died,All,Posto\nNorth,17,2,19,3\nSouth,11,11,22,2\nEast,5,19,24,1\nWest,4,5,9,4\nAll,37,37,74,\n", "--derived Posto"},
		{"Area,Born,Died,All,Posto\nNorth,17,2,19,3\nSouth,11,11,22,2\nEast,5,19,24,4\nWest,4,5,9,1\nAll,37,37,74,\n", ""},
		{wide + "Minimo,30,7,11,51,9,10,8,48,67,19,19,173\nMassimo,86,56,67,154,83,77,83,206,160,87,132,324\n", "--derived Minimo --derived Massimo"}, // of both sexes it is not what those of each add up to
		{wide + "Massimo,86,56,67,154,83,77,83,206,160,87,132,324\n", "--derived Massimo"},
		{wide, ""},
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

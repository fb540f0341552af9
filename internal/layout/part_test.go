package layout

import (
	"strings"
	"testing"
)

// A part that goes on below others which are told apart by what stands over their columns does not say which of them it belongs to.
func TestPageOfSeveral(t *testing.T) {
	t.Parallel()
	text := `,öffentlich,privat,privat,privat,privat
10 Altdorf,48,e,36,u,14
40 Nord,54,,142,,74
,öffentlich,privat,privat,privat,privat
100 West,58,e,6,p,74
`
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
	if err == nil && len(s.Reading.Tables) == 0 {
		t.Error("neither a table nor a reason")
	}
}

// TestPartsNamed: what a label names behind words of whatever language is what it is the sum of, where few numbers bear it out, an empty row or not.
func TestPartsNamed(t *testing.T) {
	t.Parallel()
	const rows = "Kreis,insgesamt,m,w\nMühlbach,0,0,0\nKirchdorf,2,2,0\nDorfen,25,4,21\nNeustadt,12,2,10\nHohenau,1,1,0\nAhrberg,3,0,3\nFreital,17,3,14\nLand,60,12,48\n"
	for label, want := range map[string]int{"dar. Neustadt + Ahrberg": 2, "out of these: Neustadt, Ahrberg": 2, "Neustadt/Ahrberg": 2, "BadNeustadt + Ahrberg": 0, "dar. Neustadt": 0} {
		r := readText(t, rows+"\""+label+"\",15,2,13\n", Options{})
		codes := r.Tables[0].Dimensions[0].Codes
		if got := codes[len(codes)-1].Equals; len(got) != want {
			t.Errorf("%s is the sum of %v, want %d codes", label, got, want)
		}
	}
}

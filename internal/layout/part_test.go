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

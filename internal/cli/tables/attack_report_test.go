package tables

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/attack"
)

func TestAttackProgress(t *testing.T) {
	var b strings.Builder
	p := &attackProgress{w: &b}
	p.show(attack.Progress{Open: 3, Decided: -1, Seconds: 0.01})
	p.show(attack.Progress{Open: 4, Decided: 0.2, Seconds: 0.02}) // too soon
	p.show(attack.Progress{Open: 12, Decided: 0.451, Matches: 123, Seconds: 2})
	want := `  open  decided      matches    time
     3        -            0    0.0s
    12    45.1%          123    2.0s
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

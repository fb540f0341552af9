package render

import (
	"math"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/solver"
)

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := &SearchProgress{W: &b}
	p.Show(solver.Progress{Round: 1, Lower: 118, Upper: math.Inf(1)})
	p.Show(solver.Progress{Round: 2, Lower: 120, Upper: math.Inf(1), Seconds: 0.01}) // too soon
	p.Show(solver.Progress{Round: 3, Nodes: 1, Lower: 118, Upper: 412, Cuts: 34, Seconds: 0.2})
	p.Show(solver.Progress{Round: 9, Nodes: 15, Lower: 287.5, Upper: 301, Cuts: 211, Seconds: 3.1})
	want := ` round   nodes      lower      upper     gap   cuts    time
     1       0     118.00          -       -      0    0.0s
     3       1     118.00     412.00   71.4%     34    0.2s
     9      15     287.50     301.00    4.5%    211    3.1s
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestAuditProgress(t *testing.T) {
	var b strings.Builder
	p := &auditProgress{w: &b}
	p.Show(3, 10)
	p.Show(4, 10) // too soon
	if want := "3 of 10 cells audited\n"; b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
}

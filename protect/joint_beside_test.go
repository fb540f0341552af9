package protect

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// beside reads a ledger with one release, the row r0 of the table without its first two cells but with their sum.
func beside(t *testing.T, code, sum int64) func(*Policy) (*ledger.Set, error) {
	t.Helper()
	return func(*Policy) (*ledger.Set, error) {
		cut := tidy(t, "cut.csv", fmt.Sprintf("activity,value\na0,\na1,\na2,%d\nTotal,%d\n", code, sum))
		return &ledger.Set{Releases: []*ledger.Release{{Table: cut, File: "cut.csv", At: map[string]string{"region": "r0"}}}}, nil
	}
}

const threeByThree = `region,activity,value,freq,max1,max2,max3,status,spl
r0,a0,12,1,12,0,0,u,4
r0,a1,20,1,20,0,0,u,4
r0,a2,30,9,5,4,4,s,0
r0,Total,62,11,20,12,5,s,0
r1,a0,14,8,4,3,3,s,0
r1,a1,25,9,5,4,4,s,0
r1,a2,31,9,5,4,4,s,0
r1,Total,70,26,5,5,5,s,0
r2,a0,15,8,4,3,3,s,0
r2,a1,26,9,5,4,4,s,0
r2,a2,32,9,5,4,4,s,0
r2,Total,73,26,5,5,5,s,0
Total,a0,41,17,12,4,4,s,0
Total,a1,71,19,20,5,5,s,0
Total,a2,93,27,5,5,5,s,0
Total,Total,205,63,20,12,5,s,0
`

// A certificate is of the problem with what is published: it holds with the same releases and with no others.
func TestJointCertificate(t *testing.T) {
	t.Parallel()
	opt := &Options{Certificate: true, Ledger: beside(t, 30, 62)}
	p := Policy{Published: []string{"x"}, Cost: cost("count")}
	res, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, opt)
	if err != nil || res.Verdict != interval.Protected || res.Solution.Certificate == nil {
		t.Fatalf("%v: %v", res.Verdict, err)
	}
	var proof bytes.Buffer
	must.Do(t, res.Solution.Certificate.Write(&proof))
	check := func(p Policy, with func(*Policy) (*ledger.Set, error)) error {
		return Certify(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: with}, func(whole *table.Table) error {
			_, err := certificate.Verify(t.Context(), bytes.NewReader(proof.Bytes()), whole)
			return err
		})
	}
	if err := check(p, opt.Ledger); err != nil {
		t.Error(err)
	}
	var refuted *certificate.Refuted
	if err := check(Policy{Cost: cost("count")}, nil); !errors.As(err, &refuted) {
		t.Errorf("without what is published: %v", err)
	}
	other := func(*Policy) (*ledger.Set, error) {
		cut := tidy(t, "cut.csv", "activity,value\na0,\na1,\na2,30\nTotal,\n")
		return &ledger.Set{Releases: []*ledger.Release{{Table: cut, File: "cut.csv", At: map[string]string{"region": "r0"}}}}, nil
	}
	if err := check(p, other); !errors.As(err, &refuted) {
		t.Errorf("with another release: %v", err)
	}
}

// A union that a release tells keeps nothing: what it tells of the row, the two sensitive cells' sum, is protected only if a third cell of the row is
// withheld, which is published.
func TestJointUnions(t *testing.T) {
	t.Parallel()
	p := Policy{Dominance: of("dominance = '1,60'").Dominance, Unions: 2, Width: level("4"), Cost: cost("count")}
	alone, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, nil)
	if err != nil || alone.Verdict != interval.Protected || alone.Unions == nil || len(alone.Unions.Unions) == 0 {
		t.Fatalf("alone: %v, %+v: %v", alone.Verdict, alone.Unions, err)
	}
	p.Published = []string{"x"}
	_, err = Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: beside(t, 30, 62)})
	var none *guard.UnionError
	if !errors.As(err, &none) || !slices.Equal(none.Cells, []string{"r0/a0", "r0/a1"}) {
		t.Errorf("the sum of two cells is told by the cut: %v", err)
	}
	open := func(*Policy) (*ledger.Set, error) {
		cut := tidy(t, "cut.csv", "activity,value\na0,41\na1,\na2,\nTotal,205\n")
		return &ledger.Set{Releases: []*ledger.Release{{Table: cut, File: "cut.csv", At: map[string]string{"region": "Total"}}}}, nil
	}
	res, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: open})
	if err != nil || res.Verdict != interval.Protected || len(res.Unions.Open) > 0 {
		t.Fatalf("%v, %+v: %v", res.Verdict, res.Unions, err)
	}
	rep, err := guard.AuditUnions(t.Context(), res.Joint.Table, res.Earlier.Pattern, res.Unions.Unions, nil)
	if err != nil || rep == nil {
		t.Fatal(err)
	}
	for k := range rep.Cells {
		if !rep.Cells[k].Protected {
			t.Errorf("union %v is told too closely", res.Unions.Unions[k].Cells)
		}
	}
	if len(res.Earlier.Pattern) != res.Joint.Len() {
		t.Errorf("a pattern of %d cells", len(res.Earlier.Pattern))
	}
}

// The rule for singletons is about the table itself and holds beside what is published.
func TestJointSingletons(t *testing.T) {
	t.Parallel()
	p := Policy{Singletons: of("singletons = 'tauargus-opt'").Singletons, Cost: cost("count"), Published: []string{"x"}}
	_, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: beside(t, 30, 62)})
	if none := (*NoPatternError)(nil); !errors.As(err, &none) {
		t.Errorf("the sum of two singletons is told by the cut: %v", err)
	}
	open := func(*Policy) (*ledger.Set, error) {
		cut := tidy(t, "cut.csv", "activity,value,freq,status\na0,41,1,s\na1,,1,u\na2,,,m\nTotal,205,63,s\n")
		return &ledger.Set{Releases: []*ledger.Release{{Table: cut, File: "cut.csv", At: map[string]string{"region": "Total"}}}}, nil
	}
	res, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: open})
	if err != nil || res.Verdict != interval.Protected || res.Singletons.Sums != 1 {
		t.Fatalf("%v, %+v: %v", res.Verdict, res.Singletons, err)
	}
	if !slices.Contains([]bool{res.Patterns[0][2], res.Patterns[0][3]}, true) {
		t.Errorf("nothing else of the row is withheld: %v", res.Patterns[0])
	}
}

// A defence chooses by the table alone, and what it chose is audited with what is published.
func TestJointDefence(t *testing.T) {
	t.Parallel()
	text := "region,activity,freq\n"
	for r, row := range [][]int64{{2, 15, 21}, {13, 14, 22}, {16, 17, 23}} {
		for a, v := range row {
			text += fmt.Sprintf("r%d,a%d,%d\n", r, a, v)
		}
	}
	p := Policy{Below: 3, Width: level("5"), Defence: "quantised", DefenceBase: 8, Published: []string{"x"}}
	run := func(cut string) *Result {
		t.Helper()
		res := must.Get(Run(t.Context(), []Input{{Table: tidy(t, "now.csv", text)}}, p, &Options{Ledger: func(*Policy) (*ledger.Set, error) {
			return &ledger.Set{Releases: []*ledger.Release{{Table: tidy(t, "cut.csv", cut), File: "cut.csv", At: map[string]string{"region": "r0"}}}}, nil
		}}))(t)
		return res
	}
	if res := run("activity,freq\na0,\na1,\na2,21\nTotal,38\n"); res.Verdict != interval.Protected || len(res.Solution.Pattern) != res.Table.Len() || len(res.Earlier.Pattern) != res.Joint.Len() {
		t.Errorf("%v", res.Verdict)
	}
	bad := run("activity,freq\na0,\na1,15\na2,\nTotal,38\n")
	rep, err := interval.Audit(t.Context(), bad.Joint.Table, bad.Earlier.Pattern, nil)
	if err != nil || rep.Protected != (bad.Verdict == interval.Protected) {
		t.Errorf("%v, audited %v: %v", bad.Verdict, rep.Protected, err)
	}
}

// The time limit holds while what is published is joined: nothing is found then, and why is said.
func TestJointTimeLimit(t *testing.T) {
	t.Parallel()
	p := Policy{Published: []string{"x"}, Cost: cost("count"), TimeLimit: time.Nanosecond}
	open := func(*Policy) (*ledger.Set, error) {
		cut := tidy(t, "cut.csv", "activity,value\na0,\na1,\na2,\nTotal,62\n")
		return &ledger.Set{Releases: []*ledger.Release{{Table: cut, File: "cut.csv", At: map[string]string{"region": "r9"}}}}, nil
	}
	res, err := Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: open})
	var none *NoPatternError
	if !errors.As(err, &none) || !errors.Is(err, solver.ErrNoSolution) || res.Solution == nil || res.Solution.Status != solver.None {
		t.Errorf("%+v: %v", res.Solution, err)
	}
	p.TimeLimit = time.Hour
	if res, err = Run(t.Context(), []Input{{Table: tidy(t, "now.csv", threeByThree)}}, p, &Options{Ledger: open}); err != nil || res.Verdict != interval.Protected {
		t.Errorf("%v: %v", res.Verdict, err)
	}
}

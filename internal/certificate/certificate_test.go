package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	internal "github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/second"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

func init() { internal.Opinion = second.Compare }

// grid is a 4×4 table with published margins and two sensitive cells; four more
// cells must go, or fewer if they help each other.
func grid(t testing.TB) *table.Table {
	t.Helper()
	codes := []string{"a", "b", "c", "d"}
	rows, _ := table.FlatDimension("row", "T", codes)
	cols, _ := table.FlatDimension("col", "T", codes)
	var recs []table.Record
	for r, x := range codes {
		for c, y := range codes {
			recs = append(recs, table.Record{Codes: []string{x, y}, Value: table.Num(int64(3+7*r*c%11+c), 0)})
		}
	}
	tab := must.Get(table.Build("grid", []table.Dimension{rows, cols}, recs, true))(t)
	leaves := tab.Leaves()
	for i := range tab.Len() {
		tab.Cost[i] = tab.Value[i]
		switch name := tab.CellName(i); {
		case tab.IsMargin(i, leaves):
			tab.Status[i] = table.Published
		case name == "a/b" || name == "c/d":
			tab.Status[i], tab.Width[i], tab.UPL[i] = table.Sensitive, 6, 2
		}
	}
	return tab
}

// proof solves tab and returns its certificate.
func proof(t testing.TB, tab *table.Table) (file []byte, cost int64) {
	t.Helper()
	sol := must.Get(solver.Suppress(context.Background(), tab, &solver.Options{Certificate: true, Workers: 1}))(t)
	var b bytes.Buffer
	must.Do(t, sol.Certificate.Write(&b))
	return b.Bytes(), sol.Cost
}

// Whatever bytes it reads, Verify neither panics nor confirms what is false.
func FuzzVerify(f *testing.F) {
	tab := grid(f)
	file, cost := proof(f, tab)
	add := func(file []byte) {
		f.Add(file)
		second.Verify(f, file, tab)
	}
	add(file)
	lines := bytes.SplitAfter(file, []byte("\n"))
	head := lines[0]
	for _, body := range []string{
		`{"is":"leaf"}`, `{"is":"split","cell":3}`, `{"is":"fix","scale":63}`,
		`{"is":"dual","cell":1,"den":1}` + "\n" + `{"is":"level","up":0,"down":0}` + "\n" + `{"is":"cover","of":[0],"cells":[1,2,3]}`,
		`{"is":"dual","cell":2,"den":3,"relations":[0,4],"num":[3,-3]}` + "\n" + `{"is":"bridge","up":0}` + "\n" + `{"is":"round","of":[0],"mult":[1],"div":2,"cells":[0,1]}`,
		`{"is":"dual","cell":1,"den":4611686018427387904,"relations":[0],"num":[-9223372036854775808]}` + "\n" + `{"is":"exclude","up":0,"cells":[0]}`,
		`{"is":"witness","den":1,"cells":[0,0],"num":[1,-1]}`, `{"is":"pattern","cells":[0]}`, `[`, `{"is":"leaf","of":[0],"mult":[1],"ray":true}`,
		`{"is":"part","relations":[0],"num":[0,1,1,1,1],"bound":0}` + "\n" + `{"is":"leaf"}`, `{"is":"part","bound":0}` + "\n" + `{"is":"leaf"}` + "\n" + `{"is":"leaf"}`,
		`{"is":"part","relations":[0,5],"num":[0,1,1,1,1,0,0,0,0],"bound":1}` + "\n" + `{"is":"dual","cell":8,"den":1,"relations":[1],"num":[1]}` + "\n" + `{"is":"level","up":0,"down":0}` + "\n" + `{"is":"leaf","of":[0],"mult":[1]}`,
	} {
		add([]byte(string(head) + body + "\n" + `{"is":"end","lines":3}` + "\n"))
	}
	f.Add([]byte{0x1f, 0x8b, 8}) // the other checker is given what is unpacked
	f.Add([]byte("\x1f\x8b\b\x00\x9b\xaf\xb3\xb3\x00\x00\xab\x80\"\xb3\xb3\xb3\xe7V\xe0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rep, err := certificate.Verify(context.Background(), bytes.NewReader(data), tab)
		if err != nil {
			var m *certificate.Malformed
			var r *certificate.Refuted
			if !errors.As(err, &m) && !errors.As(err, &r) {
				t.Fatalf("error %v is neither a Malformed nor a Refuted", err)
			}
			return
		}
		if rep.Bound > cost || rep.Pattern != nil && rep.Cost < cost {
			t.Fatalf("cost %d, bound %d confirmed; the optimum is %d", rep.Cost, rep.Bound, cost)
		}
	})
}

// Lines no one may write are refused where they stand, whatever else follows.
func TestMalformed(t *testing.T) {
	tab := grid(t)
	file, _ := proof(t, tab)
	head := string(file[:bytes.IndexByte(file, '\n')+1])
	for _, c := range []struct{ body, want string }{
		{"", "line 2: the certificate ends before its end line"},
		{`{"is":"leaf"}`, "line 2: the last line is cut short"},
		{"{}\n", `line 2: a line of unknown kind ""`},
		{`{"is":"leaf","extra":1}` + "\n", `line 2: json: unknown field "extra"`},
		{`{"is":"leaf"} {}` + "\n", "line 2: more than one value"},
		{`{"is":"leaf"}]` + "\n", "line 2: more than one value"},
		{`{"is":"split","cell":25}` + "\n", "line 2: a cell outside 0 to 24"},
		{`{"is":"split","cell":-1}` + "\n", "line 2: a cell outside 0 to 24"},
		{`{"is":"split","cell":1.5}` + "\n", "line 2: json: cannot unmarshal number 1.5 into Go struct field line.cell of type int32"},
		{`{"is":"split"}` + "\n", "line 2: a split without a cell"},
		{`{"is":"dual","cell":0,"den":0}` + "\n", "line 2: a dual needs a cell, a denominator from 1 to 2^61 and a number for each relation"},
		{`{"is":"dual","cell":0,"den":1,"relations":[10],"num":[1]}` + "\n", "line 2: a relation outside 0 to 9"},
		{`{"is":"level","up":0}` + "\n", "line 2: dual 0, but there are 0 so far"},
		{`{"is":"cover","of":[0]}` + "\n", "line 2: row 0, but there are 0 so far"},
		{`{"is":"cover"}` + "\n", "line 2: cover: rests on the wrong number of rows or weights"},
		{`{"is":"bridge"}` + "\n", "line 2: bridge: has no dual"},
		{`{"is":"level"}` + "\n", "line 2: row 0 (level): has no dual"},
		{`{"is":"leaf","of":[0],"mult":[1]}` + "\n", "line 2: row 0, but there are 0 so far"},
		{`{"is":"leaf","mult":[1]}` + "\n", "line 2: 0 rows but 1 multipliers"},
		{`{"is":"leaf","scale":64}` + "\n", "line 2: scale 64 outside 0 to 63"},
		{`{"is":"witness","den":1}` + "\n", "line 2: a witness before the pattern"},
		{`{"is":"end","lines":3}` + "\n", "line 2: the end line says 3 lines"},
		{`{"is":"end","lines":2}` + "\n", "line 2: the tree is not complete: 1 nodes lack a child"},
		{`{"is":"end","lines":2}` + "\n\n", "line 2: something follows the end line"},
		{"\x00", "line 2: the last line is cut short"},
		{strings.Repeat(" ", 1<<25) + "\n", "line 2: longer than 4 MiB"},
	} {
		_, err := second.Verify(t, []byte(head+c.body), tab)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q: error %v, want %s", c.body, err, c.want)
		}
	}
}

// A cancelled check says so, and one of a table without values is refused.
func TestVerifyStops(t *testing.T) {
	tab := grid(t)
	file, _ := proof(t, tab)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if _, err := certificate.Verify(ctx, bytes.NewReader(file), tab); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
	hidden := tab.Clone()
	hidden.Missing = make([]bool, tab.Len())
	hidden.Missing[1] = true
	hidden.Status[1] = table.Withheld
	if _, err := certificate.Verify(t.Context(), bytes.NewReader(file), hidden); err == nil || !strings.Contains(err.Error(), "has no value") {
		t.Errorf("error %v of a published table", err)
	}
}

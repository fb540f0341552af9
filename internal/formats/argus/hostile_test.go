package argus

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// A recoding gives every code what comparing it with every range gives.
func TestRecodingAgreesWithScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.StringMatching(`[ 0-3aé"]?[0-4aé]{1,2}`)
		codes := rapid.SliceOfN(rapid.Map(code, Code), 1, 8).Draw(t, "codes")
		c := &Recoding{File: "x.grc"}
		for n := range rapid.IntRange(1, 4).Draw(t, "rules") {
			r := recodeRule{Line: n + 1, New: fmt.Sprint("new", n)}
			for range rapid.IntRange(1, 3).Draw(t, "ranges") {
				f := codeRange{Low: Code(code.Draw(t, "low")), High: Code(code.Draw(t, "high"))}
				switch rapid.IntRange(0, 3).Draw(t, "kind") {
				case 0:
					f.High = f.Low
				case 1:
					f.Low = ""
				case 2:
					f.High = ""
				}
				r.From = append(r.From, f)
			}
			c.Rules = append(c.Rules, r)
		}
		pad := func(s string) string { return strings.Repeat(" ", 5-utf8.RuneCountInString(s)) + s }
		want, fails := map[string]string{}, ""
		for _, s := range codes {
			want[s] = s
			line := 0
			for _, r := range c.Rules {
				in := false
				for _, f := range r.From {
					in = in || (f.Low == "" || pad(f.Low) <= pad(s)) && (f.High == "" || pad(s) <= pad(f.High))
				}
				if in && line > 0 && fails == "" {
					fails = fmt.Sprintf("x.grc:%d: ", r.Line)
				}
				if in {
					want[s], line = r.New, r.Line
				}
			}
		}
		got, err := c.Apply(codes)
		if (err != nil) != (fails != "") || err != nil && !strings.HasPrefix(err.Error(), fails) {
			t.Fatalf("error %v, want %q", err, fails)
		}
		if err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// Long files are read in time and memory linear in them: with all pairs compared the sizes
// here would take minutes.
func TestHostile(t *testing.T) {
	const n = 100_000
	each := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	bound := func(t *testing.T, text string, read func(text string) error, want string) {
		t.Helper()
		memtest.Bound(t, len(text), 64<<20, 400, func() {
			err := read(text)
			if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%v, want … %s", err, want)
			}
		})
	}
	metadata := func(text string) error {
		_, err := ReadMetadataFrom(strings.NewReader(text), "x.rda", Tabular, "")
		return err
	}
	bound(t, "<SEPARATOR> \",\"\n"+each("v%d\n<RECODEABLE>\n"), metadata, "more than 4096 variables")
	codes := strings.Fields(each("%d "))
	recode := func(text string) error {
		r, err := ReadRecodingFrom(strings.NewReader(text), "x.grc", "")
		if err != nil {
			return err
		}
		_, err = r.Apply(codes)
		return err
	}
	bound(t, each("n:%d\n"), recode, "")
	bound(t, each("n:1-99999,%d\n"), recode, "the code has a new one on line 1 already")
	edges := make([]table.Edge, 0, n)
	for i, c := range codes[1:] {
		e := table.Edge{Code: c, Parent: codes[i]}
		if i%250 == 0 { // chains below the total
			e.Parent = codes[0]
		}
		edges = append(edges, e)
	}
	d := must.Get(table.NewDimension("V", codes[0], edges))(t)
	bound(t, "<TREERECODE>\n"+strings.TrimSuffix(each("%d\n"), "99999\n"), func(text string) error {
		r, err := ReadRecodingFrom(strings.NewReader(text), "x.grc", "")
		if err != nil {
			return err
		}
		_, _, err = r.ApplyTree(&d, nil)
		return err
	}, "")
	rda := must.Get(ReadMetadataFrom(strings.NewReader("<SEPARATOR> \",\"\nV\n<RECODEABLE>\nX\n<NUMERIC>\n"), "x.rda", Tabular, ""))(t)
	bound(t, each("%d,1\n"), func(text string) error {
		_, err := ReadTableFrom(strings.NewReader(text), "x.tab", rda, Options{})
		return err
	}, "")
	bound(t, each("%d,PL,1,1\n"), func(text string) error {
		_, err := readSound(strings.NewReader(text), "x.hst", ",", 1)
		return err
	}, "")
}

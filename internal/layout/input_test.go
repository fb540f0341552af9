package layout

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// protection is protect.json.
type protection struct {
	Sheet string
	Mark  string
	Flags struct {
		Below, Width int64
		Freq         string
		Response     []string
		LPL, UPL     string
	}
	Sensitive []struct{ Sheet, Ref string } `json:"expected_sensitive"`
}

func protectionOf(t *testing.T, name string) *protection {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared.Path(t, "data", "layouts", name), "protect.json"))
	if err != nil {
		t.Fatal(err)
	}
	p := &protection{}
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBuild makes tables of the files of the cases and applies their rules: the sensitive cells
// are those they name, by address.
func TestBuild(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pref-two-level-header", "pref-filldown-subtotals", "ministry-manufacturing", "ons-workbook", "us-census-of-agriculture", "office-formulas"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, path := expected(t, name)
			p := protectionOf(t, name)
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(strings.NewReader(string(raw)), path, "", "", Options{Sheet: p.Sheet, LeaveAside: p.Sheet != ""})
			if err != nil {
				t.Fatal(err)
			}
			responses := p.Flags.Response
			if responses == nil {
				responses = []string{""}
			}
			var want, got []string
			for _, c := range p.Sensitive {
				want = append(want, c.Sheet+"!"+c.Ref)
			}
			for _, response := range responses {
				o := formats.Options{Response: response}
				if p.Flags.Freq != "" {
					o.Columns = map[string]string{"freq": p.Flags.Freq}
				}
				in, err := s.Input(o)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := in.Table.MinimumFrequency(p.Flags.Below, false); err != nil {
					t.Fatal(err)
				}
				address := formats.Addresses(in)
				for i, st := range in.Table.Status {
					if st.String() == "u" {
						got = append(got, address(i))
					}
				}
				if in.Table.Rel.Len() < 4 {
					t.Errorf("%d relations", in.Table.Rel.Len())
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("sensitive (-want +got): %s", d)
			}
		})
	}
}

// TestBuildAll makes a table of every case, of each measure, and writes it back: without a
// pattern byte for byte as it was, with one other in the cells withheld only.
func TestBuildAll(t *testing.T) {
	t.Parallel()
	for name, measures := range map[string][]string{"statcan-long": {""}, "eurostat-tsv-flags": {""}, "eurostat-sdmx-both": {""}, "statfin-px": {"lv", "ytoimipaik"},
		"estat-wide-cp932": {"0010", "0020"}, "destatis-genesis": {"Betriebe", "Umsatz"}, "cbs-statline": {""}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, path := expected(t, name)
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(strings.NewReader(string(raw)), path, "", "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range measures {
				in, err := s.Input(formats.Options{Response: m})
				if err != nil {
					t.Fatal(err)
				}
				var b strings.Builder
				if err := formats.Write(&b, in, nil); err != nil || b.String() != string(raw) {
					t.Fatalf("another file without a pattern: %v", err)
				}
				pattern := make([]bool, in.Table.Len())
				for i := range pattern {
					pattern[i] = in.Table.Missing != nil && in.Table.Missing[i] || in.Table.Status[i].String() == "s" && i%7 == 0
				}
				b.Reset()
				if err := formats.Write(&b, in, pattern); err != nil {
					t.Fatal(err)
				}
				again, err := Open(strings.NewReader(b.String()), path, "", "", Options{})
				if err != nil {
					t.Fatal(err)
				}
				address := formats.Addresses(in)
				out := map[string]bool{}
				for i, w := range pattern {
					if w {
						out[address(i)] = true
					}
				}
				for i, c := range s.Reading.Tables[0].Cells {
					d := again.Reading.Tables[0].Cells[i]
					switch {
					case c.Ref != d.Ref:
						t.Fatalf("%s became %s", c.Ref, d.Ref)
					case !out[c.Ref]:
						if diff := cmp.Diff(c, d); diff != "" {
							t.Fatal(diff)
						}
					case d.Value != nil || c.Value != nil && d.Means != Suppressed:
						t.Fatalf("%s: %+v was withheld and is %+v", c.Ref, c, d)
					}
				}
			}
		})
	}
}

// TestInputRounded takes what sums miss by rounding for known, and refuses sums that miss by more.
func TestInputRounded(t *testing.T) {
	t.Parallel()
	text := "area;size;value\nT;T;1000\nT;S;430\nT;L;580\nA;T;310\nA;S;120\nA;L;190\nB;T;690\nB;S;310\nB;L;390\n"
	r := readText(t, text, Options{})
	s := &Source{Reading: r, name: "f"}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if in.Table.Rel.Len() != 6 || !slices.Contains(in.Table.Rel.RHS, 10) {
		t.Errorf("%d relations with %d on their right-hand sides", in.Table.Rel.Len(), in.Table.Rel.RHS)
	}
	far := Decimal("900")
	r.Tables[0].Cells[0].Value = &far
	if _, err := s.Input(formats.Options{}); err == nil || !strings.Contains(err.Error(), "--no-total") {
		t.Errorf("a sum that misses by a hundred: %v", err)
	}
	s.tolerance = "110"
	if _, err := s.Input(formats.Options{}); err != nil {
		t.Error(err)
	}
}

// TestMarkInSum: a cell with a mark that nobody knows is in its total where exact sums leave as little as 1 for it.
func TestMarkInSum(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Region,Metal,Wood,Paper,Total\nNorth,#,12,30,43\nSouth,20,#,40,63\nTotal,21,15,70,106\n"), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, hidden := range in.Table.Missing {
		if hidden {
			n++
		}
	}
	if n != 2 || len(in.Table.Missing) != 12 {
		t.Errorf("%d of %d cells are not told, want 2 of 12", n, len(in.Table.Missing))
	}
}

// TestWriteUnread: what a long table holds beside its values is blanked where these are withheld, if somebody has looked, and
// a note that holds one is refused, or told where somebody has looked.
func TestWriteUnread(t *testing.T) {
	t.Parallel()
	text := "Title,East has 1234 firms\n\narea,size,share,value,status\nT,T,100.0,3000,\nT,S,50.5,1500,\nT,L,49.5,1500,p\nA,T,60.1,1800,\nA,S,70.2,1234,p\nA,L,39.9,566,\nB,T,12.3,1200,\nB,S,45.6,266,\nB,L,78.9,934,\n"
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{LeaveAside: true})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.LeftAside = false
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		pattern[i] = !strings.Contains(in.Table.CellName(i), "T")
	}
	var b strings.Builder
	if err := formats.Write(&b, in, pattern); err == nil || !strings.Contains(err.Error(), "line 1, field 2") || b.Len() > 0 {
		t.Fatalf("a withheld value in the title: %v, %d bytes", err, b.Len())
	}
	in.LeftAside = true
	if err := formats.Write(&b, in, pattern); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("A,S,70.2,1234,p", "A,S,,x,p", "A,L,39.9,566,", "A,L,,x,", "B,S,45.6,266,", "B,S,,x,", "B,L,78.9,934,", "B,L,,x,").Replace(text)
	if b.String() != want {
		t.Errorf("%s", cmp.Diff(want, b.String()))
	}
	if got := formats.Changes(in); len(got) != 1 || !strings.Contains(got[0].String(), "1234") {
		t.Errorf("told: %q", got)
	}
}

// FuzzOpen reads, builds and writes whatever there is: no table, or a file that comes back byte for byte.
func FuzzOpen(f *testing.F) {
	for _, name := range layoutCases {
		if shared.Dir(f) == "" { // which is no reason not to search from the seeds below
			break
		}
		_, _, path := expected(f, name)
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if !strings.HasSuffix(path, ".xlsx") {
			f.Add(raw)
		}
	}
	f.Add([]byte("表題,x\n\n地域,総数,男,女\n総数,30,10,20\n　東,12,4,8\n　西,18,6,12\n注,a\n"))
	f.Add([]byte("a;b;value\nT;T;30\nT;u;12\nT;v;18\nw;T;10\nw;u;x\nw;v;x\nz;T;20\nz;u;x\nz;v;x\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<14 {
			return
		}
		s, err := Open(strings.NewReader(string(raw)), "f.csv", "", "", Options{})
		if err != nil {
			return
		}
		s.Reading.Words()
		in, err := s.Input(formats.Options{})
		if err != nil {
			return
		}
		var b strings.Builder
		if err := formats.Write(&b, in, nil); err != nil || b.String() != string(raw) {
			t.Fatalf("%q became %q, %v", raw, b.String(), err)
		}
		if bad := in.Table.CheckAdditive(1); bad != nil {
			t.Fatal(bad[0])
		}
	})
}

package layout

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// The workbooks that say how to be protected are read, and written with their sensitive cells withheld: read again, exactly these have the mark, and
// nothing else of the table has changed.
func TestWriteBook(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"ministry-manufacturing", "office-formulas", "ons-workbook", "pref-filldown-subtotals", "pref-two-level-header", "us-census-of-agriculture"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			var p struct {
				Mark, Input, Sheet string
				Flags              struct{ Response json.RawMessage }
				Sensitive          []xlsx.Place `json:"expected_sensitive"`
			}
			raw, err := os.ReadFile(shared.Path(t, "data", "layouts", dir, "protect.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &p); err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(shared.Path(t, "data", "layouts", dir, p.Input))
			if err != nil {
				t.Fatal(err)
			}
			open := func(raw []byte) *Source {
				s, err := Open(bytes.NewReader(raw), p.Input, "", "", Options{Sheet: p.Sheet, LeaveAside: p.Sheet != ""})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			s := open(src)
			o := formats.Options{}
			var many []string
			if json.Unmarshal(p.Flags.Response, &many) == nil && len(many) > 0 {
				o.Response, o.Responses = many[0], many
			}
			in, err := s.Input(o)
			if err != nil {
				t.Fatal(err)
			}
			pattern := make([]bool, in.Table.Len())
			address := formats.Addresses(in)
			n := 0
			for i := range pattern {
				sheet, ref, _ := strings.Cut(address(i), "!")
				if slices.Contains(p.Sensitive, xlsx.Place{Sheet: sheet, Ref: ref}) {
					pattern[i] = true
					n++
				}
			}
			if n == 0 {
				t.Fatal("no sensitive cell is in the table")
			}
			var out bytes.Buffer
			if err := formats.Write(&out, in, pattern); err != nil {
				t.Fatal(err)
			}
			before := map[string]string{}
			for _, table := range s.Reading.Tables {
				for _, c := range table.Cells {
					if c.Value != nil {
						before[*c.Sheet+"!"+c.Ref] = string(*c.Value)
					}
				}
			}
			marks := 0
			w, err := xlsx.Open(bytes.NewReader(out.Bytes()), p.Input)
			if err != nil {
				t.Fatal(err)
			}
			for _, sheet := range w.Sheets {
				for _, c := range sheet.Cells {
					at := xlsx.Place{Sheet: sheet.Name, Ref: (&Grid{Sheet: sheet.Name}).ref(c.Row-1, c.Column-1)}
					is := slices.Contains(p.Sensitive, at)
					if is && c.Text != p.Mark {
						t.Errorf("%s: %q, want the mark %s", at, c.Text, p.Mark)
					}
					if is {
						marks++
					} else if v, ok := before[at.String()]; ok && c.Text == p.Mark {
						t.Errorf("%s: %s became the mark", at, v)
					}
				}
			}
			if marks != len(p.Sensitive) {
				t.Errorf("%d marks, want %d", marks, len(p.Sensitive))
			}
			t.Log(formats.Changes(in))
		})
	}
}

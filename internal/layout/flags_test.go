package layout

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/table"
)

// An asterisk behind a value makes it sensitive only where a note says so: else it is the mark of a footnote.
func TestAsterisk(t *testing.T) {
	for note, want := range map[string]table.Status{"* confidential": table.Sensitive, "* estimated": table.Safe} {
		s, err := Open(strings.NewReader("Area,All,Men,Women\nA,30,20*,10\nB,15,7,8\nAll,45,27,18\n,,,\n"+note+",,,\n"), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := -1
		for k := range in.Table.Len() {
			if in.Table.CellName(k) == "A/Men" {
				i = k
			}
		}
		if got := in.Table.Status[i]; got != want {
			t.Errorf("%s: %v, want %v", note, got, want)
		}
	}
}

// Columns of flags between and behind those of values are in no dimension, and what stands there is told of the cell; short labels, units and marks are no flags.
func TestFlagColumns(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"without a header":          {"Area,Single,,Married,,Total,\nA,5,p,7,,12,\nB,6,,8,e,14,r\nTotal,11,,15,,26,", "9 cells 5p 8e 14r"},
		"with one, empty in parts":  {"Area,2019,Flag,2020,Flag\nA,5,p,7,\nB,6,,8,\nTotal,11,,15,", "6 cells 5p"},
		"another on every line":     {"Area,Single,,Married,,Widowed,,Total,\nTotal,13,,7,e,2,p,22,\nA,11,,4,u,0,e,15,\nB,2,*,3,e,2,r,7,", "12 cells 7e 2p 4u 0e 2* 3e 2r"},
		"signs":                     {"Area,Single,*,Married,*,Total,*\nA,5,,7,*,12,\nB,6,,8,,14,\nTotal,11,,15,,26,", "9 cells 7*"},
		"one of each, under a sign": {"Area,2019,*,2020,*\nA,5,r,7,p\nB,6,,8,u\nTotal,11,,15,e", "6 cells 5r 7p 8u 15e"},
		"with an empty column":      {"Area,Single,*,Married,,*\nA,5,r,7,,\nB,6,,8,,\nTotal,11,,15,,", "6 cells 5r"},
		"behind an empty column":    {"Area,Total,,,Single,Married\nA,12,,e,5,7\nB,14,,,6,8\nC,3,,,1,2\nTotal,29,,u,12,17", "12 cells 12e 29u"},
		"of nothing but marks":      {"Area,Total,*,Single,*,Married,*\nA,12,,12,e,-,r\nB,14,r,14,,-,\nTotal,26,,26,,-,u", "9 cells 12e 0r 14r 0u"},
		"under years repeated":      {",2018,2018,2018,2018,2019,2019,2019,2019\nArea,Men,,Women,,Men,,Women,\nA,5,p,7,,6,,2,\nB,6,,8,p,3,,1,\nTotal,11,,15,,9,e,3,e", "12 cells 5p 8p 9e 3e"},
		"so, below a header":        {"Area,Total,,Flag,Single,Flag,Married,Flag\nA,12,,r,5,e,7,\nB,14,,e,6,,8,\nTotal,26,,b,11,,15,p", "9 cells 12r 5e 14e 26b 15p"},
		"so, in one row":            {"Area,Total,,Flag,Single,Flag,Married,Flag\nA,12,,,5,e,7,\nB,14,,,6,,8,\nTotal,26,,b,11,,15,", "9 cells 5e 26b"},
		"in a panel without values": {"地域,総数,,未婚,,不詳,\n北浜市,12,*,5,,7,\n松原市,14,*,6,,8,\n計,26,,11,,15,\n,,,,,,\n割合（％）,,,,,,\n地域,総数,未婚,不詳,,,\n北浜市,*,b,e,,,\n松原市,p,,b,,,\n計,p,,e,,,", "9 cells 12* 14*"},
		"labels":                    {"Area,Total,Kind,Men,Women,Total\nA,12,a,5,7,12\nB,14,b,6,8,14\nC,3,c,1,2,3", ""},
		"marks":                     {"Area,Single,Married,Total\nA,5,x,12\nB,6,x,14\nTotal,11,15,26", "9 cells"},
	} {
		s, err := Open(strings.NewReader(tc.text), "t.csv", "", "", Options{})
		if err != nil {
			if tc.want != "" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var got []string
		n := 0
		for _, table := range s.Reading.Tables {
			n += len(table.Cells)
			for _, c := range table.Cells {
				if c.Flag != "" {
					got = append(got, string(*c.Value)+c.Flag)
				}
			}
		}
		if all := strings.Join(append([]string{strconv.Itoa(n) + " cells"}, got...), " "); tc.want != "" && all != tc.want || tc.want == "" && len(got) > 0 {
			t.Errorf("%s: %s, want %s", name, all, tc.want)
		}
	}
}

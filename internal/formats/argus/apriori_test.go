package argus

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

const hst = `A;N;U
"A";S;u;12;15
B;Total;P
c;N;S
C;S;C;2500.5
;S;PL;10;20.5
D;N;ml
D;S;AB;0;1e3
"";"";w;7
`

func TestReadApriori(t *testing.T) {
	h := must.Get(readSound(strings.NewReader("\ufeff"+strings.ReplaceAll(hst, "\n", "\r\n")), "a.hst", ";", 2))(t)
	var got []string
	for _, a := range h.lines {
		got = append(got, fmt.Sprintf("%d %s %s %v", a.Line, strings.Join(a.Codes, "/"), a.does, a.Values))
	}
	want := "1 A/N U []|2 A/S U [12 15]|3 B/Total P []|4 c/N S []|5 C/S C [2500.5]|6 /S PL [10 20.5]|7 D/N ML []|8 D/S AB [0 1000]|9 / C [7]"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for text, want := range map[string]string{
		"A,N,U\n":        "a.hst:1: A,N,U: without the separator ;",
		"A;N\n":          "a.hst:1: A;N: 2 fields, want 2 codes and an action",
		"A;N;X\n":        "a.hst:1: X: no such action; want S, U, P, M, ML, C, W, PL or AB",
		"A;N;U;1\n":      "a.hst:1: U: 1 numbers behind it, want none, or a lower and an upper level",
		"A;N;S;1\n":      "a.hst:1: S: 1 numbers behind it, want 0",
		"A;N;C\n":        "a.hst:1: C: 0 numbers behind it, want 1",
		"A;N;C;-1\n":     "a.hst:1: -1: costs must be ≥ 0",
		"A;N;PL;1;-2\n":  "a.hst:1: -2: protection levels must be ≥ 0",
		"A;N;PL;1;x\n":   "a.hst:1: x: want a decimal number",
		"A;N;AB;5;2\n":   "a.hst:1: AB: the lower bound 5 is above the upper one 2",
		"A;N;S\n\"A;N\n": `a.hst:2:1: the quote " opened here is not closed on its line`,
	} {
		if _, err := readSound(strings.NewReader(text), "a.hst", ";", 2); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := readSound(strings.NewReader(""), "a.hst", ";;", 2); err == nil || err.Error() != "separator ;; of an a-priori file: want one ASCII character, and not a quote" {
		t.Error(err)
	}
	if h, err := readSound(strings.NewReader("\"A;;;;\",N,U\n"), "a.hst", "", 2); err != nil || h.lines[0].Codes[0] != "A;;;;" {
		t.Error(h, err)
	}
	if h, err := readSound(strings.NewReader("A;N;U;;;\n"), "a.hst", ";", 2); err != nil || len(h.lines) != 1 {
		t.Error(err)
	}
}

// aprioriTable has a chain Total → R → r, r2 of which R is an only child.
func aprioriTable(t *testing.T) *table.Table {
	d := must.Get(table.NewDimension("R", "Total", []table.Edge{{Code: "R", Parent: "Total"}, {Code: "r1", Parent: "R"}, {Code: "r2", Parent: "R"}, {Code: "r3", Parent: "R"}}))(t)
	tab := must.Get(table.Build("t", []table.Dimension{d}, []table.Record{
		{Codes: []string{"Total"}, Value: table.Num(60, 0)}, {Codes: []string{"R"}, Value: table.Num(60, 0)},
		{Codes: []string{"r1"}, Value: table.Num(20, 0)}, {Codes: []string{"r2"}, Value: table.Num(40, 0)},
		{Codes: []string{"r3"}, Value: table.Num(0, 0), Status: table.Published},
	}, false))(t)
	return tab
}

func TestApplyApriori(t *testing.T) {
	twenty := table.Level{Decimal: table.Decimal{Unscaled: 20}, Percent: true}
	d := must.Get(table.FlatDimension("R", "Total", []string{"R", "r1", "r2", "r3", "r8"}))(t)
	whole := []table.Dimension{d}
	for _, tc := range []struct {
		text string
		o    AprioriOptions
		want string // status, levels, cost and bounds of every cell
		err  string
	}{
		{"r1;U\nr2;M\n;P\n", AprioriOptions{}, "z s u m z", ""},
		{"r1;U\n", AprioriOptions{Manual: &twenty}, "s s u4,4 s z", ""},
		{"r1;U;1.5;2\n", AprioriOptions{Manual: &twenty}, "s s u1.5,2 s z", ""},
		{"r1;U\nr1;S\nr1;P\nr1;S\nr1;C;2.5\n", AprioriOptions{}, "s s s$2.5 s z", ""},
		{"r1;U\nr1;PL;3;0.5\nr1;AB;10;30\n", AprioriOptions{}, "s s u3,0.5[10,30] s z", ""},
		{"r1;C;0\nr3;C;7\nr8;C;7\n", AprioriOptions{Trees: whole}, "s s s$1 s z$7", ""}, // a cost of 0 is 1, one of a cell that the table lacks is nothing
		{"r1;U\nr2;U\nr1;PL;0;0\nr2;PL;3\n", AprioriOptions{Manual: &twenty}, "s s u u3,3 z", ""},
		{"r1;U\nr1;PL;25;25\nr2;U;50;1\n", AprioriOptions{}, "s s u20,25 u40,1 z", ""}, // cut at the value
		{"r1;U\nr1;PL;3;3\nr1;U\n", AprioriOptions{Manual: &twenty}, "s s u4,4 s z", ""},
		{"R;U;1;1\n", AprioriOptions{Expand: true}, "u1,1 u1,1 s s z", ""},
		{"Total;U;1;1\n", AprioriOptions{Expand: true}, "u1,1 u1,1 s s z", ""},
		{"R;U;1;1\n", AprioriOptions{}, "s u1,1 s s z", ""},
		{"r1;U\nr1;M\n", AprioriOptions{}, "", "a.hst:2: r1: has status u, only a safe cell can become M"},
		{"r1;M\nr1;S\n", AprioriOptions{}, "", "a.hst:2: r1: withheld already, cannot become safe"},
		{"r1;P\nr1;U\n", AprioriOptions{}, "", "a.hst:2: r1: has status z, only safe and unsafe cells can become unsafe"},
		{"r3;S\n", AprioriOptions{}, "", "a.hst:1: r3: an empty cell, which cannot be changed"},
		{"r8;U\n", AprioriOptions{Trees: whole}, "", "a.hst:1: r8: an empty cell, which cannot be changed"},
		{"r9;S\n", AprioriOptions{Trees: whole}, "", `a.hst:1: column "R": r9: not a code of this dimension`},
		{"r1;AB;30;40\n", AprioriOptions{}, "", "a.hst:1: r1: the bounds do not hold its value 20"},
		{"r3;S\nr9;S\nr1;U\nr1;AB;30;40\n", AprioriOptions{Ignore: true}, "s s u s z", ""},
	} {
		tab := aprioriTable(t)
		h := must.Get(readSound(strings.NewReader(tc.text), "a.hst", ";", 1))(t)
		_, skipped, err := h.Apply(tab, tc.o)
		if tc.err != "" {
			if err == nil || err.Error() != tc.err {
				t.Errorf("%q: %v, want %s", tc.text, err, tc.err)
			}
			if got := aprioriCells(tab); got != "s s s s z" {
				t.Errorf("%q: the table became %s", tc.text, got)
			}
			continue
		}
		if err != nil || (len(skipped) > 0) != tc.o.Ignore {
			t.Errorf("%q: %v, %v", tc.text, err, skipped)
		}
		if got := aprioriCells(tab); got != tc.want {
			t.Errorf("%q: %s, want %s", tc.text, got, tc.want)
		}
	}
}

// A line with an action that is none cannot be followed; others can.
func TestAprioriLines(t *testing.T) {
	path := put(t, t.TempDir(), "a.hst", "r1;U;1;2\nr2;Q\nr2;C;x\n")
	h := must.Get(ReadAprioriLines(path, ";", 1, ""))(t)
	tab := aprioriTable(t)
	changed, skipped, err := h.Apply(tab, AprioriOptions{Ignore: true})
	if err != nil || changed != 1 || len(skipped) != 2 || aprioriCells(tab) != "s s u1,2 s z" {
		t.Errorf("%d changed, skipped %v, %v: %s", changed, skipped, err, aprioriCells(tab))
	}
	if _, _, err := h.Apply(aprioriTable(t), AprioriOptions{}); err == nil || !strings.HasSuffix(err.Error(), "a.hst:2: Q: no such action; want S, U, P, M, ML, C, W, PL or AB") {
		t.Error(err)
	}
	if _, err := ReadApriori(path, ";", 1, ""); err == nil {
		t.Error("read")
	}
}

func aprioriCells(tab *table.Table) string {
	var all []string
	for i := range tab.Len() {
		s := tab.Status[i].String()
		f := func(v int64) string { return table.FormatDecimal(v, tab.Decimals) }
		if tab.LPL[i] != 0 || tab.UPL[i] != 0 {
			s += f(tab.LPL[i]) + "," + f(tab.UPL[i])
		}
		if c := table.FormatDecimal(tab.Cost[i], tab.CostDecimals); c != f(max(tab.Value[i], table.Pow10(tab.Decimals))) {
			s += "$" + c
		}
		if tab.Lower[i] != 0 || tab.Upper[i] != table.PosInf {
			s += "[" + f(tab.Lower[i]) + "," + f(tab.Upper[i]) + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

// readSound is readApriori of a file every line of which can be read.
func readSound(r io.Reader, file, separator string, dims int) (*Apriori, error) {
	h, err := readApriori(r, file, separator, dims, "")
	if err != nil {
		return nil, err
	}
	return h.sound()
}

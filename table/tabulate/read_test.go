package tabulate

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// fixed describes records like "a1 12.50".
func fixed(t testing.TB) Source {
	s := testSource(t)
	return Source{Variables: []Variable{
		{Name: "A", Start: 1, Length: 2, Tree: s.Variables[0].Tree, Missing: []string{"99"}},
		{Name: "X", Start: 4, Length: 5, Missing: []string{"9999"}},
		{Name: "W", Start: 10, Length: 2},
	}}
}

func TestReadErrors(t *testing.T) {
	ok := "a1 12.50 10\n"
	for _, tc := range []struct {
		name, text, want string
		source           Source
		spec             Spec
	}{
		{"short line", ok + "a1 12\n", `f:2: 5 bytes: want at least 8, the end of X`, fixed(t), Spec{Dims: []string{"A"}, Response: "X"}},
		{"no number", "\r\n" + ok + ok + "a2 12,5x\n", `f:4: column "X": "12,5x": want a decimal number`, fixed(t), Spec{Dims: []string{"A"}, Response: "X"}},
		{"total code", "allx12.50 10\n", `f:1: column "A": "all": the total code; records hold codes of the lowest level only`,
			Source{Variables: []Variable{{Name: "A", Start: 1, Length: 3, Total: "all"}}}, Spec{Dims: []string{"A"}}},
		{"inner code", ok + "b  12.50 10\n", `f:2: column "A": "b": a code with codes below it in the hierarchy; records hold codes of the lowest level only`, fixed(t), Spec{Dims: []string{"A"}}},
		{"unknown code", ok + "x  12.50 10\n", `f:2: column "A": "x": not a code of the hierarchy, and not a missing code`, fixed(t), Spec{Dims: []string{"A"}}},
		{"empty code", ok + "   12.50 10\n", `f:2: column "A": empty, want a code`, fixed(t), Spec{Dims: []string{"A"}}},
		{"negative weight", ok + "a1 12.50 -1\n", `f:2: column "W": -1: weights must be ≥ 0`, fixed(t), Spec{Dims: []string{"A"}, Response: "X", Weight: "W"}},
		{"empty amount", "A,X\na,\n", `f:2: column "X": empty, want a number`, Source{Header: true}, Spec{Dims: []string{"A"}, Response: "X"}},
		{"fields", "A,X\na,1\n\nb,1,2\n", `f:4: 3 fields: want 2`, Source{Header: true}, Spec{Dims: []string{"A"}}},
		{"no column", "A,X\n", `f:1: Y: no such column; the columns are A, X`, Source{Header: true}, Spec{Dims: []string{"A"}, Response: "Y"}},
		{"no header", "", `f: no header, want a line of names`, Source{Header: true}, Spec{Dims: []string{"A"}}},
		{"quote", "A,X\n\"a,1\n", `f:2: a quote " that is not closed on its line`, Source{Header: true}, Spec{Dims: []string{"A"}}},
		{"UTF-16", "\xff\xfeA\x00", "f: starts with the byte order mark of UTF-16, but the encoding chosen is cp932", Source{Header: true, Encoding: "cp932"}, Spec{Dims: []string{"A"}}},
		{"separators in quotes", "\"A,B,C\";X\na;1\n", `f:1: A: no such column; the columns are A,B,C, X`, Source{Header: true}, Spec{Dims: []string{"A"}}},
		{"no character", "A\na\nb\x81\n", `f:3: column "A": "b\x81": not CP1252; want another --encoding`, Source{Header: true, Encoding: "cp1252"}, Spec{Dims: []string{"A"}}},
		{"encoding", "A\na\nb\xff\n", `f:3: column "A": "b\xff": not UTF-8; want another --encoding`, Source{Header: true, Encoding: "utf-8"}, Spec{Dims: []string{"A"}}},
		{"digits", "A,X\na,1234567890123456\na,0.1234\n", `f:3: column "X": "0.1234": with its 4 decimals the amounts before it need more than 18 digits; round the data`,
			Source{Header: true}, Spec{Dims: []string{"A"}, Response: "X", Top: 1}},
		{"first of several", "A,X\na,1\na,x\na,y\n", `f:3: column "X": "x": want a decimal number`, Source{Header: true}, Spec{Dims: []string{"A"}, Response: "X"}},
	} {
		tab, err := New(tc.source, []Spec{tc.spec}, 2)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		err = tab.Read(context.Background(), strings.NewReader(tc.text), "f")
		var e *formats.Error
		if err == nil || err.Error() != tc.want || !errors.As(err, &e) {
			t.Errorf("%s: %v\nwant %s", tc.name, err, tc.want)
		}
		if _, err := tab.Tables(); err == nil {
			t.Errorf("%s: tables of a file that failed", tc.name)
		}
	}
}

func TestSpecErrors(t *testing.T) {
	s := testSource(t)
	for text, want := range map[string]string{
		"":                             `"": no dims, want like "dims A,B; response X"`,
		"dims A; dims B":               `"dims" given twice`,
		"dims A; top x":                `"top x": want a number of contributions from 0 to 100`,
		"dims A; colour red":           `"colour red": want dims, response, shadow, cost, weight, holding, request, waiver, who, rules, top or name`,
		"dims A; rules P(1":            `rule "P(1": want NAME(number,…), like P(10,1)`,
		"dims A,A":                     `table A_A: dimension "A" given twice`,
		"dims A,B,C,D,E,F,G":           `table A_B_C_D_E_F_G: 7 dimensions, want 1 to 6`,
		"dims A; rules P(10,1)":        `table A: the rules look at contributions, but records are counted; name a response or a shadow variable`,
		"dims A; response X;request B": `table A: request variable "B": no codes that ask for protection are given`,
	} {
		p, err := s.ParseSpec(text)
		if err == nil {
			_, err = New(s, []Spec{p}, 1)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	bare := Source{Variables: []Variable{{Name: "A", Start: 1, Length: 1}}}
	for text, want := range map[string]string{
		"dims A; weight":                `"weight" names no variable, and the metadata have no weight`,
		"dims A; rules FREQ(3)|WGT(1)":  `table A: WGT(1) needs a weight, but none is named`,
		"dims A; rules FREQ(0)|FREQ(3)": `table A: a rule by holding needs a holding, but none is named`,
		"dims A; response Z":            `table A: response "Z": no such variable; the variables are A`,
	} {
		p, err := bare.ParseSpec(text)
		if err == nil {
			_, err = New(bare, []Spec{p}, 1)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// What the file's form has to do with: line ends, blank lines, a byte order mark,
// encodings, quotes, codes with blanks, decimals that differ, gzip's absence.
func TestForms(t *testing.T) {
	spec := []Spec{{Dims: []string{"A"}, Response: "X", Top: 1}}
	want := "A,value,freq,max1\nTotal,3.5,2,2.25\n東,1.25,1,1.25\n西 b,2.25,1,2.25\n"
	jis := must.Get(japanese.ShiftJIS.NewEncoder().String("A,X\n東,1.25\n西 b,2.250\n"))(t)
	for name, text := range map[string]string{
		"plain":     "A,X\n東,1.25\n西 b,2.250\n",
		"cr lf":     "A,X\r\n東,1.25\r\n\r\n西 b,2.250\r\n\x1a",
		"cr cr lf":  "A,X\r\r\n東,1.25\r\r\n西 b,2.250\r\r\n",
		"no end":    "A,X\n東,1.25\n西 b,2.250",
		"bom":       "\xef\xbb\xbfA,X\n東,1.25\n西 b,2.250\n",
		"quotes":    "\"A\";X\n\"東\"; \"1.25\" \n 西 b ;2.250\n",
		"comma":     "A;X\n東;1,25\n西 b;+2,25e0\n",
		"tab":       "A\tX\n東\t1.25\n西 b\t2.250\n",
		"order":     "X,a,other\n2.250,西 b,x\n1.25,東,\"y,\"\"z\"\"\"\n",
		"shift jis": jis,
	} {
		r := tabulate(t, Source{Header: true}, spec, 2, text)[0]
		var b strings.Builder
		if _, err := r.write(&b); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
	ansi := must.Get(charmap.Windows1252.NewEncoder().String("A,X\né,1\n"))(t)
	r := tabulate(t, Source{Header: true, Encoding: "cp1252"}, spec, 1, ansi)[0]
	if r.CellName(1) != "é" {
		t.Errorf("read %q", r.CellName(1))
	}
}

// The order of codes, whatever that of the records; missing codes stand last and
// missing amounts count as 0.
func TestCodesInOrder(t *testing.T) {
	s := Source{Header: true, Variables: []Variable{{Name: "A", Missing: []string{"99", "x"}}, {Name: "B", Total: "T"}, {Name: "X", Missing: []string{"-"}}}}
	tab := must.Get(New(s, []Spec{{Dims: []string{"A", "B"}, Response: "X", Rules: &table.Rules{MissingSafe: true, MinFreq: []table.MinFreq{{M: 2}}}}}, 1))(t)
	must.Do(t, tab.Read(context.Background(), iotest.OneByteReader(strings.NewReader("A,B,X\n99,b,1\n10,a,2\n9,b,-\nx,b,\n")), "f"))
	if n, m, _ := tab.Seen(); len(m) != 1 || m["X"] != 2 || n != 4 {
		t.Errorf("missing %v of %d", m, n)
	}
	out := must.Get(tab.Tables())(t)
	got := ""
	for n := range out[0].Len() {
		c := must.Get(out[0].Cell(n))(t)
		got += fmt.Sprintf("%s %s %s;", out[0].CellName(n), c.Value, c.Verdict.Reason)
	}
	want := "Total/T 3 ;Total/a 2 frequency;Total/b 1 ;9/T 0 frequency;9/b 0 frequency;10/T 2 frequency;10/a 2 frequency;99/T 1 ;99/b 1 ;x/T 0 ;x/b 0 ;"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestNumber(t *testing.T) {
	for _, s := range []string{"0", "-0", "1", "-1.50", "+.5", "5.", "-.", ".", "+", "", "1e3", "1,5", "1.2.3", "12345678901234567", "123456789012345678",
		"0.000000000000001", "0.0000000000000001", "1 2", "0x1", "000000000000000000001.5", "99999999999999999999"} {
		d, errWant := table.ParseDecimal(s)
		u, scale, err := number([]byte(s))
		if (err == nil) != (errWant == nil) {
			t.Errorf("%q: %v, want %v", s, err, errWant)
		} else if err == nil && table.FormatDecimal(u, scale) != d.String() {
			t.Errorf("%q: %s, want %s", s, table.FormatDecimal(u, scale), d)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("A,B,X,W,H,R\na1,x,1.5,2,h,1\n99,y,-3,1,,0\n", true)
	f.Add("A;B;X;W;H;R\r\n\"a2\";\"x;y\";1,5;0;h;2\r\n", true)
	f.Add("a1 12.50 10\nb1 99999 1 \n", false)
	f.Add("\xef\xbb\xbfA,B,X,W,H,R\n\x1a", true)
	f.Fuzz(func(t *testing.T, text string, header bool) {
		source, specs := fixed(t), []Spec{{Dims: []string{"A"}, Response: "X", Weight: "W", Top: 2}}
		if header {
			source = testSource(t)
			specs = []Spec{{Dims: []string{"A", "B"}, Response: "X", Holding: "H", Request: "R", Top: 2}, {Dims: []string{"B"}, Shadow: "X", Weight: "W", Top: 3, Name: "w"}}
		}
		tab, err := New(source, specs, 2)
		if err != nil {
			t.Fatal(err)
		}
		memtest.Bound(t, len(text), 32<<20, 2000, func() { err = tab.Read(context.Background(), strings.NewReader(text), "f") })
		if err != nil {
			var e *formats.Error
			if !errors.As(err, &e) || e.File != "f" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		out, err := tab.Tables()
		if err != nil {
			return
		}
		n, _, _ := tab.Seen()
		for _, r := range out {
			if (r.Len() > 0) != (n > 0) {
				t.Fatalf("%d cells of %d records", r.Len(), n)
			}
			if r.Len() == 0 {
				continue
			}
			c, err := r.Cell(0)
			if err != nil {
				continue
			}
			if c.Records != n {
				t.Fatalf("%d records in the total, %d read", c.Records, n)
			}
			if tb, err := r.Table(); err == nil && tb.Len() != r.Len() {
				t.Fatalf("%d cells, %d in the table", r.Len(), tb.Len())
			}
		}
	})
}

// A compressed file that is cut off is an error, not a short file.
func TestCutOff(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("A,X\n" + strings.Repeat("a,1\nb,2\n", 1000)))
	w.Close()
	for _, n := range []int{z.Len(), z.Len() - 4, z.Len() - 12} {
		tab := must.Get(New(Source{Header: true}, []Spec{{Dims: []string{"A"}, Response: "X"}}, 2))(t)
		err := tab.Read(context.Background(), bytes.NewReader(z.Bytes()[:n]), "x.csv.gz")
		if (err == nil) != (n == z.Len()) {
			t.Errorf("%d of %d bytes: %v", n, z.Len(), err)
		}
	}
}

package argus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

const smallRDA = "<SEPARATOR> \",\"\nR \"99\"\n<RECODEABLE>\nV\n<NUMERIC>\n"

func TestTableErrors(t *testing.T) {
	full := "<SEPARATOR> ;\nR\n<RECODEABLE>\nV\n<NUMERIC>\nN\n<FREQUENCY>\nC\n<NUMERIC> <COST>\nA\n<MAXSCORE>\nB\n<MAXSCORE>\nS\n<STATUS>\nL\n<NUMERIC> <LOWERPL>\nU\n<NUMERIC> <UPPERPL>\n"
	for _, tc := range []struct {
		rda, text string
		o         Options
		want      string
	}{
		{smallRDA, "", Options{}, `t.tab: the file is empty, want cells`},
		{smallRDA, "Total,1,2\n", Options{}, `t.tab:1: 3 fields: want 2, one for each variable of dir/t.rda`},
		{smallRDA, "r,v\n", Options{}, `t.tab:1: a header; τ-ARGUS has none, as the metadata name the columns`},
		{smallRDA, "a,x\n", Options{}, `t.tab:1: column "V": x: want a decimal number`},
		{smallRDA, "a,1\na,1\n", Options{}, `t.tab:2: a: cell given twice, first on line 1; if lines are single units and no cells, make the table with hitoku tabulate`},
		{smallRDA, "a,1\n a ,1\n", Options{}, `t.tab:2: a: cell given twice, first on line 1; if lines are single units and no cells, make the table with hitoku tabulate`},
		{smallRDA, "Total,3\na,1\n", Options{}, `t.tab:1: Total = sum over R: the parts add up to 1, the margin is 3; READTABLE 1 or 1T computes margins, 2 accepts them`},
		{smallRDA, "Total,3\n", Options{Mode: Recompute}, ``},
		{smallRDA, "\"a,1\n", Options{}, `t.tab:1:1: the quote " opened here is not closed on its line`},
		{smallRDA, "\"a\"b,1\n", Options{}, `t.tab:1:4: b: text after a closing quote; want the separator`},
		{smallRDA, "a,\"1,5\"\nb,1.5\n", Options{}, `t.tab:2: column "V": 1.5: a decimal point, but line 1 has a decimal comma; want one of them throughout`},
		{smallRDA, "a,1\n", Options{Dims: []string{"V"}}, `dir/t.rda: R: spans the table but is not among the dimensions chosen: V`},
		{smallRDA, "a,1\n", Options{Dims: []string{"X"}}, `dir/t.rda: X: no such variable for a dimension; the variables are R, V`},
		{smallRDA, "a,1\n", Options{Response: "X"}, `dir/t.rda: X: no such variable for the response; the variables are R, V`},
		{smallRDA, "a,1\n", Options{Response: "R"}, `dir/t.rda: R: named as a dimension and as the response`},
		{"R\n<RECODEABLE>\n", "a\n", Options{}, `dir/t.rda: no <SEPARATOR>, which a table needs`},
		{"<SEPARATOR> ,\nV\n<NUMERIC>\n", "1\n", Options{}, `dir/t.rda: no <RECODEABLE> variable spans the table; the variables are V`},
		{"<SEPARATOR> ,\nR\n<RECODEABLE>\n", "a\n", Options{}, `dir/t.rda: no <NUMERIC> variable for the response`},
		{"<SEPARATOR> ,\nR\n<RECODEABLE>\nV\n<NUMERIC>\nW\n<NUMERIC>\n", "a,1,2\n", Options{}, `dir/t.rda: V, W: several variables could be the response; name one`},
		{full, "a;5;0;1;1;1;S;0;0\n", Options{}, `t.tab:1: column "V": 5: a value other than 0 without contributors`},
		{full, "a;;3;1;1;1;S;0;0\n", Options{}, `t.tab:1: column "V": "": an empty cell with 3 contributors`},
		{full, "a;5;1.5;1;1;1;S;0;0\n", Options{}, `t.tab:1: column "N": 1.5: frequencies must be whole numbers`},
		{full, "a;5;-1;1;1;1;S;0;0\n", Options{}, `t.tab:1: column "N": -1: frequencies must be ≥ 0`},
		{full, "a;5;2;-1;1;1;S;0;0\n", Options{}, `t.tab:1: column "C": -1: costs must be ≥ 0`},
		{full, "a;5;2;1;1;2;S;0;0\n", Options{}, `t.tab:1: column "B": 2: larger than the contribution 1 before it`},
		{full, "a;5;2;1;;2;S;0;0\n", Options{}, `t.tab:1: column "B": 2: a contribution behind a missing larger one`},
		{full, "a;5;2;1;4;2;S;0;0\n", Options{}, `t.tab:1: column "A": 4: the largest contributions add up to 6, more than the total 5`},
		{full, "a;5;2;1;4;1;Q;0;0\n", Options{}, `t.tab:1: column "S": Q: want S (safe), U (unsafe), P (protected), M (secondary) or E (empty)`},
		{full, "a;5;2;1;4;1;;0;0\n", Options{}, `t.tab:1: column "S": "": want S (safe), U (unsafe), P (protected), M (secondary) or E (empty)`},
		{full, "a;5;2;1;4;1;E;0;0\n", Options{}, `t.tab:1: column "S": E: an empty cell with the value 5`},
		{full, "a;-;;1;;;U;0;0\n", Options{}, `t.tab:1: column "S": U: an empty cell cannot be unsafe`},
		{full, "a;5;2;1;4;1;U;-1;0\n", Options{}, `t.tab:1: column "L": -1: protection levels must be ≥ 0`},
		{full, "a;1e17;2;1;4;1;S;0;0\nb;0.123;2;1;0.1;0.02;S;0;0\n", Options{}, `t.tab:1: column "V": 100000000000000000: does not fit beside numbers with 3 decimals in 18 digits`},
	} {
		_, err := ReadTableFrom(strings.NewReader(tc.text), "t.tab", metadata(t, tc.rda, Tabular), tc.o)
		if tc.want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != tc.want {
			t.Errorf("%q:\n got %v\nwant %s", tc.text, err, tc.want)
		}
	}
}

// put writes a file into a directory of the test.
func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func cellsOf(tab *Table) string {
	var all []string
	for i := range tab.Table.Len() {
		all = append(all, fmt.Sprintf("%s=%s%s", tab.Table.CellName(i), table.FormatDecimal(tab.Table.Value[i], tab.Table.Decimals), tab.Table.Status[i]))
	}
	return strings.Join(all, " ")
}

// What files in use do. Each case is one trap.
func TestReadTraps(t *testing.T) {
	for _, tc := range []struct {
		name, rda, text string
		o               Options
		want            string
	}{
		{"padded fields and codes", smallRDA, "Total , 3\n  a, 1\n\" b\",  2 \n", Options{}, "Total=3s a=1s b=2s"},
		{"byte order mark, CR CR LF, no last line end", "\ufeff" + smallRDA, "\ufeffTotal,3\r\r\na,1\r\r\nb,2", Options{}, "Total=3s a=1s b=2s"},
		{"the total as an empty field", smallRDA, ",3\na,1\nb,2\n", Options{}, "Total=3s a=1s b=2s"},
		{"missing code as a leaf", smallRDA, "Total,3\na,1\n99,2\n", Options{}, "Total=3s a=1s 99=2s"},
		{"empty cells", smallRDA, "Total,3\na,3\nb,-\nc,\n", Options{}, "Total=3s a=3s b=0z c=0z"},
		{"cells not listed", "<SEPARATOR> ,\nR\n<RECODEABLE>\nS\n<RECODEABLE>\nV\n<NUMERIC>\n", "Total,Total,3\nTotal,x,1\nTotal,y,2\na,Total,1\na,x,1\nb,Total,2\nb,y,2\n", Options{},
			"Total/Total=3s Total/x=1s Total/y=2s a/Total=1s a/x=1s b/Total=2s b/y=2s"},
		{"no frequencies", smallRDA, "a,1\nb,2\n", Options{}, "a=1s b=2s Total=3s"},
		{"no contributors", "<SEPARATOR> ,\nR\n<RECODEABLE>\nV\n<NUMERIC>\nN\n<FREQUENCY>\n", "Total,3,2\na,3,2\nb,0,0\n", Options{}, "Total=3s a=3s b=0z"},
		{"own symbols in whatever case", "<SEPARATOR> ,\n<SAFE> v\n<UNSAFE> n\n<PROTECT> \"Z\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nS\n<STATUS>\n",
			"Total,9,V\na,1,N\nb,2,z\nc,6,M\nd,,E\n", Options{}, "Total=9s a=1u b=2z c=6m d=0z"},
		{"decimal comma", "<SEPARATOR> ;\nR\n<RECODEABLE>\nV\n<NUMERIC>\n", "\"Total\";3,50\n\"a;b\";1,25\nc;2,25\n", Options{}, "Total=3.5s a;b=1.25s c=2.25s"},
		{"|value| does not add up, recomputed", smallRDA, "Total,3\na,1\nb,5\n", Options{Mode: Recompute}, "a=1s b=5s Total=6s"},
		{"and accepted", smallRDA, "Total,3\na,1\nb,5\n", Options{Mode: Accept}, "Total=3s a=1s b=5s"},
		{"statuses of margins kept", "<SEPARATOR> ,\nR\n<RECODEABLE>\nV\n<NUMERIC>\nS\n<STATUS>\nL\n<LOWERPL>\nU\n<UPPERPL>\n",
			"Total,3,U,0.5,1\na,1,S,0,0\nb,1,S,0,0\n", Options{Mode: Keep}, "a=1s b=1s Total=2u"},
		{"the response by its name", "<SEPARATOR> ,\nR\n<RECODEABLE>\nV\n<NUMERIC>\nW\n<NUMERIC>\n", "a,1,7\nb,2,8\n", Options{Response: "w"}, "a=7s b=8s Total=15s"},
		{"digits of codes", "<SEPARATOR> ,\nR\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 1 1 2 0\nV\n<NUMERIC>\n",
			"1100,1\n1200,2\n12,2\n2,5\n11,1\n1,3\nTotal,8\n", Options{}, "1100=1s 1200=2s 12=2s 2=5s 11=1s 1=3s Total=8s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := cellsOf(tabOf(t, tc.rda, tc.text, tc.o)); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// Hierarchies in files: padding, trailing blanks, codes without data, codes at no place
// or at two, parents with one child.
func TestHierarchyTraps(t *testing.T) {
	dir := t.TempDir()
	rda := func(hrc, lead string) string {
		return put(t, dir, "t.rda", "<SEPARATOR> ;\nR \"00\"\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> "+hrc+"\n"+lead+"V\n<NUMERIC>\n")
	}
	at := "<HIERLEADSTRING> \"@\"\n"
	for _, tc := range []struct{ name, hrc, lead, tab, want, err string }{
		{"leading and trailing blanks, no last line end", "Os \r\r\n@ 1\r\r\n@ 2\r\r\nZd\r\r\n@ 3", at, "Total;6\nOs;3\n 1;1\n2 ;2\nZd;3\n3;3\n", "Total=6s Os=3s 1=1s 2=2s Zd=3s 3=3s", ""},
		{"codes without data, a missing code not in the file", "A\n@1\n@2\nB\n@3\nC\n", at, "Total;3\nA;1\n1;1\n00;2\n", "Total=3s A=1s 1=1s 00=2s", ""},
		{"dots are the default", "A\n.1\n.2\n", "", "1;1\n2;2\n", "1=1s 2=2s A=3s Total=3s", ""},
		{"one child", "A\n@B\n@@C\nD\n", at, "C;1\nD;2\nB;1\n", "C=1s D=2s B=1s A=1s Total=3s", ""},
		{"another case of the file's name", "A\n@1\n", at, "1;1\n", "1=1s A=1s Total=1s", ""},
		{"a code that the file lacks", "A\n@1\n", at, "Total;1\n7;1\n", "", "t.tab:2: column \"R\": 7: not a code of DIR/r.hrc, nor the total code Total, nor a missing code"},
		{"a code twice", "A\n@11\nB\n@11\n", at, "11;1\n", "", "DIR/r.hrc:4: column \"code\": 11: code listed twice, first on line 2"},
		{"a jump", "A\n@@1\n", at, "1;1\n", "", "DIR/r.hrc:2: 1: at depth 2 below a code at depth 0; want one lead string @ more at most"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			put(t, dir, "r.hrc", tc.hrc)
			name := "r.hrc"
			if strings.Contains(tc.name, "case") {
				name = "R.HRC"
			}
			m := must.Get(ReadMetadata(rda(name, tc.lead), Tabular, ""))(t)
			tab, err := ReadTableFrom(strings.NewReader(tc.tab), "t.tab", m, Options{})
			if err != nil {
				if got := strings.ReplaceAll(err.Error(), dir, "DIR"); got != tc.err {
					t.Errorf("got  %s\nwant %s", got, tc.err)
				}
				return
			}
			if got := cellsOf(tab); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	put(t, dir, "r.hrc", "A\n@1\n")
	for _, name := range []string{`\\server\share\r.hrc`, "//server/share/r.hrc", `Q:\share\R.hrc`} { // shares and drives that are not there: the file of that name beside
		m := must.Get(ReadMetadata(rda(name, at), Tabular, ""))(t)
		tab, err := ReadTableFrom(strings.NewReader("1;1\n"), "t.tab", m, Options{})
		if err != nil || cellsOf(tab) != "1=1s A=1s Total=1s" || !slices.Equal(m.Moved, []string{name + " is not there; " + filepath.Join(dir, "r.hrc") + " is read"}) {
			t.Errorf("%s: %v, %q", name, err, m.Moved)
		}
	}
	m, err := ReadMetadata(rda(`\\server\share\none.hrc`, at), Tabular, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = ReadTableFrom(strings.NewReader("1;1\n"), "t.tab", m, Options{}); err == nil || !strings.HasSuffix(err.Error(), "none.hrc: no such file or directory") {
		t.Error(err)
	}
	digits := metadata(t, "<SEPARATOR> ;\nR\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 2 2\nV\n<NUMERIC>\n", Tabular)
	_, err = ReadTableFrom(strings.NewReader("123;1\n"), "t.tab", digits, Options{})
	if want := `t.tab: column "R": 123: a code of 3 characters, but <HIERLEVELS> has levels of 2, 4`; err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestRecoding(t *testing.T) {
	r := must.Get(ReadRecodingFrom(strings.NewReader("// sizes\n<MISSING> 99\n<CODELIST> \"s.cdl\"\n1:1-5\n 2 : 6 , 7-9\n3:-0,10-\n\"x-y\":\"a,b\"\n"), filepath.Join("dir", "s.grc"), ""))(t)
	if r.Tree || r.Codelist != filepath.Join("dir", "s.cdl") || !slices.Equal(r.Missing, []string{"99"}) || len(r.Rules) != 4 {
		t.Errorf("%+v", r)
	}
	if _, err := r.Apply([]string{"a,b"}); err == nil || err.Error() != filepath.Join("dir", "s.grc")+":7: a,b: the code has a new one on line 6 already" {
		t.Error(err) // it stands behind 10 in the order of characters
	}
	to, err := r.Apply([]string{"0", "1", "5", "6", "8", "10", "11"})
	if d := cmp.Diff(map[string]string{"0": "3", "1": "1", "5": "1", "6": "2", "8": "2", "10": "3", "11": "3"}, to); d != "" || err != nil {
		t.Error(d, err)
	}
	if to, _ := r.Apply([]string{"Z"}); to["Z"] != "Z" && to["Z"] != "3" {
		t.Error(to)
	}
	for text, want := range map[string]string{
		"":                  "s.grc: no recoding; want lines like 1:1-5, or <TREERECODE> and codes",
		"1 2\n":             `s.grc:1: "1 2": want a new code, a colon and old codes, like 1:1-5,7`,
		":1\n":              "s.grc:1: :1: want a new code before the colon",
		"1:1-2-3\n":         "s.grc:1: 1:1-2-3: want codes like 7, 1-5, -3 or 8- with commas between them",
		"1:\n":              "s.grc:1: 1:: want a code, or at least one end of a range",
		"1:9-5\n":           "s.grc:1: 9-5: the range ends before it begins",
		"<X>\n":             "s.grc:1: <X>: want <MISSING>, <CODELIST> or <TREERECODE>",
		"<MISSING>\n":       "s.grc:1: <MISSING>: want one or two codes behind it",
		"1:2\n<TREERECODE>": "s.grc:2: <TREERECODE>: want it before everything else",
		"<CODELIST>\n1:2":   "s.grc:1: <CODELIST>: want a file behind it",
		"<TREERECODE>\n":    "s.grc: no recoding; want lines like 1:1-5, or <TREERECODE> and codes",
		"1:\"2\n":           `s.grc:1: "1:\"2": want codes like 7, 1-5, -3 or 8- with commas between them`,
	} {
		if _, err := ReadRecodingFrom(strings.NewReader(text), "s.grc", ""); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	two := must.Get(ReadRecodingFrom(strings.NewReader("1:1-5\n2:5-6\n"), "s.grc", ""))(t)
	if _, err := two.Apply([]string{"5"}); err == nil || err.Error() != "s.grc:2: 5: the code has a new one on line 1 already" {
		t.Error(err)
	}
}

func TestTreeRecoding(t *testing.T) {
	d := must.Get(table.NewDimension("I", "Total", []table.Edge{{Code: "A", Parent: "Total"}, {Code: "A1", Parent: "A"}, {Code: "A11", Parent: "A1"}, {Code: "A2", Parent: "A"}, {Code: "B", Parent: "Total"}}))(t)
	r := must.Get(ReadRecodingFrom(strings.NewReader("<TREERECODE>\nA1\n"), "t.grc", ""))(t)
	small, to, err := r.ApplyTree(&d, nil)
	if err != nil || strings.Join(small.Codes, " ") != "Total A A1 A2 B" || to["A11"] != "A1" || to["A2"] != "A2" {
		t.Error(small, to, err)
	}
	if r, err = ReadRecodingFrom(strings.NewReader("<TREERECODE>\nB\n"), "t.grc", ""); err != nil { // as the lists of piargus have leaves
		t.Fatal(err)
	}
	if small, to, err = r.ApplyTree(&d, nil); err != nil || !slices.Equal(small.Codes, d.Codes) || to["B"] != "B" {
		t.Error(small, to, err)
	}
	small, to, err = KeepLevels(&d, 1)
	if err != nil || strings.Join(small.Codes, " ") != "Total A B" || to["A11"] != "A" || fmt.Sprint(small.Parent) != "[-1 0 0]" {
		t.Error(small, to, err)
	}
	if _, _, err := KeepLevels(&d, 0); err == nil || err.Error() != "0 levels of I, want 1 or more" {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"<TREERECODE>\nC\n": "t.grc:2: C: not a code of I",
		"1:2\n":             "t.grc: no tree recoding, but the variable I has a hierarchy",
	} {
		r := must.Get(ReadRecodingFrom(strings.NewReader(text), "t.grc", ""))(t)
		if _, _, err := r.ApplyTree(&d, nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The samples: GK.GRC joins sizes, IndCode2.grc closes codes of a tree by digits.
func TestRecodeSamples(t *testing.T) {
	r := must.Get(ReadRecoding(sample(t, "recode", "GK.GRC"), ""))(t)
	to, err := r.Apply([]string{"2", "4", "5", "6", "7", "8", "9", "99"})
	if err != nil || to["2"] != "1" || to["5"] != "1" || to["6"] != "6" || to["99"] != "99" {
		t.Error(to, err)
	}
	if _, _, err := r.ApplyTree(&table.Dimension{Name: "Size"}, nil); err == nil {
		t.Error("a flat recoding was taken for one of a tree")
	}
	tree := must.Get(ReadRecoding(sample(t, "recode", "IndCode2.grc"), ""))(t)
	m := must.Get(ReadMetadata(sample(t, "simple2d", "Tau_TestW.rda"), Microdata, ""))(t)
	used := []string{"14210", "14220", "15001", "15121", "15122", "16000"}
	d := must.Get(m.Find("IndustryCode").dimension("x", used, make([]int, len(used))))(t)
	small, codes, err := tree.ApplyTree(&d, nil)
	if err != nil || codes["14220"] != "142" || codes["15121"] != "1512" || codes["16000"] != "16000" || slices.Contains(small.Codes, "1421") {
		t.Error(small.Codes, codes, err)
	}
	if _, err := tree.Apply(used); err == nil || !strings.HasSuffix(err.Error(), "IndCode2.grc: a tree recoding, for a variable with a hierarchy") {
		t.Error(err)
	}
	if _, err := ReadMetadata(sample(t, "recode", "vars1to5sampleG.rda"), Microdata, ""); err != nil {
		t.Error(err)
	}
}

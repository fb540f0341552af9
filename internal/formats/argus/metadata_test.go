package argus

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// sample returns the path of a file of the τ-ARGUS samples.
func sample(t *testing.T, path ...string) string {
	t.Helper()
	return shared.Path(t, append([]string{"data", "tauargus"}, path...)...)
}

func metadata(t *testing.T, text string, kind Kind) *Metadata {
	t.Helper()
	return must.Get(ReadMetadataFrom(strings.NewReader(text), "dir/t.rda", kind, ""))(t)
}

const microRDA = `// comment
Year 1 2 99
  <RECODEABLE>
  <TOTCODE> "All"
Ind 4 5 99999
	<recodable>
  <HIERARCHICAL>
  <HIERLEVELS> 3 1 1
  <DISTANCE> 1 3 5 7 9

"Reg ion" 12 2 99 "98"
  <RECODEABLE>
  <CODELIST> "reg.cdl"
  <HIERARCHICAL>
  <HIERCODELIST> "sub\reg.hrc"
  <HIERLEADSTRING> "@"
W 15 4
  <DECIMALS> 1
  <WEIGHT>
Turn 19 9 999999999
  <NUMERIC> <DECIMALS> 2
Req 28 1
  <REQUEST> "1" "2"
Grp 30 6
  <HOLDING>
Key 40 8
  <RECORDKEY>
  <PFILE> "p.csv"
`

func TestMetadataMicrodata(t *testing.T) {
	m := metadata(t, strings.ReplaceAll(microRDA, "\n", "\r\r\n"), Microdata)
	want := []Variable{
		{Name: "Year", Line: 2, Start: 1, Length: 2, Missing: []string{"99"}, Recodeable: true, TotCode: "All", Lead: "."},
		{Name: "Ind", Line: 5, Start: 4, Length: 5, Missing: []string{"99999"}, Recodeable: true, TotCode: "Total", Hierarchical: true,
			HierLevels: []int{3, 1, 1}, Distance: []int{1, 3, 5, 7, 9}, Lead: "."},
		{Name: "Reg ion", Line: 11, Start: 12, Length: 2, Missing: []string{"99", "98"}, Recodeable: true, TotCode: "Total",
			Codelist: filepath.Join("dir", "reg.cdl"), Hierarchical: true, HierCodelist: filepath.Join("dir", "sub", "reg.hrc"), Lead: "@"},
		{Name: "W", Line: 17, Start: 15, Length: 4, TotCode: "Total", Lead: ".", Decimals: 1, Weight: true},
		{Name: "Turn", Line: 20, Start: 19, Length: 9, Missing: []string{"999999999"}, TotCode: "Total", Lead: ".", Numeric: true, Decimals: 2},
		{Name: "Req", Line: 22, Start: 28, Length: 1, TotCode: "Total", Lead: ".", Request: []string{"1", "2"}},
		{Name: "Grp", Line: 24, Start: 30, Length: 6, TotCode: "Total", Lead: ".", Holding: true},
		{Name: "Key", Line: 26, Start: 40, Length: 8, TotCode: "Total", Lead: ".", CellKey: map[string][]string{"RECORDKEY": nil, "PFILE": {"p.csv"}}},
	}
	if !reflect.DeepEqual(m.Variables, want) {
		t.Errorf("got  %+v\nwant %+v", m.Variables, want)
	}
	if m.Separator != "" || m.Find("REQ") == nil || m.Find("none") != nil {
		t.Error(m)
	}
}

func TestMetadataFree(t *testing.T) {
	m := metadata(t, "\ufeff<SEPARATOR> \"\t\"\nregion 3 \"99\"\n<RECODEABLE>\n<TOTCODE>\"T o\"\n", Microdata)
	if v := m.Variables[0]; m.Separator != "\t" || v.Start != 0 || v.Length != 3 || v.Missing[0] != "99" || v.TotCode != "T o" {
		t.Errorf("%+v", m)
	}
}

func TestMetadataTable(t *testing.T) {
	m := metadata(t, "<SEPARATOR> \";\"\n<SAFE> s\n<UNSAFE> n\n<PROTECT> \"z\"\nSize \"99\"\n<RECODEABLE>\nTurn\n<NUMERIC>\nN\n<FREQUENCY>\n"+
		"Sh\n<NUMERIC> <SHADOW>\nC\n<NUMERIC> <COST>\nM1\n<MAXSCORE>\nM2\n<MAXSCORE>\nSt\n<STATUS>\nLo\n<NUMERIC> <LOWERPL>\nUp\n<NUMERIC> <UPPERPL>\n", Tabular)
	role := ""
	for _, v := range m.Variables {
		for _, r := range []struct {
			has  bool
			name string
		}{{v.Recodeable, "R"}, {v.Numeric, "n"}, {v.Frequency, "F"}, {v.Shadow, "H"}, {v.Cost, "C"}, {v.MaxScore, "M"}, {v.Status, "S"}, {v.LowerPL, "L"}, {v.UpperPL, "U"}} {
			if r.has {
				role += r.name
			}
		}
		role += " "
	}
	if role != "R n F nH nC M M S nL nU " || m.Unsafe != "n" || m.Protect != "z" || m.Variables[0].Missing[0] != "99" {
		t.Errorf("%s %+v", role, m)
	}
}

func TestMetadataErrors(t *testing.T) {
	for _, tc := range []struct {
		text string
		kind Kind
		want string
	}{
		{"", Tabular, `t.rda: no variables`},
		{"// nothing\n", Tabular, `t.rda: no variables`},
		{"A 1 2\n<NUMERC>\n", Microdata, `t.rda:2: <NUMERC>: unknown keyword (did you mean <NUMERIC>?)`},
		{"A 1 2\n<X>\n", Microdata, `t.rda:2: <X>: unknown keyword`},
		{"<NUMERIC>\n", Microdata, `t.rda:1: <NUMERIC>: want the variable that this describes on a line before it`},
		{"A 1 2\n<SEPARATOR> ;\n", Microdata, `t.rda:2: <SEPARATOR>: want it before the first variable`},
		{"<SEPARATOR> \";;\"\nA 1\n", Microdata, `t.rda:1: ;;: <SEPARATOR>: want one ASCII character, and not a quote`},
		{"<SEPARATOR>\nA 1\n", Microdata, `t.rda:1: <SEPARATOR>: want a value behind it`},
		{"A 1\n", Microdata, `t.rda:1: A: want start and length behind the name`},
		{"A x 2\n", Microdata, `t.rda:1: x: want start and length as a whole number from 1`},
		{"A 0 2\n", Microdata, `t.rda:1: 0: want start and length as a whole number from 1`},
		{"<SEPARATOR> ,\nA\n", Microdata, `t.rda:2: A: want the length behind the name`},
		{"A 1 2 3 4 5\n", Microdata, `t.rda:1: 3, 4, 5: want at most two missing codes`},
		{"A 1 2\nB 3 1\na 1 2\n", Microdata, `t.rda:3: a: variable given twice, first on line 1`},
		{"A 1 2\n<NUMERIC> 2\n", Microdata, `t.rda:2: 2: <NUMERIC> takes no value`},
		{"A 1 2\n<NUMERIC>\n<NUMERIC>\n", Microdata, `t.rda:3: <NUMERIC>: given twice, first on line 2`},
		{"A 1 2\n<DECIMALS> 2 3\n", Microdata, `t.rda:2: 2, 3: <DECIMALS> takes one value`},
		{"A 1 2\n<DECIMALS> -1\n", Microdata, `t.rda:2: -1: <DECIMALS>: want whole numbers from 0 to 15`},
		{"A 1 2\n<TOTCODE> \"All\n", Microdata, `t.rda:2: "\"All": the quote is not closed on its line`},
		{"A 1 5\n<HIERARCHICAL>\n", Microdata, `t.rda:1: A: <HIERARCHICAL> without <HIERLEVELS> or <HIERCODELIST>`},
		{"A 1 5\n<HIERARCHICAL>\n<HIERLEVELS> 3 1\n", Microdata, `t.rda:1: A: <HIERLEVELS> add up to 4 digits, but the code has 5`},
		{"A 1 5\n<HIERLEVELS> 3 2\n", Microdata, `t.rda:1: A: a hierarchy but no <HIERARCHICAL>`},
		{"A 1 5\n<HIERARCHICAL>\n<HIERLEVELS> 3 2\n<HIERCODELIST> x\n", Microdata, `t.rda:1: A: both <HIERLEVELS> and <HIERCODELIST>; want one of them`},
		{"A\n<STATUS>\nB\n<STATUS>\n", Tabular, `t.rda:3: B: a second variable with <STATUS>, after A`},
		{"<SAFE> U\nA\n", Tabular, `t.rda: U: one symbol for two statuses`},
		{"A\n\xff\xfe\x00\n", Tabular, `t.rda:2:3: NUL byte: want text; a binary file, or UTF-16 without its byte order mark?`},
	} {
		_, err := ReadMetadataFrom(strings.NewReader(tc.text), "t.rda", tc.kind, "")
		if err == nil || err.Error() != tc.want {
			t.Errorf("%q:\n got %v\nwant %s", tc.text, err, tc.want)
		}
	}
}

func TestMetadataSamples(t *testing.T) {
	for _, tc := range []struct {
		path  []string
		kind  Kind
		names string
	}{
		{[]string{"simple2d", "Tau_TestW.rda"}, Microdata, "Year IndustryCode Size Region Wgt Var1 Var2 Var3 Var4 Var5 Var6 Var7 Var8 Request"},
		{[]string{"recode", "vars1to5sampleG.rda"}, Microdata, "NACE Size Region Var1 Var2 Var3 Var4 Var5"},
		{[]string{"checkargus_ex2", "metadata_ex2.rda"}, Microdata, "region gender weight val num1 num2"},
		{[]string{"checkargus_ex1", "metadata_ex1.rda"}, Tabular, "region gender freq sdcStatus lpl upl"},
		{[]string{"tableinput_pp", "pp.rda"}, Tabular, "Size Region Var2 FreqVar Var2_Shadow Var2_Cost Top1 Top2 StatusVar LowerProtLevel UpperProtLevel"},
	} {
		m, err := ReadMetadata(sample(t, tc.path...), tc.kind, "")
		if err != nil {
			t.Error(err)
			continue
		}
		if got := strings.Join(m.Names(nil), " "); got != tc.names {
			t.Errorf("%v: %s", tc.path, got)
		}
		for _, v := range m.Variables {
			for _, f := range []string{v.HierCodelist, v.Codelist} {
				if _, err := os.Stat(f); f != "" && err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Other encodings of a name are found out.
func TestMetadataEncodings(t *testing.T) {
	for _, tc := range []struct{ text, encoding, want string }{
		{"Größe\n<RECODEABLE>\n", "", "Größe"},
		{"Gr\xf6\xdfe\n<RECODEABLE>\n", "cp1252", "Größe"},
		{"R\xe9gion\n<RECODEABLE>\n", "", "Région"},
		{"\x8eY\x8b\xc6\n<RECODEABLE>\n", "", "産業"},
		{"\x8eY\x8b\xc6\n<RECODEABLE>\n", "cp932", "産業"},
	} {
		m, err := ReadMetadataFrom(strings.NewReader(tc.text), "t.rda", Tabular, tc.encoding)
		if err != nil || m.Variables[0].Name != tc.want {
			t.Errorf("%q: %v %+v", tc.text, err, m)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add(microRDA, uint8(0))
	f.Add("<SEPARATOR> \";\"\nSize \"99\"\n<RECODEABLE>\nTurn\n<NUMERIC> <SHADOW>\n", uint8(1))
	f.Add("<A\"B>\nx<>\n<>\n", uint8(0))
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		var m *Metadata
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { m, err = ReadMetadataFrom(strings.NewReader(text), "t.rda", Kind(kind&1), "") })
		if (err == nil) == (m == nil) {
			t.Fatal(m, err)
		}
		if m != nil && len(m.Variables) == 0 {
			t.Fatal("no variables")
		}
	})
}

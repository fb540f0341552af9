package arb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// keyed is microdata with record keys, and perturbation tables whose noise is seen at once: −1 below a cell key of 0.5, else 1.
var keyed = map[string]string{
	"k.csv": "A;x;10;0.30000000\nA;x;20;0.30000000\nA;y;5;0.70000000\nB;x;0;0.20000000\nB;y;40;0.05000000\nB;y;9;0.60000000\n",
	"k.rda": `<SEPARATOR> ";"
Ind 1
<RECODEABLE>
Reg 1
<RECODEABLE>
Turn 9
<NUMERIC>
<CKM> T(2)
<INCLUDEZEROS> N
<SEPARATION> N
<PARITY> N
<SCALING> N(0.1, 0.5)
Key 10
<RECORDKEY>
<DECIMALS> 8
<PFILE> "p.txt"
<PFILE_CONT> "pc.txt"
`,
	"p.txt":  "i;j;p;v;p_int_ub\n0;0;1;0;1\n1;0;0.5;-1;0.5\n1;2;0.5;1;1\n",
	"pc.txt": "i;j;p;v;p_int_ub;type\n0;0;1;0;1;all\n1;0;0.5;-1;0.5;all\n1;2;0.5;1;1;all\n",
	"q.txt":  "i;j;p;v;p_int_ub\n0;0;1;0;1\n1;1;1;0;1\n",
}

const openKeyed = `<OPENMICRODATA> "k.csv"
<OPENMETADATA> "k.rda"
<SPECIFYTABLE> "Ind""Reg"|"<freq>"||
<SAFETYRULE>
<SPECIFYTABLE> "Ind"|"Turn"||
<SAFETYRULE>
<READMICRODATA>
`

// keyedBatch runs a batch on them, of which some may be replaced.
func keyedBatch(t *testing.T, text string, other map[string]string) (dir, log string, err error) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	must.Do(t, os.Mkdir(dir, 0o777))
	for _, files := range []map[string]string{keyed, other, {"run.arb": text}} {
		for name, content := range files {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
		}
	}
	var words strings.Builder
	err = Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{Words: &words})
	return dir, words.String(), err
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
	return string(b)
}

// TestCellKey perturbs counts: noise by the sum of keys, of type 7 with all that it shows, of type 2 with a 0 like an empty cell.
func TestCellKey(t *testing.T) {
	t.Parallel()
	dir, log := must.Two(keyedBatch(t, openKeyed+`<SUPPRESS> CKM(1)
<WRITETABLE> (1,7,AO+AD+AC+QU-,"all.csv")
<WRITETABLE> (1,7,SE+,"open.csv")
<WRITETABLE> (1,2,,"pivot.csv")
<SUPPRESS> CKM(1) "q.txt" // another table
<WRITETABLE> (1,7,QU-,"same.csv")
`, nil))(t)
	for name, want := range map[string]string{
		"all.csv": "Total;Total;5;6;-1;0.15000000\nTotal;x;4;3;1;0.80000000\nTotal;y;2;3;-1;0.35000000\n" +
			"A;Total;2;3;-1;0.30000000\nA;x;3;2;1;0.60000000\nA;y;2;1;1;0.70000000\n" +
			"B;Total;4;3;1;0.85000000\nB;x;0;1;-1;0.20000000\nB;y;3;2;1;0.65000000\n",
		"open.csv":  "\"Total\";\"Total\";5\n\"Total\";\"x\";4\n\"Total\";\"y\";2\n\"A\";\"Total\";2\n\"A\";\"x\";3\n\"A\";\"y\";2\n\"B\";\"Total\";4\n\"B\";\"y\";3\n",
		"pivot.csv": "\"Ind\",\"Reg\",\"Freq\"\n\"Total\",\"Total\",5\n\"Total\",\"x\",4\n\"Total\",\"y\",2\n\"A\",\"Total\",2\n\"A\",\"x\",3\n\"A\",\"y\",2\n\"B\",\"Total\",4\n\"B\",\"x\",-\n\"B\",\"y\",3\n",
		"same.csv":  "Total;Total;6\nTotal;x;3\nTotal;y;3\nA;Total;3\nA;x;2\nA;y;1\nB;Total;3\nB;x;1\nB;y;2\n",
		"all.rda":   "   <SEPARATOR> \";\"\nInd\n    <RECODEABLE>\n    <TOTCODE> Total\nReg\n    <RECODEABLE>\n    <TOTCODE> Total\nFreq\n    <NUMERIC>\nOrigVar\n    <NUMERIC>\nDifference\n    <NUMERIC>\nCellKey\n    <CELLKEY>\n",
	} {
		if got := strings.ReplaceAll(read(t, dir, name), "\r\n", "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if !strings.Contains(log, "Method CKM: noise by cell keys; 9 of 9 cells are published as another value") || !strings.Contains(log, "q.txt") {
		t.Error(log)
	}
}

// TestCellKeyAmounts: N(0.1, 0.5) takes 10 % of the largest and 5 % of the second contribution, the key turned once and twice. A has
// 20, 10 and 5, key 0.3 → 0.00000003: −2 and then 0.00000030: −0.5. B has 40, 9 and 0, which does not count in the key
// 0.65 → 0.50000006: 4, then 0.00000065: −0.45.
func TestCellKeyAmounts(t *testing.T) {
	t.Parallel()
	rda := strings.Replace(keyed["k.rda"], "<NUMERIC>\n<CKM>", "<NUMERIC>\n<DECIMALS> 2\n<CKM>", 1)
	dir, _, err := keyedBatch(t, openKeyed+`<SUPPRESS> CKM(2)
<WRITETABLE> (2,7,AO+AC+QU-,"a.csv")
`, map[string]string{"k.rda": rda})
	if err != nil {
		t.Fatal(err)
	}
	want := "A;32.50;35.00;0.30000000\nB;52.55;49.00;0.65000000\n"
	if got := strings.ReplaceAll(read(t, dir, "a.csv"), "\r\n", "\n"); !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "Total;") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	rda = strings.NewReplacer("<CKM> T(2)", "<CKM> V", "<INCLUDEZEROS> N", "<INCLUDEZEROS> Y", "<SCALING> N(0.1, 0.5)", "<SCALING> N(0.1)").Replace(rda)
	if dir, _, err = keyedBatch(t, openKeyed+`<SUPPRESS> CKM(2)
<WRITETABLE> (2,7,AC+QU-,"v.csv")
`, map[string]string{"k.rda": rda}); err != nil {
		t.Fatal(err)
	}
	want = "A;31.50;0.30000000\nB;53.90;0.85000000\n" // 0.00000003, 0.50000008
	if got := strings.ReplaceAll(read(t, dir, "v.csv"), "\r\n", "\n"); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestCellKeySpread: N(0.1) takes 10 % of the largest less the smallest contribution. A has 20 and 5, key 0.3 → 0.00000003: −1.5; B has 40 and 0, key
// 0.65 → 0.50000006: 4.
func TestCellKeySpread(t *testing.T) {
	t.Parallel()
	rda := strings.NewReplacer("<NUMERIC>\n<CKM> T(2)", "<NUMERIC>\n<DECIMALS> 2\n<CKM> D", "<SCALING> N(0.1, 0.5)", "<SCALING> N(0.1)").Replace(keyed["k.rda"])
	dir, _ := must.Two(keyedBatch(t, openKeyed+`<SUPPRESS> CKM(2)
<WRITETABLE> (2,7,AO+AC+QU-,"d.csv")
`, map[string]string{"k.rda": rda}))(t)
	want := "A;33.50;35.00;0.30000000\nB;53.00;49.00;0.65000000\n"
	if got := strings.ReplaceAll(read(t, dir, "d.csv"), "\r\n", "\n"); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestCellKeyFails: what CKM lacks is said.
func TestCellKeyFails(t *testing.T) {
	t.Parallel()
	without := func(s, by string) map[string]string {
		return map[string]string{"k.rda": strings.Replace(keyed["k.rda"], s, by, 1)}
	}
	for _, tc := range []struct {
		command string
		other   map[string]string
		want    string
	}{
		{"<SUPPRESS> CKM(1) \"none.txt\"", nil, "none.txt: no such file"},
		{"<SUPPRESS> CKM(1)", without("<PFILE> \"p.txt\"\n", ""), "no perturbation table: want it behind CKM(…), or <PFILE> of Key"},
		{"<SUPPRESS> CKM(1)", without("<RECORDKEY>", "<NUMERIC>"), "has no variable with <RECORDKEY>"},
		{"<SUPPRESS> CKM(1)", without("Turn 9\n<NUMERIC>\n<CKM> T(2)\n<INCLUDEZEROS> N\n<SEPARATION> N\n<PARITY> N\n<SCALING> N(0.1, 0.5)", "Turn 9\n<HOLDING>"), "CKM is not possible with holdings"},
		{"<SUPPRESS> CKM(1) \"pc.txt\"", nil, "is one of magnitudes"},
		{"<SUPPRESS> CKM(3)", nil, "table \"3\""},
		{"<SUPPRESS> CKM(1", nil, "want CKM(table)"},
		{"<SUPPRESS> CKM(2)||x", nil, "μ \"x\": want a number"},
		{"<SUPPRESS> CKM(2)", without("<CKM> T(2)", "<CKM> N"), "want T(k), M, D or V"},
		{"<SUPPRESS> CKM(2)", without("N(0.1, 0.5)", "N(0.1)"), "and behind the last an ε"},
		{"<SUPPRESS> CKM(2)", without("<PARITY> N", "<PARITY> Y"), "no types even and odd"},
		{"<SUPPRESS> CKM(2)", without("<SEPARATION> N", "<SEPARATION> Y"), "<PFILE_SEP> of Key"},
		{"<SUPPRESS> CKM(1)\n<WRITETABLE> (1,4,,\"x.csv\")", nil, "output type 4 is not for tables with the noise of CKM"},
		{"<SUPPRESS> CKM(1)\n<WRITETABLE> (2,7,,\"x.csv\")", nil, "output type 7 is for tables with the noise of CKM"},
	} {
		text := openKeyed
		if tc.other != nil && strings.Contains(tc.other["k.rda"], "<HOLDING>") {
			text = strings.Replace(text, "<SPECIFYTABLE> \"Ind\"|\"Turn\"||\n<SAFETYRULE>\n", "", 1)
		}
		_, _, err := keyedBatch(t, text+tc.command+"\n", tc.other)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.command, err, tc.want)
		}
	}
}

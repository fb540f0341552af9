package arb

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Four records in fixed columns, as programs write them that make the files of a
// batch from a data frame: numbers right-justified, one blank between columns.
const frame = "Os 1 10 2 a\nOs 2 20 1 a\nWs 1 30 1 b\nWs 2 40 3 c\n"

const frameMetadata = `Region 1 2
  <RECODEABLE>
  <TOTCODE> "Total"
Size 4 1
  <RECODEABLE>
  <TOTCODE> "Total"
Var2 6 2
  <NUMERIC>
  <DECIMALS> 0
Weight 9 1
  <WEIGHT>
  <DECIMALS> 0
Company 11 1
  <HOLDING>
`

// What the headless rebuilds of τ-ARGUS accept is accepted: the batches that pytauargus writes from a
// data frame, one after another with its rules, methods and tables.
func TestFrames(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"", "P(25)", "P(25,100,1)", "P(25,1)|Wgt(1)", "NK(2,75)|NK(0,0)", "FREQ(3,10)", "P(25,100,1)|NK(2,75)|FREQ(1,30)", "WGT(1)|FREQ(3,10)", "ZERO(10)|MAN(20)"} {
		for _, method := range []string{"OPT(1)", "OPT(1,9)", "OPT(1,0)", "MOD(1)", "MOD(1,0)", "MOD(1,5,1,1,1)", "GH(1,75,1,1)", "NET(1)"} {
			dir := t.TempDir()
			batch := "// Batch\n<OPENMICRODATA> \"micro.asc\"\n<OPENMETADATA> \"micro.rda\"\n<SPECIFYTABLE> \"Region\"\"Size\"|\"Var2\"||\n<SAFETYRULE> " + rule +
				"\n<READMICRODATA>\n<SUPPRESS> " + method + "\n<WRITETABLE> (1,5,SO+,\"tab1.tab\")\n\n"
			for name, text := range map[string]string{"micro.asc": frame, "micro.rda": frameMetadata, "batch.arb": batch} {
				must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			if err := Run(t.Context(), filepath.Join(dir, "batch.arb"), &Options{}); err != nil {
				t.Errorf("%s, %s: %v", rule, method, err)
				continue
			}
			simple(t, filepath.Join(dir, "tab1.tab"), 9)
		}
	}
}

// simple reads a simple intermediate table as pytauargus does: codes, value, frequency, cost, status and
// two ends of a protection interval.
func simple(t *testing.T, path string, rows int) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(lines) != rows {
		t.Errorf("%d rows, want %d", len(lines), rows)
	}
	for _, line := range lines {
		f := strings.Split(line, ";")
		if len(f) != 8 || !strings.Contains("SUPME", f[5]) {
			t.Errorf("row %q", line)
			continue
		}
		for _, i := range []int{2, 3, 4, 6, 7} {
			if _, err := strconv.ParseFloat(f[i], 64); err != nil {
				t.Errorf("row %q: field %d: %v", line, i+1, err)
			}
		}
	}
}

// Commands of batches that such a program reads, in their forms.
func TestFrameCommands(t *testing.T) {
	t.Parallel()
	const open = "<OPENMICRODATA> \"micro.asc\"\n<OPENMETADATA> \"micro.rda\"\n"
	const read = open + "<SPECIFYTABLE> \"Region\"\"Size\"|\"Var2\"||\n<SAFETYRULE> FREQ(2,10)\n<READMICRODATA>\n"
	const cells = "Total;Total;100;4\nTotal;1;40;2\nTotal;2;60;2\nOs;Total;30;2\nOs;1;10;1\nOs;2;20;1\nWs;Total;70;2\nWs;1;30;1\nWs;2;40;1\n"
	const table = "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"Region\"\"Size\"|\"Var2\"\n<SAFETYRULE> FREQ(2,10)\n"
	for name, batch := range map[string]string{
		"solvers":    read + "<SOLVER> HIGHS\n<SOLVER> GUROBI,\"lic.txt\"\n<SOLVER> CPLEX,\"lic.txt\"\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,3,AS-,\"o\")\n",
		"old names":  read + "<ANCO>\n<COMMENT> said\n<JJ>\n<APRIORY> \"a.hst\",1,\",\",0,0\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,1,,\"o\")\n",
		"a-priori":   read + "<APRIORI> \"a.hst\",1,\",\",1,1\n<SUPPRESS> MOD(1)\n<WRITETABLE> (1,2,AS+,\"o\")\n",
		"a comment":  "\\\\ of its own\n// and ours\n" + read + "<SUPPRESS> OPT(1)\n<WRITETABLE> (1, 5, ,\"o\")\n",
		"interval":   read + "<SUPPRESS> OPT(1)\n<WRITETABLE> (1,5,AR+,\"o\")\n",
		"counts":     open + "<SPECIFYTABLE> \"Region\"|\"<freq>\"||\n<SAFETYRULE> FREQ(3,10)\n<READMICRODATA>\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,5,SO+,\"o\")\n",
		"two tables": open + "<SPECIFYTABLE> \"Region\"|\"Var2\"||\n<SAFETYRULE> P(25)\n<SPECIFYTABLE> \"Size\"|\"Var2\"||\n<SAFETYRULE> P(25)\n<READMICRODATA>\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,5,SO+,\"o\")\n<SUPPRESS> OPT(2)\n<WRITETABLE> (2,5,SO+,\"p\")\n",
		"again":      read + "<SUPPRESS> OPT(1)\n<CLEAR>\n" + read + "<SUPPRESS> OPT(1)\n<WRITETABLE> (1,4,AS+,\"o\")\n",
		"recomputed": table + "<READTABLE> 1F\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,4,AS+,\"o\")\n",
		"a cover":    strings.Replace(table, "t.tab", "not.tab", 1) + "<COVER>\n<READTABLE>\n<WRITETABLE> (1,4,AS+,\"o\")\n",
		"unsuited":   read + "<GOINTERACTIVE>\n",
		"expanding":  read + "<APRIORI> \"a.hst\",1,\",\",1,2\n<SUPPRESS> OPT(1)\n<WRITETABLE> (1,2,AS+SE+,\"o\")\n",
		"linked": open + "// <TABLE_ID> \"REGION\"\n<SPECIFYTABLE> \"Region\"|\"Var2\"||\n<SAFETYRULE> NK(1,85)|Wgt(1)\n<SPECIFYTABLE> \"Size\"|\"Var2\"||\n<SAFETYRULE> FREQ(3,10)|Wgt(1)\n<READMICRODATA>\n" +
			"<SUPPRESS> GH(0,100)\n<WRITETABLE> (1,2,,\"o\")\n<WRITETABLE> (2,4,,\"p\")\n",
		"audited":     read + "<RECODE> 1, Size, \"s.grc\"\n<SUPPRESS> MOD(1)\n<WRITETABLE> (1, 5, AR+,\"o\")\n<GOINTERACTIVE>\n",
		"kept":        table + "<READTABLE> 1T\n<GOINTERACTIVE>\n",
		"nothing bad": table + "<READTABLE> 1T\n<APRIORI> \"safe.hst\",1,\",\"\n<SUPPRESS> MOD(1)\n<WRITETABLE> (1,5,AR+,\"o\")\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{
				"micro.asc": frame, "micro.rda": frameMetadata, "batch.arb": batch, "a.hst": "Os,1,s\nWs,2,c,5\n",
				"s.grc": "3:1,2\n", "safe.hst": "Os,1,s\nOs,2,s\nWs,1,s\nWs,2,s\n",
				"t.tab": cells, "not.tab": strings.Replace(cells, ";100;", ";200;", 1),
				"t.rda": "<SEPARATOR> \";\"\nRegion\n<RECODEABLE>\nSize\n<RECODEABLE>\nVar2\n<NUMERIC>\nn\n<FREQUENCY>\n",
			} {
				must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
			}
			if err := Run(t.Context(), filepath.Join(dir, "batch.arb"), &Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// A spanning variable that is numeric, too, as piargus writes one whose codes are digits, has no
// code for SAS's missing numbers.
func TestNumericCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.csv": "11,5\n12,.\n12,7\n", "m.rda": "<SEPARATOR> ,\nC 2\n<NUMERIC>\n<RECODABLE>\nV 5\n<NUMERIC>\n<RECODABLE>\n",
		"b.arb": "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"C\"|\"V\"||\n<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n<WRITETABLE> (1,3,,\"o\")\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	must.Do(t, Run(t.Context(), filepath.Join(dir, "b.arb"), &Options{}))
	out, err := os.ReadFile(filepath.Join(dir, "o"))
	if want := "\"Total\",12\n\"11\",5\n\"12\",7\n"; err != nil || strings.ReplaceAll(string(out), "\r", "") != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}

// Commands that τ-ARGUS reads, of its batch.java; none is unknown here.
func TestCommandsKnown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"COMMENT", "ANCO", "JJ", "OPENMICRODATA", "OPENTABLEDATA", "OPENMETADATA", "SPECIFYTABLE", "CLEAR", "SAFETYRULE", "READMICRODATA", "READTABLE", "APRIORY", "APRIORI", "COVER",
		"SUPPRESS", "WRITETABLE", "RECODE", "SOLVER", "GOINTERACTIVE", "LOGBOOK", "VERSIONINFO", "SILENT"} {
		b := &batch{opt: &Options{}, file: filepath.Join(t.TempDir(), "b.arb")}
		if _, err := b.do(t.Context(), command{name: name}); err != nil && strings.Contains(err.Error(), "not known") {
			t.Errorf("%s: %v", name, err)
		}
		doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "arb.md"))
		if err != nil || !strings.Contains(string(doc), "`"+name) {
			t.Errorf("%s is not in docs/arb.md (%v)", name, err)
		}
	}
}

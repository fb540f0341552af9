package arb

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	_ "github.com/hitoku/hitoku/lp/simplex"
)

// copied returns a writable copy of a folder of the data beside the project, or skips.
func copied(t *testing.T, name string) string {
	t.Helper()
	from := shared.Path(t, "data", "tauargus", name)
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}

// The batches of checkTauArgus give the published statuses, row by row.
func TestCheckArgus(t *testing.T) {
	for _, n := range []string{"1", "2"} {
		dir := copied(t, "checkargus_ex"+n)
		var words strings.Builder
		must.Do(t, Run(t.Context(), filepath.Join(dir, "batch_ex"+n+".arb"), &Options{Words: &words}))
		var want struct {
			Status []string `json:"row_status"`
		}
		data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.ReadFile(filepath.Join(dir, "tabout_ex"+n+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
			line = strings.TrimSpace(line)
			switch code := line[strings.LastIndexByte(line, ',')+1:]; code {
			case "1", "2":
				got = append(got, "s")
			case "11":
				got = append(got, "x")
			default:
				got = append(got, "u")
			}
		}
		if !slices.Equal(got, want.Status) {
			t.Errorf("example %s: statuses %v, want %v", n, got, want.Status)
		}
		log, err := os.ReadFile(filepath.Join(dir, "arguslog_ex"+n+".log"))
		if err != nil || !strings.Contains(string(log), " : Number of suppressions: 3\n") || !strings.Contains(string(log), " : Audit: protected\n") {
			t.Errorf("log %q, %v", log, err)
		}
		if !strings.Contains(words.String(), "Tables have been read\n") {
			t.Errorf("words %q", words.String())
		}
	}
}

const firms = `A;x;10
A;x;12
A;y;30
A;y;1
B;x;8
B;x;9
B;x;7
B;y;11
B;y;14
B;y;3
C;x;2
C;x;4
C;y;40
C;y;41
`

// far has one record of C/x; A and B have the small values.
const far = `A;x;2
A;x;2
A;y;2
A;y;2
B;x;90
B;x;1
B;y;90
B;y;1
C;x;7
C;y;99
C;y;90
D;x;90
D;x;90
D;y;99
D;y;90
`

const metadata = `<SEPARATOR> ";"
Ind 1
  <RECODEABLE>
Reg 1
  <RECODEABLE>
Turn 3
  <NUMERIC>
`

// batchOf writes a batch with its data and runs it.
func batchOf(t *testing.T, text string, opt *Options) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range map[string]string{"firms.csv": firms, "firms.rda": metadata, "run.arb": text, "a.hst": "B;y;P\n", "b.hst": "B;P\n",
		"far.csv": far, "far.rda": strings.NewReplacer("Ind 1\n", "Ind 1\n<DISTANCE> 5 9\n", "Reg 1\n", "Reg 1\n<DISTANCE> 5 9\n").Replace(metadata), "i.grc": "AB:A,B\n", "t.tab": "A;1\nB;2\n", "t.rda": "<SEPARATOR> \";\"\nInd\n<RECODEABLE>\nTurn\n<NUMERIC>\n"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	return dir, Run(t.Context(), filepath.Join(dir, "run.arb"), opt)
}

func TestCommands(t *testing.T) {
	log := filepath.Join(t.TempDir(), "run.log")
	dir := must.Get(batchOf(t, `// two tables
<LOGBOOK>        "book.log"
<OPENMICRODATA>  "firms.csv"
<OPENMETADATA>   "firms.rda"
<SPECIFYTABLE>   "Ind""Reg"|"Turn"|"Turn"|"Turn",1
<SAFETYRULE>     P(10,1)|MAN(20)|
<SPECIFYTABLE>   "Ind"|"<freq>"||
<SAFETYRULE>     FREQ(3,10)
<READMICRODATA>
<APRIORI>        "a.hst",1,";",1,0
<SOLVER>         CPLEX,"access.ilm"
<SUPPRESS>       MOD(1,5,1,1,1)
<SUPPRESS>       GH(2,100,0,1)
<WRITETABLE>     (1,3,AS+QU+,"out1.txt")
<WRITETABLE>     (2,2,,"out2.txt")
<VERSIONINFO>    "version.txt"
<GOINTERACTIVE>
`, &Options{Log: log, Version: "v9"}))(t)
	for name, want := range map[string]string{
		"out1.txt":    "\"B\",\"y\",28,10\n",
		"version.txt": "hitoku version: 9; build: 0\n",
		"book.log":    "Method GH: a good pattern in seconds, in place of the hypercube; protection",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(strings.ReplaceAll(string(got), "\r", ""), want) {
			t.Errorf("%s: %q %v, want %q in it", name, got, err, want)
		}
	}
	if got, err := os.ReadFile(log); err != nil || !strings.Contains(string(got), "Start of batch procedure; file: ") {
		t.Errorf("%q %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "out2.txt")); err != nil {
		t.Error(err)
	}
}

// The singleton options of MOD: where one is on, or they are missing, a third cell is withheld in the
// row of two cells of few contributors. So it is with the fourth argument of GH.
func TestSingletons(t *testing.T) {
	for _, tc := range []struct {
		method, log string
		secondary   int
	}{
		{"MOD(1,1,0,0,0)", "Number of suppressions: 2\n", 2},
		{"MOD(1,1,1,0,0)", "Singletons: 0 rows", 4}, // by all relations, where some test is on
		{"MOD(1,1,0,1,0)", "Singletons: 1 rows", 4},
		{"MOD(1,1)", "Singletons: 1 rows", 4},
		{"OPT(1,1)", "Singletons: 1 rows", 4},
		{"MOD(0,1,0,1,0)", "Singletons: 1 rows", 4},
		{"GH(1,100,0,0)", "Method GH", 2},
		{"GH(1,100,0,1)", "Only contributors of withheld cells compute 0 unsafe cells of others exactly, and 0 more", 4},
		{"GH(1,100)", "Only contributors of withheld cells compute 0", 4},
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{
			"t.csv": "A;P;5;1;u;1;1\nA;Q;30;9;s;0;0\nA;R;7;2;u;1;1\nB;P;20;8;s;0;0\nB;Q;31;9;s;0;0\nB;R;22;7;s;0;0\nC;P;26;8;s;0;0\nC;Q;12;5;s;0;0\nC;R;40;9;s;0;0\n",
			"t.rda": "<SEPARATOR> \";\"\n<SAFE> s\n<UNSAFE> u\n<PROTECT> p\nI 1\n <RECODEABLE>\nJ 1\n <RECODEABLE>\nV 3\n <NUMERIC>\nF 1\n <FREQUENCY>\nS 1\n <STATUS>\nL 1\n <NUMERIC> <LOWERPL>\nU 1\n <NUMERIC> <UPPERPL>\n",
			"t.hst": "Total;Total;P\nTotal;P;P\nTotal;Q;P\nTotal;R;P\nA;Total;P\nB;Total;P\nC;Total;P\n",
			"t.arb": "<OPENTABLEDATA> \"t.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"I\"\"J\"|\"V\"||\n<SAFETYRULE>\n<READTABLE> 1T\n<APRIORI> \"t.hst\",1,\";\"\n<SUPPRESS> " + tc.method + "\n<WRITETABLE> (1,3,AS+,\"out.txt\")\n",
		} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
		}
		var words strings.Builder
		must.Do(t, Run(t.Context(), filepath.Join(dir, "t.arb"), &Options{Words: &words}))
		out, err := os.ReadFile(filepath.Join(dir, "out.txt"))
		if got := strings.Count(string(out), ",11"); err != nil || got != tc.secondary || !strings.Contains(words.String(), tc.log) {
			t.Errorf("%s: %v, %d secondary cells, want %d; %s", tc.method, err, got, tc.secondary, words.String())
		}
	}
}

// By value the small cells of A protect C/x; with cost -3 those one step away do, in one table
// and in several.
func TestDistance(t *testing.T) {
	for _, tc := range []struct{ method, cost, row string }{{"OPT(1,1)", "-3", "B"}, {"OPT(0,1)", "-3", "B"}, {"OPT(1,1)", "", "A"}} {
		dir := must.Get(batchOf(t, strings.NewReplacer("METHOD", tc.method, "COST", tc.cost).Replace(`<OPENMICRODATA>  "far.csv"
<OPENMETADATA>   "far.rda"
<SPECIFYTABLE>   "Ind""Reg"|"Turn"||COST
<SAFETYRULE>     FREQ(2,30)
<SPECIFYTABLE>   "Ind"|"Turn"||COST
<SAFETYRULE>     FREQ(2,30)
<READMICRODATA>
<SUPPRESS>       METHOD
<WRITETABLE>     (1,3,AS+,"out1.txt")
`), &Options{}))(t)
		for cell, rest := range values(t, filepath.Join(dir, "out1.txt")) {
			row, _, _ := strings.Cut(cell, ",")
			if _, st, _ := strings.Cut(rest, ","); st == "11" && row != tc.row && row != "C" {
				t.Errorf("%s with cost %q: %s is withheld, want only cells of %s and C", tc.method, tc.cost, cell, tc.row)
			}
		}
	}
}

// Table 0 is all tables as one: what they share is withheld in both or in neither.
func TestLinkedTables(t *testing.T) {
	dir := must.Get(batchOf(t, `<OPENMICRODATA>  "firms.csv"
<OPENMETADATA>   "firms.rda"
<SPECIFYTABLE>   "Ind""Reg"|"Turn"||
<SAFETYRULE>     FREQ(3,30)
<SPECIFYTABLE>   "Ind"|"Turn"||
<SAFETYRULE>     FREQ(3,30)
<READMICRODATA>
<SUPPRESS>       MOD(0,1)
<WRITETABLE>     (1,3,AS+,"out1.txt")
<WRITETABLE>     (2,3,AS+,"out2.txt")
`, &Options{}))(t)
	status := map[string]string{}
	for _, name := range []string{"out1.txt", "out2.txt"} {
		text := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			f := strings.Split(strings.TrimSpace(line), ",")
			key := f[0]
			if len(f) == 4 && f[1] != `"Total"` {
				continue
			}
			st := f[len(f)-1]
			if first, twice := status[key]; twice && first != st {
				t.Errorf("%s: status %s in one table and %s in the other", key, first, st)
			}
			status[key] = st
		}
	}
	if len(status) != 4 {
		t.Errorf("%v", status)
	}
}

func TestErrors(t *testing.T) {
	open := "<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"|\"Turn\"||\n"
	for _, tc := range []struct {
		text, want string
		read       bool
	}{
		{"SUPPRESS", `run.arb:1: "SUPPRESS": want a command like <SUPPRESS>`, false},
		{"<FROBNICATE> x", "run.arb:1: <FROBNICATE>: this command is not known here", false},
		{"<SAFETYRULE> FREQ(3,10)", "run.arb:1: <SAFETYRULE>: no <SPECIFYTABLE> before it", false},
		{"<SPECIFYTABLE> |x", `run.arb:1: <SPECIFYTABLE>: want "variable""variable"...|"response"|"shadow"|cost`, false},
		{"<READMICRODATA>", "run.arb:1: <READMICRODATA>: want <OPENMICRODATA> and <OPENMETADATA> before it", true},
		{open + "<SUPPRESS> OPT(1,1)", "run.arb:4: <SUPPRESS>: table 1 has not been read", false},
		{open + "<READMICRODATA>\n<SUPPRESS> XYZ(1)", "run.arb:5: <SUPPRESS>: method XYZ is not offered; want OPT, MOD, GH, NET, RND, CTA or CKM", false},
		{open + "<READMICRODATA>\n<SUPPRESS> OPT(2,1)", `run.arb:5: <SUPPRESS>: table "2": want a number from 1 to 1`, false},
		{open + "<READMICRODATA>\n<WRITETABLE> (1,9,,\"x\")", "run.arb:5: <WRITETABLE>: ", false},
		{open + "<RECODE> 1,\"Ind\",1", "run.arb:4: <RECODE>: table 1 has not been read", false},
		{open + "<READMICRODATA>\n<RECODE> 1,Ind", `run.arb:5: <RECODE>: want table,"variable","file.grc" or table,"variable",levels`, false},
		{open + "<READMICRODATA>\n<RECODE> 1,Reg,\"i.grc\"", `run.arb:5: <RECODE>: variable "Reg": not in table 1, whose variables are Ind`, false},
		{open + "<READMICRODATA>\n<RECODE> 1,Ind,\"no.grc\"", "run.arb:5: <RECODE>: DIR/no.grc: no such file or directory", false},
		{open + "<READMICRODATA>\n<RECODE> 1,Ind,2", "run.arb:5: <RECODE>: table table1: 2 levels: Ind has no hierarchy; want a .grc file", false},
		{open + "<READMICRODATA>\n<RECODE> 1,Ind,\"i.grc\"\n<RECODE> 1,Ind,0", "run.arb:6: <RECODE>: 0 levels: want 1 or more, or a .grc file", false},
		{open + "<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n<RECODE> 1,Ind,\"i.grc\"", "run.arb:6: <RECODE>: table 1 has been protected already; want <RECODE> before <SUPPRESS>", false},
		{open + "<READMICRODATA>\n<APRIORI> \"b.hst\",1,\";\"\n<RECODE> 1,Ind,\"i.grc\"", "run.arb:6: <RECODE>: table 1 would lose what <APRIORI> changed; want <RECODE> before it", false},
		{"<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"Ind\"|\"Turn\"||\n<READTABLE>\n<RECODE> 1,Ind,\"i.grc\"",
			"run.arb:5: <RECODE>: a table that was read cannot be recoded; only tables of microdata can", false},
		{open + "<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n<APRIORI> \"b.hst\",1,\";\"", "run.arb:6: <APRIORI>: table 1 has been protected already; want <APRIORI> before <SUPPRESS>", false},
		{open + "<READMICRODATA>\n<SAFETYRULE> P(10,1)", "run.arb:5: <SAFETYRULE>: the table has been read; its rules stand before that", false},
		{open + "<READMICRODATA>\n<SUPPRESS> OPT(1,five)", `run.arb:5: <SUPPRESS>: minutes "five": want a number`, false},
		{open + "<READMICRODATA>\n<SUPPRESS> MOD(1,-1)", `run.arb:5: <SUPPRESS>: minutes "-1": want a number`, false},
		{"<SUPPRESS> OPT(1,1)", "run.arb:1: <SUPPRESS>: no <SPECIFYTABLE> before it", false},
		{"<LOGBOOK> \"none/run.log\"", "run.arb:1: <LOGBOOK>: open DIR/none/run.log: no such file or directory", false},
		{strings.Replace(open, "||", "||-3", 1) + "<READMICRODATA>", "run.arb:4: <READMICRODATA>: cost -3: Ind has no <DISTANCE> in DIR/firms.rda", true},
	} {
		dir, err := batchOf(t, tc.text+"\n", &Options{})
		var e *Error
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), dir, "DIR"), tc.want) {
			t.Errorf("%q: %v, want %s", tc.text, err, tc.want)
		} else if errors.As(err, &e) && e.Read != tc.read {
			t.Errorf("%q: read %v, want %v", tc.text, e.Read, tc.read)
		}
	}
}

// A log that cannot be written fails the run before it does anything.
func TestLogFails(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run.arb")
	must.Do(t, os.WriteFile(run, []byte("<VERSIONINFO> \"v.txt\"\n"), 0o666))
	if err := Run(t.Context(), run, &Options{Log: filepath.Join(dir, "none", "run.log")}); err == nil || !strings.Contains(err.Error(), "run.log: no such file or directory") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "v.txt")); err == nil {
		t.Error("the batch was run")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("// x\n<A> \"b\",1\n\t<suppress> MOD(1,5)\r\n")
	f.Add("<")
	f.Fuzz(func(t *testing.T, text string) {
		var list []command
		var err error
		memtest.Bound(t, len(text), 32<<20, 2000, func() { list, err = parse(strings.NewReader(text), "f.arb", "") })
		if err != nil {
			return
		}
		for _, c := range list {
			fields(c.args, ',')
			names(c.args)
		}
	})
}

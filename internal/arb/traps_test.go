package arb

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// traps are what files of τ-ARGUS in use do that readers stumble over, and complaints of its
// users whose right answer is cheap to test, with the issue of sdcTools/UserSupport. Each
// has the test that shows what happens here: file, function, and words of the case within it.
var traps = []struct{ trap, file, test, words string }{
	{"codes with leading blanks", "internal/formats/argus/traps_test.go", "TestReadTraps", "padded fields and codes"},
	{"codes with leading blanks in records", "table/tabulate/read_test.go", "TestForms", ""},
	{"a code with a trailing blank in .hrc (Os )", "internal/formats/argus/traps_test.go", "TestHierarchyTraps", "leading and trailing blanks, no last line end"},
	{"line ends CR CR LF", "internal/formats/argus/traps_test.go", "TestReadTraps", "byte order mark, CR CR LF, no last line end"},
	{"line ends CR CR LF in .hrc", "internal/formats/argus/samples_test.go", "TestCheckArgus2", ""},
	{"no last line end", "internal/formats/argus/traps_test.go", "TestReadTraps", "no last line end"},
	{"a code twice in a hierarchy (11)", "internal/formats/argus/traps_test.go", "TestHierarchyTraps", "a code twice"},
	{"a missing code in the data that .hrc lacks (00)", "internal/formats/argus/traps_test.go", "TestHierarchyTraps", "a missing code not in the file"},
	{"codes in .hrc without data", "internal/formats/argus/traps_test.go", "TestHierarchyTraps", "codes without data"},
	{"a missing code (99) that no record has", "internal/arb/report_test.go", "TestReport", "those of a missing code that no record"},
	{"padded CSV fields", "internal/formats/argus/traps_test.go", "TestReadTraps", "padded fields and codes"},
	{"WRITETABLE options as a number", "internal/formats/argus/output_test.go", "TestParseOutput", `{3, "3", Output{`},
	{"UNC paths", "internal/formats/argus/traps_test.go", "TestHierarchyTraps", `\\server\share`},
	{"cells that are not listed", "internal/formats/argus/traps_test.go", "TestReadTraps", "cells not listed"},
	{"no frequency column", "internal/formats/argus/traps_test.go", "TestReadTraps", "no frequencies"},
	{"|value| that does not add up", "internal/formats/argus/traps_test.go", "TestReadTraps", "|value| does not add up, recomputed"},

	{"byte order mark", "internal/formats/argus/traps_test.go", "TestReadTraps", "byte order mark"},
	{"decimal comma", "internal/formats/argus/traps_test.go", "TestReadTraps", "decimal comma"},
	{"lower-case status symbols", "internal/formats/argus/traps_test.go", "TestReadTraps", "own symbols in whatever case"},
	{"labels with commas (#116, #301)", "internal/formats/argus/traps_test.go", "TestReadTraps", `\"a;b\"`},
	{"status M (#73)", "internal/formats/argus/traps_test.go", "TestReadTraps", "c,6,M"},
	{"false non-additivity by decimals (#29, #46, #172, #177)", "internal/arb/traps_test.go", "TestComplaints", "decimals add up"},
	{"READTABLE without SAFETYRULE (#44)", "internal/arb/traps_test.go", "TestComplaints", "no rules"},
	{"nothing to withhold in one dimension (#108)", "internal/arb/traps_test.go", "TestComplaints", "nothing to withhold"},
	{"a negative grand total (#72)", "internal/arb/traps_test.go", "TestComplaints", "a negative grand total"},
	{"dots in codes (#134, #142)", "internal/arb/traps_test.go", "TestComplaints", "dots in codes"},
	{"zeros after recoding (#69)", "internal/arb/traps_test.go", "TestComplaints", "zeros after recoding"},
	{"blanks and letters beyond ASCII in paths (#22, #57, #92)", "internal/arb/traps_test.go", "TestFolders", ""},
	{"several runs at once (#36)", "internal/arb/traps_test.go", "TestFolders", ""},
	{"Total in a-priori files (#35)", "internal/arb/traps_test.go", "TestComplaints", "Total in an a-priori file"},
	{"tree recoding (#49)", "internal/arb/recode_test.go", "TestRecodeBatch", ""},
	{"audit in batches (#314)", "internal/arb/report_test.go", "TestWriteOptions", "AR+"},
}

// Every trap has its test.
func TestTraps(t *testing.T) {
	for _, x := range traps {
		path := filepath.Join("..", "..", filepath.FromSlash(x.file))
		text := must.Get(os.ReadFile(path))(t)
		file := must.Get(parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments))(t)
		found := false
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == x.test {
				from := f.Pos()
				if f.Doc != nil {
					from = f.Doc.Pos()
				}
				found = strings.Contains(string(text[from-file.FileStart:f.End()-file.FileStart]), x.words)
			}
		}
		if !found {
			t.Errorf("%s: %s has no %s with %q", x.trap, x.file, x.test, x.words)
		}
	}
}

// What users complain of, in one small batch each: the lines of its output.
func TestComplaints(t *testing.T) {
	table := "<OPENTABLEDATA> \"t.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n"
	rda := "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\n<DECIMALS> 2\nS\n<STATUS>\n"
	micro := "<OPENMICRODATA> \"t.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n"
	flat := "<SEPARATOR> \";\"\nR 3\n<RECODEABLE>\nV 3\n<NUMERIC>\n"
	end := "<WRITETABLE> (1,3,AS+QU-,\"out.txt\")\n"
	for _, tc := range []struct{ name, batch, data, rda, extra, want string }{
		{"decimals add up", table + "<READTABLE>\n" + end, "Total;0.6;S\na;0.1;S\nb;0.2;S\nc;0.3;S\n", rda, "", "Total,0.60,1 a,0.10,1 b,0.20,1 c,0.30,1"},
		{"no rules", table + "<READTABLE>\n<SUPPRESS> MOD(1,1,0,0,0)\n" + end, "Total;6;S\na;1;U\nb;2;S\nc;3;S\n", rda, "", "Total,6.00,1 a,1.00,9 b,2.00,11 c,3.00,1"},
		{"nothing to withhold", table + "<SAFETYRULE>\n<READTABLE>\n<SUPPRESS> MOD(1,1,0,0,0)\n" + end, "Total;3;S\na;1;S\nb;2;S\n", rda, "", "Total,3.00,1 a,1.00,1 b,2.00,1"},
		{"a negative grand total", micro + "<SAFETYRULE> FREQ(2,10)\n<READMICRODATA>\n" + end, "a;-9\nb;2\nb;3\n", flat, "", "Total,-4,1 a,-9,5 b,5,1"},
		{"dots in codes", table + "<READTABLE>\n<SUPPRESS> MOD(1,1,0,0,0)\n" + end, "Total;6;S\n.1;1;U\n.2;2;S\n1.3;3;S\n", rda, "", "Total,6.00,1 .1,1.00,9 .2,2.00,11 1.3,3.00,1"},
		{"zeros after recoding", micro + "<SAFETYRULE> ZERO(5)\n<READMICRODATA>\n<RECODE> 1,R,\"t.hst\"\n" + end, "a;0\nb;2\nc;0\n", flat, "ab:a,b\n", "Total,2,1 ab,2,1 c,0,6"},
		{"Total in an a-priori file", table + "<READTABLE>\n<APRIORI> \"t.hst\",1,\";\",0,0\n<SUPPRESS> OPT(1,1)\n" + end, "Total;6;S\na;1;U\nb;2;S\nc;3;S\n", rda, "Total;P\nb;P\n", "Total,6.00,10 a,1.00,9 b,2.00,10 c,3.00,11"},
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{"t.csv": tc.data, "t.rda": tc.rda, "t.arb": tc.batch, "t.hst": tc.extra} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
		}
		if err := Run(t.Context(), filepath.Join(dir, "t.arb"), &Options{}); err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		out, err := os.ReadFile(filepath.Join(dir, "out.txt"))
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != tc.want {
			t.Errorf("%s: %s %v, want %s", tc.name, got, err, tc.want)
		}
	}
}

// Batches run at once, in folders whose names have blanks and other letters.
func TestFolders(t *testing.T) {
	for _, name := range []string{"å ä ö", "表 1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), name)
			must.Do(t, os.Mkdir(dir, 0o777))
			for file, content := range map[string]string{"my firms.csv": firms, "my firms.rda": metadata, "run.arb": `<OPENMICRODATA> "my firms.csv"
<OPENMETADATA> "my firms.rda"
<SPECIFYTABLE> "Ind"|"Turn"||
<SAFETYRULE> FREQ(5,30)
<READMICRODATA>
<SUPPRESS> GH(1,100,0,1)
<WRITETABLE> (1,3,AS+,"the output.txt")
`} {
				must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666))
			}
			must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}))
			if got := values(t, filepath.Join(dir, "the output.txt")); got["A"] != "53,5" || got["Total"] != "192,1" {
				t.Errorf("%v", got)
			}
		})
	}
}

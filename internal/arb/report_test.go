package arb

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/test/must"
)

// The report about an output has the numbers of the published one: 98 safe cells, 9 unsafe
// ones, 12 others and 43 empty ones, those of a missing code that no record has among them. Two
// runs write the same.
func TestReport(t *testing.T) {
	var first string
	for range 2 {
		dir := copied(t, "simple2d")
		must.Do(t, os.WriteFile(filepath.Join(dir, "run.arb"), []byte(`<OPENMICRODATA> "tau_testW.asc"
<OPENMETADATA> "Tau_testW.rda"
<SPECIFYTABLE> "Size""Region"|"Var2"||
<SAFETYRULE> P(15,1)|MAN(20)
<READMICRODATA>
<SUPPRESS> OPT(1,1)
<WRITETABLE> (1,3,AS+,"out.txt")
`), 0o666))
		must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{Version: "v9"}))
		page := must.Get(os.ReadFile(filepath.Join(dir+".office", "out.html")))(t)
		for _, want := range []string{
			"<dt>Made from</dt><dd>microdata tau_testW.asc, metadata Tau_TestW.rda</dd>", "<dd>Region: 17 codes, hierarchical</dd>",
			"<li>As given: P(15,1)|MAN(20)</li>", "<li>Method OPT: exact search</li>",
			`<td>1</td><td class="t">Safe</td><td>98</td><td>253106</td><td>99981391.04</td>`, `<td>3</td><td class="t">Unsafe</td><td>9</td><td>43</td><td>12013</td>`,
			`<td>11</td><td class="t">Secondary</td><td>12</td>`, `<td>14</td><td class="t">Empty</td><td>43</td><td>0</td><td>0</td><td>0</td>`,
			`<td></td><td class="t">Total</td><td>162</td>`, "hitoku v9",
			"for the office only", "<li>Cost 1092477, bound 1092477</li>",
		} {
			if !strings.Contains(string(page), want) {
				t.Errorf("no %q in %s", want, page)
			}
		}
		if strings.Contains(string(page), "Time used") {
			t.Error("the report depends on the machine")
		}
		if first != "" && first != string(page) {
			t.Error(cmp.Diff(first, string(page)))
		}
		first = string(page)
	}
}

// What is written over the table, and what cannot be.
func TestWriteOptions(t *testing.T) {
	open := "<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> P(10,1)\n<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n"
	dir := must.Get(batchOf(t, open+"<WRITETABLE> (1,5,AR+QU-,\"a.tab\")\n<WRITETABLE> (1,6,TR+,\"a.jj\")\n<WRITETABLE> (1,1,,\"page.html\")\n", &Options{}))(t)
	text := must.Get(os.ReadFile(filepath.Join(dir, "a.tab")))(t)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, ";")
		if len(f) != 17 {
			t.Fatalf("%s: %d fields, want 17", line, len(f))
		}
		known := f[8] == "S"
		if (f[11] == f[2]+".0" && f[12] == f[2]+".0" && f[13] == "0.0" && f[16] == "0.00") != known {
			t.Errorf("%s: the columns of the audit", line)
		}
	}
	tab, err := argus.ReadTable(filepath.Join(dir, "a.tab"), argus.Options{})
	if err != nil || tab.Table.Len() != 12 {
		t.Errorf("%v: read again", err)
	}
	for _, name := range []string{"../" + filepath.Base(dir) + ".office/a.html", "a.jj", "page.html", "../" + filepath.Base(dir) + ".office/page.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for options, want := range map[string]string{
		"5,HI+": "run.arb:7: <WRITETABLE>: table table1: option HI+: the contributors are not holdings",
		"7,":    "run.arb:7: <WRITETABLE>: output type 7 is for tables with the noise of CKM; want <SUPPRESS> CKM(…) before it",
		"5,AO+": "run.arb:7: <WRITETABLE>: option AO+: of output type 7, which holds the noise of the cell key method",
	} {
		dir, err := batchOf(t, open+"<WRITETABLE> (1,"+options+",\"x.tab\")\n", &Options{})
		if err == nil || strings.TrimPrefix(err.Error(), dir+string(filepath.Separator)) != want {
			t.Errorf("%s: %v, want %s", options, err, want)
		}
	}
}

// Beside an output stands nothing that tells the cost, by which the value of a single sensitive cell
// can be computed, and the log, which may stand there, does not either.
func TestNoFiguresBesideTheOutput(t *testing.T) {
	open := "<LOGBOOK> \"out/log.txt\"\n<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> P(10,1)\n<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n"
	dir, err := batchOf(t, "", &Options{})
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "out"), 0o777)
	}
	run := filepath.Join(dir, "run.arb")
	if err == nil {
		err = os.WriteFile(run, []byte(open+"<WRITETABLE> (1,1,,\"out/table.csv\")\n"), 0o666)
	}
	if err == nil {
		err = Run(t.Context(), run, &Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "out.office", "table.html"))
	if err != nil {
		t.Fatal(err)
	}
	cost := regexp.MustCompile(`<li>Cost ([0-9.]+), bound`).FindSubmatch(page)
	if cost == nil || !strings.Contains(string(page), "for the office only") {
		t.Fatalf("no cost, or no mark, in %s", page)
	}
	var names []string
	err = filepath.WalkDir(filepath.Join(dir, "out"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		names = append(names, d.Name())
		text, err := os.ReadFile(path)
		if lower := strings.ToLower(string(text)); strings.Contains(lower, "cost ") || strings.Contains(lower, "bound ") {
			t.Errorf("%s tells the cost: %s", path, text)
		}
		return err
	})
	if err != nil || strings.Join(names, " ") != "log.txt table.csv" {
		t.Errorf("beside the output stand %q, %v", names, err)
	}
}

// No output, and no log, takes the place of an input, whatever command names it.
func TestInputsAreNotOverwritten(t *testing.T) {
	open := "<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> P(10,1)\n<READMICRODATA>\n"
	for last, want := range map[string]string{
		`<WRITETABLE> (1,1,,"firms.csv")`:                            "DIR/firms.csv is an input of this batch and would be overwritten; choose another name",
		`<WRITETABLE> (1,1,,"link.csv")`:                             "DIR/link.csv is an input of this batch and would be overwritten; choose another name",
		`<WRITETABLE> (1,3,AS+,"run.arb")`:                           "DIR/run.arb is an input of this batch and would be overwritten; choose another name",
		`<WRITETABLE> (1,5,,"firms.tab")`:                            "DIR/firms.rda is an input of this batch and would be overwritten by what is written with firms.tab; choose another name",
		"<APRIORI> \"a.hst\",1,\";\"\n<WRITETABLE> (1,1,,\"a.hst\")": "DIR/a.hst is an input of this batch and would be overwritten; choose another name",
		`<VERSIONINFO> "firms.rda"`:                                  "DIR/firms.rda is an input of this batch and would be overwritten; choose another name",
		`<LOGBOOK> "firms.csv"`:                                      "DIR/firms.csv is an input of this batch and would be overwritten; choose another name",
		"<CLEAR>\n<LOGBOOK> \"firms.csv\"":                           "DIR/firms.csv is an input of this batch and would be overwritten; choose another name",
		"<LOGBOOK> \"b.hst\"\n<APRIORI> \"b.hst\",1,\";\"":           "DIR/b.hst is the log of this batch",
		`<WRITETABLE> (1,1,,"new.csv")`:                              "",
	} {
		dir, err := batchOf(t, "", &Options{})
		run := filepath.Join(dir, "run.arb")
		if err == nil {
			err = os.WriteFile(run, []byte(open+last+"\n"), 0o666)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "firms.tab"), nil, 0o666) // of an earlier run
		}
		if err == nil {
			err = os.Symlink("firms.csv", filepath.Join(dir, "link.csv"))
		}
		if err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(filepath.Join(dir, "firms.csv"))
		err = Run(t.Context(), run, &Options{})
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error()[strings.Index(err.Error(), ">: ")+3:], dir+string(filepath.Separator), "DIR/")
		}
		if got != want {
			t.Errorf("%s: %q, wanted %q", last, got, want)
		}
		if after, err := os.ReadFile(filepath.Join(dir, "firms.csv")); err != nil || string(after) != string(before) {
			t.Errorf("%s: the records have changed, %v", last, err)
		}
	}
	dir := must.Get(batchOf(t, open, &Options{}))(t)
	run := filepath.Join(dir, "run.arb")
	if err := Run(t.Context(), run, &Options{Log: run}); err == nil || err.Error() != run+": cannot be the log of itself" {
		t.Errorf("log: %v", err)
	}
}

// A log that cannot be written to its end is an error, after all is done.
func TestFullLog(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	dir, err := batchOf(t, "<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<READMICRODATA>\n<WRITETABLE> (1,1,,\"x.csv\")\n", &Options{Log: "/dev/full"})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.csv")); err != nil {
		t.Error(err)
	}
}

package arb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Of lines of one kind twenty are told, and how many more there are.
func TestSeveral(t *testing.T) {
	var tab, hst strings.Builder
	tab.WriteString("Total;99;S\n")
	for n := range 30 {
		fmt.Fprintf(&tab, "a%d;1;S\n", n)
		fmt.Fprintf(&hst, "b%d,s\n", n)
	}
	_, log, err := written(t, "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<READTABLE> 1\n<APRIORI> \"t.hst\",1,\",\"\n", map[string]string{
		"t.tab": tab.String(), "t.hst": hst.String(), "t.rda": "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nS\n<STATUS>\n"})
	if err != nil || strings.Count(log, ": A-priori: ") != 20 || !strings.Contains(log, ": ... and 10 more like these\n") {
		t.Errorf("%v\n%s", err, log)
	}
}

// What is wrong with the batch file itself is told in the log as well.
func TestMalformedLine(t *testing.T) {
	dir := t.TempDir()
	path, log := filepath.Join(dir, "t.arb"), filepath.Join(dir, "t.log")
	must.Do(t, os.WriteFile(path, []byte("<SILENT>\nSUPPRESS> MOD(1)\n"), 0o666))
	err := Run(t.Context(), path, &Options{Log: log})
	said, _ := os.ReadFile(log)
	if err == nil || !strings.Contains(string(said), `t.arb:2: "SUPPRESS> MOD(1)": want a command like SUPPRESS`) || !strings.Contains(string(said), "Start of batch procedure") || !strings.HasSuffix(string(said), "End of TauArgus run\n") {
		t.Errorf("%v\n%s", err, said)
	}
}

package arb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// written runs a batch on files and returns the output out.txt, and the log. The files are beside the batch.
func written(t *testing.T, batch string, files map[string]string) (out, log string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	path := filepath.Join(dir, "t.arb")
	must.Do(t, os.WriteFile(path, []byte(batch), 0o666))
	err = Run(t.Context(), path, &Options{Log: filepath.Join(dir, "t.log")})
	text, _ := os.ReadFile(filepath.Join(dir, "out.txt"))
	said, _ := os.ReadFile(filepath.Join(dir, "t.log"))
	return strings.ReplaceAll(string(text), "\r", ""), strings.ReplaceAll(string(said), dir+string(filepath.Separator), ""), err
}

// Outputs have a line for every combination of codes, those that no record has among them, as sdcTable expects, which
// fills gaps from the line above: the codes of a hierarchy in its order, missing ones last, others sorted. Codes have
// no blanks around them, though rtauargus pads those of its tables.
func TestRows(t *testing.T) {
	files := map[string]string{
		"t.tab": "    A, f,5\n    A, m,7\n    B, f,2\nTotal, m,7\n",
		"t.rda": "<SEPARATOR> \",\"\nregion\n<RECODEABLE>\n<TOTCODE> 'All'\n<TOTCODE> \"Total\"\n<HIERARCHICAL>\n<HIERCODELIST> \"r.hrc\"\n<HIERLEADSTRING> \"@\"\nsex 9\n<RECODEABLE>\nv\n<NUMERIC>\n",
		"r.hrc": "E\n@e1\nA\nB\n",
		"m.csv": "A,m,7\nA,f,5\nB,f,2\n",
		"m.rda": "<SEPARATOR> \",\"\nregion 1\n<RECODEABLE>\n<TOTCODE> 'Total'\n<HIERARCHICAL>\n<HIERCODELIST> \"r.hrc\"\n<HIERLEADSTRING> \"@\"\nsex 1 9\n<RECODEABLE>\nv 1\n<NUMERIC>\n",
	}
	all := `Total,Total,14,1 Total,f,7,1 Total,m,7,1 Total,9,-,14 E,Total,-,14 E,f,-,14 E,m,-,14 E,9,-,14 e1,Total,-,14 e1,f,-,14 e1,m,-,14 e1,9,-,14 ` +
		`A,Total,12,1 A,f,5,1 A,m,7,1 A,9,-,14 B,Total,2,1 B,f,2,1 B,m,-,14 B,9,-,14`
	table := "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"region\"\"sex\"|\"v\"||\n<READTABLE> 1\n"
	micro := "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"region\"\"sex\"|\"v\"||\n<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n"
	for _, tc := range []struct{ batch, kind, want string }{
		{table, "3,AS+QU-", all},
		{micro, "3,AS+QU-", all},
		{table, "3,AS+SE+QU-", "Total,Total,14,1 Total,f,7,1 Total,m,7,1 A,Total,12,1 A,f,5,1 A,m,7,1 B,Total,2,1 B,f,2,1"},
		{table, "1,QU-", ",Total,f,m,9 Total,14,7,7,- E,-,-,-,- e1,-,-,-,- A,12,5,7,- B,2,2,-,-"},
		{table, "4,QU-", "Total,Total,14,1,V Total,f,7,1,V Total,m,7,1,V A,Total,12,1,V A,f,5,1,V A,m,7,1,V B,Total,2,1,V B,f,2,1,V"},
		{micro, "5,QU-SE+SO+", "Total;Total;14;3;14;S;0;0 Total;f;7;2;7;S;0;0 Total;m;7;1;7;S;0;0 A;Total;12;2;12;S;0;0 A;f;5;1;5;S;0;0 A;m;7;1;7;S;0;0 B;Total;2;1;2;S;0;0 B;f;2;1;2;S;0;0"},
	} {
		out, log, err := written(t, tc.batch+"<WRITETABLE> (1,"+tc.kind+",\"out.txt\")\n", files)
		if got := strings.Join(strings.Fields(out), " "); err != nil || got != tc.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s\n%s", tc.kind, err, got, tc.want, log)
		}
	}
	out, log, err := written(t, micro+"<RECODE> 1,\"region\",1\n<WRITETABLE> (1,3,AS+QU-,\"out.txt\")\n", files)
	want := "Total,Total,14,1 Total,f,7,1 Total,m,7,1 Total,9,-,14 E,Total,-,14 E,f,-,14 E,m,-,14 E,9,-,14 A,Total,12,1 A,f,5,1 A,m,7,1 A,9,-,14 B,Total,2,1 B,f,2,1 B,m,-,14 B,9,-,14"
	if got := strings.Join(strings.Fields(out), " "); err != nil || got != want {
		t.Errorf("recoded: %v\ngot  %s\nwant %s\n%s", err, got, want, log)
	}
	out, _, err = written(t, table+"<WRITETABLE> (1,5,QU-,\"out.txt\")\n", files)
	if err != nil || strings.Count(out, "\n") != 20 || !strings.Contains(out, "\ne1;m;0;0;0;E;0;0\n") {
		t.Errorf("type 5: %v %s", err, out)
	}
}

// Levels of unsafe cells as rtauargus asks for them in a-priori files: 0.00001 of a cell of value 0, whose lower level is
// cut there, and of cells that need none. Values do not get decimals from levels.
func TestLevels(t *testing.T) {
	out, log, err := written(t, `<OPENTABLEDATA> "t.tab"
<OPENMETADATA> "t.rda"
<SPECIFYTABLE> "A""B"|"V"||
<SAFETYRULE> MAN(10)
<READTABLE> 1
<APRIORY> "t.hst",1,",",0,0
<SUPPRESS> OPT(1,1)
<WRITETABLE> (1,5,SO+QU-,"out.txt")
`, map[string]string{
		"t.tab": "65,tr1,0,2\n65,tr2,1136334,9\n66,tr1,12,3\n66,tr2,30,4\n67,tr1,5,6\n67,tr2,9,7\n",
		"t.rda": "<SEPARATOR> \",\"\nA\n<RECODEABLE>\nB\n<RECODEABLE>\nV\n<NUMERIC>\nN\n<FREQUENCY>\n",
		"t.hst": "65,tr1,u\n66,tr1,u\n66,tr2,c,3\n65,tr1,pl,0.00001,0.00001\n66,tr1,pl,1.2\n",
	})
	want := `Total;Total;1136390;31;1136390;S;0;0 Total;tr1;17;11;17;S;0;0 Total;tr2;1136373;20;1136373;S;0;0 ` +
		`65;Total;1136334;11;1136334;S;0;0 65;tr1;0;2;1;U;0;0.00001 65;tr2;1136334;9;1136334;M;0;0 ` +
		`66;Total;42;7;42;S;0;0 66;tr1;12;3;12;U;1.20000;1.20000 66;tr2;30;4;3;M;0;0 67;Total;14;13;14;S;0;0 67;tr1;5;6;5;M;0;0 67;tr2;9;7;9;M;0;0`
	out = strings.ReplaceAll(out, ";0.00000", ";0")
	if got := strings.Join(strings.Fields(out), " "); err != nil || got != want {
		t.Errorf("%v\ngot  %s\nwant %s\n%s", err, got, want, log)
	}
}

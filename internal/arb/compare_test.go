package arb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/hitoku/hitoku/internal/test/must"
)

// decimalRecords have amounts of one decimal, one sensitive cell, and a code that UTF-8 and CP1252 write in different ways.
const decimalRecords = `Île;x;10.5
Île;x;12
Île;y;30
Île;y;29
Île;y;28
B;x;8
B;x;9
B;x;7.2
B;y;11
B;y;14
B;y;13
C;x;9
C;x;8
C;x;8
C;y;40
C;y;41
C;y;39
`

const allTypes = `<OPENMICRODATA> "r.csv"
<OPENMETADATA> "r.rda"
<SPECIFYTABLE> "Ind""Reg"|"Turn"||
<SAFETYRULE> P(10,1)|FREQ(3,30)
<READMICRODATA>
<SUPPRESS> OPT(1,1)
<WRITETABLE> (1,1,,"1.csv")
<WRITETABLE> (1,2,,"2.csv")
<WRITETABLE> (1,3,AS+,"3.csv")
<WRITETABLE> (1,4,HL+,"4.sbs")
<WRITETABLE> (1,5,,"5.csv")
<WRITETABLE> (1,6,,"6.jj")
<WRITETABLE> (1,3,QU-,"C:\jobs\7.csv")
`

// oldOutputs runs a batch of the given files, whose outputs go to the folder old, as those of τ-ARGUS.
func oldOutputs(t *testing.T, batch string, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "old"), 0o777))
	put(t, dir, "run.arb", batch)
	for name, text := range files {
		put(t, dir, name, text)
	}
	must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}))
	for _, line := range strings.Split(batch, "\n") {
		if name, ok := strings.CutSuffix(line, `")`); ok && strings.HasPrefix(name, "<WRITETABLE>") {
			name = name[strings.LastIndexAny(name, `"\`)+1:]
			must.Do(t, os.Rename(filepath.Join(dir, name), filepath.Join(dir, "old", name)))
		}
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

func amounts() map[string]string {
	return map[string]string{"r.csv": decimalRecords, "r.rda": "<SEPARATOR> \";\"\nInd 3\n<RECODEABLE>\nReg 1\n<RECODEABLE>\nTurn 4\n<NUMERIC>\n<DECIMALS> 1\n"}
}

// compared compares run.arb in dir with the outputs in its folder old.
func compared(t *testing.T, dir string) []*Compared {
	t.Helper()
	outputs, _ := must.Two((&Comparison{Dir: filepath.Join(dir, "old")}).Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}))(t)
	return outputs
}

// said is what a comparison says of an output, in short.
func said(o *Compared) string {
	if o.Err != nil {
		return o.Err.Error()
	}
	s := o.Verdict
	for _, d := range o.Different {
		s += fmt.Sprintf("; %s %d", d.Kind, d.Count)
		for _, x := range d.First {
			if x.Why == "" {
				s += fmt.Sprintf(" %d:%s:%s→%s", x.Line, strings.Join(x.Codes, "/"), x.Here, x.There)
			}
		}
	}
	if o.There.Unprotected > 0 {
		s += fmt.Sprintf("; unprotected %d", o.There.Unprotected)
		for _, c := range o.There.Cells {
			s += " " + strings.Join(c, "/")
		}
	}
	return s
}

func latin1(text string) string {
	text, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return text
}

// reversed has the lines in another order.
func reversed(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Reverse(lines)
	return strings.Join(lines, "\n") + "\n"
}

func replace(old, new string) func(string) string {
	return func(text string) string {
		if !strings.Contains(text, old) {
			panic(fmt.Sprintf("no %q in\n%s", old, text))
		}
		return strings.Replace(text, old, new, 1)
	}
}

// Outputs of every type are read again as what they say, however they are spelt; and what is changed in them is said, and nothing else.
func TestCompare(t *testing.T) {
	t.Parallel()
	dir := oldOutputs(t, allTypes, amounts())
	for _, o := range compared(t, dir) {
		if said(o) != "same" || o.Cells != 12 || o.Here.Primary == 0 || o.Here.Secondary == 0 || o.Shared != o.Here.Secondary || fmt.Sprint(o.Here) != fmt.Sprint(o.There) || o.Again != (o.Type > 1) && o.File != "" {
			t.Errorf("%s: %s, %+v, %+v, %+v", o.File, said(o), o.MigratedOutput, o.Here, o.There)
		}
	}
	for _, c := range []struct {
		file   string
		change func(string) string
		want   string
	}{
		{"3.csv", reversed, "same"},
		{"5.csv", reversed, "same"},
		{"4.sbs", latin1, "same"},
		{"1.csv", latin1, "same"},
		{"5.csv", func(text string) string { return strings.ReplaceAll(text, ".", ",") }, "same"},
		{"2.csv", func(text string) string { return strings.NewReplacer(",", ";", ".", ",", "\n", "\r\n").Replace(text) }, "same"},
		{"1.csv", func(text string) string { return strings.ReplaceAll(text, "\n", ",\n") }, "same"}, // as τ-ARGUS ends its lines
		{"3.csv", replace(`"B","x",24.2,11`, `"B","x",24,12`), "same"},                               // fewer decimals
		{"3.csv", replace(`"B","x",24.2,11`, `"B","x",25,11`), "different; value 1 5:B/x:24.2→25"},
		{"3.csv", replace(`"B","x",24.2,11`, `"B","x",24.20,1`), "same; unprotected 1 Île/x"},
		{"2.csv", replace(`"B","x",x`, `"B","x",24.2`), "same; unprotected 1 Île/x"},
		{"1.csv", replace(`"Total",316.7,`, `"Total",316.8,`), "different; value 1 2:Total/Total:316.7→316.8"},
		{"3.csv", replace(`"Île","x",22.5,3`, `"Île","x",22.5,5`), "different; primary 1 11:Île/x:3→5"},
		{"3.csv", replace(`"Île","x",22.5,3`, `"Île","x",22.5,1`), "different; primary 1 11:Île/x:3→1; unprotected 1 Île/x"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y",120.0,9`), "different; primary 1 9:C/y:1→9"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y",120.0,10`), "different; status 1 9:C/y:1→10"},
		{"1.csv", replace(`"Île",109.5,x`, `"Île",109.5,22.5`), "different; primary 1 5:Île/x:x→22.5; unprotected 1 Île/x"},
		{"4.sbs", replace(`22.5,2,F`, `22.5,2,A`), "different; primary 1 11:Île/x:F→A"},
		{"4.sbs", replace(`120.0,3,V`, `120.0,4,V`), "different; contributors 1 9:C/y:3→4"},
		{"5.csv", replace(`120.0;3;`, `120.0;4;`), "different; contributors 1 9:C/y:3→4"},
		{"5.csv", replace(`;U;`, `;M;`), "different; primary 1 11:Île/x:U→M"},
		{"6.jj", replace("8 120 120 s", "8 120 120 u"), "different; primary 1 11:C/y:s→u"},
		{"6.jj", replace("8 120 120 s", "8 121 120 s"), "different; value 1 11:C/y:120→121"},
		{"3.csv", replace("\"C\",\"y\",120.0,1\n", ""), "different; missing 1 0:C/y:120.0→"},
		{"2.csv", replace("\"C\",\"y\",120.0\n", ""), "different; missing 1 0:C/y:120.0→"},
		{"3.csv", replace(`"C","y",120.0,1`, `"D","y",120.0,1`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","x",120.0,1`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y",12o.0,1`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y",120.0,15`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y",120.0`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"3.csv", replace(`"C","y",120.0,1`, `"C","y,120.0,1`), "different; missing 1 0:C/y:120.0→; unread 1"},
		{"1.csv", replace(`"C",145.0,25.0,120.0`, `"C",145.0,25.0`), "different; missing 3 0:C/Total:145.0→ 0:C/x:25.0→ 0:C/y:120.0→; unread 1"},
		{"7.csv", func(string) string { return "" }, "different; missing 12 0:Total/Total:316.7→ 0:Total/x:71.7→ 0:Total/y:245.0→ 0:B/Total:62.2→ 0:B/x:x→ 0:B/y:x→ 0:C/Total:145.0→ 0:C/x:25.0→ 0:C/y:120.0→ 0:Île/Total:109.5→ 0:Île/x:x→ 0:Île/y:x→"},
	} {
		path := filepath.Join(dir, "old", c.file)
		before := must.Get(os.ReadFile(path))(t)
		put(t, dir, "old/"+c.file, c.change(string(before)))
		for _, o := range compared(t, dir) {
			if filepath.Base(o.File) != c.file {
				if said(o) != "same" {
					t.Errorf("%s was changed, but %s: %s", c.file, o.File, said(o))
				}
			} else if got := said(o); got != c.want {
				t.Errorf("%s: %s\nwant %s", c.file, got, c.want)
			}
		}
		put(t, dir, "old/"+c.file, string(before))
	}
}

// Matrices of one and of three variables, empty cells and codes that a hierarchy lists again are read as they are written.
func TestCompareShapes(t *testing.T) {
	t.Parallel()
	records := ""
	for n, code := range []string{"01", "02", "11", "12"} {
		for k, reg := range []string{"N", "S"} {
			for size := range 3 {
				for v := range 3 {
					if n != 1 || size != 2 {
						records += fmt.Sprintf("%s;%s;%d;%d\n", code, reg, size, 5+n+k+size*v)
					}
				}
			}
		}
	}
	dir := oldOutputs(t, `<OPENMICRODATA> "r.csv"
<OPENMETADATA> "r.rda"
<SPECIFYTABLE> "Ind"|"Turn"||
<SAFETYRULE> FREQ(3,30)
<SPECIFYTABLE> "Size""Reg""Ind"|"Turn"||
<SAFETYRULE> P(60,1)
<READMICRODATA>
<SUPPRESS> GH(1,100,0,0)
<SUPPRESS> GH(2,100,0,0)
<WRITETABLE> (1,1,,"1.csv")
<WRITETABLE> (1,4,,"2.sbs")
<WRITETABLE> (2,1,,"3.csv")
<WRITETABLE> (2,3,AS+SE+,"4.csv")
<WRITETABLE> (2,5,,"5.csv")
<WRITETABLE> (2,6,,"6.jj")
<WRITETABLE> (2,2,AS+,"7.csv")
`, map[string]string{"r.csv": records, "h.hrc": "A\n@01\n@02\nB\n@11\n@12\nC\n@11\n",
		"r.rda": "<SEPARATOR> \";\"\nInd 2 99\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"h.hrc\"\n<HIERLEADSTRING> @\nReg 1\n<RECODEABLE>\nSize 1\n<RECODEABLE>\nTurn 4\n<NUMERIC>\n"})
	cells := 0
	for _, o := range compared(t, dir) {
		if said(o) != "same" || o.Type == 1 && o.Cells == 0 || fmt.Sprint(o.Here) != fmt.Sprint(o.There) || o.Shared != o.Here.Secondary {
			t.Errorf("%s: %s, %+v, %+v, %+v", o.File, said(o), o.MigratedOutput, o.Here, o.There)
		}
		if o.Type == 3 && o.Here.Primary == 0 {
			t.Error("nothing is sensitive")
		}
		cells += o.Cells
	}
	if cells == 0 {
		t.Error("no cells")
	}
}

// What cannot be compared says why, and is not taken for the same.
func TestCompareNothing(t *testing.T) {
	t.Parallel()
	const begin = "<OPENMICRODATA> \"r.csv\"\n<OPENMETADATA> \"r.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> P(10,1)|FREQ(3,30)\n<READMICRODATA>\n"
	dir := oldOutputs(t, begin+"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,3,,\"a.csv\")\n", amounts())
	for _, c := range []struct{ batch, want string }{
		{"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,3,,\"b.csv\")\n", "run.arb:7: <WRITETABLE>: not compared: b.csv is not in old"},
		{"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,3,,\"sub\\A.CSV\")\n", "same"},
		{"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,3,,\"a.csv\")\n<WRITETABLE> (1,3,,\"a.csv\")\n", "same, run.arb:8: <WRITETABLE>: not compared: old/a.csv has been compared with run.arb:7 already; outputs of several batches of one name stand in folders called like the batches"},
		{"<SUPPRESS> CTA(1)\n<WRITETABLE> (1,3,,\"a.csv\")\n", "run.arb:7: <WRITETABLE>: not compared: RND, CTA and CKM change values, and other values may be as good"},
		{"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,6,TR+,\"a.csv\")\n", "run.arb:7: <WRITETABLE>: not compared: outputs of type 7, or with TR+, have no counterpart for each cell"},
		{"<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,6,,\"a.csv\")\n", "run.arb:7: <WRITETABLE>: old/a.csv:2: \"\\\"Total\\\",\\\"x\\\",71.7\": want the number of cells, 12, or of all combinations of codes, 12"},
		{"<WRITETABLE> (1,3,,\"a.csv\")\n", "same"},
		{"<WRITETABLE> (1,3,,\"a.csv\")\n<SUPPRESS> OPT(3,1)\n<WRITETABLE> (1,3,,\"c.csv\")\n", "same, run.arb:8: <WRITETABLE>: not compared: the batch ended before, run.arb:7: <SUPPRESS>: table \"3\": want a number from 1 to 1"},
	} {
		put(t, dir, "run.arb", begin+c.batch)
		outputs, _, err := (&Comparison{Dir: filepath.Join(dir, "old")}).Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{})
		var got []string
		for _, o := range outputs {
			got = append(got, said(o))
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if text := strings.ReplaceAll(strings.Join(got, ", "), dir+string(filepath.Separator), ""); text != c.want {
			t.Errorf("%s: %s\nwant %s", c.batch, text, c.want)
		}
	}
	if _, _, err := (&Comparison{Dir: filepath.Join(dir, "none")}).Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}); err == nil {
		t.Error("a folder that is not there")
	}
	if files, _ := os.ReadDir(dir); len(files) != 4 { // batch, records, metadata, old
		t.Error("something was written:", files)
	}
}

// Tables that were protected together are audited together: what one publishes lays the other open.
func TestCompareLinked(t *testing.T) {
	t.Parallel()
	table := "<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> P(10,1)|FREQ(3,30)\n"
	dir := oldOutputs(t, "<OPENMICRODATA> \"r.csv\"\n<OPENMETADATA> \"r.rda\"\n"+table+table+"<READMICRODATA>\n<SUPPRESS> GH(0,100,0,0)\n<WRITETABLE> (1,3,AS+,\"a.csv\")\n<WRITETABLE> (2,3,AS+,\"b.csv\")\n", amounts())
	path := filepath.Join(dir, "old", "b.csv")
	before := must.Get(os.ReadFile(path))(t)
	put(t, dir, "old/b.csv", replace(",11\n", ",1\n")(string(before)))
	for _, o := range compared(t, dir) {
		if got := said(o); got != "same; unprotected 1 Île/x" || o.Here.Unprotected != 0 {
			t.Errorf("%s: %s", o.File, got)
		}
	}
	must.Do(t, os.Remove(filepath.Join(dir, "old", "a.csv")))
	if o := compared(t, dir)[1]; said(o) != "same; unprotected 1 Île/x" { // of that table alone
		t.Error(said(o))
	}
}

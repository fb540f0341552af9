package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/firewall"
	"github.com/hitoku/hitoku/internal/test/must"
)

// lookedAt are digests of what package firewall has looked at.
var lookedAt sync.Map

func init() {
	firewall.Watch = func(content []byte) { lookedAt.Store(sha256.Sum256(content), true) }
}

// written is every file that the command writes, by verb and flag, with whom it is for; batch writes by the verbs of its tasks. What is to be published has lines that write it into the
// folder OUT, of which package firewall has to have looked at every file but trees.
var written = map[string]struct {
	why  string // it is not published
	runs []string
}{
	"suppress output": {runs: []string{
		"--below 5 --width 4 t.csv -o OUT/", "--below 5 --width 4 cross.csv -o OUT/", "--width 4 t.sdmx.csv -o OUT/", "--below 5 --width 4 t.xlsx -o OUT/",
		"--below 5 --width 4 t.px -o OUT/", "--from sdmx-json --width 4 t.json -o OUT/", "--below 5 --width 4 --margins publish office.csv -o OUT/", "--below 5 --width 4 t.csv cross.csv -o OUT/",
		"--below 5 --width 4 --partial --seed 1 t.csv -o OUT/", "--below 5 --width 4 --partial --seed 1 t.xlsx -o OUT/", "--width 4 --partial --ends plain --from sdmx-json t.json -o OUT/",
		"--below 5 --width 4 --uniform --symbol x t.csv -o OUT/", "--below 5 --width 4 t.csv -o OUT/t.csv.gz",
	}},
	"convert output": {runs: []string{
		"--mask t.csv -o OUT/a.csv --to sdmx", "--mask t.csv -o OUT/a.xlsx", "--mask t.csv -o OUT/a.px --lossy", "--mask t.csv -o OUT/a.json --to sdmx-json",
		"t.csv -o OUT/m.txt --to tau-matrix", "t.csv -o OUT/p.txt --to tau-pivot", "t.csv -o OUT/c.txt --to tau-codevalue",
	}},
	"round output":   {runs: allFormats("--base 5 t.csv")},
	"adjust output":  {runs: allFormats("--below 5 --lpl 1 --upl 1 t.csv")},
	"cellkey output": {runs: []string{"micro.csv --table dims+r,k --id id --seed-file SEED --max-noise 2 --variance 1.2 -o OUT/a.csv", "micro.csv --table dims+r,k --table dims+r --id id --seed-file SEED --max-noise 2 --variance 1.2 -o OUT/"}},
	"report output":  {runs: []string{"--mask --below 5 --width 4 t.csv -o OUT/a.html", "--mask --below 5 --width 4 t.csv -o OUT/a.svg", "--mask --linked --below 5 --width 4 t.csv by.csv -o OUT/a.html"}},
	"arb":            {runs: []string{"OUT/run.arb"}},

	"suppress status-file": {why: "of the office"}, "suppress certificate": {why: "of the office"}, "verify problem": {why: "of the office"},
	"attest output": {why: "checksums, no values"},
	"open session":  {why: "of the office"},
	"arb page":      {why: "of the office"},
	"round page":    {why: "of the office"}, "adjust page": {why: "of the office"},
	"cellkey office": {why: "of the office"}, "cellkey ptable-out": {why: "a design, no table"},
	"tabulate output": {why: "true values, which the methods take"}, "tabulate same": {why: "of the office"},
	"audit output": {why: "of the office"}, "audit witness": {why: "of the office"},
	"fill output":     {why: "made of what is published"},
	"generate output": {why: "drawn"}, "bench csp output": {why: "drawn"}, "bench lp output": {why: "drawn"}, "experiment output": {why: "drawn"}, "experiment csv": {why: "drawn"},
	"save-policy": {why: "rules"}, "save-layout": {why: "a layout"},
	"per-record": {why: "of the office"}, "risk all page": {why: "of the office"}, "risk pws write-r": {why: "a model"},
	"risk compare links": {why: "of the office"}, "risk compare plot": {why: "shares of releases"},
	"risk release output": {why: "records, which have no cells"}, "risk release statement": {why: "what anybody computes of the release"},
	"risk release propose": {why: "for the office: roles and steps"}, "risk release page": {why: "for the office, and says so"},
	"risk withhold output": {why: "records, which have no cells"}, "risk generalise output": {why: "records, which have no cells"},
	"risk laplace output": {why: "records, which have no cells"}, "risk mix output": {why: "records, which have no cells"}, "risk pram output": {why: "records, which have no cells"}, "risk sample output": {why: "records, which have no cells"}, "risk microaggregate output": {why: "records, which have no cells"}, "risk rank-swap output": {why: "records, which have no cells"},
}

// allFormats are runs that write a table in each format.
func allFormats(args string) (runs []string) {
	for _, f := range flags.Formats {
		if f.Write != nil && f.Name != "tau-sbs" { // which has values of withheld cells by definition
			ext := ".txt"
			if len(f.Extensions) > 0 {
				ext = f.Extensions[0]
			}
			runs = append(runs, args+" --to "+string(f.Name)+" -o OUT/a"+ext)
		}
	}
	return runs
}

// TestPublishedFiles: package firewall stands before every file that is meant for publication, whatever verb and flag writes it.
func TestPublishedFiles(t *testing.T) {
	t.Parallel()
	var names []string
	walk(newRoot(nil), func(c *cobra.Command) {
		verb := strings.TrimPrefix(c.CommandPath(), "hitoku ")
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if flags.Of(f).Writes {
				if _, ok := written[f.Name]; ok {
					return
				}
				names = append(names, verb+" "+f.Name)
			}
		})
	})
	for _, n := range names {
		if w, ok := written[n]; !ok || w.why == "" && w.runs == nil {
			t.Errorf("%s writes a file: is it published? Say so in written, with lines that write it", n)
		}
	}
	for n, w := range written {
		if strings.Contains(n, " ") && !slices.Contains(names, n) {
			t.Errorf("no flag %s writes a file", n)
		}
		verb, _, _ := strings.Cut(n, " ")
		for _, line := range w.runs {
			t.Run(verb+" "+line, func(t *testing.T) {
				t.Parallel()
				publishes(t, verb, line)
			})
		}
	}
}

func walk(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, s := range c.Commands() {
		walk(s, f)
	}
}

const (
	aTable = "r,k,value,status\na,x,1234,u\na,y,8765,s\na,z,4321,s\nb,x,7654,s\nb,y,3,u\nb,z,6789,s\nc,x,5678,s\nc,y,9876,s\nc,z,4567,m\n"
	aCount = "r,k,freq\na,x,3\na,y,8\na,z,41\nb,x,76\nb,y,2\nb,z,67\nc,x,56\nc,y,98\nc,z,4567\n"
)

// publishes runs a line and asks for every file that it wrote whether it was looked at.
func publishes(t *testing.T, verb, line string) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	must.Do(t, os.Mkdir(out, 0o700))
	table := aCount
	if verb == "convert" || strings.Contains(line, "t.sdmx") || strings.Contains(line, "t.json") {
		table = aTable
	}
	var micro strings.Builder
	micro.WriteString("id,r,k\n")
	for n := range 300 {
		micro.WriteString(strings.Join([]string{string(rune('A'+n/26)) + string(rune('a'+n%26)), []string{"a", "b", "c"}[n%3], []string{"x", "y"}[n/7%2]}, ",") + "\n")
	}
	for name, text := range map[string]string{
		"t.csv": table, "by.csv": "r,m,freq\na,p,2\na,q,50\nb,p,45\nb,q,100\nc,p,21\nc,q,4700\n", "micro.csv": micro.String(), "cross.csv": "r,x,y,z,Total\na,3,8,41,52\nb,76,2,67,145\nTotal,79,10,108,197\n",
		"office.csv": "Table 1. Persons\n\nArea;x;y;z;Total\na;3;8;41;52\nb;76;2;67;145\nTotal;79;10;108;197\n",
		"firms.csv":  "1,a,10,A\n1,b,20,B\n2,a,2222,C\n2,b,40,D\n1,a,3333,E\n2,b,7,F\n2,a,30,G\n1,b,8,H\n",
		"firms.rda":  "<SEPARATOR> \",\"\nInd 1\n<RECODEABLE>\n<TOTCODE> \"Total\"\nReg 1\n<RECODEABLE>\n<TOTCODE> \"Total\"\nTurn 5\n<NUMERIC>\nFirm 1\n<HOLDING>\n",
		"out/run.arb": "<OPENMICRODATA> \"../firms.csv\"\n<OPENMETADATA> \"../firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> FREQ(2,30)\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"<freq>\"||\n<SAFETYRULE> FREQ(2,30)\n" +
			"<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,1,,\"one.txt\")\n<WRITETABLE> (1,2,,\"two.txt\")\n<WRITETABLE> (1,3,,\"three.txt\")\n<SUPPRESS> RND(2,5,1)\n<WRITETABLE> (2,2,,\"rounded.txt\")\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	call := func(args ...string) {
		t.Helper()
		for k, a := range args {
			a = strings.ReplaceAll(a, "+", " ")
			switch {
			case strings.HasPrefix(a, "OUT"):
				a = out + a[3:]
			case a == "SEED", strings.HasPrefix(a, "t.") || strings.HasSuffix(a, ".csv"):
				a = filepath.Join(dir, a)
			}
			args[k] = a
		}
		var text bytes.Buffer
		if code := run(args, strings.NewReader(""), &text, &text); code != 0 && (code != 1 || verb != "report") {
			t.Fatalf("hitoku %s: exit code %d\n%s", strings.Join(args, " "), code, &text)
		}
	}
	for name, to := range map[string]string{"t.sdmx.csv": "sdmx", "t.xlsx": "xlsx", "t.px": "px", "t.json": "sdmx-json"} {
		if strings.Contains(line, " "+name) {
			call("convert", "t.csv", "-o", name, "--to", to)
		}
	}
	before := files(t, out)
	call(append([]string{verb}, strings.Fields(line)...)...)
	n := 0
	for path, content := range files(t, out) {
		if _, old := before[path]; old || filepath.Ext(path) == ".hrc" || filepath.Ext(path) == ".rda" || filepath.Ext(path) == ".log" || strings.Contains(path, ".office") {
			continue
		}
		if n++; !wasLookedAt(content) {
			t.Errorf("hitoku %s %s: nobody has looked at %s", verb, line, filepath.Base(path))
		}
	}
	if n == 0 {
		t.Errorf("hitoku %s %s writes nothing", verb, line)
	}
}

// wasLookedAt reports whether a file was looked at before it got its name, compressed or not.
func wasLookedAt(content []byte) bool {
	if _, ok := lookedAt.Load(sha256.Sum256(content)); ok {
		return true
	}
	plain, err := unzipped(content)
	if err != nil {
		return false
	}
	_, ok := lookedAt.Load(sha256.Sum256(plain))
	return ok
}

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[path], err = os.ReadFile(path)
		return err
	}))
	return all
}

func unzipped(b []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

var (
	additions = flag.Int("locks.additions", 24, "additions to ledgers at once in TestLedgerAtOnce")
	kills     = flag.Int("locks.kills", 16, "runs that TestKilled kills")
)

// process is one of the command in a folder.
func process(dir string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self)
	cmd.Args, cmd.Dir = append([]string{"hitoku"}, args...), dir // by which name testscript runs main
	return cmd
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

// No addition to a ledger is lost, however many processes add to it at once, under whatever names.
func TestLedgerAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const most = 50 // in a ledger, as each addition reads all of it
	if err := os.Symlink("book0.toml", filepath.Join(dir, "link0.toml")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	work := make(chan int)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range work {
				book := fmt.Sprintf("book%d.toml", n/most)
				if n < most && n%2 == 1 {
					book = "link0.toml"
				}
				if out, err := process(dir, "ledger", "add", book, fmt.Sprintf("t%d.csv", n), "--period", fmt.Sprint(n)).CombinedOutput(); err != nil {
					t.Errorf("addition %d: %v: %s", n, err, out)
				}
			}
		})
	}
	for n := range *additions {
		put(t, dir, fmt.Sprintf("t%d.csv", n), fmt.Sprintf("R,freq\nTotal,%d\na,%d\nb,10\n", 10+n, n))
		work <- n
	}
	close(work)
	all.Wait()
	kept := 0
	for k := 0; k*most < *additions; k++ {
		text := must.Get(os.ReadFile(filepath.Join(dir, fmt.Sprintf("book%d.toml", k))))(t)
		kept += strings.Count(string(text), "\nfile = ") + strings.Count(string(text[:7]), "file = ")
	}
	if kept != *additions {
		t.Errorf("%d of %d additions kept", kept, *additions)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("left: %v", left)
	}
}

// A writer that is killed, whenever, leaves every file as it was or whole, and what it was killed in runs again, to the same files.
func TestKilled(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("R,S,freq\n")
	const n = 30
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		for j := range n {
			fmt.Fprintf(&table, "r%02d,s%02d,%d\n", i, j, draw.IntN(40))
		}
	}
	inputs := map[string]string{
		"t.csv": table.String(),
		"p.csv": "R,freq\nTotal,14\na,4\nb,10\n",
		"m.csv": strings.Repeat("a,x,3\na,y,5\nb,x,8\nb,y,2\n", 50),
		"m.rda": "<SEPARATOR> \",\"\nI 1\n <RECODEABLE>\n <TOTCODE> Total\nJ 1\n <RECODEABLE>\n <TOTCODE> Total\nV 3\n <NUMERIC>\n",
		"a.arb": "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"I\"\"J\"|\"V\"||\n<SAFETYRULE> NK(1,90)\n<READMICRODATA>\n<SUPPRESS> OPT(1,1)\n" +
			"<WRITETABLE> (1,5,,\"o.tab\")\n",
		"j.toml": "inputs = [\"t.csv\"]\noutput = \"out\"\n[options]\nbelow = 3\nwidth = 3\n",
	}
	verbs := [][]string{
		{"suppress", "t.csv", "--below", "3", "--width", "3", "-o", "o.csv", "--status-file", "o.status.csv", "--save-policy", "o.toml", "-q"},
		{"ledger", "add", "book.toml", "p.csv", "--period", "1"},
		{"arb", "a.arb"},
		{"batch", "j.toml", "-q"},
		{"convert", "t.csv", "-o", "o.jj"},
	}
	files := func(dir string) map[string]string {
		all := map[string]string{}
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			name, _ := filepath.Rel(dir, path)
			if err == nil && !d.IsDir() && inputs[filepath.ToSlash(name)] == "" && !strings.HasSuffix(dir, name) {
				text, _ := os.ReadFile(path)
				all[name] = string(text)
			}
			return nil
		})
		return all
	}
	fresh := func() string {
		dir := t.TempDir()
		for name, text := range inputs {
			put(t, dir, name, text)
		}
		return dir
	}
	whole := make([]map[string]string, len(verbs))
	took := make([]time.Duration, len(verbs))
	for v, args := range verbs {
		dir, began := fresh(), time.Now()
		if out, err := process(dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
		took[v], whole[v] = time.Since(began), files(dir)
	}
	// what journals, logs and pages of jobs tell of times differs
	steady := func(name string) bool {
		return !strings.Contains(name, ".office") && !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".log")
	}
	struck := 0
	for k := range *kills {
		v := k % len(verbs)
		dir := fresh()
		cmd := process(dir, verbs[v]...)
		var said bytes.Buffer
		cmd.Stderr = &said
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(draw.Float64() * 1.1 * float64(took[v])))
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			struck++
		}
		for name, text := range files(dir) {
			if steady(name) && !strings.HasSuffix(name, ".part") && !strings.HasSuffix(name, ".lock") && text != whole[v][name] {
				t.Errorf("kill %d: %s: %s is half written", k, verbs[v][0], name)
			}
		}
		out, err := process(dir, verbs[v]...).CombinedOutput()
		if err != nil && !strings.Contains(string(out), "lists it already") {
			t.Errorf("kill %d: %s does not run again: %v: %s", k, verbs[v][0], err, out)
		}
		got := files(dir)
		if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(whole[v])); !slices.Equal(a, b) {
			t.Errorf("kill %d: %s: files %v, want %v", k, verbs[v][0], a, b)
		}
		for name, text := range got {
			if steady(name) && text != whole[v][name] {
				t.Errorf("kill %d: %s: %s is another", k, verbs[v][0], name)
			}
		}
	}
	t.Logf("%d runs of %s, %d killed before their end", *kills, runtime.GOOS, struck)
}

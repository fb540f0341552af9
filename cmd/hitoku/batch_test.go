package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/filetest"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
)

// batchTables is the number of tables of each size that TestBatchSurvivesKill protects;
// 1000 makes the 10,000 tables of docs/batch.md.
var batchTables = flag.Int("batch", heavy.Draws(12), "tables of each of ten sizes in TestBatchSurvivesKill")

const killJob = `
inputs = ["tables/*.csv"]
output = "out"
[options]
canonical = true
cost = "count"
[[override]]
match = "7x7*.csv"
options = { width = 5 }
`

// TestBatchSurvivesKill kills a batch five times at random with SIGKILL and goes on, each
// time with another number of workers. What is in the folders of results is then, byte for byte,
// what a run without interruption leaves, and what three shards do.
func TestBatchSurvivesKill(t *testing.T) {
	command := hitokuProcess(t)
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		out, err := command(dir, args...).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == int(cli.Verdict)) { // some tables cannot be protected
			t.Fatalf("hitoku %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "tables"), 0o777))
	for _, size := range []int{4, 5, 6, 7, 8, 10, 12, 14, 17, 20} {
		shape := fmt.Sprintf("%dx%d", size, size)
		run("generate", "--shape", shape, "--family", "n1510", "--count", fmt.Sprint(*batchTables), "-o", "tables/"+shape+".csv")
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "job.toml"), []byte(killJob), 0o666))
	out, office := filepath.Join(dir, "out"), filepath.Join(dir, "out.office")
	start := time.Now()
	run("batch", "job.toml", "--workers", "2")
	whole := time.Since(start)
	want := filetest.Results(t, out, office)
	if n := len(want); n < 10**batchTables*9/10 || want[filepath.Join(office, "results.jsonl")] == nil {
		t.Fatalf("only %d results", n)
	}
	again := func() {
		t.Helper()
		for _, dir := range []string{out, office} {
			must.Do(t, os.RemoveAll(dir))
		}
	}
	again()

	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 5 {
		cmd := command(dir, "batch", "job.toml", "--workers", fmt.Sprint(1+k%3))
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(rng.Float64() * float64(whole) / 5))
		cmd.Process.Kill()
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != -1 {
			t.Logf("run %d ended before it was killed: %v", k+1, err)
		}
	}
	run("batch", "job.toml")
	filetest.Same(t, "killed five times", filetest.Results(t, out, office), want)

	again()
	for _, shard := range []string{"3/3", "1/3", "2/3"} {
		run("batch", "--shard", shard, "job.toml")
	}
	run("batch", "merge", "job.toml")
	filetest.Same(t, "three shards", filetest.Results(t, out, office), want)
}

// hitokuProcess returns a function that makes commands running hitoku in a folder: this
// test program under that name.
func hitokuProcess(t *testing.T) func(dir string, args ...string) *exec.Cmd {
	self := must.Get(os.Executable())(t)
	link := filepath.Join(t.TempDir(), "hitoku")
	if err := os.Symlink(self, link); err != nil {
		t.Skip(err)
	}
	return func(dir string, args ...string) *exec.Cmd {
		cmd := exec.Command(link, args...)
		cmd.Dir = dir
		return cmd
	}
}

// A τ-ARGUS table is done again where its metadata have changed, and where a run was killed
// after the metadata of the output were written; a table that fails leaves no output.
func TestBatchOfArgusAgain(t *testing.T) {
	command := hitokuProcess(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("t.csv", "A,B,value,status\na,x,5,u\na,y,7,s\na,Total,12,s\nb,x,6,s\nb,y,9,s\nb,Total,15,s\nTotal,x,11,s\nTotal,y,16,s\nTotal,Total,27,s\n")
	write("job.toml", "inputs = [\"t.tab\"]\noutput = \"out\"\n[options]\nwidth = 3\n")
	for _, args := range [][]string{{"convert", "--lossy", "t.csv", "-o", "t.tab"}, {"batch", "job.toml"}} {
		if out, err := command(dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	rda := must.Get(os.ReadFile(filepath.Join(dir, "t.rda")))(t)
	write("t.rda", string(rda)+"\n")
	if out, err := command(dir, "batch", "job.toml").CombinedOutput(); err != nil {
		t.Errorf("other metadata: %v\n%s", err, out)
	}
	os.Remove(filepath.Join(dir, "out.office", "t.tab"))
	if out, err := command(dir, "batch", "job.toml").CombinedOutput(); err != nil {
		t.Errorf("after a kill: %v\n%s", err, out)
	}
	write("t.rda", "spoilt")
	if out, err := command(dir, "batch", "job.toml").CombinedOutput(); err == nil {
		t.Errorf("spoilt metadata: no error\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.office", "t.tab")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("spoilt metadata: output %v", err)
	}
}

package batch

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

const goodJob = `
inputs = ["a/*.csv", "b.csv"]
output = "out"
timeout = "90s"
memory = "1.5GB"

[options]
below = 5
gap = 0.01
canonical = true
hierarchy = ["R=r.hrc", "S=s.hrc"]

[[override]]
match = "big*.csv"
options = { below = 10, canonical = false }

[[override]]
match = "a"
options = { hierarchy = false }
`

func TestParseJob(t *testing.T) {
	j := must.Get(parseJob("job.toml", []byte("\ufeff"+goodJob)))(t)
	if j.Output != "out" || j.Timeout != 90*time.Second || j.Memory != 3<<29 || !slices.Equal(j.Inputs, []string{"a/*.csv", "b.csv"}) {
		t.Errorf("job %+v", j)
	}
	for input, want := range map[string][]string{
		"b.csv":      {"--below=5", "--canonical=true", "--gap=0.01", "--hierarchy=R=r.hrc", "--hierarchy=S=s.hrc"},
		"a/x.csv":    {"--below=5", "--canonical=true", "--gap=0.01"},
		"c/big1.csv": {"--below=10", "--gap=0.01", "--hierarchy=R=r.hrc", "--hierarchy=S=s.hrc"},
		"a/big1.csv": {"--below=10", "--gap=0.01"},
		"ab.csv":     {"--below=5", "--canonical=true", "--gap=0.01", "--hierarchy=R=r.hrc", "--hierarchy=S=s.hrc"},
	} {
		task := Task{Options: j.For(input)}
		if got := task.Args(); !slices.Equal(got, want) {
			t.Errorf("%s: options %q, wanted %q", input, got, want)
		}
	}
}

func TestBadJobs(t *testing.T) {
	const head = "inputs = [\"*.csv\"]\noutput = \"out\"\n"
	for text, want := range map[string]string{
		"":                           `j: inputs: want a list of files or patterns, like ["tables/*.csv"]`,
		"inputs = [\"a\"]":           `j: output: want a folder for the results`,
		"inputs = 3\noutput = \"x\"": `j: inputs: want a list in brackets`,
		"inputs = [\"a\"]\noutput = \"x\"\noptions = 3": "j: options: want keys with values below it",
		head + "outptu = 1":                             `j: outptu: no such key; want inputs, output, office, ledger, timeout, memory, options or override`,
		head + "timeout = \"soon\"":                     `j: timeout: "soon": want a time like 30s or 10m`,
		head + "memory = \"much\"":                      `j: memory: "much": want a size like 500MB or 4GB`,
		head + "[options]\nx = []":                      `j: options.x: an empty list; want values, or false for none`,
		head + "[options]\nx = [[1]]":                   `j: options.x: [1]: want a string, a number, true, false, or a list of strings and numbers`,
		head + "[[override]]":                           `j: override[1].match: "": want a pattern of inputs, like "big*.csv"`,
		head + "[options]\nbelow = 01":                  `j:4: Invalid integer "01": cannot have leading zeroes`,
		head + "[[override]]\nmatch=\"[\"":              `j: override[1].match: "[": want a pattern of inputs, like "big*.csv"`,
	} {
		_, err := parseJob("j", []byte(text))
		var fault *JobError
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%q: error %q, wanted %q", text, err, want)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []string{"a/1.csv", "a/2.csv", "a/3.csv", "b.csv", "../outside.csv"} {
		must.Do(t, os.MkdirAll(filepath.Dir(f), 0o777))
		must.Do(t, os.WriteFile(f, []byte(f), 0o666))
	}
	j := &Job{File: "j", Inputs: []string{"a/*", "b.csv", "a/1.csv", "../outside.csv"}, Output: "out"}
	all := must.Get(j.Plan(Shard{}))(t)
	want := map[string]string{"a/1.csv": "out/a/1.csv", "a/2.csv": "out/a/2.csv", "a/3.csv": "out/a/3.csv", "b.csv": "out/b.csv", "../outside.csv": "out/outside.csv"}
	got := map[string]string{}
	for _, task := range all {
		got[filepath.ToSlash(task.Input)] = filepath.ToSlash(task.Output)
	}
	if !maps.Equal(got, want) {
		t.Errorf("plan %v, wanted %v", got, want)
	}
	var parts []int
	for i := range 3 {
		part := must.Get(j.Plan(Shard{i + 1, 3}))(t)
		for _, task := range part {
			if task.Input != all[task.N].Input {
				t.Errorf("task %d of part %d is %s, wanted %s", task.N, i+1, task.Input, all[task.N].Input)
			}
			parts = append(parts, task.N)
		}
	}
	slices.Sort(parts)
	if !slices.Equal(parts, []int{0, 1, 2, 3, 4}) {
		t.Errorf("parts hold tasks %v", parts)
	}
	for name, bad := range map[string]*Job{
		`j: inputs: "none*": no such file`:                                 {File: "j", Inputs: []string{"none*"}, Output: "out"},
		`j: inputs: no files, only folders`:                                {File: "j", Inputs: []string{"a"}, Output: "out"},
		`j: output: b.csv would be overwritten`:                            {File: "j", Inputs: []string{"b.csv"}, Output: "."},
		`j: output: b.csv and ../b.csv would both be written to out/b.csv`: {File: "j", Inputs: []string{"b.csv", "../b.csv"}, Output: "out"},
	} {
		must.Do(t, os.WriteFile("../b.csv", nil, 0o666))
		if _, err := bad.Plan(Shard{}); err == nil || err.Error() != filepath.FromSlash(name) {
			t.Errorf("error %q, wanted %q", err, name)
		}
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("2/8"); err != nil || s != (Shard{2, 8}) {
		t.Errorf("2/8: %v, %v", s, err)
	}
	for _, bad := range []string{"", "2", "0/8", "9/8", "2/8x", " 2/8", "-1/2", "02/8"} {
		if s, err := ParseShard(bad); err == nil {
			t.Errorf("%q: %v, wanted an error", bad, s)
		}
	}
}

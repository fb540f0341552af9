package batch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// lay makes files in a new working directory called job.
func lay(t *testing.T, files ...string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "job")
	must.Do(t, os.Mkdir(dir, 0o777))
	t.Chdir(dir)
	for _, f := range files {
		os.MkdirAll(filepath.Dir(f), 0o777)
		must.Do(t, os.WriteFile(f, []byte(f), 0o666))
	}
}

// An output is removed before its table is done: it must not be an input, by no name.
func TestPlanKeepsInputs(t *testing.T) {
	lay(t, "tables/a.csv", "tables/done/b.csv", "../else/a.csv", "../else/index.html", "../job.office/y.csv", "x.csv")
	if err := os.Symlink("tables", "link"); err != nil {
		t.Skip(err)
	}
	must.Do(t, os.Symlink("../../else", "tables/else"))
	here := must.Get(os.Getwd())(t)
	for _, c := range []struct {
		inputs []string
		output string
		want   string
	}{
		{[]string{"../job/tables/a.csv"}, "tables", "../job/tables/a.csv would be overwritten"},
		{[]string{here + "/tables/a.csv"}, "link", here + "/tables/a.csv would be overwritten"},
		{[]string{"../else/a.csv", "link/a.csv"}, "tables", "link/a.csv would be overwritten"},
		{[]string{"../else/a.csv"}, "tables/else", "../else/a.csv would be overwritten"},
		{[]string{"tables/*/*.csv"}, "tables/done", "tables/done/b.csv is an input in the folder of results"},
		{[]string{"../else/index.html"}, "out", "out/index.html is a file of the job itself; an input cannot be called so"},
		{[]string{"x.csv", "../job.office/y.csv"}, ".", "../job.office/y.csv is an input in the folder of results"},
		{[]string{"tables/*.csv", "x.csv"}, "..", ""},
		{[]string{"tables/*.csv", "x.csv"}, "out", ""},
	} {
		_, err := (&Job{File: "j", Inputs: c.inputs, Output: c.output}).Plan(Shard{})
		if got := text(err); got != c.want && got != "j: output: "+c.want {
			t.Errorf("%q → %s: %q, wanted %q", c.inputs, c.output, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPlanTakesNamesWithBrackets(t *testing.T) {
	lay(t, "表 一[1].csv")
	tasks, err := (&Job{File: "j", Inputs: []string{"表 一[1].csv"}, Output: "out"}).Plan(Shard{})
	if err != nil || len(tasks) != 1 || tasks[0].Output != filepath.Join("out", "表 一[1].csv") {
		t.Errorf("%+v, %v", tasks, err)
	}
}

// An override that matches nothing is a rule that does not hold; a shard without such inputs is fine.
func TestPlanWantsOverridesToMatch(t *testing.T) {
	lay(t, "a.csv", "b.csv")
	j := &Job{File: "j", Inputs: []string{"*.csv"}, Output: "out", Override: []Override{{Match: "a.csv"}, {Match: "tabels/*.csv"}}}
	if _, err := j.Plan(Shard{}); text(err) != `j: override[2].match: "tabels/*.csv": no input matches` {
		t.Errorf("%v", err)
	}
	j.Override = j.Override[:1]
	if _, err := j.Plan(Shard{2, 2}); err != nil {
		t.Error(err)
	}
}

// The metadata of a τ-ARGUS table and the files that they name are content of its task.
func TestFilesOfArgus(t *testing.T) {
	lay(t, "in/t.tab", "in/r.hrc", "in/r.cdl", "meta.rda")
	rda := "<SEPARATOR> \";\"\nR\n <RECODEABLE>\n <CODELIST> \"r.cdl\"\n <HIERARCHICAL>\n <HIERCODELIST> \"r.hrc\"\n <HIERLEADSTRING> \"@\"\nV\n <NUMERIC>\n"
	must.Do(t, os.WriteFile("in/T.RDA", []byte(rda), 0o666))
	task := &Task{Input: "in/t.tab"}
	if got := strings.Join(task.Files(), " "); got != "in/t.tab in/T.RDA in/r.cdl in/r.hrc" {
		t.Errorf("files %s", got)
	}
	task.Options = map[string][]string{"meta": {"meta.rda"}}
	if got := task.Files(); !slices.Equal(got, []string{"in/t.tab", "meta.rda"}) {
		t.Errorf("with --meta: %q", got)
	}
}

// An input that cannot be read leaves no older output behind, and one line in the journal.
func TestUnreadLeavesNoOutput(t *testing.T) {
	tasks := folder(t, 2)
	if _, _, err := run(t, t.Context(), tasks, Options{Do: double}); err != nil {
		t.Fatal(err)
	}
	os.Remove(tasks[1].Input)
	for range 2 {
		if calls, _, err := run(t, t.Context(), tasks, Options{Do: double}); err != nil || calls != 0 {
			t.Errorf("%d calls, %v", calls, err)
		}
	}
	if _, err := os.Stat(tasks[1].Output); !os.IsNotExist(err) {
		t.Errorf("%s is still there", tasks[1].Output)
	}
	journal, err := os.ReadFile("out.office/journal.jsonl")
	if n := strings.Count(string(journal), "\n"); err != nil || n != 3 {
		t.Errorf("%d lines in the journal, wanted 3: %v", n, err)
	}
}

// Half a line, as a full disk leaves, does not come between two whole ones.
func TestJournalAfterHalfALine(t *testing.T) {
	t.Chdir(t.TempDir())
	j, err := OpenJournal("out.office", Shard{})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, j.add(&Entry{Key: "a"}))
	must.Get(j.f.WriteAt([]byte(`{"key":`), j.end))(t)
	for _, key := range []string{"b", "c"} {
		must.Do(t, j.add(&Entry{Key: key}))
	}
	j.Close()
	if j, err = OpenJournal("out.office", Shard{}); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if len(j.done) != 3 {
		t.Errorf("%d entries, wanted 3", len(j.done))
	}
}

// What is not to be published stands in a folder of its own, which is not one that is.
func TestOfficeStandsApart(t *testing.T) {
	lay(t, "a.csv", "b.jj", "c.tab", "d.jj.gz", "e.csv", "f.csv", "x.csv", "published/sub/index.html", "old/index.html", "older/results.jsonl", "oldest/journal-1-of-2.jsonl")
	j := &Job{File: "j", Inputs: []string{"*.csv", "*.jj", "*.tab", "*.gz"}, Output: "out", Override: []Override{
		{Match: "e.csv", Options: map[string][]string{"flag": {"true"}}}, {Match: "f.csv", Options: map[string][]string{"from": {"tauargus"}}}}}
	tasks := must.Get(j.Plan(Shard{}))(t)
	for _, task := range tasks {
		want := filepath.Join("out.office", task.Input)
		if task.Input == "a.csv" || task.Input == "x.csv" {
			want = filepath.Join("out", task.Input)
		}
		if task.Output != want {
			t.Errorf("%s goes to %s, wanted %s", task.Input, task.Output, want)
		}
	}
	here := must.Get(os.Getwd())(t)
	for _, c := range []struct{ output, office, want string }{
		{"out", "secret/x", ""},
		{"out", "out", "out: want a folder that is neither in nor around that of what is published, out"},
		{"out", "out/office", "out/office: want a folder that is neither in nor around that of what is published, out"},
		{"out", here + "/out/office", here + "/out/office: want a folder that is neither in nor around that of what is published, out"},
		{"out", ".", ".: want a folder that is neither in nor around that of what is published, out"},
		{"out", "../elsewhere", ""},
	} {
		_, err := (&Job{File: "j", Inputs: []string{"x.csv"}, Output: c.output, Office: c.office}).Plan(Shard{})
		if got := strings.TrimPrefix(text(err), "j: office: "); got != c.want {
			t.Errorf("%s beside %s: %q, wanted %q", c.office, c.output, got, c.want)
		}
	}
	// What earlier versions left where it is published is refused; another index is nobody's business.
	for name, text := range map[string]string{"old/index.html": "<!DOCTYPE html>\n<title>hitoku batch job.toml</title>", "older/results.jsonl": `{"input":"x"}`, "oldest/journal-1-of-2.jsonl": `{"key":"0"}`} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
		_, err := (&Job{File: "j", Inputs: []string{"x.csv"}, Output: filepath.Dir(name)}).Plan(Shard{})
		if err == nil || !strings.HasPrefix(err.Error(), "j: output: "+name+" tells costs") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&Job{File: "j", Inputs: []string{"x.csv"}, Output: "published/sub"}).Plan(Shard{}); err != nil {
		t.Error(err)
	}
}

// A hierarchy beside a table that hitoku suppress takes without being told is content of its task; that
// of another table is not.
func TestTreesBesideAreFiles(t *testing.T) {
	lay(t, "in/t.csv", "in/t.R.hrc", "in/t.hrc", "in/R.hrc", "in/u.csv.gz", "in/u.R.hrc", "in/v.w.csv", "in/v.w.R.hrc", "in/x.jj", "in/S.T.hrc", "in/sub/Q.hrc")
	tasks := must.Get((&Job{Inputs: []string{"in/*.csv", "in/*.gz", "in/*.jj"}, Output: "out"}).Plan(Shard{}))(t)
	want := []string{"in/t.csv in/t.R.hrc in/R.hrc in/S.T.hrc in/t.hrc", "in/v.w.csv in/v.w.R.hrc in/R.hrc in/S.T.hrc in/t.hrc", "in/u.csv.gz in/u.R.hrc in/R.hrc in/S.T.hrc in/t.hrc", "in/x.jj"}
	for k, task := range tasks {
		if got := strings.Join(task.Files(), " "); got != want[k] {
			t.Errorf("files %s, wanted %s", got, want[k])
		}
	}
}

// The fields of a policy are options of the tables, which a flag of the job or of an override holds before; what
// an override takes away of them is gone.
func TestPlanPolicy(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"a.csv": "", "b.csv": "",
		"office.toml": "below = 5\nwidth = 8\ndominance = [\"1,80\", \"2,90\"]\nmethod = \"auto\"\n",
		"job.toml":    "inputs = [\"*.csv\"]\noutput = \"out\"\n[options]\npolicy = \"office.toml\"\nbelow = 7\n[[override]]\nmatch = \"b.csv\"\noptions = { width = false, cost = \"count\" }\n",
		"bad.toml":    "inputs = [\"*.csv\"]\noutput = \"out\"\n[options]\npolicy = \"none.toml\"\n",
	} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	job, err := ReadJob("job.toml")
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := job.Plan(Shard{})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]string{
		{"--below=7", "--dominance=1,80", "--dominance=2,90", "--width=8"},
		{"--below=7", "--cost=count", "--dominance=1,80", "--dominance=2,90"},
	} {
		if got := tasks[k].Args(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", tasks[k].Input, got, want)
		}
	}
	if job, err = ReadJob("bad.toml"); err != nil {
		t.Fatal(err)
	}
	var fault *JobError
	if _, err := job.Plan(Shard{}); !errors.As(err, &fault) || fault.Key != "options.policy" {
		t.Errorf("error %v", err)
	}
	// In the message of a fleet no policy can lead to other files.
	for _, name := range []string{"policy", "save-policy"} {
		if (&Task{Options: map[string][]string{name: {"office.toml"}}}).CheckFlags() == nil {
			t.Errorf("a task may have --%s", name)
		}
	}
}

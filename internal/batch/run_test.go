package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
)

// folder makes n inputs in a new working directory and returns the plan for them.
func folder(t *testing.T, n int) []*Task {
	t.Helper()
	t.Chdir(t.TempDir())
	must.Do(t, os.Mkdir("in", 0o777))
	for k := range n {
		must.Do(t, os.WriteFile(fmt.Sprintf("in/%03d", k), []byte(fmt.Sprint(k)), 0o666))
	}
	return plan(t)
}

func plan(t *testing.T) []*Task {
	t.Helper()
	return must.Get((&Job{Inputs: []string{"in/*"}, Output: "out", Options: map[string][]string{}}).Plan(Shard{}))(t)
}

// double is work that writes its input twice.
func double(_ context.Context, _ int, task *Task) Result {
	b, err := os.ReadFile(task.Input)
	if err != nil {
		return Result{Exit: exitUsage, Why: err.Error()}
	}
	os.MkdirAll(filepath.Dir(task.Output), 0o777)
	if err := os.WriteFile(task.Output, append(b, b...), 0o666); err != nil {
		return Result{Exit: exitUsage, Why: err.Error()}
	}
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return Result{Exit: exitUsage, Why: err.Error()}
	}
	return Result{Wrote: true, Report: &document.BatchReport{Suppression: document.Suppression{Cells: n}}}
}

// run runs the tasks and returns how many were done, and the results.
func run(t *testing.T, ctx context.Context, tasks []*Task, o Options) (calls int, results string, err error) {
	t.Helper()
	j, err := OpenJournal("out.office", Shard{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var n atomic.Int64
	do := o.Do
	o.Do = func(ctx context.Context, w int, task *Task) Result {
		n.Add(1)
		return do(ctx, w, task)
	}
	err = Run(ctx, tasks, j, o)
	entries, _ := must.Two(Merge(tasks, "out.office", o.Version))(t)
	var b bytes.Buffer
	must.Do(t, WriteResults(&b, entries))
	return int(n.Load()), b.String(), err
}

func TestRunOnce(t *testing.T) {
	tasks := folder(t, 20)
	calls, first, err := run(t, t.Context(), tasks, Options{Do: double, Workers: 3})
	if err != nil || calls != 20 || strings.Count(first, "\n") != 20 {
		t.Fatalf("%d calls, %v\n%s", calls, err, first)
	}
	// Nothing has changed: nothing is done. Then one input, one output and the version are.
	if calls, again, err := run(t, t.Context(), plan(t), Options{Do: double}); err != nil || calls != 0 || again != first {
		t.Errorf("again: %d calls, %v\n%s", calls, err, again)
	}
	os.WriteFile("in/003", []byte("77"), 0o666)
	os.WriteFile("out/in/005", []byte("spoilt"), 0o666)
	os.Remove("out/in/006")
	calls, changed, err := run(t, t.Context(), plan(t), Options{Do: double})
	if err != nil || calls != 3 || changed == first {
		t.Errorf("changed: %d calls, %v\n%s", calls, err, changed)
	}
	if calls, _, err := run(t, t.Context(), plan(t), Options{Do: double, Version: "2"}); err != nil || calls != 20 {
		t.Errorf("version: %d calls, %v", calls, err)
	}
}

func TestNamedFilesAreContent(t *testing.T) {
	tasks := folder(t, 3)
	os.WriteFile("tree.hrc", []byte("a"), 0o666)
	with := func() []*Task {
		for _, task := range tasks {
			task.Options = map[string][]string{"hierarchy": {"R=tree.hrc"}}
		}
		return tasks
	}
	run(t, t.Context(), with(), Options{Do: double})
	if calls, _, _ := run(t, t.Context(), with(), Options{Do: double}); calls != 0 {
		t.Errorf("%d calls though nothing has changed", calls)
	}
	os.WriteFile("tree.hrc", []byte("b"), 0o666)
	if calls, _, _ := run(t, t.Context(), with(), Options{Do: double}); calls != 3 {
		t.Errorf("%d calls after the tree changed, wanted 3", calls)
	}
}

func TestInterruptedGoesOn(t *testing.T) {
	tasks := folder(t, 30)
	_, want := must.Two(run(t, t.Context(), tasks, Options{Do: double}))(t)
	os.RemoveAll("out")
	os.RemoveAll("out.office")
	total := 0
	for try := 0; ; try++ {
		ctx, stop := context.WithCancel(t.Context())
		var n atomic.Int64
		calls, got, err := run(t, ctx, plan(t), Options{Workers: 1 + try%3, Do: func(ctx context.Context, w int, task *Task) Result {
			if n.Add(1) == 7 {
				stop()
				return Result{Exit: exitLimit} // as work does that is interrupted
			}
			return double(ctx, w, task)
		}})
		stop()
		total += calls
		if err == nil {
			if got != want {
				t.Errorf("results\n%swanted\n%s", got, want)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || try > 10 {
			t.Fatalf("try %d: %v", try, err)
		}
	}
	if total > 45 {
		t.Errorf("%d calls for 30 tasks", total)
	}
}

// A torn last line is what a kill leaves. It and lines that something else has changed do not count, and are
// named; the others do.
func TestTornJournal(t *testing.T) {
	tasks := folder(t, 5)
	_, want, _ := run(t, t.Context(), tasks, Options{Do: double})
	path := filepath.Join("out.office", "journal.jsonl")
	whole := must.Get(os.ReadFile(path))(t)
	lines := bytes.SplitAfter(whole, []byte("\n"))[:5]
	last := len(lines[4])
	for name, c := range map[string]struct {
		text  []byte
		bad   []int
		calls int
	}{
		"line feed":     {whole[:len(whole)-1], []int{5}, 1},
		"half a line":   {whole[:len(whole)-last/2], []int{5}, 1},
		"one byte left": {whole[:len(whole)-last+1], []int{5}, 1},
		"no entry":      {append([]byte("{}\n"), whole...), []int{1}, 0},
		"empty line":    {append([]byte("\n"), whole...), []int{1}, 0},
		"no check":      {bytes.Join([][]byte{lines[0][:bytes.LastIndex(lines[0], []byte(`,"check"`))], []byte("}\n"), whole[len(lines[0]):]}, nil), []int{1}, 1},
		"one digit":     {bytes.Replace(whole, []byte(`"exit":0`), []byte(`"exit":1`), 1), nil, 1},
		"a bit":         {flip(whole, len(lines[0])+len(lines[1])/2), []int{2}, 1},
		"a line feed":   {flip(whole, len(lines[0])-1), []int{1}, 2},
		"in two":        {append(slices.Clone(whole[:20]), append([]byte("\n"), whole[20:]...)...), []int{1, 2}, 1},
	} {
		must.Do(t, os.WriteFile(path, c.text, 0o666))
		if c.bad == nil { // the line that has the first
			c.bad = []int{1}
		}
		j, err := OpenJournal("out.office", Shard{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var bad []int
		for _, b := range j.Bad() {
			if bad = append(bad, b.Line); b.Message().String() != fmt.Sprintf("%s:%d: a line that is torn or was changed; it does not count", path, b.Line) {
				t.Errorf("%s: %v", name, b)
			}
		}
		j.Close()
		if !slices.Equal(bad, c.bad) {
			t.Errorf("%s: bad lines %v, wanted %v", name, bad, c.bad)
		}
		calls, got, err := run(t, t.Context(), plan(t), Options{Do: double})
		if err != nil || calls != c.calls || got != want {
			t.Errorf("%s: %d calls, wanted %d; %v\n%s", name, calls, c.calls, err, got)
		}
	}
}

// flip changes a byte.
func flip(text []byte, at int) []byte {
	text = slices.Clone(text)
	text[at] ^= 1
	return text
}

// Of two lines of one key the later one holds, also where the clock was put back, and where the earlier one
// stands in a journal that is read later.
func TestLaterLineWins(t *testing.T) {
	tasks := folder(t, 1)
	if _, _, err := run(t, t.Context(), tasks, Options{Do: func(context.Context, int, *Task) Result { return Result{Exit: 1, Why: "first"} }}); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join("out.office", "journal.jsonl")
	must.Do(t, os.Rename(first, filepath.Join("out.office", "journal-9-of-9.jsonl")))
	j := must.Get(OpenJournal("out.office", Shard{1, 2}))(t)
	for _, why := range []string{"second", "third"} { // by a clock that goes backwards
		ended := time.Now().Add(-time.Hour * time.Duration(len(why)))
		must.Do(t, j.add(&Entry{Key: tasks[0].Key, Input: tasks[0].Input, Exit: 1, Why: why, Ended: ended}))
	}
	j.Close()
	entries, _, err := Merge(plan(t), "out.office", "")
	if err != nil || entries[0] == nil || entries[0].Why != "third" {
		t.Fatalf("%+v, %v: wanted the third", entries[0], err)
	}
	// Two journals put together in the wrong order tell the same.
	var all []byte
	for _, name := range []string{"journal-1-of-2.jsonl", "journal-9-of-9.jsonl"} {
		b := must.Get(os.ReadFile(filepath.Join("out.office", name)))(t)
		all = append(all, b...)
		os.Remove(filepath.Join("out.office", name))
	}
	must.Do(t, os.WriteFile(first, all, 0o600))
	if entries, _, err = Merge(plan(t), "out.office", ""); err != nil || entries[0] == nil || entries[0].Why != "third" {
		t.Errorf("put together: %+v, %v: wanted the third", entries[0], err)
	}
}

// A full disk is no fault of a table: the run stops, nothing is noted of the table, and a later run goes on.
func TestFullDiskStopsTheRun(t *testing.T) {
	tasks := folder(t, 6)
	full := fmt.Errorf("out/in/002: %w", machineErrors[0])
	calls, got, err := run(t, t.Context(), tasks, Options{Workers: 1, Do: func(ctx context.Context, w int, task *Task) Result {
		if task.N == 2 {
			return Result{Exit: exitUsage, Why: full.Error(), Fault: full}
		}
		return double(ctx, w, task)
	}})
	if calls != 3 || !errors.Is(err, machineErrors[0]) || strings.Count(got, "\n") != 2 {
		t.Fatalf("%d calls, %v\n%s", calls, err, got)
	}
	calls, got, err = run(t, t.Context(), plan(t), Options{Do: double})
	if calls != 4 || err != nil || strings.Count(got, `"exit":0`) != 6 {
		t.Errorf("again: %d calls, %v\n%s", calls, err, got)
	}
}

func TestOfMachine(t *testing.T) {
	if OfMachine(nil) || OfMachine(os.ErrNotExist) || !OfMachine(&os.PathError{Op: "write", Path: "x", Err: machineErrors[0]}) {
		t.Error("OfMachine")
	}
}

// A table is known by what its files held while it was done: if one has changed meanwhile it is done again.
func TestInputChangesMeanwhile(t *testing.T) {
	for _, age := range []time.Duration{0, time.Hour} { // a time of change that tells nothing yet, and one that does
		tasks := folder(t, 2)
		old := time.Now().Add(-age)
		for _, task := range tasks {
			must.Do(t, os.Chtimes(task.Input, old, old))
		}
		first := true
		calls, got, err := run(t, t.Context(), tasks, Options{Workers: 1, Do: func(ctx context.Context, w int, task *Task) Result {
			if task.N == 1 && first {
				first = false
				r := double(ctx, w, task)
				os.WriteFile(task.Input, []byte("8"), 0o666) // of the same size
				if age == 0 {
					os.Chtimes(task.Input, old, old)
				}
				return r
			}
			return double(ctx, w, task)
		}})
		if err != nil || calls != 3 || !strings.Contains(got, `"cells":8,`) {
			t.Errorf("%v: %d calls, %v\n%s", age, calls, err, got)
		}
		if calls, again, _ := run(t, t.Context(), plan(t), Options{Do: double}); calls != 0 || again != got {
			t.Errorf("%v: again %d calls\n%s", age, calls, again)
		}
	}
	// One that changes all the time is left for later, without an output.
	tasks := folder(t, 1)
	n := 0
	calls, got, err := run(t, t.Context(), tasks, Options{Do: func(ctx context.Context, w int, task *Task) Result {
		n++
		os.WriteFile(task.Input, []byte(fmt.Sprint(100+n)), 0o666)
		return double(ctx, w, task)
	}})
	if err != nil || calls != 3 || got != "" {
		t.Errorf("%d calls, %v\n%s", calls, err, got)
	}
	if _, err := os.Stat(tasks[0].Output); !os.IsNotExist(err) {
		t.Errorf("output: %v", err)
	}
}

// What stands beside an output is part of it.
func TestFilesBesideAreHashed(t *testing.T) {
	lay(t, "t.tab", "t.rda")
	rda := "<SEPARATOR> \";\"\nR\n <RECODEABLE>\n <HIERARCHICAL>\n <HIERCODELIST> \"t_R.hrc\"\n <HIERLEADSTRING> \"@\"\nV\n <NUMERIC>\n"
	do := func(_ context.Context, _ int, task *Task) Result {
		dir := filepath.Dir(task.Output)
		for name, text := range map[string]string{"t.tab": "R;1", "t.rda": rda, "t_R.hrc": "a"} {
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
		}
		return Result{Wrote: true}
	}
	again := func() (int, string) {
		t.Helper()
		tasks := must.Get((&Job{Inputs: []string{"t.tab"}, Output: "out"}).Plan(Shard{}))(t)
		calls, got := must.Two(run(t, t.Context(), tasks, Options{Do: do}))(t)
		return calls, got
	}
	calls, want := again()
	if calls != 1 || !strings.Contains(want, `"beside":[{"path":"out.office/t.rda","sha256":"`) || !strings.Contains(want, `{"path":"out.office/t_R.hrc","sha256":"`) {
		t.Fatalf("%d calls\n%s", calls, want)
	}
	for _, name := range []string{"", "t.tab", "t.rda", "t_R.hrc"} {
		if name != "" {
			must.Do(t, os.WriteFile(filepath.Join("out.office", name), []byte("spoilt"), 0o666))
		}
		if calls, got := again(); calls != min(1, len(name)) || got != want {
			t.Errorf("%s spoilt: %d calls\n%s", name, calls, got)
		}
	}
}

func TestJournalIsLocked(t *testing.T) {
	t.Chdir(t.TempDir())
	j, err := OpenJournal("out.office", Shard{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal("out.office", Shard{}); !errors.Is(err, ErrBusy) {
		t.Errorf("second: %v, wanted %v", err, ErrBusy)
	}
	if other, err := OpenJournal("out.office", Shard{1, 2}); err != nil {
		t.Errorf("other shard: %v", err)
	} else {
		other.Close()
	}
	j.Close()
	if j, err = OpenJournal("out.office", Shard{}); err != nil {
		t.Errorf("after Close: %v", err)
	} else {
		j.Close()
	}
}

func TestTimeout(t *testing.T) {
	tasks := folder(t, 3)
	slow := func(ctx context.Context, w int, task *Task) Result {
		if task.N != 1 {
			return double(ctx, w, task)
		}
		<-ctx.Done()
		return Result{Exit: exitLimit}
	}
	o := Options{Do: slow, Timeout: 20 * time.Millisecond}
	_, got, err := run(t, t.Context(), tasks, o)
	if want := `"input":"in/001","exit":3,"why":"stopped after 20ms"}`; err != nil || !strings.Contains(got, want) {
		t.Errorf("%v\n%swanted a line %s", err, got, want)
	}
	if calls, _, _ := run(t, t.Context(), plan(t), o); calls != 0 {
		t.Errorf("%d calls for tasks that are settled", calls)
	}
	o.Do, o.Retry = double, true
	if calls, got, _ := run(t, t.Context(), plan(t), o); calls != 1 || strings.Contains(got, "stopped") {
		t.Errorf("retry: %d calls\n%s", calls, got)
	}
}

// Tasks that are too large together are done one after another; one that is too
// large alone is given up.
func TestMemoryGuard(t *testing.T) {
	tasks := folder(t, 4)
	var mu sync.Mutex
	var alive [][]byte
	tries := map[int]int{}
	hungry := func(ctx context.Context, w int, task *Task) Result {
		size := 40 << 20
		if task.N == 3 {
			size = 200 << 20
		}
		b := make([]byte, size)
		mu.Lock()
		tries[task.N]++
		alive = append(alive, b)
		mu.Unlock()
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			alive = slices.DeleteFunc(alive, func(a []byte) bool { return &a[0] == &b[0] })
		}()
		hold := 300 * time.Millisecond
		if task.N == 3 {
			hold = time.Minute // until it is stopped, however late it is measured
		}
		select {
		case <-ctx.Done():
			return Result{Exit: exitLimit}
		case <-time.After(hold):
		}
		return double(ctx, w, task)
	}
	_, got := must.Two(run(t, t.Context(), tasks, Options{Do: hungry, Workers: 3, Memory: 100 << 20}))(t)
	if want := `"input":"in/003","exit":3,"why":"more memory than 100 MB"}`; !strings.Contains(got, want) || strings.Count(got, `"exit":0`) != 3 {
		t.Errorf("%swanted three done and %s", got, want)
	}
	if tries[3] < 1 {
		t.Errorf("tries %v", tries)
	}
}

func TestUnreadInput(t *testing.T) {
	tasks := folder(t, 2)
	os.Remove("in/001")
	_, got, err := run(t, t.Context(), tasks, Options{Do: double})
	if want := `"input":"in/001","exit":2,"why":"open in/001: no such file or directory"}`; err != nil || !strings.Contains(got, want) {
		t.Errorf("%v\n%swanted %s", err, got, want)
	}
}

// Tasks of a job with a ledger are done one after another: behind one without an output they wait, and behind one that is done again they are done again.
func TestChain(t *testing.T) {
	folder(t, 5)
	tasks := func() []*Task {
		all := must.Get((&Job{Inputs: []string{"in/*"}, Output: "out", Ledger: "ledger.toml", Options: map[string][]string{}}).Plan(Shard{}))(t)
		for _, task := range all {
			task.Stated = "what is published"
		}
		return all
	}
	var order []int
	begun := 0
	o := Options{Workers: 3, Begin: func(*Task) error { begun++; return nil }, Do: func(ctx context.Context, w int, task *Task) Result {
		order = append(order, task.N) // one worker
		return double(ctx, w, task)
	}}
	if calls, _, err := run(t, t.Context(), tasks(), o); err != nil || calls != 5 || begun != 5 || !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
		t.Fatalf("%d calls, %d begun, order %v: %v", calls, begun, order, err)
	}
	if calls, _, err := run(t, t.Context(), tasks(), o); err != nil || calls != 0 {
		t.Errorf("%d calls, want none: %v", calls, err)
	}
	write := func(k int, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(fmt.Sprintf("in/%03d", k), []byte(text), 0o666))
	}
	write(2, "no number")
	order = nil
	if calls, _, err := run(t, t.Context(), tasks(), o); err != nil || calls != 1 {
		t.Errorf("%d calls, want 1, as the others wait: %v", calls, err)
	}
	if calls, _, err := run(t, t.Context(), tasks(), o); err != nil || calls != 0 {
		t.Errorf("%d calls, want none, as nothing has changed: %v", calls, err)
	}
	write(2, "7")
	order = nil
	if _, _, err := run(t, t.Context(), tasks(), o); err != nil || !slices.Equal(order, []int{2, 3, 4}) {
		t.Errorf("order %v: %v", order, err)
	}
	must.Do(t, os.Remove("out/in/001"))
	order = nil
	if _, _, err := run(t, t.Context(), tasks(), o); err != nil || !slices.Equal(order, []int{1, 2, 3, 4}) {
		t.Errorf("order %v: %v", order, err)
	}
	o.Begin = func(*Task) error { return errors.New("refused") }
	write(0, "8")
	if calls, _, err := run(t, t.Context(), tasks(), o); err == nil || calls != 0 {
		t.Errorf("%d calls, want a refusal: %v", calls, err)
	}
	if _, err := (&Job{Inputs: []string{"in/*"}, Output: "out", Ledger: "l", Options: map[string][]string{}}).Plan(Shard{1, 2}); err == nil {
		t.Error("shards of a job with a ledger")
	}
}

package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// folder makes n inputs in a new working directory and returns the plan for them.
func folder(t *testing.T, n int) []*Task {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		if err := os.WriteFile(fmt.Sprintf("in/%03d", k), []byte(fmt.Sprint(k)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return plan(t)
}

func plan(t *testing.T) []*Task {
	t.Helper()
	tasks, err := (&Job{Inputs: []string{"in/*"}, Output: "out", Options: map[string][]string{}}).Plan(Shard{})
	if err != nil {
		t.Fatal(err)
	}
	return tasks
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
	return Result{Wrote: true, Report: []byte(`{"n":` + string(b) + `}`)}
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
	entries, _, merr := Merge(tasks, "out.office", o.Version)
	if merr != nil {
		t.Fatal(merr)
	}
	var b bytes.Buffer
	if err := WriteResults(&b, entries); err != nil {
		t.Fatal(err)
	}
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
	_, want, err := run(t, t.Context(), tasks, Options{Do: double})
	if err != nil {
		t.Fatal(err)
	}
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

// A torn last line is what a kill leaves; anything else in the middle is no journal.
func TestTornJournal(t *testing.T) {
	tasks := folder(t, 5)
	run(t, t.Context(), tasks, Options{Do: double})
	path := filepath.Join("out.office", "journal.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for _, cut := range []int{1, (len(whole) - last) / 2, len(whole) - last - 1} {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o666); err != nil {
			t.Fatal(err)
		}
		calls, got, err := run(t, t.Context(), plan(t), Options{Do: double})
		if err != nil || calls != 1 || strings.Count(got, "\n") != 5 {
			t.Errorf("cut by %d: %d calls, %v\n%s", cut, calls, err, got)
		}
	}
	if err := os.WriteFile(path, append([]byte("{}\n"), whole...), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal("out.office", Shard{}); err == nil || err.Error() != path+`: a line that is no entry: "{}"` {
		t.Errorf("spoilt journal: %v", err)
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
	_, got, err := run(t, t.Context(), tasks, Options{Do: hungry, Workers: 3, Memory: 100 << 20})
	if err != nil {
		t.Fatal(err)
	}
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

package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A Result is the outcome of a piece of work. Exit is 0, or the exit code that the command would have ended
// with, and Why then gives the reason in words. Report describes the result and must not depend on time; nil
// for none.
type Result struct {
	Exit   int
	Why    string
	Said   string // Why in the language of Options
	Report *document.BatchReport
	// Altered takes the place of Report where the task rounded or adjusted its table.
	Altered *document.BatchAltered
	Wrote   bool     // the output has been written, whole
	Beside  []string // files written beside it, apart from those that belong to its format
	// Fault, if set, is the fault of the machine and not of the task, see OfMachine: the task is not done, and
	// the run stops.
	Fault error
}

// Exit codes of entries that the package itself makes.
const (
	exitUsage = 2 // the input cannot be read
	exitLimit = 3 // timeout, memory
)

// Options say how to run a plan.
type Options struct {
	// Do does a task on behalf of worker, 0 ≤ worker < Workers, and returns soon after ctx ends. Calls for one
	// worker do not overlap.
	Do      func(ctx context.Context, worker int, t *Task) Result
	Workers int           // 0: GOMAXPROCS
	Timeout time.Duration // limit for one task; 0: none
	Memory  int64         // bytes of the Go heap; 0: no limit
	Version string        // program version, part of every key
	Retry   bool          // do tasks again that did not end with 0
	// Language, if set, is that in which the journal gives Why beside English.
	Language *i18n.Language
	// Begin, if set, is called with every task that has to be done before any is; its error ends the run.
	Begin func(*Task) error
	// Progress, if set, is called now and then, never from two goroutines at a time.
	Progress func(Progress)
}

// A Progress tells how far a run is.
type Progress struct {
	Total, Done int // tasks; Done counts those of earlier runs
	Old         int // tasks done by earlier runs
	Failed      int // those of Done whose exit code is not 0
	Elapsed     time.Duration
	Left        time.Duration // estimated; negative: unknown
}

// Causes of a task's end, as context.Cause returns them.
var (
	errTimeout = i18n.New("timeout")
	errMemory  = i18n.New("memory limit")
)

// Run does the tasks that the journal does not have, in order, and adds each to the journal when it is done.
//
// A task during which the heap grows over the limit is stopped and done again when no other is under way; only
// a task that exceeds the limit by itself is given up, with exit code 3 as on a timeout. A task whose files
// change while it is done is done again, at most twice, and then left to a later run. Tasks that come one after
// another (Task.After) are done by one worker: those behind one that is done again are done again, and those
// behind one that left no output wait for a later run.
//
// When ctx ends, tasks under way are dropped and Run returns ctx.Err(). Other errors are those of the journal
// and faults of the machine; then, too, tasks under way are dropped, and a later run continues.
func Run(ctx context.Context, tasks []*Task, journal *Journal, o Options) error {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	r := &runner{o: o, journal: journal, start: time.Now(), total: len(tasks), running: map[*Task]*hold{}}
	r.wake.L = &r.mu
	if r.chained = slices.ContainsFunc(tasks, func(t *Task) bool { return t.After != nil }); r.chained {
		r.o.Workers = 1
	}
	if err := r.plan(ctx, tasks); err != nil {
		return err
	}
	r.show()
	parent := ctx
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	if o.Memory > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(o.Memory - o.Memory/8))
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go parallel.Every(ctx, 50*time.Millisecond, r.guard)
	}
	defer context.AfterFunc(ctx, r.wake.Broadcast)()
	var group sync.WaitGroup
	for w := range r.o.Workers {
		group.Go(func() { r.work(ctx, w) })
	}
	group.Wait()
	if r.err != nil {
		return r.err
	}
	return parent.Err()
}

// plan looks up in the journal which tasks are done, and lists the others.
func (r *runner) plan(ctx context.Context, tasks []*Task) error {
	known := hashes{}
	for _, t := range tasks {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := r.before(known, t)
		switch {
		case err != nil:
			return err
		case e == nil || r.chained && len(r.todo) > 0 && e.Key != unreadKey(t):
			if r.o.Begin != nil {
				if err := r.o.Begin(t); err != nil {
					return err
				}
			}
			r.todo = append(r.todo, t)
			continue
		}
		r.count(e)
		r.old++
		if r.chained && e.Output == "" {
			break
		}
	}
	return nil
}

// before makes the key of t and returns its entry in the journal, nil if it has to be done. The entry of a task
// of which a file cannot be read says so.
func (r *runner) before(known hashes, t *Task) (e *Entry, err error) {
	if t.Key, err = known.key(t, r.o.Version); OfMachine(err) {
		return nil, err
	} else if err != nil {
		t.Key = unreadKey(t)
		if old := r.journal.done[t.Key]; old != nil && old.Why == err.Error() {
			return old, nil
		}
		if err := os.Remove(t.Output); err != nil && !errors.Is(err, fs.ErrNotExist) { // that of an earlier run
			return nil, err
		}
		e = &Entry{Key: t.Key, N: t.N, Input: t.Input, Exit: exitUsage, Ended: time.Now().UTC()}
		r.why(e, err)
		r.old-- // the entry was made by this run
		return e, r.journal.add(e)
	}
	if e = r.journal.done[t.Key]; e != nil && e.intact() && t.follows(e, r.journal.done) && !(r.o.Retry && e.Exit != 0) {
		return e, nil
	}
	return nil, nil
}

// why sets the reason, a message or an error, for which e ended as it did.
func (r *runner) why(e *Entry, m any) {
	e.Why = i18n.English.Say(m)
	if r.o.Language != nil {
		r.said(e, r.o.Language.Say(m))
	}
}

// said gives Why of e in the language of the run, if that is not English.
func (r *runner) said(e *Entry, why string) {
	e.Said = nil
	if l := r.o.Language; l != nil && l != i18n.English && why != "" {
		e.Said = map[string]string{l.Tag: why}
	}
}

// A runner is the state of a run.
type runner struct {
	o       Options
	journal *Journal
	start   time.Time
	total   int
	stop    context.CancelFunc // cancels all that is under way
	chained bool               // tasks are done one after another

	mu      sync.Mutex
	wake    sync.Cond
	todo    []*Task // in the order in which they will be done
	alone   []*Task // tasks that are run alone because they need all the memory
	running map[*Task]*hold
	solo    bool // the task under way runs alone
	done    int
	old     int
	failed  int
	err     error // fault of the journal or the machine, which ends the run
}

// A hold belongs to a task under way, and can stop it.
type hold struct {
	stop    context.CancelCauseFunc
	since   time.Time
	stopped bool // because of its memory
}

// next returns a task and its context, nil when there is nothing left to do.
func (r *runner) next(ctx context.Context) (*Task, context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case ctx.Err() != nil || r.err != nil:
			return nil, nil
		case r.solo:
		case len(r.todo) > 0:
			t := r.todo[0]
			r.todo, r.solo = r.todo[1:], r.chained
			return t, r.hold(ctx, t)
		case len(r.running) == 0 && len(r.alone) > 0:
			t := r.alone[0]
			r.alone, r.solo = r.alone[1:], true
			return t, r.hold(ctx, t)
		case len(r.running) == 0:
			return nil, nil
		}
		r.wake.Wait()
	}
}

func (r *runner) hold(ctx context.Context, t *Task) context.Context {
	ctx, stop := context.WithCancelCause(ctx)
	r.running[t] = &hold{stop: stop, since: time.Now()}
	return ctx
}

// work does tasks until there are none.
func (r *runner) work(ctx context.Context, worker int) {
	for {
		t, own := r.next(ctx)
		if t == nil {
			return
		}
		start := time.Now()
		limited, release := own, context.CancelFunc(func() {})
		if r.o.Timeout > 0 {
			limited, release = context.WithTimeoutCause(own, r.o.Timeout, errTimeout)
		}
		res := r.o.Do(limited, worker, t)
		cause := context.Cause(limited)
		release()
		r.end(ctx, t, worker, start, res, cause)
	}
}

// end records the result of a task. A task that ended before its context did counts with its result.
func (r *runner) end(ctx context.Context, t *Task, worker int, start time.Time, res Result, cause error) {
	e := &Entry{Key: t.Key, N: t.N, Input: t.Input, Exit: res.Exit, Why: res.Why, Report: res.Report, Altered: res.Altered,
		Ended: time.Now().UTC(), Seconds: time.Since(start).Seconds(), Worker: worker}
	r.said(e, res.Said)
	fault := res.Fault
	if res.Wrote && fault == nil {
		fault = e.wrote(t, res.Beside)
	}
	changed := t.changed()
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.wake.Broadcast()
	h, solo := r.running[t], r.solo
	delete(r.running, t)
	r.solo = false
	h.stop(nil)
	switch stopped := cause != nil && res.Exit != 0; {
	case stopped && errors.Is(cause, errMemory) && !solo:
		r.alone = append(r.alone, t)
		return
	case stopped && errors.Is(cause, errMemory):
		e.Exit, e.Report, e.Altered = exitLimit, nil, nil
		r.why(e, i18n.T("more memory than %d MB", r.o.Memory>>20))
	case stopped && errors.Is(cause, errTimeout):
		e.Exit = exitLimit
		r.why(e, i18n.T("stopped after %v", r.o.Timeout))
	case ctx.Err() != nil && res.Exit != 0:
		return // interrupted: nothing is known
	}
	if fault == nil && changed {
		if t.tries++; t.tries < maxTries && r.again(t) {
			return
		}
		if fault = os.Remove(t.Output); fault == nil || errors.Is(fault, fs.ErrNotExist) {
			r.wait()
			return // not done: it is not known which content the result is about
		}
	}
	if fault == nil {
		fault = r.journal.add(e)
	}
	if fault != nil {
		if r.err == nil {
			r.err = fault
		}
		r.stop()
		return
	}
	if e.Output == "" {
		r.wait()
	}
	r.count(e)
	r.show()
}

// wait leaves the tasks behind one without an output to a later run.
func (r *runner) wait() {
	if r.chained {
		r.todo = nil
	}
}

// maxTries is how often a task is done whose files keep changing.
const maxTries = 3

// again has t done once more, with a key made from what its files hold now; it returns false if they cannot be
// read.
func (r *runner) again(t *Task) bool {
	key, err := hashes{}.key(t, r.o.Version)
	if err != nil {
		return false
	}
	t.Key = key
	if !r.chained {
		r.todo = append(r.todo, t)
		return true
	}
	r.todo = slices.Insert(r.todo, 0, t)
	for _, next := range r.todo[1:] { // their keys contain its key
		if next.Key, err = (hashes{}).key(next, r.o.Version); err != nil {
			return false
		}
	}
	return true
}

// unreadKey returns a key for a task of which a file cannot be read.
func unreadKey(t *Task) string { return fmt.Sprintf("unread %d %s", t.N, t.Input) }

func (r *runner) count(e *Entry) {
	r.done++
	if e.Exit != 0 {
		r.failed++
	}
}

// show reports how far the run is; the caller holds r.mu, or no worker is running.
func (r *runner) show() {
	if r.o.Progress == nil {
		return
	}
	p := Progress{Total: r.total, Done: r.done, Old: r.old, Failed: r.failed, Elapsed: time.Since(r.start), Left: -1}
	if n := r.done - r.old; n > 0 {
		p.Left = time.Duration(float64(p.Elapsed) / float64(n) * float64(r.total-r.done))
	}
	r.o.Progress(p)
}

// guard watches the heap and, when it is too large, stops the task that began last. Only a task that was under
// way when the measuring began can be to blame, and none is stopped while another that was stopped has not
// ended.
func (r *runner) guard() {
	start := time.Now()
	if heap() <= r.o.Memory {
		return
	}
	runtime.GC() // garbage does not count
	if heap() <= r.o.Memory {
		return
	}
	r.mu.Lock()
	var last *hold
	for _, h := range r.running {
		if h.stopped {
			last = nil
			break
		}
		if h.since.Before(start) && (last == nil || h.since.After(last.since)) {
			last = h
		}
	}
	if last != nil {
		last.stopped = true
		last.stop(errMemory)
	}
	r.mu.Unlock()
}

// heap is the size of the objects on the heap.
func heap() int64 {
	use := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(use)
	return int64(use[0].Value.Uint64())
}

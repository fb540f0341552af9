package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

// LPOptions tune RunLP. The zero value is ready to use.
type LPOptions struct {
	// Backends are the back ends to measure; none means all back ends of this build, with all other existing ones
	// reported as missing.
	Backends []string
	// Repeat is the number of repetitions; 0 means 10.
	Repeat int
	// Limit is the longest that a pass may take: a back end that needs more is skipped for this case and for later ones
	// of its kind. 0 means 3 s.
	Limit time.Duration
	// Version is the version of the program, for the record.
	Version string
	// Progress, if set, is called before each case of the trial round (repetition 0)
	// and of every repetition.
	Progress func(repetition int, name string)
}

// Defaults of LPOptions, and the shortest time of a sample.
const (
	lpRepeat  = 10
	lpLimit   = 3 * time.Second
	lpSample  = 2 * time.Millisecond
	maxPasses = 100_000
)

// RunLP measures back ends on cases. A trial round measures memory and determines how many passes last lpSample. Then
// every repetition goes through the cases and, for each, through the back ends, starting with a different one every
// time, so that a drift of the machine affects all alike. If ctx ends, it returns what it has.
func RunLP(ctx context.Context, cases []*LPCase, opt *LPOptions) (*LPReport, error) {
	o := LPOptions{}
	if opt != nil {
		o = *opt
	}
	if o.Repeat < 1 {
		o.Repeat = lpRepeat
	}
	if o.Limit <= 0 {
		o.Limit = lpLimit
	}
	r := &LPReport{document.BenchLP{Repeat: o.Repeat, Limit: o.Limit.Seconds(), Version: o.Version, Machine: machineName(), Results: []*document.BenchLPCase{}}}
	if err := r.open(o.Backends); err != nil {
		return nil, err
	}
	names := r.Measured()
	if len(names) == 0 {
		return nil, i18n.Errorf("bench: none of the back ends is in this build: %s", r.Backends[0].Missing)
	}
	r.Base = names[0]
	if slices.Contains(names, referenceLP) {
		r.Base = referenceLP
	}
	all, err := o.try(ctx, cases, names)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		r.Results = append(r.Results, t.BenchLPCase)
	}
	for rep := range o.Repeat {
		for c, at := 0, 0; at < len(all) && ctx.Err() == nil; c, at = c+1, at+len(names) {
			o.tell(rep+1, all[at].Case)
			for k := range names {
				if t := all[at+(k+rep+c)%len(names)]; t.Skipped == "" && ctx.Err() == nil {
					t.sample(ctx, o.Limit)
				}
			}
		}
		if ctx.Err() != nil {
			break
		}
		r.Done++
	}
	for _, t := range all {
		a := &t.got
		t.Checked, t.Differ, t.Unanswered, t.Worst, t.Difference = a.checked, a.differ, a.unanswered, a.worst, a.words
	}
	r.sumUp(all)
	return r, nil
}

func (o *LPOptions) tell(repetition int, name string) {
	if o.Progress != nil {
		o.Progress(repetition, name)
	}
}

// open determines which of the back ends are available. An unknown one is an error.
func (r *LPReport) open(names []string) error {
	if len(names) == 0 {
		names = lp.Backends()
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		for _, m := range lp.Missing() {
			names = append(names, m.Name)
		}
	}
	for n, name := range names {
		if slices.Contains(names[:n], name) {
			continue
		}
		b := document.BenchBackend{Name: name}
		s, err := lp.Open(name)
		var lacking *lp.BackendError
		switch {
		case errors.As(err, &lacking) && lacking.How == "":
			return err
		case err != nil:
			b.Missing = err.Error()
		default:
			b.Version = s.Capabilities().Version
			if err := s.Close(); err != nil {
				return err
			}
		}
		r.Backends = append(r.Backends, b)
	}
	return nil
}

// rank orders the reference first.
func rank(name string) int {
	if name == referenceLP {
		return 0
	}
	return 1
}

// An lpTrial is one back end working on one case.
type lpTrial struct {
	*document.BenchLPCase
	allocs, allocBytes []float64 // by repetition: Go heap allocations of a solve
	work               *lpWork
	got                answers
}

// try runs the trial round. It loads every case once.
func (o *LPOptions) try(ctx context.Context, cases []*LPCase, names []string) ([]*lpTrial, error) {
	var all []*lpTrial
	over := map[[2]string]string{} // by kind and back end: the first case over the limit
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		o.tell(0, c.Name)
		w, err := c.load()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			t := &lpTrial{work: w, BenchLPCase: &document.BenchLPCase{
				Case: c.Name, Kind: c.Kind, Table: c.Table, Cells: w.cells, Relations: w.relations,
				Cols: w.size.cols, Rows: w.size.rows, Entries: w.size.entries, LP: name, Solves: w.solves,
				Runs: []float64{}, CPURuns: []float64{},
			}}
			all = append(all, t)
			if before, ok := over[[2]string{c.Kind, name}]; ok {
				t.Skipped = "not tried after " + before
				continue
			}
			if err := t.first(ctx, o.Limit); errors.Is(err, errOverLimit) {
				over[[2]string{c.Kind, name}] = c.Name
			}
		}
	}
	return all, nil
}

// Number of models held at a time to measure the memory of one; large ones are held alone.
const (
	heldModels = 16
	largeModel = 1 << 20
)

// shortPasses is how many short passes are made to learn how long one takes: the first is often longer.
const shortPasses = 3

// first makes one pass or a few, from which it derives the number of passes, and measures memory.
func (t *lpTrial) first(ctx context.Context, limit time.Duration) error {
	var err error
	var pass time.Duration
	if t.work.search {
		var r Result
		watch := watchMemory()
		before, _ := resident()
		pass, err = t.held(ctx, limit, 1, nil)
		watch.stop(&r)
		if r.RSSScope == "instance" {
			t.RSS = new(max(0, *r.RSSPeak-before))
		}
	} else {
		grown := func(models int) func() {
			debug.FreeOSMemory()
			before, ok := resident()
			return func() {
				debug.FreeOSMemory()
				if now, _ := resident(); ok {
					t.RSS = new(max(0, (now-before)/int64(models)))
				}
			}
		}
		pass, err = t.held(ctx, limit, 1, grown(1))
		if err == nil && t.RSS != nil && *t.RSS < largeModel && pass < limit/heldModels {
			_, err = t.held(ctx, limit, heldModels, grown(heldModels))
		}
	}
	t.Passes = min(maxPasses, int(lpSample/max(pass, 1))+1)
	return t.skip(ctx, err, limit)
}

// held makes passes on several models, calls look while they are open, and returns the duration of the shortest pass.
func (t *lpTrial) held(ctx context.Context, limit time.Duration, models int, look func()) (shortest time.Duration, err error) {
	var open []lpSession
	shortest = limit
	for range models {
		begun := t.work.begin(t.LP, &t.got)
		open = append(open, begun)
		err = within(ctx, limit, begun.start)
		for k := 0; err == nil && (k == 0 || k < shortPasses && shortest < lpSample); k++ {
			start := time.Now()
			err = within(ctx, limit, begun.pass)
			shortest = min(shortest, time.Since(start))
		}
		if err != nil {
			break
		}
	}
	if look != nil && err == nil {
		look()
	}
	for _, s := range open {
		err = errors.Join(err, s.close())
	}
	return shortest, err
}

// within runs f with a time limit.
func within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx)
}

// skip records why a case could not be measured, if that is so.
func (t *lpTrial) skip(ctx context.Context, err error, limit time.Duration) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		t.Skipped = "interrupted"
		return nil
	case errors.Is(err, errOverLimit):
		t.Skipped = fmt.Sprintf("over the limit of %v", limit)
	default:
		t.Skipped = err.Error()
	}
	return err
}

// sampleSlack is how many times the limit a sample may take: the trial was within the limit, so if a sample is not, the
// machine is busy.
const sampleSlack = 4

// sample measures Passes passes, after the calls that precede them.
func (t *lpTrial) sample(ctx context.Context, limit time.Duration) {
	limit *= sampleSlack
	begun := t.work.begin(t.LP, &t.got)
	err := within(ctx, limit, func(ctx context.Context) error {
		if err := begun.start(ctx); err != nil {
			return err
		}
		var before, after runtime.MemStats
		runtime.GC() // collect the garbage of other back ends
		runtime.ReadMemStats(&before)
		cpu, known := cpuTime()
		start := time.Now()
		for range t.Passes {
			if err := begun.pass(ctx); err != nil {
				return err
			}
		}
		wall := time.Since(start)
		cpuAfter, _ := cpuTime()
		runtime.ReadMemStats(&after)
		n := float64(t.Passes * t.Solves)
		t.Runs = append(t.Runs, wall.Seconds()/n)
		if known {
			t.CPURuns = append(t.CPURuns, (cpuAfter-cpu).Seconds()/n)
		}
		t.allocs = append(t.allocs, float64(after.Mallocs-before.Mallocs)/n)
		t.allocBytes = append(t.allocBytes, float64(after.TotalAlloc-before.TotalAlloc)/n)
		return nil
	})
	err = errors.Join(err, begun.close())
	if ctx.Err() == nil {
		_ = t.skip(ctx, err, limit) // the result reports it
	}
}

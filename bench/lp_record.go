package bench

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// referenceLP is the back end with whose answers the others are compared, and the denominator of ratios if it is
// measured.
const referenceLP = "simplex"

// A recorder is a solver of the reference back end that records its calls and answers, up to a number of solves. It
// keeps no basis and honours no limit, so every solve ends with a verdict that any other back end must reach too.
type recorder struct {
	in     lp.Solver
	script *lpScript
	most   int    // number of solves to record
	solved int    // number recorded so far
	after  func() // if set, called after each of them
	open   func() (lp.Solver, error)
}

// newRecorder returns a recorder with a solver open.
func newRecorder(most int) (*recorder, error) {
	r := &recorder{script: &lpScript{}, most: most, open: func() (lp.Solver, error) { return lp.Open(referenceLP) }}
	return r, r.reopen()
}

// reopen continues with a new solver.
func (r *recorder) reopen() error {
	if r.in != nil {
		if err := r.in.Close(); err != nil {
			return err
		}
	}
	r.add(lpCall{op: opOpen})
	var err error
	r.in, err = r.open()
	return err
}

// add records a call.
func (r *recorder) add(c lpCall) {
	if r.solved < r.most {
		r.script.calls = append(r.script.calls, c)
	}
}

func (r *recorder) Load(p *lp.Problem) error {
	if r.solved < r.most {
		q := &lp.Problem{Cost: slices.Clone(p.Cost), Lo: slices.Clone(p.Lo), Up: slices.Clone(p.Up), Rows: cloneRows(p.Rows)}
		r.add(lpCall{op: opLoad, at: int32(len(r.script.programs))})
		r.script.programs = append(r.script.programs, q)
	}
	return r.in.Load(p)
}

func (r *recorder) SetColBounds(j int, lo, up float64) error {
	r.add(lpCall{op: opCol, at: int32(j), lo: lo, up: up})
	return r.in.SetColBounds(j, lo, up)
}

func (r *recorder) SetRowBounds(i int, lo, up float64) error {
	r.add(lpCall{op: opRow, at: int32(i), lo: lo, up: up})
	return r.in.SetRowBounds(i, lo, up)
}

func (r *recorder) SetCost(j int, c float64) error {
	r.add(lpCall{op: opCost, at: int32(j), lo: c})
	return r.in.SetCost(j, c)
}

func (r *recorder) AddRows(rows ...lp.Row) (int, error) {
	if r.solved < r.most {
		r.add(lpCall{op: opAdd, at: int32(len(r.script.rows))})
		r.script.rows = append(r.script.rows, cloneRows(rows))
	}
	return r.in.AddRows(rows...)
}

func (r *recorder) DeleteRows(drop []bool) error {
	if r.solved < r.most {
		r.add(lpCall{op: opDrop, at: int32(len(r.script.drops))})
		r.script.drops = append(r.script.drops, slices.Clone(drop))
	}
	return r.in.(lp.RowDeleter).DeleteRows(drop)
}

func (r *recorder) SetLimits(lp.Limits) {}

// Solve does not record a solve that ctx stopped.
func (r *recorder) Solve(ctx context.Context) (*lp.Result, error) {
	res, err := r.in.Solve(ctx)
	if err != nil || res.Status == lp.Cancelled || r.solved == r.most {
		return res, err
	}
	r.add(lpCall{op: opSolve, at: int32(res.Status), lo: res.Value})
	r.solved++
	if r.after != nil {
		r.after()
	}
	return res, nil
}

func (r *recorder) Capabilities() lp.Capabilities {
	c := r.in.Capabilities()
	return lp.Capabilities{
		Name: "recorder", Version: c.Version, WarmBounds: c.WarmBounds, WarmCost: c.WarmCost, WarmRows: c.WarmRows,
		Farkas: c.Farkas, Ray: c.Ray, Interrupt: c.Interrupt, DeleteRows: true,
	}
}

func (r *recorder) Close() error { return r.in.Close() }

// finish returns the script up to its last solve; it can be repeated from call loop on.
func (r *recorder) finish(loop int) *lpScript {
	calls := r.script.calls
	for len(calls) > 0 && calls[len(calls)-1].op != opSolve {
		calls = calls[:len(calls)-1]
	}
	r.script.calls, r.script.loop = slices.Clip(calls), loop
	return r.script
}

func cloneRows(rows []lp.Row) []lp.Row {
	c := slices.Clone(rows)
	for i := range c {
		c[i].Idx, c[i].Val = slices.Clone(c[i].Idx), slices.Clone(c[i].Val)
	}
	return c
}

// recordedSolves is the number of solves recorded, after which the search ends.
const recordedSolves = 100

// record protects t and returns the linear programs of the search: those of the first relaxation if master, else the
// longest sequence of the intruder's; nil if there are none. With one worker the order of the calls is the same in
// every run.
func record(t *table.Table, master bool) (*lpScript, error) {
	wanted := (*recorder).isIntruder
	if master {
		wanted = (*recorder).isMaster
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var mu sync.Mutex // several goroutines may open a back end
	var all []*recorder
	name, end := lp.Lend("recorder", func() (lp.Solver, error) {
		r, err := newRecorder(recordedSolves)
		if err != nil {
			return nil, err
		}
		r.after = func() {
			if r.solved == r.most && wanted(r) {
				cancel()
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, r)
		return r, nil
	})
	defer end()
	_, err := solver.Suppress(ctx, t, &solver.Options{LP: name, Workers: 1})
	if err != nil && ctx.Err() == nil && !errors.Is(err, solver.ErrNoSolution) {
		return nil, err
	}
	var longest *recorder
	for _, r := range all {
		if wanted(r) && (longest == nil || !master && r.solved > longest.solved) {
			longest = r
		}
	}
	if longest == nil {
		return nil, nil
	}
	return longest.finish(1), nil
}

// isMaster recognises the relaxation of a search, the only program with costs from the start.
func (r *recorder) isMaster() bool {
	return len(r.script.programs) > 0 && slices.ContainsFunc(r.script.programs[0].Cost, func(c float64) bool { return c != 0 })
}

// isIntruder recognises an intruder's program: it starts with the relations and, unlike programs that look for routes,
// with bounds of 0.
func (r *recorder) isIntruder() bool {
	if len(r.script.programs) == 0 || r.isMaster() {
		return false
	}
	p := r.script.programs[0]
	return len(p.Rows) > 0 && !slices.ContainsFunc(p.Up, func(u float64) bool { return u != 0 })
}

package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
)

// lpTolerance is the largest difference of two optima v, w that count as equal, relative to max(1, |v|, |w|): the
// tolerance of the checks that the least exact back end passes.
const lpTolerance = 1e-6

// errOverLimit says that a pass took longer than allowed.
var errOverLimit = i18n.New("over the limit")

// An lpOp is a call of a solver.
type lpOp uint8

const (
	opOpen  lpOp = iota // a new solver; the one before is closed
	opLoad              // load the program at
	opCol               // set bounds of column at
	opRow               // set bounds of row at
	opCost              // set the cost lo of column at
	opAdd               // add the rows at
	opDrop              // delete the rows at
	opSolve             // solve, with verdict at and optimum lo
)

// An lpCall is a call with its arguments and, for opSolve, its answer.
type lpCall struct {
	op     lpOp
	at     int32
	lo, up float64
}

// An lpScript is a sequence of calls of a solver with its answers. The calls from loop on may be repeated on the same
// solver: they restore the model or load it first.
type lpScript struct {
	calls    []lpCall
	loop     int
	programs []*lp.Problem
	rows     [][]lp.Row
	drops    [][]bool
}

// solves returns the number of solves in one pass through the loop.
func (s *lpScript) solves() int {
	return sets.Count(s.calls[s.loop:], func(c lpCall) bool { return c.op == opSolve })
}

// An lpSize is the size of a program.
type lpSize struct{ cols, rows, entries int }

// largest returns the size of the solved program with the most entries.
func (s *lpScript) largest() lpSize {
	var most, now lpSize
	var entries []int // by row
	add := func(rows []lp.Row) {
		for _, r := range rows {
			entries = append(entries, len(r.Idx))
			now.entries += len(r.Idx)
		}
	}
	for _, c := range s.calls {
		switch c.op {
		case opLoad:
			p := s.programs[c.at]
			now, entries = lpSize{cols: p.NumCols()}, entries[:0]
			add(p.Rows)
		case opAdd:
			add(s.rows[c.at])
		case opDrop:
			kept := entries[:0]
			for i, n := range entries {
				if s.drops[c.at][i] {
					now.entries -= n
				} else {
					kept = append(kept, n)
				}
			}
			entries = kept
		case opSolve:
			if now.rows = len(entries); most.cols == 0 || now.entries > most.entries {
				most = now
			}
		}
	}
	return most
}

// answers is a tally of answers compared with the expected ones.
type answers struct {
	checked    int
	differ     int
	unanswered int     // status Unknown
	worst      float64 // largest difference of two optima, measured as for lpTolerance
	words      string  // description of the first difference
}

// add compares the answer of solve n with the expected one.
func (a *answers) add(n int, want lpCall, got *lp.Result) {
	a.checked++
	status := lp.Status(want.at)
	switch {
	case got.Status == lp.Unknown:
		a.unanswered++
		return
	case got.Status != status:
		a.differs(fmt.Sprintf("solve %d: %v, not %v", n, got.Status, status))
		return
	case status != lp.Optimal:
		return
	}
	d := relative(got.Value, want.lo)
	if d > a.worst {
		a.worst = d
	}
	if !(d <= lpTolerance) {
		a.differs(fmt.Sprintf("solve %d: %.12g, not %.12g", n, got.Value, want.lo))
	}
}

// relative returns |v − w| / max(1, |v|, |w|).
func relative(v, w float64) float64 {
	return math.Abs(v-w) / max(1, math.Abs(v), math.Abs(w))
}

func (a *answers) differs(words string) {
	a.differ++
	a.words = cmp.Or(a.words, words)
}

// An lpReplay makes the calls of a script on solvers of one back end.
type lpReplay struct {
	script *lpScript
	open   func() (lp.Solver, error)
	sol    lp.Solver // the solver that is open, nil before the first
	got    *answers
}

// start makes the calls before the loop.
func (r *lpReplay) start(ctx context.Context) error {
	return r.run(ctx, r.script.calls[:r.script.loop])
}

// pass makes the calls of the loop.
func (r *lpReplay) pass(ctx context.Context) error {
	return r.run(ctx, r.script.calls[r.script.loop:])
}

func (r *lpReplay) run(ctx context.Context, calls []lpCall) error {
	solves := 0
	for _, c := range calls {
		var err error
		switch c.op {
		case opOpen:
			if err = r.close(); err == nil {
				r.sol, err = r.open()
			}
		case opLoad:
			err = r.sol.Load(r.script.programs[c.at])
		case opCol:
			err = r.sol.SetColBounds(int(c.at), c.lo, c.up)
		case opRow:
			err = r.sol.SetRowBounds(int(c.at), c.lo, c.up)
		case opCost:
			err = r.sol.SetCost(int(c.at), c.lo)
		case opAdd:
			_, err = r.sol.AddRows(r.script.rows[c.at]...)
		case opDrop:
			deleter, ok := r.sol.(lp.RowDeleter)
			if !ok {
				return i18n.New("it cannot delete rows")
			}
			err = deleter.DeleteRows(r.script.drops[c.at])
		case opSolve:
			var res *lp.Result
			if res, err = r.sol.Solve(ctx); err == nil {
				if ctx.Err() != nil {
					return errOverLimit
				}
				solves++
				r.got.add(solves, c, res)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *lpReplay) close() error {
	if r.sol == nil {
		return nil
	}
	sol := r.sol
	r.sol = nil
	return sol.Close()
}

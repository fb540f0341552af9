package interval

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// Options tune Audit. The zero value is ready to use.
type Options struct {
	// Engine is "network", "simplex", or "" for whichever fits the table.
	Engine string
	// LP names the back end of the simplex engine; empty means "simplex".
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS.
	Workers int
	// Integer asks for the interval over integer tables (in units of
	// 10^−Decimals), not over all tables.
	Integer bool
	// TimeLimit ends the search for ends, if positive: those not found are then what is proved by that time
	// (Cell.Inexact). Sensitive cells come first.
	TimeLimit time.Duration
	// Witness keeps the witness tables of every interval end.
	Witness bool
	// Told says that the statuses tell which cells are sensitive, so that one without a
	// value whose status is Withheld is not.
	Told bool
	// Cells are the withheld cells to look at, in table order; nil: all.
	Cells []int
	// Progress, if set, is called with the number of cells done, from several goroutines.
	Progress func(done, total int)
}

// A Cell is what the intruder learns of one withheld cell, exactly.
type Cell struct {
	Index  int
	Lo, Hi *big.Rat // in units of 10^−Decimals; nil: infinite
	// LoWitness and HiWitness are tables that satisfy everything published
	// and attain Lo and Hi (a table far out where the end is infinite); set
	// if Options.Witness.
	LoWitness, HiWitness *Witness
	Protected            bool // every level of the cell is met, as witnesses show
	// Disclosed says that Lo = Hi, as duals show, or, where values are rounded, that they are no farther apart than the value
	// would leave it, were it published.
	Disclosed bool
	// Superfluous says that the cell is disclosed though withheld for the sake of others.
	Superfluous bool
	// Inexact says that the search for some end was given up (the steps of exact arithmetic are bounded; see TimeLimit). Lo and Hi
	// are then what is proved from outside, infinite where nothing is, and the cell
	// may know less than they allow; Protected rests on the witnesses alone (Inner).
	Inexact bool
	// Unsettled says that a level is missed by what witnesses show and met by what is proved from outside: whether
	// the cell is protected is not known, and Protected is false.
	Unsettled bool

	inner [2]*big.Rat // what witnesses show of Lo and Hi; nil: infinite
}

// Inner returns the interval that tables found show: every value from lo to hi (nil: infinite) agrees with what is
// published. It is that from Lo to Hi unless the cell is Inexact.
func (c *Cell) Inner() (lo, hi *big.Rat) { return c.inner[0], c.inner[1] }

// A Report is the result of Audit, cells in table order.
type Report struct {
	Engine string
	Cells  []Cell
	// Protected says that every cell that was looked at and is or may be sensitive meets its
	// levels (see Verdict).
	Protected bool

	// What Explain goes on with: the table, and as opened where its values are rounded, whose numbers are by times as large.
	t, open          *table.Table
	withheld, hidden []bool
	by               int64

	system *intruder.System
	base   *intruder.Base
	engine string
}

// Audit computes the exact interval [lo, hi] of every withheld cell of t and
// compares it with the levels. withheld[i] says that cell i is not published;
// cells whose value is missing must be withheld. Both ends are proved: by a
// witness table from inside and a dual from outside, or by a ray where it is infinite,
// in rational arithmetic with numbers of any length (Cell.Inexact names the exception).
// Where published values are rounded, they leave as much room as that (Table.Opened).
//
// Where ctx ends the report has the cells that were done, none where not even one could be begun, and is not Protected; the
// error wraps ctx.Err().
//
// Cost: two linear programs (max-flows on networks, where cells that are disclosed
// take none) a withheld cell, but for ends that tables found for others attain; their bases are solved for exactly by
// sparse elimination.
func Audit(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*Report, error) {
	if opt == nil {
		opt = &Options{}
	}
	search := ctx
	if opt.TimeLimit > 0 {
		var stop context.CancelFunc
		search, stop = context.WithTimeout(ctx, opt.TimeLimit)
		defer stop()
	}
	open, hidden, by := t, withheld, int64(1)
	if t.Rounded() {
		var err error
		if open, hidden, by, err = t.Opened(withheld, opt.Integer); err != nil {
			return nil, err
		}
	}
	s := intruder.NewSystem(t.Rel)
	base, err := intruder.NewBase(search, s, open, hidden, opt.LP)
	switch {
	case t.Rounded() && errors.Is(err, ErrInconsistent):
		return nil, fmt.Errorf("%w, as they are rounded: some sums miss by more than that makes", err)
	case err != nil:
		return nil, parallel.Ended(search, err)
	}
	if opt.Integer {
		if err := base.Whole(search); err != nil {
			return nil, parallel.Ended(search, err)
		}
	}
	cells := opt.Cells
	if cells == nil {
		for i, w := range withheld {
			if w {
				cells = append(cells, i)
			}
		}
	}
	rep := &Report{Cells: make([]Cell, len(cells)), Protected: true, t: t, open: open, withheld: withheld, hidden: hidden, by: by, system: s, base: base, engine: opt.Engine}
	run := newInspection(rep, cells, search, opt)
	defer run.close()
	if err = run.all(ctx); err != nil {
		err = fmt.Errorf("table %s: %w", t.Name, err)
		if ctx.Err() == nil {
			return nil, err
		}
		err = parallel.Ended(ctx, err)
		rep.only(run.known)
	}
	rep.Engine = "network"
	if !s.IsNetwork() || opt.Engine == "simplex" {
		rep.Engine = "simplex"
	}
	for c := range rep.Cells {
		rep.Cells[c].shrink(by)
		judge(t, &rep.Cells[c], opt.Told)
		rep.Protected = rep.Protected && rep.Cells[c].Protected
	}
	return rep, err
}

// shrink puts what was computed in numbers by times as large into those of the table.
func (c *Cell) shrink(by int64) {
	if by == 1 {
		return
	}
	c.Lo, c.Hi, c.inner = over(c.Lo, by), over(c.Hi, by), [2]*big.Rat{over(c.inner[0], by), over(c.inner[1], by)}
	c.LoWitness, c.HiWitness = c.LoWitness.times(1, by), c.HiWitness.times(1, by)
}

// over returns v/by, nil for nil.
func over(v *big.Rat, by int64) *big.Rat {
	if v == nil {
		return nil
	}
	return new(big.Rat).Quo(v, new(big.Rat).SetInt64(by))
}

// only leaves the cells that are known, of which nobody says that the table is protected.
func (r *Report) only(known []bool) {
	cells := r.Cells[:0]
	for c, is := range known {
		if is {
			cells = append(cells, r.Cells[c])
		}
	}
	r.Cells, r.Protected = cells, false
}

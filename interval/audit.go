package interval

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
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
	// TimeLimit, if positive, bounds the computation: ends not found by then are outer bounds (Cell.Inexact). Sensitive
	// cells are done first.
	TimeLimit time.Duration
	// Witness keeps the witness tables of every interval end.
	Witness bool
	// Told says that the statuses tell which cells are sensitive, so that a cell without a value and with status
	// Withheld is not sensitive.
	Told bool
	// Cells are the withheld cells to audit, in table order; nil: all.
	Cells []int
	// Progress, if set, is called with the number of cells done, from several goroutines.
	Progress func(done, total int)
}

// A Cell is what the intruder learns about one withheld cell, exactly.
type Cell struct {
	Index  int
	Lo, Hi *big.Rat // in units of 10^−Decimals; nil: infinite
	// LoWitness and HiWitness are tables that satisfy everything published and attain Lo and Hi (a distant table if the
	// end is infinite); set if Options.Witness.
	LoWitness, HiWitness *Witness
	Protected            bool // every level of the cell is met, as witnesses prove
	// Disclosed says that Lo = Hi, as duals prove, or, if values are rounded, that the interval is no wider than the
	// published rounded value would leave.
	Disclosed bool
	// Superfluous says that the cell is secondary but disclosed.
	Superfluous bool
	// Inexact says that the search for an end was given up (exact arithmetic is bounded in steps; see TimeLimit). Lo
	// and Hi are then outer bounds, infinite if none is proved, and the interval may be narrower; Protected then rests
	// on the witnesses alone (Inner).
	Inexact bool
	// Unsettled says that the interval shown by witnesses violates a level while the outer bounds meet it: whether the
	// cell is protected is unknown, and Protected is false.
	Unsettled bool

	inner [2]*big.Rat // ends that witnesses attain; nil: infinite
}

// Inner returns the interval that witness tables prove possible: every value from lo to hi (nil: infinite) agrees
// with what is published. It equals Lo to Hi unless the cell is Inexact.
func (c *Cell) Inner() (lo, hi *big.Rat) { return c.inner[0], c.inner[1] }

// A Report is the result of Audit, cells in table order.
type Report struct {
	Engine string
	Cells  []Cell
	// Protected says that every audited cell that is or may be sensitive meets its levels (see Verdict).
	Protected bool
	// Intruder is what readers are assumed to know besides the bounds of the table.
	Intruder table.Intruder

	// For Explain: the table and, if its values are rounded, the opened table, whose numbers are larger by the factor
	// by.
	t, open          *table.Table
	withheld, hidden []bool
	by               int64

	system *oracle.System
	base   *oracle.Base
	engine string
}

// Audit computes the exact interval [lo, hi] of every withheld cell of t and compares it with the levels. withheld[i]
// says that cell i is not published; cells whose value is missing must be withheld. Both ends are proved in rational
// arithmetic of any length: from inside by a witness table and from outside by a dual, or by a ray if the end is
// infinite (Cell.Inexact is the exception). Published values that are rounded may vary within their rounding
// (Table.Opened).
//
// If ctx ends, the report has the cells done so far and is not Protected; the error wraps ctx.Err().
//
// Cost: two linear programs (max-flows on networks, none for disclosed cells there) for each withheld cell, except for
// ends that witnesses of other cells attain; bases are solved exactly by sparse elimination.
func Audit(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*Report, error) {
	if opt == nil {
		opt = &Options{}
	}
	if n := len(withheld); n > 0 && n != t.Len() { // else it would be about cells that are not those withheld
		return nil, i18n.Errorf("table %s: %d values but a column of length %d", t.Name, t.Len(), n)
	}
	search, stop := parallel.Limited(ctx, time.Now(), opt.TimeLimit)
	defer stop()
	open, hidden, by := t, withheld, int64(1)
	if t.Rounded() {
		var err error
		if open, hidden, by, err = t.Opened(withheld, opt.Integer); err != nil {
			return nil, err
		}
	}
	s := oracle.NewSystem(t.Rel)
	base, err := oracle.NewBase(search, s, open, hidden, opt.LP)
	switch {
	case t.Rounded() && errors.Is(err, ErrInconsistent):
		return nil, i18n.Errorf("%w, as they are rounded: some sums miss by more than that makes", err)
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
	rep := &Report{Cells: make([]Cell, len(cells)), Protected: true, Intruder: table.Intruder{Whole: opt.Integer}, t: t, open: open, withheld: withheld, hidden: hidden, by: by, system: s, base: base, engine: opt.Engine}
	run := newInspection(rep, cells, search, opt)
	defer run.close()
	if err = run.all(ctx); err != nil {
		err = i18n.Errorf("table %s: %w", t.Name, err)
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
	}
	cut := !rep.Protected // ended by ctx
	rep.Judge(t, opt.Told)
	rep.Protected = rep.Protected && !cut
	return rep, err
}

// Learned is Audit from the viewpoint of the readers of p. Cells without a value have no distances to compare (see
// Verdict); an office that has the values continues with Judge. Options.Integer is p.Whole.
func Learned(ctx context.Context, p *table.Publication, opt *Options) (*Report, error) {
	o := Options{}
	if opt != nil {
		o = *opt
	}
	o.Integer = p.Whole
	r, err := Audit(ctx, p.Table(), p.Withheld(), &o)
	if r != nil {
		r.Intruder = p.Intruder
	}
	return r, err
}

// Judge compares the intervals with the levels of t around its values; t has the same cells and decimals. told is as in
// Options.Told.
func (r *Report) Judge(t *table.Table, told bool) {
	r.Protected = true
	for c := range r.Cells {
		judge(t, &r.Cells[c], told)
		r.Protected = r.Protected && r.Cells[c].Protected
	}
}

// shrink divides the results by by, the factor by which the numbers had been multiplied.
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

// only keeps the cells marked in known; the report is then not Protected.
func (r *Report) only(known []bool) {
	cells := r.Cells[:0]
	for c, is := range known {
		if is {
			cells = append(cells, r.Cells[c])
		}
	}
	r.Cells, r.Protected = cells, false
}

package interval

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/num"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// shards is the number of independent streams of cells. Each stream keeps its own
// warm engine and is worked off in order, so answers do not depend on workers.
const shards = 8

// mostTurns is how many cells of a stream come between two times at which streams tell each other what they found.
const mostTurns = 64

// An inspection is an audit under way. Sensitive cells come first, those before all whose levels no table found so far
// meets. Cells are named by their place among those of the report.
type inspection struct {
	rep     *Report
	opt     *Options
	base    *intruder.Base
	cells   []int
	search  context.Context // ends before ctx where there is a limit
	moves   []bool          // nil: not known beforehand
	streams []*stream
	known   []bool // that are done
	done    atomic.Int64

	// What tables found so far show of each cell, downwards and upwards; nil on networks, where each end is cheap.
	found [][2]reach
	place []int32 // by cell of the table, −1 none

	outer  sync.Once
	up, dn []int64 // capacities as far as the relations leave them
}

// A reach is how far a table is from the base in one cell: num/den ≥ 0.
type reach struct {
	num uint64
	den uint64        // 0 stands for 1, of the base
	by  *intruder.End // the table, if witnesses are asked for; nil: the base
}

func (r reach) less(s reach) bool {
	return num.Mul128(r.num, max(1, s.den)).Less(num.Mul128(s.num, max(1, r.den)))
}

// meets reports whether r is capacity.
func (r reach) meets(capacity int64) bool {
	return capacity != table.PosInf && num.Mul128(uint64(capacity), max(1, r.den)) == num.Uint128{Lo: r.num}
}

func (r reach) distance() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.num), new(big.Int).SetUint64(max(1, r.den)))
}

// end is the end of the interval that r is.
func (r reach) end() *intruder.End {
	e := &intruder.End{Den: 1}
	if r.by != nil {
		*e = *r.by
	}
	e.Value = r.distance()
	e.Bound, e.Endless = e.Value, false
	return e
}

func newInspection(rep *Report, cells []int, search context.Context, opt *Options) *inspection {
	a := &inspection{rep: rep, opt: opt, base: rep.base, cells: cells, search: search, known: make([]bool, len(cells))}
	a.streams = make([]*stream, min(shards, max(1, len(cells))))
	if opt.Engine != "simplex" && !a.base.Wide() {
		a.moves, _ = a.base.Moves()
	}
	if a.moves == nil && !a.base.Wide() {
		a.found = make([][2]reach, len(cells))
		a.place = make([]int32, rep.open.Len())
		for i := range a.place {
			a.place[i] = -1
		}
		for c, i := range cells {
			a.place[i] = int32(c)
		}
	}
	for s := range a.streams {
		a.streams[s] = &stream{inspection: a}
		if a.found != nil {
			a.streams[s].near = make([][2]reach, len(cells))
		}
	}
	return a
}

func (a *inspection) close() {
	for _, s := range a.streams {
		if s.e != nil {
			s.e.Close()
		}
	}
}

// all computes the intervals of all cells.
func (a *inspection) all(ctx context.Context) error {
	var first, rest []int
	for c, i := range a.cells {
		if suspect(a.rep.t, i, a.opt.Told) {
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	if a.found != nil {
		if err := a.inTurns(ctx, first, func(c int) bool { return !a.shown(c) }); err != nil {
			return err
		}
	}
	return a.inTurns(ctx, append(first, rest...), func(int) bool { return true })
}

// shown reports whether tables found so far show that cell c meets its levels.
func (a *inspection) shown(c int) bool {
	var inner [2]*big.Rat
	for side, sign := range signs {
		inner[side] = over(a.base.Value(a.cells[c], sign, a.found[c][side].distance()), a.rep.by)
	}
	return meets(a.rep.t, a.cells[c], inner[0], inner[1])
}

// signs are the directions of the lower end and of the upper.
var signs = [2]int{-1, 1}

// inTurns computes the intervals of cells, those that are wanted when their turn comes.
func (a *inspection) inTurns(ctx context.Context, cells []int, wanted func(c int) bool) error {
	for turns := 1; len(cells) > 0; turns = min(2*turns, mostTurns) {
		n := len(cells)
		if a.found != nil {
			n = min(n, turns*len(a.streams))
		}
		now := cells[:n]
		cells = cells[n:]
		now = slices.DeleteFunc(slices.Clone(now), func(c int) bool { return a.known[c] || !wanted(c) })
		err := parallel.Do(ctx, len(a.streams), a.opt.Workers, func(ctx context.Context, s int) error {
			for c := s; c < len(now); c += len(a.streams) {
				if err := a.streams[s].settle(ctx, now[c]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, s := range a.streams {
			s.tell()
		}
	}
	return nil
}

// room returns what the relations leave of the capacities of the cells, which proves how far they can be.
func (a *inspection) room(k, side int) int64 {
	a.outer.Do(func() {
		up, dn := a.base.Room()
		a.up, a.dn = slices.Clone(up), slices.Clone(dn)
		for range 4 {
			intruder.Tighten(a.rep.open.Rel, a.up, a.dn)
		}
	})
	if side == 0 {
		return a.dn[k]
	}
	return a.up[k]
}

// stopped reports whether the search has ended, but not the audit.
func (a *inspection) stopped(ctx context.Context) bool {
	return a.search.Err() != nil && ctx.Err() == nil
}

// A stream is the work of one engine.
type stream struct {
	*inspection
	e    *intruder.Exact
	wide *intruder.InValues
	near [][2]reach // what its tables show beyond what all know
	news []int32    // cells in near
}

// settle computes the interval of cell c.
func (s *stream) settle(ctx context.Context, c int) error {
	k, cell := s.cells[c], Cell{}
	var err error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.moves != nil && !s.moves[k]:
		cell = s.cell(k, [2]*intruder.End{reach{}.end(), reach{}.end()})
	case s.base.Wide():
		cell, err = s.inValues(ctx, k)
	default:
		var ends [2]*intruder.End
		for side := range ends {
			if ends[side], err = s.end(ctx, c, side); err != nil {
				break
			}
		}
		if err == nil {
			cell = s.cell(k, ends)
		}
	}
	if err != nil {
		return fmt.Errorf("cell %s: %w", s.rep.open.CellName(k), err)
	}
	s.rep.Cells[c], s.known[c] = cell, true
	if n := s.done.Add(1); s.opt.Progress != nil {
		s.opt.Progress(int(n), len(s.cells))
	}
	return nil
}

// end returns one end of the interval of cell c, what is proved of it where the search has ended.
func (s *stream) end(ctx context.Context, c, side int) (*intruder.End, error) {
	k, sign := s.cells[c], signs[side]
	far := reach{}
	if s.found != nil {
		if far = s.found[c][side]; far.less(s.near[c][side]) {
			far = s.near[c][side]
		}
		if far.meets(s.room(k, side)) {
			return far.end(), nil
		}
	}
	if s.stopped(ctx) && !s.opt.Integer { // which tells the bounds of whole numbers from others even then
		return s.outside(far, k, side), nil
	}
	if s.e == nil {
		var err error
		if s.e, err = s.base.Open(s.opt.Engine, s.opt.LP); err != nil {
			return nil, err
		}
	}
	question := ctx
	if s.opt.TimeLimit > 0 && !s.opt.Integer { // a search over whole numbers has an answer at any time
		question = s.search
	}
	end, err := s.base.End(question, s.search, s.e, k, sign, s.opt.Integer)
	switch {
	case err != nil && s.stopped(ctx):
		return s.outside(far, k, side), nil
	case err != nil:
		return nil, err
	}
	s.learn(end)
	return end, nil
}

// outside is what is proved of an end that was not found.
func (s *stream) outside(far reach, k, side int) *intruder.End {
	end := far.end()
	end.Bound = nil
	if room := s.room(k, side); room != table.PosInf {
		end.Bound = new(big.Rat).SetInt64(room)
	}
	return end
}

// learn takes note of how far a table found takes cells.
func (s *stream) learn(end *intruder.End) {
	if s.near == nil || end.Wide != nil || s.opt.Integer && end.Den != 1 {
		return
	}
	var by *intruder.End
	if s.opt.Witness {
		by = end
	}
	for t, i := range end.Idx {
		c := s.place[i]
		if c < 0 {
			continue
		}
		side := 0
		if end.Num[t] > 0 {
			side = 1
		}
		r := reach{num.Magnitude(end.Num[t]), uint64(end.Den), by}
		if s.found[c][side].less(r) && s.near[c][side].less(r) {
			if s.near[c] == [2]reach{} {
				s.news = append(s.news, c)
			}
			s.near[c][side] = r
		}
	}
}

// tell lets all know what the stream has found.
func (s *stream) tell() {
	for _, c := range s.news {
		for side, r := range s.near[c] {
			if s.found[c][side].less(r) {
				s.found[c][side] = r
			}
		}
		s.near[c] = [2]reach{}
	}
	s.news = s.news[:0]
}

// cell is the interval of cell k between its ends.
func (s *stream) cell(k int, ends [2]*intruder.End) Cell {
	c := Cell{Index: k}
	for side, end := range ends {
		var outer *big.Rat
		if !end.Endless {
			c.inner[side] = s.base.Value(k, signs[side], end.Value)
			if end.Bound != nil {
				outer = s.base.Value(k, signs[side], end.Bound)
			}
			c.Inexact = c.Inexact || !end.Exact()
		}
		var w *Witness
		if s.opt.Witness {
			w = (*Witness)(s.base.Witness(end))
		}
		c.set(side, outer, w)
	}
	return c
}

// set sets the end on one side: 0 the lower, 1 the upper.
func (c *Cell) set(side int, outer *big.Rat, w *Witness) {
	if side == 0 {
		c.Lo, c.LoWitness = outer, w
	} else {
		c.Hi, c.HiWitness = outer, w
	}
}

// inValues is the interval of cell k where no base is to be written in 64 bits.
func (s *stream) inValues(ctx context.Context, k int) (Cell, error) {
	c := Cell{Index: k}
	if s.wide == nil {
		s.wide = s.base.InValues()
	}
	question := ctx
	if s.opt.TimeLimit > 0 {
		question = s.search
	}
	ends, err := s.wide.Ends(question, k, s.opt.Witness)
	switch {
	case err != nil && s.stopped(ctx):
		return s.atLeast(k), nil
	case err != nil:
		return c, err
	}
	for side, end := range ends {
		c.inner[side] = end.Value
		c.set(side, end.Value, (*Witness)(end.Witness))
	}
	return c, nil
}

// atLeast is what is known of cell k where the search ended before its interval was found: one table, and the bounds.
func (s *stream) atLeast(k int) Cell {
	t, some := s.rep.open, s.base.Some()
	v := some.At(k)
	c := Cell{Index: k, Inexact: true, inner: [2]*big.Rat{v, v}}
	for side, bound := range [2]int64{t.Lower[k], t.Upper[k]} {
		var outer *big.Rat
		if bound != table.NegInf && bound != table.PosInf {
			outer = new(big.Rat).SetInt64(bound)
		}
		var w *Witness
		if s.opt.Witness {
			w = (*Witness)(some)
		}
		c.set(side, outer, w)
	}
	return c
}

package interval

import (
	"context"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// shards is the number of independent streams of cells. Each has its own engine, warm-started from cell to cell in
// order, so results do not depend on the number of workers.
const shards = 8

// mostTurns is the number of cells after which the streams exchange what they found.
const mostTurns = 64

// An inspection is a running audit. Sensitive cells come first, and among them those whose levels no table found so far
// shows to be met. Cells are numbered as in the report.
type inspection struct {
	rep     *Report
	opt     *Options
	base    *oracle.Base
	cells   []int
	search  context.Context // ends before ctx if there is a limit
	moves   []bool          // cells that can move; nil: not known beforehand
	streams []*stream
	known   []bool // cells that are done
	done    atomic.Int64

	// How far each cell moves, down and up, in the tables found so far; nil on networks, where computing each end is
	// cheap.
	found [][2]reach
	place []int32 // by cell of the table: its number in the report, −1 none

	outer  sync.Once
	up, dn []int64 // capacities, tightened by the relations
}

// A reach is how far a table moves one cell away from the base: num/den ≥ 0.
type reach struct {
	num uint64
	den uint64      // 0 stands for 1, as for the base
	by  *oracle.End // the table, if witnesses are wanted; nil: the base
}

func (r reach) less(s reach) bool {
	return num.Mul128(r.num, max(1, s.den)).Less(num.Mul128(s.num, max(1, r.den)))
}

// meets reports whether r reaches capacity.
func (r reach) meets(capacity int64) bool {
	return capacity != table.PosInf && num.Mul128(uint64(capacity), max(1, r.den)) == num.Uint128{Lo: r.num}
}

func (r reach) distance() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.num), new(big.Int).SetUint64(max(1, r.den)))
}

// end returns r as an end of an interval.
func (r reach) end() *oracle.End {
	e := &oracle.End{Den: 1}
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
		a.place = slices.Repeat([]int32{-1}, rep.open.Len())
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

// shown reports whether the tables found so far show that cell c meets its levels.
func (a *inspection) shown(c int) bool {
	var inner [2]*big.Rat
	for side, sign := range signs {
		inner[side] = over(a.base.Value(a.cells[c], sign, a.found[c][side].distance()), a.rep.by)
	}
	return meets(a.rep.t, a.cells[c], inner[0], inner[1])
}

// signs are the directions of the lower end and of the upper.
var signs = [2]int{-1, 1}

// inTurns computes the intervals of those cells that are still wanted when their turn comes.
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

// room returns the tightened capacity of cell k on one side, an upper bound on its movement.
func (a *inspection) room(k, side int) int64 {
	a.outer.Do(func() {
		up, dn := a.base.Room()
		a.up, a.dn = slices.Clone(up), slices.Clone(dn)
		for range 4 {
			oracle.Tighten(a.rep.open.Rel, a.up, a.dn)
		}
	})
	if side == 0 {
		return a.dn[k]
	}
	return a.up[k]
}

// stopped reports whether the search has ended although the audit has not.
func (a *inspection) stopped(ctx context.Context) bool {
	return a.search.Err() != nil && ctx.Err() == nil
}

// A stream is the work of one engine.
type stream struct {
	*inspection
	e    *oracle.Exact
	wide *oracle.InValues
	near [][2]reach // how far its tables reach beyond what all streams know
	news []int32    // cells with news in near
}

// settle computes the interval of cell c.
func (s *stream) settle(ctx context.Context, c int) error {
	k, cell := s.cells[c], Cell{}
	var err error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.moves != nil && !s.moves[k]:
		cell = s.cell(k, [2]*oracle.End{reach{}.end(), reach{}.end()})
	case s.base.Wide():
		cell, err = s.inValues(ctx, k)
	default:
		var ends [2]*oracle.End
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
		return i18n.Errorf("cell %s: %w", s.rep.open.CellName(k), err)
	}
	s.rep.Cells[c], s.known[c] = cell, true
	if n := s.done.Add(1); s.opt.Progress != nil {
		s.opt.Progress(int(n), len(s.cells))
	}
	return nil
}

// end returns one end of the interval of cell c, an outer bound if the search has ended.
func (s *stream) end(ctx context.Context, c, side int) (*oracle.End, error) {
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
	if s.stopped(ctx) && !s.opt.Integer { // the integer search has bounds of its own even then
		return s.outside(far, k, side), nil
	}
	if s.e == nil {
		var err error
		if s.e, err = s.base.Open(s.opt.Engine, s.opt.LP); err != nil {
			return nil, err
		}
	}
	question, search := ctx, work.On(s.search, ctx)
	if s.opt.TimeLimit > 0 && !s.opt.Integer { // an integer search has an answer at any time
		question = search
	}
	end, err := s.base.End(question, search, s.e, k, sign, s.opt.Integer)
	switch {
	case err != nil && s.stopped(ctx):
		return s.outside(far, k, side), nil
	case err != nil:
		return nil, err
	}
	s.learn(end)
	return end, nil
}

// outside returns the outer bound of an end that was not found.
func (s *stream) outside(far reach, k, side int) *oracle.End {
	end := far.end()
	end.Bound = nil
	if room := s.room(k, side); room != table.PosInf {
		end.Bound = new(big.Rat).SetInt64(room)
	}
	return end
}

// learn records how far a table just found moves the cells.
func (s *stream) learn(end *oracle.End) {
	if s.near == nil || end.Wide != nil || s.opt.Integer && end.Den != 1 {
		return
	}
	var by *oracle.End
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

// tell passes the stream's findings to all streams.
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

// cell returns the interval of cell k between the two ends.
func (s *stream) cell(k int, ends [2]*oracle.End) Cell {
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

// inValues computes the interval of cell k if no base fits 64 bits.
func (s *stream) inValues(ctx context.Context, k int) (Cell, error) {
	c := Cell{Index: k}
	if s.wide == nil {
		s.wide = s.base.InValues()
	}
	question := ctx
	if s.opt.TimeLimit > 0 {
		question = work.On(s.search, ctx)
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

// atLeast returns what is known of cell k if the search ended before it: one table's value, and the bounds.
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

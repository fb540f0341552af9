package partial

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
)

// shardCount is the number of independent streams of levels; it is fixed, so that the result does not depend on the
// number of workers.
const shardCount = 4

// levelTol is the share of a level by which floating point may fall short of it.
const levelTol = 1e-8

// A shard asks the intruder's engine about its levels and turns the duals into cuts.
type shard struct {
	in     oracle.Intruder
	q      *cutter
	exact  *oracle.Exact
	levels []int // indices into problem.levels
	skip   []int8
	cuts   []*cut
	missed []miss
	ends   []*oracle.End
	broken []int
}

// A miss is a level that is not met, and how far its cell can move.
type miss struct {
	level  int
	hi, lo float64
}

// A subproblem separates all levels.
type subproblem struct {
	p       *problem
	shards  []*shard
	near    []*shard // engines that use only relations near each cell; nil if there are few relations
	workers int
	backend string
	ones    []float64
	room    [2][]float64 // capacities of the cells; the engines refer to them
}

// nearRelations is the number of relations near a cell used in tables whose full programs take long.
const nearRelations = 400

func newSubproblem(p *problem, opt *Options) (*subproblem, error) {
	n := p.t.Len()
	o := &subproblem{p: p, workers: opt.Workers, backend: opt.LP, ones: make([]float64, n), room: [2][]float64{make([]float64, n), make([]float64, n)}}
	for i := range o.ones {
		o.ones[i] = 1
	}
	var groups [][]int
	last := int32(-1)
	for t, l := range p.levels {
		if l.K != last {
			groups, last = append(groups, nil), l.K
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], t)
	}
	open := func(in oracle.Intruder, levels []int) *shard {
		return &shard{in: in, q: newCutter(p), levels: levels, skip: make([]int8, len(levels))}
	}
	for s := range min(shardCount, len(groups)) {
		in, err := p.sys.NewIntruder("", opt.LP)
		if err != nil {
			o.close()
			return nil, err
		}
		var levels []int
		for g := s; g < len(groups); g += shardCount {
			levels = append(levels, groups[g]...)
		}
		slices.SortStableFunc(levels, func(a, b int) int { return cmp.Compare(p.levels[a].RHS, p.levels[b].RHS) })
		o.shards = append(o.shards, open(in, levels))
	}
	if p.sys.IsNarrow() && 2*nearRelations < p.t.Rel.Len() {
		for _, sh := range o.shards {
			o.near = append(o.near, open(p.sys.NewNear(opt.LP, nearRelations), sh.levels))
		}
	}
	return o, nil
}

func (o *subproblem) close() {
	for _, sh := range slices.Concat(o.shards, o.near) {
		sh.in.Close()
		if sh.exact != nil {
			sh.exact.Close()
		}
	}
}

// engine returns the name of the engine over all relations.
func (o *subproblem) engine() string {
	if len(o.shards) == 0 {
		return ""
	}
	return o.shards[0].in.Name()
}

// maxSkip is the number of rounds for which a level that was met is skipped.
const maxSkip = 5

// spread sets the capacities to y plus a little more wherever possible: with capacities of 0, multipliers would be
// arbitrary (Magnanti and Wong, Accelerating Benders decomposition, Operations Research 29(3), 1981).
func (o *subproblem) spread(y []float64, more float64) {
	p := o.p
	for d := range o.room {
		for i := range o.room[d] {
			o.room[d][i] = real(p.given[d][i])
		}
	}
	for j, i := range p.cell {
		o.room[p.dir[j]][i] = min(y[j]+more, real(p.room[j]))
	}
}

// ask looks for cuts at the current capacities, by the given shards; with all, for every level. missed are the levels
// found unmet.
func (o *subproblem) ask(ctx context.Context, shards []*shard, all bool) (cuts []*cut, missed []miss, err error) {
	err = parallel.Do(ctx, len(shards), o.workers, func(ctx context.Context, s int) error {
		sh := shards[s]
		sh.cuts, sh.missed = sh.cuts[:0], sh.missed[:0]
		sh.in.SetCapacities(o.room[up], o.room[down], o.ones)
		mirrored := int32(-1)
		for t, li := range sh.levels {
			l := o.p.levels[li]
			if !all && sh.skip[t] > 0 && sh.skip[t] < maxSkip {
				sh.skip[t]++
				continue
			}
			if l.K == mirrored && l.Side == protection.Lower && !all {
				continue // its cut has been found already
			}
			before := len(sh.cuts)
			m, missed, err := sh.separate(ctx, l)
			if errors.Is(err, oracle.ErrNumbers) {
				continue
			}
			if err != nil {
				return err
			}
			sh.skip[t] = 1
			if missed {
				m.level = li
				sh.missed = append(sh.missed, m)
				sh.skip[t] = 0
			}
			if len(sh.cuts) > before+1 {
				mirrored = l.K
			}
		}
		return nil
	})
	for _, sh := range shards {
		cuts, missed = append(cuts, sh.cuts...), append(missed, sh.missed...)
	}
	return cuts, missed, err
}

// separate adds the cuts of the duals of level l if it is not met.
func (sh *shard) separate(ctx context.Context, l protection.Level) (m miss, missed bool, err error) {
	if l.Side == protection.Width {
		return sh.width(ctx, l)
	}
	rhs, sign := float64(l.RHS), 1
	if l.Side == protection.Lower {
		sign = -1
	}
	v, err := sh.in.Bound(ctx, int(l.K), sign, rhs)
	if err != nil || v >= rhs*(1-levelTol) {
		return m, false, err
	}
	for _, d := range sh.in.Duals() {
		sh.keep(sh.q.one(d, sign, l.RHS))
		if other := sh.q.p.opposite(l); other > 0 {
			sh.keep(sh.q.one(d, -sign, other))
		}
	}
	return m, true, nil
}

// width is separate for a width, from a dual upwards and one downwards.
func (sh *shard) width(ctx context.Context, l protection.Level) (m miss, missed bool, err error) {
	k, rhs := int(l.K), float64(l.RHS)
	reach := sh.in.Bound
	var duals [2][]*oracle.Dual
	for exact := false; ; exact = true {
		var ends [2]float64
		for side, sign := range [2]int{1, -1} {
			v, err := reach(ctx, k, sign, rhs)
			if err != nil || v >= rhs*(1-levelTol) {
				return m, false, err
			}
			ends[side] = v
			duals[side] = sh.in.Duals()
		}
		m.hi, m.lo = ends[0], ends[1]
		if m.hi+m.lo < rhs*(1-levelTol) {
			break
		}
		if exact {
			return m, false, nil
		}
		reach = sh.in.Reach
	}
	for _, a := range duals[0] {
		for _, b := range duals[1] {
			sh.keep(sh.q.two(a, b, l.RHS))
		}
		sh.keep(sh.q.two(a, a, l.RHS))
	}
	for _, b := range duals[1] {
		sh.keep(sh.q.two(b, b, l.RHS))
	}
	return m, true, nil
}

func (sh *shard) keep(c *cut) {
	if c != nil {
		sh.cuts = append(sh.cuts, c)
	}
}

// first returns the cuts from single relations of sensitive cells: the other cells of the relation must compensate for
// the movement.
func (o *subproblem) first() []*cut {
	var cuts []*cut
	q := newCutter(o.p)
	add := func(c *cut) {
		if c != nil {
			cuts = append(cuts, c)
		}
	}
	for _, l := range o.p.levels {
		rels, _ := o.p.sys.Cols.Column(int(l.K))
		for _, j := range rels {
			d := o.p.sys.RelationDual(int(j), int(l.K))
			switch l.Side {
			case protection.Upper:
				add(q.one(d, 1, l.RHS))
			case protection.Lower:
				add(q.one(d, -1, l.RHS))
			default:
				add(q.two(d, d, l.RHS))
			}
		}
	}
	return append(cuts, o.own()...)
}

// own returns the cuts that require the cell's own interval to be as wide as its width.
func (o *subproblem) own() (cuts []*cut) {
	q := newCutter(o.p)
	for _, l := range o.p.levels {
		if l.Side == protection.Width {
			d := &oracle.Dual{K: l.K, Den: 1, Idx: []int32{l.K}, Coef: []int64{1}}
			if c := q.two(d, d, l.RHS); c != nil {
				cuts = append(cuts, c)
			}
		}
	}
	return cuts
}

package rounding

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/flow"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Slabs divide a table by its outer dimensions, all but one or two, so that a slab, the part at one place of these, is
// a network. The slabs at the leaves of the outer dimensions determine the table: moving a cell of one by δ moves the
// cells above it in the outer dimensions by δ. So one slab, with the others fixed, is a minimum-cost flow with convex
// costs: those of its cells and of all cells above.
type slabs struct {
	l      *lattice
	t      *table.Table
	at     []int32   // cell at a position of an outer place: at[outer·size + position], −1 none
	size   int       // number of positions of a slab
	path   [][]int32 // by slab: its outer place and those above, itself first
	sys    []*net
	pos    [][]int32      // by slab: the positions that have a cell, which are the cells of its system
	sum    [][]int64      // right-hand sides of its relations, in multiples
	z      []int64        // movements of the cells of slabs
	dev    []int64        // y − a of the cells above, for the slabs done so far
	fine   []int64        // penalty for each unit beyond the allowed steps
	hot    map[int32]bool // places with cells that lie too far; nil: examine all places
	loose  bool           // not all slabs are done, so cells above may be up to a base away
	family []family
}

// slabs rounds slab by slab: first each slab makes up for what the cells above it lack because of the slabs before
// (error diffusion); then one slab, or two together, are rounded anew with all others fixed, until nothing improves.
// nil if the table has no such slabs, or if no rounding was found. open are the sensitive cells left unprotected.
func (l *lattice) slabs(ctx context.Context, t *table.Table, guard *guard) (z []int64, open []int, err error) {
	s := newSlabs(l, t)
	if s == nil {
		return nil, nil, nil
	}
	s.loose = true
	for c := range s.path {
		if ok, err := s.single(ctx, c, true); err != nil || !ok {
			return nil, nil, err
		}
	}
	s.loose = false
	for range breakouts {
		if err := s.descend(ctx); err != nil {
			return nil, nil, err
		}
		if ctx.Err() != nil || !s.sharpen() {
			break
		}
	}
	z = s.point()
	if !l.holds(z) {
		return nil, nil, nil
	}
	open, err = guard.open(ctx, l.table(z))
	if ctx.Err() != nil {
		return nil, nil, nil
	}
	return z, open, err
}

// breakouts is how often the penalty on cells that lie too far is raised.
const breakouts = 100

// sharpen raises the penalty of cells that lie beyond the allowed steps, so that the next descent leaves the local
// optimum of the last one (Morris, AAAI 1993); false if there are none. From then on, slabs unrelated to such cells
// stay as they are.
func (s *slabs) sharpen() bool {
	s.hot = map[int32]bool{}
	for x, i := range s.at {
		if i >= 0 && s.miss(i, s.dev[i]) > s.l.w[i]*num.Abs(s.dev[i]) {
			s.fine[i] += 16 * max(s.l.w[i], 1)
			s.hot[int32(x/s.size)] = true
		}
	}
	return len(s.hot) > 0
}

// stays reports whether a place is unrelated to cells that lie too far.
func (s *slabs) stays(path []int32) bool {
	return s.hot != nil && !slices.ContainsFunc(path, func(o int32) bool { return s.hot[o] })
}

// descend rounds slabs, families and pairs anew until nothing improves.
func (s *slabs) descend(ctx context.Context) error {
	for better := true; better && ctx.Err() == nil; {
		before := s.total()
		for c, path := range s.path {
			if s.stays(path) {
				continue
			}
			if _, err := s.single(ctx, c, false); err != nil {
				return err
			}
		}
		if better = s.total() < before; better {
			continue
		}
		for f := range s.family {
			if err := s.together(ctx, &s.family[f]); err != nil {
				return err
			}
		}
		if better = s.total() < before; better {
			continue
		}
		if err := s.pairs(ctx); err != nil {
			return err
		}
		better = s.total() < before
	}
	return nil
}

// newSlabs returns nil if the table cannot be divided.
func newSlabs(l *lattice, t *table.Table) *slabs {
	k := len(t.Dims)
	if k < 2 || t.Rel.Dim == nil || t.Layers > 1 {
		return nil
	}
	inner := innermost(t)
	outer, size := 1, 1
	stride := make([]int, k)
	for d := k - 1; d >= 0; d-- {
		n := len(t.Dims[d].Codes)
		if inner[d] {
			stride[d] = size
			size *= n
		} else {
			stride[d] = outer
			outer *= n
		}
		if outer*size > 8*t.Len()+1<<16 || outer < 0 {
			return nil
		}
	}
	s := &slabs{l: l, t: t, at: make([]int32, outer*size), size: size, z: make([]int64, t.Len()), dev: make([]int64, t.Len()), fine: make([]int64, t.Len())}
	for i, w := range l.w {
		s.fine[i] = 16 * max(w, 1)
	}
	for p := range s.at {
		s.at[p] = -1
	}
	place := make([]int32, t.Len()) // outer place of each cell
	position := make([]int32, t.Len())
	for i := range t.Len() {
		for d := range k {
			if c := int(t.Coord[i*k+d]) * stride[d]; inner[d] {
				position[i] += int32(c)
			} else {
				place[i] += int32(c)
			}
		}
		s.at[int(place[i])*size+int(position[i])] = int32(i)
	}
	within := make([][]int32, outer) // by outer place: the relations within it
	for j := range t.Rel.Len() {
		switch d := t.Rel.Dim[j]; {
		case d < 0:
			return nil
		case inner[d]:
			cell, _ := t.Rel.Row(j)
			within[place[cell[0]]] = append(within[place[cell[0]]], int32(j))
		}
	}
	s.paths(inner, stride)
	for _, path := range s.path {
		if !s.system(path[0], within[path[0]]) {
			return nil
		}
	}
	s.families(inner, stride)
	return s
}

// innermost chooses the dimensions that form a slab: the largest two of which at most one has a hierarchy, else the
// largest one.
func innermost(t *table.Table) []bool {
	k := len(t.Dims)
	best, pair := 0, [2]int{}
	for d := range k {
		for e := range d + 1 {
			size := len(t.Dims[d].Codes)
			if e < d {
				if k == 2 || !t.Dims[d].Flat() && !t.Dims[e].Flat() {
					continue
				}
				size *= len(t.Dims[e].Codes)
			}
			if size > best {
				best, pair = size, [2]int{d, e}
			}
		}
	}
	inner := make([]bool, k)
	inner[pair[0]], inner[pair[1]] = true, true
	return inner
}

// paths lists the leaves of the outer dimensions, each with all places above it.
func (s *slabs) paths(inner []bool, stride []int) {
	all := [][]int32{{0}}
	for d := range s.t.Dims {
		if inner[d] {
			continue
		}
		dim := &s.t.Dims[d]
		var next [][]int32
		for c, leaf := range dim.Leaves() {
			if !leaf {
				continue
			}
			for _, p := range all {
				var q []int32
				for e := int32(c); e >= 0; e = dim.Parent[e] {
					for _, o := range p {
						q = append(q, o+e*int32(stride[d]))
					}
				}
				next = append(next, q)
			}
		}
		all = next
	}
	// In the product the last dimension comes first in each place, so the leaf itself is always the first.
	s.path = all
}

// system makes the network of a slab; it returns false if it is not a network.
func (s *slabs) system(place int32, rels []int32) bool {
	var pos []int32
	local := make(map[int32]int32)
	for p := range s.size {
		if i := s.at[int(place)*s.size+p]; i >= 0 {
			local[i] = int32(len(pos))
			pos = append(pos, int32(p))
		}
	}
	r := table.NewRelations(len(pos))
	var sums []int64
	for _, j := range rels {
		cell, coef := s.l.rel.Row(int(j))
		moved := make([]int32, len(cell))
		for e, i := range cell {
			q, ok := local[i]
			if !ok {
				return false
			}
			moved[e] = q
		}
		r.Add(moved, coef, 0)
		sums = append(sums, s.l.d[j])
	}
	sys := newNet(r)
	if sys == nil {
		return false
	}
	s.sys, s.pos, s.sum = append(s.sys, sys), append(s.pos, pos), append(s.sum, sums)
	return true
}

// miss returns the cost of a deviation v of cell i: w|v|, plus the penalty beyond the allowed steps.
func (s *slabs) miss(i int32, v int64) int64 {
	l := s.l
	lo, up := l.off[i]+l.b*l.lo[i]-l.a[i], l.off[i]+l.b*l.up[i]-l.a[i]
	if s.loose {
		lo, up = min(lo, 1-l.b), max(up, l.b-1)
	}
	return l.w[i]*num.Abs(v) + s.fine[i]*max(lo-v, v-up, 0)
}

// total is the cost of all cells.
func (s *slabs) total() int64 {
	var v int64
	for i := range s.dev {
		v += s.miss(int32(i), s.dev[i])
	}
	return v
}

// shift returns the change in cost of the cells on path, but not on other, when position p of a slab moves by k
// multiples.
func (s *slabs) shift(path, other []int32, p int32, k int64) int64 {
	var v int64
	for _, o := range path {
		if i := s.at[int(o)*s.size+int(p)]; i >= 0 && !slices.Contains(other, o) {
			v += s.miss(i, s.dev[i]+k*s.l.b) - s.miss(i, s.dev[i])
		}
	}
	return v
}

// move performs this movement.
func (s *slabs) move(path, other []int32, p int32, k int64) {
	if k == 0 {
		return
	}
	for _, o := range path {
		if i := s.at[int(o)*s.size+int(p)]; i >= 0 && !slices.Contains(other, o) {
			s.dev[i] += k * s.l.b
		}
	}
}

// single rounds slab c anew with all others fixed; first says that it is done for the first time. It returns false if
// there is no rounding.
func (s *slabs) single(ctx context.Context, c int, first bool) (bool, error) {
	path, l := s.path[c], s.l
	n := len(s.pos[c])
	lo, up := make([]int64, n), make([]int64, n) // how far positions may move
	supply := slices.Clone(s.sum[c])
	for q, p := range s.pos[c] {
		i := s.at[int(path[0])*s.size+int(p)]
		if first {
			s.z[i] = min(max(l.floor[i], l.lo[i]), l.up[i])
			for _, o := range path {
				if a := s.at[int(o)*s.size+int(p)]; a >= 0 {
					s.dev[a] += l.off[i] + l.b*s.z[i] - l.a[i]
				}
			}
		}
		lo[q], up[q] = l.lo[i]-s.z[i], l.up[i]-s.z[i]
	}
	if first {
		for j := range supply { // the initial deficit of the relations
			cell, coef := s.sys[c].rel.Row(j)
			for e, q := range cell {
				supply[j] -= int64(coef[e]) * s.z[s.at[int(path[0])*s.size+int(s.pos[c][q])]]
			}
		}
	} else {
		clear(supply)
	}
	moves, err := best(ctx, s.sys[c], lo, up, supply, func(q int, k int64) int64 { return s.shift(path, nil, s.pos[c][q], k) })
	if err != nil || moves == nil {
		return false, err
	}
	for q, p := range s.pos[c] {
		s.z[s.at[int(path[0])*s.size+int(p)]] += moves[q]
		s.move(path, nil, p, moves[q])
	}
	return true, nil
}

// nearby is the number of following slabs with which each slab is paired.
const nearby = 24

// pairs moves pairs of nearby slabs against each other.
func (s *slabs) pairs(ctx context.Context) error {
	for c := range s.path {
		for e := c + 1; e < min(len(s.path), c+1+nearby); e++ {
			if ctx.Err() != nil {
				return nil
			}
			if s.stays(s.path[c]) && s.stays(s.path[e]) {
				continue
			}
			if err := s.pair(ctx, c, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair moves slab c one way and slab e the other, so that cells above both stay unchanged.
func (s *slabs) pair(ctx context.Context, c, e int) error {
	l, one, two := s.l, s.path[c], s.path[e]
	n := len(s.pos[c])
	lo, up := make([]int64, n), make([]int64, n)
	some := false
	for q, p := range s.pos[c] {
		i, j := s.at[int(one[0])*s.size+int(p)], s.at[int(two[0])*s.size+int(p)]
		if j < 0 {
			continue
		}
		lo[q], up[q] = max(l.lo[i]-s.z[i], s.z[j]-l.up[j]), min(l.up[i]-s.z[i], s.z[j]-l.lo[j])
		some = some || lo[q] < up[q]
	}
	if !some {
		return nil
	}
	moves, err := best(ctx, s.sys[c], lo, up, make([]int64, len(s.sum[c])), func(q int, k int64) int64 {
		return s.shift(one, two, s.pos[c][q], k) + s.shift(two, one, s.pos[c][q], -k)
	})
	if err != nil || moves == nil {
		return err
	}
	for q, p := range s.pos[c] {
		if moves[q] == 0 {
			continue
		}
		s.z[s.at[int(one[0])*s.size+int(p)]] += moves[q]
		s.z[s.at[int(two[0])*s.size+int(p)]] -= moves[q]
		s.move(one, two, p, moves[q])
		s.move(two, one, p, -moves[q])
	}
	return nil
}

// best finds the cheapest moves of a network's cells, within lo and up, that supply what its relations lack. cost must
// be convex in its second argument. nil: there are none, or ctx ended.
func best(ctx context.Context, sys *net, lo, up, lack []int64, cost func(q int, k int64) int64) ([]int64, error) {
	tail, head, sign := sys.tail, sys.head, sys.sign
	g := flow.New(len(sign) + 1)
	supply := make([]int64, len(sign)+1)
	for j, f := range sign {
		supply[j] = -int64(f) * lack[j]
	}
	first := make([]int, len(lo)+1)
	for q := range lo {
		u, v := tail[q], head[q]
		first[q+1] = first[q]
		if u != v {
			supply[u] -= lo[q]
			supply[v] += lo[q]
		}
		for k := lo[q]; k < up[q]; k++ {
			first[q+1] = g.Add(u, v, 1, cost(q, k+1)-cost(q, k)) + 1
		}
	}
	ground := len(sign)
	supply[ground] = 0
	for j := range sign {
		supply[ground] -= supply[j]
	}
	if err := g.Solve(ctx, supply); err != nil {
		if errors.Is(err, flow.ErrInfeasible) || ctx.Err() != nil {
			return nil, nil
		}
		return nil, err
	}
	moves := make([]int64, len(lo))
	for q := range moves {
		moves[q] = lo[q]
		for k := first[q]; k < first[q+1]; k++ {
			moves[q] += g.Flow(k)
		}
	}
	return moves, nil
}

// point returns z of all cells; cells above slabs have moved with these.
func (s *slabs) point() []int64 {
	return sets.List(len(s.dev), func(i int) int64 { return (s.dev[i] + s.l.a[i] - s.l.off[i]) / s.l.b })
}

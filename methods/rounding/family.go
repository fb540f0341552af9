package rounding

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// A family is a set of slabs that are siblings in one outer dimension and equal in the others. For slabs of one
// dimension, the moves of all of them together with their sum, the move of what is above, form a table of two ways with
// one hierarchy: again a network.
type family struct {
	slabs []int
	own   [][]int32 // by position: the outer places that move with it alone
	above []int32   // the outer places that move with all positions
	sys   *net
	cell  []int32 // by cell of sys: slab·size + position, with slabs counted within the family and the sum last
	sum   []int32 // by position: the cell of sys that is its sum
}

// families finds the families. Those whose relations are not a network are left out.
func (s *slabs) families(inner []bool, stride []int) {
	at := map[[2]int32]int{}
	var all []family
	for d := range s.t.Dims {
		if inner[d] {
			continue
		}
		n := int32(len(s.t.Dims[d].Codes))
		for c, path := range s.path {
			here := path[0] / int32(stride[d]) % n
			up := s.t.Dims[d].Parent[here]
			if up < 0 {
				continue
			}
			key := [2]int32{int32(d), path[0] + (up-here)*int32(stride[d])}
			f, ok := at[key]
			if !ok {
				f = len(all)
				at[key] = f
				all = append(all, family{})
			}
			var own, above []int32
			for _, o := range path {
				if o/int32(stride[d])%n == here {
					own = append(own, o)
				} else {
					above = append(above, o)
				}
			}
			all[f].slabs, all[f].own, all[f].above = append(all[f].slabs, c), append(all[f].own, own), above
		}
	}
	for f := range all {
		if len(all[f].slabs) > 1 && s.join(&all[f]) {
			s.family = append(s.family, all[f])
		}
	}
}

// join makes the network of a family, whose slabs must have the same positions; it returns false if it is not a
// network.
func (s *slabs) join(f *family) bool {
	m := len(f.slabs)
	pos, rel := s.pos[f.slabs[0]], s.sys[f.slabs[0]].rel
	for _, c := range f.slabs {
		if !slices.Equal(s.pos[c], pos) || s.sys[c].rel.Len() != rel.Len() {
			return false
		}
	}
	n := int32(len(pos))
	r := table.NewRelations((m + 1) * len(pos))
	f.sum = make([]int32, s.size)
	for k := range m + 1 {
		for _, p := range pos {
			f.cell = append(f.cell, int32(k*s.size)+p)
		}
	}
	for q, p := range pos {
		sum := int32(m)*n + int32(q)
		f.sum[p] = sum
		cell, coef := []int32{sum}, []int32{-1}
		for k := range m {
			cell, coef = append(cell, int32(k)*n+int32(q)), append(coef, 1)
		}
		r.Add(cell, coef, 0)
	}
	for k := range m + 1 {
		for j := range rel.Len() {
			cell, coef := rel.Row(j)
			moved := slices.Clone(cell)
			for e := range moved {
				moved[e] += int32(k) * n
			}
			r.Add(moved, coef, 0)
		}
	}
	f.sys = newNet(r)
	return f.sys != nil
}

// together rounds the slabs of a family anew, with all other slabs fixed.
func (s *slabs) together(ctx context.Context, f *family) error {
	if ctx.Err() != nil {
		return nil
	}
	l, m := s.l, len(f.slabs)
	lo, up := make([]int64, len(f.cell)), make([]int64, len(f.cell))
	for q, x := range f.cell {
		k, p := int(x)/s.size, int(x)%s.size
		if k == m {
			continue
		}
		i := s.at[int(s.path[f.slabs[k]][0])*s.size+p]
		lo[q], up[q] = l.lo[i]-s.z[i], l.up[i]-s.z[i]
		sum := f.sum[p]
		lo[sum] += lo[q]
		up[sum] += up[q]
	}
	moves, err := best(ctx, f.sys, lo, up, make([]int64, f.sys.rel.Len()), func(q int, k int64) int64 {
		x := f.cell[q]
		if n := int(x) / s.size; n < m {
			return s.shift(f.own[n], nil, x%int32(s.size), k)
		}
		return s.shift(f.above, nil, x%int32(s.size), k)
	})
	if err != nil || moves == nil {
		return err
	}
	for q, x := range f.cell {
		p := x % int32(s.size)
		if n := int(x) / s.size; n < m {
			s.z[s.at[int(s.path[f.slabs[n]][0])*s.size+int(p)]] += moves[q]
			s.move(f.own[n], nil, p, moves[q])
		} else {
			s.move(f.above, nil, p, moves[q])
		}
	}
	return nil
}

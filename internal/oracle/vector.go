package oracle

import (
	"slices"
	"sort"

	"github.com/hitoku/hitoku/internal/sets"
)

// RelationDual returns the dual of cell k from relation j alone, which must contain k: it expresses y_k by the other
// cells of the relation.
func (s *System) RelationDual(j, k int) *Dual {
	d := &Dual{K: int32(k), Rel: []int32{int32(j)}}
	cell, coef := s.Rel.Row(j)
	sign := int64(1)
	for t, i := range cell {
		if i == d.K {
			d.Den = int64(coef[t])
		}
	}
	if d.Den < 0 {
		d.Den, sign = -d.Den, -1
	}
	d.Mult = []int64{sign}
	for t, i := range cell {
		if i != d.K {
			d.Idx, d.Coef = append(d.Idx, i), append(d.Coef, -sign*int64(coef[t]))
		}
	}
	d.sort()
	return d
}

// sort sorts the entries by cell.
func (d *Dual) sort() {
	if slices.IsSorted(d.Idx) {
		return
	}
	at := sets.Upto(len(d.Idx))
	slices.SortFunc(at, func(a, b int) int { return int(d.Idx[a] - d.Idx[b]) })
	idx, coef := make([]int32, len(at)), make([]int64, len(at))
	for t, a := range at {
		idx[t], coef[t] = d.Idx[a], d.Coef[a]
	}
	d.Idx, d.Coef = idx, coef
}

// Vector returns the vector v = Den·(e_K − d) of the row space of M behind d: v = Mᵀ Mult and Σ v_i z_i = 0 for all z
// with M z = 0. idx is ascending, v has no zeros.
func (d *Dual) Vector() (idx []int32, v []int64) {
	idx, v = make([]int32, 0, len(d.Idx)+1), make([]int64, 0, len(d.Idx)+1)
	own := d.Den
	at := 0
	for t, i := range d.Idx {
		if i == d.K {
			own -= d.Coef[t]
			continue
		}
		if i < d.K {
			at = t + 1
		}
		idx, v = append(idx, i), append(v, -d.Coef[t])
	}
	if own != 0 {
		idx, v = slices.Insert(idx, at, d.K), slices.Insert(v, at, own)
	}
	return idx, v
}

// For returns the dual of cell k that the same vector gives, scaled: z_k = −Σ_{i≠k} (v_i/v_k) z_i. It is nil if v_k =
// 0.
func (d *Dual) For(k int32) *Dual {
	idx, v := d.Vector()
	at, ok := slices.BinarySearch(idx, k)
	if !ok {
		return nil
	}
	out := &Dual{K: k, Den: v[at], Rel: d.Rel, Mult: d.Mult}
	sign := int64(-1)
	if out.Den < 0 {
		out.Den, sign = -out.Den, 1
		out.Mult = make([]int64, len(d.Mult))
		for t, g := range d.Mult {
			out.Mult[t] = -g
		}
	}
	out.Idx = slices.Delete(idx, at, at+1)
	out.Coef = slices.Delete(v, at, at+1)
	for t := range out.Coef {
		out.Coef[t] *= sign
	}
	return out
}

// dualOrder sorts the entries of a Dual by cell.
type dualOrder struct{ *Dual }

func (d dualOrder) Len() int           { return len(d.Idx) }
func (d dualOrder) Less(a, b int) bool { return d.Idx[a] < d.Idx[b] }
func (d dualOrder) Swap(a, b int) {
	d.Idx[a], d.Idx[b] = d.Idx[b], d.Idx[a]
	d.Coef[a], d.Coef[b] = d.Coef[b], d.Coef[a]
}

func sortDual(d *Dual) { sort.Sort(dualOrder{d}) }

package oracle

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A near answers (1) with only some of the relations: those of a part of the table (see NewWithin), or those near the
// cell in question: its own, then those that share a cell with these, and so on up to a number, those that share most
// first. With fewer relations the maximum is larger and the duals are weaker, but still valid, as a vector in the row
// space of some relations is in that of M. In tables with deep trees, where M has thousands of relations, this takes a
// small fraction of the time.
type near struct {
	s       *System
	backend string
	at      func(k int32) int32        // number of the region to use for cell k
	rels    func(region int32) []int32 // its relations, ascending
	in      [3][]float64
	trunc   float64
	regions map[int32]*region
	last    *region
	work    float64
}

// A region is a part of M.
type region struct {
	in          Intruder
	cells, rels []int32 // cells and relations of M, ascending
	bounds      [3][]float64
}

// NewNear opens an engine for Bound and Duals that uses at most most relations near the cell. Its Reach is an upper
// bound on the maximum, and it has no witnesses.
func (s *System) NewNear(backend string, most int) Intruder {
	return s.NewWithin(backend, func(k int32) int32 { return k }, func(k int32) []int32 { return s.nearest(k, most) })
}

// NewWithin opens an engine like NewNear that uses for cell k only the relations of region at(k), which rels returns in
// ascending order. Each region is built at its first use and kept.
func (s *System) NewWithin(backend string, at func(k int32) int32, rels func(region int32) []int32) Intruder {
	return &near{s: s, backend: backend, at: at, rels: rels, trunc: inf, regions: map[int32]*region{}}
}

func (e *near) Name() string                                            { return "near" }
func (e *near) Work() float64                                           { return e.work }
func (e *near) SetCapacities(up, dn, weight []float64)                  { e.in = [3][]float64{up, dn, weight} }
func (e *near) Truncate(T float64)                                      { e.trunc = T }
func (e *near) SetWeight(i int, w float64)                              { e.in[2][i] = w }
func (e *near) Witness(idx []int32, val []float64) ([]int32, []float64) { return idx, val }

// Close implements Intruder.
func (e *near) Close() error {
	for _, r := range e.regions {
		r.in.Close()
	}
	return nil
}

// Reach implements Intruder.
func (e *near) Reach(ctx context.Context, k, sign int, limit float64) (float64, error) {
	return e.Bound(ctx, k, sign, limit)
}

// Bound implements Intruder.
func (e *near) Bound(ctx context.Context, k, sign int, limit float64) (float64, error) {
	place := e.at(int32(k))
	r := e.regions[place]
	if r == nil {
		var err error
		if r, err = e.s.region(e.rels(place), e.backend); err != nil {
			return 0, err
		}
		e.regions[place] = r
	}
	e.last = r
	at, known := slices.BinarySearch(r.cells, int32(k))
	if !known { // the cell is in no relation
		return inf, nil
	}
	for b, of := range e.in {
		for t, i := range r.cells {
			r.bounds[b][t] = of[i]
		}
	}
	r.in.Truncate(e.trunc)
	r.in.SetCapacities(r.bounds[0], r.bounds[1], r.bounds[2])
	before := r.in.Work()
	v, err := r.in.Bound(ctx, at, sign, limit)
	e.work += r.in.Work() - before
	return v, err
}

// Duals implements Intruder.
func (e *near) Duals() []*Dual {
	list := e.last.in.Duals()
	out := make([]*Dual, len(list))
	for t, d := range list {
		out[t] = &Dual{K: e.last.cells[d.K], Den: d.Den, Coef: d.Coef, Mult: d.Mult, Idx: named(d.Idx, e.last.cells), Rel: named(d.Rel, e.last.rels)}
	}
	return out
}

// named translates indices to names.
func named(idx, name []int32) []int32 {
	return sets.Pick(name, idx)
}

// nearest returns relations near k, ascending.
func (s *System) nearest(k int32, most int) (rels []int32) {
	in, known := map[int32]bool{}, map[int32]bool{}
	shared := map[int32]int{}
	fresh := []int32{k}
	for len(fresh) > 0 && len(rels) < most {
		for _, i := range fresh {
			of, _ := s.Cols.Column(int(i))
			for _, g := range of {
				if !in[g] {
					shared[g]++
				}
			}
		}
		more := slices.SortedFunc(maps.Keys(shared), func(a, b int32) int { return cmp.Or(shared[b]-shared[a], int(a-b)) })
		more = more[:min(len(more), most-len(rels))]
		fresh = fresh[:0]
		for _, g := range more {
			in[g] = true
			delete(shared, g)
			cell, _ := s.Rel.Row(int(g))
			for _, i := range cell {
				if !known[i] {
					known[i] = true
					fresh = append(fresh, i)
				}
			}
		}
		rels = append(rels, more...)
	}
	slices.Sort(rels)
	return rels
}

// region returns the part of M with the relations rels.
func (s *System) region(rels []int32, backend string) (*region, error) {
	r := &region{rels: rels}
	for _, j := range r.rels {
		cell, _ := s.Rel.Row(int(j))
		r.cells = append(r.cells, cell...)
	}
	slices.Sort(r.cells)
	r.cells = slices.Compact(r.cells)
	rel := &table.Relations{N: len(r.cells), Ptr: []int32{0}}
	for _, j := range r.rels {
		cell, coef := s.Rel.Row(int(j))
		at := make([]int32, len(cell))
		for t, i := range cell {
			p, _ := slices.BinarySearch(r.cells, i)
			at[t] = int32(p)
		}
		rel.Add(at, coef, 0)
	}
	for b := range r.bounds {
		r.bounds[b] = make([]float64, len(r.cells))
	}
	var err error
	r.in, err = NewSystem(rel).NewIntruder("", backend)
	return r, err
}

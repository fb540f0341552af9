package cellkey

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

const (
	maxParts  = 8      // largest number of parts of a relation: sums of that many keys fit 63 bits
	maxCombos = 20_000 // largest number of combinations of possible counts of its parts
)

// An arc is the range of keys, first ≤ key ≤ last, with which a true count is published as it was. Cells without
// records have key 0.
type arc struct{ first, last int64 }

// arc returns the keys with which the count n is published as x; false if it never is.
func (t *Table) arc(n, x int64) (arc, bool) {
	if n == 0 {
		return arc{}, x == 0
	}
	r := t.of(n)
	k, ok := slices.BinarySearch(r.V, x-n)
	if !ok || r.p(k) == 0 {
		return arc{}, false
	}
	a := arc{0, int64(r.Upper[k]) - 1}
	if k > 0 {
		a.first = int64(r.Upper[k-1])
	}
	return a, true
}

// meets reports whether a sum of keys between first and last, with up to maxParts summands, can have its fractional
// part in a.
func (a arc) meets(first, last int64) bool {
	return num.FloorDiv(last-a.first, one)*one >= first-a.last
}

// A split is a margin with its parts.
type split struct {
	margin int32
	parts  []int32
}

// splits returns the relations in which one cell is the sum of a few others.
func (w *world) splits() []split {
	var all []split
	rel := w.t.Rel
	for j := range rel.Len() {
		cells, coef := rel.Row(j)
		if rel.RHS[j] != 0 || len(cells) < 2 || len(cells) > maxParts+1 {
			continue
		}
		sum := int32(0)
		good := true
		for _, c := range coef {
			sum += c
			good = good && (c == 1 || c == -1)
		}
		alone := int32(1) // sign of the margin
		if sum > 0 {
			alone = -1
		}
		if len(cells) == 2 {
			alone = coef[0]
		}
		s := split{margin: -1}
		for k, i := range cells {
			switch {
			case coef[k] != alone:
				s.parts = append(s.parts, i)
			case s.margin >= 0:
				good = false
			default:
				s.margin = i
			}
		}
		if good && s.margin >= 0 && len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// keys filters by the relations until nothing more follows. The true counts are never excluded.
func (a *Attack) keys(ctx context.Context, c *Counts, w *world) error {
	start := make([][]int64, len(w.counts))
	for i := range start {
		for n := w.lo[i]; n <= w.hi[i]; n++ {
			if _, ok := w.p.arc(n, w.published[i]); ok {
				start[i] = append(start[i], n)
			}
		}
	}
	for k := range a.Cells {
		if x := &a.Cells[k]; x.Known {
			start[x.Index] = slices.DeleteFunc(start[x.Index], func(n int64) bool { return n < x.Lo || n > x.Hi })
		}
	}
	all := w.splits()
	f := &filter{w: w, left: slices.Clone(start)}
	if err := f.run(ctx, all, false); err != nil {
		return err
	}
	without := slices.Clone(f.left)
	if err := f.run(ctx, all, true); err != nil {
		return err
	}
	k := &a.Keys
	for j := range all {
		if f.small(&all[j]) {
			k.Relations++
		}
	}
	for n := range a.Cells {
		x := &a.Cells[n]
		x.Left = len(f.left[x.Index])
		k.Looked++
		k.Without += float64(len(without[x.Index]))
		k.With += float64(x.Left)
		if x.Left == 1 && !(x.Known && x.Lo == x.Hi) {
			k.Disclosed++
			if c.Cells[x.Index].N <= small {
				k.Small++
			}
		}
	}
	if n := float64(k.Looked); n > 0 {
		k.Without /= n
		k.With /= n
	}
	return nil
}

// A filter holds the possible counts of each cell.
type filter struct {
	w    *world
	left [][]int64
}

// small reports whether all combinations of counts of the parts of s can be enumerated.
func (f *filter) small(s *split) bool {
	n := 1
	for _, i := range s.parts {
		if n *= len(f.left[i]); n > maxCombos {
			return false
		}
	}
	return true
}

// run removes counts that are compatible with no counts of the other cells of a relation, with or without keys, until
// none is left to remove.
func (f *filter) run(ctx context.Context, all []split, keys bool) error {
	of := make([][]int32, len(f.left)) // relations of each cell
	queued := make([]bool, len(all))
	var queue []int32
	for j := range all {
		for _, i := range append(all[j].parts, all[j].margin) {
			of[i] = append(of[i], int32(j))
		}
		queue, queued[j] = append(queue, int32(j)), true
	}
	for steps := 0; len(queue) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return parallel.Ended(ctx, ctx.Err())
		}
		j := queue[0]
		queue, queued[j] = queue[1:], false
		if !f.small(&all[j]) {
			continue
		}
		for _, i := range f.revise(&all[j], keys) {
			for _, k := range of[i] {
				if !queued[k] {
					queue, queued[k] = append(queue, k), true
				}
			}
		}
	}
	return nil
}

// revise filters by one relation and returns the cells that lost counts.
func (f *filter) revise(s *split, keys bool) (changed []int32) {
	cells := append(slices.Clone(s.parts), s.margin)
	support := sets.Each(cells, func(i int32) []bool { return make([]bool, len(f.left[i])) })
	m := len(s.parts)
	pick := make([]int, m)
	var try func(k int, sum int64, keysum arc)
	try = func(k int, sum int64, keysum arc) {
		if k < m {
			i := s.parts[k]
			for at, n := range f.left[i] {
				pick[k] = at
				to := keysum
				if keys {
					a, _ := f.w.p.arc(n, f.w.published[i])
					to.first, to.last = to.first+a.first, to.last+a.last
				}
				try(k+1, sum+n, to)
			}
			return
		}
		at, ok := slices.BinarySearch(f.left[s.margin], sum)
		if !ok {
			return
		}
		if keys {
			if a, _ := f.w.p.arc(sum, f.w.published[s.margin]); !a.meets(keysum.first, keysum.last) {
				return
			}
		}
		support[m][at] = true
		for k, at := range pick {
			support[k][at] = true
		}
	}
	try(0, 0, arc{})
	for k, i := range cells {
		if slices.Contains(support[k], false) {
			var left []int64
			for at, n := range f.left[i] {
				if support[k][at] {
					left = append(left, n)
				}
			}
			f.left[i] = left
			changed = append(changed, i)
		}
	}
	return changed
}

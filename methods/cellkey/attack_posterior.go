package cellkey

import (
	"context"
	"errors"
	"math/big"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/nullspace"
)

// A Posterior is the belief of an intruder who weights every table of counts by the probability that it is published as
// it was.
type Posterior struct {
	Tables  int     // number of tables consistent with the publication and of positive probability
	Certain int     // cells with records for whose true count the posterior probability exceeds 95 %
	Best    float64 // largest posterior probability of a true count, over cells with records and more than one possibility
}

// posterior enumerates the tables; nil if there are more than most. The prior is uniform. Cells with the same records,
// which must be published alike, count once. Keys of different cells are treated as independent, which is only
// approximately right as margins' keys are sums.
func (c *Counts) posterior(ctx context.Context, w *world, most int) (*Posterior, error) {
	cells := sets.Upto(int32(w.t.Len()))
	value := make([]int64, w.t.Len())
	same := newSets(w)
	size := 1.0
	for i, below := range same.below {
		if len(below) == 1 && below[0] == int32(i) {
			size *= float64(w.hi[i] - w.lo[i] + 1)
		}
	}
	if size > 1e4*float64(most) { // relations exclude some of so many, but usually leave too many to count
		return nil, nil
	}
	f, err := nullspace.New(w.t.Rel, cells, value, w.lo, w.hi)
	if err != nil {
		return nil, nil // too large
	}
	n, exact, err := f.Count(ctx, big.NewInt(int64(most)))
	var large *nullspace.SizeError
	switch {
	case errors.As(err, &large):
		return nil, nil
	case err != nil:
		return nil, err
	case !exact || n.Cmp(big.NewInt(int64(most))) >= 0:
		return nil, nil
	}
	weight := sets.List(len(w.counts), func(_ int) map[int64]float64 { return map[int64]float64{} })
	at := f.Cells()
	y := make([]int64, len(w.counts))
	all, possible := 0.0, 0
	for point := range f.Points(ctx) {
		for k, v := range point {
			y[at[k]] = v
		}
		chance := same.chance(y)
		if chance == 0 {
			continue
		}
		all += chance
		possible++
		for i, v := range y {
			weight[i][v] += chance
		}
	}
	p := &Posterior{Tables: possible}
	for i := range c.Cells {
		chance := weight[i][c.Cells[i].N] / all
		if chance > 0.95 {
			p.Certain++
		}
		if len(weight[i]) > 1 {
			p.Best = max(p.Best, chance)
		}
	}
	return p, ctx.Err()
}

// recordSets tells which cells of a table of counts have the same records.
type recordSets struct {
	w     *world
	below [][]int32 // inner cells below each cell
	seen  map[string]int64
}

// newSets finds the inner cells below each.
func newSets(w *world) *recordSets {
	s := &recordSets{w: w, below: make([][]int32, len(w.counts)), seen: map[string]int64{}}
	c := &Counts{Dims: w.t.Dims, Cells: w.counts}
	index := c.index()
	parents := make([][]bool, len(c.Dims))
	for d := range c.Dims {
		parents[d] = make([]bool, len(c.Dims[d].Codes))
		for _, k := range c.Dims[d].Parent {
			if k >= 0 {
				parents[d][k] = true
			}
		}
	}
	for i := range w.counts {
		leaf := true
		for d, k := range w.counts[i].At {
			leaf = leaf && !parents[d][k]
		}
		if leaf {
			c.above(w.counts[i].At, func(at []int32) {
				if up, ok := index[string(key(at))]; ok {
					s.below[up] = append(s.below[up], int32(i))
				}
			})
		}
	}
	return s
}

// chance returns the probability of the publication if the true counts are y.
func (s *recordSets) chance(y []int64) float64 {
	clear(s.seen)
	chance := 1.0
	var b []byte
	for i := range y {
		x := s.w.published[i]
		if y[i] == 0 {
			if x != 0 {
				return 0
			}
			continue
		}
		b = b[:0]
		for _, l := range s.below[i] {
			if y[l] > 0 {
				b = append(b, byte(l), byte(l>>8), byte(l>>16))
			}
		}
		if same, ok := s.seen[string(b)]; ok {
			if same != x {
				return 0
			}
			continue
		}
		s.seen[string(b)] = x
		chance *= s.w.p.of(y[i]).Chance(x - y[i])
		if chance == 0 {
			return 0
		}
	}
	return chance
}

package solver

import (
	"cmp"
	"math"
	"slices"
)

// A pool holds the cuts found, without duplicates, and selects those that enter the master. When it is full it drops
// the cuts that have been useless for longest.
type pool struct {
	cuts     []*cut
	cols     [][]entry // by column: its coefficients in the cuts
	byHash   map[uint64][]*cut
	counts   map[string]int
	size     int // number of entries of all cuts together
	capacity int // largest number of entries
	round    int // number of evaluations so far
}

func newPool(columns int) *pool {
	return &pool{cols: make([][]entry, columns), byHash: map[uint64][]*cut{}, counts: map[string]int{}, capacity: maxPool}
}

// An entry is a coefficient of the cut with index cut.
type entry struct {
	val float64
	cut int32
}

// add stores c unless an equal cut is stored, and returns the stored cut and whether it is new.
func (p *pool) add(c *cut) (*cut, bool) {
	if d := p.find(c); d != nil {
		return d, false
	}
	p.byHash[c.hash] = append(p.byHash[c.hash], c)
	for t, j := range c.idx {
		p.cols[j] = append(p.cols[j], entry{c.val[t], int32(len(p.cuts))})
	}
	c.used = p.round
	p.size += len(c.idx)
	p.cuts = append(p.cuts, c)
	p.counts[c.family]++
	return c, true
}

// find returns the stored cut that equals c, nil if there is none.
func (p *pool) find(c *cut) *cut {
	for _, d := range p.byHash[c.hash] {
		if d == c || d.rhs == c.rhs && slices.Equal(d.idx, c.idx) && slices.Equal(d.val, c.val) {
			return d
		}
	}
	return nil
}

// evaluate sets gain = rhs − Σ val·x for every cut and returns how many coefficients it read. It works by columns: cuts
// of two-way tables have thousands of columns, while x has a few dozen nonzeros.
func (p *pool) evaluate(x []float64) (read int) {
	if p.size > p.capacity {
		p.forget()
	}
	p.round++
	for _, c := range p.cuts {
		c.gain = c.rhs
	}
	for j, v := range x {
		if v == 0 {
			continue
		}
		read += len(p.cols[j])
		for _, e := range p.cols[j] {
			p.cuts[e.cut].gain -= float64(e.val * v)
		}
	}
	for _, c := range p.cuts {
		if c.row >= 0 || c.gain > -slackTol {
			c.used = p.round
		}
	}
	return read
}

// forget drops cuts outside the master until the pool is half full: first those that have neither been tight nor
// violated for longest, then the older ones. A cut that is needed again will be found again. The choice depends only on
// the course of the search.
func (p *pool) forget() {
	var order []int
	for i, c := range p.cuts {
		if c.row < 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.cuts[a].used - p.cuts[b].used })
	gone := make([]bool, len(p.cuts))
	for _, i := range order {
		if p.size <= p.capacity/2 {
			break
		}
		gone[i] = true
		p.size -= len(p.cuts[i].idx)
	}
	kept := make([]*cut, 0, len(p.cuts))
	clear(p.byHash)
	clear(p.cols)
	for i, c := range p.cuts {
		if gone[i] {
			continue
		}
		for t, j := range c.idx {
			p.cols[j] = append(p.cols[j], entry{c.val[t], int32(len(kept))})
		}
		p.byHash[c.hash] = append(p.byHash[c.hash], c)
		kept = append(kept, c)
	}
	p.cuts = kept
}

// violated returns the cuts outside the master that were violated at the last evaluation, most violated first (by
// Euclidean distance), at most limit of them and none nearly parallel to an earlier one.
func (p *pool) violated(limit int) []*cut {
	var found []scored
	for _, c := range p.cuts {
		if c.row < 0 && c.gain > minViolation {
			found = append(found, score(c, c.gain))
		}
	}
	return choose(found, limit)
}

type scored struct {
	c    *cut
	v    float64 // violation divided by norm
	norm float64
}

func score(c *cut, violation float64) scored {
	s := 0.0
	for _, v := range c.val {
		s += float64(v * v)
	}
	norm := math.Sqrt(s)
	return scored{c, violation / max(1e-9, norm), norm}
}

// choose keeps the deepest cuts but skips those nearly parallel to one kept.
func choose(found []scored, limit int) []*cut {
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.v, a.v) })
	var kept []scored
	for _, f := range found {
		if len(kept) == limit {
			break
		}
		parallel := false
		for _, k := range kept[max(0, len(kept)-30):] {
			if dot(f.c, k.c) > 0.9*f.norm*k.norm {
				parallel = true
				break
			}
		}
		if !parallel {
			kept = append(kept, f)
		}
	}
	out := make([]*cut, len(kept))
	for i, k := range kept {
		out[i] = k.c
	}
	return out
}

// dot returns the inner product of two cuts' coefficients.
func dot(a, b *cut) float64 {
	s, i, j := 0.0, 0, 0
	for i < len(a.idx) && j < len(b.idx) {
		switch {
		case a.idx[i] < b.idx[j]:
			i++
		case a.idx[i] > b.idx[j]:
			j++
		default:
			s += float64(a.val[i] * b.val[j])
			i++
			j++
		}
	}
	return s
}

package solver

import (
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
)

// A witness shows that a level is met: points whose multiples reach it, one for a distance, one or two for a width.
type witness struct {
	cells  []int32 // all cells that its points move, ascending; nil: there is no witness
	points []*oracle.Point
}

func newWitness(points ...*oracle.Point) witness {
	w := witness{cells: points[0].Cells, points: points}
	if len(points) > 1 {
		w.cells = slices.Clone(w.cells)
		for _, q := range points[1:] {
			w.cells = append(w.cells, q.Cells...)
		}
		slices.Sort(w.cells)
		w.cells = slices.Compact(w.cells)
	}
	return w
}

// uses reports whether w moves a cell of column c.
func (p *problem) uses(w witness, c int32) bool {
	for i := p.cand[c]; int(i) < p.n; i += int32(p.m) {
		if _, ok := slices.BinarySearch(w.cells, i); ok {
			return true
		}
	}
	return false
}

// key identifies w among the witnesses of its level.
func (w witness) key() *oracle.Point {
	if w.points == nil {
		return nil
	}
	return w.points[0]
}

// serves reports, in floating point, whether multiples of the points meet l.
func (w witness) serves(l protectionLevel) bool {
	hi, lo := 0.0, 0.0
	for _, q := range w.points {
		if l.Side != lower {
			hi = max(hi, q.Far(l.K, 1))
		}
		if l.Side != upper {
			lo = max(lo, q.Far(l.K, -1))
		}
	}
	return enough(l, hi+lo)
}

// proof appends to out the multiples of the points that meet l exactly. If they do not, ok is false and out is
// unchanged.
func (w witness) proof(l protectionLevel, clamp int64, out []shownPoint) ([]shownPoint, bool) {
	dist, by := [2]*big.Rat{new(big.Rat), new(big.Rat)}, [2]*oracle.Point{}
	for _, q := range w.points {
		for s, sign := range [2]int{1, -1} {
			if !q.Exact() || l.Side == upper && s == 1 || l.Side == lower && s == 0 {
				continue
			}
			d := q.Distance(l.K, sign)
			if d == nil {
				d = new(big.Rat).SetInt64(clamp)
			}
			if d.Cmp(dist[s]) > 0 {
				dist[s], by[s] = d, q
			}
		}
	}
	if !l.Holds(dist[0], dist[1]) {
		return out, false
	}
	had := len(out)
	for s, q := range by {
		if q == nil {
			continue
		}
		num, den := q.Farthest(l.K, 1-2*s, clamp)
		if num == nil {
			return out[:had], false
		}
		out = append(out, shownPoint{q, num[0] > 0, &certificate.Witness{Den: den, Cells: q.Cells, Num: num}})
	}
	return out, true
}

// A shownPoint is a multiple of a point.
type shownPoint struct {
	of      *oracle.Point
	up      bool // the first cell moves up
	witness *certificate.Witness
}

// enough reports whether a distance computed in floating point meets l. The exact check at the end decides about those
// that fall just short.
func enough(l protectionLevel, sum float64) bool {
	if l.Strict {
		return sum > float64(float64(l.RHS)*(1+levelTol))+levelTol
	}
	return sum >= float64(l.RHS)*(1-levelTol)
}

// A solutionPool stores witnesses of each level for later patterns.
type solutionPool struct {
	p      *problem
	at     [][]int     // levels of each cell
	of     [][]witness // by level, the latest poolSize in a ring buffer
	oldest []int
}

func newSolutionPool(p *problem) *solutionPool {
	s := &solutionPool{p: p, at: make([][]int, p.n), of: make([][]witness, len(p.levels)), oldest: make([]int, len(p.levels))}
	for li, l := range p.levels {
		s.at[l.K] = append(s.at[l.K], li)
	}
	return s
}

// put stores q for every level that it meets and calls each, if not nil, with those levels.
func (s *solutionPool) put(q *oracle.Point, each func(li int, w witness)) {
	w := newWitness(q)
	for _, i := range q.Cells {
		for _, li := range s.at[i] {
			if w.serves(s.p.levels[li]) {
				s.keep(li, w)
				if each != nil {
					each(li, w)
				}
			}
		}
	}
}

func (s *solutionPool) keep(li int, w witness) {
	if len(s.of[li]) < poolSize {
		s.of[li] = append(s.of[li], w)
		return
	}
	s.of[li][s.oldest[li]] = w
	s.oldest[li] = (s.oldest[li] + 1) % poolSize
}

// cheapest returns the witness of level li in the pool with the least total price.
func (s *solutionPool) cheapest(li int, price []float64) (best witness, sum float64) {
	sum = math.Inf(1)
	for _, w := range s.of[li] {
		v := 0.0
		for _, i := range w.cells {
			if v += price[i]; v >= sum {
				break
			}
		}
		if v < sum {
			best, sum = w, v
		}
	}
	return best, sum
}

// keepAll stores the witness w of level li, and its points for every level that they meet; it calls each, if not nil,
// with those levels.
func (s *solutionPool) keepAll(li int, w witness, each func(li int, w witness)) {
	if len(w.points) > 1 {
		s.keep(li, w)
	}
	for _, q := range w.points {
		s.put(q, each)
	}
}

// within returns a witness of level li in the pool that moves only cells with weight > 0.
func (s *solutionPool) within(li int, weight []float64) (witness, bool) {
next:
	for _, w := range s.of[li] {
		for _, i := range w.cells {
			if weight[i] <= 0 {
				continue next
			}
		}
		return w, true
	}
	return witness{}, false
}

// proved marks the levels that a pattern is certain to meet, by the given witnesses (nil: none) or those in the pool,
// and returns these witnesses.
func (s *solutionPool) proved(pattern []bool, given []witness) ([]bool, []*certificate.Witness) {
	ok := make([]bool, len(s.of))
	var shown []shownPoint
	for li, l := range s.p.levels {
		if given != nil && given[li].within(pattern) {
			if shown, ok[li] = given[li].proof(l, s.p.iclamp, shown); ok[li] {
				continue
			}
		}
		for _, w := range s.of[li] {
			if w.within(pattern) {
				if shown, ok[li] = w.proof(l, s.p.iclamp, shown); ok[li] {
					break
				}
			}
		}
	}
	type key struct {
		of *oracle.Point
		up bool
	}
	seen := map[key]bool{}
	var out []*certificate.Witness
	for _, q := range shown {
		if k := (key{q.of, q.up}); !seen[k] {
			seen[k] = true
			out = append(out, q.witness)
		}
	}
	return ok, out
}

// within reports whether w is a witness that moves only cells of the pattern.
func (w witness) within(pattern []bool) bool {
	for _, i := range w.cells {
		if !pattern[i] {
			return false
		}
	}
	return w.cells != nil
}

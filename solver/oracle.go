package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/parallel"
)

// shardCount is the number of independent streams of sensitive cells. Each shard
// keeps its own warm engine and works its cells off in order, so what is found
// does not depend on the number of workers.
const shardCount = 4

// A shard separates the levels of its cells.
type shard struct {
	in     intruder.Intruder
	exact  *intruder.Exact
	q      *cutter
	levels []int             // indices into problem.levels
	bridge intruder.Intruder // for bridge-less cuts, nil until needed
	duals  []*intruder.Dual
	cuts   []*cut
	unmet  []int
	skip   []int8      // per level of the shard: rounds in a row without a cut
	next   int         // the level that the next round begins with
	look   func(t int) // tells the engine which region answers for level t; nil where there is but one
	ends   []*intruder.End
}

// An oracle solves the problem of the intruder for the levels of all sensitive cells, on
// behalf of one worker, and turns the duals into cuts.
type oracle struct {
	p       *problem
	shards  []*shard
	near    [len(nearSizes)][]*shard // see nearCuts
	sizes   [len(nearSizes)]int
	deep    bool // separation takes long: see IsNarrow
	workers int
	weight  []float64
	vectors *rowVectors
	ones    []float64 // 1 for cells that can move
	bridge  []float64 // weights for bridge-less cuts
	backend string
	iup     []int64
	idn     []int64
	engine  string
}

func newOracle(p *problem, backend string, workers, shards int) (*oracle, error) {
	s := &oracle{p: p, workers: workers, sizes: nearSizes, weight: make([]float64, p.n), backend: backend,
		iup: make([]int64, p.n), idn: make([]int64, p.n)}
	var groups [][]int
	last := int32(-1)
	for i, l := range p.levels {
		if l.K != last {
			groups = append(groups, nil)
			last = l.K
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], i)
	}
	for i := range min(shards, max(1, len(groups))) {
		in, err := p.sys.NewIntruder("", backend)
		if err != nil {
			s.close()
			return nil, err
		}
		sh := &shard{in: in, q: newCutter(p)}
		for g := i; g < len(groups); g += shards {
			sh.levels = append(sh.levels, groups[g]...)
		}
		// By size, so that the truncation changes seldom.
		slices.SortStableFunc(sh.levels, func(a, b int) int {
			return cmp.Compare(p.levels[a].RHS, p.levels[b].RHS)
		})
		sh.skip = make([]int8, len(sh.levels))
		s.shards = append(s.shards, sh)
		s.engine = in.Name()
	}
	return s, nil
}

func (s *oracle) close() {
	for _, sh := range slices.Concat(append(s.near[:], s.shards)...) {
		sh.close()
	}
}

func (sh *shard) close() {
	sh.in.Close()
	if sh.bridge != nil {
		sh.bridge.Close()
	}
	if sh.exact != nil {
		sh.exact.Close()
	}
}

// maxSkip is how many rounds a level that yields no cut may be skipped.
const maxSkip = 6

// cutsPerShard ends a shard's round early once it has found enough.
const cutsPerShard = 60

// roundWork ends it in tables with deep trees once it has found any; the next goes on from there. A round over all
// levels of hier16 takes 26 CPU s.
const roundWork = 2e5

// round separates the point x of the master. With all, no level is skipped: an
// empty answer then proves that every level is met at x, up to tolerance.
func (s *oracle) round(ctx context.Context, x []float64, all bool) ([]*cut, error) {
	return s.ask(ctx, s.shards, x, all)
}

// ask separates the point x of the master by the engines of shards.
func (s *oracle) ask(ctx context.Context, shards []*shard, x []float64, all bool) ([]*cut, error) {
	s.p.weights(x, s.weight)
	whole := integral(x)
	var fixed []bool
	if !whole && !s.p.off.bottleneck {
		fixed = s.p.given
	}
	err := parallel.Do(ctx, len(shards), s.workers, func(ctx context.Context, i int) error {
		sh := shards[i]
		sh.cuts = sh.cuts[:0]
		if b, can := sh.in.(intruder.Bottlenecker); can {
			b.Bottleneck(fixed)
		}
		set := false
		done := int32(-1) // the cell whose lower level needs no question of its own
		first, began := sh.next, sh.in.Work()
		sh.next = 0
		for u := range sh.levels {
			t := (first + u) % len(sh.levels)
			li := sh.levels[t]
			if !all {
				if !s.p.off.skip && sh.skip[t] > 0 && sh.skip[t] < maxSkip && len(s.p.levels) > 8 {
					sh.skip[t]++
					continue
				}
				if len(sh.cuts) >= cutsPerShard {
					break
				}
				if s.deep && !s.p.off.near && len(sh.cuts) > 0 && sh.in.Work()-began > roundWork {
					sh.next = t
					break
				}
			}
			l := s.p.levels[li]
			if l.K == done && l.Side == lower {
				sh.skip[t] = 0 // its mirror cut is there already
				continue
			}
			if sh.look != nil {
				sh.look(t)
			}
			T := math.Inf(1)
			if !whole && !s.p.off.truncation {
				T = s.p.truncation(l.RHS)
			}
			sh.in.Truncate(T)
			if !set {
				set = true
				sh.in.SetCapacities(s.p.up, s.p.dn, s.weight)
			}
			before := len(sh.cuts)
			mirrored, err := sh.separate(ctx, s.p, l, x)
			if errors.Is(err, intruder.ErrNumbers) {
				continue // no cut, then; what is not cut off is checked exactly
			}
			if err != nil {
				return err
			}
			if mirrored {
				done = l.K
			}
			if len(sh.cuts) > before {
				sh.skip[t] = 0
			} else {
				sh.skip[t] = 1
			}
		}
		return nil
	})
	return collect(shards), err
}

// separate adds the cuts of level l violated at x. mirrored says that one of them
// cuts x off for the level on the other side as well.
func (sh *shard) separate(ctx context.Context, p *problem, l protectionLevel, x []float64) (mirrored bool, err error) {
	if l.Side == width {
		return false, sh.width(ctx, l, x)
	}
	return sh.capacity(ctx, p, l, x)
}

// work is what separation of levels has done so far.
func (s *oracle) work() float64 {
	sum := 0.0
	for _, sh := range slices.Concat(append(s.near[:], s.shards)...) {
		sum += sh.in.Work()
	}
	return sum
}

// collect returns the cuts of all shards in their order.
func collect(shards []*shard) []*cut {
	var found []*cut
	for _, sh := range shards {
		found = append(found, sh.cuts...)
	}
	return found
}

// truncation is what capacities are truncated at for a level of rhs. Any is valid, a dual proves its cut whatever it is; at the level
// itself no question is answered "met" on the strength of more than the level. Where nearly all cells
// can carry the level many times over that gains no bound, and the power of four at or above it serves most levels of a shard
// without a change of bounds.
func (p *problem) truncation(rhs int64) float64 {
	if float64(rhs)*smallLevel >= p.typical {
		return float64(rhs)
	}
	T := 1.0
	for T < float64(rhs) {
		T *= 4
	}
	return T
}

// smallLevel is how many times the lower quartile of the cells must carry a small level.
const smallLevel = 16

// typicalCapacity is the lower quartile of how far the cells that may be withheld move, one way or the other.
func (p *problem) typicalCapacity() float64 {
	if len(p.cand) == 0 {
		return 0
	}
	c := make([]float64, len(p.cand))
	for k, i := range p.cand {
		c[k] = min(p.up[i], p.dn[i])
	}
	slices.Sort(c)
	return c[len(c)/4]
}

// offer keeps c, and its strengthening at x, where x violates them.
func (sh *shard) offer(c *cut, x []float64) {
	if c == nil {
		return
	}
	if r := residual(sh.q.p, c, x); r != nil && !sh.q.p.off.covers {
		sh.cuts = append(sh.cuts, r)
	}
	if c.violation(x) > minViolation {
		sh.cuts = append(sh.cuts, c)
	}
}

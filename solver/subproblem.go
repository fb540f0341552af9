package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A shard separates the levels of some of the sensitive cells.
type shard struct {
	in     oracle.Intruder
	exact  *oracle.Exact
	q      *cutter
	levels []int           // indices into problem.levels
	bridge oracle.Intruder // for bridge-less cuts; nil until needed
	duals  []*oracle.Dual
	from   []int32 // the columns whose programs gave these, in bridges
	cuts   []*cut
	unmet  []int
	skip   []int8      // by level of the shard: consecutive rounds without a cut
	next   int         // the level with which the next round begins
	look   func(t int) // tells the engine the region of level t; nil if there is only one
	ends   []*oracle.End
}

// A subproblem is the sub-problem of the Benders decomposition: for one worker it solves the intruder's problem for the
// levels of all sensitive cells and turns the duals into cuts.
type subproblem struct {
	p       *problem
	shards  []*shard
	near    [len(nearSizes)][]*shard // see nearCuts
	sizes   [len(nearSizes)]int
	deep    bool // separation is slow: see IsNarrow
	workers int
	weight  []float64
	vectors *rowVectors
	ones    []float64 // 1 for cells that can move
	bridge  []float64 // weights for bridge-less cuts
	vain    []int8    // by column: consecutive programs that yielded no new vector, up to maxRest
	rest    []int8    // by column: how often it is skipped before the next program
	backend string
	iup     []int64
	idn     []int64
	engine  string
}

func newSubproblem(p *problem, backend string, workers, shards int) (*subproblem, error) {
	s := &subproblem{p: p, workers: workers, sizes: nearSizes, weight: make([]float64, p.n), backend: backend,
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
		// Sorted by size, so that the truncation rarely changes.
		slices.SortStableFunc(sh.levels, func(a, b int) int {
			return cmp.Compare(p.levels[a].RHS, p.levels[b].RHS)
		})
		sh.skip = make([]int8, len(sh.levels))
		s.shards = append(s.shards, sh)
		s.engine = in.Name()
	}
	return s, nil
}

func (s *subproblem) close() {
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

// round separates the point x of the master. With all, no level is skipped: an empty result then means that every level
// is met at x, up to tolerance.
func (s *subproblem) round(ctx context.Context, x []float64, all bool) ([]*cut, error) {
	return s.ask(ctx, s.shards, x, all)
}

// ask separates the point x of the master by the engines of shards.
func (s *subproblem) ask(ctx context.Context, shards []*shard, x []float64, all bool) ([]*cut, error) {
	s.p.weights(x, s.weight)
	isWhole := integral(x)
	var fixed []bool
	if !isWhole && !s.p.off.bottleneck {
		fixed = s.p.given
	}
	err := parallel.Together(ctx, len(shards), s.workers, func(ctx context.Context, i int) error {
		sh := shards[i]
		sh.cuts = sh.cuts[:0]
		if b, can := sh.in.(oracle.Bottlenecker); can {
			b.Bottleneck(fixed)
		}
		set := false
		done := int32(-1) // the cell whose lower level needs no program of its own
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
				sh.skip[t] = 0 // its mirrored cut has been found already
				continue
			}
			if sh.look != nil {
				sh.look(t)
			}
			T := math.Inf(1)
			if !isWhole && !s.p.off.truncation {
				T = s.p.truncation(l.RHS)
			}
			sh.in.Truncate(T)
			if !set {
				set = true
				sh.in.SetCapacities(s.p.up, s.p.dn, s.weight)
			}
			before := len(sh.cuts)
			mirrored, err := sh.separate(ctx, s.p, l, x)
			if errors.Is(err, oracle.ErrNumbers) {
				continue // no cut; points that are not cut off are checked exactly
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
	if err != nil {
		return nil, err
	}
	return collect(shards), nil
}

// separate adds the cuts of level l violated at x. mirrored reports whether one of them, mirrored, is also violated for
// the level on the other side.
func (sh *shard) separate(ctx context.Context, p *problem, l protectionLevel, x []float64) (mirrored bool, err error) {
	if l.Side == width {
		return false, sh.width(ctx, l, x)
	}
	return sh.capacity(ctx, p, l, x)
}

// work returns the work of separation so far.
func (s *subproblem) work() float64 {
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

// truncation returns the value at which capacities are truncated for a level of rhs. Any value is valid, as a dual
// proves its cut whatever it is; truncating at the level itself gives the strongest cuts. If nearly all cells can carry
// the level many times over, that gains nothing, and the power of four at or above the level serves most levels of a
// shard without a change of bounds.
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

// typicalCapacity returns the lower quartile of the capacities, in either direction, of the cells that may be withheld.
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

// keepViolated adds c and its strengthening at x to the cuts found, each only if x violates it.
func (sh *shard) keepViolated(c *cut, x []float64) {
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

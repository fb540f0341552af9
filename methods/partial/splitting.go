package partial

import (
	"context"
	"math"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
)

// A splitting solves the linear program in its full form, with a movement z_l of the table for each level l,
//
//	min Σ w_i (y⁺_i + y⁻_i)   s.t.  −y⁻ ≤ z_l ≤ y⁺,  M z_l = 0,  z_lk ≥ UPL_k or −z_lk ≥ LPL_k, or for a width two movements, apart by SPL_k,
//
// by the splitting of Douglas and Rachford (Eckstein and Bertsekas, Mathematical Programming 55, 1992). In turn every movement is projected onto the kernel of M,
// by itself, and cut down to what is worth its cost, each cell by itself:
//
//	x = P v,   w = argmin Σ w_i (y⁺_i + y⁻_i) + Σ_l |w_l − (2x_l − v_l)|² / 2t_l,   v ← v + ρ (w − x) .
//
// In the limit x are movements that show every level and (v_l − x_l)/t_l, in the image of Mᵀ, duals of it, together an optimum. Any x is, with intervals as wide as it
// asks for, and any dual a cut.
type splitting struct {
	p       *problem
	k       *kernel
	of      []int32   // cell of the problem by cell of the kernel: those that may move
	at      []int32   // and back, −1 for none
	rels    []int32   // relation by that of the kernel
	moves   []move    // z
	pairs   [][]int32 // per cell of the kernel: first movements of pairs of its widths
	own     [][]int32 // and the movements of its other levels
	step    []float64 // t by movement
	weight  []float64 // per column
	v, x    []float64 // per group of slots, cell, slot
	y       []float64 // per column
	amiss   float64   // |w − x| as a share of the levels, on average
	least   float64   // the least it has been
	workers int
	groups  []*gradient
	shards  []*shrinker
}

// A move is the movement for one level, or one of the two for a width.
type move struct {
	level int
	k     int     // its cell, of the kernel
	sign  float64 // the direction
	want  float64 // the distance or width that the level asks for
	half  bool    // one half of a width
}

const (
	// relaxation is ρ, between 0 and 2.
	relaxation = 1.7
	// looseness is how exact projections are, as a share of the least amiss; so many steps they have at most.
	looseness  = 0.1
	looseSteps = 40
	// What a coefficient or a cell takes in a step of a projection, with all slots, and a movement of a cell that is reduced, as measured.
	stepTime, shrinkTime = 70 * time.Nanosecond, 30 * time.Nanosecond
	// cellShards is the greatest number of independent streams of cells, each of shardCells at least.
	cellShards, shardCells = 16, 32
)

func newSplitting(p *problem, workers int) *splitting {
	n := p.t.Len()
	s := &splitting{p: p, at: make([]int32, n), amiss: 1, least: 1, workers: workers, y: make([]float64, len(p.cell))}
	for i := range n {
		s.at[i] = -1
		if p.col[up][i] >= 0 || p.col[down][i] >= 0 || p.given[up][i] != 0 || p.given[down][i] != 0 {
			s.at[i] = int32(len(s.of))
			s.of = append(s.of, int32(i))
		}
	}
	s.k = &kernel{n: len(s.of)}
	for r := range p.t.Rel.Len() {
		cell, coef := p.t.Rel.Row(r)
		var in, by []int32
		for t, i := range cell {
			if s.at[i] >= 0 {
				in, by = append(in, s.at[i]), append(by, coef[t])
			}
		}
		if len(in) > 0 {
			s.k.add(in, by)
			s.rels = append(s.rels, int32(r))
		}
	}
	for j, w := range p.weight {
		f, _ := new(big.Float).SetInt(w).Float64()
		s.weight, s.y[j] = append(s.weight, math.Ldexp(f, -weightBits)), float64(p.least[j])
	}
	s.ask()
	groups := (len(s.moves) + slots - 1) / slots
	s.v, s.x = make([]float64, groups*slots*len(s.of)), make([]float64, groups*slots*len(s.of))
	for range groups {
		s.groups = append(s.groups, s.k.newGradient())
	}
	for range max(1, min(cellShards, len(s.of)/shardCells)) {
		s.shards = append(s.shards, &shrinker{splitting: s, e: make([]float64, len(s.moves)), order: make([]int32, 0, len(s.moves))})
	}
	return s
}

// ask makes the movements of all levels.
func (s *splitting) ask() {
	s.pairs, s.own = make([][]int32, len(s.of)), make([][]int32, len(s.of))
	middle := median(s.weight)
	add := func(l int, sign float64, half bool) {
		k, want := int(s.at[s.p.levels[l].K]), float64(s.p.levels[l].RHS)
		if !half {
			s.own[k] = append(s.own[k], int32(len(s.moves)))
		}
		s.moves, s.step = append(s.moves, move{l, k, sign, want, half}), append(s.step, s.stride()*want/middle)
	}
	for l, of := range s.p.levels {
		if of.Side != protection.Width {
			add(l, float64(of.Side), false)
			continue
		}
		k := s.at[of.K]
		s.pairs[k] = append(s.pairs[k], int32(len(s.moves)))
		add(l, 1, true)
		add(l, -1, true)
	}
}

// stride is t as a share of level/weight, by trials.
func (s *splitting) stride() float64 {
	if s.p.sys.IsNarrow() {
		return 3
	}
	return 0.3
}

// slot is where movement m of cell i stands.
func (s *splitting) slot(m, i int) int { return (m/slots*len(s.of)+i)*slots + m%slots }

// group are the movements of a group.
func (s *splitting) group(v []float64, g int) []float64 {
	size := slots * len(s.of)
	return v[g*size : (g+1)*size]
}

// iterate goes through both halves once.
func (s *splitting) iterate(ctx context.Context) error {
	if err := s.project(ctx, looseness*s.least, looseSteps); err != nil {
		return err
	}
	err := parallel.Do(ctx, len(s.shards), s.workers, func(ctx context.Context, h int) error {
		sh := s.shards[h]
		sh.amiss = 0
		first, end := h*len(s.of)/len(s.shards), (h+1)*len(s.of)/len(s.shards)
		for i := first; i < end; i++ {
			sh.shrink(i)
		}
		work.Spend(ctx, time.Duration((end-first)*len(s.moves))*shrinkTime)
		return nil
	})
	sum := 0.0
	for _, sh := range s.shards {
		sum += sh.amiss
	}
	s.amiss = math.Sqrt(sum / float64(len(s.moves)))
	s.least = min(s.least, s.amiss)
	return err
}

// project sets x to the projections of v, up to a share of the levels.
func (s *splitting) project(ctx context.Context, tol float64, steps int) error {
	return parallel.Do(ctx, len(s.groups), s.workers, func(ctx context.Context, g int) error {
		var within slot
		for t := range within {
			if m := g*slots + t; m < len(s.moves) {
				within[t] = tol * s.moves[m].want
			}
		}
		x := s.group(s.x, g)
		copy(x, s.group(s.v, g))
		taken := s.k.project(x, s.groups[g], &within, steps)
		work.Spend(ctx, time.Duration((taken+1)*(len(s.k.cell)+s.k.n))*stepTime)
		return nil
	})
}

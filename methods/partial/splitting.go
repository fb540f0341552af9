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
// by Douglas–Rachford splitting (Eckstein and Bertsekas, Mathematical Programming 55, 1992). Two steps alternate: every
// movement is projected onto the kernel of M, each movement separately; then it is reduced to what is worth its cost,
// each cell separately:
//
//	x = P v,   w = argmin Σ w_i (y⁺_i + y⁻_i) + Σ_l |w_l − (2x_l − v_l)|² / 2t_l,   v ← v + ρ (w − x) .
//
// In the limit x are movements that show every level and (v_l − x_l)/t_l, in the image of Mᵀ, are duals of it; together
// they are optimal. Any x gives intervals, as wide as it requires, and any dual gives a cut.
type splitting struct {
	p       *problem
	k       *kernel
	of      []int32   // by cell of the kernel: the cell of the problem; only cells that may move
	at      []int32   // the inverse, −1 for none
	rels    []int32   // by relation of the kernel: the relation of the problem
	moves   []move    // z
	pairs   [][]int32 // by cell of the kernel: the first movements of the pairs for its widths
	own     [][]int32 // by cell of the kernel: the movements for its other levels
	step    []float64 // t, by movement
	weight  []float64 // by column
	v, x    []float64 // indexed by group of slots, cell, slot
	y       []float64 // by column
	amiss   float64   // mean |w − x| relative to the levels
	least   float64   // the smallest amiss so far
	workers int
	groups  []*gradient
	shards  []*shrinker
}

// A move is the movement for one level, or one of the two for a width.
type move struct {
	level int
	k     int     // the level's cell in the kernel
	sign  float64 // direction
	want  float64 // distance or width that the level requires
	half  bool    // one of the two for a width
}

const (
	// relaxation is ρ, between 0 and 2.
	relaxation = 1.7
	// looseness is the tolerance of projections as a share of the least amiss; looseSteps limits their steps.
	looseness  = 0.1
	looseSteps = 40
	// Measured time for a coefficient or a cell in a step of a projection, with all slots, and for reducing a movement
	// in a cell.
	stepTime, shrinkTime = 70 * time.Nanosecond, 30 * time.Nanosecond
	// cellShards is the largest number of independent streams of cells, each of at least shardCells cells.
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

// ask creates the movements of all levels.
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

// stride returns t relative to level/weight, found by experiment.
func (s *splitting) stride() float64 {
	if s.p.sys.IsNarrow() {
		return 3
	}
	return 0.3
}

// slot returns the index of movement m of cell i.
func (s *splitting) slot(m, i int) int { return (m/slots*len(s.of)+i)*slots + m%slots }

// group returns the movements of a group.
func (s *splitting) group(v []float64, g int) []float64 {
	size := slots * len(s.of)
	return v[g*size : (g+1)*size]
}

// iterate performs both steps once.
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

// project sets x to the projections of v, with a tolerance relative to the levels.
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

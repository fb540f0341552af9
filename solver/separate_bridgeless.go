package solver

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A rowVector is a vector of the row space of M whose support has no given cell. If only one cell of the support were
// withheld, the others would determine it; hence the bridge-less cuts x_h ≤ Σ_{i≠h} x_i for every column h of the
// vector. In a table of layers it is a vector of the first layer, whose relations the others repeat: a column protects
// in some layer, and the same cut holds there.
type rowVector struct {
	dual *oracle.Dual // the vector, as the dual of one of its cells
	cols []int32      // its columns, those first at which a scan of them recently ended
}

// rowVectors stores every row-space vector found. A vector may yield a cut for each of its cells, so every node scans
// them before it solves an intruder's problem, which saves most of the rounds.
type rowVectors struct {
	p     *problem
	list  []rowVector
	seen  map[num.Hash]bool
	arena []int32 // holds the columns of the latest vectors contiguously, as every node reads them all
	known int     // number of vectors in list from the start: the relations and remembered ones
}

// newRowVectors starts with the relations, or only with those marked by inside if it is not nil.
func newRowVectors(p *problem, inside []bool) *rowVectors {
	b := &rowVectors{p: p, seen: map[num.Hash]bool{}}
	for j := range p.sys.Rel.Len() {
		if inside != nil && !inside[j] {
			continue
		}
		cell, _ := p.sys.Rel.Row(j)
		for _, i := range cell {
			if p.col[i] >= 0 && int(i) < p.m {
				b.add(p.sys.RelationDual(j, int(i)))
				break
			}
		}
	}
	if p.warm != nil {
		for _, d := range p.warm.vectors {
			b.add(d)
		}
	}
	b.known = len(b.list)
	return b
}

// add stores the vector of d, and returns true, unless it contains a given cell or is known.
func (b *rowVectors) add(d *oracle.Dual) bool {
	p := b.p
	var cols []int32
	hash := num.NewHash()
	idx, _ := d.Vector()
	for _, i := range idx {
		if !p.moves[i] {
			continue
		}
		if p.given[i] || int(i) >= p.m {
			return false
		}
		if c := p.col[i]; c >= 0 {
			cols = append(cols, c)
			hash = hash.Add(uint64(c))
		}
	}
	if len(cols) == 0 || b.seen[hash] {
		return false
	}
	b.seen[hash] = true
	if len(b.arena)+len(cols) > cap(b.arena) {
		b.arena = make([]int32, 0, max(len(cols), min(64+2*cap(b.arena), 1<<14)))
	}
	n := len(b.arena)
	b.arena = append(b.arena, cols...)
	b.list = append(b.list, rowVector{d, b.arena[n:]})
	return true
}

// violated returns the cuts of stored vectors violated at x, at most one for each vector: only for its largest x_h can
// the others sum to less.
func (b *rowVectors) violated(q *cutter, x []float64) []*cut {
	var found []*cut
	for _, t := range b.list {
		sum, top, at := 0.0, 0.0, int32(-1)
		for k, c := range t.cols {
			v := x[c]
			if v <= 0 {
				continue
			}
			if sum += v; v > top {
				top, at = v, c
			}
			// The others sum to at least the largest x_h, and to at least any that follows.
			if sum >= max(1, 2*top) {
				if k > 1 {
					t.cols[k/2], t.cols[k] = c, t.cols[k/2]
				}
				break
			}
		}
		if top > sum-top+minViolation {
			if cut := q.bridgeless(t.dual.For(b.p.cand[at]), b.p.cand[at]); cut != nil {
				found = append(found, cut)
			}
		}
	}
	return found
}

// bridgeless returns Σ_{i≠h, d_i≠0} x_i ≥ x_h for a cell h that is not sensitive; nil if a given cell is in the
// support, as the cut always holds then.
func (q *cutter) bridgeless(d *oracle.Dual, h int32) *cut {
	p := q.p
	cut := &cut{family: bridgelessCut}
	own := p.col[h]
	for _, i := range d.Idx {
		if i == h || !p.moves[i] {
			continue
		}
		if p.given[i] {
			return nil
		}
		if c := p.col[i]; c >= 0 {
			cut.idx, cut.val = append(cut.idx, c), append(cut.val, 1)
		}
	}
	at, _ := slices.BinarySearch(cut.idx, own)
	cut.idx, cut.val = slices.Insert(cut.idx, at, own), slices.Insert(cut.val, at, -1)
	if p.record {
		cut.why = &certificate.Bridge{Dual: proofOf(d)}
	}
	return cut.seal()
}

// relations adds the relations as the first row-space vectors.
func (s *subproblem) relations() {
	p := s.p
	if p.off.bridgeless || s.vectors != nil {
		return
	}
	s.vectors = newRowVectors(p, nil)
	s.ones = make([]float64, p.n)
	for i := range p.n {
		if p.moves[i] {
			s.ones[i] = 1
		}
	}
}

// bridges separates bridge-less cuts (the bridge-less inequalities of Fischetti and Salazar, Management Science 47(7),
// 2001; for two-way tables in their Models and algorithms for the 2-dimensional cell suppression problem in statistical
// disclosure control, Mathematical Programming 84, 1999). Withholding a cell that is not sensitive and yet determined
// by the rest is a waste, so some optimum has no such cell, and neither has the lexicographically smallest. With deep
// it also solves an intruder's problem for every column in use that no stored vector cuts off; unless all, it skips
// columns that recently yielded no new vector, as one program in a hundred does.
func (s *subproblem) bridges(ctx context.Context, x []float64, deep, all bool) ([]*cut, error) {
	p := s.p
	if p.off.bridgeless {
		return nil, nil
	}
	s.relations()
	if found := s.vectors.violated(s.shards[0].q, x); len(found) > 0 || !deep {
		return found, nil
	}
	if s.bridge == nil {
		s.bridge = make([]float64, p.n)
		s.vain, s.rest = make([]int8, len(p.cand)), make([]int8, len(p.cand))
	}
	p.weights(x, s.bridge)
	for i, g := range p.given {
		if g {
			s.bridge[i] = 2
		}
	}
	err := parallel.Together(ctx, len(s.shards), s.workers, func(ctx context.Context, i int) error {
		sh := s.shards[i]
		sh.duals, sh.from = sh.duals[:0], sh.from[:0]
		if sh.bridge == nil {
			var err error
			if sh.bridge, err = p.sys.NewIntruder("", s.backend); err != nil {
				return err
			}
		}
		sh.bridge.SetCapacities(s.ones, s.ones, s.bridge)
		for c := i; c < len(p.cand); c += len(s.shards) {
			if x[c] < 0.05 || len(sh.duals) >= cutsPerShard {
				continue
			}
			if !all {
				if s.rest[c] > 0 {
					s.rest[c]--
					continue
				}
				s.vain[c] = min(s.vain[c]+1, maxRest)
				s.rest[c] = s.vain[c]
			}
			v, err := sh.bridge.Bound(ctx, int(p.cand[c]), 1, 1)
			if errors.Is(err, oracle.ErrNumbers) {
				continue
			}
			if err != nil {
				return err
			}
			if v < x[c]-minViolation {
				for _, d := range sh.bridge.Duals() {
					sh.duals, sh.from = append(sh.duals, d), append(sh.from, int32(c))
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, sh := range s.shards {
		for i, d := range sh.duals {
			if c := sh.from[i]; s.vectors.add(d) {
				s.vain[c], s.rest[c] = 0, 0
			}
		}
	}
	return s.vectors.violated(s.shards[0].q, x), nil
}

// bridgelessCuts asks for bridge-less cuts; it solves linear programs only if nothing else was found.
type bridgelessCuts struct{}

func (bridgelessCuts) name() string                     { return bridgelessCut }
func (bridgelessCuts) applies(w *worker, _ *visit) bool { return !w.search.p.off.bridgeless }

func (bridgelessCuts) separate(ctx context.Context, w *worker, v *visit) ([]*cut, error) {
	return w.sep.bridges(ctx, w.m.x, len(v.cuts) == 0, v.root && !w.search.slow)
}

// bridge asks for bridge-less cuts once more when the value of the node has tailed off: they often raise it again, as
// do rounding cuts in flat tables of three or more dimensions.
func (w *worker) bridge(ctx context.Context, v *visit) (result, error) {
	most := bridgesNode
	if v.root {
		most = bridgesRoot
	}
	if !v.stalled || v.bridged >= most {
		return didNotFind, nil
	}
	v.bridged++
	v.cuts = nil
	found, err := w.ask(ctx, bridgelessCuts{}, v)
	if err != nil {
		return didNotFind, err
	}
	// Where levels always yield some cut, no round has tried these.
	if s := w.search; s.mixFrom > 0 && s.nodes >= s.mixFrom {
		more, err := w.askAll(ctx, separators[len(separators)-1], v)
		if err != nil {
			return didNotFind, err
		}
		found = append(found, more...)
	}
	cuts := w.fresh(found)
	if len(cuts) > 0 {
		v.values = v.values[:0]
	}
	return w.enter(cuts)
}

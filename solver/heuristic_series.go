package solver

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/series"
	"github.com/hitoku/hitoku/internal/oracle"
)

// A seriesCleaner cleans patterns class by class. Cells in series (internal/exact/series) can only be published
// together, so a class saves the cost of all its cells, and the dearest class goes first; cleaning cell by cell would
// keep long classes of cells that are cheap one by one but dear together. A class with a sensitive cell stays. Whether
// all levels are met without a class is decided by the intruder's programs while many dimensions are left, then by a
// program with a row for each class (series.Program).
type seriesCleaner struct {
	b     *builder
	basis []series.Vector // basis of all movements
	seed  uint64
	cells []int32      // sensitive cells that have levels
	space series.Space // movements of the cells of the pattern
	back  series.Space // the same before the last batch
	widened
	classPrograms
	key   []float64 // by column: cost with noise, for the order
	kept  []bool    // by column: its class is needed for some level
	done  []bool    // by level: met, in the current question
	value []float64 // by cell: how far it moves
	// Movements that meet all levels within the current pattern. After a class is dropped most can be repaired by small
	// additions.
	shown, trial, found [][]float64
	guard               *guard  // holds the duals that showed levels not met
	work                float64 // besides that of the intruder's programs, in units of Router.Work
}

// A widened space is kept by widen for its later calls.
type widened struct {
	far  series.Space
	uses int // calls for which it may still be reused
}

// classPrograms are the programs with a row for each class, and their buffers.
type classPrograms struct {
	class []int32
	of    [][]int32      // columns by class
	full  series.Program // with all classes
	less  series.Program // without the class in question
	vital []bool         // by class: needed, by the duals of levels not met
	duals []int          // those levels
	idx   []int32
	moved []float64
}

// newSeriesCleaner returns nil if the kernel cannot be found or is too large.
func newSeriesCleaner(ctx context.Context, b *builder, seed uint64) (*seriesCleaner, error) {
	p := b.p
	if p.n != p.m {
		return nil, nil
	}
	basis, ok, err := p.sys.Kernel(ctx)
	if !ok || err != nil || p.n*len(basis) > seriesEntries {
		return nil, err
	}
	s := &seriesCleaner{b: b, basis: basis, seed: seed, classPrograms: classPrograms{class: make([]int32, p.n)}, key: make([]float64, len(p.cand)), kept: make([]bool, len(p.cand)),
		done: make([]bool, len(p.levels)), value: make([]float64, p.n)}
	for _, l := range p.levels {
		s.cells = append(s.cells, l.K)
	}
	slices.Sort(s.cells)
	s.cells = slices.Compact(s.cells)
	return s, nil
}

// long reports whether cleaning the set of all columns takes long.
func (s *seriesCleaner) long() bool { return float64(s.b.p.n*len(s.basis)) > seriesLong }

// reset sets the space to that of all cells that may be withheld.
func (s *seriesCleaner) reset() {
	p := s.b.p
	s.space.Set(p.n, s.basis, s.seed)
	for i := range p.n {
		if !p.moves[i] || !p.given[i] && p.col[i] < 0 {
			s.space.Drop(int32(i))
		}
	}
}

// dims returns the number of dimensions of the movements within set.
func (s *seriesCleaner) dims(set []bool) int {
	s.restrict(set)
	return s.space.Dims()
}

// restrict sets the space to that of set.
func (s *seriesCleaner) restrict(set []bool) {
	s.reset()
	for c, in := range set {
		if !in {
			s.space.Drop(s.b.p.cand[c])
		}
	}
}

// clean drops superfluous columns of set, which protects every level, dearest first. It decides in floating point
// whether levels are met.
func (s *seriesCleaner) clean(ctx context.Context, set []bool, rng *rand.Rand) error {
	s.draw(0, rng)
	s.restrict(set)
	return s.reduce(ctx, set)
}

// draw sets the key of each column: its cost times a random factor from 1 − noise to 1 + noise.
func (s *seriesCleaner) draw(noise float64, rng *rand.Rand) {
	for c, w := range s.b.p.cost {
		s.key[c], s.kept[c] = float64(w)*(1+float64(noise*(2*rng.Float64()-1))), false
	}
}

// widen adds to set, which has dims dimensions, cheap columns that give it more further ones. It starts from all cells
// that may be withheld and greedily drops the classes with the largest keys, keeping set. The intermediate space with
// widenFar further dimensions is reused for widenUses calls, as long as each set lies within the result of the call
// before.
func (s *seriesCleaner) widen(set []bool, dims, more int) {
	fits := func() bool {
		for c, in := range set {
			if in && s.far.Still(s.b.p.cand[c]) {
				return false
			}
		}
		return true
	}
	if s.uses--; s.uses < 0 || !fits() {
		s.reset()
		s.narrow(set, dims+widenFar)
		s.far.Copy(&s.space)
		s.uses = widenUses - 1
	} else {
		s.space.Copy(&s.far)
	}
	s.narrow(set, dims+more)
	for c, i := range s.b.p.cand {
		set[c] = !s.space.Still(i)
	}
}

// narrow drops cells outside own until only target dimensions are left.
func (s *seriesCleaner) narrow(own []bool, target int) {
	p := s.b.p
	for s.space.Dims() > target {
		list := make([]seriesClass, s.space.Classes(s.class))
		for i, q := range s.class {
			if q < 0 {
				continue
			}
			if c := p.col[i]; c < 0 || own[c] {
				list[q].q = -1
			} else {
				list[q].cost += s.key[c]
				list[q].cell = int32(i)
			}
		}
		list = slices.DeleteFunc(list, func(c seriesClass) bool { return c.q < 0 })
		if len(list) == 0 {
			return
		}
		slices.SortFunc(list, dearer)
		for _, c := range list[:min(len(list), max(1, (s.space.Dims()-target)/widenParts))] {
			if !s.space.Still(c.cell) && s.space.Dims() > target {
				s.space.Drop(c.cell)
			}
		}
	}
}

// reduce drops superfluous columns of set; s.space must hold the movements of set.
func (s *seriesCleaner) reduce(ctx context.Context, set []bool) error {
	b, p := s.b, s.b.p
	b.weigh(set)
	defer func() {
		now := float64(s.space.Steps+s.far.Steps+s.back.Steps+s.less.Steps+s.full.Steps) / stepsUnit
		oracle.Spend(ctx, now-s.work)
		s.work = now
	}()
	s.shown = s.shown[:0]
	s.guard = newGuard(newPool(len(set)), set)
	most := max(1, s.space.Dims()/8)
	for {
		order, count := s.order(set)
		if len(order) == 0 {
			return nil
		}
		if s.space.Dims() <= seriesDims {
			s.back, s.trial = series.Space{Steps: s.back.Steps}, nil // frees memory
			s.full.Set(&s.space, s.class, count, p.up, p.dn, s.shown...)
			if err := s.one(ctx, order); err != nil {
				return err
			}
			continue
		}
		n := min(most, len(order), max(1, int(seriesShare*float64(s.space.Dims()))))
		ok, err := s.together(ctx, set, order[:n])
		if err != nil {
			return err
		}
		if most = min(2*n, p.n); !ok {
			most = max(1, n/4)
		}
	}
}

// A seriesClass is a class of columns in series that may be dropped.
type seriesClass struct {
	q    int32 // number of the class
	cost float64
	cell int32 // one of its cells
}

// order numbers all classes and returns those that may be dropped, dearest first, and the number of all.
func (s *seriesCleaner) order(set []bool) ([]seriesClass, int) {
	p := s.b.p
	count := s.space.Classes(s.class)
	list := make([]seriesClass, count)
	for len(s.of) < count {
		s.of = append(s.of, nil)
	}
	for q := range list {
		list[q].q = int32(q)
		s.of[q] = s.of[q][:0]
	}
	for _, k := range s.cells {
		if q := s.class[k]; q >= 0 {
			list[q].q = -1
		}
	}
	for c, in := range set {
		if !in {
			continue
		}
		q := s.class[p.cand[c]]
		if q < 0 {
			set[c] = false // it cannot move
			s.guard.drop(int32(c))
			s.b.reweigh(int32(c), 0)
			continue
		}
		list[q].cost += s.key[c]
		list[q].cell = p.cand[c]
		s.of[q] = append(s.of[q], int32(c))
		if s.kept[c] {
			list[q].q = -1
		}
	}
	list = slices.DeleteFunc(list, func(c seriesClass) bool { return c.q < 0 || len(s.of[c.q]) == 0 })
	slices.SortFunc(list, dearer)
	return list, count
}

func dearer(a, b seriesClass) int {
	switch {
	case a.cost > b.cost:
		return -1
	case a.cost < b.cost:
		return 1
	}
	return int(a.cell - b.cell)
}

// spare subtracts the columns from the activities of the guard's cuts and returns true, unless a cut would be violated.
func (s *seriesCleaner) spare(columns []int32) bool {
	for t, c := range columns {
		if s.guard.needs(c) {
			for _, c := range columns[:t] {
				s.guard.move(c, 1)
			}
			return false
		}
		s.guard.drop(c)
	}
	return true
}

// keep marks the columns of class q as needed.
func (s *seriesCleaner) keep(q int32) {
	for _, c := range s.of[q] {
		s.kept[c] = true
	}
}

// together drops several classes at once if all levels are met without them; it skips classes that are needed once
// earlier ones are dropped.
func (s *seriesCleaner) together(ctx context.Context, set []bool, classes []seriesClass) (bool, error) {
	b, p := s.b, s.b.p
	s.back.Copy(&s.space)
	s.trial = copyAll(s.trial, s.shown)
	var free []int32
	for _, c := range classes {
		if s.space.Still(c.cell) || s.needed(c.cell) {
			continue
		}
		if !s.spare(s.of[c.q]) {
			if len(free) == 0 {
				s.keep(c.q)
			}
			continue
		}
		free = append(free, s.of[c.q]...)
		s.space.Drop(c.cell, s.trial...)
	}
	for _, c := range free {
		s.guard.move(c, 1)
	}
	if len(free) == 0 {
		return true, nil
	}
	var gone []int32
	for c, in := range set {
		if in && s.space.Still(p.cand[c]) {
			gone = append(gone, int32(c))
			b.reweigh(int32(c), 0)
		}
	}
	ok, err := s.met(ctx, s.ask, func() {
		for _, z := range s.trial {
			s.multiples(z)
		}
	})
	if err != nil {
		return false, err
	}
	if ok {
		for _, c := range gone {
			set[c] = false
			s.guard.drop(c)
		}
		s.shown, s.found = s.found, s.shown
		if in, ok := b.in.(oracle.Marker); ok {
			in.Mark()
		}
		return true, nil
	}
	for _, c := range gone {
		b.reweigh(c, 1)
	}
	s.space, s.back = s.back, s.space
	for _, d := range b.in.Duals() {
		if l := p.levels[b.failed[0]]; l.Side != width && int(d.K) == int(l.K) {
			if cut := b.q.capacity(d, int(l.Side), l.RHS, capacityCut); cut != nil {
				s.guard.add(cut, set)
			}
		}
	}
	if in, ok := b.in.(oracle.Marker); ok {
		in.Return()
	}
	if len(classes) == 1 {
		s.keep(classes[0].q)
	}
	return false, nil
}

// needed reports whether cell i is in series with a sensitive one.
func (s *seriesCleaner) needed(i int32) bool {
	return slices.ContainsFunc(s.cells, func(k int32) bool { return s.space.InSeries(i, k) })
}

// one drops the first class without which all levels are still met; those before it are needed. Nearly all of them are
// needed for a few levels, whose duals say so of most others at once.
func (s *seriesCleaner) one(ctx context.Context, classes []seriesClass) error {
	s.vital, s.duals = append(s.vital[:0], make([]bool, len(s.of))...), s.duals[:0]
	for _, c := range classes {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if s.vital[c.q] {
			continue
		}
		s.less.Without(&s.full, c.q)
		ok, err := s.met(ctx, s.reach, func() { s.less.Along(s.mark) })
		if err != nil {
			return err
		}
		if ok {
			s.space.Drop(c.cell)
			s.shown, s.found = s.found, s.shown
			return nil
		}
		s.keep(c.q)
		s.askDuals(s.b.failed[0])
	}
	return nil
}

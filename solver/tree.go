package solver

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A tree is the state of one run of the search.
type tree struct {
	search *search
	fixed  []int8 // −1 free, else the value fixed for the whole run
	open   heap.Heap[*node]
	ids    int
	main   bool // solves the whole problem, not a question of the canonical phase

	// The relaxation of the root, from which columns are fixed again whenever the incumbent improves: its value, its
	// reduced costs, and where x was 0 or 1.
	value    float64
	reduced  []float64
	x        []float64
	tol      tolerance
	fixedFor int64 // cost of the incumbent at the last fixing
}

// run searches for a pattern cheaper than s.upper with the columns of base fixed; with stopAtFirst it ends at the first
// one. It returns whether the search was exhaustive. Nodes are chosen best-bound with plunging: after branching a
// worker dives into one child until that is pruned (Achterberg, Constraint Integer Programming, 2007), which finds
// patterns early and keeps relaxations warm.
func (s *search) run(ctx context.Context, base []fix, stopAtFirst bool) (proved bool, err error) {
	t := &tree{search: s, main: base == nil}
	t.fixed = slices.Repeat([]int8{-1}, len(s.p.cand))
	for _, f := range base {
		t.fixed[f.c] = 0
		if f.one {
			t.fixed[f.c] = 1
		}
	}
	if len(s.workers) == 0 {
		s.workers = []*worker{{tallies: map[string]tally{}, m: s.m, pool: s.pool, sep: s.sep, pseudo: newPseudocosts(len(s.p.cand))}}
		if s.p.warm != nil {
			s.workers[0].pseudo.load(s.p.warm, s.p)
		}
	}
	for _, w := range s.workers {
		w.tree, w.search, w.dive, w.upper = t, s, nil, s.upper
	}
	root := &node{bound: 0}
	if s.rec != nil && t.main {
		root.proof = s.rec.Root
	}
	t.open.Push(root)
	begin, guided := s.upper, s.nodes
	for {
		busy := t.pick()
		if len(busy) == 0 {
			t.settle(s.upper)
			return true, nil
		}
		t.settle(math.MaxInt64)
		if t.closeEnough() || s.beaten() || s.opt.nodes > 0 && s.nodes >= s.opt.nodes {
			return false, nil
		}
		t.search.report(false)
		if s.rec != nil && t.main && s.nodes > s.rec.next {
			s.rec.next = 2*s.nodes + 100
			s.rec.Forget(t.search.bound * s.p.unit)
		}
		err := t.work(ctx, busy)
		t.exchange(busy)
		if err != nil {
			t.settle(math.MaxInt64)
			return false, err
		}
		if stopAtFirst && s.upper < begin {
			return false, nil
		}
		if t.main && !s.p.off.guided && s.nodes/guidedEvery > guided/guidedEvery {
			for _, w := range busy {
				if w.dive != nil && w.guide != nil {
					if err := s.construct(ctx, w.guide); err != nil {
						t.settle(math.MaxInt64)
						return false, err
					}
					break
				}
			}
		}
		guided = s.nodes
		if t.main {
			if err := s.improve(ctx, 0); err != nil {
				t.settle(math.MaxInt64)
				return false, err
			}
			if err := s.regroup(ctx); err != nil {
				t.settle(math.MaxInt64)
				return false, err
			}
		}
		t.fixAgain()
		if err := t.grow(); err != nil {
			return false, err
		}
	}
}

// grow adds workers once the tree turns out to be large.
func (t *tree) grow() error {
	if t.search.nodes < workersFrom || len(t.search.workers) == workerCount || len(t.open) == 0 {
		return nil
	}
	s := t.search
	first := s.workers[0]
	s.pool.capacity /= workersPool
	for len(s.workers) < workerCount {
		w := &worker{tree: t, search: s, tallies: map[string]tally{}, pool: newPool(len(s.p.cand)), pseudo: first.pseudo.clone(), upper: s.upper}
		w.pool.capacity = s.pool.capacity
		var err error
		if w.m, err = newMaster(s.p, s.opt.LP); err != nil {
			return err
		}
		s.workers = append(s.workers, w)
		if w.sep, err = newSubproblem(s.p, s.opt.LP, 1, 1); err != nil {
			return err
		}
		if s.costLimit != 0 {
			w.m.recost(s.p, s.costLimit)
		}
		var rows []*cut
		for _, c := range first.pool.cuts {
			d := w.adopt(c)
			if c.row >= 0 {
				rows = append(rows, d)
			}
		}
		if err := w.m.add(rows); err != nil {
			return err
		}
	}
	return nil
}

// pick assigns nodes: to each worker the next node of its dive, then open nodes by bound. It returns the workers that
// have one.
func (t *tree) pick() (busy []*worker) {
	for _, w := range t.search.workers {
		w.upper = t.search.upper
		if w.dive != nil && w.dive.bound >= t.search.upper && w.closes(w.dive) {
			w.dive = nil
		}
	}
	t.surface()
	for _, w := range t.search.workers {
		for w.dive == nil && len(t.open) > 0 {
			n := t.open.Pop()
			if n.bound < t.search.upper || !w.closes(n) {
				w.dive = n
			}
		}
		if w.dive != nil {
			busy = append(busy, w)
		}
	}
	return busy
}

// surface ends dives that are far above the least bound of all open nodes.
func (t *tree) surface() {
	upper := t.search.upper
	if !t.main || upper == math.MaxInt64 || t.search.p.off.surface {
		return
	}
	least := t.least(upper)
	gap, wide := float64(upper-least), wideGap
	if t.search.trees {
		wide = treeGap
	}
	if gap <= wide*float64(upper) {
		return
	}
	for i, w := range t.search.workers {
		if i == workerCount-1 && gap > loneGap*float64(upper) {
			continue
		}
		if w.dive != nil && float64(w.dive.bound-least) > plungeShare*gap {
			t.open.Push(w.dive)
			w.dive = nil
		}
	}
}

// least returns the minimum of bound and the bounds of the workers' nodes and the open nodes.
func (t *tree) least(bound int64) int64 {
	for _, w := range t.search.workers {
		if w.dive != nil {
			bound = min(bound, w.dive.bound)
		}
	}
	if len(t.open) > 0 {
		bound = min(bound, t.open[0].bound) // the minimum of the heap
	}
	return bound
}

// work processes the node of every busy worker.
func (t *tree) work(ctx context.Context, busy []*worker) error {
	workers := t.search.opt.Workers
	if t.search.rec != nil { // all workers share one recording
		workers = 1
	}
	for _, w := range busy {
		w.alone = len(busy) == 1
		w.sep.workers = 1
	}
	if len(busy) == 1 {
		busy[0].sep.workers = t.search.opt.Workers
	}
	for _, w := range busy {
		if err := w.restore(); err != nil {
			return err
		}
	}
	t.search.nodes += len(busy)
	return parallel.Do(ctx, len(busy), workers, func(ctx context.Context, i int) error {
		w := busy[i]
		left, right, err := w.process(ctx, w.dive)
		if err != nil {
			return err // the dive's node keeps its bound
		}
		w.dive, w.right = left, right
		return nil
	})
}

// exchange shares what the busy workers found.
func (t *tree) exchange(busy []*worker) {
	s := t.search
	for _, w := range busy {
		s.rounds += w.rounds
		w.rounds = 0
		for _, n := range [2]*node{w.dive, w.right} {
			if n != nil && n.id == 0 {
				t.ids++
				n.id = t.ids
			}
		}
		if w.right != nil {
			t.open.Push(w.right)
			w.right = nil
		}
		if w.set != nil && w.upper < s.upper {
			s.accept(w.set, w.shown)
		}
		w.set, w.shown = nil, nil
		for _, b := range s.workers {
			if b == w {
				continue
			}
			for _, c := range w.cuts {
				b.adopt(c)
			}
			for _, l := range w.lessons {
				b.pseudo.learn(l.f, l.gain, l.frac)
			}
		}
		w.cuts, w.lessons = w.cuts[:0], w.lessons[:0]
	}
}

// settle records the lower bound of the whole run (see least).
func (t *tree) settle(bound int64) {
	if !t.main {
		return
	}
	t.search.bound = max(t.search.bound, min(t.least(bound), t.search.upper))
}

func (t *tree) closeEnough() bool {
	return t.main && t.search.opt.Gap > 0 && t.search.best != nil && float64(t.search.upper-t.search.bound) <= t.search.opt.Gap*max(1, float64(t.search.upper))
}

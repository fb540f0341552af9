package attack

import (
	"fmt"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
)

// A poolEntry holds a refuting pattern; moves are added to it over time.
type poolEntry struct {
	k atomic.Pointer[refutingPattern]
}

// counterSearchNodes limits the nodes of a counter-pattern search; beyond it the solver is used.
const counterSearchNodes = 2500

// mark stores in may the positions that can be sensitive in [l, u].
func (w *worker) mark(l, u []int64) {
	clear(w.may)
	for p := range int32(w.x.s) {
		if w.x.maybe(p, l[p], u[p]) {
			w.may.set(p)
		}
	}
}

// refutedByPool reports whether a pattern of the pool refutes all candidates of b, and stores in may the
// positions that can be sensitive there.
func (w *worker) refutedByPool(b box) bool {
	x := w.x
	l, u := b.ends()
	w.mark(l, u)
	posed := false
	for at, id := range w.pool() {
		k := w.entry(id)
		if !k.covers(w.may) || !x.cheaper(k, l, u) {
			continue
		}
		if w.h == nil {
			if !x.refutes(k, l, u, w.may) {
				continue
			}
		} else {
			if !posed {
				w.h.poseBox(w.may, l, u)
				posed = true
			}
			if !w.h.protects(k.set, &w.cuts[id]) {
				continue
			}
		}
		w.moveToFront(at)
		return true
	}
	return false
}

// pool returns the indices of refuting patterns in this worker's order.
func (w *worker) pool() []int32 {
	for n := len(*w.entries.Load()); len(w.order) < n; {
		w.order = append(w.order, int32(len(w.order)))
		w.cuts = append(w.cuts, nil)
	}
	return w.order
}

func (w *worker) entry(id int32) *refutingPattern { return (*w.entries.Load())[id].k.Load() }

// moveToFront moves the pattern at position at of the order to the front.
func (w *worker) moveToFront(at int) {
	id := w.order[at]
	copy(w.order[1:at+1], w.order[:at])
	w.order[0] = id
}

// region starts a region around y within b.
func (w *worker) region(b box) *region {
	l, u := b.ends()
	copy(w.r.l, l)
	copy(w.r.u, u)
	w.r.y, w.r.cond = w.y, w.r.cond[:0]
	return &w.r
}

// point shrinks the region to y alone.
func (r *region) point() {
	for p, v := range r.y {
		r.least(int32(p), v)
		r.most(int32(p), v)
	}
}

// decide reports whether the candidate y of b matches, and stores in r the region of b with the same verdict; unless
// candidates are counted, r is not set for a match.
func (w *worker) decide(b box) (matches bool, err error) {
	x, y := w.x, w.y
	any := false
	for p := range int32(x.s) {
		if !x.sensitive(p, y[p]) {
			continue
		}
		any = true
		if !x.guarded(p, y[p]) {
			w.region(b).exposed(p)
			return false, nil
		}
	}
	if !any {
		r := w.region(b)
		for p := range int32(x.s) {
			if x.maybe(p, r.l[p], r.u[p]) {
				r.notSensitive(p)
			}
		}
		return false, nil
	}
	if w.refuteByPool(b) {
		return false, nil
	}
	if w.q != nil {
		if known, err := w.refuteByNewMoves(b); known || err != nil {
			return false, err
		}
	}
	w.solves.Add(1)
	k, err := w.better(y)
	if err != nil {
		return false, err
	}
	if k == nil {
		if w.counting {
			w.sameVerdict(b)
		}
		return true, nil
	}
	switch {
	case w.h != nil:
		w.enlarge(k, b)
	case !w.region(b).refute(k):
		w.region(b).point()
	}
	return false, nil
}

// exposed demands that position p has a sensitive value that S does not guard: one at which the same level is missed as
// at y_p, with the same sign. For values of one sign, both the levels and the distances that the interval leaves are
// monotone.
func (r *region) exposed(p int32) {
	x, v := r.x, r.y[p]
	missed := 0
	for x.keeps(missed, p, v) {
		missed++
	}
	a, e := r.l[p], r.u[p]
	if x.office.Below > 0 {
		first, last := x.office.sensitiveRange()
		a, e = max(a, first), min(e, last)
	}
	if v >= 0 {
		a = max(a, 0)
	} else {
		e = min(e, -1)
	}
	// farthest returns the last value on the way from v to end at which the level is missed.
	farthest := func(end int64) int64 {
		at := v
		for at != end {
			if m := end - (end-at)/2; !x.keeps(missed, p, m) {
				at = m
			} else if m > at {
				end = m - 1
			} else {
				end = m + 1
			}
		}
		return at
	}
	r.least(p, farthest(a))
	r.most(p, farthest(e))
}

// better looks for a pattern that is protected for y and better than S, and adds it to the pool.
func (w *worker) better(y []int64) (*refutingPattern, error) {
	if w.h != nil {
		found, gaveUp := w.h.ask(y, y, y, counterSearchNodes)
		switch {
		case found:
			return w.addToPool(w.h.pattern(), nil), nil
		case !gaveUp:
			return nil, nil
		}
	}
	return w.solve(y)
}

// From time to time the search tries to find a pattern that refutes a whole box. This mostly fails, but such patterns
// refute more than those found for a single candidate.
const (
	refuteBoxEvery = 32
	refuteBoxNodes = 1000
)

// refuteBox looks for a pattern that refutes all candidates of b at once.
func (w *worker) refuteBox(b box) bool {
	if w.boxes++; w.h == nil || w.x.cost != nil || w.boxes%refuteBoxEvery != 0 {
		return false
	}
	l, u := b.ends()
	if found, _ := w.h.askBox(w.may, l, u, refuteBoxNodes); !found {
		return false
	}
	w.addToPool(w.h.pattern(), nil)
	return true
}

// refuteByPool looks in the pool for a pattern that is protected for y and better than S, and stores in r the region of
// b that it refutes.
func (w *worker) refuteByPool(b box) bool {
	x, y := w.x, w.y
	w.mark(y, y)
	posed := false
	for at, id := range w.pool() {
		k := w.entry(id)
		if !k.covers(w.may) || !x.cheaper(k, y, y) {
			continue
		}
		if w.h == nil {
			if w.region(b).refute(k) {
				w.moveToFront(at)
				return true
			}
			continue
		}
		if !posed {
			w.h.pose(y, y, y)
			posed = true
		}
		if w.h.protects(k.set, &w.cuts[id]) {
			w.moveToFront(at)
			w.enlarge(k, b)
			return true
		}
	}
	return false
}

// addToPool adds a pattern to the pool, or moves to a pooled pattern.
func (s *search) addToPool(set bitset, moves [][]cellMove) *refutingPattern {
	key := fmt.Sprint(set)
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.byPattern[key]
	if !ok {
		id = len(s.byPattern)
		s.byPattern[key] = id
		sl := new(poolEntry)
		sl.k.Store(s.x.newRefutingPattern(set))
		all := append((*s.entries.Load())[:id:id], sl)
		s.entries.Store(&all)
	}
	sl := (*s.entries.Load())[id]
	k := sl.k.Load()
	for _, m := range moves {
		k, _ = k.with(s.x, m)
	}
	sl.k.Store(k)
	return k
}

// solve asks the solver for a better pattern.
func (w *worker) solve(y []int64) (*refutingPattern, error) {
	x := w.x
	t, err := x.office.table(x.base, x.cells, y)
	if err != nil && w.h != nil {
		t, err = x.whole(y)
	}
	if err != nil {
		return nil, i18n.Errorf("attack: candidate: %w", err)
	}
	s, err := solver.Suppress(w.ctx, t, &solver.Options{LP: w.opt.LP, Workers: 1, Canonical: x.office.Match == Exact,
		Start: x.mine, First: true, Memory: &w.memory})
	if w.ctx.Err() != nil {
		return nil, errStopped
	}
	if err != nil {
		return nil, i18n.Errorf("attack: candidate: %w", err)
	}
	set := newBits(x.n)
	for i, v := range s.Pattern {
		if v {
			set.set(int32(i))
		}
	}
	k := x.newRefutingPattern(set)
	if !x.cheaper(k, y, y) {
		return nil, nil
	}
	var moves [][]cellMove
	if w.h != nil {
		return w.addToPool(set, nil), nil
	}
	for _, wit := range s.Witnesses {
		var m []cellMove
		for e, i := range wit.Cells {
			if wit.Num[e] != 0 {
				m = append(m, cellMove{i, wit.Num[e]})
			}
		}
		if len(m) > 0 {
			moves = append(moves, m)
		}
	}
	return w.addToPool(set, moves), nil
}

// sameVerdict stores in r a region of b in which candidates certainly have the verdict of y: the same sensitive cells,
// and no more slack than leaves the verdict unchanged.
func (w *worker) sameVerdict(b box) {
	x, y := w.x, w.y
	r := w.region(b)
	if x.cost != nil {
		r.point()
		return
	}
	// Constant levels hold for all values, others for y alone.
	for p := range int32(x.s) {
		if !x.maybe(p, r.l[p], r.u[p]) {
			continue
		}
		if !x.sensitive(p, y[p]) {
			r.notSensitive(p)
			continue
		}
		if x.office.Below > 0 {
			a, e := x.office.sensitiveRange()
			r.least(p, a)
			r.most(p, e)
		}
		lev := &x.level[p]
		if lev.fix[0] < 0 || lev.fix[1] != 0 || lev.fix[2] != 0 {
			r.least(p, y[p])
			r.most(p, y[p])
		}
	}
	// Slack: all of r, if there is nothing better even then; otherwise less.
	if w.h != nil {
		if found, gaveUp := w.h.ask(y, r.l, r.u, counterSearchNodes); !found && !gaveUp {
			return
		}
	}
	for p := range int32(x.s) {
		if x.lb[p] > -maxWord && y[p]-x.lb[p] < x.reach {
			r.most(p, y[p])
		}
		if x.ub[p] < maxWord && x.ub[p]-y[p] < x.reach {
			r.least(p, y[p])
		}
	}
}

package attack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/solver"
)

// A search covers the candidates with boxes and gives each a verdict. A candidate
// y is taken from a box and decided: by a killer from the pool, else by a hunt
// for a better pattern. What refuted y refutes a whole region around it; the
// rest of the box splits into boxes along the region's conditions.
//
// Under counting, candidates that match are decided too. Otherwise only those
// outside the hull of the matches found matter, so that y is taken from an end
// of a cell's range, outside in.
type search struct {
	x        *setting
	opt      *Options
	counting bool
	ctx      context.Context
	start    time.Time

	mu    sync.Mutex
	wake  sync.Cond
	open  []box
	idle  int
	all   int // workers
	err   error
	byKey map[string]int

	slots   atomic.Pointer[[]*slot]
	hull    []Range
	version atomic.Int64 // of hull
	matched big.Int
	found   atomic.Int64
	solves  atomic.Int64
	stop    atomic.Bool
	pending atomic.Int64  // boxes
	decided atomic.Uint64 // see settle: the bits of a float
	left    []box         // open when the search was stopped
}

// A slot holds a killer, which grows.
type slot struct{ k atomic.Pointer[killer] }

// A worker processes boxes.
type worker struct {
	*search
	t      *tightener
	f      *finder
	h      *hunt  // nil where relations are not a network
	q      *mover // nil where they are
	local  []box
	spare  []box
	order  []int32
	cuts   [][]cut // by killer: what held it back before
	may    bitset
	y      []int64
	r      region
	hull   []Range
	seen   int64
	scan   []box // of the enumeration
	ticks  int
	boxes  int
	rooms  []room // of grow
	memory solver.Memory
}

// huntNodes is how many nodes a hunt takes at most; the solver then has less to do.
const huntNodes = 2500

var errStopped = errors.New("attack: stopped")

func newSearch(ctx context.Context, x *setting, opt *Options, counting bool) *search {
	s := &search{x: x, opt: opt, counting: counting, ctx: ctx, byKey: map[string]int{}, start: time.Now()}
	s.wake.L = &s.mu
	s.slots.Store(&[]*slot{})
	s.hull = make([]Range, x.s)
	for p := range s.hull {
		s.hull[p].Empty = true
	}
	s.open = []box{append(box(nil), x.root...)}
	s.pending.Store(1)
	s.all = opt.Workers
	if s.all <= 0 {
		s.all = runtime.GOMAXPROCS(0)
	}
	return s
}

// run processes all boxes; after a stop the rest is in left.
func (s *search) run() error {
	var wg sync.WaitGroup
	for range s.all {
		w, err := s.newWorker()
		if err != nil {
			return err
		}
		defer w.q.close()
		wg.Go(w.loop)
	}
	if s.opt.Progress != nil {
		done := make(chan struct{})
		defer close(done)
		go s.report(done)
	}
	wg.Wait()
	s.left, s.open = append(s.left, s.open...), nil // offered when all were stopped
	if s.err != nil && !errors.Is(s.err, errStopped) {
		return s.err
	}
	return nil
}

// report calls Progress five times a second until done is closed.
func (s *search) report(done chan struct{}) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			s.opt.Progress(Progress{Open: int(s.pending.Load()), Decided: math.Float64frombits(s.decided.Load()),
				Matches: s.found.Load(), Elapsed: time.Since(s.start)})
		}
	}
}

// settle adds the part of the root's volume that a box of volume v, split into w.local
// from the index on, has settled.
func (w *worker) settle(v float64, from int) {
	for _, c := range w.local[from:] {
		v -= w.volume(c)
	}
	for {
		old := w.decided.Load()
		if w.decided.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+v)) {
			return
		}
	}
}

// volume is the part of the root's volume that b has.
func (s *search) volume(b box) float64 {
	l, u := b.ends()
	a, e := s.x.root.ends()
	v := 1.0
	for p := range l {
		v *= float64(u[p]-l[p]+1) / float64(e[p]-a[p]+1)
	}
	return v
}

func (s *search) newWorker() (*worker, error) {
	x := s.x
	w := &worker{search: s, t: newTightener(x), may: newBits(x.s), y: make([]int64, x.s), hull: make([]Range, x.s), seen: -1}
	w.f = newFinder(w.t)
	w.h = newHunt(x)
	w.r = region{x: x, l: make([]int64, x.s), u: make([]int64, x.s)}
	if w.h != nil {
		return w, nil
	}
	var err error
	w.q, err = newMover(x, s.opt.LP)
	return w, err
}

func (w *worker) loop() {
	for {
		b := w.take()
		if b == nil {
			return
		}
		at, v := len(w.local), 0.0
		if w.opt.Progress != nil {
			v = w.volume(b)
		}
		err := w.process(b)
		w.pending.Add(int64(len(w.local) - at - 1))
		if w.opt.Progress != nil && err == nil {
			w.settle(v, at)
		}
		if err != nil {
			w.mu.Lock()
			if w.err == nil || errors.Is(w.err, errStopped) {
				w.err = err
			}
			w.stop.Store(true)
			w.left = append(w.left, b)
			w.left = append(w.left, w.local...)
			w.wake.Broadcast()
			w.mu.Unlock()
			return
		}
		w.spare = append(w.spare, b)
	}
}

// take returns the next box, nil at the end. Workers keep to themselves what they
// split, unless others have nothing.
func (w *worker) take() box {
	w.ticks++
	if len(w.local) > 0 && (w.ticks&15 != 0 || w.all == 1) {
		b := w.local[len(w.local)-1]
		w.local = w.local[:len(w.local)-1]
		return b
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle > 0 && len(w.local) > 1 {
		half := (len(w.local) + 1) / 2 // the oldest are the largest
		w.open = append(w.open, w.local[:half]...)
		w.local = append(w.local[:0], w.local[half:]...)
		w.wake.Broadcast()
	}
	if n := len(w.local); n > 0 {
		b := w.local[n-1]
		w.local = w.local[:n-1]
		return b
	}
	w.idle++
	for {
		switch {
		case w.err != nil:
			w.left, w.open = append(w.left, w.open...), nil
			return nil
		case len(w.open) > 0:
			w.idle--
			b := w.open[len(w.open)-1]
			w.open = w.open[:len(w.open)-1]
			return b
		case w.idle == w.all:
			w.wake.Broadcast()
			return nil
		}
		w.wake.Wait()
	}
}

func (w *worker) copyOf(b box) box {
	if n := len(w.spare); n > 0 {
		c := w.spare[n-1]
		w.spare = w.spare[:n-1]
		copy(c, b)
		return c
	}
	return append(box(nil), b...)
}

// process decides the candidates of b, or splits it.
func (w *worker) process(b box) error {
	x := w.x
	if !w.t.all(b) {
		return nil
	}
	for {
		if w.stop.Load() || w.ctx.Err() != nil {
			return errStopped
		}
		if w.dead(b) || w.whole(b) {
			return nil
		}
		// y is a candidate of b, in hull mode one at an outer end.
		p, v, outside := w.outermost(b)
		if !outside {
			return nil
		}
		c := b
		if p >= 0 {
			c = w.copyOf(b)
			c[p], c[x.s+int(p)] = v, v
			if !w.t.from(c, p) {
				w.spare = append(w.spare, c)
				if !w.without(b, p, v) {
					return nil
				}
				continue
			}
		}
		w.f.small = !w.counting && w.hull[0].Empty
		found, empty := w.f.point(c, w.y)
		switch {
		case empty && p < 0:
			return nil
		case empty:
			w.spare = append(w.spare, c)
			if !w.without(b, p, v) {
				return nil
			}
			continue
		case !found:
			w.halve(b)
			return nil
		}
		if p >= 0 {
			w.spare = append(w.spare, c)
		}
		matches, err := w.decide(b)
		if err != nil {
			return err
		}
		if matches && !w.counting {
			w.extend()
			continue
		}
		if matches {
			if err := w.enumerate(); err != nil {
				return err
			}
		}
		w.split(b)
		return nil
	}
}

// mark leaves in may the positions that can be sensitive in [l, u].
func (w *worker) mark(l, u []int64) {
	clear(w.may)
	for p := range int32(w.x.s) {
		if w.x.maybe(p, l[p], u[p]) {
			w.may.set(p)
		}
	}
}

// dead says whether a killer of the pool refutes all candidates of b, and leaves in may
// what can be sensitive there.
func (w *worker) dead(b box) bool {
	x := w.x
	l, u := b.ends()
	w.mark(l, u)
	posed := false
	for at, id := range w.killers() {
		k := w.slot(id)
		if !k.covers(w.may) || !x.cheaper(k, l, u) {
			continue
		}
		if w.h == nil {
			if !x.kills(k, l, u, w.may) {
				continue
			}
		} else {
			if !posed {
				w.h.poseBox(w.may, l, u)
				posed = true
			}
			if !w.h.holds(k.set, &w.cuts[id]) {
				continue
			}
		}
		w.front(at)
		return true
	}
	return false
}

// killers returns the pool in this worker's order.
func (w *worker) killers() []int32 {
	for n := len(*w.slots.Load()); len(w.order) < n; {
		w.order = append(w.order, int32(len(w.order)))
		w.cuts = append(w.cuts, nil)
	}
	return w.order
}

func (w *worker) slot(id int32) *killer { return (*w.slots.Load())[id].k.Load() }

// front moves the killer at this place of the order to the front.
func (w *worker) front(at int) {
	id := w.order[at]
	copy(w.order[1:at+1], w.order[:at])
	w.order[0] = id
}

// outermost returns the position and its end in b that lies farthest outside the
// hull of what matches; −1 where any candidate will do, outside false where b is
// within the hull.
func (w *worker) outermost(b box) (p int32, v int64, outside bool) {
	if w.counting {
		return -1, 0, true
	}
	if n := w.version.Load(); n != w.seen {
		w.mu.Lock()
		copy(w.hull, w.search.hull)
		w.seen = w.version.Load()
		w.mu.Unlock()
	}
	if w.hull[0].Empty {
		return -1, 0, true
	}
	l, u := b.ends()
	far := int64(0)
	for i := range w.hull {
		if d := w.hull[i].Lo - l[i]; d > far {
			far, p, v = d, int32(i), l[i]
		}
		if d := u[i] - w.hull[i].Hi; d > far {
			far, p, v = d, int32(i), u[i]
		}
	}
	return p, v, far > 0
}

// without takes the end v of position p off b; false if nothing is left.
func (w *worker) without(b box, p int32, v int64) bool {
	if b[p] == v {
		b[p]++
	} else {
		b[w.x.s+int(p)]--
	}
	return b[p] <= b[w.x.s+int(p)] && w.t.from(b, p)
}

// halve splits b in the middle of its widest range.
func (w *worker) halve(b box) {
	l, u := b.ends()
	p := 0
	for i := range l {
		if u[i]-l[i] > u[p]-l[p] {
			p = i
		}
	}
	m := l[p] + (u[p]-l[p])/2
	c, d := w.copyOf(b), w.copyOf(b)
	c[w.x.s+p], d[p] = m, m+1
	w.local = append(w.local, c, d)
}

// split puts aside what of b does not meet the conditions of the region, what violates
// the first of them for the next turn: often a cell of S that must not be sensitive,
// and a match has many that are.
func (w *worker) split(b box) {
	at := len(w.local)
	for _, c := range w.r.cond {
		d := w.copyOf(b)
		p := int(c.p)
		if c.most {
			d[p] = c.v + 1
			b[w.x.s+p] = min(b[w.x.s+p], c.v)
		} else {
			d[w.x.s+p] = c.v - 1
			b[p] = max(b[p], c.v)
		}
		w.local = append(w.local, d)
	}
	slices.Reverse(w.local[at:])
}

// region starts a region around y in b.
func (w *worker) region(b box) *region {
	l, u := b.ends()
	copy(w.r.l, l)
	copy(w.r.u, u)
	w.r.y, w.r.cond = w.y, w.r.cond[:0]
	return &w.r
}

// point makes y alone the region.
func (r *region) point() {
	for p, v := range r.y {
		r.least(int32(p), v)
		r.most(int32(p), v)
	}
}

// decide says whether the candidate y of b matches and leaves in r the region
// of b that has the same verdict; without counting r is not set for a match.
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
				r.quiet(p)
			}
		}
		return false, nil
	}
	if w.recall(b) {
		return false, nil
	}
	if w.q != nil {
		if known, err := w.reveal(b); known || err != nil {
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
			w.same(b)
		}
		return true, nil
	}
	switch {
	case w.h != nil:
		w.grow(k, b)
	case !w.region(b).refute(k):
		w.region(b).point()
	}
	return false, nil
}

// exposed demands that position p has a sensitive value that S does not guard.
func (r *region) exposed(p int32) {
	const scan = 64
	x, v := r.x, r.y[p]
	bad := func(v int64) bool { return x.sensitive(p, v) && !x.guarded(p, v) }
	a, e := v, v
	for a > r.l[p] && v-a < scan && bad(a-1) {
		a--
	}
	for e < r.u[p] && e-v < scan && bad(e+1) {
		e++
	}
	r.least(p, a)
	r.most(p, e)
}

// better looks for a pattern that is protected for y and better than S, and puts
// it into the pool.
func (w *worker) better(y []int64) (*killer, error) {
	if w.h != nil {
		found, gaveUp := w.h.ask(y, y, y, huntNodes)
		switch {
		case found:
			return w.keep(w.h.pattern(), nil), nil
		case !gaveUp:
			return nil, nil
		}
	}
	return w.solve(y)
}

// Now and then a pattern is sought that refutes a whole box, which mostly fails, but
// such patterns refute more than those found for one candidate.
const (
	wholeEvery = 32
	wholeNodes = 1000
)

// whole looks for a pattern that refutes all candidates of b at once.
func (w *worker) whole(b box) bool {
	if w.boxes++; w.h == nil || w.x.cost != nil || w.boxes%wholeEvery != 0 {
		return false
	}
	l, u := b.ends()
	if found, _ := w.h.askBox(w.may, l, u, wholeNodes); !found {
		return false
	}
	w.keep(w.h.pattern(), nil)
	return true
}

// recall looks in the pool for a pattern that is protected for y and better than S,
// and leaves the region of b that it refutes in r.
func (w *worker) recall(b box) bool {
	x, y := w.x, w.y
	w.mark(y, y)
	posed := false
	for at, id := range w.killers() {
		k := w.slot(id)
		if !k.covers(w.may) || !x.cheaper(k, y, y) {
			continue
		}
		if w.h == nil {
			if w.region(b).refute(k) {
				w.front(at)
				return true
			}
			continue
		}
		if !posed {
			w.h.pose(y, y, y)
			posed = true
		}
		if w.h.holds(k.set, &w.cuts[id]) {
			w.front(at)
			w.grow(k, b)
			return true
		}
	}
	return false
}

// keep puts a pattern into the pool, or adds moves to it.
func (s *search) keep(set bitset, moves [][]cellMove) *killer {
	key := fmt.Sprint(set)
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.byKey[key]
	if !ok {
		id = len(s.byKey)
		s.byKey[key] = id
		sl := new(slot)
		sl.k.Store(s.x.newKiller(set))
		all := append((*s.slots.Load())[:id:id], sl)
		s.slots.Store(&all)
	}
	sl := (*s.slots.Load())[id]
	k := sl.k.Load()
	for _, m := range moves {
		k, _ = k.with(s.x, m)
	}
	sl.k.Store(k)
	return k
}

// solve asks the solver.
func (w *worker) solve(y []int64) (*killer, error) {
	x := w.x
	t, err := x.office.table(x.base, x.cells, y)
	if err != nil {
		return nil, err
	}
	s, err := solver.Suppress(w.ctx, t, &solver.Options{LP: w.opt.LP, Workers: 1, Canonical: x.office.Match == Exact,
		Start: x.mine, First: true, Memory: &w.memory})
	if w.ctx.Err() != nil {
		return nil, errStopped
	}
	if err != nil {
		return nil, fmt.Errorf("attack: candidate: %w", err)
	}
	set := newBits(x.n)
	for i, v := range s.Pattern {
		if v {
			set.set(int32(i))
		}
	}
	k := x.newKiller(set)
	if !x.cheaper(k, y, y) {
		return nil, nil
	}
	var moves [][]cellMove
	if w.h != nil {
		return w.keep(set, nil), nil
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
	return w.keep(set, moves), nil
}

// same leaves in r the region of b in which candidates have y's verdict for sure:
// sensitive cells the same, and room only where it makes no difference.
func (w *worker) same(b box) {
	x, y := w.x, w.y
	r := w.region(b)
	if x.cost != nil {
		r.point()
		return
	}
	// Levels are the same for all values where they are constants, else for y alone.
	for p := range int32(x.s) {
		if !x.maybe(p, r.l[p], r.u[p]) {
			continue
		}
		if !x.sensitive(p, y[p]) {
			r.quiet(p)
			continue
		}
		if x.office.Below > 0 {
			a, e := x.office.span()
			r.least(p, a)
			r.most(p, e)
		}
		lev := &x.level[p]
		if lev.fix[0] < 0 || lev.fix[1] != 0 || lev.fix[2] != 0 {
			r.least(p, y[p])
			r.most(p, y[p])
		}
	}
	// Room: all of r if even then there is nothing better; else less.
	if w.h != nil {
		if found, gaveUp := w.h.ask(y, r.l, r.u, huntNodes); !found && !gaveUp {
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

// extend takes y into the hull.
func (w *worker) extend() {
	w.mu.Lock()
	for p, v := range w.y {
		w.search.hull[p].add(v)
	}
	w.mu.Unlock()
	w.version.Add(1)
	w.found.Add(1)
}

// enumerate counts the candidates of the region, all of which match.
func (w *worker) enumerate() error {
	c := w.copyOf(append(append(box(nil), w.r.l...), w.r.u...))
	defer func() { w.spare = append(w.spare, c) }()
	if !w.t.all(c) {
		return nil
	}
	var n int64
	for p := range w.hull {
		w.hull[p].Empty = true
	}
	if !w.visit(0, c, &n) {
		return errStopped
	}
	if n == 0 {
		return nil
	}
	w.mu.Lock()
	w.matched.Add(&w.matched, big.NewInt(n))
	for p, r := range w.hull {
		w.search.hull[p].add(r.Lo)
		w.search.hull[p].add(r.Hi)
	}
	w.mu.Unlock()
	w.found.Add(n)
	return nil
}

// visit counts the candidates of b into n and their hull into w.hull.
func (w *worker) visit(depth int, b box, n *int64) bool {
	l, u := b.ends()
	p := -1
	for i := range l {
		if l[i] < u[i] && (p < 0 || u[i]-l[i] < u[p]-l[p]) {
			p = i
		}
	}
	if p < 0 {
		if !w.x.holds(l) {
			return true
		}
		*n++
		for i, v := range l {
			w.hull[i].add(v)
		}
		if *n&1023 == 0 && w.ctx.Err() != nil {
			return false
		}
		return true
	}
	for depth >= len(w.scan) {
		w.scan = append(w.scan, w.x.newBox())
	}
	c := w.scan[depth]
	for v := l[p]; v <= u[p]; v++ {
		copy(c, b)
		c[p], c[w.x.s+p] = v, v
		if w.t.from(c, int32(p)) && !w.visit(depth+1, c, n) {
			return false
		}
	}
	return true
}

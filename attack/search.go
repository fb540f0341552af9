package attack

import (
	"context"
	"errors"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A search covers the candidates with boxes and decides each box. It takes a candidate y from a box and decides it by a
// refuting pattern from the pool or else by a search for a better pattern (counterSearch). The pattern that refutes y
// refutes a whole region around it; the rest of the box is split along the region's conditions.
//
// If candidates are counted, those that match are decided too. Otherwise only candidates outside the hull of the
// matches found matter, so y is taken from an end of a cell's range, outermost first.
type search struct {
	x        *setting
	opt      *Options
	counting bool
	ctx      context.Context
	start    time.Time

	mu   sync.Mutex
	wake sync.Cond
	open []box
	idle int
	all  int   // number of workers
	left []box // open boxes when the search was stopped
	err  error

	byPattern map[string]int
	entries   atomic.Pointer[[]*poolEntry]
	hull      []Range
	version   atomic.Int64 // incremented whenever hull changes
	stop      atomic.Bool
	tallies
}

// tallies count the work of a search.
type tallies struct {
	matched big.Int
	found   atomic.Int64
	solves  atomic.Int64
	pending atomic.Int64  // number of boxes
	decided atomic.Uint64 // see addDecided; holds the bits of a float64
}

func newSearch(ctx context.Context, x *setting, opt *Options, counting bool) *search {
	s := &search{x: x, opt: opt, counting: counting, ctx: ctx, byPattern: map[string]int{}, start: time.Now()}
	s.wake.L = &s.mu
	s.entries.Store(&[]*poolEntry{})
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

// run processes all boxes; if stopped, the remaining ones are in left.
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
	s.left, s.open = append(s.left, s.open...), nil // boxes offered after all workers had stopped
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
				Matches: s.found.Load(), Seconds: time.Since(s.start).Seconds()})
		}
	}
}

// volume returns the share of the root's volume in b.
func (s *search) volume(b box) float64 {
	l, u := b.ends()
	a, e := s.x.root.ends()
	v := 1.0
	for p := range l {
		v *= float64(u[p]-l[p]+1) / float64(e[p]-a[p]+1)
	}
	return v
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
		if w.refutedByPool(b) || w.refuteBox(b) {
			return nil
		}
		// y is a candidate of b, in hull mode one at an outermost end.
		p, v, outside := w.outermost(b)
		if !outside {
			return nil
		}
		c := b
		if p >= 0 {
			c = w.copyOf(b)
			c[p], c[x.s+int(p)] = v, v
			if !w.t.from(c, p) {
				w.free = append(w.free, c)
				if !w.cutOff(b, p, v) {
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
			w.free = append(w.free, c)
			if !w.cutOff(b, p, v) {
				return nil
			}
			continue
		case !found:
			w.halve(b)
			return nil
		}
		if p >= 0 {
			w.free = append(w.free, c)
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

// outermost returns the position and its end in b that lies farthest outside the hull of the matches; position −1 if
// any candidate will do. outside is false if b lies within the hull.
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
	farthest := int64(0)
	for i := range w.hull {
		if d := w.hull[i].Lo - l[i]; d > farthest {
			farthest, p, v = d, int32(i), l[i]
		}
		if d := u[i] - w.hull[i].Hi; d > farthest {
			farthest, p, v = d, int32(i), u[i]
		}
	}
	return p, v, farthest > 0
}

// cutOff removes the end v of position p from b; it returns false if nothing is left.
func (w *worker) cutOff(b box, p int32, v int64) bool {
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

// split queues the parts of b that violate a condition of the region. The part that violates the first condition is
// processed next: often that condition is a cell of S that must not be sensitive, and matching candidates have many
// sensitive cells.
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

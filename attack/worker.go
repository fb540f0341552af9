package attack

import (
	"errors"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
)

// A worker processes boxes.
type worker struct {
	*search
	t      *tightener
	f      *finder
	h      *counterSearch     // nil if relations are not a network
	q      *circulationOracle // nil if they are
	local  []box
	free   []box
	order  []int32
	cuts   [][]cut // by refuting pattern: cuts that limited it before
	may    bitset
	y      []int64
	r      region
	hull   []Range
	seen   int64
	scan   []box // buffer of the enumeration
	ticks  int
	boxes  int
	slacks []slack // buffer of enlarge
	memory solver.Memory
}

var errStopped = i18n.New("attack: stopped")

// addDecided adds the share of the root's volume that has been decided in a box of volume v; its open parts are w.local
// from index from on.
func (w *worker) addDecided(v float64, from int) {
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

func (s *search) newWorker() (*worker, error) {
	x := s.x
	w := &worker{search: s, t: newTightener(x), may: newBits(x.s), y: make([]int64, x.s), hull: make([]Range, x.s), seen: -1}
	w.f = &finder{tightener: w.t}
	w.h = newCounterSearch(x)
	w.r = region{x: x, l: make([]int64, x.s), u: make([]int64, x.s)}
	if w.h != nil {
		return w, nil
	}
	var err error
	w.q, err = newCirculationOracle(x, s.opt.LP)
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
			w.addDecided(v, at)
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
		w.free = append(w.free, b)
	}
}

// take returns the next box, nil at the end. Workers keep the boxes that they split off unless others are idle.
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
	if n := len(w.free); n > 0 {
		c := w.free[n-1]
		w.free = w.free[:n-1]
		copy(c, b)
		return c
	}
	return append(box(nil), b...)
}

package attack

import (
	"math/big"
)

// extend extends the hull to include y.
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
	defer func() { w.free = append(w.free, c) }()
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

// visit adds the number of candidates of b to n and extends w.hull by them.
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

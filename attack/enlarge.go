package attack

// A slack is capacity of a cell in a minimum cut that grows if a tighter condition is put on position p.
type slack struct {
	p      int32
	fall   bool  // capacity to fall, y_p − lb; otherwise to rise
	amount int64 // how much more of it y has than the corner, in units of 1/q
}

// enlarge finds conditions, satisfied by y, under which the pattern of k, which is protected for y, refutes a candidate
// of b. It starts from the corner of b in which every cell has the least slack. As long as a minimum cut leaves a
// sensitive cell unprotected there, it demands more slack of one of the cut's cells.
func (w *worker) enlarge(k *refutingPattern, b box) {
	x, h, r := w.x, w.h, w.region(b)
	y := w.y
	r.requireBetter(k)
	h.pose(y, r.u, r.l) // the least slack
	h.take(k.set)
	for j, i := range h.p {
		p := x.pos[i]
		if lev := &x.level[p]; lev.fix[0] < 0 || lev.fix[1] < 0 || lev.fix[2] < 0 {
			r.asks(p)
			w.corner(p)
		}
		for {
			short := w.lacks(j)
			if short == 0 {
				break
			}
			if !w.takeSlack(short) {
				// Rounding capacities to whole units has lost slack that y has.
				r.point()
				return
			}
		}
	}
	for p, i := range x.cells {
		p := int32(p)
		if !h.in[i] || !x.maybe(p, r.l[p], r.u[p]) || x.sensitive(p, y[p]) {
			continue
		}
		h.require(p, r.l[p], r.u[p])
		if w.lacks(len(h.p)-1) != 0 {
			r.notSensitive(p)
			w.corner(p)
		}
		n := len(h.p) - 1
		h.p, h.spl, h.lpl, h.upl = h.p[:n], h.spl[:n], h.lpl[:n], h.upl[:n]
	}
}

// corner sets the capacities of position p in the search to those in the corner of the region.
func (w *worker) corner(p int32) {
	w.h.setCell(w.x.cells[p], w.r.u[p], w.r.l[p], w.x.lb[p], w.x.ub[p])
}

// lacks returns by how much the sensitive cell j of the search misses its levels with K, in units of 1/q, and stores in
// w.slacks the slacks that would help.
func (w *worker) lacks(j int) int64 {
	h := w.h
	i, spl, lpl, upl := h.p[j], h.spl[j], h.lpl[j], h.upl[j]
	w.slacks = w.slacks[:0]
	up, cut := h.flow(i, true, max(upl, spl))
	if up < max(upl, spl) {
		w.slacksOverCut(i, true, cut)
	}
	if up < upl {
		return upl - up
	}
	at := len(w.slacks)
	down, cut := h.flow(i, false, max(lpl, min(max(spl, lpl, upl), spl-up)))
	switch {
	case down < lpl:
		w.slacks = w.slacks[:0]
		w.slacksOverCut(i, false, cut)
		return lpl - down
	case up+down >= spl:
		w.slacks = w.slacks[:at]
		return 0
	}
	w.slacksOverCut(i, false, cut)
	return spl - up - down
}

// slacksOverCut adds the slacks of the cells that limit the flow just found for cell i.
func (w *worker) slacksOverCut(i int32, rise, cut bool) {
	h := w.h
	if !cut {
		w.addSlack(i, !rise)
		return
	}
	for _, v := range h.queue {
		for _, e := range h.edges[v] {
			if h.mark[h.to[e]] != h.stamp && h.k[e>>1] != i {
				w.addSlack(h.k[e>>1], e&1 != 0)
			}
		}
	}
}

// addSlack adds cell i to the slacks if y has more capacity there than the corner.
func (w *worker) addSlack(i int32, fall bool) {
	x, p := w.x, w.x.pos[i]
	if p < 0 {
		return
	}
	var more int64
	switch {
	case fall && x.lb[p] > -maxWord:
		more = min(w.y[p]-x.lb[p], x.reach) - min(w.r.l[p]-x.lb[p], x.reach)
	case !fall && x.ub[p] < maxWord:
		more = min(x.ub[p]-w.y[p], x.reach) - min(x.ub[p]-w.r.u[p], x.reach)
	}
	if more > 0 {
		w.slacks = append(w.slacks, slack{p, fall, more * x.q})
	}
}

// takeSlack demands more slack of one cell, at most short; it returns false if none has any.
func (w *worker) takeSlack(short int64) bool {
	if len(w.slacks) == 0 {
		return false
	}
	best := w.slacks[0]
	for _, o := range w.slacks[1:] {
		if min(o.amount, short) > min(best.amount, short) || min(o.amount, short) == min(best.amount, short) && o.amount > best.amount {
			best = o
		}
	}
	d := (min(best.amount, short) + w.x.q - 1) / w.x.q
	if best.fall {
		w.r.least(best.p, w.r.l[best.p]+d)
	} else {
		w.r.most(best.p, w.r.u[best.p]-d)
	}
	w.corner(best.p)
	return true
}

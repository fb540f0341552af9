package attack

// A room is a cell whose capacity keeps flow back: more of it is to be had by
// demanding more of position p.
type room struct {
	p    int32
	fall bool  // capacity to fall, y_p − lb; else to rise
	more int64 // what y has beyond the corner, in units of 1/q
}

// grow finds conditions, met by y, under which the pattern of k, which is protected
// for y, refutes a candidate of b. It starts from the corner of b in which every
// cell has the least room, and as long as a minimum cut leaves a sensitive cell
// unprotected there demands more of one of the cut's cells.
func (w *worker) grow(k *killer, b box) *region {
	x, h, r := w.x, w.h, w.region(b)
	y := w.y
	r.settle(k)
	h.pose(y, r.u, r.l) // the least room
	h.take(k.set)
	for j, i := range h.p {
		p := x.pos[i]
		if lev := &x.level[p]; lev.fix[0] < 0 || lev.fix[1] < 0 || lev.fix[2] < 0 {
			r.least(p, y[p])
			r.most(p, y[p])
			w.corner(p)
		}
		for {
			short := w.short(j)
			if short == 0 {
				break
			}
			if !w.demand(short) {
				// Rounding of capacities to whole units hides what y has.
				r.point()
				return r
			}
		}
	}
	for p, i := range x.cells {
		p := int32(p)
		if !h.in[i] || !x.maybe(p, r.l[p], r.u[p]) || x.sensitive(p, y[p]) {
			continue
		}
		h.require(p, r.l[p], r.u[p])
		if w.short(len(h.p)-1) != 0 {
			r.quiet(p)
			w.corner(p)
		}
		n := len(h.p) - 1
		h.p, h.spl, h.lpl, h.upl = h.p[:n], h.spl[:n], h.lpl[:n], h.upl[:n]
	}
	return r
}

// corner gives the hunt the room of position p in the corner of the region.
func (w *worker) corner(p int32) {
	w.h.setCell(w.x.cells[p], w.r.u[p], w.r.l[p], w.x.lb[p], w.x.ub[p])
}

// short returns how much the sensitive cell j of the hunt lacks with K, in units of
// 1/q, and leaves in w.rooms whose room would help.
func (w *worker) short(j int) int64 {
	h := w.h
	i, spl, lpl, upl := h.p[j], h.spl[j], h.lpl[j], h.upl[j]
	w.rooms = w.rooms[:0]
	up, cut := h.flow(i, true, max(upl, spl))
	if up < max(upl, spl) {
		w.gather(i, true, cut)
	}
	if up < upl {
		return upl - up
	}
	at := len(w.rooms)
	down, cut := h.flow(i, false, max(lpl, min(max(spl, lpl, upl), spl-up)))
	switch {
	case down < lpl:
		w.rooms = w.rooms[:0]
		w.gather(i, false, cut)
		return lpl - down
	case up+down >= spl:
		w.rooms = w.rooms[:at]
		return 0
	}
	w.gather(i, false, cut)
	return spl - up - down
}

// gather adds the cells that hold back the flow just found for cell i.
func (w *worker) gather(i int32, rise, cut bool) {
	h := w.h
	if !cut {
		w.offer(i, !rise)
		return
	}
	for _, v := range h.queue {
		for _, e := range h.edges[v] {
			if h.mark[h.to[e]] != h.stamp && h.k[e>>1] != i {
				w.offer(h.k[e>>1], e&1 != 0)
			}
		}
	}
}

// offer adds cell i to the rooms if y has more than the corner.
func (w *worker) offer(i int32, fall bool) {
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
		w.rooms = append(w.rooms, room{p, fall, more * x.q})
	}
}

// demand asks for more room of one cell, at most what is short; false if none has any.
func (w *worker) demand(short int64) bool {
	if len(w.rooms) == 0 {
		return false
	}
	best := w.rooms[0]
	for _, o := range w.rooms[1:] {
		if min(o.more, short) > min(best.more, short) || min(o.more, short) == min(best.more, short) && o.more > best.more {
			best = o
		}
	}
	d := (min(best.more, short) + w.x.q - 1) / w.x.q
	if best.fall {
		w.r.least(best.p, w.r.l[best.p]+d)
	} else {
		w.r.most(best.p, w.r.u[best.p]-d)
	}
	w.corner(best.p)
	return true
}

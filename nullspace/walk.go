package nullspace

import (
	"context"

	ints "github.com/hitoku/hitoku/internal/exact/num"
)

// A walker visits the points of one plan in lexicographic order of t and keeps their cells in y, which other walkers
// share. Between points it allocates nothing unless a level needs linear programs.
type walker struct {
	*plan
	y    []int64
	t    []int64
	hi   []int64
	at   int // the level whose variable moved last; −1 before the first point
	prog *program

	// pin fixes t_0 … t_len(pin)−1; if part, the next variable stays in [from, to].
	pin      []int64
	part     bool
	from, to int64

	ctx   context.Context
	work  int // number of ranges computed
	ended bool
}

func (p *plan) walker(ctx context.Context, y []int64) *walker {
	d := len(p.levels)
	return &walker{plan: p, y: y, t: make([]int64, d), hi: make([]int64, d), at: -1, ctx: ctx}
}

// reset puts the walker before its first point.
func (w *walker) reset() {
	for i, c := range w.cells {
		w.y[c] = w.start[i]
	}
	w.at = -1
}

func (w *walker) add(j int, by int64) {
	for _, m := range w.levels[j].step {
		w.y[m.cell] += m.by * by
	}
}

// next moves to the next point; it returns false if there is none, or if the context is done.
func (w *walker) next() bool {
	if d := len(w.levels) - 1; w.at == d && w.t[d] < w.hi[d] {
		w.t[d]++
		for _, m := range w.levels[d].step {
			w.y[m.cell] += m.by
		}
		return true
	}
	return w.nextLine()
}

// nextLine moves to the first point with other values of t_0 … t_d−2.
func (w *walker) nextLine() bool {
	last := len(w.levels) - 1
	j := w.at
	if j == last { // leave the line
		w.add(j, -w.t[j])
		j--
	} else if j < 0 {
		if !w.enter(0) {
			return false
		}
		if j = 0; last == 0 {
			w.at = 0
			return true
		}
		// the loop below starts from level 0
		if w.descend(&j) {
			return true
		}
	}
	for j >= 0 {
		if w.t[j] == w.hi[j] {
			w.add(j, -w.t[j])
			j--
			continue
		}
		w.t[j]++
		w.add(j, 1)
		if w.descend(&j) {
			return true
		}
		if w.ended {
			return false
		}
	}
	w.at = -1
	return false
}

// descend enters the levels below j down to the last one; it returns false if some range was empty, and j is then the
// level above that one.
func (w *walker) descend(j *int) bool {
	for *j < len(w.levels)-1 {
		if !w.enter(*j + 1) {
			return false
		}
		*j++
	}
	w.at = *j
	return true
}

// enter sets t_j to the low end of its range, given t_0 … t_j−1.
func (w *walker) enter(j int) bool {
	if w.work++; w.work&1023 == 0 && w.ctx.Err() != nil {
		w.ended = true
	}
	if w.ended {
		return false
	}
	lo, hi := w.bounds(j)
	if lo > hi {
		return false
	}
	w.t[j], w.hi[j] = lo, hi
	if lo != 0 {
		w.add(j, lo)
	}
	return true
}

// bounds returns the range of t_j given t_0 … t_j−1: never too narrow, exact over the reals if no inequality was left
// out, and exact for the last level.
func (w *walker) bounds(j int) (lo, hi int64) {
	l := &w.levels[j]
	lo, hi = 0, l.T
	if j < len(w.pin) {
		lo, hi = w.pin[j], w.pin[j]
	} else if w.part && j == len(w.pin) {
		lo, hi = w.from, w.to
	}
	t, c := w.t[:j], l.c
	for _, s := range l.r {
		row := c[:j+1]
		c = c[j+1:]
		for k, x := range t {
			s -= row[k] * x
		}
		switch by := row[j]; {
		case by == 1:
			hi = min(hi, s)
		case by == -1:
			lo = max(lo, -s)
		case by > 0:
			hi = min(hi, ints.FloorDiv(s, by))
		default:
			lo = max(lo, -ints.FloorDiv(s, -by))
		}
		if lo > hi {
			return lo, hi
		}
	}
	for k := range l.wall {
		q := &l.wall[k]
		s := q.at - w.y[q.cell]
		switch {
		case q.high == (q.by > 0):
			if q.by == 1 {
				hi = min(hi, s)
			} else if q.by == -1 {
				hi = min(hi, -s)
			} else {
				hi = min(hi, ints.FloorDiv(s, q.by))
			}
		case q.by == 1:
			lo = max(lo, s)
		case q.by == -1:
			lo = max(lo, -s)
		default:
			lo = max(lo, -ints.FloorDiv(-s, q.by))
		}
	}
	if l.lp && lo <= hi {
		lo, hi = w.exact(j, lo, hi)
	}
	return lo, hi
}

// exact narrows [lo, hi] by two linear programs with t_0 … t_j−1 fixed.
func (w *walker) exact(j int, lo, hi int64) (int64, int64) {
	if w.prog == nil {
		w.prog = w.plan.prog.clone()
	}
	p := w.prog
	for k := range w.levels {
		switch {
		case k < j:
			p.setBounds(k, bound{num: small(w.t[k])}, bound{num: small(w.t[k])})
		case k == j:
			p.setBounds(k, bound{num: small(lo)}, bound{num: small(hi)})
		default:
			p.setBounds(k, bound{}, bound{num: small(w.levels[k].T)})
		}
	}
	if !p.feasible() {
		return 0, -1
	}
	a, D, _ := p.extreme(j, -1)
	lo = a.divUp(D).s
	a, D, _ = p.extreme(j, 1)
	return lo, a.div(D).s
}

package nullspace

import "context"

// A bound is a number, or absent.
type bound struct {
	num
	inf bool
}

// A program answers exact questions about t ∈ Rᵈ subject to bounds on t and on n linear forms of t,
//
//	lo_k ≤ t_k ≤ hi_k (k < d),    lo_d+i ≤ Σ_k N_ik t_k ≤ hi_d+i (i < n),
//
// It is the simplex method with bounds on all variables in dictionary form, with one integer row for each basic
// variable: D·x_B = Σ_j C_j x_j over the d nonbasic variables, which always have integer values, so x_B is a fraction
// over D. Entering and leaving variables are those of smallest index (Bland), so it terminates. feasible repairs
// violated bounds as in Dutertre and de Moura, A Fast Linear-Arithmetic Solver for DPLL(T), 2006. The dictionary is
// kept between calls.
type program struct {
	d      int
	lo, hi []bound
	rows   []row // D, C_0 … C_d−1
	basic  []int // the variable of each row
	free   []int // the variable of each column
	at     []int // by variable: its row, or −1−column
	x      []num // by column: its value
	beta   []num // by row: D·x_B
	steps  int   // pivots so far

	ctx context.Context // may end a run early, making its result meaningless; nil: never
}

// stopped checks the context from time to time.
func (p *program) stopped() bool { return p.ctx != nil && p.steps&63 == 63 && p.ctx.Err() != nil }

// newProgram poses the given forms, rows of length d; bounds are infinite until set.
func newProgram(d int, forms []row) *program {
	n := len(forms)
	p := &program{
		d: d, lo: make([]bound, d+n), hi: make([]bound, d+n),
		rows: make([]row, n), basic: make([]int, n), free: make([]int, d),
		at: make([]int, d+n), x: make([]num, d), beta: make([]num, n),
	}
	for k := range d + n {
		p.lo[k].inf, p.hi[k].inf = true, true
	}
	for j := range d {
		p.free[j], p.at[j] = j, -1-j
	}
	for i := range forms {
		p.basic[i], p.at[d+i] = d+i, i
		p.rows[i] = newRow(d + 1)
		p.rows[i].set(0, small(1))
		for j := range d {
			p.rows[i].set(j+1, forms[i].at(j))
		}
	}
	return p
}

func (p *program) clone() *program {
	q := *p
	q.lo, q.hi = append([]bound(nil), p.lo...), append([]bound(nil), p.hi...)
	q.basic, q.free = append([]int(nil), p.basic...), append([]int(nil), p.free...)
	q.at, q.x, q.beta = append([]int(nil), p.at...), append([]num(nil), p.x...), append([]num(nil), p.beta...)
	q.rows = make([]row, len(p.rows))
	for i := range p.rows {
		q.rows[i] = p.rows[i].clone()
	}
	return &q
}

// setBounds replaces the bounds of variable k. If it is nonbasic, its value moves within them.
func (p *program) setBounds(k int, lo, hi bound) {
	p.lo[k], p.hi[k] = lo, hi
	if j := -1 - p.at[k]; j >= 0 {
		if !lo.inf && p.x[j].cmp(lo.num) < 0 {
			p.x[j] = lo.num
		}
		if !hi.inf && p.x[j].cmp(hi.num) > 0 {
			p.x[j] = hi.num
		}
	}
}

// evaluate computes the values of basic variables from those of nonbasic ones.
func (p *program) evaluate() {
	for i := range p.rows {
		s := num{}
		for j := range p.d {
			if x := p.x[j]; x.sign() != 0 && !p.rows[i].zero(j+1) {
				s = s.add(p.rows[i].at(j + 1).mul(x))
			}
		}
		p.beta[i] = s
	}
}

// pivot exchanges the variable of row r, which becomes nonbasic with value v, with that of column j.
func (p *program) pivot(r, j int, v num) {
	p.steps++
	w := &p.rows[r]
	// C_j x_j = D x_B − Σ_{k≠j} C_k x_k
	D, c := w.at(0), w.at(j+1)
	w.set(0, small(0))
	w.set(j+1, D.neg())
	if c.sign() > 0 {
		w.negate()
	}
	w.demote()
	// w/|c| are now the coefficients of x_j; its entry 0 is set last.
	c = c.abs()
	for i := range p.rows {
		if i == r || p.rows[i].zero(j+1) {
			continue
		}
		q := p.rows[i].at(j + 1)
		p.rows[i].set(j+1, small(0))
		p.rows[i].combine(c, q.neg(), w)
		p.rows[i].primitive()
	}
	w.set(0, c)
	w.demote()
	w.primitive()
	k, b := p.free[j], p.basic[r]
	p.free[j], p.basic[r] = b, k
	p.at[b], p.at[k] = -1-j, r
	p.x[j] = v
	p.evaluate()
}

// feasible looks for a point within all bounds.
func (p *program) feasible() bool {
	for k := range p.lo {
		if !p.lo[k].inf && !p.hi[k].inf && p.lo[k].cmp(p.hi[k].num) > 0 {
			return false
		}
	}
	p.evaluate()
	for {
		if p.stopped() {
			return false
		}
		r, below := -1, false
		for i, k := range p.basic {
			if r >= 0 && k > p.basic[r] {
				continue
			}
			D := p.rows[i].at(0)
			if !p.lo[k].inf && p.beta[i].cmp(D.mul(p.lo[k].num)) < 0 {
				r, below = i, true
			} else if !p.hi[k].inf && p.beta[i].cmp(D.mul(p.hi[k].num)) > 0 {
				r, below = i, false
			}
		}
		if r < 0 {
			return true
		}
		enter := -1
		for j, k := range p.free {
			s := p.rows[r].at(j + 1).sign()
			if !below {
				s = -s
			}
			if s > 0 && p.canRise(j) || s < 0 && p.canFall(j) {
				if enter < 0 || k < p.free[enter] {
					enter = j
				}
			}
		}
		if enter < 0 {
			return false
		}
		v := p.hi[p.basic[r]]
		if below {
			v = p.lo[p.basic[r]]
		}
		p.pivot(r, enter, v.num)
	}
}

func (p *program) canRise(j int) bool {
	h := p.hi[p.free[j]]
	return h.inf || p.x[j].cmp(h.num) < 0
}

func (p *program) canFall(j int) bool {
	l := p.lo[p.free[j]]
	return l.inf || p.x[j].cmp(l.num) > 0
}

// extreme returns the maximum (sign 1) or minimum (sign −1) of variable k as the fraction a/D, D > 0; finite is false
// if it is infinite. The bounds must be feasible, and feasible must have been called since they last changed.
func (p *program) extreme(k, sign int) (a, D num, finite bool) {
	for {
		if p.stopped() {
			return num{}, small(1), false
		}
		enter, dir := -1, 0
		if i := p.at[k]; i >= 0 {
			for j, f := range p.free {
				s := sign * p.rows[i].at(j+1).sign()
				if (s > 0 && p.canRise(j) || s < 0 && p.canFall(j)) && (enter < 0 || f < p.free[enter]) {
					enter, dir = j, s
				}
			}
			if enter < 0 {
				return p.beta[i], p.rows[i].at(0), true
			}
		} else {
			j := -1 - i
			if sign > 0 && !p.canRise(j) || sign < 0 && !p.canFall(j) {
				return p.x[j], small(1), true
			}
			enter, dir = j, sign
		}
		// x_enter can go as far as θ = room/|C| of the row that stops it first.
		stop, atHigh := -1, false
		var room, by num
		if own := p.free[enter]; dir > 0 && !p.hi[own].inf {
			room, by, stop = p.hi[own].sub(p.x[enter]), small(1), len(p.rows)
		} else if dir < 0 && !p.lo[own].inf {
			room, by, stop = p.x[enter].sub(p.lo[own].num), small(1), len(p.rows)
		}
		for i, b := range p.basic {
			c := p.rows[i].at(enter + 1)
			if c.sign() == 0 {
				continue
			}
			D := p.rows[i].at(0)
			up := c.sign()*dir > 0
			var rest num
			switch {
			case up && !p.hi[b].inf:
				rest = p.hi[b].mul(D).sub(p.beta[i])
			case !up && !p.lo[b].inf:
				rest = p.beta[i].sub(p.lo[b].mul(D))
			default:
				continue
			}
			c = c.abs()
			cmp := -1
			if stop >= 0 {
				cmp = rest.mul(by).cmp(room.mul(c))
			}
			if cmp < 0 || cmp == 0 && stop < len(p.rows) && b < p.basic[stop] {
				stop, atHigh, room, by = i, up, rest, c
			}
		}
		switch {
		case stop < 0:
			return num{}, small(1), false
		case stop == len(p.rows):
			if dir > 0 {
				p.x[enter] = p.hi[p.free[enter]].num
			} else {
				p.x[enter] = p.lo[p.free[enter]].num
			}
			p.evaluate()
		case atHigh:
			p.pivot(stop, enter, p.hi[p.basic[stop]].num)
		default:
			p.pivot(stop, enter, p.lo[p.basic[stop]].num)
		}
	}
}

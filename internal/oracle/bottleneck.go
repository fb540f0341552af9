package oracle

import (
	"slices"
)

// A Bottlenecker is an Intruder that can use bottleneck bounds. If cell h moves, the other cells of each of its
// relations j compensate: ±z_h = Σ_{i∈j∖h} ∓(M_ji/M_jh) z_i for z in the kernel of M. With cap the capacities up or dn,
// depending on signs, and for weights x of 0 and 1, this gives
//
//	±z_h ≤ min( cap_h x_h,  min over j∋h of Σ_{i∈j∖h} min(|M_ji/M_jh|·cap_i, cap_h)·x_i ) ,
//
// as min(sum, cap_h) is at most the sum of the terms' minima with cap_h. For fractional x the right-hand side is often
// far below cap_h x_h; a linear program cannot express the minimum within a sum by itself.
type Bottlenecker interface {
	// Bottleneck requests bottleneck bounds of all cells except the fixed ones; nil switches them off. They take effect
	// at the next SetCapacities or Truncate, and only if capacities are truncated. Duals then name the relations that
	// they use in Line.
	Bottleneck(fixed []bool)
}

// A bottleneck holds the relations that bound the cells.
type bottleneck struct {
	fixed   []bool // nil: no bottleneck bounds are asked for
	inForce bool
	line    [2][]int32 // by cell, upwards and downwards; −1: none
	at      []int32    // indices of the cells of a relation with positive weight
}

// Bottleneck implements Bottlenecker.
func (e *simplexEngine) Bottleneck(fixed []bool) { e.neck.fixed = fixed }

// setNarrowed updates the bounds of all cells with bottleneck bounds. Cost: at most the sum of squares of the numbers
// of cells with a weight in a relation.
func (e *simplexEngine) setNarrowed() {
	for i := range e.up {
		up, dn := e.capacity(i)
		e.up[i], e.dn[i] = up*e.unit, dn*e.unit
	}
	e.narrowDown()
	for i := range e.up {
		e.send(i, e.up[i]/e.unit, e.dn[i]/e.unit)
	}
}

// narrowDown lowers bounds to what relations allow and records the relations.
func (e *simplexEngine) narrowDown() {
	n := &e.neck
	for side := range n.line {
		if n.line[side] == nil {
			n.line[side] = make([]int32, len(e.up))
		}
		for i := range n.line[side] {
			n.line[side][i] = -1
		}
	}
	rel := e.s.Rel
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		n.at = n.at[:0]
		for t, i := range cell {
			if e.in[2][i] > 0 {
				n.at = append(n.at, int32(t))
			}
		}
		for _, t := range n.at {
			h := cell[t]
			if n.fixed[h] {
				continue
			}
			for side, bound := range [2]*float64{&e.up[h], &e.dn[h]} {
				if v := e.along(cell, coef, t, side, *bound); v < *bound*(1-leastGain) {
					*bound, n.line[side][h] = v, int32(j)
				}
			}
		}
	}
}

// along returns how far the other cells of a relation allow cell[t] to move upwards (side 0) or downwards; it may stop
// at any value of at least enough.
func (e *simplexEngine) along(cell, coef []int32, t int32, side int, enough float64) float64 {
	h, m := cell[t], float64(coef[t])
	most := min(e.in[side][h], e.trunc)
	sum := 0.0
	for _, s := range e.neck.at {
		if s == t {
			continue
		}
		i, r, other := cell[s], -float64(coef[s])/m, side
		if r < 0 {
			r, other = -r, 1-side
		}
		if sum += float64(min(r*e.in[other][i], most) * e.in[2][i]); sum >= enough {
			break
		}
	}
	return sum
}

// lean stores in d the relations that bound its cells.
func (e *simplexEngine) lean(d *Dual) *Dual {
	if !e.neck.inForce {
		return d
	}
	for side, line := range e.neck.line {
		for t, i := range d.Idx {
			if line[i] < 0 {
				continue
			}
			if d.Line[side] == nil {
				d.Line[side] = slices.Repeat([]int32{-1}, len(d.Idx))
			}
			d.Line[side][t] = line[i]
		}
	}
	return d
}

// Along returns the relation that bounds the cell Idx[t] in d upwards (side 0) or downwards; −1 if there is none.
func (d *Dual) Along(side, t int) int32 {
	if d.Line[side] == nil {
		return -1
	}
	return d.Line[side][t]
}

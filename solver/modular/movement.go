package modular

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
)

// A movement is a z with M z = 0 over the cells of the table: a point, of which every multiple is a movement too, or,
// if its fractions are not simple, a single end computed exactly.
type movement struct {
	cells []int32
	q     *oracle.Point
	end   *certificate.Witness
}

// distance returns how far the movement takes cell k in direction sign; nil if it is not known exactly.
func (v *movement) distance(k int32, sign int, clamp int64) *big.Rat {
	w, _ := v.witness(k, sign, clamp)
	if w == nil {
		return nil
	}
	at, _ := slices.BinarySearch(v.cells, k)
	var d *big.Rat
	if w.Long != nil {
		d = new(big.Rat).SetFrac(w.Long.Num[at], w.Long.Den)
	} else {
		d = big.NewRat(w.Num[at], w.Den)
	}
	if sign < 0 {
		d.Neg(d)
	}
	return d
}

// witness returns the multiple that takes k farthest in direction sign, nil if there is none. side
// distinguishes it from the multiple in the other direction.
func (v *movement) witness(k int32, sign int, clamp int64) (w *certificate.Witness, side int) {
	if v.end != nil {
		at, ok := slices.BinarySearch(v.cells, k)
		if !ok || v.end.Long == nil && v.end.Num[at] > 0 != (sign > 0) || v.end.Long != nil && v.end.Long.Num[at].Sign() != sign {
			return nil, 0
		}
		return v.end, 0
	}
	num, den := v.q.Farthest(k, sign, clamp)
	if num == nil || num[0] == 0 { // the multiple 0 moves nothing
		return nil, 0
	}
	if num[0] < 0 {
		side = 1
	}
	return &certificate.Witness{Den: den, Cells: v.cells, Num: num}, side
}

// exactly looks in exact arithmetic for a witness of level l that moves only the withheld cells and those of points, in
// region r (nil: all cells).
func (m *run) exactly(ctx context.Context, r *region, l protection.Level, points []*movement) ([]*movement, error) {
	if r.exact == nil {
		var err error
		if r.exact, err = r.sys.NewExact("", m.lp); err != nil {
			return nil, err
		}
	}
	up, dn := make([]int64, len(r.cells)), make([]int64, len(r.cells))
	for s, i := range r.cells {
		open := m.x[i] || points == nil
		for _, v := range points {
			_, in := slices.BinarySearch(v.cells, i)
			open = open || in
		}
		if open {
			up[s], dn[s] = r.iup[s], r.idn[s]
		}
	}
	k, ok := slices.BinarySearch(r.cells, l.K)
	if !ok {
		return nil, nil
	}
	r.exact.SetCapacities(up, dn, m.clamp)
	var out []*movement
	for _, sign := range [2]int{1, -1} {
		if sign*int(l.Side) < 0 {
			continue
		}
		limit := l.RHS
		if l.Strict {
			limit++
		}
		e, err := r.exact.Max(ctx, k, sign, limit, false)
		if errors.Is(err, oracle.ErrInexact) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if len(e.Idx) == 0 {
			continue
		}
		order := make([]int, len(e.Idx)) // the cell asked about comes last
		for t := range order {
			order[t] = t
		}
		slices.SortFunc(order, func(a, b int) int { return int(e.Idx[a] - e.Idx[b]) })
		v := &movement{cells: make([]int32, len(order)), end: &certificate.Witness{Den: e.Den}}
		if e.Wide != nil {
			v.end.Long = &certificate.Long{Den: e.Wide.Den}
		}
		for t, o := range order {
			if v.cells[t] = r.cells[e.Idx[o]]; e.Wide != nil {
				v.end.Long.Num = append(v.end.Long.Num, e.Wide.Num[o])
			} else {
				v.end.Num = append(v.end.Num, e.Num[o])
			}
		}
		v.end.Cells = v.cells
		out = append(out, v)
	}
	if len(out) == 0 || !m.shows(out, l) {
		return nil, nil
	}
	return out, nil
}

// A sum adds up small movements, products or walks.
type sum struct {
	z     []int64 // per cell
	moved []int32
}

// add moves cells by push, each with its sign.
func (s *sum) add(cells []int32, sign []int64, push int64) {
	for t, i := range cells {
		if s.z[i] == 0 {
			s.moved = append(s.moved, i)
		}
		s.z[i] += push * sign[t]
	}
}

// load sets the sum to v; ok is false if v has fractions or numbers too large for a sum.
func (s *sum) load(v *movement) (ok bool) {
	if v.q == nil {
		return false
	}
	for t, i := range v.q.Cells {
		r := math.Round(v.q.Z[t])
		if math.Abs(v.q.Z[t]-r) > 1e-6 || math.Abs(r) > 1<<50 {
			return false
		}
		if r != 0 {
			s.moved, s.z[i] = append(s.moved, i), int64(r)
		}
	}
	return true
}

func direction(v int64) int64 {
	if v < 0 {
		return -1
	}
	return 1
}

// movement converts s to a movement.
func (s *sum) movement(m *run) *movement {
	slices.Sort(s.moved)
	var cells []int32
	var z []float64
	for t, i := range s.moved {
		if s.z[i] != 0 && (t == 0 || i != s.moved[t-1]) {
			cells, z = append(cells, i), append(z, float64(s.z[i]))
		}
	}
	return &movement{cells: cells, q: m.sys.NewPoint(cells, z, m.up, m.dn)}
}

func (s *sum) clear() {
	for _, i := range s.moved {
		s.z[i] = 0
	}
	s.moved = s.moved[:0]
}

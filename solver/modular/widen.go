package modular

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A Pair is a cell K whose levels are to be shown by movements that leave the cells Known alone.
type Pair struct {
	K     int
	Known []int
}

// Widen adds cheap cells to the pattern of s, which protects t, so that whoever knows the cells of a pair beside what is published
// does not compute its K more closely than the levels allow. Each is served by itself, by a product or a program around the cell;
// one for which there is none is left as it was, and counted in left, as are those that ctx or opt.TimeLimit ends before. What s shows stays shown, as
// more is withheld, and the witnesses of the result show the pairs, too. Of opt it heeds LP and TimeLimit. Cost: a search of a movement for every pair.
func Widen(ctx context.Context, t *table.Table, s *solver.Solution, pairs []Pair, opt *solver.Options) (wide *solver.Solution, left int, err error) {
	m := newRun(t, newClasses(t.Rel), opt)
	defer m.close()
	if opt.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, m.start.Add(opt.TimeLimit))
		defer cancel()
	}
	copy(m.x, s.Pattern)
	var shown []*certificate.Witness
	for _, p := range pairs {
		ok := false
		if ctx.Err() == nil {
			if ok, shown, err = m.widen(ctx, p, shown); err != nil && ctx.Err() == nil {
				return nil, 0, err
			}
		}
		if !ok {
			left++
		}
	}
	out := *s
	out.Witnesses = append(slices.Clone(s.Witnesses), shown...)
	out.Pattern, out.Cost, out.Status, out.Certificate = m.x, m.cost(), solver.Feasible, nil
	return &out, left, nil
}

// widen withholds what shows the levels of p, reports whether all are, and adds the witnesses to shown.
func (m *run) widen(ctx context.Context, p Pair, shown []*certificate.Witness) (bool, []*certificate.Witness, error) {
	up, dn := make([]int64, len(p.Known)), make([]int64, len(p.Known))
	for n, i := range p.Known {
		up[n], dn[n] = m.up[i], m.dn[i]
		m.up[i], m.dn[i] = 0, 0
	}
	defer func() {
		for n, i := range p.Known {
			m.up[i], m.dn[i] = up[n], dn[n]
		}
	}()
	var near *region
	defer func() {
		if near != nil {
			near.close()
		}
	}()
	was, before := slices.Clone(m.x), shown
	for _, li := range m.asks[p.K] {
		l := m.levels[li]
		points := m.product(l)
		if points == nil {
			var err error
			if near == nil {
				if near, err = m.region(m.around(l.K)); err != nil {
					return false, before, err
				}
			}
			points, err = m.find(ctx, l, near, false)
			if err != nil && !errors.Is(err, intruder.ErrRoute) && !errors.Is(err, intruder.ErrInexact) {
				m.x = was
				return false, before, err
			}
		}
		if points == nil {
			m.x = was
			return false, before, nil
		}
		for _, q := range points {
			for _, sign := range [2]int{1, -1} {
				if w, _ := q.witness(l.K, sign, m.clamp); w != nil && sign*int(l.Side) >= 0 {
					shown = append(shown, w)
				}
			}
			for _, i := range q.cells {
				m.x[i] = true
			}
		}
	}
	return true, shown, nil
}

package modular

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A Pair is a cell K whose levels are to be shown by movements that do not move the cells Known.
type Pair struct {
	K     int
	Known []int
}

// Widen adds cheap cells to the pattern of s, which protects t, so that an intruder who also knows the cells Known of a
// pair cannot compute its K more closely than the levels allow. Each pair is served separately, by a product or a
// program around the cell. left counts the pairs that are not served: those without a movement, and those not reached
// when ctx or opt.TimeLimit ends. The witnesses of s remain valid, as more is withheld, and those of the result include
// the pairs. Of opt it uses LP and TimeLimit. Cost: a search for a movement for every pair.
func Widen(ctx context.Context, t *table.Table, s *solver.Solution, pairs []Pair, opt *solver.Options) (wide *solver.Solution, left int, err error) {
	ctx = work.Metered(ctx)
	m := newRun(ctx, t, newClasses(t.Rel), opt)
	defer m.close()
	ctx, stop := work.Limited(ctx, m.began, opt.TimeLimit)
	defer stop()
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

// widen withholds cells so that the levels of p are met, reports whether all are, and adds their witnesses to
// shown.
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
			if err != nil && !errors.Is(err, oracle.ErrRoute) && !errors.Is(err, oracle.ErrInexact) {
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

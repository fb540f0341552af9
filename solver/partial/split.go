package partial

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/intruder"
)

const (
	// firstLook is after how many iterations a splitting is looked at first, then after twice as many each time, and after every tenth of a time limit; lastLook when last.
	firstLook = 200
	lastLook  = 25600
	// settled is where a splitting has come to its end: |w − x| as a share of levels.
	settled = 1e-10
	// exactly is how exact projections are of which intervals are made, as a share of levels; so many steps they have at most.
	exactly      = 1e-12
	exactlySteps = 1000
	// dualBits is how finely duals are held, dualTol the least slope of a level that has one.
	dualBits = 30
	dualTol  = 1e-6
	// largestSplit is how many numbers a splitting may keep.
	largestSplit = 1 << 26
)

// split solves the linear program in its full form and leaves cuts of its duals in the master and intervals of its movements.
// done says that the gap is closed.
func (s *search) split(ctx context.Context) (done bool, err error) {
	sp := newSplitting(s.p, s.opt.Workers)
	if len(sp.moves) == 0 || sp.size() > largestSplit {
		return false, nil
	}
	next, last := firstLook, time.Now()
	for it := 1; it <= lastLook; it++ {
		if err := sp.iterate(ctx); err != nil {
			return false, err
		}
		if it < next && sp.amiss > settled && (s.opt.TimeLimit <= 0 || time.Since(last) < s.tenth(0)) {
			continue
		}
		if it >= next {
			next = 2 * it
		}
		done, err := s.look(ctx, sp)
		if done || err != nil {
			return done, err
		}
		last = time.Now()
		if sp.amiss <= settled {
			break
		}
	}
	return false, nil
}

// look takes cuts and intervals of a splitting.
func (s *search) look(ctx context.Context, sp *splitting) (done bool, err error) {
	if err := sp.project(ctx, exactly, exactlySteps); err != nil {
		return false, err
	}
	n, err := s.m.add(sp.cuts())
	if err != nil {
		return false, err
	}
	s.found += n
	y, missed := sp.intervals()
	if len(missed) == 0 {
		s.take(y)
	} else if err := s.improve(ctx, y, missed); err != nil {
		return false, err
	}
	if err := s.m.solve(ctx); err != nil {
		return false, err
	}
	s.rounds++
	s.tell(len(missed))
	return s.hat != nil && s.closed(), nil
}

// closed reports whether the best intervals known are good enough.
func (s *search) closed() bool {
	return s.paid-s.m.value <= max(s.opt.Gap, gapSolved/2)*s.paid
}

// take keeps intervals that protect if they are better.
func (s *search) take(y []float64) {
	if paid := s.m.price(y); s.hat == nil || paid < s.paid {
		s.hat, s.paid = y, paid
	}
}

// tell reports progress.
func (s *search) tell(unmet int) {
	if s.opt.Progress != nil {
		s.opt.Progress(Progress{Round: s.rounds, Cuts: len(s.m.cuts), Bound: s.m.value, Cost: s.paid, Unmet: unmet, Seconds: time.Since(s.start).Seconds()})
	}
}

// intervals are as wide as the projected movements need, each made as large as its level asks. missed are levels whose movements do not stay within bounds.
func (sp *splitting) intervals() (y []float64, missed []miss) {
	p := sp.p
	y = make([]float64, len(p.cell))
	for j, v := range p.least {
		y[j] = float64(v)
	}
	for m := 0; m < len(sp.moves); m++ {
		k := &sp.moves[m]
		far := k.sign * sp.x[sp.slot(m, k.k)]
		if k.half {
			far -= k.sign * sp.x[sp.slot(m+1, k.k)]
		}
		within := far > 0
		if within {
			within = sp.widen(y, m, k.want/far)
			if k.half {
				within = sp.widen(y, m+1, k.want/far) && within
			}
		}
		if !within {
			missed = append(missed, miss{level: k.level})
		}
		if k.half {
			m++
		}
	}
	return y, missed
}

// widen makes y as wide as times movement m, and returns whether that is within bounds.
func (sp *splitting) widen(y []float64, m int, times float64) (within bool) {
	within = true
	beyond := 1e-9 * sp.moves[m].want
	for i, c := range sp.of {
		z := sp.x[sp.slot(m, i)] * times
		d := up
		if z < 0 {
			z, d = -z, down
		}
		j, room := sp.p.col[d][c], real(sp.p.given[d][c])
		if j >= 0 {
			room = real(sp.p.room[j])
			y[j] = max(y[j], min(z, room))
		}
		within = within && z <= room+beyond
	}
	return within
}

// cuts are those of the duals of all movements.
func (sp *splitting) cuts() []*cut {
	var cuts []*cut
	q := newCutter(sp.p)
	duals := make([]*intruder.Dual, len(sp.moves))
	for m := range sp.moves {
		duals[m] = sp.dual(m)
	}
	for m, k := range sp.moves {
		l, d := sp.p.levels[k.level], duals[m]
		var c *cut
		switch {
		case d == nil || k.half && k.sign < 0:
		case !k.half:
			c = q.one(d, int(k.sign), l.RHS)
		case duals[m+1] != nil:
			c = q.two(d, duals[m+1], l.RHS)
		}
		if c != nil {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// dual is e_k − q/q_k of q = Mᵀγ, in whole numbers; nil where q_k is too small.
func (sp *splitting) dual(m int) *intruder.Dual {
	p, k := sp.p, &sp.moves[m]
	at := sp.slot(m, k.k)
	qk := sp.v[at] - sp.x[at]
	if qk*k.sign/sp.step[m] < dualTol*sp.weightOf(k.k) {
		return nil
	}
	d := &intruder.Dual{K: sp.of[k.k], Den: 1 << dualBits}
	sum := map[int32]int64{d.K: d.Den}
	γ := sp.groups[m/slots].γ
	for r, rel := range sp.rels {
		g := γ[r*slots+m%slots] / sp.k.norm[r] / qk
		if math.Abs(g) > 1<<20 {
			return nil
		}
		mult := int64(math.Round(math.Ldexp(g, dualBits)))
		if mult == 0 {
			continue
		}
		cell, coef := p.t.Rel.Row(int(rel))
		for t, i := range cell {
			if sp.at[i] >= 0 {
				sum[i] -= int64(coef[t]) * mult
			}
		}
	}
	for _, i := range sp.of {
		if v := sum[i]; v != 0 {
			d.Idx, d.Coef = append(d.Idx, i), append(d.Coef, v)
		}
	}
	return d
}

// weightOf is the largest weight of cell k, the middle one where it has none.
func (sp *splitting) weightOf(k int) float64 {
	w := 0.0
	for d := range sp.p.col {
		if j := sp.p.col[d][sp.of[k]]; j >= 0 {
			w = max(w, sp.weight[j])
		}
	}
	if w == 0 {
		return median(sp.weight)
	}
	return w
}

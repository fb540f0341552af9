package partial

import (
	"context"
	"math"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/work"
)

const (
	// A splitting is examined after firstLook iterations or the work lookAfter, then each time after twice as much, up
	// to lastLook iterations.
	firstLook = 50
	lastLook  = 6400
	lookAfter = time.Second
	// settled is the |w − x|, relative to levels, at which a splitting counts as converged.
	settled = 1e-10
	// exactly is the precision, relative to levels, of the projections from which intervals are made; exactlySteps
	// limits their steps.
	exactly      = 1e-12
	exactlySteps = 1000
	// dualBits is the precision of duals, dualTol the least slope of a level for which a dual is made.
	dualBits = 30
	dualTol  = 1e-6
	// largestSplit is the largest number of floats in a splitting.
	largestSplit = 1 << 26
	// largestMaster is the largest number of entries of duals in the master.
	largestMaster = 4e6
)

// split solves the linear program in its full form. It leaves cuts from its duals in the master, and intervals from its
// movements. done reports whether the gap is closed.
func (s *search) split(ctx context.Context) (done bool, err error) {
	sp := newSplitting(s.p, s.opt.Workers)
	if len(sp.moves) == 0 || len(sp.v) > largestSplit {
		return false, nil
	}
	next, after, began := firstLook, lookAfter, work.Now(ctx)
	for it := 1; it <= lastLook; it++ {
		if err := sp.iterate(ctx); err != nil {
			return false, err
		}
		spent := work.Since(ctx, began)
		if it < next && sp.amiss > settled && spent < after {
			continue
		}
		if it >= next {
			next = 2 * it
		}
		if spent >= after {
			after = 2 * spent
		}
		done, err := s.look(ctx, sp)
		if done || err != nil {
			return done, err
		}
		if sp.amiss <= settled {
			break
		}
		if err := s.pause(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

// look derives cuts and intervals from a splitting.
func (s *search) look(ctx context.Context, sp *splitting) (done bool, err error) {
	if err := sp.project(ctx, exactly, exactlySteps); err != nil {
		return false, err
	}
	cuts, g := sp.cuts()
	s.prove(cuts, g, sp.weight)
	y, missed := sp.intervals()
	if len(missed) == 0 {
		if err := s.check(ctx, y); err != nil {
			return false, err
		}
		s.take(y)
	} else if err := s.improve(ctx, y, missed); err != nil {
		return false, err
	}
	s.full = s.hat != nil
	if (len(s.m.cuts)+len(cuts))*len(s.p.cell) <= largestMaster {
		n, err := s.m.add(cuts)
		if err != nil {
			return false, err
		}
		s.found += n
		if err := s.m.solve(ctx); err != nil {
			return false, err
		}
	}
	s.rounds++
	s.tell(len(missed))
	if s.hat == nil || !s.closed() {
		return false, nil
	}
	return s.confirm(ctx)
}

// check discards the best intervals known if they are cheaper than y and miss a level: they were widened only for the
// levels that a round had asked about.
func (s *search) check(ctx context.Context, y []float64) error {
	if s.hat == nil || s.paid >= s.m.price(y) {
		return nil
	}
	s.o.spread(s.hat, 0)
	_, missed, err := s.o.ask(ctx, s.o.shards, true)
	if len(missed) > 0 {
		s.hat = nil
	}
	return err
}

// A proof is a set of cuts with multipliers that prove a bound.
type proof struct {
	cuts  []*cut
	g     []float64
	value float64 // the bound, in floating point
}

// prove stores cuts with the best multiple of g, if that proves more than is known: θ Σ g rhs + Σ_j min over least_j ≤
// y_j ≤ room_j of (w − θ Aᵀg)_j y_j is concave in θ. The weight left on the columns of a sensitive cell goes to the row
// that requires its interval to be as wide as its level.
func (s *search) prove(cuts []*cut, g, weight []float64) {
	p := s.p
	sum, rhs := make([]float64, len(p.cell)), 0.0
	for r, c := range cuts {
		rhs += float64(g[r] * float64(c.rhs))
		for t, j := range c.idx {
			sum[j] += float64(g[r] * float64(c.coef[t]))
		}
	}
	rows := s.o.own()
	left, own := make([]float64, len(sum)), make([]float64, len(rows))
	value := func(θ float64) float64 {
		v := θ * rhs
		for j, u := range sum {
			left[j] = weight[j] - float64(θ*u)
		}
		for r, c := range rows {
			own[r] = 0
			if len(c.idx) > 0 {
				own[r] = math.Inf(1)
			}
			for t, j := range c.idx {
				own[r] = min(own[r], max(0, left[j])/float64(c.coef[t]))
			}
			for t, j := range c.idx {
				left[j] -= float64(own[r] * float64(c.coef[t]))
			}
			v += float64(own[r] * float64(c.rhs))
		}
		for j, d := range left {
			at := p.least[j]
			if d < 0 {
				at = p.room[j]
			}
			if d != 0 {
				v += float64(d * real(at))
			}
		}
		return v
	}
	lo, hi := 0.0, 2.0
	for range 60 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if value(a) < value(b) {
			lo = a
		} else {
			hi = b
		}
	}
	if v := value(lo); v > s.proof.value {
		for r := range g {
			g[r] *= lo
		}
		s.proof = proof{append(cuts, rows...), append(g, own...), v}
	}
}

// lower returns the best bound, up to rounding errors; bound proves it.
func (s *search) lower() float64 { return max(s.m.value, s.proof.value) }

func (s *search) bound() *big.Rat {
	b := s.m.bound()
	if s.proof.cuts != nil {
		if more := s.p.bound(s.proof.cuts, s.proof.g); more.Cmp(b) > 0 {
			return more
		}
	}
	return b
}

// closed reports whether the best intervals known are good enough.
func (s *search) closed() bool {
	return s.paid-s.lower() <= max(s.opt.Gap, gapSolved/2)*s.paid
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
		s.opt.Progress(Progress{Round: s.rounds, Cuts: len(s.m.cuts), Bound: s.lower(), Cost: s.paid, Unmet: unmet, Seconds: s.course.seconds()})
	}
}

// intervals returns intervals as wide as the projected movements need, each movement scaled to what its level requires.
// missed are the levels whose movements leave the bounds.
func (sp *splitting) intervals() (y []float64, missed []miss) {
	p := sp.p
	y = make([]float64, len(p.cell))
	for j, v := range p.least {
		y[j] = float64(v)
	}
	for m := 0; m < len(sp.moves); m++ {
		k := &sp.moves[m]
		far := float64(k.sign * sp.x[sp.slot(m, k.k)])
		if k.half {
			far -= float64(k.sign * sp.x[sp.slot(m+1, k.k)])
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

// widen makes y as wide as times·(movement m) and reports whether that is within bounds.
func (sp *splitting) widen(y []float64, m int, times float64) (within bool) {
	within = true
	beyond := float64(1e-9 * sp.moves[m].want)
	for i, c := range sp.of {
		z := float64(sp.x[sp.slot(m, i)] * times)
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

// cuts returns the cuts from the duals of all movements, with multipliers.
func (sp *splitting) cuts() (cuts []*cut, g []float64) {
	q := newCutter(sp.p)
	for m, k := range sp.moves {
		if k.half && k.sign < 0 {
			continue
		}
		l, slope := sp.p.levels[k.level], sp.slope(m)
		if k.half {
			slope = max(slope, sp.slope(m+1))
		}
		if slope < dualTol*sp.weightOf(k.k) {
			continue
		}
		var c *cut
		switch d := sp.dual(m, slope); {
		case d == nil:
		case !k.half:
			c = q.one(d, int(k.sign), l.RHS)
		default:
			if lo := sp.dual(m+1, slope); lo != nil {
				c = q.two(d, lo, l.RHS)
			}
		}
		if c != nil {
			cuts, g = append(cuts, c), append(g, slope*k.want/float64(c.rhs))
		}
	}
	return cuts, g
}

// slope returns the cost of a unit of the level of movement m: q_k in its direction.
func (sp *splitting) slope(m int) float64 {
	k := &sp.moves[m]
	at := sp.slot(m, k.k)
	return (sp.v[at] - sp.x[at]) * k.sign / sp.step[m]
}

// dual returns e_k − q/slope for q = Mᵀγ, mirrored for a downward movement, in whole numbers; nil if they are too
// large.
func (sp *splitting) dual(m int, slope float64) *oracle.Dual {
	p, k := sp.p, &sp.moves[m]
	by := slope * k.sign * sp.step[m]
	d := &oracle.Dual{K: sp.of[k.k], Den: 1 << dualBits}
	sum := map[int32]int64{d.K: d.Den}
	γ := sp.groups[m/slots].γ
	for r, rel := range sp.rels {
		g := γ[r*slots+m%slots] / sp.k.norm[r] / by
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

// weightOf returns the largest weight of cell k, or the median weight if it has none.
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

package solver

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
)

// verify checks a pattern exactly: for every level it looks for a witness table in integer or rational arithmetic. It
// returns the indices of the levels that fail; nil means that the pattern is proved to be protected. Levels marked in
// proved already have a witness.
func (s *subproblem) verify(ctx context.Context, pattern, proved []bool, backend string) ([]int, error) {
	p := s.p
	if !slices.Contains(proved, false) {
		for _, sh := range s.shards {
			sh.ends = sh.ends[:0]
		}
		return nil, nil
	}
	for i, in := range pattern {
		s.iup[i], s.idn[i] = 0, 0
		if in {
			s.iup[i], s.idn[i] = p.iup[i], p.idn[i]
		}
	}
	fixed := s.fixed()
	err := parallel.Do(ctx, len(s.shards), s.workers, func(ctx context.Context, i int) error {
		sh := s.shards[i]
		sh.unmet, sh.ends = sh.unmet[:0], sh.ends[:0]
		if sh.exact == nil {
			var err error
			if sh.exact, err = p.sys.NewExact("", backend); err != nil {
				return err
			}
		}
		sh.exact.SetCapacities(s.iup, s.idn, p.iclamp) // block uses the engine afterwards
		if fixed != nil {
			return nil
		}
		for _, li := range sh.levels {
			if proved[li] {
				continue
			}
			ok, err := sh.settled(ctx, p.levels[li])
			if err != nil {
				return err
			}
			if !ok {
				sh.unmet = append(sh.unmet, li)
			}
		}
		return nil
	})
	if err != nil || fixed != nil {
		return fixed, err
	}
	var unmet []int
	for _, sh := range s.shards {
		unmet = append(unmet, sh.unmet...)
	}
	return unmet, nil
}

// fixed returns the levels of cells that cannot move at all, which the graph of a network shows; every level requires
// some movement. If all levels require just any movement, no others fail.
func (s *subproblem) fixed() (unmet []int) {
	moves, ok := s.p.sys.Moves(s.iup, s.idn)
	if !ok {
		return nil
	}
	for _, sh := range s.shards {
		for _, li := range sh.levels {
			if !moves[s.p.levels[li].K] {
				unmet = append(unmet, li)
			}
		}
	}
	return unmet
}

// shown appends the witnesses behind the last verify to out.
func (s *subproblem) shown(out []*certificate.Witness) []*certificate.Witness {
	for _, sh := range s.shards {
		out = sh.shown(out)
	}
	return out
}

func (sh *shard) shown(out []*certificate.Witness) []*certificate.Witness {
	for _, e := range sh.ends {
		if len(e.Idx) > 0 {
			out = append(out, shownBy(e))
		}
	}
	return out
}

// shownBy converts an end to a witness.
func shownBy(e *oracle.End) *certificate.Witness {
	if e.Wide != nil {
		return &certificate.Witness{Cells: e.Idx, Long: &certificate.Long{Den: e.Wide.Den, Num: e.Wide.Num}}
	}
	return &certificate.Witness{Den: e.Den, Cells: e.Idx, Num: e.Num}
}

// met looks for witnesses of level l, first among those of the shard's other levels.
func (sh *shard) met(ctx context.Context, l protectionLevel) (bool, error) {
	hi, lo := new(big.Rat), new(big.Rat)
	for _, e := range sh.ends {
		if v := at(e, l.K); v != nil {
			if v.Cmp(hi) > 0 {
				hi = v
			}
			if w := new(big.Rat).Neg(v); w.Cmp(lo) > 0 {
				lo = w
			}
		}
	}
	if l.Holds(hi, lo) {
		return true, nil
	}
	for _, sign := range [2]int{1, -1} {
		if l.Side == upper && sign < 0 || l.Side == lower && sign > 0 {
			continue
		}
		limit := l.RHS
		if l.Strict {
			limit++
		}
		end, err := sh.exact.Max(ctx, int(l.K), sign, limit, false)
		if err != nil {
			return false, err
		}
		sh.ends = append(sh.ends, end)
		if sign > 0 && end.Value.Cmp(hi) > 0 {
			hi = end.Value
		}
		if sign < 0 && end.Value.Cmp(lo) > 0 {
			lo = end.Value
		}
		if l.Holds(hi, lo) {
			return true, nil
		}
	}
	return false, nil
}

// settled is met for callers that rely on a negative answer too: before it says no, it computes the exact ends.
func (sh *shard) settled(ctx context.Context, l protectionLevel) (bool, error) {
	ok, err := sh.met(ctx, l)
	if ok || err != nil || sh.exact.Name() == "network" { // flows are exact
		return ok, err
	}
	dist := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for side, sign := range [2]int{1, -1} {
		if l.Side == upper && sign < 0 || l.Side == lower && sign > 0 {
			continue
		}
		end, err := sh.exact.Max(ctx, int(l.K), sign, l.RHS+1, true)
		if err != nil {
			return false, err
		}
		sh.ends = append(sh.ends, end)
		dist[side] = end.Value
	}
	return l.Holds(dist[0], dist[1]), nil
}

// at returns z_k of an end, nil if it is 0.
func at(e *oracle.End, k int32) *big.Rat {
	a, b := 0, len(e.Idx)
	for a < b {
		if mid := (a + b) / 2; e.Idx[mid] < k {
			a = mid + 1
		} else {
			b = mid
		}
	}
	if a < len(e.Idx) && e.Idx[a] == k {
		return e.At(a)
	}
	return nil
}

// block returns cuts that exclude the 0/1 point x, whose pattern was verified last, one for each failing level: from
// the duals there, Σ x_j ≥ 1 over the columns at 0 that could raise the dual bound. A cut is valid only if the dual
// proves the failure exactly, which is checked in integers.
func (s *subproblem) block(ctx context.Context, x []float64, unmet []int) ([]*cut, error) {
	p := s.p
	sh := s.shards[0] // its exact engine still has the capacities of verify
	sh.cuts = sh.cuts[:0]
	p.weights(x, s.weight)
	sh.in.Truncate(math.Inf(1))
	sh.in.SetCapacities(p.up, p.dn, s.weight)
	for _, li := range unmet {
		l := p.levels[li]
		var duals [2][]*oracle.Dual
		proved := [2]*big.Rat{new(big.Rat), new(big.Rat)}
		var by [2]*oracle.Dual
		for side, sign := range [2]int{1, -1} {
			if l.Side == upper && sign < 0 || l.Side == lower && sign > 0 {
				continue
			}
			// Try two sources of duals. The exact engine handles any fraction but tightens capacities, so its duals may
			// not prove enough for the original capacities; the other engine does not tighten.
			end, err := sh.exact.Max(ctx, int(l.K), sign, 2*l.RHS+2, true)
			if err != nil {
				return nil, err
			}
			proved[side], by[side] = end.Bound, end.Dual
			duals[side] = sh.exact.Duals(int(l.K))
			switch _, err := sh.in.Reach(ctx, int(l.K), sign, 2*float64(l.RHS)+2); {
			case errors.Is(err, oracle.ErrNumbers):
			case err != nil:
				return nil, err
			default:
				duals[side] = append(duals[side], sh.in.Duals()...)
			}
		}
		switch l.Side {
		case upper:
			for _, d := range duals[0] {
				s.blockBy(l, d, nil)
			}
		case lower:
			for _, d := range duals[1] {
				s.blockBy(l, nil, d)
			}
		case width:
			for _, a := range duals[0] {
				for _, b := range duals[1] {
					s.blockBy(l, a, b)
				}
			}
		}
		if len(sh.cuts) == 0 && proved[0] != nil && proved[1] != nil && !l.Holds(proved[0], proved[1]) {
			// The pattern is proved to be unprotected, and so is every subset of it.
			cut := &cut{rhs: 1, family: coverCut}
			for c, v := range x {
				if v < 0.5 {
					cut.idx, cut.val = append(cut.idx, int32(c)), append(cut.val, 1)
				}
			}
			if p.record {
				why := &certificate.Pattern{Level: certificate.Level{Up: proofOf(by[0]), Down: proofOf(by[1])}}
				for c, v := range x {
					if v > 0.5 {
						why.Withheld = append(why.Withheld, p.cand[c])
					}
				}
				cut.why = why
			}
			sh.cuts = append(sh.cuts, cut.seal())
		}
	}
	return sh.cuts, nil
}

// blockBy adds the blocking cut of l's duals upwards (hi) and downwards (lo), for the integer pattern verified last.
func (s *subproblem) blockBy(l protectionLevel, hi, lo *oracle.Dual) {
	p := s.p
	bound := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	seen := map[int32]bool{}
	var spend []int32
	cut := &cut{rhs: 1, family: coverCut}
	for side, d := range [2]*oracle.Dual{hi, lo} {
		if d == nil {
			continue
		}
		sign := 1 - 2*side
		if bound[side] = d.Bound(s.iup, s.idn, sign); bound[side] == nil {
			return
		}
		for t, i := range d.Idx {
			c := p.col[i]
			if c >= 0 && p.record && (s.iup[i] != 0 || s.idn[i] != 0) {
				spend = append(spend, c)
			}
			if c < 0 || seen[c] || s.iup[i] != 0 || s.idn[i] != 0 {
				continue
			}
			capacity := p.iup[i]
			if d.Coef[t]*int64(sign) < 0 {
				capacity = p.idn[i]
			}
			if capacity > 0 {
				seen[c] = true
				cut.idx = append(cut.idx, c)
			}
		}
	}
	if l.Holds(bound[0], bound[1]) {
		return // the dual does not prove the failure
	}
	slices.Sort(cut.idx)
	for range cut.idx {
		cut.val = append(cut.val, 1)
	}
	if p.record {
		slices.Sort(spend)
		cut.why = spent(p, &certificate.Level{Up: proofOf(hi), Down: proofOf(lo)}, slices.Compact(spend))
	}
	sh := s.shards[0]
	sh.cuts = append(sh.cuts, cut.seal())
}

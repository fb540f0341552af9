package solver

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
)

// sliding returns the cut of the width level l from a dual upwards and one downwards. Widths proved by duals with
// denominators A and B are multiples of 1/AB, so "> Width" means "≥ Width + 1/AB".
func (q *cutter) sliding(l protectionLevel, hi, lo *oracle.Dual) *cut {
	want := new(big.Rat).SetInt64(l.RHS)
	if l.Strict {
		want.Add(want, new(big.Rat).Mul(big.NewRat(1, hi.Den), big.NewRat(1, lo.Den)))
	}
	var why certificate.Rule
	if q.p.record {
		why = q.levelOf(hi, lo)
	}
	return q.cut(want, widthCut, why, q.add(hi, 1), q.add(lo, -1))
}

// width adds the cuts of a width level violated at x (the sliding protection level of Fischetti and Salazar, Management
// Science 47(7), 2001): the sum of a dual upwards and one downwards, where one dual and its mirror may serve as both.
// If all levels are widths, as with the frequency rule, there are no other level cuts.
func (sh *shard) width(ctx context.Context, l protectionLevel, x []float64) error {
	k, rhs := int(l.K), float64(l.RHS)
	limit := rhs
	if l.Strict {
		limit++
	}
	// Try bounds first, and the exact ends only if these do not decide.
	reach, exact := sh.in.Bound, false
	var his, los []*oracle.Dual
	for {
		hi, err := reach(ctx, k, 1, limit)
		if err != nil || hi >= limit*(1-levelTol) {
			return err
		}
		his = sh.in.Duals()
		lo, err := reach(ctx, k, -1, limit)
		if err != nil || lo >= limit*(1-levelTol) {
			return err
		}
		los = sh.in.Duals()
		if sum := hi + lo; l.Strict && sum <= float64(rhs*(1+levelTol))+levelTol || !l.Strict && sum < rhs*(1-levelTol) {
			break
		}
		if exact {
			return nil
		}
		reach, exact = sh.in.Reach, true
	}
	for _, a := range his {
		for _, b := range los {
			sh.keepViolated(spans(sh.q.sliding(l, a, b), l.K, a, b), x)
		}
		sh.keepViolated(spans(sh.q.sliding(l, a, a), l.K, a, a), x)
	}
	for _, b := range los {
		sh.keepViolated(spans(sh.q.sliding(l, b, b), l.K, b, b), x)
	}
	return nil
}

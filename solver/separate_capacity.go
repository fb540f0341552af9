package solver

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
)

// capacity returns the capacity cut of d for a level of want in direction sign.
func (q *cutter) capacity(d *oracle.Dual, sign int, want int64, family string) *cut {
	var why certificate.Rule
	if q.p.record {
		if sign > 0 {
			why = q.levelOf(d, nil)
		} else {
			why = q.levelOf(nil, d)
		}
	}
	return q.cut(new(big.Rat).SetInt64(want), family, why, q.add(d, sign))
}

// capacity adds the capacity cuts violated at x (the capacity constraints of Fischetti and Salazar, Solving the cell
// suppression problem on tabular data with linear constraints, Management Science 47(7), 2001; the Benders cuts of the
// intruder's problem) of a lower or upper level, and those of the same duals for the level on the other side: a dual
// bounds how far a cell moves up and, mirrored, how far it moves down, which halves the number of programs if both
// levels are equal. The search is correct with these cuts alone.
func (sh *shard) capacity(ctx context.Context, p *problem, l protectionLevel, x []float64) (mirrored bool, err error) {
	rhs, sign := float64(l.RHS), 1
	if l.Side == lower {
		sign = -1
	}
	v, err := sh.in.Bound(ctx, int(l.K), sign, rhs)
	if err != nil || v >= rhs*(1-levelTol) {
		return false, err
	}
	for _, d := range sh.in.Duals() {
		sh.keepViolated(follows(sh.q.capacity(d, sign, l.RHS, capacityCut), l.K, sign, d), x)
		if other := p.opposite(l); other > 0 && !p.off.mirror {
			before := len(sh.cuts)
			sh.keepViolated(follows(sh.q.capacity(d, -sign, other, mirrorCut), l.K, -sign, d), x)
			mirrored = mirrored || len(sh.cuts) > before
		}
	}
	return mirrored, nil
}

// opposite returns the level on the other side of the same cell, 0 if there is none.
func (p *problem) opposite(l protectionLevel) int64 {
	if l.Side == upper {
		return p.t.LPL[l.K]
	}
	return p.t.UPL[l.K]
}

package solver

import (
	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
)

// Bottleneck cuts are capacity and width cuts from duals that bound cells by relations (oracle.Bottlenecker). For a
// cell h that is not given, |d_h| is multiplied not by cap_h·x_h but by a bound from the other cells of a relation j,
//
//	±z_h ≤ Σ_{i∈j∖h} min(|M_ji/M_jh|·cap_i, cap_h)·x_i ,
//
// which holds for every 0/1 x: z_h is a sum over the other cells of j, with terms of at most |M_ji/M_jh|·cap_i x_i, and
// it is at most cap_h. No combination of capacity cuts gives the minimum with cap_h. Each program uses for every cell
// the bound that is least at x, which costs almost nothing; its dual tells which were used. These cuts raise the root's
// bound where levels are about as large as cells; where every cell can carry the level they are bridge-less cuts.
// Bounding the given cells too was slightly worse. The network engine has no such bounds.

// along adds, like put, v/den times the distance that the other cells of relation j allow cell h to move upwards (side
// 0) or downwards.
func (q *cutter) along(j int, h int32, side int, v, den int64) bool {
	p := q.p
	cell, coef := p.sys.Rel.Row(j)
	own, m := p.capacity(h, side), int32(0)
	for t, i := range cell {
		if i == h {
			m = coef[t]
		}
	}
	for t, i := range cell {
		if i == h || p.col[i] < 0 && !p.given[i] {
			continue
		}
		other := side
		if (coef[t] < 0) == (m < 0) {
			other = 1 - side
		}
		c := num.ScaledUp(num.Abs(int64(coef[t])), p.capacity(i, other), num.Abs(int64(m)))
		if !q.put(i, min(c, own), v, den) {
			return false
		}
	}
	return true
}

// levelOf returns the rule that proves the cut of the duals up and down, one of which may be nil.
func (q *cutter) levelOf(up, down *oracle.Dual) certificate.Rule {
	l := certificate.Level{Up: proofOf(up), Down: proofOf(down)}
	var lines []certificate.Line
	for s, d := range [2]*oracle.Dual{up, down} {
		if d == nil {
			continue
		}
		for t, i := range d.Idx {
			side := s
			if d.Coef[t] < 0 {
				side = 1 - s
			}
			if j := d.Along(side, t); j >= 0 && (q.p.col[i] >= 0 || q.p.given[i]) {
				lines = append(lines, certificate.Line{Down: s == 1, Cell: i, Relation: j})
			}
		}
	}
	if lines == nil {
		return &l
	}
	return &certificate.Bottleneck{Level: l, Lines: lines}
}

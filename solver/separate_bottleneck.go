package solver

import (
	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/num"
)

// Bottleneck cuts are capacity and width cuts of duals that lean on relations (intruder.Bottlenecker): in place of cap_h·x_h the
// coefficient |d_h| of a cell h that is not given stands before the cells of a relation j,
//
//	±z_h ≤ Σ_{i∈j∖h} min(|M_ji/M_jh|·cap_i, cap_h)·x_i ,
//
// which holds for every 0/1 x: z_h is a sum over the other cells of j, whose terms are at most |M_ji/M_jh|·cap_i x_i, and it is
// at most cap_h. No combination of capacity cuts has the minimum with cap_h in it. Questions take the bound of each cell that is
// least at x, at next to no cost; the dual then says which were used. Where levels are of the size of cells the root rises (3d_7_mag after 10 s:
// 5,801 → 5,985; 3d_8_mag2: 3,231 → 3,352; 3d_10_fs: 3,014 → 3,063); where all cells can carry them they say what
// bridge-less cuts say. Bounding the given cells as well gives 1 % less. Networks do without: their engine knows no such bounds.

// along adds v/den times what the other cells of relation j let cell h move, upwards (side 0) or downwards, as put does.
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

// levelOf is how the cut of the duals up and down, one of which may be nil, follows.
func (q *cutter) levelOf(up, down *intruder.Dual) certificate.Rule {
	l := certificate.Level{Up: proofOf(up), Down: proofOf(down)}
	var lines []certificate.Line
	for s, d := range [2]*intruder.Dual{up, down} {
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

package oracle

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// Tighten lowers capacities to what the relations allow: in Σ c_i z_i = 0, |c_i z_i| is at most what the other cells
// can carry in the other direction (Brearley, Mitra and Williams, Analysis of mathematical programming problems prior
// to applying the simplex algorithm, Mathematical Programming 8, 1975). The set of feasible z is unchanged; only bounds
// that never bind shrink, such as a prior bound of 10^15 on a table of counts, which would cost a linear program its
// accuracy. Two rounds; cost linear in the entries.
func Tighten(rel *table.Relations, up, dn []int64) {
	for range 2 {
		for j := range rel.Len() {
			cell, coef := rel.Row(j)
			// above = Σ max c_i z_i, below = Σ max −c_i z_i, without infinite terms.
			var above, below int64
			infAbove, infBelow := 0, 0
			for t, i := range cell {
				a, b := scaled(coef[t], up[i], dn[i])
				if a < 0 || above > huge {
					infAbove++
				} else {
					above += a
				}
				if b < 0 || below > huge {
					infBelow++
				} else {
					below += b
				}
			}
			if infAbove > 1 && infBelow > 1 {
				continue
			}
			for t, i := range cell {
				c := int64(coef[t])
				a, b := scaled(coef[t], up[i], dn[i])
				// c z_i is at most the others' below, −c z_i at most the others' above.
				if most, ok := others(below, infBelow, b); ok {
					limit(c, i, most, up, dn)
				}
				if most, ok := others(above, infAbove, a); ok {
					limit(-c, i, most, up, dn)
				}
			}
		}
	}
}

// scaled returns max c·z and max −c·z for −dn ≤ z ≤ up; −1 means infinite.
func scaled(c int32, up, dn int64) (a, b int64) {
	f := int64(c)
	if f < 0 {
		f, up, dn = -f, dn, up
	}
	mul := func(v int64) int64 {
		if v == table.PosInf || v > (1<<60)/max(1, f) {
			return -1
		}
		return f * v
	}
	return mul(up), mul(dn)
}

// others removes one term from a sum that has inf infinite terms.
func others(sum int64, inf int, own int64) (int64, bool) {
	switch {
	case inf == 0:
		return sum - own, true
	case inf == 1 && own < 0:
		return sum, true
	}
	return 0, false
}

// limit applies c·z_i ≤ most, rounded up to whole units, which excludes no feasible value.
func limit(c int64, i int32, most int64, up, dn []int64) {
	if c > 0 {
		up[i] = min(up[i], num.CeilDiv(most, c))
	} else {
		dn[i] = min(dn[i], num.CeilDiv(most, -c))
	}
}

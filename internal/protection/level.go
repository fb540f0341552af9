// Package protection defines what a pattern must achieve: the protection levels of the sensitive cells, and how
// far cells can move between their true values and the intruder's bounds. The exact and the modular search
// share it.
package protection

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// A Side says which distance a level is about: the sign of the movement, 0 for both directions together.
type Side int8

const (
	Upper Side = 1  // hi − a ≥ UPL
	Lower Side = -1 // a − lo ≥ LPL
	Width Side = 0  // hi − lo ≥ SPL
)

// A Level is one requirement on a sensitive cell k = K: that it can move by RHS. It is a protection level
// (保護水準), lower, upper or sliding: LPL, UPL or SPL as in Fischetti and Salazar (Management Science 47(7),
// 2001).
type Level struct {
	K      int32
	Side   Side
	RHS    int64 // in units of the table, above 0 except for a strict width
	Strict bool  // > instead of ≥ (width only)
}

// Levels returns the levels of all sensitive cells of t in cell order, without widths that the other two levels
// of the cell imply. Cost: one pass over the cells.
func Levels(t *table.Table) []Level {
	var levels []Level
	for i, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		k, u, l, s := int32(i), t.UPL[i], t.LPL[i], t.Width[i]
		if u > 0 {
			levels = append(levels, Level{k, Upper, u, false})
		}
		if l > 0 {
			levels = append(levels, Level{k, Lower, l, false})
		}
		if t.Strict && u+l <= s || !t.Strict && u+l < s {
			levels = append(levels, Level{k, Width, s, t.Strict})
		}
	}
	return levels
}

// Holds reports whether the distances hi above and lo below the true value satisfy l.
func (l Level) Holds(hi, lo *big.Rat) bool {
	rhs := new(big.Rat).SetInt64(l.RHS)
	switch l.Side {
	case Upper:
		return hi.Cmp(rhs) >= 0
	case Lower:
		return lo.Cmp(rhs) >= 0
	}
	c := new(big.Rat).Add(hi, lo).Cmp(rhs)
	return c > 0 || c == 0 && !l.Strict
}

// Clamp returns a distance above all that levels ask for.
func Clamp(levels []Level) int64 {
	c := int64(1)
	for _, l := range levels {
		c = max(c, l.RHS+1)
	}
	return c
}

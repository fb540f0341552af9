// Package protection says what a protected pattern has to meet: the levels of the
// sensitive cells, by which cells can move between their true values and the
// intruder's bounds. The exact search and the modular one share it.
package protection

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// A Side says which distance a level asks for: the sign of the movement, 0 for both
// directions together.
type Side int8

const (
	Upper Side = 1  // hi − a ≥ UPL
	Lower Side = -1 // a − lo ≥ LPL
	Width Side = 0  // hi − lo ≥ SPL
)

// A Level is one requirement on one sensitive cell k = K: to move by RHS. It is a protection
// level (保護水準): lower, upper or sliding, LPL, UPL or SPL, as Fischetti and Salazar
// (Management Science 47(7), 2001) define them.
type Level struct {
	K      int32
	Side   Side
	RHS    int64 // in units of the table, above 0 but for a strict width
	Strict bool  // > instead of ≥ (width only)
}

// Levels lists the levels of all sensitive cells of t in cell order, without widths that
// the other two levels of a cell imply. Cost: one pass over the cells.
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

// Clamp is a distance above what any of levels asks for.
func Clamp(levels []Level) int64 {
	c := int64(1)
	for _, l := range levels {
		c = max(c, l.RHS+1)
	}
	return c
}

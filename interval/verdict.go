package interval

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Verdict answers one question, the same in every verb, document and page: is every cell that is or may be sensitive
// protected at its levels LPL, UPL and Width against readers who know the publication and the bounds?
//
// A cell is or may be sensitive if its status says so, or if it has no value and nothing tells that it is withheld to
// protect others (Options.Told). A cell without a value, as in published tables, has no distances to compare: it must
// not be disclosed, and its interval must be at least as wide as Width.
//
// Secondary cells do not affect the verdict. A disclosed one is superfluous, as withholding it protects nothing, and is
// only remarked on. In the pattern of a search only cells withheld by the input can be superfluous.
type Verdict string

// The verdicts.
const (
	Protected   Verdict = "protected"
	Unprotected Verdict = "unprotected"
	// Unsettled says that no cell is proved to violate a level, but some are not proved to meet theirs (Cell.Inexact).
	Unsettled Verdict = "unsettled"
	// Nothing is the verdict of a run in which no cell is sensitive; no audit returns it.
	Nothing Verdict = "nothing"
)

// Verdict returns what is proved about the cells; Unprotected if the context ended the audit early.
func (r *Report) Verdict() Verdict {
	if r.Protected {
		return Protected
	}
	open := false
	for k := range r.Cells {
		if c := &r.Cells[k]; !c.Protected && !c.Unsettled {
			return Unprotected
		}
		open = open || r.Cells[k].Unsettled
	}
	if open {
		return Unsettled
	}
	return Unprotected
}

// Open returns the number of cells whose interval is not settled.
func (r *Report) Open() int {
	return sets.Count(r.Cells, func(c Cell) bool { return c.Inexact })
}

// Superfluous returns the number of superfluous cells.
func (r *Report) Superfluous() int {
	return sets.Count(r.Cells, func(c Cell) bool { return c.Superfluous })
}

// suspect reports whether cell k is or may be sensitive.
func suspect(t *table.Table, k int, told bool) bool {
	return t.Status[k] == table.Sensitive || !t.Known(k) && !told
}

// judge sets the fields of c that follow from its interval.
func judge(t *table.Table, c *Cell, told bool) {
	k := c.Index
	c.Disclosed = !c.Inexact && tells(t, k, c.Lo, c.Hi)
	c.Protected, c.Superfluous, c.Unsettled = true, false, false
	if !suspect(t, k, told) {
		c.Superfluous = c.Disclosed
		return
	}
	c.Protected = meets(t, k, c.inner[0], c.inner[1])
	c.Unsettled = !c.Protected && c.Inexact && meets(t, k, c.Lo, c.Hi)
}

// tells reports whether an interval from lo to hi tells as much about cell k as its rounded published value would.
func tells(t *table.Table, k int, lo, hi *big.Rat) bool {
	return lo != nil && hi != nil && new(big.Rat).Sub(hi, lo).Cmp(new(big.Rat).SetInt64(t.RoundedTo(k))) <= 0
}

// meets reports whether an interval from lo to hi (nil: infinite) meets the levels of cell k.
func meets(t *table.Table, k int, lo, hi *big.Rat) bool {
	if !t.Known(k) && tells(t, k, lo, hi) {
		return false // disclosed, or not proved undisclosed
	}
	if t.Known(k) {
		a := new(big.Rat).SetInt64(t.Value[k])
		// A rounded value may lie outside the interval of the true one.
		if lo != nil && t.LPL[k] > 0 && new(big.Rat).Sub(a, lo).Cmp(new(big.Rat).SetInt64(t.LPL[k])) < 0 ||
			hi != nil && t.UPL[k] > 0 && new(big.Rat).Sub(hi, a).Cmp(new(big.Rat).SetInt64(t.UPL[k])) < 0 {
			return false
		}
	}
	if lo != nil && hi != nil {
		cmp := new(big.Rat).Sub(hi, lo).Cmp(new(big.Rat).SetInt64(t.Width[k]))
		return cmp > 0 || cmp == 0 && !t.Strict
	}
	return true
}

//go:build slow

package adversary

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// ends returns the interval around the value a.
func (s span) ends(a int64) (lo, hi *big.Rat) {
	v := new(big.Rat).SetInt64(a)
	if s.down != nil {
		lo = new(big.Rat).Sub(v, s.down)
	}
	if s.up != nil {
		hi = new(big.Rat).Add(v, s.up)
	}
	return lo, hi
}

// least reports have ≥ want, and have > want if strict; nil is infinite.
func least(have *big.Rat, want int64, strict bool) bool {
	if have == nil {
		return true
	}
	c := have.Cmp(new(big.Rat).SetInt64(want))
	return c > 0 || c == 0 && !strict
}

// wide says whether the width of cell k is enough.
func (s span) wide(t *table.Table, k int) bool { return least(s.width(), t.Width[k], t.Strict) }

// meets is the definition of a protected cell (docs/method.md).
func (s span) meets(t *table.Table, k int) bool {
	return least(s.down, t.LPL[k], false) && least(s.up, t.UPL[k], false) && s.wide(t, k)
}

// exposed returns the first sensitive cell that a pattern does not protect, −1: none.
func exposed(t *table.Table, withheld []bool) int {
	r := newRoom(t, withheld)
	for k, st := range t.Status {
		if st == table.Sensitive && !r.span(k).meets(t, k) {
			return k
		}
	}
	return -1
}

// given marks the cells withheld in any case.
func given(t *table.Table) []bool {
	x := make([]bool, t.Len())
	for i, st := range t.Status {
		x[i] = st == table.Sensitive || st == table.Withheld
	}
	return x
}

// everything withholds all that may be.
func everything(t *table.Table) []bool {
	x := make([]bool, t.Len())
	for i, st := range t.Status {
		x[i] = st != table.Published
	}
	return x
}

// masks are the choices of a pattern: free cells, each with those of other layers that
// go with it, and its cost with theirs.
type mask struct {
	cells []int
	cost  int64
}

func masks(t *table.Table) []mask {
	layers := max(1, t.Layers)
	n := t.Len() / layers
	var m []mask
	for i := range n {
		if t.Status[i] != table.Safe {
			continue
		}
		var c mask
		for l := range layers {
			c.cells = append(c.cells, i+l*n)
			c.cost += t.Cost[i+l*n]
		}
		m = append(m, c)
	}
	return m
}

// costOf is Σ w_i x_i over the cells that were free.
func costOf(t *table.Table, pattern []bool) *big.Int {
	sum := new(big.Int)
	for i, in := range pattern {
		if in && t.Status[i] == table.Safe {
			sum.Add(sum, big.NewInt(t.Cost[i]))
		}
	}
	return sum
}

// cheaper looks for a protected pattern that costs less than limit, or, where first is not nil, costs
// limit and comes before first in the canonical order. It tries all patterns, but for those that are part of
// one that failed; ok is false where there are too many cells or trials.
func cheaper(t *table.Table, limit int64, first []bool) (found []bool, ok bool) {
	free := masks(t)
	if len(free) > 14 {
		return nil, false
	}
	var fits []uint32
	for m := range uint32(1) << len(free) {
		cost, before, settled := int64(0), false, false
		for c, f := range free {
			in := m>>c&1 != 0
			if in {
				cost += f.cost
			}
			if first != nil && !settled && in != first[f.cells[0]] {
				before, settled = !in, true
			}
		}
		if cost < limit || first != nil && cost == limit && before {
			fits = append(fits, m)
		}
	}
	// The largest first, so that most others are parts of what failed.
	slices.SortFunc(fits, func(a, b uint32) int { return ones(b) - ones(a) })
	var failed []uint32
	trials := 0
next:
	for _, m := range fits {
		for _, f := range failed {
			if m&^f == 0 {
				continue next
			}
		}
		if trials++; trials > 100 {
			return nil, false
		}
		x := given(t)
		for c, f := range free {
			for _, i := range f.cells {
				x[i] = x[i] || m>>c&1 != 0
			}
		}
		if exposed(t, x) < 0 {
			return x, true
		}
		failed = append(failed, m)
	}
	return nil, true
}

func ones(m uint32) (n int) {
	for ; m != 0; m &= m - 1 {
		n++
	}
	return n
}

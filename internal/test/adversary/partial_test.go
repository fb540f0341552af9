//go:build slow

package adversary

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// askPartial judges intervals in place of marks: that they hold the values and protect, their cost, and their bound by
// intervals that are narrower and protect as well.
func askPartial(ctx context.Context, t *table.Table, q *question, a *answer) {
	if t.Layers > 1 {
		return // refused
	}
	opt := &partial.Options{LP: q.backend, Workers: q.workers, Absolute: true, Ends: partial.Ends{Plain: q.seed%2 == 0}, Secret: [32]byte{1}}
	if q.short {
		opt.TimeLimit = 1
	}
	sol, err := partial.Suppress(ctx, t, opt)
	var u *solver.UnprotectableError
	switch {
	case late(a, ctx.Err()):
		return
	case errors.As(err, &u):
		if exposed(t, everything(t)) < 0 {
			a.wrong("partial: false unprotectable", u.Error(), "everything withheld protects")
		}
		a.note("unprotectable")
		return
	case err != nil:
		a.failed(q, err, "intervals")
		return
	}
	a.note("status " + string(sol.Status))
	said := fmt.Sprintf("status %s, cost %v, bound %v, lower %v, upper %v", sol.Status, sol.Cost, sol.Bound, sol.Lower, sol.Upper)
	for i, v := range t.Value {
		st := t.Status[i]
		switch {
		case sol.Lower[i] > v || sol.Upper[i] < v:
			a.wrong("partial: value outside", said, fmt.Sprintf("cell %d is %d", i, v))
		case !sol.Pattern[i] && (sol.Lower[i] != v || sol.Upper[i] != v), sol.Pattern[i] && st == table.Published, !sol.Pattern[i] && st == table.Withheld:
			a.wrong("partial: statuses", said, fmt.Sprintf("cell %d has status %s", i, st))
		}
	}
	if a.fault != nil {
		return
	}
	shown := within(t, sol.Lower, sol.Upper)
	if k := exposed(shown, sol.Pattern); k >= 0 {
		lo, hi := newRoom(shown, sol.Pattern).span(k).ends(t.Value[k])
		a.wrong("partial: not protected", said, fmt.Sprintf("cell %d is in [%s, %s]", k, end(lo), end(hi)))
		return
	}
	if err := certificate.Protects(shown, sol.Pattern, sol.Witnesses); err != nil {
		a.wrong("partial: witnesses", said+": "+err.Error(), "witnesses of every level")
	}
	if sol.Bound.Cmp(sol.Cost) > 0 || sol.Bound.Cmp(sol.Optimum) > 0 {
		a.wrong("partial: bound", said, "bound ≤ cost")
	}
	if cost := widths(t, sol.Lower, sol.Upper); cost.Cmp(sol.Cost) != 0 {
		a.wrong("partial: cost", said, cost.RatString())
	}
	asked := t
	if t.Strict { // a unit more, or anything more where no intervals leave a unit (docs/partial.md)
		asked = t.Clone()
		for k, st := range t.Status {
			if st == table.Sensitive {
				asked.Width[k]++
			}
		}
		if asked.Strict = false; exposed(within(asked, sol.Lower, sol.Upper), sol.Pattern) >= 0 {
			asked = t
		}
	}
	lower, upper := narrower(asked, sol, rand.New(rand.NewPCG(q.seed, 5)))
	if cost := widths(t, lower, upper); cost.Cmp(sol.Bound) < 0 {
		a.wrong("partial: false bound", said, fmt.Sprintf("lower %v, upper %v protect at cost %s", lower, upper, cost.RatString()))
	} else if cost.Cmp(sol.Cost) < 0 {
		a.note("narrowed further by trials")
	}
}

// within is t with ends for bounds.
func within(t *table.Table, lower, upper []int64) *table.Table {
	c := t.Clone()
	for i := range lower {
		c.Lower[i], c.Upper[i] = max(t.Lower[i], lower[i]), min(t.Upper[i], upper[i])
	}
	return c
}

// marked says whether cell i has a mark whatever is published: withheld by the input, or sensitive without a level, even where more than one value is asked for.
func marked(t *table.Table, i int) bool {
	return t.Status[i] == table.Withheld || t.Status[i] == table.Sensitive && t.LPL[i] == 0 && t.UPL[i] == 0 && t.Width[i] == 0
}

// widths is Σ w (upper − lower) over the cells with two ends and no mark.
func widths(t *table.Table, lower, upper []int64) *big.Rat {
	sum := new(big.Int)
	for i := range lower {
		if marked(t, i) || lower[i] == table.NegInf || upper[i] == table.PosInf {
			continue
		}
		w := new(big.Int).Sub(big.NewInt(upper[i]), big.NewInt(lower[i]))
		sum.Add(sum, w.Mul(w, big.NewInt(t.Cost[i])))
	}
	return new(big.Rat).SetInt(sum)
}

// narrower brings ends towards the values in random order as long as the table is protected.
func narrower(t *table.Table, sol *partial.Solution, rng *rand.Rand) (lower, upper []int64) {
	lower, upper = append([]int64(nil), sol.Lower...), append([]int64(nil), sol.Upper...)
	for range 2 * min(t.Len(), 12) {
		i := rng.IntN(t.Len())
		if !sol.Pattern[i] || marked(t, i) || lower[i] == table.NegInf || upper[i] == table.PosInf {
			continue
		}
		lo, up := lower[i], upper[i]
		if rng.IntN(2) == 0 {
			lower[i] += int64(rng.Uint64N(uint64(t.Value[i]-lo) + 1))
		} else {
			upper[i] -= int64(rng.Uint64N(uint64(up-t.Value[i]) + 1))
		}
		if exposed(within(t, lower, upper), sol.Pattern) >= 0 {
			lower[i], upper[i] = lo, up
		}
	}
	return lower, upper
}

//go:build slow

package adversary

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// askRound rounds a table and compares what is said of it with all its roundings, where they are few.
func askRound(ctx context.Context, t *table.Table, q *question, a *answer) {
	rng := rand.New(rand.NewPCG(q.seed, 6))
	opt := &rounding.Options{Base: []int64{2, 3, 5, 10, 100}[rng.IntN(5)], Steps: rng.IntN(2), Protect: rng.IntN(3) == 0, LP: q.backend}
	if rng.IntN(2) == 0 {
		opt.Weights = make([]int64, t.Len())
		for i := range opt.Weights {
			opt.Weights[i] = rng.Int64N(5)
		}
	}
	for _, r := range t.Rel.RHS {
		if r%opt.Base != 0 {
			return // no multiples add up to it, which is said
		}
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	res, err := rounding.Round(limited, t, opt)
	if err != nil {
		a.failed(q, err, "a rounding")
		return
	}
	a.note("status " + string(res.Status))
	said := fmt.Sprintf("base %d, weights %v, protect %v, steps %d: %+v", opt.Base, opt.Weights, opt.Protect, opt.Steps, *res)
	if y := res.Value; y != nil {
		right := rounded(t, opt, res.Allowed)
		switch {
		case !t.Rel.Holds(y):
			a.wrong("round: does not add up", said, "a table")
		case !right.holds(y):
			a.wrong("round: no rounding", said, "multiples of the base beside the values")
		case right.away(y) != res.Distance:
			a.wrong("round: distance", said, fmt.Sprint(right.away(y)))
		case opt.Protect && right.open(y):
			a.wrong("round: not protected", said, "every level kept")
		case res.Bound > res.Distance || res.Status == solver.Optimal && res.Bound != res.Distance:
			a.wrong("round: bound", said, "bound ≤ distance, equal where optimal")
		}
	}
	if a.fault != nil {
		return
	}
	for k := 0; k <= res.Allowed; k++ {
		best, ok := rounded(t, opt, k).best()
		if !ok {
			a.note("too many roundings to try")
			return
		}
		last := k == res.Allowed
		right := fmt.Sprintf("the best of %d steps is away %d (-1: none)", k, best)
		switch {
		case last && res.Status == solver.Infeasible && best >= 0, !last && res.Fewer == solver.Infeasible && best >= 0:
			a.wrong("round: false infeasible", said, right)
		case last && res.Value != nil && best < 0, last && res.Status == solver.Optimal && best != res.Distance, last && best >= 0 && best < res.Bound:
			a.wrong("round: false bound", said, right)
		case last && res.Value == nil && res.Status != solver.Infeasible && limited.Err() == nil && opt.Protect:
			a.note("roundings that protect neither found nor excluded") // which is said: some cuts have numbers too long for them
		case last && res.Value == nil && res.Status != solver.Infeasible && limited.Err() == nil:
			a.wrong("round: unfinished", said, right)
		}
	}
	a.note("all roundings tried")
}

// A choices is what every cell can be rounded to.
type choices struct {
	t    *table.Table
	opt  *rounding.Options
	of   [][]int64
	from int64 // how far a value is from its rounding at most
}

func rounded(t *table.Table, opt *rounding.Options, steps int) *choices {
	c := &choices{t, opt, make([][]int64, t.Len()), int64(steps+1)*opt.Base - 1}
	for i, v := range t.Value {
		b := opt.Base
		down := v - (v%b+b)%b
		up := down
		if down != v {
			up += b
		}
		for y := down - int64(steps)*b; y <= up+int64(steps)*b; y += b {
			if v > 0 && y >= 0 || v < 0 && y <= 0 || v == 0 && y == 0 {
				c.of[i] = append(c.of[i], y)
			}
		}
	}
	return c
}

func (c *choices) holds(y []int64) bool {
	for i, of := range c.of {
		in := false
		for _, v := range of {
			in = in || v == y[i]
		}
		if !in {
			return false
		}
	}
	return true
}

func (c *choices) away(y []int64) (sum int64) {
	for i, v := range y {
		w := int64(1)
		if c.opt.Weights != nil {
			w = c.opt.Weights[i]
		}
		sum += w * max(v-c.t.Value[i], c.t.Value[i]-v)
	}
	return sum
}

// open says whether a reader places a sensitive cell more closely than its levels allow.
func (c *choices) open(y []int64) bool {
	lower, upper, all := make([]int64, len(y)), make([]int64, len(y)), make([]bool, len(y))
	for i, v := range y {
		lower[i], upper[i], all[i] = v-c.from, v+c.from, true
	}
	return exposed(within(c.t, lower, upper), all) >= 0
}

// best is the least distance of a rounding, -1: there is none; ok is false where there are too many.
func (c *choices) best() (best int64, ok bool) {
	// Of every relation, the last cell: by then it has to hold.
	last := make([][]int, len(c.of))
	for j := range c.t.Rel.Len() {
		cells, _ := c.t.Rel.Row(j)
		at := -1
		for _, i := range cells {
			at = max(at, int(i))
		}
		if at < 0 {
			continue
		}
		last[at] = append(last[at], j)
	}
	y := make([]int64, len(c.of))
	trials, audits := 0, 0
	best = -1
	var fill func(i int) bool
	fill = func(i int) bool {
		if i == len(y) {
			if d := c.away(y); best < 0 || d < best {
				if c.opt.Protect {
					if audits++; audits > 200 {
						return false
					}
					if c.open(y) {
						return true
					}
				}
				best = d
			}
			return true
		}
		for _, v := range c.of[i] {
			y[i] = v
			if trials++; trials > 200000 {
				return false
			}
			if c.sums(last[i], y) && !fill(i+1) {
				return false
			}
		}
		return true
	}
	ok = fill(0)
	return best, ok
}

func (c *choices) sums(rows []int, y []int64) bool {
	for _, j := range rows {
		cells, coef := c.t.Rel.Row(j)
		s := -c.t.Rel.RHS[j]
		for e, i := range cells {
			s += int64(coef[e]) * y[i]
		}
		if s != 0 {
			return false
		}
	}
	return true
}

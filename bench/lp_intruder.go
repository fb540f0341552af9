package bench

import (
	"context"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// withheldShare is the share of cells withheld in the intruder's programs.
const withheldShare = 0.2

// Number of solves in a pass of each kind.
const (
	coldSolves      = 4
	objectiveSolves = 20
	boundsSolves    = 10
)

// An intruderCase holds the programs
//
//	min ±y_k   s.t.  M y = b,  lower_i ≤ y_i ≤ upper_i if i is withheld, else y_i = a_i
//
// of an intruder who asks for the ends of the interval of one withheld cell k after another.
type intruderCase struct {
	t        *table.Table
	withheld []int
}

// newIntruderCase draws the pattern: every cell with probability withheldShare.
func newIntruderCase(t *table.Table) *intruderCase {
	c := &intruderCase{t: t}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range t.Len() {
		if rng.Float64() < withheldShare {
			c.withheld = append(c.withheld, i)
		}
	}
	if len(c.withheld) == 0 {
		c.withheld = []int{rng.IntN(t.Len())}
	}
	return c
}

// withhold returns the bounds of cell i when it is withheld.
func (c *intruderCase) withhold(i int) (lo, up float64) {
	return float64(c.t.Lower[i]), float64(c.t.Upper[i])
}

// full returns the program over all cells, with zero costs.
func (c *intruderCase) full() *lp.Problem {
	t := c.t
	n := t.Len()
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for i, v := range t.Value {
		p.Lo[i], p.Up[i] = float64(v), float64(v)
	}
	for _, i := range c.withheld {
		p.Lo[i], p.Up[i] = c.withhold(i)
	}
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		r := lp.Row{Lo: float64(t.Rel.RHS[j]), Up: float64(t.Rel.RHS[j]), Idx: cell, Val: make([]float64, len(coef))}
		for k, v := range coef {
			r.Val[k] = float64(v)
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

// reduced returns the program over the withheld cells; the other cells are moved to the right-hand sides, and rows
// without a withheld cell are omitted.
func (c *intruderCase) reduced() *lp.Problem {
	n := len(c.withheld)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	column := make(map[int32]int32, n)
	for k, i := range c.withheld {
		column[int32(i)] = int32(k)
		p.Lo[k], p.Up[k] = c.withhold(i)
	}
	for j := range c.t.Rel.Len() {
		cell, coef := c.t.Rel.Row(j)
		rest := c.t.Rel.RHS[j]
		var r lp.Row
		for e, i := range cell {
			if k, ok := column[i]; ok {
				r.Idx, r.Val = append(r.Idx, k), append(r.Val, float64(coef[e]))
			} else {
				rest -= int64(coef[e]) * c.t.Value[i]
			}
		}
		if r.Lo, r.Up = float64(rest), float64(rest); len(r.Idx) > 0 {
			p.Rows = append(p.Rows, r)
		}
	}
	return p
}

// script asks questions of a kind:
//
//	cold       each a new model of the withheld cells
//	objective  the same such model, another cell or direction
//	bounds     a model of all cells; before each question a tenth of the withheld
//	           ones, drawn with repetition, are published or withheld
func (c *intruderCase) script(kind string) (*lpScript, error) {
	rec, err := newRecorder(coldSolves + objectiveSolves + boundsSolves)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	rng := rand.New(rand.NewPCG(3, 4))
	q := &questions{rec: rec}
	switch kind {
	case "cold":
		p := c.reduced()
		for range coldSolves {
			k := rng.IntN(len(c.withheld))
			p.Cost[k] = sign(rng)
			q.do(rec.reopen())
			q.do(rec.Load(p))
			q.solve()
			p.Cost[k] = 0
		}
		return rec.finish(1), q.err
	case "objective":
		q.do(rec.Load(c.reduced()))
		q.solve()
		loop := len(rec.script.calls)
		last := 0
		for range objectiveSolves {
			q.do(rec.SetCost(last, 0))
			last = rng.IntN(len(c.withheld))
			q.do(rec.SetCost(last, sign(rng)))
			q.solve()
		}
		return q.repeat(loop, last), q.err
	}
	q.do(rec.Load(c.full()))
	q.solve()
	loop := len(rec.script.calls)
	last := 0
	for range boundsSolves {
		for range max(1, len(c.withheld)/10) {
			i := c.withheld[rng.IntN(len(c.withheld))]
			lo, up := c.withhold(i)
			if rng.IntN(2) == 0 {
				lo, up = float64(c.t.Value[i]), float64(c.t.Value[i])
			}
			q.do(rec.SetColBounds(i, lo, up))
		}
		q.do(rec.SetCost(last, 0))
		last = c.withheld[rng.IntN(len(c.withheld))]
		q.do(rec.SetCost(last, sign(rng)))
		q.solve()
	}
	s := q.repeat(loop, last)
	for _, i := range c.withheld {
		lo, up := c.withhold(i)
		s.calls = append(s.calls, lpCall{op: opCol, at: int32(i), lo: lo, up: up})
	}
	return s, q.err
}

// questions asks a recorder questions until one fails.
type questions struct {
	rec *recorder
	err error
}

func (q *questions) do(err error) {
	if q.err == nil {
		q.err = err
	}
}

func (q *questions) solve() {
	if q.err != nil {
		return
	}
	r, err := q.rec.Solve(context.Background())
	if err == nil && r.Status != lp.Optimal {
		err = i18n.Errorf("bench: intruder's program: %v (%s)", r.Status, r.Raw)
	}
	q.err = err
}

// repeat finishes a script whose loop ends with a nonzero cost at column last, which must be reset for the next pass.
func (q *questions) repeat(loop, last int) *lpScript {
	s := q.rec.finish(loop)
	s.calls = append(s.calls, lpCall{op: opCost, at: int32(last)})
	return s
}

// sign draws a minimum or a maximum.
func sign(rng *rand.Rand) float64 { return float64(1 - 2*rng.IntN(2)) }

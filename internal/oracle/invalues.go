package oracle

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/rational"
)

// InValues computes intervals if no base fits 64 bits: every problem is posed in values instead of deviations, as one
// program over all cells.
type InValues struct {
	r    *refiner
	part *component
}

// InValues poses the intruder's problem in values.
func (b *Base) InValues() *InValues {
	r := b.refiner()
	return &InValues{r: r, part: r.all()}
}

// A ValueEnd is one end of the interval of a cell; Value is nil if it is infinite.
type ValueEnd struct {
	Value   *big.Rat
	Witness *Values // nil if not asked for
}

// Ends computes the interval of cell k, both ends proved.
func (v *InValues) Ends(ctx context.Context, k int, witness bool) ([2]ValueEnd, error) {
	var ends [2]ValueEnd
	r, part := v.r, v.part
	if r.lo[k] == r.up[k] {
		a, err := part.s.Feasible(ctx, part.steps())
		if err != nil {
			return ends, err
		}
		end := ValueEnd{Value: new(big.Rat).SetInt64(r.lo[k])}
		if witness {
			end.Witness = NewValues(part.spread(r, a.X))
		}
		return [2]ValueEnd{end, end}, nil
	}
	for side, sign := range [2]int{-1, 1} {
		a, err := part.s.Maximise(ctx, int(r.at[k]), sign, part.steps())
		switch {
		case ctx.Err() != nil:
			return ends, context.Cause(ctx)
		case err != nil || a.Status == rational.Infeasible || !part.holds(r, a.X):
			return ends, ErrInexact
		}
		y := a.X
		var value *big.Rat
		if a.Status == rational.Unbounded {
			if !part.leads(r, a.Ray, int(r.at[k]), sign) {
				return ends, ErrInexact
			}
			y = along(a, int(r.at[k]), sign, 1<<40)
		} else {
			if value = new(big.Rat); y.Num[r.at[k]] != nil {
				value.SetFrac(y.Num[r.at[k]], y.Den)
			}
			if most := part.dual(r, k, sign, a.Y).most(r, sign); most == nil || most.Cmp(value) != 0 {
				return ends, ErrInexact
			}
		}
		ends[side].Value = value
		if witness {
			ends[side].Witness = NewValues(part.spread(r, y))
		}
	}
	return ends, nil
}

package partial

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/certificate"
)

// narrow reduces intervals that rounding made wider than needed: first to what the witnesses need, then, dearest first,
// by whole ends or single steps, as long as they protect. kept are the witnesses of y and become those of the result.
// If ctx ends, it returns the result so far. Cost: at most trials checks of all levels.
func (o *subproblem) narrow(ctx context.Context, e Ends, y []int64, kept []*certificate.Witness, trials int) ([]int64, []*certificate.Witness, error) {
	p := o.p
	ended := func(err error) ([]int64, []*certificate.Witness, error) {
		if ctx.Err() != nil {
			err = nil
		}
		return y, kept, err
	}
	broken, err := o.verify(ctx, y, 1)
	if err != nil || len(broken) > 0 {
		return ended(err)
	}
	y, kept = o.fit(e, y), o.witnesses(1)
	var order []int
	for c, v := range y {
		if v > 0 {
			order = append(order, c)
		}
	}
	gain := func(c int) *big.Int { return new(big.Int).Mul(p.weight[c], big.NewInt(y[c])) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(gain(b).Cmp(gain(a)), cmp.Compare(a, b)) })
	for _, c := range order {
		for _, to := range [2]int64{p.least[c], p.inward(e, c, y[c])} {
			if trials <= 0 {
				return y, kept, nil
			}
			if to = p.outward(e, c, max(to, p.least[c])); to >= y[c] {
				continue
			}
			trials--
			try := slices.Clone(y)
			try[c] = to
			broken, err := o.verify(ctx, try, 1)
			if err != nil {
				return ended(err)
			}
			if len(broken) == 0 {
				y, kept = o.fit(e, try), o.witnesses(1)
				break
			}
		}
	}
	return y, kept, nil
}

// fit reduces y to what the witnesses of the last verify need.
func (o *subproblem) fit(e Ends, y []int64) []int64 {
	out := o.p.rounded(e, o.need())
	for c := range y {
		out[c] = min(y[c], out[c])
	}
	return out
}

package partial

import (
	"cmp"
	"context"
	"math/big"
	"slices"
)

// narrow takes back what rounding made superfluous: first what no witness needs, then, dearest first, whole ends or a step of one, as long as the
// rest protects. It leaves the witnesses of what it returns with the oracle. Cost: at most trials checks of all levels.
func (o *oracle) narrow(ctx context.Context, e Ends, y []int64, trials int) ([]int64, error) {
	p := o.p
	if _, err := o.verify(ctx, y, 1); err != nil {
		return nil, err
	}
	y = o.fit(e, y)
	var order []int
	for c, v := range y {
		if v > 0 {
			order = append(order, c)
		}
	}
	gain := func(c int) *big.Int { return new(big.Int).Mul(p.weight[c], big.NewInt(y[c])) }
	slices.SortStableFunc(order, func(a, b int) int {
		if g := gain(b).Cmp(gain(a)); g != 0 {
			return g
		}
		return cmp.Compare(a, b)
	})
	for _, c := range order {
		for _, to := range [2]int64{p.least[c], p.inward(e, c, y[c])} {
			if trials <= 0 {
				break
			}
			if to = p.outward(e, c, max(to, p.least[c])); to >= y[c] {
				continue
			}
			trials--
			try := slices.Clone(y)
			try[c] = to
			broken, err := o.verify(ctx, try, 1)
			if err != nil {
				return nil, err
			}
			if len(broken) == 0 {
				y = o.fit(e, try)
				break
			}
		}
	}
	broken, err := o.verify(ctx, y, 1)
	if err == nil && len(broken) > 0 {
		err = errInfeasible // never: all of y was verified
	}
	return y, err
}

// fit takes back what the witnesses of the last verify, of y, do not need.
func (o *oracle) fit(e Ends, y []int64) []int64 {
	out := o.p.rounded(e, o.need())
	for c := range y {
		out[c] = min(y[c], out[c])
	}
	return out
}

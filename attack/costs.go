package attack

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// costs are the costs of withholding the cells at the positions.
type costs struct {
	price []int64             // by position, if it does not depend on the value
	cost  func(v int64) int64 // instead of price: the cost of a cell with value v
}

// costsOf sets the costs of base as the office does and returns those of the cells at the positions.
func costsOf(o *Office, base *table.Table, cells []int32) (c costs, err error) {
	kind := o.cost()
	if err := base.SetCost(kind); err != nil {
		return c, err
	}
	for _, i := range cells {
		c.price = append(c.price, base.Cost[i])
	}
	switch {
	case kind.Kind == "count" || kind.Kind == "given" || kind.Kind == "freq" && base.Freq != nil:
	case kind.Kind == "value" || kind.Kind == "freq":
		unit := table.Pow10(base.Decimals)
		c.cost = func(v int64) int64 { return max(unit, num.Abs(v)) }
	default:
		return c, i18n.Errorf("attack: costs %s are not supported, want count, value, freq or given", kind.Kind)
	}
	return c, nil
}

// check rejects costs whose sum over all cells, those in the box at their dearest, exceeds 2^62. published and pos are
// indexed by cell.
func (c *costs) check(published []int64, pos []int32, b box) error {
	l, u := b.ends()
	sum := new(big.Int)
	for i, w := range published {
		if p := pos[i]; p >= 0 {
			w = max(c.weight(p, l[p]), c.weight(p, u[p]))
		}
		sum.Add(sum, big.NewInt(w))
	}
	if sum.Cmp(big.NewInt(1<<62)) > 0 {
		return i18n.Errorf("attack: the costs of a candidate can add up to %s, want at most 18 digits; scale them down", sum)
	}
	return nil
}

// weight returns the cost of position p at the value v.
func (c *costs) weight(p int32, v int64) int64 {
	if c.cost == nil {
		return c.price[p]
	}
	return c.cost(v)
}

// leastWeight returns the least cost of position p over [l, u].
func (c *costs) leastWeight(p int32, l, u int64) int64 {
	if c.cost == nil {
		return c.price[p]
	}
	if l <= 0 && u >= 0 {
		return c.cost(0)
	}
	return min(c.cost(l), c.cost(u))
}

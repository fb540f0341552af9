package insider

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// A probe determines exactly what a coalition learns about one cell of a block. It is not safe for concurrent use.
type probe struct {
	b      *block
	lp     string
	values bool
	exact  *oracle.Exact // with the block's capacities, or unit capacities if there are no values
	free   *oracle.Exact // with unit capacities; opened when needed
	up, dn []int64
}

func (p *probe) close() {
	for _, e := range []*oracle.Exact{p.exact, p.free} {
		if e != nil {
			e.Close()
		}
	}
}

// fix sets up the engine for coalition q.
func (p *probe) fix(q []int32) error {
	if p.exact == nil {
		var err error
		if p.exact, err = p.b.sys.NewExact("", p.lp); err != nil {
			return err
		}
	}
	p.up, p.dn = append(p.up[:0], p.b.up...), append(p.dn[:0], p.b.dn...)
	p.fixCells(q)
	p.exact.SetCapacities(p.up, p.dn, p.b.clamp)
	return nil
}

// fixCells sets the capacities of the cells that q knows to 0.
func (p *probe) fixCells(q []int32) {
	for _, m := range q {
		for _, c := range p.b.knows[m] {
			p.up[c], p.dn[c] = 0, 0
		}
	}
}

// levels looks, after fix, for points that show the levels of t; they may turn out to be insufficient. d is nil if u
// alone shows them.
func (p *probe) levels(ctx context.Context, t *target) (u, d *oracle.End, err error) {
	if !p.values {
		u, err = p.end(ctx, t, 1)
		return u, nil, err
	}
	if u, err = p.exact.Max(ctx, int(t.k), 1, max(t.upl, t.spl+1), false); err != nil {
		return nil, nil, err
	}
	reached := floor(u.Value)
	if reached < t.upl {
		return u, nil, nil
	}
	need := max(t.lpl, t.spl-reached)
	if t.strict && reached <= t.spl {
		need = max(need, t.spl+1-reached)
	}
	if u.Value.Sign() == 0 {
		need = max(need, 1)
	}
	if need > 0 {
		d, err = p.exact.Max(ctx, int(t.k), -1, need, false)
	}
	return u, d, err
}

// end returns, after fix, the proved end of cell t.k in direction sign.
func (p *probe) end(ctx context.Context, t *target, sign int) (*oracle.End, error) {
	limit := p.b.clamp
	if !p.b.ends[t.k] {
		limit = table.PosInf
	}
	return p.exact.Max(ctx, int(t.k), sign, limit, true)
}

// byRelations reports whether the relations and coalition q alone determine cell k: whether z_k = 0 whenever M z = 0,
// z_q = 0 and |z| ≤ 1. A dual that bounds z_k by 0 has d_i = 0 outside Q and so is the combination described at Run.
func (p *probe) byRelations(ctx context.Context, t *target, q []int32) (bool, error) {
	if !p.values {
		return true, nil
	}
	if p.free == nil {
		var err error
		if p.free, err = p.b.sys.NewExact("", p.lp); err != nil {
			return false, err
		}
	}
	for c := range p.up {
		p.up[c], p.dn[c] = 1, 1
	}
	p.fixCells(q)
	p.free.SetCapacities(p.up, p.dn, 2)
	end, err := p.free.Max(ctx, int(t.k), 1, table.PosInf, true)
	return err == nil && end.Value.Sign() == 0 && end.Bound != nil && end.Bound.Sign() == 0, err
}

// floor returns ⌊r⌋, limited to ±2^61.
func floor(r *big.Rat) int64 {
	v := new(big.Int).Div(r.Num(), r.Denom())
	if !v.IsInt64() {
		return 1 << 61
	}
	return min(v.Int64(), 1<<61)
}

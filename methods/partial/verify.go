package partial

import (
	"context"
	"math/big"
	"slices"
	"sort"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// capacities returns how far y, in units of 1/fine, allows each cell to move, upwards and downwards.
func (p *problem) capacities(y []int64, fine int64) (room [2][]int64) {
	for d := range room {
		room[d] = make([]int64, p.t.Len())
		for i, g := range p.given[d] {
			room[d][i] = times(g, fine)
		}
	}
	for c, i := range p.cell {
		room[p.dir[c]][i] = y[c]
	}
	return room
}

// verify looks for a witness of every level with the capacities of y, in exact arithmetic. It returns the levels
// without one, ascending; the shards keep the witnesses.
func (o *subproblem) verify(ctx context.Context, y []int64, fine int64) (broken []int, err error) {
	room := o.p.capacities(y, fine)
	clamp := protection.Clamp(o.p.levels) * fine
	err = parallel.Do(ctx, len(o.shards), o.workers, func(ctx context.Context, s int) error {
		sh := o.shards[s]
		sh.ends, sh.broken = sh.ends[:0], sh.broken[:0]
		if sh.exact == nil {
			var err error
			if sh.exact, err = o.p.sys.NewExact("", o.backend); err != nil {
				return err
			}
		}
		sh.exact.SetCapacities(room[up], room[down], clamp)
		for _, li := range sh.levels {
			ok, err := sh.met(ctx, o.p.levels[li], fine)
			if err != nil {
				return err
			}
			if !ok {
				sh.broken = append(sh.broken, li)
			}
		}
		return nil
	})
	for _, sh := range o.shards {
		broken = append(broken, sh.broken...)
	}
	slices.Sort(broken)
	return broken, err
}

// met looks for a witness of level l, first among those of other levels, and keeps what it finds.
func (sh *shard) met(ctx context.Context, l protection.Level, fine int64) (bool, error) {
	l.RHS *= fine
	hi, lo := new(big.Rat), new(big.Rat)
	for _, e := range sh.ends {
		switch v := moved(e, l.K); {
		case v == nil:
		case v.Cmp(hi) > 0:
			hi = v
		case new(big.Rat).Neg(v).Cmp(lo) > 0:
			lo = new(big.Rat).Neg(v)
		}
	}
	for _, proof := range [2]bool{false, true} {
		for side, sign := range [2]int{1, -1} {
			if l.Holds(hi, lo) {
				return true, nil
			}
			if l.Side == protection.Upper && side == 1 || l.Side == protection.Lower && side == 0 {
				continue
			}
			limit := l.RHS
			if l.Strict {
				limit++
			}
			end, err := sh.exact.Max(ctx, int(l.K), sign, limit, proof)
			if err != nil {
				return false, err
			}
			sh.ends = append(sh.ends, end)
			if side == 0 && end.Value.Cmp(hi) > 0 {
				hi = end.Value
			} else if side == 1 && end.Value.Cmp(lo) > 0 {
				lo = end.Value
			}
		}
		if sh.exact.Name() == "network" { // flows are exact
			break
		}
	}
	return l.Holds(hi, lo), nil
}

// moved returns z_k of an end, nil if it is 0.
func moved(e *oracle.End, k int32) *big.Rat {
	at := sort.Search(len(e.Idx), func(t int) bool { return e.Idx[t] >= k })
	if !slices.IsSorted(e.Idx) { // witnesses of a network are not sorted
		at = slices.Index(e.Idx, k)
	}
	if at < 0 || at == len(e.Idx) || e.Idx[at] != k {
		return nil
	}
	return e.At(at)
}

// witnesses returns those of the last verify, in units of the table.
func (o *subproblem) witnesses(fine int64) []*certificate.Witness {
	var out []*certificate.Witness
	for _, sh := range o.shards {
		for _, e := range sh.ends {
			switch {
			case len(e.Idx) == 0:
			case e.Wide != nil:
				out = append(out, &certificate.Witness{Cells: e.Idx, Long: &certificate.Long{Den: new(big.Int).Mul(e.Wide.Den, big.NewInt(fine)), Num: e.Wide.Num}})
			default:
				out = append(out, &certificate.Witness{Den: e.Den * fine, Cells: e.Idx, Num: e.Num})
			}
		}
	}
	return out
}

// need returns, by column, how far the witnesses of the last verify move its cell in its direction, rounded up to units
// of 1/fine.
func (o *subproblem) need() []int64 {
	p := o.p
	need := make([]int64, len(p.cell))
	for _, sh := range o.shards {
		for _, e := range sh.ends {
			for t, i := range e.Idx {
				z := e.At(t)
				d := up
				if z.Sign() < 0 {
					d = down
				}
				if c := p.col[d][i]; c >= 0 {
					need[c] = max(need[c], ceiling(z.Abs(z)))
				}
			}
		}
	}
	return need
}

// ceiling returns ⌈v⌉ for v ≥ 0, table.PosInf if that is beyond farthest.
func ceiling(v *big.Rat) int64 {
	q, r := new(big.Int).QuoRem(v.Num(), v.Denom(), new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() || q.Int64() > farthest {
		return table.PosInf
	}
	return q.Int64()
}

// protected makes y, in units of 1/fine, protect the table exactly: floating point leaves it slightly too narrow. It
// widens the columns in the duals of the failing levels, or all columns if there is no dual, by growing steps.
func (o *subproblem) protected(ctx context.Context, y []int64, fine int64) error {
	p := o.p
	limit := make([]int64, len(y))
	for j, room := range p.room {
		limit[j] = min(times(room, fine), farthest)
	}
	step := int64(1)
	for range 60 {
		broken, err := o.verify(ctx, y, fine)
		if err != nil || len(broken) == 0 {
			return err
		}
		moved := false
		for j := range y {
			if y[j] > 0 && y[j] < limit[j] {
				more, left := max(1, num.CeilDiv(y[j], 1<<30)), limit[j]-y[j]
				if more > left/step {
					y[j] = limit[j]
				} else {
					y[j] += more * step
				}
				moved = true
			}
		}
		if !moved {
			break
		}
		step *= 2
	}
	return errInfeasible
}

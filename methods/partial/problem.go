package partial

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// The directions of a column: y⁺ and y⁻ of a cell.
const up, down = 0, 1

// farthest is the largest distance of a published end from its value; beyond it the end is infinite (table.PosInf, at
// the cost of that number).
const farthest = 1 << 60

// times returns v·fine, table.PosInf on overflow.
func times(v, fine int64) int64 {
	if v > table.PosInf/fine {
		return table.PosInf
	}
	return v * fine
}

// weightBits is the precision of weights: they are multiples of 2^−weightBits of a unit of cost.
const weightBits = 64

// A problem is a table in the form of the linear program. It is immutable.
type problem struct {
	t      *table.Table
	sys    *oracle.System
	levels []protection.Level
	col    [2][]int32 // by direction and cell: its column, −1 for none
	cell   []int32    // by column
	dir    []int8     // by column
	room   []int64    // by column: U_i or L_i, table.PosInf
	least  []int64    // by column: what the levels require of the cell's own interval
	weight []*big.Int // by column: cost of one unit of the value, in 2^−weightBits of a unit of cost
	exact  bool       // a unit costs exactly what the cell costs; otherwise weights are rounded
	given  [2][]int64 // capacities of the cells that are always withheld, else 0
	most   []int64    // by cell: largest width; nil: no limits
}

func newProblem(t *table.Table, opt *Options) *problem {
	n := t.Len()
	p := &problem{t: t, sys: oracle.NewSystem(t.Rel), most: opt.MaxWidth, exact: opt.Absolute}
	asks := map[int32]bool{}
	for _, l := range protection.Levels(t) {
		if l.RHS > 0 { // requiring just more than one value does not determine a width
			asks[l.K] = true
		}
		if l.Strict && !opt.fractions { // ends are whole units, so a strict width requires at least one unit more
			l.RHS, l.Strict = l.RHS+1, false
		}
		p.levels = append(p.levels, l)
	}
	for _, i := range opt.Marked {
		asks[int32(i)] = false
	}
	for d := range p.col {
		p.col[d], p.given[d] = make([]int32, n), make([]int64, n)
	}
	for i := range n {
		p.col[up][i], p.col[down][i] = -1, -1
		U, L := protection.Capacities(t, i)
		switch t.Status[i] {
		case table.Published:
			continue
		case table.Withheld:
			p.given[up][i], p.given[down][i] = U, L
			continue
		case table.Sensitive:
			if !asks[int32(i)] { // no level determines the width of its interval
				p.given[up][i], p.given[down][i] = U, L
				continue
			}
		}
		w := p.weigh(i, opt.Absolute)
		for d, room := range [2]int64{up: U, down: L} {
			if room == 0 {
				continue
			}
			p.col[d][i] = int32(len(p.cell))
			p.cell, p.dir, p.room, p.least, p.weight = append(p.cell, int32(i)), append(p.dir, int8(d)), append(p.room, room), append(p.least, 0), append(p.weight, w)
		}
	}
	for _, l := range p.levels {
		d := up
		switch l.Side {
		case protection.Width:
			continue
		case protection.Lower:
			d = down
		}
		if c := p.col[d][l.K]; c >= 0 {
			p.least[c] = min(l.RHS, p.room[c])
		}
	}
	return p
}

// weigh returns the weight of a unit of cell i: an interval as wide as the value costs as much as a mark; with
// absolute, an interval of width one does. It is at least 1, so that no width is free.
func (p *problem) weigh(i int, absolute bool) *big.Int {
	t := p.t
	per := table.Pow10(t.Decimals)
	if !absolute {
		per = max(per, t.Value[i], -t.Value[i])
	}
	w := new(big.Int).Lsh(big.NewInt(t.Cost[i]), weightBits)
	w.Quo(w, big.NewInt(per))
	if w.Sign() == 0 {
		w.SetInt64(1)
	}
	return w
}

// charge returns the weight of column c as cost counts it: a cell without cost has a weight only if costs are expressed
// in weights.
func (p *problem) charge(c int) *big.Int {
	if p.exact && p.t.Cost[p.cell[c]] == 0 {
		return new(big.Int)
	}
	return p.weight[c]
}

// cost returns Σ w y for y in units of 1/fine.
func (p *problem) cost(y []int64, fine int64) *big.Rat {
	sum, whole, one := new(big.Int), new(big.Int), new(big.Int)
	for c, v := range y {
		switch cost := p.t.Cost[p.cell[c]]; {
		case v == 0:
		case p.exact:
			whole.Add(whole, one.Mul(one.SetInt64(v), big.NewInt(cost)))
		default:
			sum.Add(sum, one.Mul(p.weight[c], one.SetInt64(v)))
		}
	}
	units := new(big.Int).Mul(big.NewInt(fine), big.NewInt(table.Pow10(p.t.Decimals)))
	return new(big.Rat).Add(p.rat(sum, fine), new(big.Rat).SetFrac(whole, units))
}

// rat returns sum, in units of weights over fine, as a cost.
func (p *problem) rat(sum *big.Int, fine int64) *big.Rat {
	den := new(big.Int).Lsh(big.NewInt(fine), weightBits)
	return new(big.Rat).SetFrac(sum, den)
}

// opposite returns the level on the other side of the cell of l, 0 if there is none.
func (p *problem) opposite(l protection.Level) int64 {
	if l.Side == protection.Upper {
		return p.t.LPL[l.K]
	}
	return p.t.UPL[l.K]
}

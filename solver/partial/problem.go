package partial

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// The directions of a column: y⁺ and y⁻ of a cell.
const up, down = 0, 1

// farthest is how far an end that is published lies from its value at most; beyond there is none (table.PosInf, which is costed as its number).
const farthest = 1 << 60

// times is v·fine, table.PosInf where that is too much.
func times(v, fine int64) int64 {
	if v > table.PosInf/fine {
		return table.PosInf
	}
	return v * fine
}

// weightBits is how finely weights are held: in units of 2^−weightBits of a unit of cost.
const weightBits = 64

// A problem is a table as the linear program sees it. It is immutable.
type problem struct {
	t      *table.Table
	sys    *intruder.System
	levels []protection.Level
	col    [2][]int32 // by direction and cell: its column, −1 for none
	cell   []int32    // by column
	dir    []int8     // by column
	room   []int64    // by column: U_i or L_i, table.PosInf
	least  []int64    // by column: what the levels ask of the cell itself
	weight []*big.Int // by column, of one unit of the value, in 2^−weightBits of a unit of cost
	given  [2][]int64 // capacities of the cells withheld whatever is done, else 0
	most   []int64    // largest width by cell; nil: none
}

func newProblem(t *table.Table, opt *Options) *problem {
	n := t.Len()
	p := &problem{t: t, sys: intruder.NewSystem(t.Rel), most: opt.MaxWidth}
	for _, l := range protection.Levels(t) {
		if l.Strict && !opt.fractions { // ends are whole units, so that a width above a number is one at least a unit above
			l.RHS, l.Strict = l.RHS+1, false
		}
		p.levels = append(p.levels, l)
	}
	asks := map[int32]bool{}
	for _, l := range p.levels {
		asks[l.K] = true
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
			if !asks[int32(i)] { // nothing says how wide an interval has to be
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

// weigh returns the weight of a unit of cell i: an interval as wide as the value costs what a mark costs, or absolute: one as wide as one.
// It is at least 1, so that no width is free.
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

// cost returns Σ w y for y in units of 1/fine of a unit of the value.
func (p *problem) cost(y []int64, fine int64) *big.Rat {
	sum, one := new(big.Int), new(big.Int)
	for c, v := range y {
		if v != 0 {
			sum.Add(sum, one.Mul(p.weight[c], one.SetInt64(v)))
		}
	}
	return p.rat(sum, fine)
}

// rat returns a number in units of weights, over fine, as a cost.
func (p *problem) rat(sum *big.Int, fine int64) *big.Rat {
	den := new(big.Int).Lsh(big.NewInt(fine), weightBits)
	return new(big.Rat).SetFrac(sum, den)
}

// opposite returns what the level on the other side of the cell of l asks for, 0 for nothing.
func (p *problem) opposite(l protection.Level) int64 {
	if l.Side == protection.Upper {
		return p.t.LPL[l.K]
	}
	return p.t.UPL[l.K]
}

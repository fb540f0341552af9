package solver

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// A protectionLevel is one requirement on one sensitive cell.
type protectionLevel = protection.Level

const upper, lower, width = protection.Upper, protection.Lower, protection.Width

// A problem is a table in the form that the search uses. It is immutable.
type problem struct {
	t   *table.Table
	sys *oracle.System
	n   int
	m   int // number of cells of a layer; the copies of cell i < m are i, i+m, i+2m, …
	capacities
	given []bool // x_i = 1 from the start: sensitive or withheld beforehand
	columns
	levels []protectionLevel
	off    techniques
	shown  []*certificate.Witness // witnesses of levels that always hold and so are not in levels
	warm   *warmStart             // memory of parts with the same relations; may be nil
	record bool                   // record for every cut the rule that proves it
}

// capacities tell how far cells can move.
type capacities struct {
	iup     []int64 // U_i = ub_i − a_i, table.PosInf if unbounded
	idn     []int64 // L_i = a_i − lb_i
	up, dn  []float64
	moves   []bool  // by cell: its copy in some layer has capacity
	iclamp  int64   // above every right-hand side
	typical float64 // capacity of a typical cell, see typicalCapacity
}

// columns are the columns of the master.
type columns struct {
	cand []int32 // secondary candidates of the first layer, ascending
	col  []int32 // cell → column of its first copy, −1
	cost []int64 // by column, divided by unit
	unit int64   // gcd of the costs
}

func newProblem(t *table.Table, sys *oracle.System) *problem {
	n := t.Len()
	p := &problem{t: t, sys: sys, n: n, m: n / max(1, t.Layers),
		capacities: capacities{iup: make([]int64, n), idn: make([]int64, n), up: make([]float64, n), dn: make([]float64, n), moves: make([]bool, n)},
		given:      make([]bool, n), columns: columns{col: make([]int32, n)}}
	for i := range n {
		p.iup[i], p.idn[i] = protection.Capacities(t, i)
		p.up[i], p.dn[i] = real(p.iup[i]), real(p.idn[i])
		p.col[i] = -1
		p.given[i] = t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld
	}
	for i := range p.m {
		moves, cost := false, int64(0)
		for k := i; k < n; k += p.m {
			moves = moves || p.iup[k] > 0 || p.idn[k] > 0
			cost += t.Cost[k]
		}
		if !moves { // a cell that the intruder knows anyway protects nothing
			continue
		}
		c := int32(-1)
		if t.Status[i] == table.Safe {
			c = int32(len(p.cand))
			p.cand = append(p.cand, int32(i))
			p.cost = append(p.cost, cost)
			p.unit = num.GCD(p.unit, cost)
		}
		for k := i; k < n; k += p.m {
			p.moves[k], p.col[k] = true, c
		}
	}
	p.unit = max(1, p.unit)
	for c := range p.cost {
		p.cost[c] /= p.unit
	}
	p.levels = protection.Levels(t)
	p.iclamp = protection.Clamp(p.levels)
	p.typical = p.typicalCapacity()
	return p
}

// idle marks the cells that are withheld from the start and have no level.
func (p *problem) idle() []bool {
	idle := slices.Clone(p.given)
	for _, l := range p.levels {
		idle[l.K] = false
	}
	return idle
}

func real(v int64) float64 {
	if v == table.PosInf {
		return math.Inf(1)
	}
	return float64(v)
}

// pattern converts the columns in set into a pattern over all cells.
func (p *problem) pattern(set []bool) []bool {
	x := append([]bool(nil), p.given...)
	for c, in := range set {
		for i := int(p.cand[c]); in && i < p.n; i += p.m {
			x[i] = true
		}
	}
	return x
}

// price returns Σ cost over the columns in set.
func (p *problem) price(set []bool) int64 {
	sum := int64(0)
	for c, in := range set {
		if in {
			sum += p.cost[c]
		}
	}
	return sum
}

// weights fills w with the weights of all cells for the columns x.
func (p *problem) weights(x []float64, w []float64) {
	for i := range p.n {
		switch c := p.col[i]; {
		case c >= 0:
			w[i] = x[c]
		case p.given[i]:
			w[i] = 1
		default:
			w[i] = 0
		}
	}
}

// degree returns the lower quartile, over the cells that may be withheld, of the number of relations that a cell is in.
// For a flat table it is the number of dimensions, as an inner cell is in one relation for each.
func (p *problem) degree() int {
	if len(p.cand) == 0 {
		return 0
	}
	d := p.degrees()
	return d[len(d)/4]
}

// trees reports whether a tenth of these cells are in more relations than degree, as cells at inner codes of a tree
// are: margins of one relation and parts of another of the same variable. In a flat table each cell is in one relation
// for each variable.
func (p *problem) trees() bool {
	d := p.degrees()
	return len(d) > 0 && d[len(d)-1-len(d)/10] > d[len(d)/4]
}

// degrees returns the numbers of relations of these cells, ascending.
func (p *problem) degrees() []int {
	d := make([]int, len(p.cand))
	for c, i := range p.cand {
		d[c] = int(p.sys.Cols.Ptr[i+1] - p.sys.Cols.Ptr[i])
	}
	slices.Sort(d)
	return d
}

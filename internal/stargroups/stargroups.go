// Package stargroups solves the integer program of withholding as few values as possible (risk.GroupProgram) by branch and bound over
// linear programs of some back end of lp. Every bound is computed anew from the duals, rounded, in whole numbers, so that it is proved whatever a back end's floating point did.
package stargroups

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/risk"
)

// Limits bound a search.
type Limits struct {
	Nodes      int // programs
	Iterations int // of the simplex method, in all
}

// Solve searches p. It needs a back end that gives duals. Where a limit is met, or a back end has no verdict, the bound is the least of what was left open. Cost: a linear
// program with as many columns as p has pairs of class and group at each node.
func Solve(ctx context.Context, solver lp.Solver, p *risk.GroupProgram, limits Limits) (*risk.GroupSolution, error) {
	s := &search{ctx: ctx, lp: solver, p: p, limits: limits, best: p.Best}
	if err := s.load(); err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	return &risk.GroupSolution{Bound: s.bound, Records: s.found}, nil
}

// A pair is a column x_gc.
type pair struct{ class, group, at int }

type search struct {
	ctx    context.Context
	lp     lp.Solver
	p      *risk.GroupProgram
	limits Limits
	pairs  []pair
	model  *lp.Problem // as loaded, with the links added since; the columns are the x, then the y
	linked []bool      // by pair: its row x_gc ≤ f_g y_c is there
	best   uint64
	bound  uint64
	found  [][]uint64
	stack  []node
}

// A node fixes some y.
type node struct {
	fixed map[int]float64
	bound uint64
}

func (s *search) y(group int) int { return len(s.pairs) + group }

func (s *search) load() error {
	p := s.p
	m := &lp.Problem{}
	assign := make([]lp.Row, len(p.Classes))
	for g, f := range p.Classes {
		assign[g].Lo, assign[g].Up = float64(f), float64(f)
	}
	size := make([]lp.Row, len(p.Groups))
	for c, x := range p.Groups {
		size[c].Up = math.Inf(1)
		for i, g := range x.Classes {
			j := int32(len(s.pairs))
			s.pairs = append(s.pairs, pair{g, c, i})
			m.Cost, m.Lo, m.Up = append(m.Cost, float64(x.Cost)), append(m.Lo, 0), append(m.Up, float64(p.Classes[g]))
			assign[g].Idx, assign[g].Val = append(assign[g].Idx, j), append(assign[g].Val, 1)
			size[c].Idx, size[c].Val = append(size[c].Idx, j), append(size[c].Val, 1)
		}
	}
	for c := range p.Groups {
		size[c].Idx, size[c].Val = append(size[c].Idx, int32(s.y(c))), append(size[c].Val, -float64(p.K))
		m.Cost, m.Lo, m.Up = append(m.Cost, 0), append(m.Lo, 0), append(m.Up, 1)
	}
	m.Rows = append(assign, size...)
	s.model, s.linked = m, make([]bool, len(s.pairs))
	return s.lp.Load(m)
}

// run goes through nodes, depth first.
func (s *search) run() error {
	s.stack = []node{{}}
	open := uint64(math.MaxUint64) // least bound of what was left open
	for nodes := 0; len(s.stack) > 0; nodes++ {
		n := s.stack[len(s.stack)-1]
		if nodes >= s.limits.Nodes || s.limits.Iterations <= 0 {
			for _, n := range s.stack {
				open = min(open, n.bound)
			}
			break
		}
		s.stack = s.stack[:len(s.stack)-1]
		if n.bound >= s.best {
			continue
		}
		settled, err := s.node(&n)
		if err != nil {
			return err
		}
		if !settled {
			open = min(open, n.bound)
		}
	}
	s.bound = min(open, s.best)
	return nil
}

// node solves a node, and puts its children on the stack. It returns false where nothing can be said of it but its bound.
func (s *search) node(n *node) (settled bool, err error) {
	for c := range s.p.Groups {
		lo, up := 0.0, 1.0
		if v, ok := n.fixed[c]; ok {
			lo, up = v, v
		}
		if j := s.y(c); s.model.Lo[j] != lo || s.model.Up[j] != up {
			s.model.Lo[j], s.model.Up[j] = lo, up
			if err := s.lp.SetColBounds(j, lo, up); err != nil {
				return false, err
			}
		}
	}
	for {
		if s.limits.Iterations <= 0 {
			return false, nil
		}
		s.lp.SetLimits(lp.Limits{Iterations: s.limits.Iterations})
		r, err := s.lp.Solve(s.ctx)
		if err != nil {
			return false, err
		}
		if s.ctx.Err() != nil {
			return false, context.Cause(s.ctx)
		}
		s.limits.Iterations -= r.Iterations + 1
		switch {
		case r.Status == lp.Infeasible:
			return r.Farkas != nil && s.proved(r.Farkas, false).Sign() > 0, nil
		case r.Status != lp.Optimal || r.Dual == nil:
			return false, nil
		}
		n.bound = max(n.bound, ceiling(s.proved(r.Dual, true)))
		if n.bound >= s.best {
			return true, nil
		}
		added, err := s.link(r.Primal)
		if err != nil {
			return false, err
		}
		if !added {
			return s.branch(n, r.Primal), nil
		}
	}
}

// link adds the rows x_gc ≤ f_g y_c that a solution violates.
func (s *search) link(x []float64) (bool, error) {
	var rows []lp.Row
	for j, q := range s.pairs {
		f := float64(s.p.Classes[q.class])
		if !s.linked[j] && x[j] > f*x[s.y(q.group)]+1e-6 {
			s.linked[j] = true
			rows = append(rows, lp.Row{Lo: math.Inf(-1), Up: 0, Idx: []int32{int32(j), int32(s.y(q.group))}, Val: []float64{1, -f}})
		}
	}
	if len(rows) == 0 {
		return false, nil
	}
	s.model.Rows = append(s.model.Rows, rows...)
	_, err := s.lp.AddRows(rows...)
	return true, err
}

// branch puts two children on the stack, the one that makes the group first; where all y are whole the solution is kept.
func (s *search) branch(n *node, x []float64) (settled bool) {
	at, far := -1, 1e-6
	for c := range s.p.Groups {
		y := x[s.y(c)]
		if d := min(y, 1-y); d > far {
			at, far = c, d
		}
	}
	if at < 0 {
		return s.keep(n, x)
	}
	for _, v := range []float64{0, 1} {
		fixed := map[int]float64{at: v}
		for c, v := range n.fixed {
			fixed[c] = v
		}
		s.stack = append(s.stack, node{fixed, n.bound})
	}
	return true
}

// keep takes a solution with whole y, after a check in whole numbers. The node is settled if its bound is no less.
func (s *search) keep(n *node, x []float64) bool {
	records := make([][]uint64, len(s.p.Groups))
	for c := range records {
		records[c] = make([]uint64, len(s.p.Groups[c].Classes))
	}
	left, value := append([]uint64(nil), s.p.Classes...), uint64(0)
	for j, q := range s.pairs {
		of := uint64(math.Round(max(0, x[j])))
		if of > left[q.class] {
			return false
		}
		left[q.class] -= of
		records[q.group][q.at] = of
		value += of * s.p.Groups[q.group].Cost
	}
	for _, n := range left {
		if n > 0 {
			return false
		}
	}
	for _, list := range records {
		size := uint64(0)
		for _, n := range list {
			size += n
		}
		if size > 0 && size < s.p.K {
			return false
		}
	}
	if value < s.best {
		s.best, s.found = value, records
	}
	return n.bound >= s.best
}

// unit is what duals are rounded to multiples of.
const unit = 1 << 20

// proved returns, in units, what the optimum is at least by multipliers of the rows: Σ y_i b_i + Σ_j min over x_j of (c_j − Σ_i y_i a_ij) x_j, b_i being the row's lower bound for
// y_i > 0 and else its upper one. Without costs a positive value proves that there is no solution.
func (s *search) proved(dual []float64, costs bool) *big.Int {
	sum, d := new(big.Int), make([]int64, len(s.model.Cost))
	if costs {
		for j, c := range s.model.Cost {
			d[j] = int64(c) * unit
		}
	}
	term := new(big.Int)
	add := func(a int64, b float64) {
		sum.Add(sum, term.Mul(big.NewInt(a), big.NewInt(int64(b))))
	}
	for i, row := range s.model.Rows {
		y := math.Round(dual[i] * unit)
		b := row.Lo
		if y < 0 {
			b = row.Up
		}
		if y == 0 || math.IsInf(b, 0) || math.IsNaN(y) || math.Abs(y) > 1<<40 {
			continue
		}
		add(int64(y), b)
		for k, j := range row.Idx {
			d[j] -= int64(y) * int64(row.Val[k])
		}
	}
	for j, d := range d {
		if d > 0 {
			add(d, s.model.Lo[j])
		} else {
			add(d, s.model.Up[j])
		}
	}
	return sum
}

// ceiling is the least whole number that is no less than x units.
func ceiling(x *big.Int) uint64 {
	if x.Sign() <= 0 {
		return 0
	}
	// Rounded duals may be some units below a whole number, so that nothing is added to what is proved.
	q, r := new(big.Int).QuoRem(x, big.NewInt(unit), new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Uint64()
}

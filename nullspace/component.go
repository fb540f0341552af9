package nullspace

import (
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A term is one entry of an equation: coef·y[cell].
type term struct {
	cell int32 // position among the withheld cells
	coef int64 // not 0
}

type equation struct {
	terms []term
	rhs   num
}

// restricted is the system A y = b over the withheld cells.
type restricted struct {
	n      int
	eqs    []equation
	broken bool // an equation without withheld cells is violated
}

// restrict moves published cells to the right-hand side. pos[i] is 1 + the position of cell i, 0 if it is published.
func restrict(rel *table.Relations, pos []int32, value []int64, n int) *restricted {
	s := &restricted{n: n}
	sum := make([]int64, n)
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		rhs := small(rel.RHS[j])
		var terms []term
		for t, i := range cell {
			if p := pos[i]; p > 0 {
				sum[p-1] += int64(coef[t])
				terms = append(terms, term{cell: p - 1})
			} else {
				rhs = rhs.sub(small(int64(coef[t])).mul(small(value[i])))
			}
		}
		e := equation{rhs: rhs}
		for _, x := range terms {
			if x.coef = sum[x.cell]; x.coef != 0 {
				e.terms = append(e.terms, x)
			}
			sum[x.cell] = 0 // a cell named twice counts once, with the summed coefficient
		}
		if len(e.terms) > 0 {
			s.eqs = append(s.eqs, e)
		} else if rhs.sign() != 0 {
			s.broken = true
		}
	}
	return s
}

// A component is a connected part of the graph of cells and equations.
type component struct {
	cells []int32 // positions, ascending
	eqs   []equation
}

// components splits the system into its components, ordered by first cell.
func (s *restricted) components() []*component {
	u := sets.New(s.n)
	for _, e := range s.eqs {
		for _, t := range e.terms[1:] {
			u.Join(e.terms[0].cell, t.cell)
		}
	}
	var all []*component
	of := make([]*component, s.n)
	for c := range int32(s.n) {
		r := u.Root(c)
		if of[r] == nil {
			of[r] = &component{}
			all = append(all, of[r])
		}
		of[r].cells = append(of[r].cells, c)
	}
	for _, e := range s.eqs {
		c := of[u.Root(e.terms[0].cell)]
		c.eqs = append(c.eqs, e)
	}
	return all
}

// A determined cell has only one possible value.
type determined struct {
	cell  int32
	value num
}

// blocks solves the equations of a component over the integers and splits the
// kernel into its direct summands; cells outside all of them are determined.
func (c *component) blocks() ([]*block, []determined, Reason) {
	local := make(map[int32]int32, len(c.cells))
	for k, p := range c.cells {
		local[p] = int32(k)
	}
	if s := newForest(c, local); s != nil {
		return s.blocks()
	}
	return c.eliminate(local)
}

// eliminate is blocks for equations with arbitrary coefficients. local maps positions to indices in c.cells.
func (c *component) eliminate(local map[int32]int32) ([]*block, []determined, Reason) {
	n := len(c.cells)
	ab := make([]row, len(c.eqs))
	for j, e := range c.eqs {
		ab[j] = newRow(n + 1)
		for _, t := range e.terms {
			ab[j].set(int(local[t.cell]), small(t.coef))
		}
		ab[j].set(n, e.rhs)
	}
	pivots, ok := reduce(&ab, n)
	if !ok {
		return nil, nil, NoRational
	}
	// Fundamental circuits: a free column and the pivots of the rows in which it occurs. Their connected components are
	// the summands (those of the matroid of A), and every row of the reduced form lies in one.
	u := sets.New(n)
	for k, c := range pivots {
		for j := range n {
			if j != c && !ab[k].zero(j) {
				u.Join(int32(c), int32(j))
			}
		}
	}
	var blocks []*block
	var points []determined
	for _, g := range u.Groups() {
		var rows []row
		var at []int // pivots within g
		for k, p := range pivots {
			i, in := slices.BinarySearch(g, int32(p))
			if !in {
				continue
			}
			w := newRow(len(g) + 1)
			for x, j := range g {
				w.set(x, ab[k].at(int(j)))
			}
			w.set(len(g), ab[k].at(n))
			rows, at = append(rows, w), append(at, i)
		}
		v, basis, ok := unitSolve(rows, at, len(g))
		if !ok {
			var kernel []row
			if v, kernel, ok = latticeSolve(rows, len(g)); !ok {
				return nil, nil, NoIntegral
			}
			basis = func() []row { return kernel }
		}
		cells := sets.Pick(c.cells, g)
		if len(g) == len(rows) {
			for x, p := range cells {
				points = append(points, determined{p, v.at(x)})
			}
			continue
		}
		blocks = append(blocks, &block{cells: cells, v: v, d: len(g) - len(rows), basis: basis})
	}
	return blocks, points, None
}

// unitSolve is latticeSolve for rows in reduced echelon form whose pivots are all 1, from which the solution can be
// read off; ok is false for other rows.
func unitSolve(ab []row, pivots []int, n int) (v row, basis func() []row, ok bool) {
	v = newRow(n)
	for k, p := range pivots {
		if ab[k].at(p).cmp(small(1)) != 0 {
			return v, nil, false
		}
		v.set(p, ab[k].at(n))
	}
	return v, func() (kernel []row) {
		for j := range n {
			if slices.Contains(pivots, j) {
				continue
			}
			w := newRow(n)
			w.set(j, small(1))
			for k, p := range pivots {
				w.set(p, ab[k].at(j).neg())
			}
			kernel = append(kernel, w)
		}
		return kernel
	}, true
}

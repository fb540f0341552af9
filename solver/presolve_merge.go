package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// A merger holds the matrix M while cells that never move are dropped and cells that move together are merged into
// groups, each led by its first cell. Tables with hierarchies lose up to two thirds of their cells this way.
type merger struct {
	t       *table.Table
	up, dn  []int64   // capacities of a group, by its leader
	alive   []bool    // by leader: the group may move
	lead    []int32   // leader of each cell's group
	sign    []int8    // z_cell = sign·z_lead
	members [][]int32 // other cells of a group, by its leader
	row     [][]coef
	col     [][]int32 // by leader: relations that it is, or was, in
	queue   []int32   // relations with one or two terms, to be processed
	queued  []bool
}

// A coef is a term of a relation.
type coef struct {
	i int32
	v int64
}

// newMerger starts with the cells that may be withheld and have capacity to move, and the relations marked by use (nil:
// all).
func newMerger(t *table.Table, use []bool) *merger {
	n, m := t.Len(), t.Rel.Len()
	g := &merger{t: t, up: make([]int64, n), dn: make([]int64, n), alive: make([]bool, n), lead: make([]int32, n), sign: make([]int8, n),
		members: make([][]int32, n), row: make([][]coef, m), col: make([][]int32, n), queued: make([]bool, m)}
	for i := range n {
		g.lead[i], g.sign[i] = int32(i), 1
		if t.Status[i] != table.Published {
			g.up[i], g.dn[i] = protection.Capacities(t, i)
		}
	}
	up, dn := slices.Clone(g.up), slices.Clone(g.dn)
	oracle.Tighten(t.Rel, up, dn)
	for i := range n {
		g.alive[i] = up[i]|dn[i] != 0
	}
	for j := range m {
		if use != nil && !use[j] {
			continue
		}
		cell, c := t.Rel.Row(j)
		row := make([]coef, 0, len(cell))
		for s, i := range cell {
			if g.alive[i] {
				row = append(row, coef{i, int64(c[s])})
			}
		}
		g.row[j] = sum(row)
		for _, x := range g.row[j] {
			g.col[x.i] = append(g.col[x.i], int32(j))
		}
		g.enqueue(int32(j))
	}
	return g
}

// sum sorts a relation by cell and adds up the terms of the same cell.
func sum(row []coef) []coef {
	slices.SortFunc(row, func(a, b coef) int { return int(a.i - b.i) })
	w := 0
	for _, x := range row {
		if w > 0 && row[w-1].i == x.i {
			row[w-1].v += x.v
		} else {
			row[w] = x
			w++
		}
	}
	return slices.DeleteFunc(row[:w], func(x coef) bool { return x.v == 0 })
}

func (g *merger) enqueue(j int32) {
	if k := len(g.row[j]); (k == 1 || k == 2) && !g.queued[j] {
		g.queued[j] = true
		g.queue = append(g.queue, j)
	}
}

// merge eliminates the relations with one term, whose cell never moves, and those with two terms of equal size, whose
// cells move together or opposite.
func (g *merger) merge() {
	for len(g.queue) > 0 {
		j := g.queue[0]
		g.queue = g.queue[1:]
		g.queued[j] = false
		switch row := g.row[j]; {
		case len(row) == 1:
			g.kill(row[0].i)
		case len(row) == 2 && row[0].v == -row[1].v:
			g.unite(row[0].i, row[1].i, 1)
		case len(row) == 2 && row[0].v == row[1].v:
			g.unite(row[0].i, row[1].i, -1)
		}
	}
}

// kill removes the group of leader i: it never moves.
func (g *merger) kill(i int32) {
	g.alive[i] = false
	for _, j := range g.col[i] {
		g.row[j] = slices.DeleteFunc(g.row[j], func(x coef) bool { return x.i == i })
		g.enqueue(j)
	}
	g.col[i] = nil
}

// unite replaces z_b by s·z_a, where a < b.
func (g *merger) unite(a, b int32, s int64) {
	for _, j := range g.col[b] {
		for _, x := range g.row[j] {
			if x.v > maxMergedCoef || x.v < -maxMergedCoef {
				return
			}
		}
	}
	up, dn := g.up[b], g.dn[b]
	if s < 0 {
		up, dn = dn, up
	}
	g.up[a], g.dn[a] = min(g.up[a], up), min(g.dn[a], dn)
	g.alive[b] = false
	for _, i := range append(g.members[b], b) {
		g.lead[i] = a
		g.sign[i] *= int8(s)
		g.members[a] = append(g.members[a], i)
	}
	g.members[b] = nil
	for _, j := range g.col[b] {
		row := g.row[j]
		for t := range row {
			if row[t].i == b {
				row[t] = coef{a, s * row[t].v}
			}
		}
		g.row[j] = sum(row)
		if !slices.Contains(g.col[a], j) {
			g.col[a] = append(g.col[a], j)
		}
		g.enqueue(j)
	}
	g.col[b] = nil
	if g.up[a]|g.dn[a] == 0 {
		g.kill(a)
	}
}

// uniteAll merges the cells that st finds to move together, and reports whether there were any.
func (g *merger) uniteAll(cells []int32, st *oracle.Structure) bool {
	any := false
	for s, lead := range st.Lead {
		a, b := cells[lead], cells[s]
		if a > b { // leaders are the first in canonical order
			a, b = b, a
		}
		if a != b && g.alive[a] && g.alive[b] {
			g.unite(a, b, int64(st.Sign[s]))
			any = any || !g.alive[b]
		}
	}
	return any
}

// drop removes the cells that are in no block, and reports whether there were any.
func (g *merger) drop(cells, block []int32) bool {
	any := false
	for s, i := range cells {
		if block[s] < 0 {
			g.kill(i)
			any = true
		}
	}
	return any
}

// first returns the first secondary cell in the group of leader a, which determines its canonical order; the leader if
// there is none.
func (g *merger) first(a int32) int32 {
	first := int32(math.MaxInt32)
	for _, i := range append(g.members[a], a) {
		if g.t.Status[i] == table.Safe {
			first = min(first, i)
		}
	}
	if first == math.MaxInt32 {
		return a
	}
	return first
}

// left returns the remainder of M.
func (g *merger) left() *remainder {
	l := &remainder{}
	at := make([]int32, len(g.lead)) // holds keys first, then positions
	for i, ok := range g.alive {
		if ok {
			l.cells = append(l.cells, int32(i))
			at[i] = g.first(int32(i))
		}
	}
	slices.SortFunc(l.cells, func(a, b int32) int { return cmp.Compare(at[a], at[b]) })
	for s, i := range l.cells {
		at[i] = int32(s)
	}
	l.rel = table.NewRelations(len(l.cells))
	var cell, coef []int32
	for j, row := range g.row {
		if len(row) == 0 {
			continue
		}
		cell, coef = cell[:0], coef[:0]
		for _, x := range row {
			cell, coef = append(cell, at[x.i]), append(coef, int32(x.v))
		}
		l.rel.Add(cell, coef, 0)
		l.rows = append(l.rows, int32(j))
	}
	return l
}

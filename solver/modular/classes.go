package modular

import (
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// classes splits a table into sub-tables along its hierarchies using its relations alone, so that linked tables and
// files without dimensions can be split as well. A relation is a margin over its parts; two cells are of one class if
// they are parts of one relation, directly or through others. In a hierarchical table a class is the cross product of
// one group of siblings per variable; with the margins of its relations it is a sub-table without hierarchy.
type classes struct {
	of    []int32   // the class in which a cell is a part, −1 if it is in none
	cells [][]int32 // the parts of a sub-table and their margins, ascending
	rels  [][]int32 // all relations among those cells, ascending
	level [][]int32 // classes by depth, outermost first
	in    [][]int32 // per cell: the classes whose sub-table contains it
}

func newClasses(rel *table.Relations) *classes {
	n, m := rel.N, rel.Len()
	of := sets.New(n)
	margin, part := make([]int32, m), make([]bool, n)
	for j := range m {
		cell, _ := rel.Row(j)
		margin[j] = marginOf(rel, j)
		first := int32(-1)
		for _, i := range cell {
			if i == margin[j] {
				continue
			}
			part[i] = true
			if first < 0 {
				first = i
			}
			of.Join(first, i)
		}
	}
	c := &classes{of: make([]int32, n), in: make([][]int32, n)}
	count := int32(0)
	for i := range int32(n) {
		switch {
		case !part[i]:
			c.of[i] = -1
		case of.Root(i) == i:
			c.of[i] = count
			count++
		default:
			c.of[i] = c.of[of.Root(i)]
		}
	}
	c.cells, c.rels = make([][]int32, count), make([][]int32, count)
	for j := range m {
		cell, _ := rel.Row(j)
		for _, i := range cell {
			if i != margin[j] {
				s := c.of[i]
				c.rels[s] = append(c.rels[s], int32(j))
				c.cells[s] = append(c.cells[s], cell...)
				break
			}
		}
	}
	cols := rel.Columns()
	mark := make([]int32, n) // 1 + the class whose sub-table holds the cell
	missing, seen := make([]int32, m), make([]int32, m)
	for s := range c.cells {
		c.close(rel, cols, margin, int32(s), mark, missing, seen)
		for _, i := range c.cells[s] {
			c.in[i] = append(c.in[i], int32(s))
		}
	}
	c.order(rel, margin)
	return c
}

// marginOf returns the margin of relation j: the only term with its sign, −1 if there
// is none.
func marginOf(rel *table.Relations, j int) int32 {
	cell, coef := rel.Row(j)
	if rel.Margin != nil && rel.Dim != nil && rel.Dim[j] >= 0 {
		return rel.Margin[j]
	}
	var last [2]int32
	var count [2]int
	for t, i := range cell {
		s := 0
		if coef[t] < 0 {
			s = 1
		}
		last[s] = i
		count[s]++
	}
	switch {
	case count[1] == 1:
		return last[1]
	case count[0] == 1 && count[1] > 1:
		return last[0]
	}
	return -1
}

// close adds to sub-table s the relations between its margins: those whose parts are all in it, with their
// own margins.
func (c *classes) close(rel *table.Relations, cols *table.Columns, margin []int32, s int32, mark, missing, seen []int32) {
	tidy := func(list []int32) []int32 {
		slices.Sort(list)
		return slices.Compact(list)
	}
	c.cells[s] = tidy(c.cells[s])
	for _, j := range c.rels[s] {
		seen[j], missing[j] = s+1, 0
	}
	queue := slices.Clone(c.cells[s])
	for _, i := range queue {
		mark[i] = s + 1
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		rels, _ := cols.Column(int(i))
		for _, j := range rels {
			if seen[j] != s+1 {
				seen[j] = s + 1
				cell, _ := rel.Row(int(j))
				missing[j] = int32(len(cell))
				if margin[j] >= 0 {
					missing[j]--
				}
			}
			if i == margin[j] || missing[j] == 0 {
				continue
			}
			if missing[j]--; missing[j] == 0 {
				c.rels[s] = append(c.rels[s], j)
				if r := margin[j]; r >= 0 && mark[r] != s+1 {
					mark[r] = s + 1
					c.cells[s] = append(c.cells[s], r)
					queue = append(queue, r)
				}
			}
		}
	}
	c.cells[s], c.rels[s] = tidy(c.cells[s]), tidy(c.rels[s])
}

// order computes depths: a class lies below those in which its margins are parts. Classes on cycles form one last
// level.
func (c *classes) order(rel *table.Relations, margin []int32) {
	n := len(c.cells)
	below, above := make([][]int32, n), make([]int32, n)
	for j, r := range margin {
		if r < 0 || c.of[r] < 0 {
			continue
		}
		cell, _ := rel.Row(j)
		for _, i := range cell {
			if i != r {
				if a, b := c.of[r], c.of[i]; a != b {
					below[a] = append(below[a], b)
					above[b]++
				}
				break
			}
		}
	}
	var level []int32
	for s := range int32(n) {
		if above[s] == 0 {
			level = append(level, s)
		}
	}
	done := 0
	for len(level) > 0 {
		c.level = append(c.level, level)
		done += len(level)
		var next []int32
		for _, a := range level {
			for _, b := range below[a] {
				if above[b]--; above[b] == 0 {
					next = append(next, b)
				}
			}
		}
		slices.Sort(next)
		level = next
	}
	if done < n {
		var rest []int32
		for s, a := range above {
			if a > 0 {
				rest = append(rest, int32(s))
			}
		}
		c.level = append(c.level, rest)
	}
}

// largest returns the number of cells of the largest sub-table.
func (c *classes) largest() int {
	n := 0
	for _, cells := range c.cells {
		n = max(n, len(cells))
	}
	return n
}

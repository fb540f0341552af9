package oracle

import (
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// implies verifies that every relation of drops is a combination Σ π_v·row_v of the kept ones: π is 0 at the roots of a
// spanning forest, determined along its arcs and checked on all others. It is computed for all relations of drops at
// once: only nonzero π are stored at a node, at most as many as its depth; for this reason the ground, which is
// adjacent to most nodes, is the first root. It returns false if there are more than manyEntries for each cell; another
// engine is used then.
func (net *network) implies(rel *table.Relations, drops []int) bool {
	if len(drops) == 0 {
		return true
	}
	order, via := net.forest()
	rows := rowsOf(rel, drops)
	π := make([][]entry, net.nodes)
	var work []entry
	room := manyEntries * (rel.N + net.nodes)
	for _, v := range order {
		i := via[v]
		switch {
		case i < 0:
		case net.head[i] == v: // π_head − π_tail = row_i
			work = sum(work[:0], π[net.tail[i]], rows.at(i), 1)
			π[v] = slices.Clone(work)
		default:
			work = sum(work[:0], π[net.head[i]], rows.at(i), -1)
			π[v] = slices.Clone(work)
		}
		if room -= len(π[v]); room < 0 {
			return false
		}
	}
	for i := range int32(rel.N) {
		if net.tail[i] == net.head[i] {
			if len(rows.at(i)) > 0 {
				return false
			}
			continue
		}
		work = sum(work[:0], π[net.tail[i]], rows.at(i), 1)
		if !slices.Equal(work, π[net.head[i]]) {
			return false
		}
	}
	return true
}

// forest spans the nodes breadth first, starting with the ground: order lists them, via[v] is the arc from the parent
// of v, −1 at a root.
func (net *network) forest() (order, via []int32) {
	via = make([]int32, net.nodes)
	seen := make([]bool, net.nodes)
	order = make([]int32, 0, net.nodes)
	for t := range net.nodes {
		root := (net.nodes - 1 + t) % net.nodes
		if seen[root] {
			continue
		}
		seen[root] = true
		via[root] = -1
		order = append(order, int32(root))
		for at := len(order) - 1; at < len(order); at++ {
			v := order[at]
			for _, i := range net.arcs[net.ptr[v]:net.ptr[v+1]] {
				if w := net.tail[i] + net.head[i] - v; !seen[w] {
					seen[w] = true
					via[w] = i
					order = append(order, w)
				}
			}
		}
	}
	return order, via
}

// An entry is a coefficient of a dropped relation at a cell, or its π at a node; at is the relation's index in drops.
type entry struct{ at, coef int32 }

// columns holds the entries of each cell, in the order of the relations.
type columns struct {
	ptr     []int32
	entries []entry
}

func (c columns) at(i int32) []entry { return c.entries[c.ptr[i]:c.ptr[i+1]] }

func rowsOf(rel *table.Relations, drops []int) columns {
	var c columns
	c.ptr, c.entries = sets.Grouped(rel.N, func(put func(i int32, x entry)) {
		for d, j := range drops {
			cell, coef := rel.Row(j)
			for t, i := range cell {
				put(i, entry{int32(d), coef[t]})
			}
		}
	})
	return c
}

// sum appends a + sign·b, both in the order of the relations, without zeros.
func sum(to, a, b []entry, sign int32) []entry {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].at < b[0].at:
			to, a = append(to, a[0]), a[1:]
		case len(a) == 0 || b[0].at < a[0].at:
			to, b = append(to, entry{b[0].at, sign * b[0].coef}), b[1:]
		default:
			if c := a[0].coef + sign*b[0].coef; c != 0 {
				to = append(to, entry{a[0].at, c})
			}
			a, b = a[1:], b[1:]
		}
	}
	return to
}

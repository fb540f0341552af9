package solver

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// A cutOf says which codes of a variable a region has: all, one, or one with its children.
type cutOf int8

const (
	allCodes cutOf = iota
	oneCode
	siblings
)

// A family divides a table with variables into regions of one kind, each a product of one set of codes for every
// variable: slices at each code of one variable with all codes of the others, or sub-tables without hierarchy. A region
// has the relations whose cells all lie in it; a cell may be in several regions.
type family struct {
	rels   [][]int32 // by region: its relations, ascending
	cells  [][]int32 // by region: the cells of these, ascending
	groups bool      // the regions are slices at groups of siblings
}

// families lists divisions of t, those into small regions first: products of groups of siblings, slices at one code of
// a variable, and slices at one group of siblings. A table without variables has none. If inside is not nil, only the
// relations that it marks are in regions.
func families(t *table.Table, inside []bool) []*family {
	k := len(t.Dims)
	if k < 2 || t.Len() == 0 || t.Len() > maxRegions || len(t.Coord) < k*t.Len() {
		return nil
	}
	trees := make([]bool, k)
	order, codes := make([]int, k), make([]int, k)
	cuts := slices.Repeat([]cutOf{allCodes}, k)
	for d, dim := range t.Dims {
		order[d], codes[d] = d, codesOf(t, d, inside)
		if trees[d] = slices.ContainsFunc(dim.Parent, func(p int32) bool { return p > 0 }); trees[d] {
			cuts[d] = siblings
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(codes[b], codes[a]) })
	lists := [][]cutOf{cuts}
	for _, cut := range [...]cutOf{oneCode, siblings} {
		for _, d := range order {
			if cut == oneCode || trees[d] {
				own := slices.Repeat([]cutOf{allCodes}, k)
				own[d] = cut
				lists = append(lists, own)
			}
		}
	}
	var out []*family
	for n, cuts := range lists {
		if f := newFamily(t, cuts, inside); f != nil && !slices.ContainsFunc(lists[:n], func(c []cutOf) bool { return slices.Equal(c, cuts) }) {
			f.groups = n > 0 && slices.Contains(cuts, siblings)
			out = append(out, f)
		}
	}
	return out
}

// codesOf counts the codes of variable d in the relations marked by inside (nil: all).
func codesOf(t *table.Table, d int, inside []bool) int {
	in := make([]bool, len(t.Dims[d].Codes))
	number := 0
	for j := range t.Rel.Len() {
		if inside != nil && !inside[j] {
			continue
		}
		cell, _ := t.Rel.Row(j)
		for _, i := range cell {
			if c := t.Coord[int(i)*len(t.Dims)+d]; !in[c] {
				in[c] = true
				number++
			}
		}
	}
	return number
}

// newFamily divides t by one cut for each variable; nil if the regions would not be smaller, or not enough.
func newFamily(t *table.Table, cuts []cutOf, inside []bool) *family {
	f := &family{}
	number := map[string]int{}
	leaf := make([][]bool, len(cuts))
	for d := range cuts {
		leaf[d] = t.Dims[d].Leaves()
	}
	for j := range t.Rel.Len() {
		if inside != nil && !inside[j] {
			continue
		}
		cell, _ := t.Rel.Row(j)
		for _, key := range regionsOf(t, cell, cuts, leaf) {
			r, known := number[key]
			if !known {
				r = len(f.rels)
				number[key] = r
				f.rels, f.cells = append(f.rels, nil), append(f.cells, nil)
			}
			f.rels[r] = append(f.rels[r], int32(j))
			f.cells[r] = append(f.cells[r], cell...)
		}
	}
	for r, list := range f.cells {
		slices.Sort(list)
		if f.cells[r] = slices.Compact(list); len(f.cells[r]) > maxRegion {
			return nil
		}
	}
	if len(f.rels) < 2 {
		return nil
	}
	return f
}

// regionsOf names the regions that contain all cells of a relation.
func regionsOf(t *table.Table, cell []int32, cuts []cutOf, leaf [][]bool) []string {
	k := len(t.Dims)
	keys := []string{""}
	for d, cut := range cuts {
		if cut == allCodes {
			continue
		}
		parent := t.Dims[d].Parent
		at := func(i int32) int32 { return t.Coord[int(i)*k+d] }
		var parts []int32
		first := at(cell[0])
		still := !slices.ContainsFunc(cell, func(i int32) bool { return at(i) != first })
		switch {
		case still && cut == oneCode:
			parts = []int32{first}
		case still: // a region of its siblings and one of its children
			if !leaf[d][first] {
				parts = append(parts, first)
			}
			if p := parent[first]; p >= 0 {
				parts = append(parts, p)
			}
		case cut == siblings:
			top := first
			for _, i := range cell {
				top = min(top, at(i)) // parents come before children
			}
			if !slices.ContainsFunc(cell, func(i int32) bool { return at(i) != top && parent[at(i)] != top }) {
				parts = []int32{top}
			}
		}
		var more []string
		for _, key := range keys {
			for _, p := range parts {
				more = append(more, key+string([]byte{byte(p), byte(p >> 8), byte(p >> 16), byte(p >> 24)}))
			}
		}
		keys = more
	}
	return keys
}

// shards opens engines for the levels of the cells in each region. An engine knows the relations of its region only;
// the other relations would merely strengthen the cuts (see oracle.System.NewNear). There is at most one shard for each
// of cutters.
func (f *family) shards(p *problem, cutters []*cutter, backend string) []*shard {
	levels := make([][]int, p.n)
	for l, v := range p.levels {
		levels[v.K] = append(levels[v.K], l)
	}
	var busy []int32
	for r, cells := range f.cells {
		if slices.ContainsFunc(cells, func(i int32) bool { return levels[i] != nil }) {
			busy = append(busy, int32(r))
		}
	}
	var out []*shard
	for first := range min(len(cutters), len(busy)) {
		var home []int32
		var now int32
		sh := &shard{q: cutters[first]}
		for b := first; b < len(busy); b += len(cutters) {
			from := len(sh.levels)
			for _, i := range f.cells[busy[b]] {
				sh.levels = append(sh.levels, levels[i]...)
			}
			own := sh.levels[from:]
			slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(p.levels[a].RHS, p.levels[b].RHS) })
			home = append(home, slices.Repeat([]int32{busy[b]}, len(own))...)
		}
		sh.look = func(t int) { now = home[t] }
		sh.in = p.sys.NewWithin(backend, func(int32) int32 { return now }, func(r int32) []int32 { return f.rels[r] })
		sh.skip = make([]int8, len(sh.levels))
		out = append(out, sh)
	}
	return out
}

package modular

import (
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// bundles finds sets of parallel relations in a table that names no variables. In a table with variables, Σ parts =
// margin along one of them holds once for each combination of codes of the others; such relations are parallel. A
// relation that crosses two parallel ones has a cell of each, so their cells are partners, and partners are how they
// are recognised. This also works for linked tables, codes grouped in several ways and tables without their empty
// cells. Bundles only guide a search: a wrong one makes no movement wrong.
type bundles struct {
	of    []int32 // per relation: its bundle, −1 if it repeats another relation
	slots []int32 // per bundle: the number of its places
	at    []int32 // per relation: where its row in cell begins
	cell  []int32 // per relation and place: the entry of rel.Cell there, −1
}

// newBundles returns nil if it finds too few. It takes time linear in the entries of the relations, for lines and
// crossings of bounded length.
func newBundles(rel *table.Relations, cols *table.Columns) *bundles {
	b := findBundles(rel, cols, false)
	if b == nil || b.confused(rel) {
		b = findBundles(rel, cols, true)
	}
	return b
}

// confused reports whether a bundle has far more places than any of its relations has cells.
func (b *bundles) confused(rel *table.Relations) bool {
	longest := make([]int32, len(b.slots))
	for r, s := range b.of {
		if s >= 0 {
			longest[s] = max(longest[s], rel.Ptr[r+1]-rel.Ptr[r])
		}
	}
	for s, n := range b.slots {
		if n > 3*longest[s] {
			return true
		}
	}
	return false
}

// alike reports whether two relations of a and b cells count as parallel when that many pairs of their cells are
// partners, besides those in the crossing relation: if strict, all cells of both; otherwise all cells of the shorter
// one, and more than one if it has more.
func alike(partners, a, b int, strict bool) bool {
	if strict {
		return partners == a-1 && a == b
	}
	return partners == min(a, b)-1 && (partners >= 2 || max(a, b) == 2)
}

// parallels holds the parallel relations found so far.
type parallels struct {
	rel    *table.Relations
	cols   *table.Columns
	at     []int32 // the entries of rel in the order of cols
	double []bool  // relations that repeat another one
	strict bool
	joined sets.Partition // joins relations
	entry  sets.Partition // joins the entries of rel that are at one place
	mark   []int32        // per relation: 1 + the entry of the current relation whose cell is in it; −1 if there are several
}

// findBundles looks for parallel relations.
func findBundles(rel *table.Relations, cols *table.Columns, strict bool) *bundles {
	n := rel.Len()
	p := &parallels{rel: rel, cols: cols, double: doubles(rel, cols), strict: strict, joined: sets.New(n), entry: sets.New(len(rel.Cell)), mark: make([]int32, n)}
	next := slices.Clone(cols.Ptr)
	p.at = make([]int32, len(rel.Cell))
	for e, i := range rel.Cell {
		p.at[next[i]] = int32(e)
		next[i]++
	}
	for r := range int32(n) {
		if p.double[r] {
			continue
		}
		first, last := rel.Ptr[r], rel.Ptr[r+1]
		for e := first; e < last; e++ {
			rels, _ := cols.Column(int(rel.Cell[e]))
			for _, s := range rels {
				switch {
				case s == r || p.double[s]:
				case p.mark[s] == 0:
					p.mark[s] = 1 + e
				default:
					p.mark[s] = -1
				}
			}
		}
		for e := first; e < last; e += 1 + (last-first)/(bundleLooks+1) {
			crossing, _ := cols.Column(int(rel.Cell[e]))
			for _, s := range crossing {
				if s == r || p.double[s] {
					continue
				}
				for f := rel.Ptr[s]; f < rel.Ptr[s+1]; f++ {
					if rel.Cell[f] != rel.Cell[e] {
						p.through(r, e, s, rel.Cell[f])
					}
				}
			}
		}
		for e := first; e < last; e++ {
			rels, _ := cols.Column(int(rel.Cell[e]))
			for _, s := range rels {
				p.mark[s] = 0
			}
		}
	}
	return number(rel, p.joined, p.entry, p.double)
}

// through joins r with the relation through cell c that has the most cells beside those of r; s crosses both, and
// crosses r at entry e.
func (p *parallels) through(r, e, s, c int32) {
	best, most, own := int32(-1), 0, int32(0)
	there, _ := p.cols.Column(int(c))
	for t, o := range there {
		if o == s || p.double[o] {
			continue
		}
		count, at := 0, p.at[int(p.cols.Ptr[c])+t]
		if p.joined.Root(o) == p.joined.Root(r) && p.entry.Root(at) == p.entry.Root(e) {
			return // already joined
		}
		if p.rel.Coef[at]*p.rel.Coef[e] < 0 {
			continue
		}
		for g := p.rel.Ptr[o]; g < p.rel.Ptr[o+1]; g++ {
			if g != at && p.partner(o, g) >= 0 {
				count++
			}
		}
		if count > most {
			best, most, own = o, count, at
		}
	}
	if best < 0 || !alike(most, int(p.rel.Ptr[r+1]-p.rel.Ptr[r]), int(p.rel.Ptr[best+1]-p.rel.Ptr[best]), p.strict) {
		return
	}
	p.joined.Join(r, best)
	p.entry.Join(e, own)
	for g := p.rel.Ptr[best]; g < p.rel.Ptr[best+1]; g++ {
		if h := p.partner(best, g); h >= 0 && g != own && h != e {
			p.entry.Join(h, g)
		}
	}
}

// partner returns the entry of the marked relation whose cell shares a relation with that of entry g of relation o; −1
// if there is none or more than one.
func (p *parallels) partner(o, g int32) int32 {
	found := int32(-1)
	rels, _ := p.cols.Column(int(p.rel.Cell[g]))
	for _, s := range rels {
		if s == o || p.mark[s] <= 0 {
			continue
		}
		h := p.mark[s] - 1
		if p.rel.Coef[h]*p.rel.Coef[g] < 0 || found >= 0 && found != h || p.rel.Cell[h] == p.rel.Cell[g] {
			return -1
		}
		found = h
	}
	return found
}

// doubles marks the relations that repeat another one.
func doubles(rel *table.Relations, cols *table.Columns) []bool {
	out := make([]bool, rel.Len())
	for r := range int32(rel.Len()) {
		cell, coef := rel.Row(int(r))
		if len(cell) == 0 {
			continue
		}
		there, _ := cols.Column(int(cell[0]))
		for _, p := range there {
			if p >= r {
				continue
			}
			if c, v := rel.Row(int(p)); slices.Equal(c, cell) && slices.Equal(v, coef) {
				out[r] = true
				break
			}
		}
	}
	return out
}

// number numbers the places of each bundle, which are the classes of its entries. It returns nil if a bundle contains
// relations that have little in common.
func number(rel *table.Relations, joined, entry sets.Partition, double []bool) *bundles {
	n := rel.Len()
	b := &bundles{of: make([]int32, n), at: make([]int32, n)}
	bundle := make([]int32, n) // per root
	for r := range bundle {
		bundle[r] = -1
	}
	place := make([]int32, len(rel.Cell)) // per root
	for e := range place {
		place[e] = -1
	}
	for r := range int32(n) {
		if double[r] {
			b.of[r] = -1
			continue
		}
		root := joined.Root(r)
		if bundle[root] < 0 {
			bundle[root] = int32(len(b.slots))
			b.slots = append(b.slots, 0)
		}
		b.of[r] = bundle[root]
		for e := rel.Ptr[r]; e < rel.Ptr[r+1]; e++ {
			if at := entry.Root(e); place[at] < 0 {
				place[at] = b.slots[b.of[r]]
				b.slots[b.of[r]]++
			}
		}
	}
	size := 0
	for r := range int32(n) {
		if !double[r] {
			size += int(b.slots[b.of[r]])
		}
	}
	if size > bundlesMost*len(rel.Cell) {
		return nil
	}
	for r := range int32(n) {
		if double[r] {
			continue
		}
		b.at[r] = int32(len(b.cell))
		for range b.slots[b.of[r]] {
			b.cell = append(b.cell, -1)
		}
		for e := rel.Ptr[r]; e < rel.Ptr[r+1]; e++ {
			b.cell[b.at[r]+place[entry.Root(e)]] = e
		}
	}
	return b
}

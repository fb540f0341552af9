package oracle

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// A kernel parametrises {z : M z = 0} by independent cells: z_i = Σ_f K_if z_base[f] with integers K_if. In a
// hierarchical table the independent cells are the innermost ones, and K_if = 1 if cell i contains cell base[f].
type kernel struct {
	base []int32 // the independent cells
	cell entries // by cell: (f, K_if)
	leaf entries // by independent cell f: (i, K_if)
}

// entries is a sparse integer matrix stored by rows.
type entries struct {
	ptr, idx, coef []int32
}

func (t *entries) row(i int32) (idx, coef []int32) {
	a, b := t.ptr[i], t.ptr[i+1]
	return t.idx[a:b], t.coef[a:b]
}

// newKernel finds a basis by substitution: a relation with one unknown cell defines it. It returns nil if that cell's
// coefficient is not ±1 or if more than limit entries are needed. Cost: about the entries of M times the average number
// of entries of a cell's vector.
func newKernel(s *System, limit int) *kernel {
	b := kernelBuilder{s: s, vec: make([][]pair, s.Rel.N), sum: make([]int32, s.Rel.N), limit: limit}
	if !b.substitute() || !b.close() {
		return nil
	}
	return b.finish()
}

// pair is an entry of a sparse vector over base.
type pair struct{ f, c int32 }

type kernelBuilder struct {
	s       *System
	base    []int32
	vec     [][]pair // by cell; nil: unknown
	sum     []int32  // scratch, by base
	touched []int32
	entries int
	limit   int
}

// substitute makes every cell known: independent, or defined by a relation.
func (b *kernelBuilder) substitute() bool {
	rel := b.s.Rel
	n, m := rel.N, rel.Len()
	left := make([]int32, m)
	var queue []int32
	for j := range m {
		cell, _ := rel.Row(j)
		if left[j] = int32(len(cell)); left[j] == 1 {
			queue = append(queue, int32(j))
		}
	}
	know := func(i int32, v []pair) {
		b.vec[i] = v
		b.entries += len(v)
		rels, _ := b.s.Cols.Column(int(i))
		for _, j := range rels {
			if left[j]--; left[j] == 1 {
				queue = append(queue, j)
			}
		}
	}
	order := byTotals(b.s)
	for at := 0; ; {
		for len(queue) > 0 {
			j := queue[0]
			queue = queue[1:]
			if left[j] != 1 {
				continue
			}
			who, own := b.add(int(j))
			if own != 1 && own != -1 {
				b.flush(0)
				return false
			}
			know(who, b.flush(-own))
			if b.entries > b.limit {
				return false
			}
		}
		for at < n && b.vec[order[at]] != nil {
			at++
		}
		if at == n {
			return true
		}
		f := int32(len(b.base))
		b.base = append(b.base, order[at])
		know(order[at], []pair{{f, 1}})
	}
}

// byTotals returns the cells with those first that are the total of no relation, where a total is the only cell of its
// sign.
func byTotals(s *System) []int32 {
	total := make([]int32, s.Rel.N)
	for j := range s.Rel.Len() {
		cell, coef := s.Rel.Row(j)
		above := 0
		for _, c := range coef {
			if c > 0 {
				above++
			}
		}
		for t, i := range cell {
			if coef[t] > 0 && above == 1 || coef[t] < 0 && above == len(coef)-1 {
				total[i]++
			}
		}
	}
	order := sets.Upto(int32(len(total)))
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(total[x], total[y]) })
	return order
}

// add sums the known cells of relation j into the scratch and returns its last unknown cell, −1 if there is none, with
// its coefficient.
func (b *kernelBuilder) add(j int) (who, own int32) {
	who = -1
	cell, coef := b.s.Rel.Row(j)
	for t, i := range cell {
		if b.vec[i] == nil {
			who, own = i, coef[t]
			continue
		}
		b.mix(b.vec[i], coef[t])
	}
	return who, own
}

// mix adds c·v to the scratch.
func (b *kernelBuilder) mix(v []pair, c int32) {
	for _, p := range v {
		if b.sum[p.f] == 0 {
			b.touched = append(b.touched, p.f)
		}
		b.sum[p.f] += c * p.c
	}
}

// flush returns the contents of the scratch times c as a vector, never nil, and clears it.
func (b *kernelBuilder) flush(c int32) []pair {
	slices.Sort(b.touched)
	v := make([]pair, 0, len(b.touched))
	for _, f := range b.touched {
		if b.sum[f] != 0 {
			v = append(v, pair{f, c * b.sum[f]})
			b.sum[f] = 0
		}
	}
	b.touched = b.touched[:0]
	return v
}

// close removes cells from the basis that turn out to be dependent: every relation must hold for all values of the
// remaining ones.
func (b *kernelBuilder) close() bool {
	for j := range b.s.Rel.Len() {
		b.add(j)
		rest := b.flush(1)
		if len(rest) == 0 {
			continue
		}
		at := slices.IndexFunc(rest, func(p pair) bool { return p.c == 1 || p.c == -1 })
		if at < 0 {
			return false
		}
		gone := rest[at]
		for i, v := range b.vec {
			t, uses := slices.BinarySearchFunc(v, gone.f, func(p pair, f int32) int { return cmp.Compare(p.f, f) })
			if !uses {
				continue
			}
			b.mix(v, 1)
			b.mix(rest, -v[t].c*gone.c)
			b.entries -= len(v)
			b.vec[i] = b.flush(1)
			b.entries += len(b.vec[i])
		}
		if b.entries > b.limit {
			return false
		}
	}
	return true
}

// finish numbers the remaining independent cells.
func (b *kernelBuilder) finish() *kernel {
	n := len(b.vec)
	seen := make([]int32, len(b.base))
	for _, v := range b.vec {
		for _, p := range v {
			seen[p.f]++
		}
	}
	k := &kernel{}
	name := make([]int32, len(b.base))
	k.leaf.ptr = []int32{0}
	for f, count := range seen {
		if count > 0 {
			name[f] = int32(len(k.base))
			k.base = append(k.base, b.base[f])
			k.leaf.ptr = append(k.leaf.ptr, k.leaf.ptr[len(k.leaf.ptr)-1]+count)
		}
	}
	k.cell.ptr = make([]int32, n+1)
	k.leaf.idx, k.leaf.coef = make([]int32, b.entries), make([]int32, b.entries)
	next := slices.Clone(k.leaf.ptr)
	for i, v := range b.vec {
		for _, p := range v {
			f := name[p.f]
			k.cell.idx, k.cell.coef = append(k.cell.idx, f), append(k.cell.coef, p.c)
			k.leaf.idx[next[f]], k.leaf.coef[next[f]] = int32(i), p.c
			next[f]++
		}
		k.cell.ptr[i+1] = int32(len(k.cell.idx))
	}
	return k
}

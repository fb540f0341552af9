package nullspace

import "github.com/hitoku/hitoku/internal/sets"

// A forest solves a component whose equations form a network, like those of two-way tables: every cell is in at most
// two equations, with coefficient ±1, and the equations have signs s with s_p A_pe + s_q A_qe = 0 for every cell e in
// both p and q. Equations are nodes, cells arcs; a cell in only one equation leads to the ground. A spanning tree gives
// the particular solution (0 on arcs off the tree) and one 0/±1 cycle for each other arc: a basis of the integer
// kernel, since the cells off the tree can be chosen freely. Cost O(cells + Σ length of cycles).
type forest struct {
	*component
	ends   [][2]end // by cell; node −1: no second equation
	sign   []int64  // s by node
	order  []int32  // nodes from the root down; the ground is node len(eqs)
	parent []int32  // by node; −1: the root
	arc    []int32  // by node: the cell to its parent
	depth  []int32
}

// An end is a cell's entry A_pe in an equation.
type end struct {
	node int32
	coef int64
}

// newForest returns nil if c is not a network. local maps positions to indices
// into c.cells.
func newForest(c *component, local map[int32]int32) *forest {
	m := int32(len(c.eqs))
	f := &forest{component: c, ends: make([][2]end, len(c.cells)), sign: make([]int64, m)}
	for e := range f.ends {
		f.ends[e] = [2]end{{node: -1}, {node: -1}}
	}
	arcs := make([][]int32, m+1)
	for p, eq := range c.eqs {
		for _, t := range eq.terms {
			e := local[t.cell]
			k := 0
			if f.ends[e][0].node >= 0 {
				k = 1
			}
			if t.coef != 1 && t.coef != -1 || f.ends[e][k].node >= 0 {
				return nil
			}
			f.ends[e][k] = end{int32(p), t.coef}
			arcs[p] = append(arcs[p], e)
		}
	}
	if !f.signs(arcs) {
		return nil
	}
	root := int32(0)
	for e := range f.ends {
		if f.ends[e][1].node < 0 {
			f.ends[e][1].node = m
			arcs[m] = append(arcs[m], int32(e))
			root = m
		}
		if f.ends[e][0].node < 0 {
			f.ends[e][0].node = m
		}
	}
	f.parent, f.arc, f.depth = make([]int32, m+1), make([]int32, m+1), make([]int32, m+1)
	seen := make([]bool, m+1)
	seen[root], f.parent[root] = true, -1
	f.order = append(f.order, root)
	for h := 0; h < len(f.order); h++ {
		p := f.order[h]
		for _, e := range arcs[p] {
			q := f.ends[e][0].node + f.ends[e][1].node - p
			if !seen[q] {
				seen[q], f.parent[q], f.arc[q], f.depth[q] = true, p, e, f.depth[p]+1
				f.order = append(f.order, q)
			}
		}
	}
	return f
}

// signs chooses s without the ground; it returns false if that is impossible.
func (f *forest) signs(arcs [][]int32) bool {
	if len(f.sign) == 0 {
		return true
	}
	f.sign[0] = 1
	queue := []int32{0}
	for h := 0; h < len(queue); h++ {
		p := queue[h]
		for _, e := range arcs[p] {
			a, b := f.ends[e][0], f.ends[e][1]
			if b.node < 0 {
				continue
			}
			if a.node != p {
				a, b = b, a
			}
			switch want := -f.sign[p] * a.coef * b.coef; f.sign[b.node] {
			case 0:
				f.sign[b.node] = want
				queue = append(queue, b.node)
			case want:
			default:
				return false
			}
		}
	}
	return true
}

// incidence returns s_p A_pe, 0 at the ground.
func (f *forest) incidence(p, e int32) int64 {
	for _, x := range f.ends[e] {
		if x.node == p && int(p) < len(f.sign) {
			return f.sign[p] * x.coef
		}
	}
	return 0
}

// point returns the solution with 0 on all arcs off the tree.
func (f *forest) point() (v []num, ok bool) {
	v = make([]num, len(f.cells))
	rest := make([]num, len(f.parent))
	for p, eq := range f.eqs {
		rest[p] = small(f.sign[p]).mul(eq.rhs)
	}
	for h := len(f.order) - 1; h > 0; h-- {
		p := f.order[h]
		e, q := f.arc[p], f.parent[p]
		// The node is a leaf of the remaining tree: its last arc takes what is left.
		v[e] = small(f.incidence(p, e)).mul(rest[p])
		rest[q] = rest[q].sub(small(f.incidence(q, e)).mul(v[e]))
	}
	root := f.order[0]
	return v, int(root) == len(f.sign) || rest[root].sign() == 0
}

// cycle calls visit for every cell of the cycle that arc e closes, with its ±1.
func (f *forest) cycle(e int32, visit func(cell int32, by int64)) {
	visit(e, 1)
	p, q := f.ends[e][0].node, f.ends[e][1].node
	i, k := f.incidence(p, e), f.incidence(q, e)
	// The unit that e adds at p travels up the tree: −i s_u A_uf on the arc f above u. The ground has no equation, so
	// there the amount at the other end decides.
	for p != q {
		if f.depth[p] < f.depth[q] {
			p, q, i, k = q, p, k, i
		}
		visit(f.arc[p], -i*f.incidence(p, f.arc[p]))
		p = f.parent[p]
	}
}

// blocks implements component.blocks.
func (f *forest) blocks() ([]*block, []determined, Reason) {
	v, ok := f.point()
	if !ok {
		return nil, nil, NoRational
	}
	tree := make([]bool, len(f.cells))
	for _, p := range f.order[1:] {
		tree[f.arc[p]] = true
	}
	u := sets.New(len(f.cells))
	for e := range int32(len(f.cells)) {
		if !tree[e] {
			f.cycle(e, func(c int32, _ int64) { u.Join(e, c) })
		}
	}
	var blocks []*block
	var points []determined
	at := make([]int32, len(f.cells)) // index in its group
	for _, g := range u.Groups() {
		b := &block{v: newRow(len(g)), basis: func() []row { return f.cycles(tree, at, g) }}
		for x, e := range g {
			at[e] = int32(x)
			b.cells = append(b.cells, f.cells[e])
			b.v.set(x, v[e])
		}
		for _, e := range g {
			if !tree[e] {
				b.d++
			}
		}
		if b.d == 0 {
			points = append(points, determined{b.cells[0], b.v.at(0)})
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks, points, None
}

// cycles returns the cycles of the arcs of g off the tree, as rows over g; at[e] is the index of e in its group.
func (f *forest) cycles(tree []bool, at, g []int32) (kernel []row) {
	for _, e := range g {
		if tree[e] {
			continue
		}
		w := newRow(len(g))
		f.cycle(e, func(c int32, by int64) { w.s[at[c]] = by })
		kernel = append(kernel, w)
	}
	return kernel
}

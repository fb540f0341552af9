// Package sets keeps disjoint sets of small integers, and has common operations on lists.
package sets

// A Partition divides 0 … n−1 into disjoint sets. The least element of a set is its root. Operations take
// amortised time O(log n), by path halving (Tarjan and van Leeuwen, Journal of the ACM 31(2), 1984).
type Partition []int32

// New returns n sets of one element each.
func New(n int) Partition {
	p := make(Partition, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// Root returns the root of i's set.
func (p Partition) Root(i int32) int32 {
	for p[i] != i {
		p[i] = p[p[i]]
		i = p[i]
	}
	return i
}

// Join unites the sets of i and j.
func (p Partition) Join(i, j int32) {
	i, j = p.Root(i), p.Root(j)
	p[max(i, j)] = min(i, j)
}

// Groups returns the sets, each ascending, in the order of their roots.
func (p Partition) Groups() [][]int32 {
	var g [][]int32
	at := make([]int32, len(p))
	for i := range int32(len(p)) {
		r := p.Root(i)
		if r == i {
			at[i] = int32(len(g))
			g = append(g, nil)
		}
		g[at[r]] = append(g[at[r]], i)
	}
	return g
}

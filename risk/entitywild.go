package risk

import (
	"context"
	"math/bits"
)

// compatibleSets returns for every multiset of tuples the number of entities compatible with it, with missing values as
// wildcards: their records can be paired with its own so that each pair is compatible. have is the number of entities
// with each multiset. least is the smallest number of entities that have a record compatible with some tuple.
//
// Two different multisets can be compatible only if one has missing values. A multiset with missing values is compared
// with those that have a record compatible with its fullest tuple. Cost: a maximum flow for each such pair.
func (e *Entities) compatibleSets(ctx context.Context, pattern []uint64, sets *multisets, have []uint64) (f []uint64, least uint64, err error) {
	f = make([]uint64, len(have))
	of := make([][]uint32, e.t.n)     // multisets that contain a class
	anchor := make([][]uint32, e.t.n) // those with missing values of which a class is the fullest
	open := make([]bool, len(have))
	total := make([]uint64, len(have))
	for k := range have {
		f[k] = have[k]
		fullest := -1
		for _, x := range sets.at(k) {
			of[x.id] = append(of[x.id], uint32(k))
			total[k] += x.n
			open[k] = open[k] || pattern[x.id] != 0
			if fullest < 0 || bits.OnesCount64(pattern[x.id]) < bits.OnesCount64(pattern[fullest]) {
				fullest = int(x.id)
			}
		}
		if open[k] {
			anchor[fullest] = append(anchor[fullest], uint32(k))
		}
	}
	w := &march{ctx: ctx}
	met := make([]int, len(have)) // 1 + the last class at which a multiset was met
	var near []uint32
	err = e.meetings(ctx, pattern, func(classes []int, m []*meeting) error {
		lists := make([][][]uint32, len(m))
		for i, x := range m {
			lists[i] = make([][]uint32, x.t.n)
			for n, g := range x.classes {
				lists[i][x.at[n]] = append(lists[i][x.at[n]], uint32(g))
			}
		}
		for _, g := range classes {
			if len(of[g]) == 0 {
				continue // no counted entity has it
			}
			near = near[:0]
			sum := uint64(0)
			for i, x := range m {
				k := x.number(&e.Classes, g)
				if k < 0 {
					continue
				}
				for _, h := range lists[i][k] {
					if err := w.on(len(of[h])); err != nil {
						return err
					}
					for _, s := range of[h] {
						if met[s] != g+1 {
							met[s] = g + 1
							near = append(near, s)
							sum += have[s]
						}
					}
				}
			}
			if least == 0 || sum < least {
				least = sum
			}
			for _, a := range anchor[g] {
				for _, b := range near {
					if a == b || total[a] != total[b] {
						continue
					}
					x, y := sets.at(int(a)), sets.at(int(b))
					if err := w.on(len(x) * len(y)); err != nil {
						return err
					}
					if !e.paired(x, y, pattern) {
						continue
					}
					f[a] += have[b]
					if !open[b] {
						f[b] += have[a]
					}
				}
			}
		}
		return nil
	})
	return f, least, err
}

// agree reports whether two classes are compatible under the pattern.
func (c *Classes) agree(a, b int, pattern []uint64) bool {
	x, y := c.t.tuple(a), c.t.tuple(b)
	either := pattern[a] | pattern[b]
	for k := range x {
		if x[k] != y[k] && either>>k&1 == 0 {
			return false
		}
	}
	return true
}

// paired reports whether the records of two multisets of equal size can be paired so that all pairs are compatible, by
// a maximum flow with augmenting paths.
func (e *Entities) paired(x, y multiset, pattern []uint64) bool {
	edge := make([][]bool, len(x))
	flow := make([][]uint64, len(x))
	left, right := make([]uint64, len(x)), make([]uint64, len(y)) // records not yet paired
	for j := range y {
		right[j] = y[j].n
	}
	for i := range x {
		edge[i], flow[i] = make([]bool, len(y)), make([]uint64, len(y))
		left[i] = x[i].n
		for j := range y {
			if edge[i][j] = e.agree(int(x[i].id), int(y[j].id), pattern); edge[i][j] {
				n := min(left[i], right[j])
				flow[i][j], left[i], right[j] = n, left[i]-n, right[j]-n
			}
		}
	}
	for i := range x {
		for left[i] > 0 {
			n := augment(i, edge, flow, left[i], right)
			if n == 0 {
				return false
			}
			left[i] -= n
		}
	}
	return true
}

// augment sends up to n more units from node i along a shortest augmenting path, and returns how many.
func augment(i int, edge [][]bool, flow [][]uint64, n uint64, right []uint64) uint64 {
	from := make([]int, len(right)) // the left node before each right one, −1 none
	for j := range from {
		from[j] = -1
	}
	back := make([]int, len(edge)) // the right node before each left one
	for k := range back {
		back[k] = -1
	}
	queue := []int{i}
	for ; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for j := range right {
			if !edge[u][j] || from[j] >= 0 {
				continue
			}
			from[j] = u
			if right[j] > 0 {
				n = min(n, right[j])
				for v, k := u, j; v != i; {
					k = back[v]
					n = min(n, flow[v][k])
					v = from[k]
				}
				right[j] -= n
				for v, k := u, j; ; {
					flow[v][k] += n
					if v == i {
						return n
					}
					k = back[v]
					flow[v][k] -= n
					v = from[k]
				}
			}
			for v := range edge {
				if v != i && back[v] < 0 && flow[v][j] > 0 {
					back[v] = j
					queue = append(queue, v)
				}
			}
		}
	}
	return 0
}

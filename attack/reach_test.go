package attack_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/table"
)

// far stands for an infinite bound, above every value of these tests.
const far = 1 << 40

// A ratio is num/den, den > 0.
type ratio struct{ num, den int64 }

func (r ratio) less(s ratio) bool { return r.num*s.den < s.num*r.den }

// A prober computes how far cell k can be raised and lowered from y where the cells
// of set may move between lo and hi.
type prober interface {
	reach(y []int64, set []bool, k int) (up, dn ratio)
}

// A flow is the intruder's problem on a network: relations are nodes, cells arcs.
type flow struct {
	from, to []int
	nodes    int
	lo, hi   []int64
	cap      [][]int64
	queue    []int
	parent   []int
}

// newFlow directs the arcs, nil where some relation has other signs than a network:
// with the right sign s_j for each relation every cell has one +1 and one −1. A
// cell of one relation has its other end in an extra node.
func newFlow(rel *table.Relations, lo, hi []int64) *flow {
	type end struct {
		node int
		coef int32
	}
	ends := make([][]end, rel.N)
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		for s, i := range cell {
			ends[i] = append(ends[i], end{j, coef[s]})
		}
	}
	sign := make([]int32, rel.Len()+1)
	sign[rel.Len()] = 1
	f := &flow{from: make([]int, rel.N), to: make([]int, rel.N), nodes: rel.Len() + 1, lo: lo, hi: hi, parent: make([]int, rel.Len()+1)}
	for j := range rel.Len() {
		for grow := true; grow; {
			grow = false
			for _, e := range ends {
				if len(e) > 2 {
					return nil
				}
				if len(e) < 2 {
					continue
				}
				for s := range 2 {
					if a, b := e[s], e[1-s]; sign[a.node] != 0 && sign[b.node] == 0 {
						sign[b.node], grow = -sign[a.node]*a.coef*b.coef, true
					}
				}
			}
		}
		if sign[j] == 0 {
			sign[j] = 1
		}
	}
	for i, e := range ends {
		f.from[i], f.to[i] = rel.Len(), rel.Len()
		plus := 0
		for _, e := range e {
			if e.coef*sign[e.node] > 0 {
				f.to[i] = e.node
				plus++
			} else {
				f.from[i] = e.node
			}
		}
		if len(e) == 2 && plus != 1 {
			return nil
		}
	}
	f.cap = make([][]int64, f.nodes)
	for u := range f.cap {
		f.cap[u] = make([]int64, f.nodes)
	}
	return f
}

func (f *flow) reach(y []int64, set []bool, k int) (up, dn ratio) {
	slack := func(s int) int64 {
		if s > 0 {
			return f.hi[k] - y[k]
		}
		return y[k] - f.lo[k]
	}
	of := func(s int) ratio {
		for u := range f.cap {
			clear(f.cap[u])
		}
		for i, in := range set {
			if in && i != k {
				f.cap[f.from[i]][f.to[i]] += f.hi[i] - y[i]
				f.cap[f.to[i]][f.from[i]] += y[i] - f.lo[i]
			}
		}
		source, sink := f.to[k], f.from[k]
		if s < 0 {
			source, sink = sink, source
		}
		return ratio{f.maximum(source, sink, slack(s)), 1}
	}
	return of(1), of(-1)
}

// maximum returns the largest flow from source to sink, at most limit, which it
// sends along shortest augmenting paths.
func (f *flow) maximum(source, sink int, limit int64) int64 {
	if source == sink {
		return limit
	}
	total := int64(0)
	for total < limit {
		for u := range f.parent {
			f.parent[u] = -1
		}
		f.parent[source] = source
		f.queue = append(f.queue[:0], source)
		for n := 0; n < len(f.queue) && f.parent[sink] < 0; n++ {
			u := f.queue[n]
			for v, c := range f.cap[u] {
				if c > 0 && f.parent[v] < 0 {
					f.parent[v] = u
					f.queue = append(f.queue, v)
				}
			}
		}
		if f.parent[sink] < 0 {
			break
		}
		push := limit - total
		for v := sink; v != source; v = f.parent[v] {
			push = min(push, f.cap[f.parent[v]][v])
		}
		for v := sink; v != source; v = f.parent[v] {
			f.cap[f.parent[v]][v] -= push
			f.cap[v][f.parent[v]] += push
		}
		total += push
	}
	return total
}

// vertices is the intruder's problem of up to two dimensions in rational arithmetic:
// with N a basis of the kernel over the cells of a pattern it looks at every vertex
// of { t : lo − y ≤ N t ≤ hi − y }.
type vertices struct {
	rel     *table.Relations
	lo, hi  []int64
	kernels map[string][][]int64 // by pattern
}

// kernel eliminates in integers, without regard to their growth, which is none here.
func (v *vertices) kernel(set []bool) [][]int64 {
	var key strings.Builder
	for _, in := range set {
		fmt.Fprint(&key, in)
	}
	if k, ok := v.kernels[key.String()]; ok {
		return k
	}
	// [Mᵀ I] by columns: the rows whose left half becomes 0 are the kernel.
	var rows [][]int64
	m := v.rel.Len()
	for i, in := range set {
		if !in {
			continue
		}
		row := make([]int64, m+len(set))
		row[m+i] = 1
		for j := range m {
			cell, coef := v.rel.Row(j)
			for s, c := range cell {
				if int(c) == i {
					row[j] += int64(coef[s])
				}
			}
		}
		rows = append(rows, row)
	}
	for j := range m {
		p := slices.IndexFunc(rows, func(r []int64) bool { return r[j] != 0 })
		if p < 0 {
			continue
		}
		pivot := rows[p]
		rows = slices.Delete(rows, p, p+1)
		for _, r := range rows {
			a, b := pivot[j], r[j]
			for c := range r {
				r[c] = a*r[c] - b*pivot[c]
			}
		}
	}
	k := [][]int64{}
	for _, r := range rows {
		k = append(k, r[m:])
	}
	v.kernels[key.String()] = k
	return k
}

func (v *vertices) reach(y []int64, set []bool, k int) (up, dn ratio) {
	basis := v.kernel(set)
	up, dn = ratio{0, 1}, ratio{0, 1}
	// Half-planes Σ_d n_d t_d ≤ c.
	type half struct {
		n [2]int64
		c int64
	}
	var halves []half
	for i, in := range set {
		if !in {
			continue
		}
		var n [2]int64
		for d := range basis {
			n[d] = basis[d][i]
		}
		halves = append(halves, half{n, v.hi[i] - y[i]}, half{[2]int64{-n[0], -n[1]}, y[i] - v.lo[i]})
	}
	see := func(t0, t1, den int64) { // the vertex (t0, t1)/den
		if den < 0 {
			t0, t1, den = -t0, -t1, -den
		}
		for _, h := range halves {
			if h.n[0]*t0+h.n[1]*t1 > h.c*den {
				return
			}
		}
		x := int64(0)
		for d, t := range []int64{t0, t1}[:len(basis)] {
			x += basis[d][k] * t
		}
		if r := (ratio{x, den}); up.less(r) {
			up = r
		}
		if r := (ratio{-x, den}); dn.less(r) {
			dn = r
		}
	}
	switch len(basis) {
	case 0:
	case 1:
		for _, h := range halves {
			if h.n[0] != 0 {
				see(h.c, 0, h.n[0])
			}
		}
	case 2:
		for a, g := range halves {
			for _, h := range halves[:a] {
				if det := g.n[0]*h.n[1] - g.n[1]*h.n[0]; det != 0 {
					see(g.c*h.n[1]-h.c*g.n[1], g.n[0]*h.c-h.n[0]*g.c, det)
				}
			}
		}
	default:
		panic("more than two dimensions")
	}
	return up, dn
}

// fibre calls yield with every integer table that agrees with the relations, lo ≤ y ≤
// hi, and with y on the cells that are not listed; it stops when yield returns false.
// ok is false where a cell is not bounded by simple sums.
func fibre(rel *table.Relations, cells []int, y, lo, hi []int64, yield func(y []int64) bool) (ok bool) {
	y, lo, hi = slices.Clone(y), slices.Clone(lo), slices.Clone(hi)
	open := make([]bool, rel.N)
	for _, i := range cells {
		open[i] = true
	}
	for i := range y {
		if !open[i] {
			lo[i], hi[i] = y[i], y[i]
		}
	}
	// narrow tightens all ranges by every relation, as long as one changes.
	narrow := func(lo, hi []int64) bool {
		for change := true; change; {
			change = false
			for j := range rel.Len() {
				cell, coef := rel.Row(j)
				least, most := -rel.RHS[j], -rel.RHS[j]
				for s, i := range cell {
					a, b := int64(coef[s])*lo[i], int64(coef[s])*hi[i]
					least, most = least+min(a, b), most+max(a, b)
				}
				for s, i := range cell {
					a, b := int64(coef[s])*lo[i], int64(coef[s])*hi[i]
					a, b = min(a, b), max(a, b)
					// coef·y_i lies in [−(most−b), −(least−a)].
					l, h := b-most, a-least
					if coef[s] < 0 {
						l, h = -h, -l
					}
					if l > lo[i] {
						lo[i], change = l, true
					}
					if h < hi[i] {
						hi[i], change = h, true
					}
					if lo[i] > hi[i] {
						return false
					}
				}
			}
		}
		return true
	}
	if !narrow(lo, hi) {
		return true
	}
	for _, i := range cells {
		if hi[i]-lo[i] > far/4 {
			return false
		}
	}
	var fix func(k int, lo, hi []int64) bool
	fix = func(k int, lo, hi []int64) bool {
		for k < len(cells) && lo[cells[k]] == hi[cells[k]] {
			k++
		}
		if k == len(cells) {
			return yield(lo)
		}
		for v := lo[cells[k]]; v <= hi[cells[k]]; v++ {
			l, h := slices.Clone(lo), slices.Clone(hi)
			l[cells[k]], h[cells[k]] = v, v
			if narrow(l, h) && !fix(k+1, l, h) {
				return false
			}
		}
		return true
	}
	fix(0, lo, hi)
	return true
}

// TestReach compares the ways to the ends of intervals with each other: in these tables
// a list of all integer tables has the same ends.
func TestReach(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	for n := range heavy.Draws(300) {
		sizes := [][]int{{3, 3}, {3, 4}, {2, 2, 2}, {2, 2, 3}}[n%4]
		tab := drawTable(sizes, true, func() int64 { return rng.Int64N(6) })
		if n%3 > 0 {
			tab.PublishMargins()
		}
		lo, hi := slices.Clone(tab.Lower), make([]int64, tab.Len())
		for i, v := range tab.Value {
			if hi[i] = far; rng.IntN(4) == 0 {
				hi[i] = v + rng.Int64N(4)
			}
			lo[i] = rng.Int64N(v+1) / 2
		}
		set := make([]bool, tab.Len())
		var cells []int
		for i, st := range tab.Status {
			if set[i] = st != table.Published && rng.IntN(3) > 0; set[i] {
				cells = append(cells, i)
			}
		}
		least, most := slices.Clone(tab.Value), slices.Clone(tab.Value)
		bounded := fibre(tab.Rel, cells, tab.Value, lo, hi, func(y []int64) bool {
			for i, v := range y {
				least[i], most[i] = min(least[i], v), max(most[i], v)
			}
			return true
		})
		if !bounded {
			continue
		}
		network := newFlow(tab.Rel, lo, hi)
		if (network != nil) != (len(sizes) == 2) {
			t.Fatalf("%v: a network: %v", sizes, network != nil)
		}
		v := &vertices{rel: tab.Rel, lo: lo, hi: hi, kernels: map[string][][]int64{}}
		for _, k := range cells {
			want := [2]int64{most[k] - tab.Value[k], tab.Value[k] - least[k]}
			if network != nil {
				if up, dn := network.reach(tab.Value, set, k); up != (ratio{want[0], 1}) || dn != (ratio{want[1], 1}) {
					t.Fatalf("%s of %v: flows %v, %v, want %v", tab.CellName(k), tab.Value, up, dn, want)
				}
			}
			if len(v.kernel(set)) <= 2 {
				if up, dn := v.reach(tab.Value, set, k); up.num != want[0]*up.den || dn.num != want[1]*dn.den {
					t.Fatalf("%s of %v: vertices %v, %v, want %v", tab.CellName(k), tab.Value, up, dn, want)
				}
			}
		}
	}
}

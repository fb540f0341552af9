package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// A forest says what adds up in a dimension.
type forest struct {
	parent   []int // of each code; −1: none
	memo     []bool
	equals   [][]int    // of each memo code: the codes whose sum it is
	more     []Relation // sums kept in addition to the tree
	seen     []Relation // sums that hold in places, in a dimension said to add up to nothing
	additive bool
	broken   bool      // the numbers contradict a claimed total
	refused  []refusal // claimed totals for which most or all sums miss
	unsure   []Ambiguity
	slack    func(parts int) int64 // by how much a sum of so many parts may miss; nil: not at all
}

// allowed returns by how much a sum of so many parts may miss.
func (f *forest) allowed(parts int) int64 {
	if f.slack == nil {
		return 0
	}
	return f.slack(parts)
}

// A grower finds the forest of a dimension.
type grower struct {
	d         *draft
	dim       *draftDim
	m         *matrix
	f         *forest
	children  [][]int
	null      []bool
	tolerance int64        // by how much a sum may miss; 0: not at all
	need      float64      // the share of the usual evidence that is enough
	step      int64        // sums may miss by the rounding of their parts to multiples of this; 0: they may not
	large     bool         // too many codes to look everywhere
	open      map[int]bool // totals that are the sum of the rows before and also of those behind
	deciding  bool
	work      int   // budget left for the search, in numbers looked at
	doubt     []int // totals for which that could not be decided
	failed    []claim
}

// maxFree is the largest number of codes among which sums are looked for anywhere; beyond it, only among
// neighbours.
const maxFree = 300

// maxWork bounds the search in a dimension, in numbers looked at. Tables of offices need a hundredth of it.
const maxWork = 1 << 27

// grow finds what adds up in dimension k: names, groups, codes, indentation and places give candidates, of which
// only those stay that the numbers confirm.
//
// If codes are left over, it tries again with less evidence, but keeps that result only if then no codes are left
// over.
func (d *draft) grow(k int, tolerance, step int64) *grower {
	g := d.growBy(k, tolerance, step, 1)
	if least := g.loss(); least > 0 {
		if h := d.growBy(k, tolerance, step, 0.4); h.loss() == 0 {
			return h
		}
		if h := d.growAround(k, tolerance, step); h != nil {
			return h
		}
		if h := d.growPaired(k, tolerance, step); h != nil {
			return h
		}
	}
	return g
}

// growAround grows a forest without the code that is nowhere less than any other one, which may stand within a group,
// and makes it the total of all roots. It returns nil if there is no such code, or if it is not their sum.
func (d *draft) growAround(k int, tolerance, step int64) *grower {
	dim, m := &d.dims[k], d.matrix(k)
	if m == nil || m.w == 0 || d.signed {
		return nil
	}
	t := 0
	for i := range dim.items {
		if m.at(i, 0) > m.at(t, 0) {
			t = i
		}
	}
	for i := range dim.items {
		for j := range m.w {
			if dim.items[t].memo || m.at(i, j) > m.at(t, j) {
				return nil
			}
		}
	}
	dim.items[t].memo = true
	g := d.growBy(k, tolerance, step, 0.4)
	dim.items[t].memo = false
	roots := slices.DeleteFunc(g.free(-1), func(i int) bool { return i == t || g.null[i] && len(g.children[i]) == 0 })
	if c := g.check(t, roots); len(roots) < 2 || !c.holds() || c.bits < 10+2*math.Log2(float64(len(dim.items))) {
		return nil
	}
	g.f.memo[t], g.f.equals[t], g.f.parent[t], g.f.additive = false, nil, -1, true
	g.adopt(t, g.free(t))
	return g
}

// growPaired grows a forest in which codes with exactly the numbers of the code before them, as the only part of
// a group has, are memo items. It returns nil if codes are still left over.
func (d *draft) growPaired(k int, tolerance, step int64) *grower {
	dim, m := &d.dims[k], d.matrix(k)
	if m == nil {
		return nil
	}
	var paired []int
	for i := 1; i < len(dim.items); i++ {
		if !m.isNull(i) && m.known(i) > 1 && !dim.items[i].memo && !dim.items[i-1].memo && m.same(i-1, i) {
			dim.items[i].memo = true
			paired = append(paired, i)
		}
	}
	if paired == nil {
		return nil
	}
	g := d.growBy(k, tolerance, step, 1)
	if g.loss() > 0 || !g.f.additive {
		for _, i := range paired {
			dim.items[i].memo = false
		}
		return nil
	}
	for _, i := range paired {
		g.f.parent[i], g.f.equals[i] = i-1, []int{i - 1}
	}
	return g
}

// loss returns how much a forest leaves unexplained.
func (g *grower) loss() (n int) {
	if g.m == nil || !g.d.unfound(g.dim) {
		return 0
	}
	if g.f.broken {
		n += len(g.children)
	}
	for i := range g.children {
		switch {
		case g.f.memo[i] && !g.dim.items[i].memo:
			n += 2
		case g.f.parent[i] < 0 && !g.f.memo[i]:
			n++
		}
	}
	return n - 1
}

// adds reports whether some classification has codes that are sums of others, although the title or unit says
// that the numbers are rates: sums that hold everywhere, or that hold too often for a coincidence, about which a
// question is asked.
func (d *draft) adds() bool {
	rates := d.rates
	defer func() { d.rates = rates }()
	d.rates = false
	for k := range d.dims {
		g := d.growBy(k, 0, 0, 1)
		if g.f.additive && !g.f.broken || slices.ContainsFunc(g.failed, func(c claim) bool { return c.check.exact > 0 && c.check.bits >= 8 }) {
			return true
		}
	}
	return false
}

func (d *draft) growBy(k int, tolerance, step int64, need float64) *grower {
	dim := &d.dims[k]
	n := len(dim.items)
	g := &grower{d: d, dim: dim, m: d.matrix(k), tolerance: tolerance, step: step, need: need, work: cmp.Or(d.work, maxWork), children: make([][]int, n), null: make([]bool, n)}
	g.f = &forest{parent: make([]int, n), memo: make([]bool, n), equals: make([][]int, n)}
	for i := range g.f.parent {
		g.f.parent[i] = -1
		g.f.memo[i] = dim.items[i].memo
	}
	if g.m == nil || d.large || dim.role != ofClassification || n < 2 {
		return g
	}
	for i := range g.null {
		g.null[i] = g.m.isNull(i)
	}
	switch {
	case dim.noTotal:
		return g
	case dim.parents != nil:
		g.given()
		return g
	case d.rates:
		return g
	}
	g.byFormula(k)
	g.ofWhich()
	if !g.flat() {
		g.byGroup()
		g.byCode()
		g.byIndent()
		g.byRuns()
		if !g.flat() {
			g.scattered()
		}
		g.redivide()
	}
	g.claims()
	g.ends()
	g.leftovers()
	for i := range g.children {
		g.f.additive = g.f.additive || len(g.children[i]) > 0 || len(g.f.equals[i]) > 0
	}
	return g
}

// allowed returns by how much a sum of n parts may miss.
func (g *grower) allowed(n int) int64 { return allowed(n, g.tolerance, g.step) }

func allowed(n int, tolerance, step int64) int64 { return max(tolerance, step*(int64(n+1)/2)) }

func (g *grower) check(t int, parts []int) sumCheck {
	return g.m.check(t, parts, g.allowed(len(parts)))
}

// adopt makes parts the children of t.
func (g *grower) adopt(t int, parts []int) {
	for _, p := range parts {
		g.f.parent[p] = t
	}
	g.children[t] = append(g.children[t], parts...)
	slices.Sort(g.children[t])
}

// above reports whether a is b or an ancestor of b.
func (g *grower) above(a, b int) bool {
	for ; b >= 0; b = g.f.parent[b] {
		if a == b {
			return true
		}
	}
	return false
}

// free returns the codes that have no parent and are no memo items, except for t and its ancestors.
func (g *grower) free(t int) []int {
	var all []int
	for i := range g.f.parent {
		if g.f.parent[i] < 0 && !g.f.memo[i] && !g.above(i, t) {
			all = append(all, i)
		}
	}
	return all
}

// flat tries the simplest tree: one total of all other codes without a parent, found by its name, or first or
// last, or elsewhere with more evidence.
func (g *grower) flat() bool {
	var named []int
	roots := 0
	for i := range g.dim.items {
		if g.f.parent[i] >= 0 || g.f.memo[i] {
			continue
		}
		roots++
		if isTotalName(g.dim.items[i].label) && len(g.children[i]) == 0 {
			named = append(named, i)
		}
	}
	if roots < 2 {
		return roots == 1
	}
	try := named
	if len(named) == 0 {
		free := g.free(-1)
		try = []int{free[0], lastOf(free)}
		if n := len(free); n <= maxFree && n*n*g.m.w <= maxWork>>4 && !g.d.signed { // or anywhere
			try = append(try, free[1:len(free)-1]...)
		}
	}
	for k, t := range try {
		if len(g.children[t]) > 0 {
			continue
		}
		parts := g.free(t)
		if len(parts) == 0 {
			continue
		}
		c, need := g.check(t, parts), 10.0
		if k > 1 {
			need += 2 * math.Log2(float64(len(try)))
		}
		if c.holds() && (len(named) > 0 && (len(parts) > 1 || g.lower(t, parts[0])) || len(parts) > 1 && c.bits >= need) {
			g.adopt(t, parts)
			return true
		}
	}
	return false
}

// lower reports whether p may be the only part of t: it is indented further.
func (g *grower) lower(t, p int) bool { return g.dim.items[p].indent > g.dim.items[t].indent }

// byGroup tries totals of groups that the labels indicate.
func (g *grower) byGroup() {
	members := map[string][]int{}
	whole := map[string]int{}
	for i := range g.dim.items {
		it := &g.dim.items[i]
		if it.group == "" || g.f.memo[i] {
			continue
		}
		if it.whole {
			whole[it.group] = i
			if it.within != "" {
				members[it.within] = append(members[it.within], i)
			}
		} else {
			members[it.group] = append(members[it.group], i)
		}
	}
	for i := range g.dim.items {
		it := &g.dim.items[i]
		t, ok := whole[it.group]
		if !ok || t != i || len(members[it.group]) == 0 || len(g.children[t]) > 0 {
			continue
		}
		parts := g.loose(members[it.group], t)
		if c := g.check(t, parts); len(parts) > 0 && c.may() && (c.exact+c.near > 0 || c.unknown > 0 && !it.around) {
			g.adopt(t, parts)
		}
	}
}

// loose returns those parts that have no parent, are no memo items and are no ancestors of t.
func (g *grower) loose(parts []int, t int) []int {
	return sets.Where(parts, func(p int) bool { return g.f.parent[p] < 0 && !g.above(p, t) && !g.f.memo[p] })
}

// byCode tries codes that begin with the code of their parent.
func (g *grower) byCode() {
	items := g.dim.items
	index := make(map[string]int, len(items))
	longest := 0
	for i := range items {
		k := items[i].key()
		if !isCodeLike(k) {
			continue
		}
		index[k] = i
		longest = max(longest, len(k))
	}
	parts := map[int][]int{}
	for i := range items {
		k := items[i].key()
		if _, ok := index[k]; !ok || g.f.parent[i] >= 0 || g.f.memo[i] {
			continue
		}
		for end := len(k) - 1; end > 0; end-- {
			if t, ok := index[strings.TrimRight(k[:end], "-._")]; ok && t != i {
				parts[t] = append(parts[t], i)
				break
			}
		}
	}
	for t := range items {
		of := g.loose(parts[t], t)
		if len(of) == 0 || len(g.children[t]) > 0 {
			continue
		}
		c := g.check(t, of)
		if c.may() && (c.exact+c.near > 0 || len(of) > 1 && c.unknown > 0) {
			g.adopt(t, of)
		}
	}
}

// byIndent tries as parts the codes indented below another one, in the rows that follow it or, where totals stand
// last, that precede it.
func (g *grower) byIndent() {
	items := g.dim.items
	for _, down := range []bool{true, false} {
		for t := range items {
			if len(g.children[t]) > 0 || g.f.memo[t] {
				continue
			}
			parts := g.indented(t, down)
			if len(parts) == 0 {
				continue
			}
			if c := g.check(t, parts); c.holds() {
				g.adopt(t, parts)
			}
		}
	}
}

// indented returns the codes one level of indentation below t, without those that have a parent.
func (g *grower) indented(t int, down bool) []int {
	items := g.dim.items
	var parts []int
	level := -1
	step := 1
	if !down {
		step = -1
	}
	for i := t + step; i >= 0 && i < len(items) && items[i].indent > items[t].indent; i += step {
		if g.f.memo[i] {
			continue
		}
		if level < 0 || items[i].indent < level {
			level = items[i].indent
		}
	}
	for i := t + step; i >= 0 && i < len(items) && items[i].indent > items[t].indent; i += step {
		if !g.f.memo[i] && g.f.parent[i] < 0 && (items[i].indent == level || !g.within(i, level, step)) {
			parts = append(parts, i)
		}
	}
	slices.Sort(parts)
	return parts
}

// within reports whether the nearest code before i, against the direction step, that is not deeper than level is
// at level.
func (g *grower) within(i, level, step int) bool {
	for k := i - step; k >= 0 && k < len(g.dim.items); k -= step {
		if g.dim.items[k].indent <= level {
			return g.dim.items[k].indent == level
		}
	}
	return false
}

// given takes the tree that a layout gives.
func (g *grower) given() {
	parts := map[int][]int{}
	for i := range g.dim.items {
		p, ok := g.dim.parents[g.dim.items[i].key()]
		if !ok || p == "" {
			continue
		}
		if t, ok := g.dim.index[p]; ok && int(t) != i {
			parts[int(t)] = append(parts[int(t)], i)
		}
	}
	for t := range g.dim.items {
		if of := g.loose(parts[t], t); len(of) > 0 {
			c := g.check(t, of)
			g.adopt(t, of)
			g.f.additive = true
			if !c.may() {
				g.f.broken = true
				g.refuse(claim{t, of, c})
			}
		}
	}
}

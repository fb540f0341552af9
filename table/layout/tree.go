package layout

import (
	"math"
	"slices"
	"strings"
)

// A forest says what adds up in a dimension.
type forest struct {
	parent   []int // of each code, −1 none
	memo     []bool
	equals   [][]int // of memo codes
	more     []Relation
	additive bool
	broken   bool // a total is claimed that the numbers contradict
	checks   []sumCheck
	unsure   []Ambiguity
}

// A grower finds the forest of a dimension.
type grower struct {
	d         *draft
	dim       *draftDim
	m         *matrix
	f         *forest
	children  [][]int
	null      []bool
	tolerance int64        // of a sum, 0: exact
	need      float64      // which part of the evidence asked for is enough
	rounded   bool         // sums may miss by the rounding of their parts
	large     bool         // too many codes to look everywhere
	open      map[int]bool // totals of which the rows before and behind are the sum
	deciding  bool
	work      int   // left for the search, in numbers looked at
	doubt     []int // totals that could not be decided
	failed    []claim
}

// maxFree is how many codes are searched for sums wherever these stand; of more, only sums of
// neighbours are looked for.
const maxFree = 300

// maxWork bounds the search in a dimension, in numbers looked at: tables of an office need a
// hundredth of it.
const maxWork = 1 << 27

// grow finds what adds up in dimension k: candidates come from names, groups, codes,
// indentation and places, and only those stay that the numbers confirm.
//
// Where codes are left over, weaker evidence is taken too, if nothing is left over then.
func (d *draft) grow(k int, tolerance int64, rounded bool) *grower {
	g := d.growBy(k, tolerance, rounded, 1)
	if least := g.loss(); least > 0 {
		if h := d.growBy(k, tolerance, rounded, 0.4); h.loss() == 0 {
			return h
		}
	}
	return g
}

// loss is how much a forest leaves unexplained.
func (g *grower) loss() (n int) {
	if g.m == nil || g.dim.role != Classification || g.dim.noTotal || g.d.rates || g.dim.parents != nil {
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

func (d *draft) growBy(k int, tolerance int64, rounded bool, need float64) *grower {
	dim := &d.dims[k]
	n := len(dim.items)
	g := &grower{d: d, dim: dim, m: d.matrix(k), tolerance: tolerance, rounded: rounded, need: need, work: maxWork, children: make([][]int, n), null: make([]bool, n)}
	g.f = &forest{parent: make([]int, n), memo: make([]bool, n), equals: make([][]int, n)}
	for i := range g.f.parent {
		g.f.parent[i] = -1
		g.f.memo[i] = dim.items[i].memo
	}
	if g.m == nil || d.large || dim.role != Classification || n < 2 {
		return g
	}
	for i := range g.null {
		g.null[i] = g.m.isNull(i)
	}
	if dim.parents != nil {
		g.given()
		return g
	}
	if dim.noTotal || d.rates {
		return g
	}
	if !g.flat() {
		g.byGroup()
		g.byCode()
		g.byIndent()
		g.byRuns()
		g.flat()
	}
	g.claims()
	g.leftovers()
	for i := range g.children {
		g.f.additive = g.f.additive || len(g.children[i]) > 0
	}
	return g
}

// allowed is by how much a sum of n parts may miss.
func (g *grower) allowed(n int) int64 {
	if g.rounded {
		return max(g.tolerance, int64(n+1)/2)
	}
	return g.tolerance
}

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

// above reports whether a is b or stands above it.
func (g *grower) above(a, b int) bool {
	for ; b >= 0; b = g.f.parent[b] {
		if a == b {
			return true
		}
	}
	return false
}

// free are the codes without a parent that are told once, t left out, and all above it.
func (g *grower) free(t int) []int {
	var all []int
	for i := range g.f.parent {
		if g.f.parent[i] < 0 && !g.f.memo[i] && !g.above(i, t) {
			all = append(all, i)
		}
	}
	return all
}

// flat tries the simplest: one total, by its name or place, of all other codes that have no
// parent.
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
		first, last := -1, -1
		for i := range g.dim.items {
			if g.f.parent[i] < 0 && !g.f.memo[i] {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		try = []int{first, last}
	}
	for _, t := range try {
		if len(g.children[t]) > 0 {
			continue
		}
		parts := g.free(t)
		if len(parts) == 0 {
			continue
		}
		c := g.check(t, parts)
		if c.holds() && (len(named) > 0 && (len(parts) > 1 || g.lower(t, parts[0])) || len(parts) > 1 && c.bits >= 10) {
			g.adopt(t, parts)
			return true
		}
	}
	return false
}

// lower reports whether a code alone may be a part of t.
func (g *grower) lower(t, p int) bool { return g.dim.items[p].indent > g.dim.items[t].indent }

// byGroup tries totals of groups that the labels tell.
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
		if c := g.check(t, parts); len(parts) > 0 && c.may() {
			g.adopt(t, parts)
		}
	}
}

// loose are the parts without a parent that do not stand above t.
func (g *grower) loose(parts []int, t int) []int {
	var all []int
	for _, p := range parts {
		if g.f.parent[p] < 0 && !g.above(p, t) && !g.f.memo[p] {
			all = append(all, p)
		}
	}
	return all
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
		if c.may() && (c.exact+c.near > 0 || len(of) > 1) {
			g.adopt(t, of)
		}
	}
}

// byIndent tries the codes indented below another one, in rows that follow it or, with totals
// last, stand before it.
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

// indented are the codes next below t by indentation, without those that have a parent.
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

// within reports whether a code of the level stands before i in the direction against step.
func (g *grower) within(i, level, step int) bool {
	for k := i - step; k >= 0 && k < len(g.dim.items); k -= step {
		if g.dim.items[k].indent <= level {
			return g.dim.items[k].indent == level
		}
	}
	return false
}

// byRuns looks for codes that are the sum of neighbours, until nothing more is found: what
// has become a part is left out, so that subtotals come before their totals, after them, or
// all at the beginning. Sums of rows next to their total go first, then, the smallest total
// first, those of rows elsewhere.
func (g *grower) byRuns() {
	g.large = len(g.dim.items) > maxFree
	for {
		if g.nextTo() {
			continue
		}
		if !g.large && g.elsewhere() {
			continue
		}
		if len(g.open) > 0 && !g.deciding {
			g.deciding = true
			continue
		}
		return
	}
}

// nextTo adopts runs that end or begin next to their total.
func (g *grower) nextTo() (found bool) {
	n := len(g.dim.items)
	roots := g.free(-1)
	for t := range n {
		if len(g.children[t]) > 0 || g.f.memo[t] || g.null[t] {
			continue
		}
		free := roots
		if !g.large {
			free = g.free(t)
		} else if g.f.parent[t] < 0 {
			at, _ := slices.BinarySearch(roots, t)
			free = append(slices.Clone(roots[max(0, at-maxFree):at]), roots[at+1:min(len(roots), at+1+maxFree)]...)
		} else {
			continue
		}
		if run := g.run(t, free, true); run != nil {
			g.adopt(t, g.own(t, run))
			if g.large {
				roots = g.free(-1)
			}
			found = true
		}
	}
	return found
}

// elsewhere adopts the run of the smallest total that has one.
func (g *grower) elsewhere() bool {
	columns := make([]int, g.m.w)
	for j := range columns {
		columns[j] = j
	}
	best, of, least := -1, []int(nil), int64(0)
	for t := range g.dim.items {
		if len(g.children[t]) > 0 || g.f.memo[t] || g.null[t] {
			continue
		}
		size := g.size(t, columns)
		if best >= 0 && size >= least {
			continue
		}
		if run := g.run(t, g.free(t), false); run != nil {
			best, of, least = t, run, size
		}
	}
	if best < 0 {
		return false
	}
	g.adopt(best, g.own(best, of))
	return true
}

// own is a run without the codes that say nothing at its ends and beside parts of another
// total: these may belong elsewhere as well, which place decides.
func (g *grower) own(t int, run []int) []int {
	for len(run) > 0 && g.null[run[0]] {
		run = run[1:]
	}
	for len(run) > 0 && g.null[run[len(run)-1]] {
		run = run[:len(run)-1]
	}
	foreign := func(i, step int) bool {
		for i += step; i >= 0 && i < len(g.children) && g.null[i] && g.f.parent[i] < 0; {
			i += step
		}
		return i >= 0 && i < len(g.children) && len(g.children[i]) == 0 && g.f.parent[i] >= 0 && g.f.parent[i] != t
	}
	return slices.DeleteFunc(slices.Clone(run), func(i int) bool { return g.null[i] && (foreign(i, -1) || foreign(i, 1)) })
}

// run is the run of free codes whose sum is t, nil for none; near asks for one next to t.
func (g *grower) run(t int, free []int, near bool) []int {
	at, _ := slices.BinarySearch(free, t) // free[at:] stand behind t
	hint := g.hinted(t)
	best, bestScore := []int(nil), 0.0
	var behind, ahead []int // runs next to t
	consider := func(from, to int, c sumCheck) {
		run := free[from:to]
		if len(run) == 1 && !(hint && g.lower(t, run[0])) {
			return
		}
		score := 0.0
		switch {
		case from == at:
			score = 4
		case to == at:
			score = 3.9
		case from > at:
			score = 2
		default:
			score = 1
		}
		least := math.MaxInt
		for _, p := range run {
			if g.dim.items[p].indent < g.dim.items[t].indent {
				return
			}
			least = min(least, g.dim.items[p].indent)
			if isBareTotal(g.dim.items[p].label) && len(g.children[p]) == 0 {
				score -= 0.5
			}
		}
		if least > g.dim.items[t].indent {
			score++
		}
		if g.edge(free, from) && g.edge(free, to) {
			score += 0.5
		}
		need := 14 + 2*math.Log2(float64(len(g.dim.items)))
		if hint {
			need = 4
		} else if from == at || to == at {
			need = 8 + math.Log2(float64(len(g.dim.items)))*1.5
		}
		if g.whole(free, from, to) {
			need = min(need, 8)
		}
		if c.bits < need*g.need {
			return
		}
		score -= float64(c.near) * 0.01
		if from == at && to > from {
			behind = slices.Clone(run)
		} else if to == at {
			ahead = slices.Clone(run)
		}
		if best == nil || score > bestScore {
			best, bestScore = slices.Clone(run), score
		}
	}
	starts := make([]int, 0, len(free))
	if at < len(free) {
		starts = append(starts, at)
	}
	if !near {
		for s := range free {
			if s != at {
				starts = append(starts, s)
			}
		}
	}
	for _, s := range starts {
		sum := newSum(g.m)
		for e := s; e < len(free); e++ {
			if e == at && s < at {
				break // not across t
			}
			if g.work -= g.m.w; g.work < 0 && !near {
				return nil
			}
			sum.add(free[e])
			tolerance := g.allowed(e - s + 1)
			if sum.exceeds(t, tolerance) {
				break
			}
			if c := sum.against(t, tolerance); c.holds() {
				consider(s, e+1, c)
			}
		}
	}
	if near { // backwards from t
		sum := newSum(g.m)
		for s := at - 1; s >= 0; s-- {
			sum.add(free[s])
			tolerance := g.allowed(at - s)
			if sum.exceeds(t, tolerance) {
				break
			}
			if c := sum.against(t, tolerance); c.holds() {
				consider(s, at, c)
			}
		}
	}
	if behind != nil && ahead != nil {
		return g.decide(t, ahead, behind)
	}
	return best
}

// decide chooses between the rows before t and those behind it, which both are its sum: as the
// other totals have it. What stays open is put into doubt.
func (g *grower) decide(t int, ahead, behind []int) []int {
	if !g.deciding {
		if g.open == nil {
			g.open = map[int]bool{}
		}
		g.open[t] = true
		return nil
	}
	first, last := 0, 0
	for i, of := range g.children {
		if len(of) > 0 && of[0] > i {
			first++
		} else if len(of) > 0 {
			last++
		}
	}
	switch {
	case first > last:
		return behind
	case last > first:
		return ahead
	}
	if !slices.Contains(g.doubt, t) {
		g.doubt = append(g.doubt, t)
	}
	return behind
}

// whole reports whether a run has all free codes but those that say nothing.
func (g *grower) whole(free []int, from, to int) bool {
	for i, p := range free {
		if (i < from || i >= to) && !g.null[p] {
			return false
		}
	}
	return true
}

// edge reports whether a blank row stands before free[i], or nothing.
func (g *grower) edge(free []int, i int) bool {
	return i == 0 || i == len(free) || g.dim.items[free[i]].gap
}

// hinted reports whether the label or look of t says that it is a total.
func (g *grower) hinted(t int) bool {
	it := &g.dim.items[t]
	if isTotalName(it.label) || isTotalName(it.raw) || it.whole {
		return true
	}
	if it.bold {
		for i := range g.dim.items {
			if !g.dim.items[i].bold {
				return true
			}
		}
	}
	for i := t + 1; i < len(g.dim.items) && i <= t+1; i++ {
		if g.dim.items[i].indent > it.indent {
			return true
		}
	}
	return false
}

// given takes the tree that a layout tells.
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
				g.f.checks = append(g.f.checks, c)
			}
		}
	}
}

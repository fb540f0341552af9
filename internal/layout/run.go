package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// Runs: neighbouring codes whose sum is another code.

// byRuns looks for codes that are the sum of neighbours until none are found any more. Codes that have become
// parts are skipped, so that subtotals may stand before their totals, after them, or all at the beginning. Sums
// next to their total are taken first, then those elsewhere, the smallest total first.
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

// nextTo adopts runs that begin or end next to their total.
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
	columns := sets.Upto(g.m.w)
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

// own returns a run without the codes that say nothing about sums at its ends and beside parts of another total:
// they may belong elsewhere as well, which their place decides later.
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

// A runSearch looks for runs of free codes whose sum is t.
type runSearch struct {
	g             *grower
	t             int
	free          []int
	at            int   // free[at:] stand behind t
	hint          bool  // the label or look of t says that it is a total
	best          []int // the run with the highest score so far
	score         float64
	behind, ahead []int // runs next to t
}

// run returns the run of free codes whose sum is t, or nil; near restricts it to runs next to t.
func (g *grower) run(t int, free []int, near bool) []int {
	at, _ := slices.BinarySearch(free, t)
	s := &runSearch{g: g, t: t, free: free, at: at, hint: g.hinted(t)}
	if at < len(free) && !s.from(at, near) {
		return nil
	}
	if near {
		s.backwards()
	} else {
		for start := range free {
			if start != at && !s.from(start, near) {
				return nil
			}
		}
	}
	if s.behind != nil && s.ahead != nil {
		return g.decide(t, s.ahead, s.behind)
	}
	return s.best
}

// from considers the runs that begin with free[start]. It reports false once the work allowed for the search far
// from t is used up.
func (s *runSearch) from(start int, near bool) bool {
	g, sum := s.g, newSum(s.g.m)
	for end := start; end < len(s.free); end++ {
		if end == s.at && start < s.at {
			break // not across t
		}
		if g.work -= g.m.w; g.work < 0 && !near {
			return false
		}
		if !s.extend(sum, s.free[end], start, end+1) {
			break
		}
	}
	return true
}

// backwards considers the runs that end next to t.
func (s *runSearch) backwards() {
	sum := newSum(s.g.m)
	for start := s.at - 1; start >= 0; start-- {
		if !s.extend(sum, s.free[start], start, s.at) {
			break
		}
	}
}

// extend adds a code to sum, which then is that of free[from:to], and considers that run. It reports whether a
// longer run can still add up to t.
func (s *runSearch) extend(sum *sum, code, from, to int) bool {
	sum.add(code)
	tolerance := s.g.allowed(to - from)
	if sum.exceeds(s.t, tolerance) {
		return false
	}
	if c := sum.against(s.t, tolerance); c.holds() {
		s.consider(from, to, c)
	}
	return true
}

// consider keeps free[from:to], whose sum is t, if the evidence suffices and it scores higher than the run kept
// so far.
func (s *runSearch) consider(from, to int, c sumCheck) {
	run := s.free[from:to]
	if len(run) == 1 && !(s.hint && s.g.lower(s.t, run[0])) {
		return
	}
	score, ok := s.fit(from, to)
	if !ok || c.bits < s.need(from, to)*s.g.need {
		return
	}
	score -= float64(float64(c.near) * 0.01)
	if from == s.at && to > from {
		s.behind = slices.Clone(run)
	} else if to == s.at {
		s.ahead = slices.Clone(run)
	}
	if s.best == nil || score > s.score {
		s.best, s.score = slices.Clone(run), score
	}
}

// fit scores a run by its place and look. It reports false if a code of the run is indented less than t.
func (s *runSearch) fit(from, to int) (score float64, ok bool) {
	switch {
	case from == s.at:
		score = 4
	case to == s.at:
		score = 3.9
	case from > s.at:
		score = 2
	default:
		score = 1
	}
	items := s.g.dim.items
	least := math.MaxInt
	for _, p := range s.free[from:to] {
		if items[p].indent < items[s.t].indent {
			return 0, false
		}
		least = min(least, items[p].indent)
		if isBareTotal(items[p].label) && len(s.g.children[p]) == 0 {
			score -= 0.5
		}
	}
	if least > items[s.t].indent {
		score++
	}
	if s.g.edge(s.free, from) && s.g.edge(s.free, to) {
		score += 0.5
	}
	return score, true
}

// need returns the evidence, in bits, that a run needs: the less its place and the look of t support it, the more
// sums had to be tried to find it.
func (s *runSearch) need(from, to int) float64 {
	codes := math.Log2(float64(len(s.g.dim.items)))
	need := 14 + 2*codes
	if s.hint {
		need = 4
	} else if from == s.at || to == s.at {
		need = 8 + float64(codes*1.5)
	}
	if s.g.whole(s.free, from, to) {
		need = min(need, 8)
	}
	return need
}

// decide chooses between the rows before t and those behind it if t is the sum of either, following the other
// totals. If these do not decide, t is put into doubt.
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

// whole reports whether a run has all free codes except those that say nothing about sums.
func (g *grower) whole(free []int, from, to int) bool {
	for i, p := range free {
		if (i < from || i >= to) && !g.null[p] {
			return false
		}
	}
	return true
}

// edge reports whether free[i] follows a blank row, or the list begins or ends there.
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

// scattered adopts, the smallest total first, sums of codes in no sum wherever they stand, as around a total of
// all in the middle. Each must be the only sum possible for its total, and in the end all codes but one that have
// numbers must be in sums; else everything is undone.
func (g *grower) scattered() {
	if slices.ContainsFunc(g.dim.items, func(e entry) bool { return isTime(e.label) }) {
		return
	}
	before, columns := slices.Clone(g.f.parent), sets.Upto(g.m.w)
	adopts := func(t int, free []int) bool {
		if len(g.children[t]) > 0 || g.null[t] {
			return false
		}
		parts := g.subsets(t, g.free(t))
		if len(parts) != 1 || len(parts[0]) < 2 {
			return false
		}
		c := g.check(t, parts[0])
		if !c.holds() || c.unknown > 0 || c.bits < 8+float64(len(free)) {
			return false
		}
		g.adopt(t, parts[0])
		return true
	}
	for free := g.free(-1); len(free) <= mostBeside; free = g.free(-1) {
		slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(g.size(a, columns), g.size(b, columns)) })
		if slices.ContainsFunc(free, func(t int) bool { return adopts(t, free) }) {
			continue
		}
		if free = slices.DeleteFunc(free, func(i int) bool { return g.null[i] }); len(free) == 1 || g.flat() {
			return
		}
		break
	}
	g.f.parent = before
	for t := range g.children {
		g.children[t] = slices.DeleteFunc(g.children[t], func(i int) bool { return before[i] != t })
	}
}

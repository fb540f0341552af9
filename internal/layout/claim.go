package layout

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// claims looks at codes that claim to be totals, by their name or by the rows indented below them, and for which no sum
// was found yet.
func (g *grower) claims() {
	belied := g.belied()
	for t := range g.dim.items {
		if len(g.children[t]) > 0 || g.f.memo[t] {
			continue
		}
		it := &g.dim.items[t]
		deep := g.indented(t, true)
		whole := it.whole && isTotalName(it.own) // it has the name of its group, whose total it is
		named := it.called(isTotalName) || whole
		if !named && (len(deep) == 0 || belied) {
			continue
		}
		parts := deep
		if len(parts) == 0 {
			if g.f.parent[t] >= 0 {
				continue
			}
			if parts = g.free(t); whole {
				parts = sets.Where(parts, func(i int) bool { return g.dim.items[i].group == it.group })
			}
		}
		if len(parts) == 0 {
			continue
		}
		c := g.check(t, parts)
		switch {
		case c.may():
			if c.exact+c.near > 0 || (!g.null[t] || named && g.m.hides(t)) && !it.around && (c.unknown > 0 || len(deep) > 0) {
				g.adopt(t, parts)
			}
			continue
		case named && g.subsetOf(t):
			continue
		}
		root := g.root()
		if named && (root < 0 || it.called(isBareTotal) || !g.dim.items[root].called(isTotalName)) || len(deep) > 0 {
			g.f.broken = true
			g.failed = append(g.failed, claim{t, parts, c})
			if len(deep) > 0 {
				g.adopt(t, deep)
			}
		}
	}
}

// belied reports whether the numbers of a table of counts contradict its indents: no row is anywhere the sum of the
// rows indented below it, and some row is in two or more columns less than one of these.
func (g *grower) belied() bool {
	if g.m == nil || g.m.signed || g.d.places > 0 {
		return false
	}
	less := false
	for t := range g.dim.items {
		deep := g.indented(t, true)
		if len(deep) == 0 || g.f.memo[t] {
			continue
		}
		if c := g.check(t, deep); len(g.children[t]) > 0 || c.exact+c.near+c.unknown > 0 {
			return false
		}
		below := 0
		for j := range g.m.w {
			if g.m.state[t*g.m.w+j] == stateKnown && slices.ContainsFunc(deep, func(p int) bool { return g.m.at(p, j) > g.m.at(t, j)+g.allowed(1) }) {
				below++
			}
		}
		less = less || below > 1
	}
	return less
}

// ofWhich takes for a memo item what alone is indented below a code that it is a part of, and not all of it: a group
// would be told with its other parts, unless a total between them parts them.
func (g *grower) ofWhich() {
	for t := range g.dim.items {
		if g.f.memo[t] || g.null[t] || t == 0 && g.dim.items[t].called(isTotalName) {
			continue
		}
		if deep := g.indented(t, true); len(deep) == 1 && !g.parted(g.dim.items[deep[0]].indent) && !g.null[deep[0]] && !g.m.same(t, deep[0]) && g.part(deep[0], t) {
			g.f.memo[deep[0]], g.f.parent[deep[0]] = true, t
		}
	}
}

// parted reports whether a total stands between codes that are indented so far, or a code that all before it are indented
// more than.
func (g *grower) parted(indent int) bool {
	items := g.dim.items
	deep := func(e entry) bool { return e.indent == indent }
	for t := range items {
		top := !slices.ContainsFunc(items[:t], func(e entry) bool { return e.indent <= items[t].indent })
		if (top || items[t].called(isTotalName)) && slices.ContainsFunc(items[:t], deep) && slices.ContainsFunc(items[t+1:], deep) {
			return true
		}
	}
	return false
}

// A claim is a claimed total that its parts do not add up to.
type claim struct {
	total int
	parts []int
	check sumCheck
}

// subsetOf looks among the free codes for parts whose sum is t, and takes them if they are the only ones.
func (g *grower) subsetOf(t int) bool {
	free := g.free(t)
	found := g.subsets(t, free)
	if len(found) != 1 || len(found[0]) < 2 {
		return false
	}
	if c := g.check(t, found[0]); !c.holds() || c.bits < 8+float64(len(free)) {
		return false
	}
	g.adopt(t, found[0])
	return true
}

// ends looks for the total of all under a name that is not known here: the first code or the last is the sum of nearly
// all others. Codes that repeat a part of another, under words not known either, would hide it.
func (g *grower) ends() {
	if g.f.broken || g.root() >= 0 || slices.ContainsFunc(g.dim.items, func(e entry) bool { return isTime(e.label) }) {
		return
	}
	free := g.free(-1)
	if len(free) < 4 {
		return
	}
	for _, t := range []int{free[0], lastOf(free)} {
		if len(g.children[t]) > 0 || g.null[t] {
			continue
		}
		found := g.subsets(t, g.free(t))
		if len(found) != 1 || 3*len(found[0]) < 2*(len(free)-1) || len(found[0]) < 2 {
			continue
		}
		if c := g.check(t, found[0]); c.holds() && c.unknown == 0 && c.bits >= 10+float64(len(free)) {
			g.adopt(t, found[0])
			return
		}
	}
}

// maxChosen bounds the codes among which subsets are looked for, maxSteps the steps of that search.
const (
	maxChosen = 80
	maxSteps  = 200_000
)

// subsets returns up to two sets of the given codes whose sum is row t. Codes without numbers other than zero are in
// none.
func (g *grower) subsets(t int, from []int) (found [][]int) {
	m := g.m
	if m.signed || len(from) > maxChosen {
		return nil
	}
	use := sets.Where(from, func(p int) bool { return !g.null[p] })
	// columns in which no value is unknown
	var columns []int
	for j := range m.w {
		ok := m.state[t*m.w+j] == stateKnown
		for _, p := range use {
			ok = ok && m.state[p*m.w+j] != stateUnknown
		}
		if ok {
			columns = append(columns, j)
		}
	}
	if len(columns) == 0 || len(use) == 0 {
		return nil
	}
	slices.SortStableFunc(use, func(a, b int) int { return int(min(1, max(-1, g.size(b, columns)-g.size(a, columns)))) })
	w := len(columns)
	rest := make([]int64, (len(use)+1)*w) // by index: the sum of all codes from there on
	for i := len(use) - 1; i >= 0; i-- {
		for k, j := range columns {
			rest[i*w+k] = rest[(i+1)*w+k] + m.at(use[i], j)
		}
	}
	left := make([]int64, w)
	for k, j := range columns {
		left[k] = m.at(t, j)
	}
	var chosen []int
	steps := 0
	var search func(i int)
	search = func(i int) {
		g.work -= w
		if steps++; steps > maxSteps || len(found) > 1 || g.work < 0 {
			return
		}
		done := true
		for k := range left {
			if left[k] > rest[i*w+k] || left[k] < 0 {
				return
			}
			done = done && left[k] == 0
		}
		if done {
			found = append(found, slices.Sorted(slices.Values(chosen)))
			return
		}
		if i == len(use) {
			return
		}
		for k, j := range columns {
			left[k] -= m.at(use[i], j)
		}
		chosen = append(chosen, use[i])
		search(i + 1)
		chosen = chosen[:len(chosen)-1]
		for k, j := range columns {
			left[k] += m.at(use[i], j)
		}
		search(i + 1)
	}
	search(0)
	if steps > maxSteps || g.work < 0 {
		return nil
	}
	return found
}

// at returns a value, 0 where it is not known.
func (m *matrix) at(i, j int) int64 {
	if m.state[i*m.w+j] == stateKnown {
		return m.value[i*m.w+j]
	}
	return 0
}

func (g *grower) size(i int, columns []int) (s int64) {
	for _, j := range columns {
		s += g.m.at(i, j)
	}
	return s
}

// root returns the only code that has parts and is itself part of none, −1 if there is none or several.
func (g *grower) root() int {
	root := -1
	for i := range g.children {
		if len(g.children[i]) > 0 && g.f.parent[i] < 0 {
			if root >= 0 {
				return -1
			}
			root = i
		}
	}
	return root
}

// leftovers finds places for codes that are in no sum: rows without numbers other than zero, repeated parts, a second
// division of the same total.
func (g *grower) leftovers() {
	n := len(g.dim.items)
	for i := 0; i < n; i++ { // neighbours whose sum marks hide, so that it cannot be checked
		from := i
		for i < n && g.f.parent[i] < 0 && len(g.children[i]) == 0 && !g.f.memo[i] {
			i++
		}
		group := make([]int, 0, i-from)
		for k := from; k < i; k++ {
			group = append(group, k)
		}
		if t := g.hides(group); t >= 0 && g.root() >= 0 {
			g.adopt(t, group)
		}
	}
	for i := range n {
		if g.f.parent[i] < 0 && len(g.children[i]) == 0 && !g.f.memo[i] && g.null[i] {
			g.place(i)
		}
	}
	root := g.root()
	switch {
	case g.f.broken:
	case root >= 0:
		g.again(root)
	default:
		g.across()
	}
	var leaves []int
	for i := range n {
		if len(g.children[i]) == 0 && !g.f.memo[i] {
			leaves = append(leaves, i)
		}
	}
	for i := range n {
		if !g.f.memo[i] || g.f.parent[i] >= 0 {
			continue
		}
		it := &g.dim.items[i]
		if it.within != "" && !it.whole {
			g.f.parent[i] = slices.IndexFunc(g.dim.items, func(e entry) bool { return e.whole && e.group == it.within })
		} else if whichPart().MatchString(it.raw) || whichPart().MatchString(it.label) || root < 0 {
			for p := i - 1; p >= 0; p-- {
				if !g.f.memo[p] {
					g.f.parent[i] = p
					break
				}
			}
		}
		if g.f.parent[i] < 0 {
			g.f.parent[i] = root
		}
		if g.null[i] {
			continue
		}
		parts := g.named(i, it.label, leaves)
		if parts == nil && root >= 0 && !g.f.broken {
			parts = g.named(i, memoName(it.label), sets.Upto(n)) // memo items, too, where other sums hold as well
		}
		if parts == nil {
			parts = g.retold(i, leaves)
		}
		if parts == nil {
			if found := g.subsets(i, leaves); len(found) == 1 {
				if c := g.m.check(i, found[0], 0); c.holds() && c.bits > float64(len(leaves)) {
					parts = found[0]
				}
			}
		}
		g.f.equals[i] = parts
		// it repeats more than the row behind which it stands
		if p := g.f.parent[i]; len(parts) > 1 && slices.Contains(parts, p) {
			g.f.parent[i] = g.f.parent[p]
		}
	}
}

// twins finds sums that hold as well as those of the tree, as two codes have the same numbers everywhere. No number
// shows which of the two is meant, so readers are taken to know both sums.
func (g *grower) twins() {
	class := g.m.alike(len(g.children))
	in := make([]bool, len(g.children)) // which codes are parts of the sum
	add := func(t int, parts []int) {
		g.f.more = append(g.f.more, g.dim.relation(t, parts, g.check(t, parts)))
	}
	for t := range g.children {
		parts := g.real(t)
		if len(parts) == 0 {
			continue
		}
		for _, p := range parts {
			in[p] = true
		}
		others := map[*[]int][]int{} // by class: its codes that are no parts
		apart := func(i int) []int {
			if g.null[i] || class[i] == nil {
				return nil
			}
			left, ok := others[class[i]]
			if !ok {
				for _, k := range *class[i] {
					if !in[k] {
						left = append(left, k)
					}
				}
				others[class[i]] = left
			}
			return left
		}
		for _, other := range apart(t) {
			if other != t {
				add(other, parts)
			}
		}
		for k, p := range parts {
			for _, other := range apart(p) {
				if other != t {
					of := slices.Clone(parts)
					of[k] = other
					add(t, of)
				}
			}
		}
		for _, p := range parts {
			in[p] = false
		}
	}
}

// alike returns, for each of the first n rows, the rows that have the same numbers, all of them known; nil for a row
// that is alone or has an unknown number.
func (m *matrix) alike(n int) []*[]int {
	class := make([]*[]int, n)
	found := map[string]*[]int{}
	var key []byte
	for i := range n {
		key = key[:0]
		known := true
		for k := range m.w {
			at := i*m.w + k
			known = known && m.state[at] != stateUnknown
			key = append(key, byte(m.state[at]))
			if m.state[at] == stateKnown {
				key = binary.LittleEndian.AppendUint64(key, uint64(m.value[at]))
			}
		}
		if !known {
			continue
		}
		c := found[string(key)]
		if c == nil {
			c = new([]int)
			found[string(key)] = c
		}
		*c = append(*c, i)
		class[i] = c
	}
	for i, c := range class {
		if c != nil && len(*c) == 1 {
			class[i] = nil
		}
	}
	return class
}

// named returns those of some codes that a label of code i names, like widowed and divorced, if their sum holds wherever
// it can be checked, give or take rounding where there are several.
func (g *grower) named(i int, label string, of []int) []int {
	parts := g.spoken(i, label, of)
	if tolerance := g.allowed(len(parts)); parts != nil && (g.m.check(i, parts, 0).holds() || len(parts) > 1 && g.m.check(i, parts, tolerance).holds()) {
		return parts
	}
	return nil
}

// retold returns the leaves that a label names behind words for a repetition, if numbers confirm it and all other codes
// are in sums. Otherwise it would explain away what shows that the tree is another one.
func (g *grower) retold(i int, leaves []int) []int {
	parts := g.tellsOf(i, leaves)
	if parts == nil {
		return nil
	}
	// codes with only zeros fit into any sum
	free := slices.DeleteFunc(g.free(i), func(k int) bool { return g.null[k] })
	if c := g.check(i, parts); !c.holds() || c.bits <= 0 || len(free) > 1 {
		return nil
	}
	return parts
}

// tellsOf returns the leaves that the label of code i names, several where words of any language stand before them.
func (g *grower) tellsOf(i int, leaves []int) []int {
	label := memoName(uncoded(g.dim.items[i].label))
	for at, first := range label {
		if last, _ := utf8.DecodeLastRuneInString(label[:at]); first < utf8.RuneSelf && unicode.IsLetter(last) {
			continue // within a word
		}
		if parts := g.spoken(i, label[at:], leaves); len(parts) > 1 || at == 0 && parts != nil {
			return parts
		}
	}
	return nil
}

// uncoded returns a label without the number that stands before its words in "30 Clay".
func uncoded(label string) string {
	if rest := strings.TrimLeft(label, "0123456789"); len(rest) < len(label) {
		if name := strings.TrimLeft(rest, " .)"); len(name) < len(rest) && name != "" {
			return name
		}
	}
	return label
}

// between matches what stands between two names in a list of them: a sign, a short word of any language, or both.
var between = lazy.Regexp(`^(?:\s*[,、，・/&＆+＋;]\s*(?:\p{L}{1,5}\s+)?|\s+\p{L}{1,5}\s+|及び|および|と|和|与|및|와|과)`)

// mostListed bounds how many names a label is taken to list, and so the ways to cut it.
const mostListed = 12

// spoken returns the leaves that a label of code i names one by one, nil if it names anything else.
func (g *grower) spoken(i int, label string, leaves []int) []int {
	return g.list(i, label, leaves, mostListed)
}

// list is spoken for at most so many names.
func (g *grower) list(i int, label string, leaves []int, most int) []int {
	if most == 0 {
		return nil
	}
	for _, k := range leaves {
		name := uncoded(g.dim.items[k].label)
		if k == i || name == "" || len(name) > len(label) || !strings.EqualFold(label[:len(name)], name) {
			continue
		}
		rest := label[len(name):]
		if rest == "" {
			return []int{k}
		}
		if at := between().FindStringIndex(rest); at != nil {
			if more := g.list(i, rest[at[1]:], leaves, most-1); more != nil && !slices.Contains(more, k) {
				return append([]int{k}, more...)
			}
		}
	}
	return nil
}

// place makes a code without numbers other than zero part of the group among whose rows it stands.
func (g *grower) place(i int) {
	n := len(g.dim.items)
	leaf := func(k int) int {
		if k < 0 || k >= n || g.f.memo[k] || len(g.children[k]) > 0 || g.f.parent[k] < 0 {
			return -1
		}
		return g.f.parent[k]
	}
	before, after := leaf(i-1), leaf(i+1)
	for k := i - 1; before < 0 && k >= 0 && g.null[k] && g.f.parent[k] < 0; k-- {
		before = leaf(k - 1)
	}
	for k := i + 1; after < 0 && k < n && g.null[k] && g.f.parent[k] < 0; k++ {
		after = leaf(k + 1)
	}
	fits := func(t int) bool {
		return t >= 0 && t != i && g.m.check(t, append(slices.Clone(g.children[t]), i), g.allowed(len(g.children[t])+1)).may()
	}
	if !fits(before) {
		before = -1
	}
	if !fits(after) {
		after = -1
	}
	t := before
	switch {
	case before < 0 && after < 0:
		if t = g.root(); t < 0 || !fits(t) || g.dim.items[i].indent < g.dim.items[t].indent {
			return
		}
		if isTotalName(g.dim.items[i].label) {
			return
		}
	case before < 0:
		t = after
	case after < 0 || before == after:
	default:
		it := g.dim.items
		gap := i+1 < n && it[i+1].gap
		a, b := alike(it[i].key(), it[i-1].key()), alike(it[i].key(), it[min(i+1, n-1)].key())
		ends := alike(reverse(it[i].label), reverse(it[i-1].label)) - alike(reverse(it[i].label), reverse(it[min(i+1, n-1)].label))
		switch {
		case it[i].gap && !gap:
			t = after
		case gap && !it[i].gap:
		case isCodeLike(it[i].key()) && a != b:
			if b > a {
				t = after
			}
		case ends != 0:
			if ends < 0 {
				t = after
			}
		default:
			g.f.unsure = append(g.f.unsure, Ambiguity{
				Question: i18n.T("%s: %s has no number but zeros and may belong to either group", g.dim.name, it[i].key()),
				Readings: []i18n.Text{i18n.T("a part of %s", it[before].key()), i18n.T("a part of %s", it[after].key())},
				Options:  []string{"as read", "parents in the layout"},
			})
		}
	}
	g.adopt(t, []int{i})
}

// alike returns the length of the common beginning of two texts.
func alike(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// again finds codes beside a tree that repeat some of it: a second division of one of its codes, or a part of it.
func (g *grower) again(root int) {
	var left []int
	for i := range g.dim.items {
		if g.f.parent[i] < 0 && len(g.children[i]) == 0 && !g.f.memo[i] {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return
	}
	var nodes, leaves []int
	for i := range g.children {
		if len(g.children[i]) > 0 {
			nodes = append(nodes, i)
		} else if g.f.parent[i] >= 0 && !g.f.memo[i] {
			leaves = append(leaves, i)
		}
	}
	for from := 0; from < len(left); {
		to := from + 1
		for to < len(left) && left[to] == left[to-1]+1 {
			to++
		}
		group := left[from:to]
		from = to
		if t := g.hides(group); t >= 0 {
			g.adopt(t, group)
			nodes = append(nodes, t)
			continue
		}
		whole := group
		group = g.divisions(group, nodes)
		for _, i := range whole {
			found, named := g.subsets(i, leaves), g.retold(i, leaves)
			told := len(found) == 1 && g.m.check(i, found[0], 0).bits > float64(len(leaves))+6
			switch {
			case !slices.Contains(group, i): // readers know which places are towns, though no row says so
				if told {
					g.f.equals[i] = found[0]
				}
			case len(named) > 1: // words and numbers together, where few numbers alone might agree by chance
				g.f.memo[i], g.f.parent[i], g.f.equals[i] = true, root, named
			case told && len(found[0]) > 1:
				g.f.memo[i], g.f.parent[i], g.f.equals[i] = true, root, found[0]
			case isTotalName(g.dim.items[root].label) && g.part(i, root):
				g.f.memo[i], g.f.parent[i] = true, root
			}
		}
	}
}

// redivide puts right a total that was found as the sum of a second division of it, as of towns and countryside, though
// all other codes without a parent, some of them with parts, add up to it too: these are its parts.
func (g *grower) redivide() {
	tops := sets.Where(g.free(-1), func(i int) bool { return !g.null[i] })
	for _, t := range tops {
		others := slices.DeleteFunc(slices.Clone(tops), func(i int) bool { return i == t })
		if len(g.children[t]) == 0 || len(others) < 2 || !slices.ContainsFunc(others, func(i int) bool { return len(g.children[i]) > 0 }) {
			continue
		}
		if c := g.check(t, others); c.holds() && c.bits > 8 {
			for _, p := range g.children[t] {
				g.f.parent[p] = -1
			}
			g.children[t] = nil
			g.adopt(t, others)
			return
		}
	}
}

// across finds codes that are sums of parts of several groups where there is no total of all, as of towns.
func (g *grower) across() {
	var leaves []int
	for i, p := range g.f.parent {
		if p >= 0 && !g.f.memo[i] && len(g.children[i]) == 0 {
			leaves = append(leaves, i)
		}
	}
	for _, i := range g.free(-1) {
		if len(g.children[i]) > 0 || g.null[i] {
			continue
		}
		if found := g.subsets(i, leaves); len(found) == 1 && len(found[0]) > 1 {
			if c := g.m.check(i, found[0], 0); c.bits > float64(len(leaves))+6 {
				g.f.more = append(g.f.more, g.dim.relation(i, found[0], c))
			}
		}
	}
}

// divisions takes out of a group of neighbours those that divide one of the nodes once more: all of them, or one
// division after another without a row between, as by area and by size of place. It returns the codes that are in none.
func (g *grower) divisions(group, nodes []int) (rest []int) {
	divide := func(of []int) bool {
		for _, t := range nodes {
			if c := g.check(t, of); len(of) > 1 && c.holds() && c.bits > 8 {
				g.f.more = append(g.f.more, g.dim.relation(t, of, c))
				for _, i := range of {
					g.f.memo[i], g.f.parent[i] = true, t
				}
				return true
			}
		}
		return false
	}
	if divide(group) {
		return nil
	}
	for len(group) > 1 && len(group) <= maxFree {
		end := 2
		for end <= len(group) && !divide(group[:end]) {
			end++
		}
		if end > len(group) {
			rest, end = append(rest, group[0]), 1
		}
		group = group[end:]
	}
	return append(rest, group...)
}

// hides returns the code whose parts a group of codes may be although marks keep every sum from being checked: the
// nearest one without parts that is nowhere less than their known values, and of which these make up most; −1 for none.
func (g *grower) hides(group []int) int {
	if len(group) < 2 || g.m.signed {
		return -1
	}
	s := newSum(g.m)
	for _, p := range group {
		s.add(p)
	}
	best, far := -1, 0
	for t := range g.children {
		if len(g.children[t]) > 0 || g.f.memo[t] || g.f.parent[t] < 0 || slices.Contains(group, t) {
			continue
		}
		c := s.against(t, g.allowed(len(group)))
		if c.bad > 0 || c.unknown == 0 {
			continue
		}
		var all, parts int64
		for j := range s.value {
			if g.m.state[t*g.m.w+j] == stateKnown {
				all += g.m.value[t*g.m.w+j]
				parts += s.value[j]
			}
		}
		d := max(group[0]-t, t-group[len(group)-1])
		if 10*parts >= 7*all && all > 0 && (best < 0 || d < far) {
			best, far = t, d
		}
	}
	return best
}

// part reports whether row i may be a part of row t, as it is nowhere larger.
func (g *grower) part(i, t int) bool {
	s := newSum(g.m)
	s.add(i)
	return !s.exceeds(t, 0) && !g.m.signed
}

// relation describes the sum of some parts that is t.
func (dim *draftDim) relation(t int, parts []int, c sumCheck) Relation {
	r := Relation{Total: dim.items[t].key(), Checked: c.exact + c.near, Unknown: c.unknown, Missed: c.near}
	for _, p := range parts {
		r.Parts = append(r.Parts, dim.items[p].key())
	}
	return r
}

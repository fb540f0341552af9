package layout

import (
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// The sums of a table: which code of a dimension is the sum of which others. The readers of wide and of long
// tables both ask newSums for the numbers seen from each dimension whose codes may add up, and then for the tree
// of sums or for the evidence of single claims. The numbers alone decide; names, indentation and codes only say
// where to look first and how much evidence is needed to rule out chance.

// A sumCell is one number of a table.
type sumCell struct {
	at    []int32 // one code of each dimension, as an index
	value int64   // in a unit common to all cells
	known uint8
}

// What is known of a cell. A free cell has no value and may count in no total: it was not surveyed, or is
// impossible. The value of a hidden cell is not shown but counts in the totals.
const (
	isKnown uint8 = iota
	isFree
	isHidden
)

// known returns what the meaning of a mark says about its cell.
func known(means string) uint8 {
	switch means {
	case "", isNil:
		return isKnown
	case isUnavailable, isInapplicable:
		return isFree
	}
	return isHidden
}

// A codeHint is what the name and the place of a code suggest.
type codeHint struct {
	code  string
	total bool // its label is one of a total
	memo  bool // 再掲, "of which": counts in no total
	level int  // indentation, −1 unknown
}

// A sumTree says what adds up in one dimension.
type sumTree struct {
	parent []int   // −1: none
	memo   []bool  // counts in no sum of its parent
	equals [][]int // of a memo code: the codes whose sum it is, if found
	parts  []int   // of each code, how many others add up to it
}

// children returns, for each code, the parts that add up to it.
func (t *sumTree) children() [][]int {
	all := make([][]int, len(t.parent))
	for k, p := range t.parent {
		if p >= 0 && !t.memo[k] {
			all[p] = append(all[p], k)
		}
	}
	return all
}

// hang makes code c, which has no parent, a part of p.
func (t *sumTree) hang(c, p int) {
	t.parent[c] = p
	t.parts[p]++
}

// apartFrom reports whether some code is in no sum together with code top.
func (t *sumTree) apartFrom(top int) bool {
	for t.parent[top] >= 0 {
		top = t.parent[top]
	}
	for c, p := range t.parent {
		if p < 0 && c != top && !t.memo[c] {
			return true
		}
	}
	return false
}

func (t *sumTree) additive() bool {
	for c, p := range t.parent {
		if p >= 0 && !t.memo[c] {
			return true
		}
	}
	return false
}

// An evidence is what the numbers say about a claimed sum.
type evidence struct {
	checked int // sums whose numbers are all known and that hold
	missed  int // those of checked that hold only within the tolerance
	unknown int // sums with a number that is not in the file
	wrong   int
	worst   int32   // row of the sum that misses by most
	miss    int64   // by how much the parts exceed the total there
	bits    float64 // evidence against coincidence
}

// A sums holds the numbers of a table as seen from one of its dimensions, with a row for each combination of the
// other codes.
type sums struct {
	n         int          // number of codes
	entries   [][]sumEntry // of each code, by row
	rows      int
	unit      int64 // the greatest common divisor of all numbers
	signed    bool
	tolerance int64 // how far a sum may be off its total
	rounded   bool  // sums may also be off by what the rounding of their parts to unit allows
	work      int   // budget left for byRuns, in numbers looked at

	stamp []int32
	now   int32
	acc   []sumRow
}

type sumEntry struct {
	row   int32
	known uint8
	v     int64
}

type sumRow struct {
	sum, first, second int64
	hash               uint64
	free, hidden       bool
	total              sumEntry
	has                bool // the row has a cell of the total
}

// Limits of the search, far above tables that are printed.
const (
	maxRun    = 500 // up to this many codes of a dimension, every run of codes is tried
	maxSubset = 36  // up to this many codes, any subset may be the parts of a memo code
)

// newSums arranges the cells of a table by dimension d. sizes has the number of codes of each dimension.
func newSums(cells []sumCell, sizes []int, d int) *sums {
	s := &sums{n: sizes[d], work: maxWork, entries: make([][]sumEntry, sizes[d])}
	rows := map[string]int32{}
	var key []byte
	for i := range cells {
		c := &cells[i]
		key = key[:0]
		for e, at := range c.at {
			if e != d {
				key = append(key, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
			}
		}
		row, ok := rows[string(key)]
		if !ok {
			row = int32(len(rows))
			rows[string(key)] = row
		}
		x := sumEntry{row: row, known: c.known}
		if c.known == isKnown {
			x.v = c.value
			s.unit = num.GCD(s.unit, x.v)
			s.signed = s.signed || x.v < 0
		}
		s.entries[c.at[d]] = append(s.entries[c.at[d]], x)
	}
	s.rows = len(rows)
	s.unit = max(s.unit, 1)
	s.stamp, s.acc = make([]int32, s.rows), make([]sumRow, s.rows)
	return s
}

// claim returns what the numbers say about total being the sum of parts. A row counts with log2(1 + its second
// largest part in units), since chance hits a number of that size so rarely; rows with the same numbers count
// once.
func (s *sums) claim(total int, parts []int) evidence {
	s.now++
	var touched []int32
	at := func(row int32) *sumRow {
		a := &s.acc[row]
		if s.stamp[row] != s.now {
			s.stamp[row] = s.now
			*a = sumRow{}
			touched = append(touched, row)
		}
		return a
	}
	for _, x := range s.entries[total] {
		a := at(x.row)
		a.total, a.has = x, true
	}
	for _, p := range parts {
		for _, x := range s.entries[p] {
			a := at(x.row)
			switch x.known {
			case isFree:
				a.free = true
				continue
			case isHidden:
				a.hidden = true
				continue
			}
			if sum := a.sum + x.v; (sum > a.sum) == (x.v > 0) || x.v == 0 {
				a.sum = sum
			} else {
				a.hidden = true
			}
			a.hash += uint64(x.v) * (num.Mix(uint64(p)) | 1)
			if v := num.Abs(x.v); v > a.first {
				a.first, a.second = v, a.first
			} else {
				a.second = max(a.second, v)
			}
		}
	}
	slack := s.tolerance
	if s.rounded {
		slack = max(slack, s.unit*int64(len(parts)+1)/2)
	}
	var e evidence
	seen := map[uint64]bool{}
	for _, row := range touched {
		a := &s.acc[row]
		if !a.has {
			if a.sum != 0 || a.hidden {
				e.unknown++ // parts without a total
			}
			continue
		}
		if a.total.known != isKnown {
			e.unknown++
			continue
		}
		diff := a.total.v - a.sum
		switch {
		case a.hidden && (diff >= -slack || s.signed):
			e.unknown++
			continue
		case num.Abs(diff) <= slack:
			if e.checked++; diff != 0 {
				e.missed++
			}
		case a.free && (diff > 0 || s.signed):
			e.unknown++
			continue
		default:
			if e.wrong++; e.wrong == 1 || num.Abs(diff) > num.Abs(e.miss) {
				e.worst, e.miss = row, -diff
			}
			continue
		}
		if len(parts) == 1 {
			a.second = a.first
		}
		if a.second == 0 || seen[a.hash] {
			continue
		}
		seen[a.hash] = true
		bits := math.Log2(1 + float64(a.second)/float64(s.unit))
		if slack > 0 {
			bits -= math.Log2(float64(2*(slack/s.unit) + 1))
		}
		e.bits += max(bits, 0)
	}
	return e
}

// A sumClaim is a sum that the numbers bear out.
type sumClaim struct {
	total int
	parts []int
	bits  float64 // evidence beyond what is needed to rule out chance
	rank  int     // how it was found; a lower rank is taken first
}

// tree finds what adds up. hints has one entry per code, or is nil. A code whose numbers are all 0 or not in the
// file is placed with its neighbours.
func (s *sums) tree(hints []codeHint) sumTree {
	t := sumTree{parent: make([]int, s.n), memo: make([]bool, s.n), equals: make([][]int, s.n), parts: make([]int, s.n)}
	if hints == nil {
		hints = make([]codeHint, s.n)
		for c := range hints {
			hints[c].level = -1
		}
	}
	var list, ghosts, memos []int
	for c := range t.parent {
		t.parent[c] = -1
		switch {
		case hints[c].memo:
			memos = append(memos, c)
		case s.ghost(c) && !hints[c].total:
			ghosts = append(ghosts, c)
		default:
			list = append(list, c)
		}
	}
	if len(list)+len(ghosts) < 2 || s.n > 1<<20 {
		return t
	}
	if total, ok := s.allOthers(list, hints); ok {
		for _, c := range slices.Concat(list, ghosts) {
			if c != total {
				t.hang(c, total)
			}
		}
	} else {
		s.grow(&t, slices.Clone(list), hints)
		s.remains(&t, list)
		s.house(&t, ghosts, hints)
	}
	s.memos(&t, memos)
	return t
}

// ghost reports whether no number of code c says anything: all are 0 or free.
func (s *sums) ghost(c int) bool {
	for _, x := range s.entries[c] {
		if x.known == isHidden || x.known == isKnown && x.v != 0 {
			return false
		}
	}
	return true
}

// allOthers looks for one code that is the sum of all others.
func (s *sums) allOthers(list []int, hints []codeHint) (total int, ok bool) {
	if len(list) < 2 {
		return 0, false
	}
	size := func(c int) float64 {
		v := 0.0
		for _, x := range s.entries[c] {
			v += math.Abs(float64(x.v))
		}
		return v
	}
	largest := slices.MaxFunc(list, func(a, b int) int {
		switch x, y := size(a), size(b); {
		case x > y:
			return 1
		case x < y:
			return -1
		}
		return b - a
	})
	try := []int{}
	for _, c := range list {
		if hints[c].total {
			try = append(try, c)
		}
	}
	for _, c := range []int{list[0], list[len(list)-1], largest} {
		if !slices.Contains(try, c) {
			try = append(try, c)
		}
	}
	for _, c := range try {
		others := slices.DeleteFunc(slices.Clone(list), func(k int) bool { return k == c })
		e := s.claim(c, others)
		need := 5.0
		switch {
		case hints[c].total && e.checked > 0:
			need = 0
		case hints[c].total:
			need = math.Inf(1)
			if e.unknown > 0 && len(s.named(list, hints)) == 1 && !s.leveled(list, hints) {
				need = 0 // nothing can be checked, but nothing contradicts the name either
			}
		case len(others) == 1:
			continue
		}
		if e.wrong == 0 && e.bits >= need && (e.bits > 0 || hints[c].total) {
			return c, true
		}
	}
	return 0, false
}

// named returns the codes whose labels are those of totals.
func (s *sums) named(list []int, hints []codeHint) (all []int) {
	for _, c := range list {
		if hints[c].total {
			all = append(all, c)
		}
	}
	return all
}

// leveled reports whether the codes stand on three or more levels of indentation.
func (s *sums) leveled(list []int, hints []codeHint) bool {
	seen := map[int]bool{}
	for _, c := range list {
		seen[hints[c].level] = true
	}
	return len(seen) > 2
}

// grow finds sums among the codes of list, takes their parts out of the list, and repeats this with what is left
// until nothing adds up any more.
func (s *sums) grow(t *sumTree, list []int, hints []codeHint) {
	for len(list) > 1 {
		claims := s.byLevel(list, hints)
		claims = append(claims, s.byPrefix(list, hints)...)
		claims = append(claims, s.byRuns(list, hints)...)
		if len(claims) == 0 {
			claims = s.byChoice(list)
		}
		slices.SortStableFunc(claims, func(a, b sumClaim) int {
			if a.rank != b.rank {
				return a.rank - b.rank
			}
			if len(a.parts) != len(b.parts) {
				return len(a.parts) - len(b.parts)
			}
			if x, y := apartBy(a), apartBy(b); x != y {
				return x - y
			}
			return a.total - b.total
		})
		found := false
		for _, c := range claims {
			if s.accept(t, c) {
				found = true
			}
		}
		if !found {
			break
		}
		list = slices.DeleteFunc(list, func(c int) bool { return t.parent[c] >= 0 })
	}
	// a total by name whose sums could not be checked because of marks
	if named := s.named(list, hints); len(named) == 1 && len(list) > 1 {
		others := slices.DeleteFunc(slices.Clone(list), func(c int) bool { return c == named[0] })
		if e := s.claim(named[0], others); e.wrong == 0 && t.parts[named[0]] == 0 {
			for _, c := range others {
				t.hang(c, named[0])
			}
		}
	}
}

// remains looks for the total of neighbouring codes that are in no sum, because marks among them leave too little
// evidence. It is accepted if exactly one code is possible: one that has no parts itself, stands beside a sibling
// with parts, and is contradicted by no number.
func (s *sums) remains(t *sumTree, list []int) {
	free := sets.Where(list, func(c int) bool { return t.parent[c] < 0 && t.parts[c] == 0 })
	beside := make([]bool, s.n) // of each code: whether one of its parts has parts itself
	for _, c := range list {
		if p := t.parent[c]; p >= 0 && t.parts[c] > 0 {
			beside[p] = true
		}
	}
	for len(free) > 1 {
		run := 1
		for run < len(free) && free[run] == free[run-1]+1 {
			run++
		}
		parts := free[:run]
		free = free[run:]
		total, fits := 0, 0
		for _, c := range list {
			if t.parent[c] < 0 || t.parts[c] > 0 || !beside[t.parent[c]] {
				continue
			}
			if e := s.claim(c, parts); e.wrong == 0 {
				total, fits = c, fits+1
			}
		}
		if fits == 1 && run > 1 && s.accept(t, sumClaim{total: total, parts: parts}) {
			beside[t.parent[total]] = true
		}
	}
}

// apartBy returns how far the parts of a claim stand from its total.
func apartBy(c sumClaim) int {
	return int(min(num.Abs(int64(c.parts[0]-c.total)), num.Abs(int64(c.parts[len(c.parts)-1]-c.total))))
}

// accept adds a claim to the tree, unless its total has parts already, a part has another parent, or a part
// stands above the total.
func (s *sums) accept(t *sumTree, c sumClaim) bool {
	if t.parts[c.total] > 0 {
		return false
	}
	for _, p := range c.parts {
		if t.parent[p] >= 0 {
			return false
		}
		for up := c.total; up >= 0; up = t.parent[up] {
			if up == p {
				return false
			}
		}
	}
	for _, p := range c.parts {
		t.hang(p, c.total)
	}
	return true
}

// byLevel claims that indented codes are the parts of the code above them or, where totals stand last, of the one
// below them.
func (s *sums) byLevel(list []int, hints []codeHint) (claims []sumClaim) {
	for i, c := range list {
		for _, step := range []int{1, -1} {
			var parts []int
			level := math.MaxInt
			for k := i + step; k >= 0 && k < len(list) && hints[list[k]].level > hints[c].level; k += step {
				level = min(level, hints[list[k]].level)
				parts = append(parts, list[k])
			}
			parts = slices.DeleteFunc(parts, func(k int) bool { return hints[k].level != level })
			if step < 0 {
				slices.Reverse(parts)
			}
			if len(parts) > 0 && hints[c].level >= 0 {
				claims = s.consider(claims, c, parts, 2, 0)
			}
		}
	}
	return claims
}

// byPrefix claims that codes are the parts of the code that is their longest prefix.
func (s *sums) byPrefix(list []int, hints []codeHint) (claims []sumClaim) {
	at := map[string]int{}
	for _, c := range list {
		if hints[c].code != "" {
			at[hints[c].code] = c
		}
	}
	parts := map[int][]int{}
	for _, c := range list {
		name := hints[c].code
		for k := len(name) - 1; k > 0; k-- {
			if p, ok := at[strings.TrimRight(name[:k], ".-")]; ok && p != c {
				parts[p] = append(parts[p], c)
				break
			}
		}
	}
	for _, c := range list {
		if len(parts[c]) > 0 {
			claims = s.consider(claims, c, parts[c], 2, 0)
		}
	}
	return claims
}

// consider adds a claim if no number contradicts it and its evidence is at least need bits.
func (s *sums) consider(claims []sumClaim, total int, parts []int, need float64, rank int) []sumClaim {
	e := s.claim(total, parts)
	if e.wrong > 0 || e.checked == 0 || e.bits < need {
		return claims
	}
	return append(claims, sumClaim{total, slices.Clone(parts), e.bits - need, rank})
}

// byRuns claims sums of neighbouring codes. Candidates are found in a few rows of which most numbers are known,
// and then checked in all rows.
func (s *sums) byRuns(list []int, hints []codeHint) (claims []sumClaim) {
	const candidates = 24 // per code and row
	pivots := s.pivots(list)
	others := slices.Clone(list[min(1, len(list)):]) // the list without code i
	for i, c := range list {
		if i > 0 {
			others[i-1] = list[i-1]
		}
		need := 5 + 2*math.Log2(float64(len(list)))
		if hints[c].total {
			need = 3 + math.Log2(float64(len(list)))
		}
		looked := 0
		tried := map[[2]int]bool{}
		for _, p := range pivots {
			total := p.at[c]
			if total.known != isKnown || total.v == 0 {
				continue
			}
			if looked++; looked > 3 {
				break
			}
			found := 0
			try := func(from, to int) {
				if to-from < 2 || tried[[2]int{from, to}] || found == candidates {
					return
				}
				found++
				tried[[2]int{from, to}] = true
				claims = s.consider(claims, c, others[from:to], need, 1)
			}
			p.runs(others, i, total.v, s.signed, len(list) > maxRun, s.slack(len(list)), &s.work, try)
		}
	}
	return claims
}

// byChoice claims sums of any subset of a few codes.
func (s *sums) byChoice(list []int) (claims []sumClaim) {
	const most = 12
	if len(list) > most || len(list) < 4 {
		return nil
	}
	pivots := s.pivots(list)
	for i, c := range list {
		others := slices.Concat(list[:i], list[i+1:])
		for _, p := range pivots[:min(len(pivots), 2)] {
			total := p.at[c]
			if total.known != isKnown || total.v == 0 {
				continue
			}
			for choice := uint(1); choice < 1<<len(others); choice++ {
				sum, parts := int64(0), []int(nil)
				for k, o := range others {
					if choice>>k&1 == 1 {
						if x := p.at[o]; x.known == isKnown {
							sum += x.v
						}
						parts = append(parts, o)
					}
				}
				if len(parts) > 1 && len(parts) < len(others) && num.Abs(sum-total.v) <= s.slack(len(parts)) {
					claims = s.consider(claims, c, parts, 8+float64(len(list)), 2)
				}
			}
			break
		}
	}
	return claims
}

func (s *sums) slack(parts int) int64 {
	if s.rounded {
		return max(s.tolerance, s.unit*int64(min(parts, 50)+1)/2)
	}
	return s.tolerance
}

// A pivot is one row of numbers, by code.
type pivot struct{ at map[int]sumEntry }

// pivots returns the rows in which most codes of list are known, at most twelve.
func (s *sums) pivots(list []int) []pivot {
	told := make([]int, s.rows)
	for _, c := range list {
		for _, x := range s.entries[c] {
			if x.known == isKnown && x.v != 0 {
				told[x.row] += 2
			} else if x.known == isHidden {
				told[x.row]--
			}
		}
	}
	rows := sets.Upto(int32(s.rows))
	slices.SortStableFunc(rows, func(a, b int32) int { return told[b] - told[a] })
	rows = rows[:min(len(rows), 12)]
	all := make([]pivot, len(rows))
	index := map[int32]int{}
	for i, r := range rows {
		all[i].at = map[int]sumEntry{}
		index[r] = i
	}
	for _, c := range list {
		for _, x := range s.entries[c] {
			if i, ok := index[x.row]; ok {
				all[i].at[c] = x
			}
		}
	}
	return all
}

// runs calls try for the runs of codes whose numbers add up to total within slack, shorter runs before longer
// ones with the same start. With near, only runs that begin or end at place, where the total stands, are tried,
// and only until the budget work is used up.
func (p *pivot) runs(codes []int, place int, total int64, signed, near bool, slack int64, work *int, try func(from, to int)) {
	value := func(k int) (int64, bool) {
		x := p.at[codes[k]]
		return x.v, x.known != isHidden
	}
	from := func(start int) {
		sum := int64(0)
		for k := start; k < len(codes) && *work > 0; k++ {
			if near {
				*work--
			}
			v, ok := value(k)
			if !ok {
				return
			}
			sum += v
			if num.Abs(sum-total) <= slack {
				try(start, k+1)
			} else if !signed && sum-total > slack {
				return
			}
		}
	}
	back := func() {
		sum := int64(0)
		for k := place - 1; k >= 0 && *work > 0; k-- {
			if near {
				*work--
			}
			v, ok := value(k)
			if !ok {
				return
			}
			sum += v
			if num.Abs(sum-total) <= slack {
				try(k, place)
			} else if !signed && sum-total > slack {
				return
			}
		}
	}
	from(place)
	back()
	if !near {
		for start := range codes {
			from(start)
		}
	}
}

// house gives codes without numbers of their own the parent of a neighbour on the same level: the one whose code
// shares the longer prefix with theirs, else the one before.
func (s *sums) house(t *sumTree, ghosts []int, hints []codeHint) {
	additive := t.additive()
	for _, g := range ghosts {
		best, like := -1, -1
		for _, k := range []int{g - 1, g + 1} {
			if k < 0 || k >= s.n || hints[k].memo {
				continue
			}
			if hints[k].level != hints[g].level {
				continue
			}
			same := 0
			for a, b := hints[k].code, hints[g].code; same < min(len(a), len(b)) && a[same] == b[same]; same++ {
			}
			if same > like {
				best, like = k, same
			}
		}
		if best < 0 && g > 0 {
			best = g - 1
		}
		if best < 0 {
			continue
		}
		p := t.parent[best]
		if p < 0 && additive && t.parts[best] > 0 {
			p = best
		}
		if p >= 0 && p != g {
			t.hang(g, p)
			additive = true
		}
	}
}

// memos hangs memo codes under the root and looks for the codes whose sum they are.
func (s *sums) memos(t *sumTree, memos []int) {
	if len(memos) == 0 {
		return
	}
	memo := sets.Of(memos)
	var roots, leaves []int
	for c := range t.parent {
		switch {
		case memo[c]:
		case t.parts[c] > 0 && t.parent[c] < 0:
			roots = append(roots, c)
		case t.parts[c] == 0 && !s.ghost(c):
			leaves = append(leaves, c)
		}
	}
	for _, m := range memos {
		t.memo[m] = true
		if len(roots) == 1 {
			t.parent[m] = roots[0]
		}
		if parts := s.subset(m, leaves); parts != nil {
			t.equals[m] = parts
		}
	}
}

// subset returns the only set of codes whose sum is code m, or nil if there is none or more than one. It compares
// rows in which no number of the codes is hidden, and takes time 2^(number of codes / 2).
func (s *sums) subset(m int, of []int) []int {
	total := map[int32]int64{}
	for _, x := range s.entries[m] {
		if x.known == isKnown {
			total[x.row] = x.v
		}
	}
	for _, c := range of {
		for _, x := range s.entries[c] {
			if x.known == isHidden {
				delete(total, x.row)
			}
		}
	}
	hash := func(c int) (h uint64, over bool) {
		for _, x := range s.entries[c] {
			if t, ok := total[x.row]; ok && x.known == isKnown {
				h += uint64(x.v) * (num.Mix(uint64(x.row)) | 1)
				over = over || !s.signed && x.v > t
			}
		}
		return h, over
	}
	want, _ := hash(m)
	var codes []int
	var hashes []uint64
	for _, c := range of {
		if h, over := hash(c); !over && h != 0 {
			codes, hashes = append(codes, c), append(hashes, h)
		}
	}
	if len(codes) > maxSubset || len(codes) < 2 || len(total) == 0 || want == 0 {
		return nil
	}
	half := len(codes) / 2
	left := make(map[uint64]uint32, 1<<half)
	sum := uint64(0)
	gray := func(n int, of []uint64, each func(in uint32)) {
		sum = 0
		in := uint32(0)
		each(0)
		for step := uint32(1); step < 1<<n; step++ {
			b := 0
			for step>>b&1 == 0 {
				b++
			}
			if in ^= 1 << b; in>>b&1 == 1 {
				sum += of[b]
			} else {
				sum -= of[b]
			}
			each(in)
		}
	}
	gray(half, hashes[:half], func(in uint32) { left[sum] = in })
	var found []int
	times := 0
	gray(len(codes)-half, hashes[half:], func(in uint32) {
		l, ok := left[want-sum]
		if !ok {
			return
		}
		if times++; times > 1 {
			return
		}
		for b, c := range codes {
			if b < half && l>>b&1 == 1 || b >= half && in>>(b-half)&1 == 1 {
				found = append(found, c)
			}
		}
	})
	if times != 1 || len(found) < 2 {
		return nil
	}
	if e := s.claim(m, found); e.wrong > 0 || e.bits < float64(len(codes))/2+3 {
		return nil
	}
	return found
}

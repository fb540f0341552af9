package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A reader finds what the values of a column of a release stand for.
type reader struct {
	*domain
	original, release *Records
	ids               []uint32 // released values, in the order of their first records
	first             []int
	count             []int
	texts             []string
	emptied           bool
	truth             []int32
	pairs             map[[2]uint32]int // records whose original is known, by released and original value
	written           map[uint32]string // amounts, such as 1.2m, that texts holds as plain numbers
}

// A fit measures how well a reading agrees with both files. Smaller is better; fields are compared in this order.
type fit struct {
	broken    int // known pairs of a record and its original that contradict it
	unread    int // released values that stand for nothing known
	uncovered int // records of the original that no released value stands for, not counting those that stand for any value
	any       bool
	apart     float64 // the sum over released values of |share of the original's records in its set − share of the release's records with it|
}

func (f fit) compare(o fit) int {
	return cmp.Or(cmp.Compare(f.broken, o.broken), cmp.Compare(f.unread, o.unread), cmp.Compare(f.uncovered, o.uncovered))
}

// fit measures a reading.
func (r *reader) fit(how *reading) (f fit) {
	cover := [2][]int{make([]int, len(r.x)+1), make([]int, len(r.domain.ids)+1)} // difference arrays over the orders of numbers and of texts
	listed := map[uint32]bool{}
	sums := [2][]int{make([]int, len(r.x)+1), make([]int, len(r.domain.ids)+1)}
	for n, p := range r.numbers {
		sums[0][n+1] = sums[0][n] + r.domain.count[p]
	}
	for n, c := range r.domain.count {
		sums[1][n+1] = sums[1][n] + c
	}
	all := map[uint32]set{}
	for n, id := range r.ids {
		s, _, ok := r.read(id, r.texts[n], r.emptied, how)
		if !ok {
			f.unread++
		}
		all[id] = s
		if s.all {
			f.any = true
			continue
		}
		order := 0
		if s.text {
			order = 1
		}
		records := sums[order][s.hi] - sums[order][s.lo]
		cover[order][s.lo]++
		cover[order][s.hi]--
		for _, o := range s.list {
			listed[o] = true
			records += r.domain.count[r.at[o]]
		}
		f.apart += math.Abs(float64(records)/float64(r.original.N) - float64(r.count[n])/float64(r.release.N))
	}
	within := [2][]bool{make([]bool, len(r.x)), make([]bool, len(r.domain.ids))}
	for order := range within {
		sum := 0
		for n := range within[order] {
			sum += cover[order][n]
			within[order][n] = sum > 0
		}
	}
	for n, id := range r.domain.ids {
		if p, ok := r.rank[id]; within[1][n] || listed[id] || ok && within[0][p] {
			continue
		}
		f.uncovered += r.domain.count[n]
	}
	for p, n := range r.pairs {
		if !r.contains(all[p[0]], p[1]) {
			f.broken += n
		}
	}
	return f
}

// best returns the first of the readings that contradict least. Of readings that partition the numbers, it is the one
// whose sets best match the numbers of records.
func (r *reader) best(list ...reading) (reading, fit) {
	best, f := list[0], r.fit(&list[0])
	for _, how := range list[1:] {
		if how.round.wide && f.broken == 0 && f.unread == 0 && r.partial() {
			continue
		}
		g := r.fit(&how)
		if c := g.compare(f); c < 0 || c == 0 && how.bare == rounded && !how.round.wide && g.apart < f.apart {
			best, f = how, g
		}
	}
	return best, f
}

// look lists the released values.
func (r *reader) look() {
	k := r.k
	place := map[uint32]int{}
	for i, id := range r.release.ID[k] {
		n, ok := place[id]
		if !ok {
			n = len(r.ids)
			place[id] = n
			r.ids, r.first, r.count, r.texts = append(r.ids, id), append(r.first, i), append(r.count, 0), append(r.texts, r.release.values.Value(k, id))
		}
		r.count[n]++
	}
	r.pairs = map[[2]uint32]int{}
	for i, j := range r.truth {
		if j >= 0 {
			r.pairs[[2]uint32{r.release.ID[k][i], r.original.ID[k][j]}]++
		}
	}
	// An empty field counts as a suppressed value if the original has none, or has fewer of them.
	blanks, released := 0, 0
	if id, ok := r.original.values.Find(k, ""); ok {
		if n, ok := place[id]; ok {
			released = r.count[n]
		}
		if n, ok := r.at[id]; ok {
			blanks = r.domain.count[n]
		}
		for p := range r.pairs {
			r.emptied = r.emptied || p[0] == id && p[1] != id
		}
	}
	r.emptied = r.emptied || blanks == 0 || released > blanks && r.truth == nil
}

// given returns the released numbers as texts, and the places of the first one and of the first that is not among the
// original's, −1 if there is none.
func (r *reader) given(how *reading) (values []string, first, fresh int) {
	first, fresh = -1, -1
	for n, t := range r.texts {
		x, err := number(t)
		if _, half := r.halfOpen(t, how); half || err != nil || t == "" {
			continue
		}
		values = append(values, t)
		if first < 0 {
			first = n
		}
		if len(how.exact[x]) == 0 && fresh < 0 {
			fresh = n
		}
	}
	return values, first, fresh
}

// bare finds how plain numbers are to be read, and whether they are perturbed.
func (r *reader) bare(how *reading, known Reading) (perturbed bool, err error) {
	if !r.numeric {
		return false, nil
	}
	values, first, firstFresh := r.given(how)
	fresh, broken := firstFresh >= 0, false
	if len(values) == 0 {
		return false, nil
	}
	for p := range r.pairs {
		x := r.number(p[0])
		y, bad := number(r.release.values.Value(r.k, p[1]))
		broken = broken || !math.IsNaN(x) && bad == nil && x != y
	}
	var others []string
	for _, p := range r.numbers {
		if r.domain.count[p] > 0 {
			others = append(others, r.domain.texts[p])
		}
	}
	chance, base := byChance(values, others)
	least := 0.0
	if known.Base == nil && chance >= 0.001 {
		if c, b, from := byShift(values, others); c < 0.001 {
			chance, base, least = c, b, from
		}
	}
	coarse := chance < 0.001 || fresh && chance < 0.05
	switch {
	case known.Base != nil:
		base, _ = known.Base.Float64()
	case !fresh && r.truth != nil && !broken:
		return false, nil
	case !fresh && r.truth == nil && !coarse:
		if r.partial() || r.fit(how).uncovered == 0 {
			return false, nil
		}
	}
	multiples := true
	for _, t := range values {
		x, _ := number(t)
		multiples = multiples && math.Abs((x-least)/base-math.Round((x-least)/base)) < 1e-9
	}
	if multiples && base > 0 && (known.Base != nil || chance < 1) {
		var list []reading
		for _, round := range roundings {
			if round.wide && !coarse && known.Base == nil && r.truth == nil {
				continue
			}
			h := *how
			h.bare, h.round, h.base = rounded, round, base
			list = append(list, h)
		}
		best, f := r.best(list...)
		if f.broken == 0 && f.unread == 0 && (f.uncovered == 0 || f.any || r.partial()) {
			*how = best
			return false, nil
		}
	}
	if known.Base == nil && (r.byDigits(how, values, others) || r.partlyRounded(how, others)) {
		return false, nil
	}
	if known.Base != nil {
		return false, r.release.fault(r.k, r.first[first], i18n.T("these numbers are not those of the original, rounded to multiples of %s", known.Base.RatString()))
	}
	if fresh && prefixes(values, others) {
		h := *how
		h.bare = begins
		if f := r.fit(&h); f.broken == 0 && f.unread == 0 && (f.uncovered == 0 || f.any || r.partial()) {
			*how = h
			return false, nil
		}
	}
	switch {
	case fresh && len(r.ids) == 1: // one value for all records tells nothing
		r.domain.words = r.texts
		return false, nil
	case coarse && fresh:
		return false, r.release.fault(r.k, r.first[firstFresh], i18n.Term(coarser))
	case coarse:
		return false, r.release.fault(r.k, r.first[first], i18n.Term(coarser))
	case fresh && r.release.X[r.k] == nil:
		return false, r.release.fault(r.k, r.first[firstFresh], i18n.Term(noValue))
	case fresh && (apart(r.x, r.release.X[r.k]) || prefixes(values, others)):
		return false, r.release.fault(r.k, r.first[firstFresh], i18n.Term(elsewhere))
	}
	return fresh, nil
}

// partlyRounded reports whether some numbers are rounded, as local recoding does, and others are original. The numbers
// that changed, or that the original does not have, show the base.
func (r *reader) partlyRounded(how *reading, others []string) bool {
	changed := map[uint32]bool{}
	for p := range r.pairs {
		changed[p[0]] = changed[p[0]] || !slices.Contains(how.exact[r.number(p[0])], p[1])
	}
	var values []string
	for n, id := range r.ids {
		if x, err := number(r.texts[n]); err == nil && r.texts[n] != "" && (changed[id] || len(how.exact[x]) == 0) {
			values = append(values, r.texts[n])
		}
	}
	if chance, base := byChance(values, others); chance < 0.001 && base > 0 {
		h := *how
		h.base, h.partly = base, true
		if r.rounds(how, h) {
			return true
		}
	}
	return r.byDigits(how, values, others)
}

// byDigits reports whether numbers are rounded to significant digits: they have so few that as many numbers drawn from
// the original would almost surely have more.
func (r *reader) byDigits(how *reading, values, others []string) bool {
	most, few := 0, 0
	for _, x := range values {
		most = max(most, significant(x))
	}
	for _, x := range others {
		if significant(x) <= most {
			few++
		}
	}
	if most == 0 || math.Pow(max(float64(few)/float64(len(others)), 1/float64(len(others))), float64(len(values))) >= 0.001 {
		return false
	}
	h := *how
	h.digits, h.base, h.partly = most, 1, true
	return r.rounds(how, h)
}

// significant counts the digits of a number from the first to the last that is not 0.
func significant(x string) int {
	x, _, _ = strings.Cut(strings.ToLower(strings.TrimLeft(x, "+-")), "e")
	if whole, part, ok := strings.Cut(x, "."); ok {
		x = whole + part
	}
	return len(strings.Trim(x, "0"))
}

// rounds sets how to the best way of rounding by h, and reports whether that contradicts nothing.
func (r *reader) rounds(how *reading, h reading) bool {
	var list []reading
	for _, round := range roundings {
		h.bare, h.round = rounded, round
		list = append(list, h)
	}
	best, f := r.best(list...)
	if f.broken+f.unread > 0 || f.uncovered > 0 && !f.any && !r.partial() {
		return false
	}
	*how = best
	return true
}

// number returns a released value as a number, NaN if it is not one.
func (r *reader) number(id uint32) float64 {
	text, ok := r.written[id]
	if !ok {
		text = r.release.values.Value(r.k, id)
	}
	x, err := number(text)
	if err != nil {
		return math.NaN()
	}
	return x
}

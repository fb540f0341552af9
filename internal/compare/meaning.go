package compare

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Meaning says what the released values of a column stand for: each of them stands for a set of original values.
type Meaning struct {
	Kind  string      // Values, Sets or Perturbed
	Forms []i18n.Text // how the values are written, such as intervals or prefixes, in words
	// within maps the number of an original value to the numbers of the released values that stand for it, ascending.
	within    [][]uint32
	size      map[uint32]int // by released value: how many original values it stands for
	different int            // number of different original values
	any       map[uint32]bool
	texts     bool // some released values are prefixes of texts
	together  int  // number of columns of a Joint, else 0
	exchanged bool // records may have been released with the value of another record
	// Guessed says that how far values were changed is inferred only from the records whose original is known: others
	// may have moved further, and not all candidates are equally likely.
	Guessed bool
	// Unsure says that records whose original is known contradict the meaning, but too few to tell whether classes have
	// names that were not recognised or records were changed.
	Unsure bool
}

// Kinds of Meaning.
const (
	Values    = "values"    // a released value is the original value itself
	Sets      = "sets"      // it stands for a set of original values
	Perturbed = "perturbed" // it is a changed value of the same kind, which stands for itself only
)

// holds reports whether a released value stands for an original one.
func (m *Meaning) holds(original, released uint32) bool {
	_, ok := slices.BinarySearch(m.of(original), released)
	return ok
}

// of returns the released values that stand for an original one.
func (m *Meaning) of(original uint32) []uint32 {
	if int(original) >= len(m.within) {
		return nil
	}
	return m.within[original]
}

// A set is a set of original values: a range in the order of numbers or of texts, values listed by their numbers, or
// all.
type set struct {
	all    bool
	text   bool // lo and hi are places in the order of texts, not of numbers
	lo, hi int
	list   []uint32
}

// A domain holds the values of a column of the original and of files attacked in the same way.
type domain struct {
	k       int
	blank   int64               // the identifier of the empty text, −1 if there is none
	ids     []uint32            // in the order of their texts
	texts   []string            // their texts
	count   []int               // how many records of the original have each
	at      map[uint32]int      // the place of each value in ids
	numbers []int               // places of the values that are numbers, in the order of the numbers
	x       []float64           // these numbers
	rank    map[uint32]int      // the place of each value in numbers
	names   map[string][]uint32 // by category of a hierarchy: the values it stands for
	numeric bool
	words   []string // texts that stand for any value, sorted
	spelling
}

func newDomain(k int, category bool, names map[string][]uint32, files ...*Records) *domain {
	d := &domain{k: k, blank: -1, at: map[uint32]int{}, rank: map[uint32]int{}, names: names}
	count := map[uint32]int{}
	for n, f := range files {
		for _, id := range f.ID[k] {
			if n == 0 {
				count[id]++
			} else if _, ok := count[id]; !ok {
				count[id] = 0
			}
		}
	}
	for id := range count {
		d.ids = append(d.ids, id)
	}
	value := func(id uint32) string { return files[0].values.Value(k, id) }
	slices.SortFunc(d.ids, func(a, b uint32) int { return strings.Compare(value(a), value(b)) })
	d.numeric = !category
	x := map[int]float64{}
	for n, id := range d.ids {
		t := value(id)
		d.texts, d.count, d.at[id] = append(d.texts, t), append(d.count, count[id]), n
		if t == "" {
			d.blank = int64(id)
		}
		v, err := number(t)
		switch {
		case err != nil && !anyOf(t):
			d.numeric = false
		case err == nil && t != "":
			x[n] = v
			d.numbers = append(d.numbers, n)
		}
	}
	if d.numeric = d.numeric && len(d.numbers) > 0; !d.numeric {
		d.numbers = nil
		return d
	}
	slices.SortStableFunc(d.numbers, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	for n, p := range d.numbers {
		d.x = append(d.x, x[p])
		d.rank[d.ids[p]] = n
	}
	return d
}

// contains reports whether an original value is in s.
func (d *domain) contains(s set, id uint32) bool {
	place, ok := d.rank[id]
	if s.text {
		place, ok = d.at[id]
	}
	return s.all || ok && s.lo <= place && place < s.hi || slices.Contains(s.list, id)
}

// each calls do for each value in s.
func (d *domain) each(s set, do func(id uint32)) {
	switch {
	case s.all:
		for _, id := range d.ids {
			do(id)
		}
		return
	case s.text:
		for _, id := range d.ids[s.lo:s.hi] {
			do(id)
		}
	default:
		for n := s.lo; n < s.hi; n++ {
			do(d.ids[d.numbers[n]])
		}
	}
	for _, id := range s.list {
		do(id)
	}
}

// interval returns the set of the original numbers in an interval, whose ends may be open.
func (d *domain) interval(v interval) set {
	near := 1e-9 * math.Abs(v.unit)
	s := set{lo: sort.Search(len(d.x), func(n int) bool {
		if v.lowOpen {
			return d.x[n] > v.low+near
		}
		return d.x[n] >= v.low-near
	})}
	s.hi = max(s.lo, sort.Search(len(d.x), func(n int) bool {
		if v.highOpen {
			return d.x[n] >= v.high-near
		}
		return d.x[n] > v.high+near
	}))
	return s
}

// pattern returns the set of the texts that match text. A mark stands for one character or, with any, for any number of
// them.
func (d *domain) pattern(text string, any bool) set {
	head, _, _ := strings.Cut(text, mark)
	s := d.beginning(head)
	if any && strings.Trim(text[len(head):], mark) == "" {
		return s
	}
	var list []uint32
	for n := s.lo; n < s.hi; n++ {
		if matches(text, d.texts[n], any) {
			list = append(list, d.ids[n])
		}
	}
	return set{list: list}
}

// beginning returns the set of the texts that begin with head.
func (d *domain) beginning(head string) set {
	lo, _ := slices.BinarySearch(d.texts, head)
	return set{text: true, lo: lo, hi: lo + sort.Search(len(d.texts)-lo, func(n int) bool { return !strings.HasPrefix(d.texts[lo+n], head) })}
}

// A reading decides how to read forms that are ambiguous.
type reading struct {
	ends   ends      // how the ends of ranges like 30-39 are meant
	hyphen bool      // 1940- means from 1940 on
	marks  bool      // a mark * stands for any number of characters, not for exactly one
	loose  looseness // whether "over 80" includes 80
	bare   bareKind  // how plain numbers are read
	round  rounding  // how rounded numbers were rounded
	base   float64   // the base of which rounded numbers are multiples
	digits int       // or the significant digits that they keep
	partly bool      // only multiples of the base were rounded: any other number stands for itself
	exact  exactness // by number: the original values equal to it
	// For intervals in unknown words: whether digits of numbers are grouped, and on which side of its only number each
	// template lies.
	grouped bool
	sides   map[string]direction
	width   float64 // of bands that are named by one number
	union   bool    // a text of several numbers is the set of these values
}

// rounded returns the interval of numbers that round to x. With significant digits, the step at 1000 is ten times the
// step at 999, so a power of ten reaches less far down than up.
func (how *reading) rounded(x float64) interval {
	if how.digits == 0 || x == 0 {
		return how.round.interval(x, how.base)
	}
	power := math.Floor(math.Log10(math.Abs(x)) + 1e-12)
	v := how.round.interval(x, math.Pow(10, power+1-float64(how.digits)))
	if x == math.Pow(10, power) {
		below := how.round.interval(x, math.Pow(10, power-float64(how.digits)))
		v.low, v.lowOpen = below.low, below.lowOpen
	}
	return v
}

// multiple reports whether a number is a multiple of the base, or has no more than the significant digits.
func (how *reading) multiple(x float64, text string) bool {
	if how.digits > 0 {
		return significant(text) <= how.digits
	}
	return math.Abs(x/how.base-math.Round(x/how.base)) < 1e-9
}

type (
	bareKind  int
	exactness = map[float64][]uint32
)

const (
	itself bareKind = iota
	rounded
	begins
)

// forms are the kinds of released values, as reports name them.
var forms = []i18n.Text{i18n.T("values"), i18n.T("any value"), i18n.T("categories"), i18n.T("intervals"), i18n.T("prefixes"), i18n.T("rounded numbers"), i18n.T("empty for any value"),
	i18n.T("masked values"), i18n.T("sets in braces"), i18n.T("ranges of codes"), i18n.T("classes under the name of one value"), i18n.T("intervals"), i18n.T("parts of dates"),
	i18n.T("any value"), i18n.T("what no other value stands for"), i18n.T("values, written otherwise")}

const (
	formValue = iota
	formAny
	formCategory
	formInterval
	formPrefix
	formRounded
	formEmpty
	formMasked
	formBraces
	formCodes
	formMerged
	formWorded
	formDates
	formWord
	formRest
	formRewritten
)

// read returns the set that a released text stands for, and in which form; ok is false if it is not known.
func (d *domain) read(id uint32, text string, emptied bool, how *reading) (s set, form int, ok bool) {
	if text == "" {
		if emptied {
			return set{all: true}, formEmpty, true
		}
		return set{list: []uint32{id}}, formValue, d.blank >= 0
	}
	_, had := d.at[id]
	if anyOf(text) && (!had || text != "NA") {
		return set{all: true}, formAny, true
	}
	if _, ok := slices.BinarySearch(d.words, text); ok {
		return set{all: true}, formWord, true
	}
	if d.numeric {
		if v, ok := d.halfOpen(text, how); ok {
			if s, ok = d.dates(text, how); ok {
				return s, formDates, true
			}
			s = d.interval(v)
			return s, formInterval, s.lo < s.hi
		}
		if x, err := number(text); err == nil {
			switch how.bare {
			case rounded:
				if how.partly && !how.multiple(x, text) {
					list := how.exact[x]
					return set{list: list}, formValue, len(list) > 0
				}
				s = d.interval(how.rounded(x))
				return s, formRounded, s.lo < s.hi
			case begins:
				s = d.beginning(text)
				return s, formPrefix, s.lo < s.hi
			}
			list := how.exact[x]
			return set{list: list}, formValue, len(list) > 0
		}
	} else if had {
		return set{list: []uint32{id}}, formValue, true
	}
	if list, ok := d.names[text]; ok {
		return set{list: list}, formCategory, true
	}
	if s, ok = d.rewritten(text); ok {
		return s, formRewritten, true
	}
	if d.numeric {
		if v, ok := parseInterval(text, how.ends, how.loose); ok {
			if s = d.interval(v); s.lo < s.hi {
				return s, formInterval, true
			}
			if dates, ok := d.dates(text, how); ok {
				return dates, formDates, true
			}
			return s, formInterval, true
		}
		if s, ok = d.dates(text, how); ok {
			return s, formDates, true
		}
	} else if s, ok = d.dates(text, how); ok {
		return s, formDates, true
	} else if s, ok = d.joined(text); ok {
		return s, formBraces, true
	} else if s, ok = d.codes(text); ok {
		return s, formCodes, true
	}
	if s, ok = d.braces(text, how); ok {
		return s, formBraces, true
	}
	if masked := d.masked(text); masked != text {
		if anyOf(masked) {
			return set{all: true}, formMasked, true
		}
		if s = d.pattern(masked, how.marks); s.lo < s.hi || len(s.list) > 0 {
			return s, formMasked, true
		}
	}
	if strings.Contains(text, mark) {
		s = d.pattern(text, how.marks)
		return s, formPrefix, s.lo < s.hi || len(s.list) > 0
	}
	if d.numeric {
		if s, ok = d.joined(text); ok && how.union {
			return s, formBraces, true
		}
		if v, ok := d.wordedInterval(text, how); ok {
			s = d.interval(v)
			return s, formWorded, s.lo < s.hi
		}
	}
	s = d.beginning(text)
	return s, formPrefix, s.lo < s.hi
}

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

// A Reading is what the caller knows of a column beforehand.
type Reading struct {
	Category bool                // its values are categories even if they look like numbers
	Base     *big.Rat            // its numbers were rounded to multiples of this
	Names    map[string][]string // by category: the values it stands for
}

// Understand finds what the values of column k of a release stand for. truth is as for [ByDistance], nil if it is not
// known; others are files whose records are attacked like those of the original. A value that cannot be interpreted is
// a *formats.Error with its place.
//
// Where a form is ambiguous (30-39 with or without its end, numbers rounded up or down, a prefix of one length or of
// any), it takes the reading that the two files contradict least: first by the records whose originals are known, then
// by released values that stand for nothing, then by original values that no released one stands for. Of readings that
// fit equally well it takes the one with the smaller sets, and of roundings the one whose sets best match the numbers
// of records. Numbers count as rounded if numbers drawn from the original would have such a coarse step with a chance
// below a thousandth, or below 0.05 if some are no original values, and if every record of the original is within a
// half or a whole step of one of them, unless the release is a sample.
func Understand(original, release *Records, others []*Records, k int, truth []int32, known Reading) (*Meaning, error) {
	names := map[string][]uint32{}
	for name, list := range known.Names {
		for _, v := range list {
			if id, ok := original.values.Find(k, v); ok {
				names[name] = append(names[name], id)
			}
		}
	}
	r := &reader{domain: newDomain(k, known.Category, names, append([]*Records{original}, others...)...), original: original, release: release, truth: truth}
	for name, list := range names { // categories may name values that these files do not have
		r.domain.names[name] = slices.DeleteFunc(list, func(id uint32) bool { _, ok := r.at[id]; return !ok })
	}
	r.look()
	r.amounts()
	how := reading{exact: exactness{}}
	for n, p := range r.numbers {
		how.exact[r.x[n]] = append(how.exact[r.x[n]], r.domain.ids[p])
	}
	var list []reading
	for e := range endsKinds {
		for _, any := range []bool{false, true} {
			how.ends, how.marks = e, any
			list = append(list, how)
		}
	}
	how, f := r.best(list...)
	if f.broken+f.unread+f.uncovered > 0 && r.hyphened() {
		h := how
		h.hyphen = true
		how, f = r.best(how, h)
	}
	if f.unread > 0 || slices.ContainsFunc(r.texts, withheldWord) {
		if r.withheld(&how) {
			how, f = r.best(list...)
		}
	}
	if r.numeric && (f.unread > 0 || r.worded(&how)) {
		how, f = r.inWords(how, f, list)
	}
	if f.broken+f.uncovered > 0 {
		list = list[:0]
		for loose := range looseUnder | looseOver + 1 {
			how.loose = loose
			list = append(list, how)
		}
		how, _ = r.best(list...)
	}
	perturbed, err := r.bare(&how, known)
	m := &Meaning{Kind: Perturbed}
	if err == nil && !perturbed {
		m, err = r.meaning(&how)
	}
	if known.Base == nil && (err != nil || r.broken(m)) {
		shown, sure := r.shown(&how)
		switch {
		case shown != nil && sure:
			return shown, nil
		case err == nil:
			m.Unsure = shown != nil && m.Kind != Perturbed
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// broken reports whether a meaning contradicts a record whose original is known.
func (r *reader) broken(m *Meaning) bool {
	for p := range r.pairs {
		if !m.holds(p[1], p[0]) {
			return true
		}
	}
	return false
}

// partial reports whether a release need not have something for every original value: it is a sample, or the truth is
// known.
func (r *reader) partial() bool { return r.truth != nil || r.release.N < r.original.N }

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

// put returns the meaning of released values that stand for these sets.
func (r *reader) put(meant []set) *Meaning {
	m := &Meaning{Kind: Values, different: len(r.domain.ids), size: map[uint32]int{}, any: map[uint32]bool{}}
	most := uint32(0)
	for _, id := range r.domain.ids {
		most = max(most, id)
	}
	m.within = make([][]uint32, int(most)+1)
	order := sets.Upto(len(r.ids))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.ids[a], r.ids[b]) })
	for _, n := range order {
		id := r.ids[n]
		if meant[n].all {
			m.any[id] = true
		}
		r.each(meant[n], func(o uint32) {
			m.within[o] = append(m.within[o], id)
			m.size[id]++
		})
	}
	return m
}

// meaning returns the meaning that results from a reading.
func (r *reader) meaning(how *reading) (*Meaning, error) {
	some := make([]bool, len(forms))
	sets, read, form := make([]set, len(r.ids)), make([]bool, len(r.ids)), make([]int, len(r.ids))
	codes := -1
	for n, id := range r.ids {
		s, f, ok := r.read(id, r.texts[n], r.emptied, how)
		if (f == formCodes || f == formWorded) && codes < 0 {
			codes = n
		}
		sets[n], read[n], form[n] = s, ok, f
	}
	if len(r.words) > 0 {
		r.rest(sets, read, form)
	}
	for n, ok := range read {
		if ok {
			some[form[n]] = true
		}
	}
	taken, err := r.merge(sets, read)
	if err != nil {
		return nil, err
	}
	if n := slices.Index(read, false); n >= 0 {
		return nil, r.release.fault(r.k, r.first[n], i18n.Term(noValue))
	}
	some[formMerged] = len(taken) > 0
	m := r.put(sets)
	if len(taken) > 0 && r.truth != nil && r.gathered(taken) > math.Log(0.001) {
		m.exchanged, m.Guessed = true, true
	}
	if codes >= 0 && !r.divided(m, how) {
		return nil, r.release.fault(r.k, r.first[codes], i18n.Term(noValue))
	}
	if len(r.written) > 0 { // other files have these amounts in another form
		m.Kind = Sets
	}
	for form, ok := range some {
		if !ok {
			continue
		}
		if form == formWorded && some[formInterval] {
			continue
		}
		name := forms[form]
		if form == formRounded {
			name = i18n.T("numbers rounded %s to multiples of %g", how.round.name, how.base)
			if how.digits > 0 {
				name = i18n.T("numbers rounded %s, with %d digits", how.round.name, how.digits)
			}
		}
		if form == formWord {
			name = i18n.T("any value, marked %s", formats.ShowList(r.words))
		}
		if form != formValue {
			m.Kind = Sets
		}
		m.texts = m.texts || form == formPrefix
		m.Forms = append(m.Forms, name)
	}
	return m, nil
}

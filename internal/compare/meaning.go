package compare

import (
	"cmp"
	"math"
	"math/big"
	"slices"

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

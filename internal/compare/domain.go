package compare

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

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

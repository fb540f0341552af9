package compare

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/hitoku/hitoku/internal/sets"
)

// A direction says on which side of its only number an interval lies that is described in unknown words.
type direction int

const (
	sideUnsaid direction = iota
	sideFrom
	sideBeyond
	sideBelow
	sideUpTo
	bandFrom // the number is the first of a band, its last, or its middle
	bandTo
	bandAround
	bands
)

// inThrees matches digits in groups of three, with the same separator between all groups.
const inThrees = `\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:['’]\d{3})+|(?:[ \x{a0}\x{202f}]\d{3})+)`

// endWords match numbers in a text, and words of several languages that say which ends belong to an interval; compiled
// when first needed.
var endWords = sync.OnceValue(func() (f struct{ grouped, plain, half, closed, counted *regexp.Regexp }) {
	f.grouped = regexp.MustCompile(inThrees + `\b|\d+`)
	f.plain = regexp.MustCompile(`\d+(?:[.,]\d+)?`)
	f.half = regexp.MustCompile(`(?i)未満|\bunter\b|\bunder\b|\bbelow\b|less than|<\s*$|＜\s*$`)
	f.counted = regexp.MustCompile(`^(?:\pL|\d{1,3})[.:)]\s*(.+)$|^(.+?)\s*\((?:\pL|\d{1,3})\)$`)
	f.closed = regexp.MustCompile(`(?i)以下|まで|<=\s*$|[≤≦]\s*$|\bthrough\b`)
	return f
})

// halfWidth replaces full-width digits and signs of East Asian texts by ASCII ones.
func halfWidth(text string) string {
	return strings.Map(func(c rune) rune {
		if '！' <= c && c <= '～' && c != '～' && c != '＊' {
			return c - '！' + '!'
		}
		return c
	}, text)
}

// worded splits a text at its numbers; between holds the texts before, between and after them.
func worded(text string, grouped bool) (numbers []float64, between []string) {
	f := endWords()
	re := f.plain
	if grouped {
		re = f.grouped
	}
	text = halfWidth(text)
	at := 0
	for _, m := range re.FindAllStringIndex(text, -1) {
		digits := strings.Map(func(c rune) rune {
			switch {
			case '0' <= c && c <= '9':
				return c
			case grouped:
				return -1
			}
			return '.'
		}, text[m[0]:m[1]])
		x, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return nil, nil
		}
		numbers, between = append(numbers, x), append(between, text[at:m[0]])
		at = m[1]
	}
	return numbers, append(between, text[at:])
}

// template returns a text without its only number, by which directions are keyed; empty if it does not have exactly
// one.
func template(text string, grouped bool) string {
	if numbers, between := worded(text, grouped); len(numbers) == 1 {
		return strings.Join(between, "#")
	}
	return ""
}

// wordedInterval reads an interval in words it does not know: two ascending numbers with anything between them, or one
// number whose side the other released values determine. The reading stands only if all such intervals partition the
// original values ([reader.divided]).
func (d *domain) wordedInterval(text string, how *reading) (v interval, ok bool) {
	if len(d.x) == 0 || d.x[0] < 0 { // a hyphen could be a sign
		return v, false
	}
	numbers, between := worded(text, how.grouped)
	if bare := endWords().counted.ReplaceAllString(text, "$1$2"); bare != text {
		if v, ok = parseInterval(bare, how.ends, how.loose); ok {
			return v, true
		}
	}
	if p := amounts(text, how.grouped); p != text {
		if v, ok = parseInterval(p, how.ends, how.loose); ok && v.low <= d.x[len(d.x)-1] && v.high >= d.x[0] {
			return v, true
		}
		if n, b := worded(p, false); len(n) > 0 && n[0] <= d.x[len(d.x)-1] && n[len(n)-1] >= d.x[0] {
			numbers, between = n, b
		}
	}
	if len(numbers) == 3 { // the first or the last only numbers the intervals
		at := 0
		if numbers[2] < numbers[1] {
			at = 2
		}
		numbers, between = slices.Delete(numbers, at, at+1), slices.Delete(between, at, at+1)
	}
	switch len(numbers) {
	case 2:
		if numbers[0] > numbers[1] || strings.TrimSpace(between[1]) == "" {
			return v, false
		}
		v = interval{low: numbers[0], high: numbers[1], lowOpen: how.ends == halfBelow, highOpen: how.ends == half}
		f, middle := endWords(), strings.TrimSpace(between[1])
		if strings.HasPrefix(middle, "<") {
			v.lowOpen = !strings.HasPrefix(middle, "<=")
		}
		switch first, last := strings.TrimSpace(between[0]), strings.TrimSpace(between[2]); {
		case first != "" && last != "" && strings.ContainsRune("([]", rune(first[len(first)-1])) && strings.ContainsRune(")[]", rune(last[0])):
			v.lowOpen, v.highOpen = !strings.HasSuffix(first, "["), last[0] != ']'
		case f.half.MatchString(between[1]) || f.half.MatchString(between[2]):
			v.lowOpen, v.highOpen = false, true
		case f.closed.MatchString(between[1]) || f.closed.MatchString(between[2]):
			v.highOpen = false
		}
		return v, true
	case 1:
		v = interval{low: d.x[0], high: d.x[len(d.x)-1]}
		switch x := numbers[0]; how.sides[template(text, how.grouped)] {
		case sideFrom:
			v.low = x
		case sideBeyond:
			v.low, v.lowOpen = x, true
		case sideBelow:
			v.high, v.highOpen = x, true
		case sideUpTo:
			v.high = x
		case bandFrom:
			v = interval{low: x, high: x + how.width, highOpen: true}
		case bandTo:
			v = interval{low: x - how.width, high: x, lowOpen: true}
		case bandAround:
			v = interval{low: x - how.width/2, high: x + how.width/2, highOpen: true}
		default:
			return v, false
		}
		return v, true
	}
	return v, false
}

// worded reports whether some value is read as an interval in unknown words.
func (r *reader) worded(how *reading) bool {
	for n, id := range r.ids {
		if _, form, ok := r.read(id, r.texts[n], r.emptied, how); ok && form == formWorded {
			return true
		}
	}
	return false
}

// inWords returns the best reading of intervals in unknown words if it is better than how, whose fit is f. Equal fits
// are decided by the numbers of records, because sides can always be chosen so that the intervals cover everything.
func (r *reader) inWords(how reading, f fit, list []reading) (reading, fit) {
	for _, grouped := range []bool{false, true} {
		for n, h := range slices.Concat(list, list) {
			h.grouped, h.union = grouped, n < len(list)
			h = r.sided(h)
			if g := r.fit(&h); g.compare(f) < 0 || g.compare(f) == 0 && g.apart < f.apart && (len(h.sides) > 0 || h.union) {
				how, f = h, g
			}
		}
	}
	return how, f
}

// sided finds on which sides of their numbers the intervals lie that have only one number and unknown words. Each
// template has one number, and there are at most two of them, for a lowest and a highest interval. One more template
// may have three numbers or more, as "in the 80s": it is for bands that are as wide as its numbers are apart.
func (r *reader) sided(how reading) reading {
	of := map[string][]float64{}
	for n, id := range r.ids {
		if _, _, ok := r.read(id, r.texts[n], r.emptied, &how); ok {
			continue
		}
		t := template(r.texts[n], how.grouped)
		if t == "" {
			if strings.ContainsFunc(r.texts[n], unicode.IsDigit) {
				return how
			}
			continue // it is refused, or read otherwise
		}
		numbers, _ := worded(r.texts[n], how.grouped)
		of[t] = append(of[t], numbers[0])
	}
	band := ""
	var templates []string
	for _, t := range slices.Sorted(maps.Keys(of)) {
		switch numbers := of[t]; {
		case len(numbers) == 1:
			templates = append(templates, t)
		case band != "" || len(numbers) < 3:
			return how
		default:
			band, how.width = t, distance(numbers)
		}
	}
	if len(of) == 0 || len(templates) > 2 || band != "" && how.width == 0 {
		return how
	}
	if band != "" {
		templates = append(templates, band)
	}
	best, f := how, r.fit(&how)
	var try func(n int, sides map[string]direction)
	try = func(n int, sides map[string]direction) {
		if n == len(templates) {
			h := how
			h.sides = maps.Clone(sides)
			if g := r.fit(&h); g.compare(f) < 0 || g.compare(f) == 0 && g.apart < f.apart {
				best, f = h, g
			}
			return
		}
		from, to := sideFrom, bandFrom
		if templates[n] == band {
			from, to = bandFrom, bands
		}
		for side := from; side < to; side++ {
			sides[templates[n]] = side
			try(n+1, sides)
		}
	}
	try(0, map[string]direction{})
	return best
}

// distance returns the largest number of which all distances between numbers are multiples, 0 if there is none.
func distance(numbers []float64) float64 {
	texts := sets.Each(numbers, func(x float64) string { return strconv.FormatFloat(x-slices.Min(numbers), 'f', -1, 64) })
	d := 0
	for _, t := range texts {
		d = max(d, places(t))
	}
	w, _ := new(big.Rat).SetFrac(step(texts, d), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil)).Float64()
	return w
}

// joined returns the union of values with a sign or a word between them, such as A01|A02 or "A01 or A02".
func (d *domain) joined(text string) (s set, ok bool) {
	if n := len(text) - 1; n > 1 && (text[0] == '(' && text[n] == ')' || text[0] == '[' && text[n] == ']') {
		text = text[1:n]
	}
	for _, sign := range []string{"|", "/", "+", ";", ",", "、", "・", "&", " or ", " and ", " oder ", " und ", "または", "又は"} {
		parts := strings.Split(text, sign)
		if len(parts) < 2 {
			continue
		}
		s.list = nil
		for _, part := range parts {
			place, ok := slices.BinarySearch(d.texts, strings.TrimSpace(part))
			if !ok {
				s.list = nil
				break
			}
			s.list = append(s.list, d.ids[place])
		}
		if slices.Sort(s.list); len(s.list) > 0 {
			s.list = slices.Compact(s.list)
			return s, true
		}
	}
	return s, false
}

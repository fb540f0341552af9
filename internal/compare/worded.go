package compare

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A direction says on which side of its only number an interval is that is told in words.
type direction int

const (
	sideUnsaid direction = iota
	sideFrom
	sideBeyond
	sideBelow
	sideUpTo
	directions
)

// endWords are numbers in a text, and words of any language that say which ends an interval of two has; built when first wanted.
var endWords = sync.OnceValue(func() (f struct{ grouped, plain, half, closed *regexp.Regexp }) {
	f.grouped = regexp.MustCompile(`\d{1,3}(?:[,.'’  \x{202f}]\d{3})+\b|\d+`)
	f.plain = regexp.MustCompile(`\d+(?:[.,]\d+)?`)
	f.half = regexp.MustCompile(`(?i)未満|\bunter\b|\bunder\b|\bbelow\b|less than|<\s*$|＜\s*$`)
	f.closed = regexp.MustCompile(`(?i)以下|まで|<=\s*$|[≤≦]\s*$|\bthrough\b`)
	return f
})

// worded takes a text apart at its numbers; between has what stands before, between and behind them.
func worded(text string, grouped bool) (numbers []float64, between []string) {
	f := endWords()
	re := f.plain
	if grouped {
		re = f.grouped
	}
	text = strings.Map(func(c rune) rune {
		if '０' <= c && c <= '９' {
			return c - '０' + '0'
		}
		return c
	}, text)
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

// template is a text without its only number, by which directions are told; empty where it has another number of them.
func template(text string, grouped bool) string {
	if numbers, between := worded(text, grouped); len(numbers) == 1 {
		return strings.Join(between, "#")
	}
	return ""
}

// wordedInterval reads an interval whose words it does not know: two numbers in ascending order with anything between them, or one of which the others tell on which side it is. It is one only if
// all of them divide the values of the original (divided).
func (d *domain) wordedInterval(text string, how *reading) (v interval, ok bool) {
	if len(d.x) == 0 || d.x[0] < 0 { // where a hyphen could be a sign
		return v, false
	}
	numbers, between := worded(text, how.grouped)
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
		switch {
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
		default:
			return v, false
		}
		return v, true
	}
	return v, false
}

// inWords is the best of readings of intervals in unknown words, if it is better than how, which fits as f says: by the numbers of records where they fit alike, as sides can be said so
// that they cover all.
func (r *reader) inWords(how reading, f fit, list []reading) (reading, fit) {
	for _, grouped := range []bool{false, true} {
		for _, h := range list {
			h.grouped = grouped
			h = r.sided(h)
			if g := r.fit(&h); g.compare(f) < 0 || g.compare(f) == 0 && g.apart < f.apart && len(h.sides) > 0 {
				how, f = h, g
			}
		}
	}
	return how, f
}

// sided finds on which sides of their numbers the intervals are that have only one and unknown words: each template has one number, and there are two at most, for a lowest and a highest
// interval.
func (r *reader) sided(how reading) reading {
	of := map[string]string{}
	var templates []string
	for n, id := range r.ids {
		if _, _, ok := r.read(id, r.texts[n], r.emptied, &how); ok {
			continue
		}
		t := template(r.texts[n], how.grouped)
		if was, had := of[t]; t == "" || had && was != r.texts[n] {
			return how
		} else if !had {
			of[t] = r.texts[n]
			templates = append(templates, t)
		}
	}
	if len(templates) == 0 || len(templates) > 2 {
		return how
	}
	best, f := how, r.fit(&how)
	for first := sideFrom; first < directions; first++ {
		for second := sideFrom; second < directions; second++ {
			if len(templates) < 2 && second > sideFrom {
				break
			}
			h := how
			h.sides = map[string]direction{templates[0]: first}
			if len(templates) > 1 {
				h.sides[templates[1]] = second
			}
			if g := r.fit(&h); g.compare(f) < 0 || g.compare(f) == 0 && g.apart < f.apart {
				best, f = h, g
			}
		}
	}
	return best
}

// joined is the union of values with a sign or a word between them, as A01|A02 or A01 or A02.
func (d *domain) joined(text string) (s set, ok bool) {
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

// parts of dates, built when first wanted.
var dateParts = sync.OnceValue(func() (f struct{ day, month, monthFirst, year, quarter, quarterFirst, half, decade, between *regexp.Regexp }) {
	f.day = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})$`)
	f.month = regexp.MustCompile(`^(\d{4})(?:[-/.]|年)?(\d{1,2})(?:月|[-/.](?i:xx|\?\?|00|__|\*\*|\*))?$`)
	f.monthFirst = regexp.MustCompile(`^(\d{1,2})[-/.](\d{4})$`)
	f.year = regexp.MustCompile(`^(\d{4})年?$`)
	f.quarter = regexp.MustCompile(`^(\d{4})[-/ ]?[QqTt]([1-4])$`)
	f.quarterFirst = regexp.MustCompile(`^[QqTt]([1-4])[-/ ]?(\d{4})$`)
	f.half = regexp.MustCompile(`^(\d{4})[-/ ]?[HhSs]([12])$`)
	f.decade = regexp.MustCompile(`^(\d{3})0(?:年代|['’]?s|er)$`)
	f.between = regexp.MustCompile(`^(\S+?)\s*(?:/|\.\.\.?|–|—|~|〜|～|\s-\s|\sto\s|\sbis\s|から)\s*(\S+)$`)
	return f
})

// span is the first and the last beginning of the dates, as 2001-02-03, that a text stands for: a year, a part of one, or a decade.
func span(text string) (first, last string, ok bool) {
	f := dateParts()
	months := func(year, part string, long int) (string, string, bool) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n*long > 12 {
			return "", "", false
		}
		two := func(n int) string { return year + "-" + strconv.Itoa(100 + n)[1:] }
		return two((n-1)*long + 1), two(n * long), true
	}
	if m := f.day.FindStringSubmatch(text); m != nil {
		return text, text, true
	}
	if m := f.year.FindStringSubmatch(text); m != nil {
		return m[1], m[1], true
	}
	if m := f.month.FindStringSubmatch(text); m != nil {
		return months(m[1], m[2], 1)
	}
	if m := f.monthFirst.FindStringSubmatch(text); m != nil {
		return months(m[2], m[1], 1)
	}
	if m := f.quarter.FindStringSubmatch(text); m != nil {
		return months(m[1], m[2], 3)
	}
	if m := f.quarterFirst.FindStringSubmatch(text); m != nil {
		return months(m[2], m[1], 3)
	}
	if m := f.half.FindStringSubmatch(text); m != nil {
		return months(m[1], m[2], 6)
	}
	if m := f.decade.FindStringSubmatch(text); m != nil {
		return m[1], m[1], true
	}
	return "", "", false
}

// dates is the set of the dates that a text stands for, where all values of the original are dates like 2001-02-03, whose order is that of their texts.
func (d *domain) dates(text string) (s set, ok bool) {
	if !d.dated() {
		return s, false
	}
	first, last, ok := span(text)
	if m := dateParts().between.FindStringSubmatch(text); !ok && m != nil {
		var a, b bool
		if first, _, a = span(m[1]); a {
			_, last, b = span(m[2])
		}
		ok = a && b
	}
	if !ok {
		return s, false
	}
	s.text = true
	s.lo, _ = slices.BinarySearch(d.texts, first)
	s.hi = d.beginning(last).hi
	return s, s.lo < s.hi
}

// dated tells whether all values are dates like 2001-02-03.
func (d *domain) dated() bool {
	return d.begun("0000-00-00") && !slices.ContainsFunc(d.texts, func(t string) bool { return t != "" && !anyOf(t) && utf8.RuneCountInString(t) != 10 })
}

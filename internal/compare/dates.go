package compare

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// dateForms are the ways of writing dates and parts of them, compiled when first needed.
var dateForms = sync.OnceValue(func() (f struct {
	parts, digits, years, week, monthFirst, dayFirst, monthYear, yearMonth, quarter, quarterFirst, half, decade, era, between, before, after, earlier, ahead, behind, within *regexp.Regexp
}) {
	f.parts = regexp.MustCompile(`^(\d{4})(?:[-/.年](?:(\d{1,2})(?:[-/.月](?:(\d{1,2})日?)?)?)?)?$`)
	f.digits = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)?$`)
	f.years = regexp.MustCompile(`^(\d{4})-(\d{4})$`)
	f.week = regexp.MustCompile(`^(\d{4})-?[Ww](\d\d)$`)
	f.monthFirst = regexp.MustCompile(`^(\d{1,2})[-/.](\d{4})$`)
	f.dayFirst = regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})$`)
	f.monthYear = regexp.MustCompile(`^(?:(\d{1,2})\.?[- ])?(\pL{3,9})\.?,?[- ](\d{4})$`)
	f.yearMonth = regexp.MustCompile(`^(\d{4})[- ](\pL{3,9})\.?$`)
	f.quarter = regexp.MustCompile(`^(\d{4})[-/ ]?[QqTt]([1-4])$`)
	f.quarterFirst = regexp.MustCompile(`^[QqTt]([1-4])[-/ ]?(\d{4})$`)
	f.half = regexp.MustCompile(`^(\d{4})[-/ ]?[HhSs]([12])$`)
	f.decade = regexp.MustCompile(`^(\d{3})0(?:年代|['’]?s|er)$`)
	f.era = regexp.MustCompile(`^(明治|大正|昭和|平成|令和|[MTSHR])[. ]?(元|\d{1,2})(年代|年|[-/.]|$)(.*)$`)
	f.between = regexp.MustCompile(`^(.+?)\s*(?:/|\.\.\.?|–|—|~|〜|～|\s-\s|\sto\s|\sbis\s|から)\s*(.+)$`)
	f.before = regexp.MustCompile(`^(?i:before|prior to|vor|avant|<)\s*(.+)$`)
	f.after = regexp.MustCompile(`^(?i:after|nach|après|>)\s*(.+)$`)
	f.earlier = regexp.MustCompile(`^(.+?)(?:より)?前$`)
	f.within = regexp.MustCompile(`^(?i:in|im|en|during)\s+(.+)$|^(.+)中$`)
	f.ahead = regexp.MustCompile(`^(?i:(until|up to|through|bis|<=|≤|≦)|since|from|ab|depuis|>=|≥|≧)\s*(.+)$`)
	f.behind = regexp.MustCompile(`^(.+?)\s*(?i:(以前|まで|(?:or|and) (?:earlier|before))|以降|以後|\+|(?:or|and) (?:later|after))$`)
	return f
})

// months are the names of months in several languages; an unambiguous beginning of three letters or more will do.
var months = [][]string{{"january", "januar", "janvier"}, {"february", "februar", "février"}, {"march", "märz", "mars"}, {"april", "avril"}, {"may", "mai"}, {"june", "juni", "juin"},
	{"july", "juli", "juillet"}, {"august", "août"}, {"september", "sept", "septembre"}, {"october", "oktober", "octobre"}, {"november", "novembre"}, {"december", "dezember", "décembre"}}

// monthOf returns the number of the month that a word begins, or "" if it begins several.
func monthOf(word string) string {
	of := 0
	for n, names := range months {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, strings.ToLower(word)) }) {
			if of > 0 {
				return ""
			}
			of = n + 1
		}
	}
	return strconv.Itoa(of)
}

// An era of Japan counts years from its first, and begins and ends on a day.
type era struct {
	name, letter string
	before       int // the year before its first year
	from, to     string
}

var eras = []era{{"明治", "M", 1867, "1868-01-25", "1912-07-29"}, {"大正", "T", 1911, "1912-07-30", "1926-12-24"}, {"昭和", "S", 1925, "1926-12-25", "1989-01-07"},
	{"平成", "H", 1988, "1989-01-08", "2019-04-30"}, {"令和", "R", 2018, "2019-05-01", "9999-12-31"}}

// ymd returns a date like 2001-02-03 from its parts, of which the last may be empty.
func ymd(year, month, day string) (text string, ok bool) {
	m, d := 1, 1
	if month != "" {
		m, _ = strconv.Atoi(month)
		year += fmt.Sprintf("-%02d", m)
	}
	if day != "" {
		d, _ = strconv.Atoi(day)
		year += fmt.Sprintf("-%02d", d)
	}
	return year, 1 <= m && m <= 12 && 1 <= d && d <= 31
}

// span returns the first and the last date that a text stands for, as prefixes of dates like 2001-02-03: of a day, a
// month or other part of a year, a year, or a decade. In 03/04/2001 the day comes first unless american.
func span(text string, american bool) (first, last string, ok bool) {
	f := dateForms()
	one := func(year, month, day string) (string, string, bool) {
		at, ok := ymd(year, month, day)
		return at, at, ok
	}
	part := func(year, part string, long int) (string, string, bool) {
		n, _ := strconv.Atoi(part)
		return fmt.Sprintf("%s-%02d", year, (n-1)*long+1), fmt.Sprintf("%s-%02d", year, n*long), true
	}
	text = f.within.ReplaceAllString(halfWidth(strings.TrimSpace(text)), "$1$2")
	text = strings.TrimRight(text, "-/.xX?_*")
	if m := f.era.FindStringSubmatch(text); m != nil {
		return spanOfEra(m, american)
	}
	if at := slices.IndexFunc(eras, func(e era) bool { return e.name == text || e.name+"時代" == text }); at >= 0 {
		return eras[at].from, eras[at].to, true
	}
	if m := f.digits.FindStringSubmatch(text); m != nil {
		return one(m[1], m[2], m[3])
	}
	if m := f.parts.FindStringSubmatch(text); m != nil {
		return one(m[1], strings.TrimPrefix(m[2], "00"), strings.TrimPrefix(m[3], "00"))
	}
	if m := f.monthFirst.FindStringSubmatch(text); m != nil {
		return one(m[2], m[1], "")
	}
	if m := f.dayFirst.FindStringSubmatch(text); m != nil {
		if american && m[2] != "." {
			m[1], m[3] = m[3], m[1]
		}
		return one(m[4], m[3], m[1])
	}
	if m := f.monthYear.FindStringSubmatch(text); m != nil {
		return one(m[3], monthOf(m[2]), m[1])
	}
	if m := f.yearMonth.FindStringSubmatch(text); m != nil {
		return one(m[1], monthOf(m[2]), "")
	}
	if m := f.quarter.FindStringSubmatch(text); m != nil {
		return part(m[1], m[2], 3)
	}
	if m := f.quarterFirst.FindStringSubmatch(text); m != nil {
		return part(m[2], m[1], 3)
	}
	if m := f.half.FindStringSubmatch(text); m != nil {
		return part(m[1], m[2], 6)
	}
	if m := f.decade.FindStringSubmatch(text); m != nil {
		return m[1], m[1], true
	}
	if m := f.years.FindStringSubmatch(text); m != nil {
		return m[1], m[2], m[1] < m[2]
	}
	if m := f.week.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		week, _ := strconv.Atoi(m[2])
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // 4 January is always in the first week
		monday := fourth.AddDate(0, 0, 7*(week-1)-(int(fourth.Weekday())+6)%7)
		return monday.Format(time.DateOnly), monday.AddDate(0, 0, 6).Format(time.DateOnly), 1 <= week && week <= 53
	}
	return "", "", false
}

// spanOfEra is span for the parts of a text with an era: 昭和27年, S27.9, 平成元年, 昭和20年代. Dates outside the era do not
// count.
func spanOfEra(m []string, american bool) (first, last string, ok bool) {
	at := slices.IndexFunc(eras, func(e era) bool { return e.name == m[1] || e.letter == m[1] })
	n, err := strconv.Atoi(m[2])
	if err != nil {
		n = 1
	}
	e := eras[at]
	if m[3] == "年代" {
		first, last, ok = strconv.Itoa(e.before+max(1, n)), strconv.Itoa(e.before+n+9), n%10 == 0 && m[4] == ""
	} else {
		first, last, ok = span(strconv.Itoa(e.before+n)+m[3]+m[4], american)
	}
	if !ok || n < 1 || first > e.to || e.from > last+"~" {
		return "", "", false
	}
	if first < e.from {
		first = e.from
	}
	if last+"~" > e.to {
		last = e.to
	}
	return first, last, true
}

// A moment is an original value that is a date.
type moment struct {
	at string // a date like 2001-02-03, or its beginning
	id uint32
}

// calendar returns the dates of the original in order; nil if some values are not dates, or they differ in precision.
func (d *domain) calendar() []moment {
	if d.dated {
		return d.moments
	}
	d.dated = true
	for _, american := range []bool{false, true} {
		list, tells := []moment{}, false
		for n, t := range d.texts {
			if t == "" || anyOf(t) {
				continue
			}
			at, last, ok := span(t, american)
			if len(last) < len(at) { // a year or month in which an era begins
				at, last = last, at
			}
			if !ok || !strings.HasPrefix(last, at) || len(list) > 0 && len(at) != len(list[0].at) || at < "18" || at > "21" {
				list = nil
				break
			}
			list, tells = append(list, moment{at, d.ids[n]}), tells || strings.Contains(t, "/") && dateForms().dayFirst.MatchString(t)
		}
		if len(list) == 0 {
			continue
		}
		if d.moments != nil { // day and month cannot be told apart
			d.moments = nil
			break
		}
		slices.SortFunc(list, func(a, b moment) int { return strings.Compare(a.at, b.at) })
		d.moments, d.american = list, american
		if !tells {
			break
		}
	}
	return d.moments
}

// dates returns the set of the dates that a text stands for, if all original values are dates.
func (d *domain) dates(text string, how *reading) (s set, ok bool) {
	all := d.calendar()
	if all == nil {
		return s, false
	}
	if how.hyphen {
		text = hyphened(text)
	}
	first, last, ok := d.ends(text)
	if !ok || len(all[0].at) == len("2001") && strings.HasSuffix(text, "-") { // 1960- may mean all years from 1960
		return s, false
	}
	lo := sort.Search(len(all), func(n int) bool { return all[n].at+"~" > first })
	hi := sort.Search(len(all), func(n int) bool { return all[n].at > last+"~" })
	for n := lo; n < hi; n++ {
		s.list = append(s.list, all[n].id)
	}
	return s, lo < hi
}

// hyphened writes a date or number with a hyphen or two points on one side as a half-open interval: 1940- is from 1940
// on.
func hyphened(text string) string {
	sides := []string{"-", "–", "—", ".."}
	switch bare := strings.TrimSpace(strings.Trim(text, "-–—.")); {
	case bare == "" || !unicode.IsDigit(rune(bare[len(bare)-1])):
		return text
	case slices.Contains(sides, strings.TrimSpace(strings.TrimPrefix(text, bare))):
		return ">=" + bare
	case slices.Contains(sides, strings.TrimSpace(strings.TrimSuffix(text, bare))):
		return "<=" + bare
	}
	return text
}

// halfOpen returns the half-open interval of a number with a hyphen on one side, if no number is negative.
func (d *domain) halfOpen(text string, how *reading) (v interval, ok bool) {
	if h := hyphened(text); how.hyphen && h != text && d.numeric && d.x[0] >= 0 {
		return parseInterval(h, how.ends, how.loose)
	}
	return v, false
}

// hyphened reports whether dates and numbers with a hyphen on one side can be half-open: there is at most one on either
// side. With more, the hyphen stands for what was cut off.
func (r *reader) hyphened() bool {
	of := map[string]int{}
	for _, t := range r.texts {
		if h := hyphened(t); h != t {
			of[h[:1]]++
		}
	}
	return len(of) > 0 && of["<"] < 2 && of[">"] < 2 && (r.calendar() != nil || r.numeric && r.x[0] >= 0)
}

// ends returns the first and the last date that a text stands for: a span, or an interval between spans that may be
// half-open.
func (d *domain) ends(text string) (first, last string, ok bool) {
	const never = "9999"
	f := dateForms()
	if first, last, ok = span(text, d.american); ok {
		return first, last, ok
	}
	m := f.before.FindStringSubmatch(text)
	if m == nil {
		m = f.earlier.FindStringSubmatch(text)
	}
	if m != nil {
		if first, _, ok = span(m[1], d.american); ok {
			return "", first[:len(first)-1] + string(first[len(first)-1]-1), true
		}
	}
	if m := f.after.FindStringSubmatch(text); m != nil {
		if _, last, ok = span(m[1], d.american); ok {
			return last + "~", never, true
		}
	}
	for _, re := range []*regexp.Regexp{f.ahead, f.behind} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if re == f.behind {
			m[1], m[2] = m[2], m[1]
		}
		if first, last, ok = span(m[2], d.american); ok && m[1] != "" {
			return "", last, true
		} else if ok {
			return first, never, true
		}
	}
	if m := f.between.FindStringSubmatch(text); m != nil {
		var a, b bool
		first, _, a = span(m[1], d.american)
		_, last, b = span(m[2], d.american)
		return first, last, a && b
	}
	return "", "", false
}

package layout

import (
	"slices"
	"strconv"
	"time"

	"github.com/hitoku/hitoku/internal/lazy"
)

// day matches a day, with the year first or last.
var day = lazy.Regexp(`^(?:((?:19|20)[0-9]{2})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})|([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]((?:19|20)[0-9]{2}))$`)

// days returns the days that a text may mean: where the year stands last, the month may stand before or behind the day.
func days(text string) (all []time.Time) {
	m := day().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	add := func(y, month, d string) {
		t := time.Date(number(y), time.Month(number(month)), number(d), 0, 0, 0, 0, time.UTC)
		if int(t.Month()) == number(month) && t.Day() == number(d) { // else there is no such day
			all = append(all, t)
		}
	}
	if m[1] != "" {
		add(m[1], m[2], m[3])
		return all
	}
	add(m[6], m[5], m[4])
	add(m[6], m[4], m[5])
	return all
}

// dateParts are what a number beside a day may tell of it, or of the period from one day to another.
var dateParts = []func(from, to time.Time) int{
	func(_, to time.Time) int { return to.Year() },
	func(_, to time.Time) int { return int(to.Month()) },
	func(_, to time.Time) int { return to.Day() },
	func(_, to time.Time) int { return (int(to.Month()) + 2) / 3 },
	func(_, to time.Time) int { _, week := to.ISOWeek(); return week },
	func(from, to time.Time) int { return int(to.Sub(from).Hours()/24) + 1 },
}

// withoutDates moves columns of values that are named like a year, a month or another part of a date to the labels, where
// their numbers tell no more than the days there do.
func (b *block) withoutDates() {
	if len(b.values) < 2 || !b.v.records() {
		return
	}
	for _, c := range slices.Clone(b.values) {
		if b.headedAs(c, nameHeads().MatchString) && b.tellsDate(c, slices.Concat(b.stub, b.remarks)) {
			b.values = slices.DeleteFunc(b.values, func(k int) bool { return k == c })
			b.stub, b.dates = append(b.stub, c), append(b.dates, c)
		}
	}
	slices.Sort(b.stub)
}

// tellsDate reports whether the numbers of column c tell no more in any row than the days in other columns.
func (b *block) tellsDate(c int, columns []int) bool {
	if len(b.data) < leastRows {
		return false
	}
	var at [][][]time.Time // by column and row
	for _, k := range columns {
		one := make([][]time.Time, len(b.data))
		for i, r := range b.data {
			if one[i] = days(clean(b.v.text(r, k))); one[i] == nil {
				one = nil
				break
			}
		}
		if one != nil && k != c {
			at = append(at, one)
		}
	}
	for _, part := range dateParts {
		for _, from := range at {
			for _, to := range at {
				for order := range 2 { // of day and month, the same in all rows
					if b.allTell(c, part, from, to, order) {
						return true
					}
				}
			}
		}
	}
	return false
}

// allTell reports whether the number of column c is, in all rows, the given part of the period between two days.
func (b *block) allTell(c int, part func(from, to time.Time) int, from, to [][]time.Time, order int) bool {
	for i, r := range b.data {
		w := b.v.value(r, c)
		if w.Value == nil || order >= len(from[i]) || order >= len(to[i]) || string(*w.Value) != itoa(part(from[i][order], to[i][order])) {
			return false
		}
	}
	return true
}

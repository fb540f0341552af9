package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxLabels is the largest number of columns of numbers that are taken for labels to tell rows apart.
const maxLabels = 4

// A repeatError says that the same labels stand twice in a table.
type repeatError struct {
	fault *formats.Error
	ask   *Ambiguity // the question to answer; nil: none
}

func (e *repeatError) Error() string { return e.Message().String() }

// Message returns the text of e.
func (e *repeatError) Message() i18n.Text {
	if e.ask != nil {
		return (&AmbiguityError{e.fault.File, *e.ask}).Message()
	}
	return e.fault.Message()
}

func (e *repeatError) Unwrap() error { return e.fault }

// twice asks about column j of values if an earlier column has the same codes, and returns nil if none has. If a
// label stands between the two in row i of the data, two tables stand side by side; else the columns with the
// same name are different measures.
func (p *part) twice(cols [][]int32, i, j int) *Ambiguity {
	first := slices.IndexFunc(cols, func(c []int32) bool { return slices.Equal(c, cols[j]) })
	if first == j {
		return nil
	}
	g, row := p.b.v.g, p.data[i]
	ask := Ambiguity{Question: i18n.T("%s and %s have the same labels", g.ref(row, p.values[first]), g.ref(row, p.values[j]))}
	top, bottom, left := slices.Min(slices.Concat(p.b.header, p.b.data)), lastOf(p.b.data), slices.Min(slices.Concat(p.b.stub, p.values))
	for c := p.values[j] - 1; c > p.values[first]; c-- {
		if p.b.v.kind(row, c) != text {
			continue
		}
		k, _ := slices.BinarySearch(p.values, c)
		for _, area := range []Rect{{top, left, bottom, p.values[k-1]}, {top, c, bottom, lastOf(p.values)}} {
			ref := fmt.Sprintf("%s%d:%s%d", columnName(g.origin(area.Left).column), area.Top+1, columnName(g.origin(area.Right).column), area.Bottom+1)
			ask.Readings = append(ask.Readings, i18n.T("the table %s alone", ref))
			ask.Options = append(ask.Options, "--range "+quoteName(address{g.Sheet, ref}.String()))
		}
		return &ask
	}
	for _, least := range []int{j, 0} { // those from the second on, or all
		var names, flags []string
		for k, c := range p.values {
			if k >= least && len(slices.DeleteFunc(slices.Clone(cols), func(c []int32) bool { return !slices.Equal(c, cols[k]) })) > 1 {
				names, flags = append(names, g.column(c)), append(flags, "--derived "+g.column(c))
			}
		}
		ask.Readings = append(ask.Readings, i18n.T("%s is a measure of its own, whose numbers go where they may tell", strings.Join(names, ", ")))
		ask.Options = append(ask.Options, strings.Join(flags, " "))
	}
	return &ask
}

// nameHeads matches heads of columns whose numbers are names.
var nameHeads = lazy.Regexp(`(?i)^(?:year|month|week|day|date|quarter|age|jahr|monat|quartal|woche|kw$|alter|année|annee|mois|âge$|año|mes$|edad)|fips|zcta|geoid|^zip|id$|^[年月日]`)

// unlike returns the part with its rows told apart, if several have the same labels: by reading its label columns
// as stairs; by taking the next columns as labels if they hold names, which years, months and codes are although
// they are numbers; else, in a list in which few rows repeat, such as the 計 of each group, by a number behind
// the label.
func (p *part) unlike(o *Options) *part {
	b := *p.b
	counted := b.counted() && o.LabelColumns == 0 && b.saved == nil
	if counted {
		b.uncount()
	} else if !p.repeats() {
		return p
	}
	if w := b; len(b.stub) > 1 && !counted {
		w.stairs = true
		if q := readPart(&w, o); !q.repeats() {
			return q
		}
	}
	free := o.LabelColumns == 0 && b.saved == nil
	for n := 0; free && n < maxLabels && len(b.values) > 1 && b.names(b.values[0]); n++ {
		b.stub = append(slices.Clone(b.stub), b.values[0])
		b.values = b.values[1:]
		if len(b.values) > 1 && b.names(b.values[0]) {
			continue // the rest of the names, too
		}
		w := b // so that the reading does not change b
		w.heads = p.b.heads
		slices.Sort(w.stub)
		if q := readPart(&w, o); !q.repeats() {
			return q
		}
	}
	if free && p.repeats() {
		if q := p.labelledBehind(o); q != nil {
			return q
		}
	}
	if p.repeats() {
		p.number()
	}
	if p.repeats() && len(p.rows) > 1 {
		p.rename(p.rows, func(i int) bool { return addsUp(i, len(p.data), len(p.values), p.at) })
	}
	return p
}

// rename numbers the labels of the last level that repeat within the same labels of the other levels, if few do
// and each such line belongs to a group: it is its total, named like those of other groups.
func (p *part) rename(levels []level, group func(i int) bool) {
	if len(levels) == 0 {
		return
	}
	l := &levels[len(levels)-1]
	own, times, again := keys(l), map[string]int{}, []int(nil)
	name := make([]string, len(l.at))
	for i := range l.at {
		key := ""
		for k := range levels {
			key += levels[k].at[i].key() + "\x00"
		}
		if times[key]++; times[key] == 1 || l.at[i].key() == "" {
			continue
		}
		if name[i] = fmt.Sprintf("%s (%d)", l.at[i].key(), times[key]); own[name[i]] || !group(i) {
			return
		}
		again = append(again, i)
	}
	if len(again) == 0 || 3*len(again) > len(l.at) {
		return
	}
	for _, i := range again {
		e := &l.at[i]
		for j := range l.at {
			l.at[j].guess = l.at[j].guess || l.at[j].key() == e.key() // a text may know the name that is lacking
		}
		if e.code != "" {
			e.code = name[i]
		} else {
			e.label = name[i]
		}
	}
	p.askRows(slices.Compact(slices.Sorted(slices.Values(sets.Each(again, func(i int) string { return name[i] })))))
}

// askRows notes the names given to rows or columns that had the same labels.
func (p *part) askRows(names []string) {
	if len(names) == 0 {
		return
	}
	p.open = append(p.open, Ambiguity{
		Question: i18n.T("rows have the same labels"),
		Readings: []i18n.Text{i18n.T("they are rows of their own, called %s", formats.ShowList(names)), i18n.T("more columns hold labels")},
		Options:  []string{"as read", "--label-columns"},
	})
}

// at returns the number in a row and column of a part.
func (p *part) at(i, j int) (n int64, ok bool) { return p.b.v.scaled(p.data[i], p.values[j]) }

// scaled returns the number of a field in units of the smallest decimal. A field that is no number counts as 0.
func (v *view) scaled(r, c int) (n int64, ok bool) {
	if w := v.value(r, c); w.Value != nil {
		return scaled(string(*w.Value), maxPlaces)
	}
	return 0, v.kind(r, c) != number
}

// addsUp reports whether a line is the sum of two or more lines next to it on one side, at each of two or more
// places, and not 0 at all of them.
func addsUp(line, lines, places int, at func(line, place int) (int64, bool)) bool {
	for _, step := range []int{-1, 1} {
		sums := make([]int64, places)
		for n, k := 1, line+step; k >= 0 && k < lines; n, k = n+1, k+step {
			equal, some := n > 1 && places > 1, false
			for i := range places {
				v, ok := at(k, i)
				t, also := at(line, i)
				if !ok || !also {
					return false
				}
				sums[i] += v
				equal, some = equal && sums[i] == t, some || t != 0
			}
			if equal && some {
				return true
			}
		}
	}
	return false
}

// uncount removes the column that counts the rows from the labels; columns of texts that stand before values
// become labels instead.
func (b *block) uncount() {
	count := b.stub[0]
	b.stub = nil
	var rest []int
	for _, c := range b.remarks {
		if c < lastOf(b.values) {
			b.stub = append(b.stub, c)
		} else {
			rest = append(rest, c)
		}
	}
	b.remarks = append(rest, count)
}

// counted reports whether the only label column counts the rows, as programs do, has no head, unlike the others,
// and is followed by a column of names.
func (b *block) counted() bool {
	if len(b.stub) != 1 || len(b.values) < 2 || len(b.header) != 1 || b.v.text(b.header[0], b.stub[0]) != "" || !b.names(b.values[0]) {
		return false
	}
	for i, r := range b.data {
		if s := clean(b.v.text(r, b.stub[0])); s != itoa(i+1) && s != itoa(i) {
			return false
		}
	}
	return len(b.data) > 2
}

// number numbers labels that repeat in a list of rows, or in a list of groups of rows, if few do.
func (p *part) number() {
	if len(p.rows) == 0 {
		return
	}
	l := &p.rows[0]
	group := make([]int, len(l.at)) // by row
	var keys []string               // by group
	for i := range l.at {
		if k := l.at[i].key(); len(p.rows) == 1 || i == 0 || k != keys[len(keys)-1] {
			keys = append(keys, k)
		}
		group[i] = len(keys) - 1
	}
	taken, times, again := map[string]bool{}, map[string]int{}, 0
	for _, k := range keys {
		if taken[k] {
			again++
		}
		taken[k] = true
	}
	if 3*again > len(keys) {
		return
	}
	var names []string
	for g, k := range keys {
		if times[k]++; times[k] == 1 {
			continue
		}
		name := ""
		for n := times[k]; name == "" || taken[name]; n++ {
			name = fmt.Sprintf("%s (%d)", k, n)
		}
		taken[name] = true
		names, keys[g] = append(names, name), name
	}
	for i := range l.at {
		switch e, name := &l.at[i], keys[group[i]]; {
		case name == e.key():
		case e.code != "":
			e.code = name
		default: // a line without a label was taken for another total; nobody else knows it by this number
			e.label, e.guess = name, e.guess || e.whole && e.group == ""
		}
	}
	p.askRows(names)
}

// names reports whether the numbers of a column can be labels: its head and its numbers allow it, or all are
// years and some repeat.
func (b *block) names(c int) bool {
	head := ""
	for _, r := range b.header {
		if s := b.v.text(r, c); s != "" {
			head = squeeze(s)
		}
	}
	named := nameHeads().MatchString(head) || timeName(head) || codeHeads().MatchString(head)
	said, seen, again := false, map[string]bool{}, false
	for _, r := range b.data {
		switch b.v.kind(r, c) {
		case mark:
			return false
		case number:
			w := b.v.value(r, c)
			if w.Value == nil || w.Value.places() > 0 || strings.HasPrefix(string(*w.Value), "-") || !named && !isYear(string(*w.Value)) {
				return false
			}
			said, again = true, again || seen[string(*w.Value)]
			seen[string(*w.Value)] = true
		case text:
			said = true
		}
	}
	return said && (named || again && len(seen) > 1) && !b.sumOfRow(c)
}

// sumOfRow reports whether the numbers of a column are the sums of the columns of values behind it, in at least
// three rows and, give or take rounding, wherever they are known: a year beside its months is headed like a column of
// years.
func (b *block) sumOfRow(c int) bool {
	type line struct {
		total, sum int64
		parts      int
	}
	var lines []line
	unit := int64(0) // the greatest common divisor of all numbers
	for _, r := range b.data {
		var of line
		for _, k := range b.values {
			if k < c {
				continue
			}
			switch b.v.kind(r, k) {
			case number:
				v, ok := b.v.scaled(r, k)
				if !ok {
					return false
				}
				unit = num.GCD(unit, v)
				if k == c {
					of.total = v
				} else {
					of.sum, of.parts = of.sum+v, of.parts+1
				}
			case text:
				of.parts = -len(b.values)
			}
		}
		if of.parts > 1 && b.v.kind(r, c) == number {
			lines = append(lines, of)
		}
	}
	sums := 0
	for _, of := range lines {
		switch right, may := roundedSum(of.total, of.sum, of.parts, unit); {
		case right:
			sums++
		case !may:
			return false
		}
	}
	return sums >= 3
}

// repeats reports whether two rows of values of the part have the same labels.
func (p *part) repeats() bool {
	seen := make(map[string]bool, len(p.data))
	var key []byte
	for i := range p.data {
		key = key[:0]
		for k := range p.rows {
			key = append(append(key, p.rows[k].at[i].key()...), 0)
		}
		if seen[string(key)] {
			return true
		}
		seen[string(key)] = true
	}
	return false
}

// apart returns each part as a group of its own.
func apart(group []*part) (all [][]*part) {
	for _, p := range group {
		p.outer = nil
		all = append(all, []*part{p})
	}
	return all
}

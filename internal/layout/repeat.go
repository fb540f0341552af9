package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxLabels is how many columns of numbers are taken for labels where rows would repeat.
const maxLabels = 4

// A repeatError is a table in which the same labels stand twice.
type repeatError struct {
	fault *formats.Error
	ask   *Ambiguity // what may be answered, nil for nothing
}

func (e *repeatError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *repeatError) Message() i18n.Text {
	if e.ask != nil {
		return (&AmbiguityError{e.fault.File, *e.ask}).Message()
	}
	return e.fault.Message()
}

func (e *repeatError) Unwrap() error { return e.fault }

// twice asks about column j of values, whose codes cols has another one, too, nil where it is not so: where a label stands before it in row i of the data, another table
// does; else it and those like it are of other measures that have one name.
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
	for _, least := range []int{j, 0} { // those behind, or all
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

// nameHeads are heads of columns whose numbers are names.
var nameHeads = lazy.Regexp(`(?i)^(?:year|month|week|day|date|quarter|age|jahr|monat|quartal|woche|kw$|alter|année|annee|mois|âge$|año|mes$|edad)|fips|zcta|geoid|^zip|id$|^[年月日]`)

// unlike is the part, with its rows told apart where several have the same labels: by the
// columns of labels as stairs; by the columns behind, where these hold names, as years, months and codes are numbers, too; else, in
// a list of rows of which few repeat, such as the 計 of each group, by a number behind the label.
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
		w := b // what is read of it stays its own
		w.heads = p.b.heads
		slices.Sort(w.stub)
		if q := readPart(&w, o); !q.repeats() {
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

// rename numbers the labels of the last of some levels, rows or columns, that come again within the labels of the others, where few do, and such a line is of a group, as
// its total called as those of others are.
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
		if e := &l.at[i]; e.code != "" {
			e.code = name[i]
		} else {
			e.label = name[i]
		}
	}
	p.askRows(slices.Compact(slices.Sorted(slices.Values(sets.Each(again, func(i int) string { return name[i] })))))
}

// askRows notes that rows, or columns, were given names.
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

// at is the number in a row and a column of a part.
func (p *part) at(i, j int) (n int64, ok bool) { return p.b.v.scaled(p.data[i], p.values[j]) }

// scaled is the number of a field as a multiple of the smallest decimal; a field without one says nothing.
func (v *view) scaled(r, c int) (n int64, ok bool) {
	if w := v.value(r, c); w.Value != nil {
		return scaled(string(*w.Value), maxPlaces)
	}
	return 0, v.kind(r, c) != number
}

// addsUp reports whether a line, of so many, is the sum of two or more next to it on one side at each of its places, two or more, and not 0 at all of them.
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

// uncount takes the count of the rows out of the labels; texts before values are labels then.
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

// counted reports whether the only column of labels, without a head beside those of the others,
// counts the rows, as programs write it, and the next column holds names.
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

// number numbers the labels that stand several times in a list of rows, or in a list of groups of rows, if these are few.
func (p *part) number() {
	if len(p.rows) == 0 {
		return
	}
	l := &p.rows[0]
	group := make([]int, len(l.at)) // of each row
	var keys []string               // of each group
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
		default: // a line without a label was taken for one more total, of which its number is not what anybody calls it
			e.label, e.guess = name, e.guess || e.whole && e.group == ""
		}
	}
	p.askRows(names)
}

// names reports whether the numbers of a column can be labels, by its head and by them, or by them alone where all are years and some come again.
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

// sumOfRow reports whether the numbers of a column are the sums of those of the columns of values behind it, in each of at least three rows of which all are known: as of a
// year beside its months, which is called like a column of years.
func (b *block) sumOfRow(c int) bool {
	sums := 0
	for _, r := range b.data {
		sum, parts := int64(0), 0
		for _, k := range b.values {
			if k <= c {
				continue
			}
			switch b.v.kind(r, k) {
			case number:
				v, ok := b.v.scaled(r, k)
				if !ok {
					return false
				}
				sum, parts = sum+v, parts+1
			case text:
				parts = -len(b.values)
			}
		}
		if parts < 2 || b.v.kind(r, c) != number {
			continue
		}
		if v, ok := b.v.scaled(r, c); !ok || v != sum {
			return false
		}
		sums++
	}
	return sums >= 3
}

// repeats reports whether two rows of a part with values have the same labels.
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

// apart is each part by itself.
func apart(group []*part) (all [][]*part) {
	for _, p := range group {
		p.outer = nil
		all = append(all, []*part{p})
	}
	return all
}

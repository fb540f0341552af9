package layout

import "strings"

// A labelColumn is a column of labels: what it says of each row of data.
type labelColumn struct {
	c     int
	texts []string // cleaned, one a row, empty: nothing
}

// labelColumns reads the columns of the stub that say anything.
func (b *block) labelColumns() (columns []labelColumn) {
	for _, c := range b.stub {
		one := labelColumn{c: c, texts: make([]string, len(b.data))}
		any := false
		for i, r := range b.data {
			_, left := b.v.origin(r, c)
			if left < c { // merged with the column before, which says it
				continue
			}
			one.texts[i] = clean(b.v.text(r, c))
			any = any || one.texts[i] != ""
		}
		if any {
			columns = append(columns, one)
		}
	}
	return columns
}

// stubLevel is a column of labels as a level.
func (b *block) stubLevel(one labelColumn, h *head) level {
	l := level{name: h.stubNames[one.c], at: make([]entry, len(b.data))}
	for i, r := range b.data {
		if one.texts[i] == "" {
			continue
		}
		f := b.v.g.At(b.v.origin(r, one.c))
		l.at[i] = entry{label: one.texts[i], raw: b.v.text(r, one.c), indent: indentOf(f), bold: f.bold(), memo: isMemo(squeeze(f.Text))}
		if l.at[i].memo {
			l.at[i].raw = squeeze(f.Text)
		}
	}
	return l
}

// stubLevels makes a level of each column, and one of two companions, code and name, that
// stand up to two columns apart.
func (b *block) stubLevels(columns []labelColumn, h *head) (levels []level) {
	used := make([]bool, len(columns))
	for i := range columns {
		if used[i] {
			continue
		}
		l := b.stubLevel(columns[i], h)
		for j := i + 1; j < len(columns) && j <= i+2; j++ {
			if used[j] || !companions(columns[i].texts, columns[j].texts) {
				continue
			}
			if joined, ok := b.joinCompanions(&l, columns[i], columns[j], h); ok {
				used[j] = true
				l = joined
				break
			}
		}
		levels = append(levels, l)
	}
	return levels
}

// joinCompanions makes one level of l, which is that of column one, and the column other. It
// has the name above the column that is not headed as codes.
func (b *block) joinCompanions(l *level, one, other labelColumn, h *head) (level, bool) {
	headed := func(c int) bool { return codeHeads.MatchString(squeeze(b.v.text(lastOf(b.header), c))) }
	x, y := one.texts, other.texts
	if headed(one.c) && !headed(other.c) && allCodes(x) {
		y = nil // names, whatever they look like
	}
	second := b.stubLevel(other, h)
	joined, ok := joinColumns(l, &second, x, y)
	if !ok {
		return level{}, false
	}
	joined.name = h.stubNames[one.c]
	if name := h.stubNames[other.c]; headed(one.c) && name != "" && !strings.HasPrefix(strings.ToLower(name), "lib") {
		joined.name = name
	}
	return joined, true
}

func lastOf(rows []int) int {
	if len(rows) == 0 {
		return -1
	}
	return rows[len(rows)-1]
}

// joinColumns makes one level of a column of codes and one of names.
func joinColumns(a, b *level, x, y []string) (level, bool) {
	codes, names := a, b
	switch ca, cb := allCodes(x), allCodes(y); {
	case cb && !ca, ca && cb && length(y) < length(x):
		codes, names = b, a
	case !ca && !cb: // the same in two languages
		out := *a
		return out, true
	}
	out := level{name: names.name, at: make([]entry, len(names.at))}
	for i := range names.at {
		out.at[i] = names.at[i]
		c := &codes.at[i]
		if c.label == "" {
			continue
		}
		if out.at[i].label == "" {
			out.at[i] = *c
		}
		out.at[i].code = c.label
	}
	return out, true
}

func length(texts []string) (n int) {
	for _, s := range texts {
		n += len(s)
	}
	return n
}

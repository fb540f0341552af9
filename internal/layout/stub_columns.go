package layout

import (
	"slices"
	"strings"
)

// A labelColumn is a column of labels, with its text for each row of data.
type labelColumn struct {
	c     int
	texts []string // cleaned, one per row; empty: nothing
}

// labelColumns reads the columns of the stub that are not empty.
func (b *block) labelColumns() (columns []labelColumn) {
	for _, c := range b.stub {
		if slices.Contains(b.dates, c) {
			continue
		}
		one := labelColumn{c: c, texts: make([]string, len(b.data))}
		any := false
		for i, r := range b.data {
			_, left := b.v.origin(r, c)
			if left < c { // merged with the column before, which has the text
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

// unnumbered drops the first column if it numbers the rows, 1, 2, 3, …, while the other columns tell them apart
// only together.
func (b *block) unnumbered(columns []labelColumn) []labelColumn {
	if len(columns) < 3 || len(b.data) < 3 || slices.ContainsFunc(columns[1:], labelColumn.unique) {
		return columns
	}
	counted := 0 // a number or two may be missing or wrong
	for i, s := range columns[0].texts {
		if s == itoa(i+1) {
			counted++
		}
	}
	if 10*counted < 9*len(b.data) {
		return columns
	}
	b.remarks = append(slices.Clone(b.remarks), columns[0].c)
	return columns[1:]
}

// unique reports whether a column has a different text in every row.
func (l labelColumn) unique() bool {
	seen := map[string]bool{}
	for _, s := range l.texts {
		if s == "" || seen[s] {
			return false
		}
		seen[s] = true
	}
	return len(seen) > 1
}

// numbers reports whether l has a different code for each row, while the names beside it repeat only where they
// are totals of groups or, with anyhow, anywhere.
func (l labelColumn) numbers(names labelColumn, anyhow bool) bool {
	if !l.unique() || !allCodes(l.texts) {
		return false
	}
	seen := map[string]bool{}
	for _, s := range names.texts {
		if s == "" || seen[s] && !anyhow && !isTotalName(s) {
			return false
		}
		seen[s] = true
	}
	return true
}

// coded reports whether the first column has a code for each row while the names behind it repeat in groups: the
// code then belongs to the last of them.
func (b *block) coded(columns []labelColumn) bool {
	return len(columns) > 2 && columns[0].unique() && allCodes(columns[0].texts) && !slices.ContainsFunc(columns[1:], func(l labelColumn) bool {
		return l.unique() || allCodes(l.texts)
	})
}

// stubLevel returns a label column as a level.
func (b *block) stubLevel(one labelColumn, h *head) level {
	l := level{name: h.stubNames[one.c], at: make([]entry, len(b.data))}
	for i, r := range b.data {
		if one.texts[i] == "" {
			continue
		}
		f := b.v.g.At(b.v.origin(r, one.c))
		l.at[i] = entry{label: one.texts[i], raw: b.v.text(r, one.c), indent: indentOf(f), bold: f.bold(), memo: isMemo(squeeze(f.Text)), day: f.Number && f.Style != nil && f.Style.Date}
		if l.at[i].memo {
			l.at[i].raw = squeeze(f.Text)
		}
	}
	return l
}

// stubLevels makes a level of each column, and one level of a column of codes and its column of names, which may
// stand up to two columns apart.
func (b *block) stubLevels(columns []labelColumn, h *head) (levels []level) {
	if b.coded(columns) {
		levels = b.stubLevels(columns[1:], h)
		last := &levels[len(levels)-1]
		for i, code := range columns[0].texts {
			last.at[i].code = code
		}
		if head := h.stubNames[columns[0].c]; last.name == "" {
			last.name = head
		}
		return levels
	}
	used := make([]bool, len(columns))
	for i := range columns {
		if used[i] {
			continue
		}
		if i+2 < len(columns) && !used[i+1] && !used[i+2] && companions(columns[i].texts, columns[i+1].texts) && companions(columns[i+1].texts, columns[i+2].texts) {
			continue // the third name of the same rows, as their number beside code and name
		}
		l := b.stubLevel(columns[i], h)
		for j := i + 1; j < len(columns) && j <= i+2; j++ {
			if used[j] || !companions(columns[i].texts, columns[j].texts) && !columns[i].numbers(columns[j], len(columns) == 2) && !columns[j].numbers(columns[i], false) {
				continue
			}
			// codes are those of names that are all different, not of the outer total that repeats before both
			if !columns[i].unique() && j+1 < len(columns) && columns[j].numbers(columns[j+1], false) && columns[j+1].unique() {
				continue
			}
			l = b.joinCompanions(&l, columns[i], columns[j], h)
			used[j] = true
			break
		}
		levels = append(levels, l)
	}
	return levels
}

// joinCompanions makes one level of l, which is that of column one, and the column other. Its name is the head of
// the column that is not headed as codes.
func (b *block) joinCompanions(l *level, one, other labelColumn, h *head) level {
	headed := func(c int) bool { return codeHeads().MatchString(squeeze(b.v.text(lastOf(b.header), c))) }
	x, y := one.texts, other.texts
	if headed(one.c) && !headed(other.c) && allCodes(x) {
		y = nil // names, whatever they look like
	}
	second := b.stubLevel(other, h)
	joined := joinColumns(l, &second, x, y)
	joined.name = h.stubNames[one.c]
	if name := h.stubNames[other.c]; headed(one.c) && name != "" && !strings.HasPrefix(strings.ToLower(name), "lib") {
		joined.name = name
	}
	return joined
}

func lastOf(rows []int) int {
	if len(rows) == 0 {
		return -1
	}
	return rows[len(rows)-1]
}

// joinColumns makes one level of a column of codes and one of names.
func joinColumns(a, b *level, x, y []string) level {
	codes, names := a, b
	switch ca, cb := allCodes(x), allCodes(y); {
	case cb && !ca, ca && cb && length(y) < length(x):
		codes, names = b, a
	case !ca && !cb: // the same in two languages
		return *a
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
	return out
}

func length(texts []string) (n int) {
	for _, s := range texts {
		n += len(s)
	}
	return n
}

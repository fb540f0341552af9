package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// A head is what the header says of the columns of values.
type head struct {
	levels    []level         // outer ones first, with one entry for each column of values
	units     []unitText      // one for each column, empty if none is told
	constants []string        // labels that all columns have in common
	written   map[string]bool // those of constants that the file repeats in every column
	stubNames map[int]string
	rowNames  map[int]string // header row → the name of the dimension of its labels
	derived   []string       // why a column is computed from others, empty if it is not
}

// readHeader reads the header of a block.
func (b *block) readHeader() *head {
	h := &head{units: make([]unitText, len(b.values)), stubNames: map[int]string{}, rowNames: map[int]string{}}
	h.derived = make([]string, len(b.values))
	rows := b.headerRows()
	h.written = everyColumn(rows)
	b.headNames(h)
	rows = b.labelRows(rows, h)
	spanRight(rows)
	for _, one := range rows {
		h.levels = append(h.levels, h.levelOf(one))
	}
	h.findDerived(b)
	return h
}

// levelOf reads the labels of a row, and the units that they name.
func (h *head) levelOf(one headerRow) level {
	l := level{name: h.rowNames[one.r], at: make([]entry, len(one.texts))}
	for i, t := range one.texts {
		if t == "" {
			continue
		}
		label := clean(t)
		if u, rest, ok := unitIn(label); ok && rest != "" {
			if h.units[i] == (unitText{}) {
				h.units[i] = u
			}
			label = rest
		}
		l.at[i] = entry{label: label, raw: t, memo: isMemo(label)}
		if l.at[i].memo {
			l.at[i].label = memoName(label)
		}
	}
	return l
}

// left returns the first column behind those of labels that stand before the values.
func (b *block) left() int {
	left := b.v.left
	for _, c := range b.stub {
		if len(b.values) == 0 || c < b.values[0] {
			left = c + 1
		}
	}
	return left
}

// headNames reads what the fields above the labels say: the name of the dimension of the rows in the last row of the
// header, and in the rows above it the names of those of the columns, if all rows have one.
func (b *block) headNames(h *head) {
	v := b.v
	if len(b.values) == 0 {
		return
	}
	first := b.values[0]
	// a column without labels, left of the values, names the rows of the header
	for c := v.left; c < first; c++ {
		if slices.Contains(b.stub, c) {
			continue
		}
		for _, r := range b.header {
			if s := squeeze(v.text(r, c)); s != "" {
				h.rowNames[r] = nameOfHead(s)
			}
		}
	}
	named, all := map[int]string{}, true
	for _, r := range b.header {
		s := ""
		for _, c := range b.stub {
			if top, _ := v.origin(r, c); top == r || top < b.header[0] {
				if t := squeeze(v.text(r, c)); t != "" {
					s = t
				}
			}
		}
		named[r] = s
		all = all && s != ""
	}
	last := -1
	if len(b.header) > 0 {
		last = b.header[len(b.header)-1]
	}
	for _, c := range b.stub {
		for k := len(b.header) - 1; k >= 0; k-- {
			if s := squeeze(v.text(b.header[k], c)); s != "" && (k == 0 || !circled().MatchString(s) && !b.lettered(b.header[k])) {
				h.stubNames[c] = nameOfHead(s)
				break
			}
		}
	}
	for _, c := range b.stub { // 年 above a column of labels may name the years in its row of the header
		if name := h.stubNames[c]; timeWords[wordOf(name)] && slices.ContainsFunc(b.stub, func(k int) bool { return h.stubNames[k] != name && h.stubNames[k] != "" }) {
			for _, r := range b.header {
				if r != last && nameOfHead(squeeze(v.text(r, c))) == name && slices.ContainsFunc(b.values, func(k int) bool { t := clean(v.text(r, k)); return isTime(t) || eras[t] }) {
					h.rowNames[r] = name
					delete(h.stubNames, c)
				}
			}
		}
	}
	if all && len(b.header) > 1 && len(b.stub) == 1 {
		for _, r := range b.header {
			if r != last {
				h.rowNames[r] = nameOfHead(named[r])
			}
		}
	}
	// 市町村＼男女 names the rows and the columns in one field
	if len(b.stub) > 0 {
		c := b.stub[len(b.stub)-1]
		for _, sep := range []string{"＼", "\\", "／"} {
			if rows, columns, ok := strings.Cut(h.stubNames[c], sep); ok && rows != "" && columns != "" {
				h.stubNames[c] = clean(rows)
				if h.rowNames[last] == "" {
					h.rowNames[last] = clean(columns)
				}
			}
		}
	}
}

// generalHeads say nothing of what stands below them.
var generalHeads = wordSet(`item items 項目 区分 事項 内訳 分類 category`)

var headEnds = lazy.Regexp(`\s*(?:補助)?コード$|\s+コード$|^/`)

// nameOfHead returns the name of a dimension from the field above its labels.
func nameOfHead(s string) string {
	s = clean(strings.TrimPrefix(s, "/"))
	if generalHeads[wordOf(s)] {
		return ""
	}
	if t := headEnds().ReplaceAllString(s, ""); t != "" {
		s = t
	}
	return s
}

// findDerived notes columns whose header says that they are computed from others.
func (h *head) findDerived(b *block) {
	for i := range b.values {
		for _, l := range h.levels {
			if e := &l.at[i]; e.label != "" && (derivedWords().MatchString(e.raw) || ofLine(e.raw) && b.fractions(b.values[i])) {
				h.derived[i] = e.label
			}
		}
		if u := h.units[i].unit; u != "" && h.derived[i] == "" && rates().MatchString(u) && !h.allRates() {
			h.derived[i] = u
		}
	}
	all := true
	for _, d := range h.derived {
		all = all && d != ""
	}
	if all { // a table of nothing but rates
		for i := range h.derived {
			h.derived[i] = ""
		}
	}
}

// called reports whether a label of column i of values is such a one.
func (h *head) called(i int, is func(string) bool) bool {
	return slices.ContainsFunc(h.levels, func(l level) bool { return i < len(l.at) && is(l.at[i].raw) })
}

// fractions reports whether some numbers of column c have decimals.
func (b *block) fractions(c int) bool {
	n := 0
	for _, r := range b.data {
		if cell, ok := b.v.cell(r, c); ok && cell.Value != nil && cell.Value.places() > 0 {
			n++
		}
	}
	return n >= leastFractions
}

// allRates reports whether all columns have units of rates, such as per cent.
func (h *head) allRates() bool {
	for _, u := range h.units {
		if !rates().MatchString(u.unit) {
			return false
		}
	}
	return true
}

// keep removes the columns for which keep is false.
func (h *head) keep(keep []bool) {
	take := func(l []entry) []entry {
		var out []entry
		for i := range l {
			if keep[i] {
				out = append(out, l[i])
			}
		}
		return out
	}
	for k := range h.levels {
		h.levels[k].at = take(h.levels[k].at)
	}
	var units []unitText
	for i, u := range h.units {
		if keep[i] {
			units = append(units, u)
		}
	}
	h.units = units
}

// settle drops levels that say nothing, and joins those that belong together.
func (h *head) settle() {
	var kept []level
	above := "" // the label in the row before, if all columns share it
	for _, l := range h.levels {
		labels := l.distinct()
		switch {
		case len(l.at) == 0 || len(labels) == 1 && labels[0] == "":
			continue
		case len(labels) == 1:
			h.constants = append(h.constants, l.at[0].label)
			above = l.at[0].label
			continue
		case l.name == "" && h.written[above]:
			l.name = above
		}
		if n := len(kept); n > 0 {
			if joined, ok := join(&kept[n-1], &l); ok {
				kept[n-1] = joined
				continue
			}
			if joined, ok := spell(&kept[n-1], &l); ok {
				kept[n-1] = joined
				continue
			}
		}
		kept = append(kept, l)
	}
	if len(kept) >= 2 {
		for k := len(kept) - 1; k > 0; k-- {
			if inner, codes, ok := peel(&kept[k-1], &kept[k]); ok {
				kept[k] = inner
				for i := range kept[k-1].at {
					kept[k-1].at[i].code = codes[i]
				}
			}
		}
	}
	if len(kept) == 1 {
		if outer, inner, ok := grid(&kept[0]); ok {
			kept = []level{outer, inner}
		}
	}
	h.levels = kept
}

// spell makes one level of labels that are written over two rows: each column has one of its own in the upper row, and
// some go on in the lower one.
func spell(upper, lower *level) (level, bool) {
	seen := map[string]bool{}
	for i := range upper.at {
		u, l := &upper.at[i], &lower.at[i]
		if u.label == "" || seen[u.label] || u.code != "" || l.code != "" {
			return level{}, false
		}
		seen[u.label] = true
	}
	for i := range lower.at {
		if isTime(lower.at[i].label) || isBareTotal(lower.at[i].label) {
			return level{}, false
		}
	}
	out := level{name: upper.name, at: slices.Clone(upper.at)}
	if out.name == "" {
		out.name = lower.name
	}
	for i := range out.at {
		if s := lower.at[i].label; s != "" {
			out.at[i].label = squeeze(out.at[i].label + " " + s)
			out.at[i].raw = out.at[i].label
		}
	}
	return out, true
}

// grid finds two dimensions in labels with codes, like P21_H0014 for "Hommes 0-14 ans", that combine each beginning
// with each end, and stand together by beginning.
func grid(l *level) (outer, inner level, ok bool) {
	n := len(l.at)
	for i := range l.at {
		if l.at[i].code == "" || l.at[i].label == "" || l.at[i].memo {
			return level{}, level{}, false
		}
	}
	for width := n / 2; width >= 2; width-- {
		if n%width != 0 {
			continue
		}
		outer = level{at: make([]entry, n)}
		for from := 0; from < n; from += width {
			var labels []string
			for i := from; i < from+width; i++ {
				labels = append(labels, l.at[i].label)
			}
			start := commonPrefix(labels)
			k := strings.LastIndexByte(start, ' ')
			if k <= 0 {
				outer.at = nil
				break
			}
			for i := from; i < from+width; i++ {
				outer.at[i] = entry{label: strings.TrimSpace(start[:k]), raw: start[:k]}
			}
		}
		if outer.at == nil || len(outer.distinct()) != n/width {
			continue
		}
		in, codes, ok := peel(&outer, l)
		if !ok || len(in.distinct()) != width || in.at[0].code == "" {
			continue
		}
		for i := range outer.at {
			outer.at[i].code = codes[i]
		}
		return outer, in, true
	}
	return level{}, level{}, false
}

// join makes one level of two of which one has the codes and the other the names.
func join(a, b *level) (level, bool) {
	x, y := make([]string, len(a.at)), make([]string, len(b.at))
	for i := range a.at {
		x[i], y[i] = a.at[i].key(), b.at[i].key()
	}
	if !companions(x, y) || slices.Contains(x, "") || slices.Contains(y, "") {
		return level{}, false
	}
	codes, names := a, b
	switch ca, cb := allCodes(x), allCodes(y); {
	case cb && !ca:
		codes, names = b, a
	case !ca && !cb:
		return level{}, false
	}
	out := level{name: names.name, at: slices.Clone(names.at)}
	if out.name == "" {
		out.name = codes.name
	}
	for i := range out.at {
		out.at[i].code = codes.at[i].label
	}
	return out, true
}

// peel takes the labels of outer out of those of inner that repeat them, as "Ensemble 0-14 ans" does below Ensemble. It
// also returns the codes of outer found in those of inner.
func peel(outer, inner *level) (level, []string, bool) {
	n := len(inner.at)
	if len(inner.distinct()) != n || len(outer.distinct()) < 2 || len(outer.distinct()) == n {
		return level{}, nil, false
	}
	labels := make([]string, n)
	for i := range inner.at {
		o, t := outer.at[i].label, inner.at[i].label
		if o == "" {
			return level{}, nil, false
		}
		rest := t
		if p, ok := strings.CutPrefix(t, o); ok {
			rest = p
		} else if p, ok := strings.CutSuffix(t, o); ok {
			rest = p
		} else {
			return level{}, nil, false
		}
		labels[i] = strings.Trim(strings.TrimSpace(rest), "-–,:・、 ")
	}
	end := commonSuffix(labels)
	for i := range labels {
		labels[i] = strings.TrimSpace(strings.TrimSuffix(labels[i], end))
	}
	out := level{name: inner.name, at: slices.Clone(inner.at)}
	for i := range out.at {
		out.at[i].label = labels[i]
	}
	codesOuter := make([]string, n)
	if inner.at[0].code != "" {
		oc, ic, ok := peelCodes(outer, inner, labels)
		if ok {
			codesOuter = oc
			for i := range out.at {
				out.at[i].code = ic[i]
			}
		} else {
			for i := range out.at {
				out.at[i].code = ""
			}
		}
	}
	if !crosses(outer, &out) {
		return level{}, nil, false
	}
	return out, codesOuter, true
}

// peelCodes cuts codes like P21_H0014 into a beginning that all share, the code of the outer label and that of the
// inner one.
func peelCodes(outer, inner *level, labels []string) (oc, ic []string, ok bool) {
	n := len(inner.at)
	all := sets.List(n, func(i int) string { return inner.at[i].code })
	start := commonPrefix(all)
	if k := strings.LastIndexAny(start, "_-."); k >= 0 {
		start = start[:k+1]
	} else {
		start = ""
	}
	byInner := map[string][]string{}
	for i := range all {
		all[i] = strings.TrimPrefix(all[i], start)
		byInner[labels[i]] = append(byInner[labels[i]], all[i])
	}
	ends := map[string]string{}
	for label, codes := range byInner {
		ends[label] = commonSuffix(codes)
		for _, c := range codes {
			if len(c) < len(ends[label]) {
				return nil, nil, false
			}
		}
	}
	oc, ic = make([]string, n), make([]string, n)
	of := map[string]string{}
	for i := range all {
		end := ends[labels[i]]
		if end == "" {
			return nil, nil, false
		}
		ic[i], oc[i] = end, strings.TrimSuffix(all[i], end)
		if oc[i] == "" {
			oc[i] = strings.TrimRight(start, "_-.0123456789")
		}
		if was, ok := of[outer.at[i].label]; ok && was != oc[i] {
			return nil, nil, false
		}
		of[outer.at[i].label] = oc[i]
	}
	return oc, ic, true
}

func commonPrefix(all []string) string {
	p := all[0]
	for _, s := range all[1:] {
		for !strings.HasPrefix(s, p) {
			p = p[:len(p)-1]
		}
	}
	return p
}

// commonSuffix returns the longest common end of all texts, cut to whole words where they have blanks.
func commonSuffix(all []string) string {
	p := all[0]
	for _, s := range all[1:] {
		for !strings.HasSuffix(s, p) {
			p = p[1:]
		}
	}
	if k := strings.IndexByte(p, ' '); k >= 0 {
		return p[k:]
	} else if strings.Contains(all[0], " ") {
		return ""
	}
	return p
}

package layout

import (
	"strings"
	"unicode/utf8"
)

// An entry is what one row or column says at one level of its labels.
type entry struct {
	label  string // cleaned; empty if it says nothing, which means a total where others say something
	raw    string // as it stands in the file
	code   string // from a column or row of codes
	indent int
	memo   bool
	gap    bool   // a blank row or a rule stands before
	group  string // in nested levels: the group that it belongs to
	whole  bool   // in nested levels: it stands for its group as a whole
	own    string // of a whole group: the word for a total in its place
	within string // of a whole group: the group that it belongs to itself, if known
	around bool   // of a whole group: others stand inside it that need not add up to it
	bold   bool
	guess  bool // the file does not name it: it has no label where others have one
	day    bool // a number that is shown as a date
	tab    bool // the name of a sheet, which texts about its cells need not mention
}

// key returns what tells the entries of a level apart: the code or else the label.
func (e *entry) key() string {
	if e.code != "" {
		return e.code
	}
	return e.label
}

// called reports whether so holds for the label of an entry, or for what stands in the file.
func (e *entry) called(so func(label string) bool) bool { return so(e.label) || so(e.raw) }

// A level is what all rows, or all columns, of a block say at one depth of their labels.
type level struct {
	name string
	at   []entry // one for each row or column
}

// distinct returns the labels of a level in the order of their first rows.
func (l *level) distinct() (labels []string) {
	seen := map[string]bool{}
	for i := range l.at {
		if k := l.at[i].key(); !seen[k] {
			seen[k] = true
			labels = append(labels, k)
		}
	}
	return labels
}

// factor turns levels, the outer ones first, into dimensions. A level whose labels are the same under different labels
// of the level before is a dimension of its own; any other belongs to the same dimension as that level.
func factor(levels []level) []level {
	var out []level
	for _, next := range levels {
		if len(out) == 0 {
			out = append(out, next)
			continue
		}
		last := &out[len(out)-1]
		if crosses(last, &next) {
			ownTotals(last, &next)
			lift(last, &next)
			unify(last, &next)
			out = append(out, next)
			continue
		}
		*last = nest(last, &next)
	}
	return out
}

// crosses reports whether inner has the same labels under different labels of outer.
func crosses(outer, inner *level) bool {
	type pair struct{ a, b string }
	pairs, union, groups := map[pair]bool{}, map[string]bool{}, map[string]bool{}
	totals := map[string]map[string]bool{}
	for i := range outer.at {
		a, b := outer.at[i].key(), inner.at[i].key()
		if b == "" {
			continue
		}
		if isBareTotal(inner.at[i].label) {
			if totals[b] == nil {
				totals[b] = map[string]bool{}
			}
			totals[b][a] = true
			continue
		}
		groups[a] = true
		union[b] = true
		pairs[pair{a, b}] = true
	}
	if len(groups) <= 1 || len(union) == 0 {
		// only totals stand below, or only one group has labels
		return false
	}
	return 3*len(pairs) >= 4*len(union)
}

// ownTotals takes the name of a group out of the labels of totals within it, such as Total 2021 below 2021, so that the
// totals of all groups have the same name.
func ownTotals(outer, inner *level) {
	for i := range inner.at {
		if n := &inner.at[i]; n.code == "" {
			if name, ok := ownTotal(n.label, outer.at[i].label); ok {
				n.label = name
			}
		}
	}
}

// ownTotal returns the word for a total that a label has beside the name of a group.
func ownTotal(label, group string) (name string, ok bool) {
	if group == "" {
		return "", false
	}
	if name, ok = strings.CutSuffix(label, group); !ok {
		name, ok = strings.CutPrefix(label, group)
	}
	name = strings.TrimFunc(name, func(r rune) bool { return isBlank(r) || strings.ContainsRune(":,–-", r) })
	return name, ok && isBareTotal(name)
}

// lift moves a total that stands alone in the inner level to the outer one.
func lift(outer, inner *level) {
	for i := range outer.at {
		if o, n := &outer.at[i], &inner.at[i]; o.label == "" && n.label != "" && isTotalName(n.label) {
			o.label, o.raw, o.code = n.label, n.raw, n.code
			n.label, n.raw, n.code = "", "", ""
		}
	}
}

// unify gives the same name to totals of the inner level that are called 小計 in one place and 合計 in another.
func unify(outer, inner *level) {
	names, seen := map[string]bool{}, map[[2]string]bool{}
	first := ""
	for i := range inner.at {
		n := &inner.at[i]
		if n.label == "" || n.code != "" || !isBareTotal(n.label) {
			continue
		}
		if !names[n.label] {
			if first == "" {
				first = n.label
			}
			names[n.label] = true
		}
		k := [2]string{outer.at[i].key(), n.label}
		if !seen[k] {
			for other := range names {
				if other != n.label && seen[[2]string{k[0], other}] {
					return // both in one group: they are different things
				}
			}
			seen[k] = true
		}
	}
	if len(names) == 0 || len(names) == 1 && !subtotals[wordOf(first)] {
		return
	}
	name := "Total"
	if r, _ := utf8.DecodeRuneInString(first); cjk(r) {
		name = "計"
	}
	for i := range inner.at {
		n := &inner.at[i]
		if n.label != "" && n.code == "" && isBareTotal(n.label) {
			n.label = name
		}
	}
}

// nest makes one level of two: the labels of inner, each within its label of outer.
func nest(outer, inner *level) level {
	out := level{name: inner.name, at: make([]entry, len(inner.at))}
	if out.name == "" {
		out.name = outer.name
	}
	owner := map[string]string{}
	clash := map[string]bool{}
	for i := range inner.at {
		if k := inner.at[i].key(); k != "" {
			if o, ok := owner[k]; ok && o != outer.at[i].key() {
				clash[k] = true
			}
			owner[k] = outer.at[i].key()
		}
	}
	for i := range inner.at {
		o, n := outer.at[i], inner.at[i]
		e := n
		e.group = o.key()
		e.memo = n.memo || o.memo
		e.gap = n.gap || o.gap
		if eras[o.label] && n.label != "" {
			e.label = o.label + strings.TrimSpace(n.label)
			e.raw = e.label
		}
		switch {
		case n.label == "" || o.label != "" && isBareTotal(n.label) && n.code == "":
			e = o
			e.own = n.label
			e.group, e.whole, e.indent, e.bold, e.gap = o.key(), true, min(n.indent, o.indent), n.bold || o.bold, e.gap || n.gap || o.gap
			if o.label == "" {
				e.label, e.raw, e.group = n.label, n.raw, ""
			}
			if o.group != "" {
				e.group = o.group
			}
		case clash[n.key()] && o.label != "":
			if n.code != "" {
				e.code = o.key() + " " + n.code
			} else {
				e.code = o.key() + " " + n.label
			}
		}
		out.at[i] = e
	}
	return out
}

// eras stand above the years of several columns.
var eras = wordSet(`明治 大正 昭和 平成 令和`)

// split finds two dimensions in a level whose labels stand for both, like 北浜市, 男, 女, 松原市, 男, 女. The labels that come
// again are the inner ones.
func split(l *level) []level {
	count := map[string]int{}
	for i := range l.at {
		if !l.at[i].memo {
			count[l.at[i].key()]++
		}
	}
	repeated, again := 0, 0
	for _, n := range count {
		if n > 1 {
			repeated++
			again += n
		}
	}
	if repeated < 2 || 2*again < len(l.at) || l.at[0].key() == "" || count[l.at[0].key()] > 1 {
		return []level{*l}
	}
	outer, inner := level{name: l.name, at: make([]entry, len(l.at))}, level{at: make([]entry, len(l.at))}
	var now entry
	for i := range l.at {
		e := l.at[i]
		if count[e.key()] <= 1 {
			now = e
			outer.at[i] = e
			inner.at[i] = entry{gap: e.gap, bold: e.bold}
			continue
		}
		outer.at[i] = now
		inner.at[i] = e
	}
	return []level{outer, inner}
}

// companions reports whether two columns or rows of texts say the same in two ways, like code and name. The totals of
// groups may have a code each and the same name.
func companions(a, b []string) bool {
	to, from := map[string]string{}, map[string]string{}
	both, one, other := 0, 0, 0
	coded := allCodes(a)
	for i := range a {
		if coded && both > 1 && isBareTotal(b[i]) && from[b[i]] != "" && to[a[i]] == "" {
			to[a[i]] = b[i]
			both++
			continue
		}
		switch {
		case a[i] == "" && b[i] == "":
			continue
		case a[i] == "":
			other++
			continue
		case b[i] == "":
			one++
			continue
		}
		both++
		if t, ok := to[a[i]]; ok && t != b[i] {
			return false
		}
		if t, ok := from[b[i]]; ok && t != a[i] && (!coded || !isBareTotal(b[i]) || to[a[i]] != b[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	if both == 0 {
		return false
	}
	if one == 0 && other == 0 {
		return len(to) > 1 || both == 1
	}
	return other+one <= both && (allCodes(a) || allCodes(b))
}

// allCodes reports whether all texts that are not empty look like codes.
func allCodes(texts []string) bool {
	n := 0
	for _, s := range texts {
		if s == "" {
			continue
		}
		if !isCodeLike(s) {
			return false
		}
		n++
	}
	return n > 0
}

// isJapanese reports whether most labels are Japanese.
func isJapanese(l *level) bool {
	n := 0
	for i := range l.at {
		if strings.ContainsFunc(l.at[i].label, cjk) {
			n++
		}
	}
	return 2*n > len(l.at)
}

package layout

import (
	"slices"
	"strings"
)

// stairs reads label columns of which each row fills as many as it is deep: the parts of an item stand in the
// next column, and so does its subtotal (小計). They become one level with indentation or, if the labels right of
// an outer column repeat below each of its labels, that column and one more level. It reports false if two rows
// would have the same labels.
func stairs(columns []level) ([]level, bool) {
	if len(columns) < 2 {
		return nil, false
	}
	outer := level{name: columns[0].name, at: make([]entry, len(columns[0].at))}
	var now entry
	for i := range outer.at {
		if e := columns[0].at[i]; e.label != "" {
			now = e
		}
		outer.at[i] = now
	}
	inner, ok := climb(columns[1:], &outer)
	if ok && crosses(&outer, &inner) {
		for i := range outer.at { // 合計 with nothing behind it
			if columns[0].at[i].label != "" && inner.at[i].label == "" && isBareTotal(outer.at[i].label) {
				return nil, false
			}
		}
		return []level{outer, inner}, true
	}
	one, ok := climb(columns, nil)
	return []level{one}, ok
}

// climb joins columns of stairs into one level. Where the label of outer changes, the path begins anew. Labels
// that repeat below different ones are qualified by those before them.
func climb(columns []level, outer *level) (level, bool) {
	n := len(columns[0].at)
	out := level{at: make([]entry, n)}
	for _, l := range columns {
		if out.name == "" {
			out.name = l.name
		}
	}
	ways := make([][]string, n) // the path of labels down to each row; for a subtotal, that of its group
	var way []string
	closed := -1 // the column of a subtotal in the row before, whose parts are repeated behind it
	for i := range n {
		if outer != nil && i > 0 && outer.at[i].key() != outer.at[i-1].key() {
			way, closed = nil, -1
		}
		first, last := -1, -1
		for k := range columns {
			e := &columns[k].at[i]
			deeper := slices.ContainsFunc(columns[k+1:], func(l level) bool { return l.at[i].label != "" })
			if e.label == "" || k < len(way) && way[k] == e.label && deeper {
				continue // repeated before what is inside it
			}
			for len(way) < k {
				way = append(way, "")
			}
			way = append(way[:k:k], e.label)
			if last = k; first < 0 {
				first = k
			}
		}
		if last < 0 {
			return level{}, false
		}
		e := columns[last].at[i]
		e.indent += 100 * last
		if closed >= 0 && first > closed {
			way = slices.Delete(way, closed, closed+1)
			e.memo = true
		}
		ways[i] = slices.DeleteFunc(slices.Clone(way), func(s string) bool { return s == "" })
		if e.memo && closed >= 0 {
			way = way[: len(way)-1 : len(way)-1]
			way = append(way, columns[closed].at[i-1].label)
		} else {
			closed = -1
		}
		if depth := len(ways[i]); isBareTotal(e.label) && (depth > 1 || outer != nil) {
			ways[i] = ways[i][:depth-1]
			e.whole, closed = true, last
			e.indent = max(e.indent-100, 0)
			if depth > 1 {
				e.label = ways[i][depth-2]
				e.raw = e.label
			}
		}
		out.at[i] = e
	}
	return out, nameStairs(&out, ways, outer)
}

// nameStairs gives the rows of stairs distinct names, a label with as many of those above it as needed, and their
// groups. It reports false if two rows have the same path; they may have it below different labels of outer.
func nameStairs(l *level, ways [][]string, outer *level) bool {
	const sep = "\x00"
	end := func(way []string, n int) string { return strings.Join(way[max(0, len(way)-n):], sep) }
	deepest := 0
	inside := map[string]bool{} // paths that continue
	for _, way := range ways {
		deepest = max(deepest, len(way))
		for n := 1; n < len(way); n++ {
			inside[strings.Join(way[:n], sep)] = true
		}
	}
	same, totals := map[string]bool{}, map[string]bool{}
	owner := map[string]string{} // the only path with this ending; empty: there are several
	for i, way := range ways {
		e, long := &l.at[i], strings.Join(way, sep)
		key := long
		if outer != nil {
			key = outer.at[i].key() + sep + sep + long
		}
		if same[key] {
			return false
		}
		same[key] = true
		e.around = inside[long] && !e.whole
		if e.whole = e.whole || e.around; e.whole {
			totals[long] = true
		}
		for n := 1; n <= len(way); n++ {
			s := end(way, n)
			if old, ok := owner[s]; ok && old != long {
				owner[s] = ""
			} else {
				owner[s] = long
			}
		}
	}
	for i, way := range ways {
		e := &l.at[i]
		if len(way) == 0 {
			continue // the total of all keeps its name
		}
		n := 1
		for n < len(way) && owner[end(way, n)] != strings.Join(way, sep) {
			n++
		}
		if n > 1 {
			e.code = strings.ReplaceAll(end(way, n), sep, " ")
		}
		for up := len(way) - 1; up > 0 && e.within == ""; up-- {
			if s := strings.Join(way[:up], sep); totals[s] {
				e.within = s
			}
		}
		if e.group = e.within; e.whole {
			e.group = strings.Join(way, sep)
		}
	}
	return true
}

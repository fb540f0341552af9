package layout

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// repeat finds the shown columns, or rows, whose numbers line i repeats where it is hidden, or is a column further
// right with the same header.
func (s *surveyor) repeat(all []line, i int, n *numbers, down bool) {
	at := all[i].at[0]
	if down && n.dates(all[i].at) { // the years of a page beside are its labels, as those of the first page are
		return
	}
	hides := func(at fieldAt) bool { return down && n.g.HiddenColumns[at.c] || !down && n.g.HiddenRows[at.r] }
	hidden := hides(at)
	for j := range all {
		x := &all[j]
		if x.fixed || len(x.at) == 0 || hides(x.at[0]) || !hidden && (!down || x.at[0].c >= at.c || !n.headedAlike(at.r, x.at[0].c, at.c)) {
			continue
		}
		same := hidden || x.n == all[i].n && x.n > 2
		if hidden && !down { // a row with a label of its own may count as many by chance
			_, same = n.alike(at.r, x.at[0].r)
		}
		for k, v := range all[i].v {
			same = same && (!v.ok || x.v[k].ok && x.v[k].v == v.v)
		}
		for k, v := range all[i].v {
			if same && v.ok {
				s.add(all[i].at[k], true, asRepeat, x.at[k])
			}
		}
	}
}

// hidden finds the hidden rows that repeat a shown one: the same numbers in the same columns, and no other label.
func (s *surveyor) hidden(n *numbers) {
	if len(n.g.HiddenRows) == 0 {
		return
	}
	key := func(r int) string {
		var k strings.Builder
		for c, f := range n.at[r] {
			if f.ok {
				fmt.Fprint(&k, c, " ", f.v, " ")
			}
		}
		return k.String()
	}
	shown := map[string][]int{}
	for r := range n.at {
		if k := key(r); k != "" && !n.g.HiddenRows[r] {
			shown[k] = append(shown[k], r)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(n.g.HiddenRows)) {
		if r >= len(n.at) {
			continue
		}
		for _, of := range shown[key(r)] {
			if some, same := n.alike(r, of); !some || !same {
				continue
			}
			for c, f := range n.at[r] {
				if f.ok {
					s.add(fieldAt{n.g.Sheet, r, c}, true, asRepeat, fieldAt{n.g.Sheet, of, c})
				}
			}
			break
		}
	}
}

// alike reports whether row r has labels, and whether row of has the same ones in the same columns.
func (n *numbers) alike(r, of int) (some, same bool) {
	for c := range n.g.Rows[r] {
		switch a, b := strings.TrimFunc(n.v.text(r, c), isBlank), strings.TrimFunc(n.v.text(of, c), isBlank); {
		case n.figure(r, c).ok || a == "":
		case a != b:
			return true, false
		default:
			some = true
		}
	}
	return some, true
}

// dates reports whether the numbers at some places are years, one of them again and again.
func (n *numbers) dates(all []fieldAt) bool {
	seen, again := map[string]bool{}, false
	for _, at := range all {
		text := clean(n.v.text(at.r, at.c))
		if text != "" && !isYear(text) {
			return false
		}
		again, seen[text] = again || text != "" && seen[text], true
	}
	return again
}

// headedAlike reports whether columns a and b have the same header above row r: the same text directly above, and in
// the two rows before that the same texts, which may stand over several columns.
func (n *numbers) headedAlike(r, a, b int) bool {
	over := func(up, c int) string {
		for c > 0 && n.v.text(up, c) == "" {
			c--
		}
		return n.v.text(up, c)
	}
	for up := r - 1; up >= max(0, r-3); up-- {
		if over(up, a) != over(up, b) || up == r-1 && (n.v.text(up, a) == "" || n.v.text(up, b) == "") {
			return false
		}
	}
	return r > 0
}

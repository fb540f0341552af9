package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// evidenceOfPlaces is how many bits of evidence the order of numbers must give before they are taken for ranks of
// others. That they run from 1 to how many there are is evidence as well.
const evidenceOfPlaces = 15

// rankWords match headings of ranks.
var rankWords = lazy.Regexp(`(?i)順位|\brank|\brang\b|\bplatz\b|ランク|순위|puesto|posizione|\bordem\b|lokata|pořadí|helyezés|placering|\bsija\b|\bsıra\b|miejsce|(?:^|\PL)место(?:\PL|$)|rangorde|posição|位次|名次|σειρά`)

// ranks finds columns that rank the numbers of another one, from the largest or from the smallest. A dash, as beside a
// total, is no rank.
func (s *surveyor) ranks(k chunk) {
	all := k.columns()
	each := len(k.rows) // how many rows are ranked among each other
	if panels := k.groups(k.inner); len(panels) > 1 {
		each = len(panels[0].rows)
	}
	for i := range all {
		l := &all[i]
		if l.places.places > 0 || l.neg || l.n < 3 || l.most > float64(l.n) || s.whole(l) {
			continue
		}
		bits, placed := 0.0, 0
		for q, v := range l.v {
			if q%each == 0 {
				placed = 0
			}
			if v.ok && v.v != 0 { // a row without a rank has no number, or 0
				placed++
				bits += math.Log2(float64(placed))
			}
		}
		if placed < 3 || bits < evidenceOfPlaces && !k.n.called(rankWords().MatchString, k.rows[0], k.cols[i]) {
			continue
		}
		var of []fieldAt
		for j := range all {
			if x := &all[j]; j != i && !x.fixed && len(x.at) > 0 && !k.n.called(rankWords().MatchString, k.rows[0], x.at[0].c) && (l.ranks(x, each) || l.ranks(x, len(k.rows))) {
				for q, v := range l.v {
					if v.ok && v.v != 0 {
						of = append(of, x.at[q])
					}
				}
			}
		}
		for q, v := range l.v {
			if v.ok && of != nil {
				s.add(l.at[q], true, asRank, of...)
			}
		}
	}
}

// ranks reports whether the numbers of l rank those of x, from the largest or from the smallest, within each run of so
// many rows.
func (l *line) ranks(x *line, each int) bool {
	return l.ranked(x, each, false) || l.ranked(x, each, true)
}

func (l *line) ranked(x *line, each int, up bool) bool {
	for from := 0; from < len(l.v); from += each {
		var sorted []float64
		to := min(from+each, len(l.v))
		for i, v := range l.v[from:to] {
			if !v.ok || v.v == 0 {
				continue
			}
			if !x.v[from+i].ok {
				return false
			}
			sorted = append(sorted, x.v[from+i].v)
		}
		slices.Sort(sorted)
		for i, v := range l.v[from:to] {
			if !v.ok || v.v == 0 {
				continue
			}
			place, _ := slices.BinarySearch(sorted, x.v[from+i].v) // how many are smaller
			if !up {
				// the first larger one
				above, _ := slices.BinarySearchFunc(sorted, x.v[from+i].v, func(e, v float64) int {
					if e <= v {
						return -1
					}
					return 1
				})
				place = len(sorted) - above
			}
			if float64(place+1) != v.v {
				return false
			}
		}
	}
	return true
}

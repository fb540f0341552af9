package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// A ratio is a line that is computed as x for each y, two other lines of its chunk.
type ratio struct {
	l, x, y int
}

// measures finds, of two columns of which others are the ratio, the one that counts something else than the table, as an area or households: the one
// without which a column is the sum of all others, or the only one whose rows do not add up as those of the others do. One whose own rows do not add
// up is no cell of the table. Of another it is open whether it is to be protected, so it is noted as what the ratio is divided by.
func (s *surveyor) measures(all []line, ratios []ratio) {
	var open []int // lines that may be cells
	for i := range all {
		if !all[i].fixed && all[i].n > 0 && !s.whole(&all[i]) {
			open = append(open, i)
		}
	}
	if sumAcross(all, open) { // nothing stands beside its sums
		return
	}
	without := func(at func(ratio) int) []int {
		return slices.DeleteFunc(slices.Clone(open), func(j int) bool { return slices.ContainsFunc(ratios, func(q ratio) bool { return at(q) == j }) })
	}
	dividing, divided := without(func(q ratio) int { return q.y }), without(func(q ratio) int { return q.x })
	for _, q := range ratios {
		if all[q.x].fixed || all[q.y].fixed {
			continue
		}
		apart, adds := q.y, true
		for k, i := range []int{q.y, q.x} {
			rest := [][]int{dividing, divided}[k]
			t := downTotal(all, rest)
			misses := t.times > 0 && !t.holds(&all[i])
			if misses || sumAcross(all, rest) {
				apart, adds = i, !misses
				break
			}
		}
		if !adds {
			for i, at := range all[apart].at {
				if all[apart].v[i].ok {
					s.found[at] = &computed{at: at, how: asMeasure, said: true}
				}
			}
			continue
		}
		if all[q.l].most <= 1 && !all[q.x].above(&all[q.y]) { // a share, too, has such numbers
			continue
		}
		for i, at := range all[q.l].at {
			if f := s.found[at]; f != nil {
				f.base = all[apart].at[i]
			}
		}
	}
}

// sumAcross reports whether one of some columns is the sum of the others, in every row in which all have a number.
func sumAcross(all []line, of []int) bool {
	if len(of) < 3 {
		return false
	}
	return slices.ContainsFunc(of, func(t int) bool {
		rows := 0
		for r := range all[t].v {
			sum, whole := 0.0, true
			for _, i := range of {
				whole = whole && all[i].v[r].ok
				if i != t {
					sum += all[i].v[r].v
				}
			}
			if !whole {
				continue
			}
			if math.Abs(sum-all[t].v[r].v) > 1e-9*math.Max(1, math.Abs(sum)) {
				return false
			}
			rows++
		}
		return rows > 1
	})
}

// A totalRow is the row in which columns have the sum of their other numbers, or times as much where sums of groups stand between them; times is 0
// where there is none.
type totalRow struct{ row, times int }

// downTotal is the total row of some columns, if their numbers speak for it enough: chance makes a sum of small numbers, too.
func downTotal(all []line, of []int) (t totalRow) {
	bits := 0.0
	for _, i := range of {
		bits += math.Log2(1 + all[i].most)
	}
	if bits < leastEvidence/2 {
		return t
	}
	for t.times = 1; t.times <= 3; t.times++ {
		for t.row = range all[of[0]].v {
			if all[of[0]].n > 2*t.times && !slices.ContainsFunc(of, func(i int) bool { return !t.holds(&all[i]) }) {
				return t
			}
		}
	}
	return totalRow{}
}

// holds reports whether a column has its total there.
func (t totalRow) holds(l *line) bool {
	if t.times == 0 || !l.v[t.row].ok {
		return false
	}
	sum := 0.0
	for i, v := range l.v {
		if i != t.row && v.ok {
			sum += v.v
		}
	}
	return math.Abs(sum-float64(float64(t.times)*l.v[t.row].v)) <= 1e-9*math.Max(1, sum)
}

var cumulWords = lazy.Regexp(`(?i)累計|累積|\bcumul|\bkumul|\brunning\b`)

// cumulated finds columns that are called cumulated and are the sum of neighbours, of all such sums where there are several.
func (s *surveyor) cumulated(k chunk, all []line) {
	var open []*line
	for i := range all {
		if l := &all[i]; !l.fixed && l.n > 0 && !l.says() && !s.whole(l) {
			open = append(open, l)
		}
	}
	for i := range all {
		l := &all[i]
		if l.fixed || l.n == 0 || !k.n.called(cumulWords().MatchString, k.rows[0], l.at[0].c) {
			continue
		}
		for from := range open {
			for to := from + 1; to <= len(open) && s.tried < mostTried; to++ {
				s.tried++
				if of := open[from:to]; l.sums(of) {
					for r := range l.v {
						for _, x := range of {
							if l.told(r) {
								s.add(l.at[r], true, asCumulated, x.at[r])
							}
						}
					}
				}
			}
		}
	}
}

// sums reports whether each number of a line is the sum of those beside it in others.
func (l *line) sums(of []*line) bool {
	for r, v := range l.v {
		sum := 0.0
		for _, x := range of {
			if v.ok && !x.v[r].ok && !x.marks[r] {
				return false
			}
			sum += x.v[r].v
		}
		if v.ok && math.Abs(sum-v.v) > 1e-9*math.Max(1, math.Abs(sum)) {
			return false
		}
	}
	return true
}

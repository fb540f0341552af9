package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// A ratio is a line l computed as x for each y, two other lines of its chunk.
type ratio struct {
	l, x, y int
}

// measures looks at pairs of columns of which another column is the ratio, for the one that counts something
// other than the table does, like an area or households: the one without which some column is the sum of all
// others, or the only one that lacks its total in the row of totals. In the latter case the column is no part of
// the table. In the former it is open whether it is to be protected, so that it is only noted as what the ratio
// is divided by.
func (s *surveyor) measures(all []line, ratios []ratio) {
	ratios = slices.DeleteFunc(ratios, func(q ratio) bool { // shares of 0 and 1, which many pairs of columns have
		return all[q.l].most <= 1 && all[q.l].places.places == 0
	})
	var open []int // lines that may be cells
	for i := range all {
		if !all[i].fixed && all[i].n > 0 && !s.whole(&all[i]) {
			open = append(open, i)
		}
	}
	if len(ratios) == 0 || sumAcross(all, open) { // no column stands beside the sums
		return
	}
	t := downTotal(all, open)
	t.half = s.half
	divided := besideSums(all, open, ratios)
	for i, q := range ratios {
		if all[q.x].fixed || all[q.y].fixed {
			continue
		}
		apart, adds := q.y, true
		switch y, x := t.misses(all[q.y].beside(&all[q.x])), t.misses(all[q.x].beside(&all[q.y])); {
		case y != x && x:
			apart, adds = q.x, false
		case y != x:
			adds = false
		case divided>>i&1 > 0:
			apart = q.x
		}
		if !adds {
			// computed from cells itself, the line reveals them whatever ratio it is part of
			if s.whole(&all[apart]) || all[apart].says() || all[apart].each {
				continue
			}
			for i, at := range all[apart].at {
				if all[apart].v[i].ok {
					s.found[at] = &computed{at: at, how: asMeasure, said: true}
				}
			}
			continue
		}
		if all[q.l].most <= 1 && !all[q.x].above(&all[q.y]) { // a share has such numbers, too
			continue
		}
		for i, at := range all[q.l].at {
			if f := s.found[at]; f != nil {
				f.base = all[apart].at[i]
			}
		}
	}
}

// mostRatios is the number of ratios, from the first on, for which every choice between their two columns is
// tried.
const mostRatios = 8

// besideSums returns a set of ratios, as bits, whose divided column counts something else; in the others it is
// the dividing column. Without these columns, one of the remaining ones is the sum of the others. Choices are
// tried in ascending order, so that the dividing column is preferred.
func besideSums(all []line, open []int, ratios []ratio) (divided int) {
	for divided = range 1 << min(len(ratios), mostRatios) {
		cells := slices.DeleteFunc(slices.Clone(open), func(j int) bool {
			for i, q := range ratios {
				if divided>>i&1 > 0 && q.x == j || divided>>i&1 == 0 && q.y == j {
					return true
				}
			}
			return false
		})
		if sumAcross(all, cells) {
			return divided
		}
	}
	return 0
}

// sumAcross reports whether one of the columns is the sum of the others in every row in which all have a number.
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

// A totalRow is the row in which columns have the sum of their other numbers, or that sum divided by times where
// sums of groups stand between them. times is 0 if there is none.
type totalRow struct {
	row, times int
	half       float64 // by how much rounding may have moved each number
}

// downTotal returns the row that is the total in most columns, if there is enough evidence, since sums of small
// numbers are often coincidental. Columns that count something else need not have their total there.
func downTotal(all []line, of []int) (best totalRow) {
	most := leastEvidence / 2.0
	for times := 1; times <= 3; times++ {
		for row := range len(all[0].v) {
			t, bits, missed := totalRow{row: row, times: times}, 0.0, 0
			for _, i := range of {
				switch l := &all[i]; {
				case l.n <= 2*times:
				case t.holds(l):
					bits += math.Log2(1 + l.most)
				case t.misses(l):
					missed++
				}
			}
			if bits > most && 2*missed <= len(of) {
				best, most = t, bits
			}
		}
	}
	return best
}

// misses reports whether the number of a column in the row is not its total, by more than rounding or a slip
// explains.
func (t totalRow) misses(l *line) bool {
	if t.times == 0 || !l.v[t.row].ok {
		return false
	}
	return math.Abs(t.miss(l)) > math.Max(float64(l.n), math.Abs(l.v[t.row].v)/10)+t.half*float64(l.n)
}

// beside returns the line with only those numbers that have one of x beside them: a row in which only one of the
// two is known counts in the total of neither.
func (l *line) beside(x *line) *line {
	both := *l
	both.v, both.n = slices.Clone(l.v), 0
	for i := range both.v {
		if both.v[i].ok = l.v[i].ok && x.v[i].ok; both.v[i].ok {
			both.n++
		}
	}
	return &both
}

// holds reports whether the column has its total in the row.
func (t totalRow) holds(l *line) bool {
	return t.times > 0 && l.v[t.row].ok && math.Abs(t.miss(l)) <= 1e-9*math.Max(1, math.Abs(l.v[t.row].v))
}

// miss returns by how much the sum of the other numbers exceeds times the number in the row.
func (t totalRow) miss(l *line) float64 {
	sum := -float64(float64(t.times) * l.v[t.row].v)
	for i, v := range l.v {
		if i != t.row && v.ok {
			sum += v.v
		}
	}
	return sum
}

var cumulWords = lazy.Regexp(`(?i)累計|累積|cumul|kumul|\brunning\b`)

// mostRunning bounds the rows of a running sum.
const mostRunning = 512

// cumulated explains columns that are called cumulative: each is a running sum of another column, the sum of
// neighbouring columns, or the share of such a sum in another column. If several explanations fit, all are noted.
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
		for _, x := range open {
			for r, upTo := range l.running(x) {
				for q := range upTo {
					s.add(l.at[r], true, asCumulated, x.at[q])
				}
			}
		}
		for from := range open {
			for to := from + 1; to <= len(open) && s.tried < mostTried; to++ {
				s.tried += 1 + len(open)
				of := open[from:to]
				if l.sums(of, s.half) {
					for r := range l.v {
						for _, x := range of {
							if l.told(r) {
								s.add(l.at[r], true, asCumulated, x.at[r])
							}
						}
					}
				}
				if total := l.shareOf(of, open, s.half); total != nil {
					for r := range l.v {
						for _, x := range append(slices.Clone(of), total) {
							if l.told(r) {
								s.add(l.at[r], true, asRowShare, x.at[r])
							}
						}
					}
				}
			}
		}
	}
}

// running returns, for each number of l, up to which row it is the sum of x, or nil if some number is not or too
// few say so.
func (l *line) running(x *line) (upTo []int) {
	if x == l || len(l.v) > mostRunning {
		return nil
	}
	acc, n := 0.0, 0
	upTo = make([]int, len(l.v))
	for r, v := range l.v {
		switch {
		case !x.v[r].ok:
			if v.ok {
				return nil
			}
			continue
		case !v.ok && x.v[r].v == acc: // the total of all above
			continue
		}
		if acc += x.v[r].v; v.ok {
			if math.Abs(acc-v.v) > 1e-9*math.Max(1, math.Abs(acc)) {
				return nil
			}
			if upTo[r] = r + 1; r > 0 && x.v[r].v != 0 {
				n++
			}
		}
	}
	if n < 2 {
		return nil
	}
	return upTo
}

// shareOf returns the line of which the sum of others is the share that each number of l tells, or nil.
func (l *line) shareOf(of, lines []*line, half float64) *line {
	for _, t := range lines {
		for _, factor := range shareFactors[:2] {
			n := 0
			for r, v := range l.v {
				sum := 0.0
				for _, x := range of {
					sum += x.v[r].v
				}
				if !v.ok {
					continue
				}
				if t == l || !t.v[r].ok || t.v[r].v <= half || sum > t.v[r].v+float64(len(of))*half ||
					math.Abs(factor*sum/t.v[r].v-v.v) > slack(v.v, l.places.places)+(formula{form: '/', factor: factor}).loose(sum, t.v[r].v, float64(len(of))*half) {
					n = -1
					break
				}
				if n++; factor == 1 && l.places.places == 0 {
					n = -1
					break
				}
			}
			if n > 1 {
				return t
			}
		}
	}
	return nil
}

// sums reports whether each number of the line is the sum of those beside it in the lines of.
func (l *line) sums(of []*line, half float64) bool {
	for r, v := range l.v {
		sum := 0.0
		for _, x := range of {
			if v.ok && !x.v[r].ok && !x.marks[r] {
				return false
			}
			sum += x.v[r].v
		}
		if v.ok && math.Abs(sum-v.v) > 1e-9*math.Max(1, math.Abs(sum))+float64(len(of)+1)*half {
			return false
		}
	}
	return true
}

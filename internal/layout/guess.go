package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// leastEvidence is how many bits of evidence a formula needs before a line of numbers is taken to be computed by it:
// some 2^12 formulas are tried for each line, and one line in 2^12 may be taken wrongly.
const leastEvidence = 24

// evidenceOfPair is how many bits of evidence a difference of two columns needs, beyond those that choosing the two
// costs, where its numbers are known to be computed.
const evidenceOfPair = 5

// seen reports whether the numbers of l are all 0, or one that is not has a base that was not next to 0 before it was
// rounded: else any numbers are such shares, those of another sheet of values, too.
func (s *surveyor) seen(l *line, f formula, base func(i int) figureOf) bool {
	none := true
	for i, v := range l.v {
		if v.ok && v.v != 0 {
			if b := base(i); b.ok && !f.blind(b, s.half) {
				return true
			}
			none = none && s.half == 0
		}
	}
	return none
}

// try compares a line with what a formula makes of others. bits is the evidence for it; ok is false where a number
// disagrees, or too few can be compared.
func (s *surveyor) try(l, x, y *line, f formula) (bits float64, ok bool) {
	s.tried++
	n, marks := 0, 0
	if f.form == 'k' {
		f.factor /= y.allv[f.total].v
		bits = -math.Log2(float64(len(y.allv))) // any of them may be Y
	}
	base := func(i int) figureOf {
		if f.total >= 0 && f.form != 'k' {
			return x.allv[f.total]
		}
		return y.v[i]
	}
	if s.half > 0 && !s.seen(l, f, base) {
		return 0, false
	}
	for i, v := range l.v {
		if !v.ok {
			continue
		}
		a, b := x.v[i], base(i)
		if !a.ok || !b.ok {
			// a mark that stands for nothing, say, is evidence neither for the formula nor against it
			if f.form == '-' && (x.marks[i] || y.marks[i]) {
				marks++
			}
			continue
		}
		if l.finer(a.places) || l.finer(b.places) {
			return 0, false
		}
		e, agrees := f.says(v, a, b, l, s.half)
		if !agrees {
			return 0, false
		}
		bits += e
		n++
	}
	return bits, n > 0 && 5*(n+marks) >= 4*l.n
}

// A guess is a formula that agrees with line l.
type guess struct {
	l    int
	f    formula
	bits float64
}

// guesses returns the formulas that agree with line i, from lines at most near places away or, where few lines can be
// computed, from any.
func (s *surveyor) guesses(u *lookup, i, near int, few bool) (found []guess) {
	all := u.all
	l := &all[i]
	if l.fixed {
		return nil
	}
	// try its largest number first, which most wrong formulas miss
	top := -1
	for k, v := range l.v {
		if v.ok && (top < 0 || math.Abs(v.v) > math.Abs(l.v[top].v)) {
			top = k
		}
	}
	if top < 0 || l.n < 2 && near == math.MaxInt {
		return nil
	}
	add := func(x *line, y *line, f formula) {
		if bits, ok := s.try(l, x, y, f); ok {
			found = append(found, guess{i, f, bits})
		}
	}
	exact := l.places.places > 0 || l.percent()
	ratio := exact || l.says() // whole numbers are counts, unless they are called shares
	change := l.word || l.neg && near == math.MaxInt
	contributes := near == math.MaxInt && len(all) <= mostContributing
	from, to := 0, len(all)
	if near < len(all) && !(ratio && few) {
		from, to = max(0, i-near), min(len(all), i+near+1)
	}
	for j := from; j < to; j++ {
		x := &all[j]
		if j == i || x.fixed || l.finer(x.v[top].places) || x.says() && !l.says() || !x.v[top].ok || s.tried > mostTried {
			continue
		}
		for _, factor := range shareFactors {
			if factor == 1 && !exact && !l.each || factor >= 1000 && !l.many || !ratio {
				continue
			}
			for _, t := range s.totals(u, l, j, top, factor) {
				// divided by a share that is 100 itself, the line would only be repeated
				if x.allv[t].v == factor && x.most > factor {
					continue
				}
				f := formula{'/', factor, j - i, 0, t}
				if _, ok := f.says(l.v[top], x.v[top], x.allv[t], l, s.half); ok && x.allv[t].v > 0 {
					add(x, nil, f)
				}
			}
		}
		if !ratio && !change && !contributes {
			continue
		}
		for k := 2.0; k <= mostMean && exact && l.says() && !l.percent(); k++ { // no mean is written as per cent
			f := formula{'m', k, j - i, j - i, -1}
			if _, ok := f.says(l.v[top], x.v[top], figureOf{}, l, s.half); ok {
				add(x, x, f)
			}
		}
		for q := from; q < to && ratio && l.says(); q++ {
			if y := &all[q]; q != i && q != j && !y.fixed {
				s.growth(l, x, y, top, formula{'a', 0, j - i, q - i, -1}, add)
			}
		}
		every := contributes || s.half > 0 // if the sources were rounded, a lookup by range would miss them
		for _, q := range s.others(u, l, x, top, every) {
			y := &all[q]
			if q == i || l.finer(y.v[top].places) || y.says() && !l.says() || !y.v[top].ok {
				continue
			}
			for _, factor := range shareFactors {
				if factor == 1 && !exact && !l.each || factor >= 1000 && !l.many || !ratio {
					continue
				}
				f := formula{'/', factor, j - i, q - i, -1}
				if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
					add(x, y, f)
				}
				if f.form = 'c'; q == j || factor > 100 || !l.word && (!l.neg || near < math.MaxInt) {
					continue
				}
				if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
					add(x, y, f)
				}
			}
			// any Y of about 100 fits a number that is that difference itself, as a part is of a total and the other
			if d := x.v[top].v - y.v[top].v; q != j && contributes && d != 0 && (d != l.v[top].v || exact || change) {
				tol := slack(l.v[top].v, l.places.places)
				for t, v := range y.allv {
					if f := (formula{'k', 100, j - i, q - i, t}); v.ok && v.v > 0 && v.v != f.factor && math.Abs(f.factor*d-l.v[top].v*v.v) <= tol*v.v {
						add(x, y, f)
					}
				}
			}
			if q != j && (l.word || l.neg && !x.neg && !y.neg && near == math.MaxInt) {
				add(x, y, formula{'-', 0, j - i, q - i, -1})
			}
		}
	}
	return found
}

// growth tries whether a line is the mean change a year from y to x, for each number of years that fits its number in
// place top.
func (s *surveyor) growth(l, x, y *line, top int, f formula, add func(x, y *line, f formula)) {
	for k := -float64(mostMean); k <= mostMean && y.v[top].ok && y.v[top].v > 0; k++ {
		// less than two years, or fractions without a per cent sign
		if f.factor = k; k > -2 && k < 2 || k < 0 && !l.pct {
			continue
		}
		if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
			add(x, y, f)
		}
	}
}

// totals returns the indexes of those numbers of line j that may be the total if its number in place top is the part,
// and l has the share of it there.
func (s *surveyor) totals(u *lookup, l *line, j, top int, factor float64) []int {
	if s.half == 0 {
		return s.counted(u.whole(l, j, top, factor))
	}
	all := sets.Upto(len(u.all[j].allv))
	return s.counted(all)
}

// others returns the lines y from which, with x, l may be computed, or all lines where every is set.
func (s *surveyor) others(u *lookup, l, x *line, top int, every bool) []int {
	if every {
		return s.counted(u.everyLine())
	}
	return s.counted(u.others(l, x, top))
}

// counted counts the items that are looked at as work, and returns none of them once the work is used up.
func (s *surveyor) counted(all []int) []int {
	if s.looked += 1 + len(all); s.looked > mostLooked {
		return nil
	}
	return all
}

// rare reports whether few of the lines have decimals or are called shares, so that each may be computed from any two
// others, however far away.
func rare(all []line) bool {
	if len(all) > 256 {
		return false
	}
	n := 0
	for i := range all {
		if l := &all[i]; l.places.places > 0 || l.percent() || l.says() {
			n++
		}
	}
	return 4*n <= len(all)
}

// lines finds the lines that are computed from others. The evidence for a formula is summed over all lines for which it
// holds in the same way.
func (s *surveyor) lines(n *numbers, all []line, near int) {
	var every []guess
	pool := map[formula]float64{}
	few, u := rare(all), lookupOf(all)
	for i := range all {
		if s.whole(&all[i]) {
			continue
		}
		of := s.guesses(u, i, near, few)
		for _, g := range of {
			pool[g.f] += g.bits
			if g.f.total < 0 {
				pool[g.f.absolute(i)] += g.bits
			}
		}
		every = append(every, of...)
	}
	for i := range all {
		l := &all[i]
		if len(l.at) > 0 && !l.fixed && !s.whole(l) {
			s.repeat(all, i, n, near == math.MaxInt)
		}
	}
	var held []guess
	plain := map[int]bool{} // lines that are computed from lines which are not called computed themselves
	of := func(g guess) bool {
		return !all[g.l+g.f.x].says() && (g.f.total >= 0 || !all[g.l+g.f.y].says())
	}
	for _, g := range every {
		least := all[g.l].least()
		if g.f.form == '-' && all[g.l].word { // a difference is exact, and the heading says that it is one
			least /= 2
		}
		// no count is below 0, so the line is computed; the question is only from which two
		if (g.f.form == '-' || g.f.form == 'k') && all[g.l].neg && near == math.MaxInt {
			least = min(least, evidenceOfPair+2*math.Log2(float64(len(all))))
		}
		if g.bits >= least || pool[g.f] >= least || g.f.total < 0 && pool[g.f.absolute(g.l)] >= least {
			held = append(held, g)
			plain[g.l] = plain[g.l] || of(g)
		}
	}
	held = append(held, unsure(all, every, held)...)
	var ratios []ratio
	seen := map[ratio]bool{}
	for _, g := range held {
		if plain[g.l] && !of(g) {
			continue
		}
		l, x := &all[g.l], &all[g.l+g.f.x]
		for i := range l.v {
			switch {
			case !l.told(i) || l.v[i].ok && !x.v[i].ok:
			case g.f.form == 'k':
				y := &all[g.l+g.f.y]
				s.add(l.at[i], l.says(), asChange, x.at[i], y.at[i], y.all[g.f.total])
			case g.f.total >= 0:
				s.add(l.at[i], l.says(), g.f.how(near, l.most), x.at[i], x.all[g.f.total])
			default:
				y := &all[g.l+g.f.y]
				if q := (ratio{g.l, g.l + g.f.x, g.l + g.f.y}); g.f.form == '/' && g.f.factor == 1 && !seen[q] {
					ratios, seen[q] = append(ratios, q), true
				}
				if y.v[i].ok || l.marks[i] {
					how := g.f.how(near, l.most)
					if y.fixed && how != asChange && how != asDifference {
						how = asGrandShare
					}
					of := []fieldAt{x.at[i], y.at[i]}
					if g.f.form == 'm' { // a part of the one number
						of = of[:1]
					}
					s.add(l.at[i], l.says(), how, of...)
				}
			}
		}
	}
	s.ofThemselves(all, held)
	if near == math.MaxInt {
		s.measures(all, ratios)
	}
}

// ofThemselves explains lines of nothing but 100 beside two or more lines that are per cent of another line: they are
// what that line is of itself.
func (s *surveyor) ofThemselves(all []line, held []guess) {
	shares := map[int]map[int]bool{} // by line: which lines are shares of it
	for _, g := range held {
		if y := g.l + g.f.y; g.f.form == '/' && g.f.factor == 100 && g.f.total < 0 && !all[y].fixed {
			if shares[y] == nil {
				shares[y] = map[int]bool{}
			}
			shares[y][g.l] = true
		}
	}
	for y := range all {
		if len(shares[y]) < 2 {
			continue
		}
		for i := range all {
			l := &all[i]
			if l.fixed || i == y || l.n < 2 || l.most != 100 || slices.ContainsFunc(l.v, func(v figureOf) bool { return v.ok && v.v != 100 }) {
				continue
			}
			for k := range l.v {
				if l.v[k].ok && all[y].v[k].ok {
					s.add(l.at[k], true, asRowShare, all[y].at[k], all[y].at[k])
				}
			}
		}
	}
}

// unsure returns the other formulas that agree with lines whose own numbers do not tell which of them it is, as where
// they have one decimal, or all shares are 0 or 100 per cent: such a line may tell of the sources of any of them. A
// line that is not called computed has such formulas only where lines like it have shown one to hold.
func unsure(all []line, every, held []guess) (more []guess) {
	sure, some, weak := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, g := range held {
		some[g.l] = true
		sure[g.l] = sure[g.l] || g.bits >= all[g.l].least()
	}
	for _, g := range every {
		if !sure[g.l] && (g.f.form == '/' || g.f.form == '-') && (some[g.l] || g.f.form == '/' && all[g.l].says() && (g.bits < leastEvidence/4 || all[g.l].each)) {
			more, weak[g.l] = append(more, g), true
		}
	}
	for _, g := range every { // what is called a change may be one, though some share fits as well
		if !sure[g.l] && g.f.form == 'c' && all[g.l].word && (some[g.l] || weak[g.l]) {
			more = append(more, g)
		}
	}
	return more
}

// whole reports whether all numbers of a line are known to be computed.
func (s *surveyor) whole(l *line) bool {
	if l.fixed {
		return true
	}
	for i, v := range l.v {
		if v.ok && s.found[l.at[i]] == nil {
			return false
		}
	}
	return true
}

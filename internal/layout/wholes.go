package layout

import (
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// beside finds which of the lines l are shares of the line with the same index in of: of the totals that another of
// those lines has in each place, or of one number for all.
func (s *surveyor) beside(of, l []line, said, labelled bool, how string) {
	type held struct {
		l, x, y *line
		bits    float64
		own     bool // y is one number of x
	}
	var every []held
	pool, all := 0.0, labelled && said
	for i := range l {
		now, x := &l[i], &of[min(i, len(of)-1)]
		now.said = now.said || said
		if now.fixed || now.n == 0 {
			continue
		}
		if s.tried > mostTried || now.places.places == 0 && !now.says() {
			all = false
			continue
		}
		var fit []held
		most := -1.0
		try := func(y *line, own bool) {
			for _, factor := range shareFactors[:2] {
				if factor == 1 && now.places.places == 0 && !now.percent() {
					continue
				}
				f := formula{form: '/', factor: factor, total: -1}
				if bits, ok := s.try(now, x, y, f); ok && s.seen(now, f, func(i int) figureOf { return y.v[i] }) {
					fit, most = append(fit, held{now, x, y, bits, own}), max(most, bits)
				}
			}
		}
		for q := range of {
			try(&of[q], false)
		}
		first := 0
		for first < len(now.v) && !(now.v[first].ok && x.v[first].ok) {
			first++
		}
		number := func(y *line, at []fieldAt, all []figureOf) {
			for k, v := range all {
				// a look at one number of the line spares most candidates a line of their own
				if v.ok && v.v > 0 && !y.fixed && first < len(now.v) && s.mayDivide(now, x, v, first) && s.found[at[k]] == nil && !slices.Contains(now.at, at[k]) {
					try(&line{v: slices.Repeat([]figureOf{v}, len(x.v)), at: slices.Repeat([]fieldAt{at[k]}, len(x.v))}, x == y)
				}
			}
		}
		lined := most >= 0
		number(x, x.all, x.allv) // the total of several groups may stand behind the last of them
		for q := range of {
			if &of[q] != x && !lined {
				number(&of[q], of[q].at, of[q].v)
			}
		}
		all = all && most >= 0
		pool += max(most, 0)
		one := most >= leastEvidence/4 // else its numbers do not tell which of them it is
		// any number of its own line that fits may be the total, too, however well another one does by rounding
		taken := false
		for _, h := range fit {
			if h.own || (h.bits == most || !one) && !taken {
				every, taken = append(every, h), one
			}
		}
	}
	if pool < 2*leastEvidence && !all {
		return
	}
	for _, g := range every {
		for i := range g.l.v {
			if g.l.told(i) && g.x.v[i].ok && g.y.v[i].ok {
				s.add(g.l.at[i], g.l.says(), how, g.x.at[i], g.y.at[i])
			}
		}
	}
}

// mayDivide reports whether number i of the line may be that of x divided by v, or per cent of v.
func (s *surveyor) mayDivide(l, x *line, v figureOf, i int) bool {
	return slices.ContainsFunc(shareFactors[:2], func(factor float64) bool {
		s.tried++
		_, ok := formula{form: '/', factor: factor, total: -1}.says(l.v[i], x.v[i], v, l, s.half)
		return ok
	})
}

// wholes finds chunks that are computed from others, number by number: a sheet of shares, a panel below or beside, the
// change between two sheets. The numbers of two chunks are matched by their labels or, where these differ and the
// shapes do not, by their places.
func (s *surveyor) wholes() {
	var all, others []chunk
	for _, n := range s.sheets {
		chunks := n.parts
		if len(n.parts) > len(n.tables) { // an empty column may stand within a table, and elsewhere in its copy or its shares
			chunks = slices.Concat(n.parts, n.tables)
		}
		for _, p := range chunks {
			few := func(k chunk) bool { return len(k.rows)*len(k.cols) < 4 }
			panels := slices.DeleteFunc(sets.Each(p.panels(), chunk.left), few)
			if p = p.left(); few(p) {
				continue
			}
			all, others = append(all, p), append(append(append(others, p), panels...), p.besideEachOther()...)
			for _, q := range panels { // below the same header, so they are of one chunk with what they are computed from
				if l := q.flat(); l.says() || l.places.places > 0 {
					all = append(all, q)
				}
			}
		}
	}
	name := func(chunks []chunk) (names []chunkNames) {
		for _, k := range chunks {
			names = append(names, k.named())
		}
		return names
	}
	ofAll, ofOthers := name(all), name(others)
	for i, b := range all {
		var like []chunk
		for j, a := range others {
			if s.looked++; a.n == b.n && a.cols[0] == b.cols[0] && slices.Contains(b.rows, a.rows[0]) { // b itself, or a part of it
				continue
			}
			if of, ok := a.like(&ofOthers[j], &ofAll[i]); ok {
				like = append(like, of)
			} else if len(a.rows) == len(b.rows) && len(a.cols) == len(b.cols) {
				like = append(like, a)
			}
		}
		if len(like) == 0 && s.tried <= mostTried && s.looked <= mostLooked {
			for j, a := range others { // a column of b may have no counterpart
				if s.looked += len(b.cols); a.n == b.n && a.cols[0] == b.cols[0] {
					continue
				}
				cut, names := b.shared(&ofAll[i], &ofOthers[j])
				if of, ok := a.like(&ofOthers[j], names); ok && 2*len(cut.cols) >= len(b.cols) && len(cut.cols) > 1 {
					b, like = cut, append(like, of)
					break
				}
			}
		}
		if len(like) == 0 || s.tried > mostTried || s.looked > mostLooked {
			continue
		}
		l := b.flat()
		for _, a := range like {
			s.looked += len(b.rows) * len(b.cols)
			if a.n != b.n && l.repeats(a.inOne()) {
				s.repeated(b, a, l)
				continue
			}
			s.beside(a.sources(b), b.down(), l.said, a.labelled, asRowShare)
			s.beside(a.rowLines(), b.rowLines(), l.said, a.labelled, asColumnShare)
			s.against(b, a, l, like)
		}
	}
}

// against compares the numbers l of chunk b with what formulas make of chunk a, or of a and another of the chunks like
// b.
func (s *surveyor) against(b, a chunk, l *line, like []chunk) {
	x := a.inOne()
	exact := l.places.places > 0 || l.percent()
	w := len(b.cols)
	// the total of a share stands in its row, in its column, among the columns of a spanned header, or is one for all
	hundred := l.most == 100 && !l.neg // whole per cents without a sign: their totals are 100
	for _, factor := range shareFactors[:2] {
		if factor == 1 && !exact || !exact && !l.says() && !hundred || l.finer(x.places.places) {
			continue
		}
		least := float64(leastEvidence)
		if a.labelled && (l.says() || hundred && s.kin(b)) { // it is itself called computed, or all of its kind are
			least = 0
		}
		for t := range x.v {
			if !x.v[t].ok || x.v[t].v <= 0 || s.tried > mostTried {
				continue
			}
			for _, how := range []string{asColumnShare, asRowShare, asGrandShare} {
				if how == asColumnShare && t%w != 0 || how == asRowShare && t/w != 0 {
					continue
				}
				total := func(i int) int {
					switch how {
					case asColumnShare:
						return t/w*w + i%w
					case asRowShare:
						return i/w*w + t%w
					}
					return t
				}
				s.pairs(l, x, x, formula{form: '/', factor: factor}, total, how, least)
			}
			// n columns stand below each field of an outer header: the total is in the like column below the outer
			// total, or in the column of its own group that holds totals
			for n := 2; n <= w/2; n++ {
				share := formula{form: '/', factor: factor}
				if w%n == 0 && t%n == 0 {
					s.pairs(l, x, x, share, func(i int) int { return t + i%n }, asGrandShare, max(least, leastEvidence))
				}
				if w%n == 0 && t%w < n {
					s.pairs(l, x, x, share, func(i int) int { return t + i%w/n*n }, asGrandShare, max(least, leastEvidence))
				}
			}
			// so do n rows beside each label of an outer column, such as the sexes of each area
			for _, row := range spread(len(b.rows), t/w) {
				for _, col := range append(spread(w, t%w), func(int) int { return t % w }, func(c int) int { return c }) {
					s.pairs(l, x, x, formula{form: '/', factor: factor}, func(i int) int { return row(i/w)*w + col(i%w) }, asGrandShare, max(least, leastEvidence))
				}
			}
		}
	}
	same := func(i int) int { return i }
	if a.labelled {
		for _, f := range l.roundings(x) {
			s.pairs(l, x, x, f, same, asRounded, leastEvidence)
		}
	}
	negative := l.neg && b.falls() // one column of changes is too little: every part is a total less the other parts
	year := a.year()
	between := year != "" && b.year() == ""
	if !l.word && !negative && !exact && !between {
		return
	}
	for _, o := range like {
		if o.n == a.n && o.rows[0] == a.rows[0] || s.looked > mostLooked {
			continue
		}
		s.looked += len(l.v)
		y := o.inOne()
		apart := between && o.n != a.n && o.year() != "" && o.year() != year
		if l.word || apart || negative && !x.neg && !y.neg {
			s.pairs(l, x, y, formula{form: '-'}, same, asDifference, leastEvidence)
		}
		if !exact || l.finer(x.places.places) || l.finer(y.places.places) {
			continue
		}
		for _, factor := range shareFactors {
			s.pairs(l, x, y, formula{form: '/', factor: factor}, same, asQuotient, leastEvidence)
			if factor <= 100 && (l.neg || l.word || apart) {
				s.pairs(l, x, y, formula{form: 'c', factor: factor}, same, asChange, leastEvidence)
			}
		}
	}
}

// kin reports whether another sheet has nothing but shares at the places of chunk b, with the same labels, and b has 100
// wherever that sheet has: so few numbers, or 50 and 100 alone, show of themselves nothing.
func (s *surveyor) kin(b chunk) bool {
	return slices.ContainsFunc(s.sheets, func(n *numbers) bool {
		if n == b.n || slices.Max(b.rows) >= len(n.at) {
			return false
		}
		of, hundreds := b, 0
		of.n = n
		for _, r := range b.rows {
			for _, c := range b.cols {
				f := s.found[fieldAt{n.g.Sheet, r, c}]
				if f == nil || f.how != asColumnShare && f.how != asRowShare && f.how != asGrandShare {
					return false
				}
				if v := b.n.figure(r, c); n.figure(r, c).v == 100 && v.ok && v.v != 0 {
					if hundreds++; v.v != 100 {
						return false
					}
				}
			}
		}
		rows, cols := of.names()
		own, ownCols := b.names()
		return hundreds > 0 && slices.Equal(rows, own) && slices.Equal(cols, ownCols)
	})
}

// repeated notes the numbers l of chunk b as those of chunk a of another sheet, where b is the one hidden or further
// back. They are no shares of each other, although each number is its own share of a total of 100.
func (s *surveyor) repeated(b, a chunk, l *line) {
	if x := a.inOne(); !a.part && (b.n.g.State != "" && a.n.g.State == "" || b.n.g.State == a.n.g.State && slices.Index(s.sheets, b.n) > slices.Index(s.sheets, a.n)) {
		s.pairs(l, x, x, formula{form: '='}, func(i int) int { return i }, asRepeat, leastEvidence/3)
	}
}

// repeats reports whether the numbers of l are those of x in the same places, as far as both have one.
func (l *line) repeats(x *line) bool {
	n := 0
	for i, v := range l.v {
		if v.ok && x.v[i].ok {
			if n++; v.v != x.v[i].v {
				return false
			}
		}
	}
	return n > 0 && 5*n >= 4*l.n
}

// spread returns where the totals of n lines may stand if that of the first is line at: in the like line of a group of
// lines, or in a line of the own group.
func spread(n, at int) (all []func(int) int) {
	for m := 2; m <= n/2 && m <= mostGroups; m++ {
		if n%m == 0 && at%m == 0 {
			all = append(all, func(i int) int { return at + i%m })
		}
		if n%m == 0 && at < m {
			all = append(all, func(i int) int { return i/m*m + at })
		}
	}
	return all
}

// roundings returns how the numbers of l may be those of x, rounded: to units that are powers of ten, of which not all
// of x are multiples (else l is an exact fraction of x), or to multiples of what all of l are multiples of.
func (l *line) roundings(x *line) (all []formula) {
	multiples := func(l *line, u float64) bool {
		return !slices.ContainsFunc(l.v, func(v figureOf) bool { return v.ok && math.Mod(v.v, u) != 0 })
	}
	for u := 10.0; u <= 1e6; u *= 10 {
		if !multiples(x, u) {
			all = append(all, formula{form: 'r', factor: u})
		}
	}
	for _, u := range []float64{1000, 100, 10, 5} {
		if l.places.places == 0 && l.most > 0 && multiples(l, u) {
			return append(all, formula{form: 'u', factor: u})
		}
	}
	return all
}

// pairs notes the formula f for the numbers of l if it holds for all of them, with x in the same place and y in the
// place that total gives, and enough can be compared.
func (s *surveyor) pairs(l, x, y *line, f formula, total func(int) int, how string, least float64) {
	s.tried++
	bits, n := 0.0, 0
	for i, v := range l.v {
		if !v.ok {
			continue
		}
		a, b := x.v[i], y.v[total(i)]
		if !a.ok || !b.ok {
			continue
		}
		if f.form == '=' {
			if v.v != a.v {
				return
			}
			bits += math.Log2(1 + math.Abs(v.v))
			n++
			continue
		}
		e, ok := f.says(v, a, b, l, s.half)
		if !ok {
			return
		}
		bits += e
		n++
	}
	if bits < least || 5*n < 4*l.n || !s.seen(l, f, func(i int) figureOf { return y.v[total(i)] }) {
		return
	}
	for i := range l.v {
		if k := total(i); l.told(i) && x.v[i].ok && y.v[k].ok {
			of := []fieldAt{x.at[i], y.at[k]}
			if strings.IndexByte("=ru", f.form) >= 0 {
				of = of[:1]
			}
			s.add(l.at[i], l.says() || f.form == '=', how, of...)
		}
	}
}

package rational

import "slices"

// maxEtas is the number of replaced columns after which the basis is eliminated afresh.
const maxEtas = 50

// column solves B x = a_j modulo the prime; x is in byCol.
func (f *factor) column(j int32) {
	clear(f.byRow)
	row, coef := f.a.column(j)
	for s, i := range row {
		f.byRow[i] = f.p.Of(coef[s])
	}
	f.forward()
}

// replace puts column j, whose entries are in byCol, in place t. If its entry there is 0 modulo the prime, it returns
// false and changes nothing.
func (f *factor) replace(t, j int32) bool {
	own := f.byCol[t]
	if own == 0 {
		return false
	}
	e := eta{t: t, inv: f.p.Inverse(own)}
	for s, v := range f.byCol {
		if v != 0 && s != int(t) {
			e.others = append(e.others, term{int32(s), v})
		}
	}
	f.etas = append(f.etas, e)
	f.col[t] = j
	return true
}

// follow exchanges columns of f until it is a basis of the columns wanted, which must be independent, and unit vectors.
// place is the current place of each column. It returns false if that takes too many exchanges, or too much work; f is
// then unusable.
func (f *factor) follow(wanted, place []int32) bool {
	n := int32(f.a.n)
	is := make(map[int32]bool, len(wanted))
	var enter []int32
	for _, j := range wanted {
		is[j] = true
		if place[j] < 0 {
			enter = append(enter, j)
		}
	}
	var leave []int32 // places to vacate
	units := false
	for t, j := range f.col {
		if j < n && !is[j] {
			leave = append(leave, int32(t))
		}
		units = units || j >= n
	}
	if len(f.etas)+max(len(enter), len(leave)) > maxEtas {
		return false
	}
	for _, j := range enter {
		f.column(j)
		at := slices.IndexFunc(leave, func(t int32) bool { return f.byCol[t] != 0 })
		if at >= 0 {
			f.replace(leave[at], j)
			leave = slices.Delete(leave, at, at+1)
			continue
		}
		if !units {
			return false
		}
		t := 0
		for t < len(f.col) && (f.col[t] < n || f.byCol[t] == 0) {
			t++
		}
		if t == len(f.col) {
			return false
		}
		f.replace(int32(t), j)
	}
	return len(leave) == 0 || f.fill(leave)
}

// fill puts unit vectors in places.
func (f *factor) fill(places []int32) bool {
	for _, t := range places {
		clear(f.byCol)
		f.byCol[t] = 1
		f.backward()
		i := slices.IndexFunc(f.byRow, func(v uint64) bool { return v != 0 })
		if i < 0 {
			return false // cannot happen: it is a row of an inverse
		}
		j := int32(f.a.n + i)
		f.column(j)
		f.replace(t, j)
	}
	return true
}

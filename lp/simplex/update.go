package simplex

import (
	"math"
	"math/bits"
)

// maxUpdates is the number of updates after which a basis is factorised anew.
const maxUpdates = 128

// Kinds of solves, whose densities are predicted separately.
const (
	kindColumn = iota // ftran of an entering column
	kindWeight        // ftran of a row of the inverse
	kindFlip          // ftran of a right-hand side
	kindUnit          // btran
)

// sparseShare is the density of the right-hand side and of the expected result
// up to which a solve goes from nonzero to nonzero instead of through all rows.
const sparseShare = 0.4

// sparse decides how to solve for v.
func (f *factor) sparse(v *vec, kind int) bool {
	if limit := sparseShare * float64(f.m); float64(len(v.idx)) <= limit && f.density[kind] <= sparseShare {
		return true
	}
	f.steps += 4 * f.m
	return false
}

// learn updates the expected density and counts the steps of the solve.
func (f *factor) learn(v *vec, kind int) {
	f.steps += 30 + 4*(len(v.idx)+len(f.rrow))
	if f.m > 0 {
		f.density[kind] = float64(0.9*f.density[kind]) + 0.1*float64(len(v.idx))/float64(f.m)
	}
}

// ftran overwrites v with B⁻¹v. With keep it saves what a later replace needs
// if v is an entering column.
//
// Sparse right-hand sides are solved at a cost of m/64 plus the operations on
// nonzeros: a bit set over the elimination order serves as the priority queue
// of the rows still to be processed, which needs no symbolic search as in
// Gilbert and Peierls (Sparse partial pivoting in time proportional to arithmetic operations, SIAM
// Journal on Scientific and Statistical Computing 9, 1988).
func (f *factor) ftran(v *vec, kind int, keep bool) {
	sparse := f.sparse(v, kind)
	f.lSolve(v, sparse)
	f.rSolve(v, sparse)
	if keep {
		if !sparse {
			v.gather()
		}
		f.spike = pack(f.spike, v)
	}
	f.uSolve(v, sparse)
	f.learn(v, kind)
}

// btran overwrites v with B⁻ᵀv. With keep, v must be a unit vector, and what a
// later replace of that row needs is saved.
func (f *factor) btran(v *vec, kind int, keep bool) {
	sparse := f.sparse(v, kind)
	f.utSolve(v, sparse)
	if keep {
		if !sparse {
			v.gather()
		}
		f.zed = pack(f.zed, v)
	}
	f.rtSolve(v, sparse)
	f.ltSolve(v, sparse)
	f.learn(v, kind)
}

// The triangular solves are written out, each for its own arrays and direction: one function with these as arguments
// made the simplex method a few percent slower.

func (f *factor) lSolve(v *vec, sparse bool) {
	x := v.x
	if len(f.lnz) == 0 {
		return
	}
	if !sparse {
		for _, r := range f.lnz {
			if a := x[r]; a != 0 {
				for _, e := range f.l[f.lbeg[r]:f.lend[r]] {
					x[e.i] -= float64(a * e.v)
				}
			}
		}
		return
	}
	q := f.bits
	for _, i := range v.idx {
		p := f.lpos[i]
		q[p>>6] |= 1 << (p & 63)
	}
	out := v.idx[:0]
	for w := range q[:(f.m+63)>>6] {
		for q[w] != 0 {
			b := bits.TrailingZeros64(q[w])
			q[w] &^= 1 << b
			r := f.lord[w<<6|b]
			a := x[r]
			if math.Abs(a) < dropTol {
				x[r] = 0
				continue
			}
			out = append(out, r)
			for _, e := range f.l[f.lbeg[r]:f.lend[r]] {
				x[e.i] -= float64(a * e.v)
				p := f.lpos[e.i]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

func (f *factor) ltSolve(v *vec, sparse bool) {
	x := v.x
	if len(f.lnz) == 0 {
		if !sparse {
			v.gather()
		}
		return
	}
	if !sparse {
		// Dot products over the columns of L that have entries.
		for k := len(f.lnz) - 1; k >= 0; k-- {
			r := f.lnz[k]
			a := x[r]
			for _, e := range f.l[f.lbeg[r]:f.lend[r]] {
				a -= float64(e.v * x[e.i])
			}
			x[r] = a
		}
		v.gather()
		return
	}
	q := f.bits
	for _, i := range v.idx {
		p := f.lpos[i]
		q[p>>6] |= 1 << (p & 63)
	}
	out := v.idx[:0]
	for w := (f.m - 1) >> 6; w >= 0; w-- {
		for q[w] != 0 {
			b := 63 - bits.LeadingZeros64(q[w])
			q[w] &^= 1 << b
			i := f.lord[w<<6|b]
			a := x[i]
			if math.Abs(a) < dropTol {
				x[i] = 0
				continue
			}
			out = append(out, i)
			for _, e := range f.lt[f.ltbeg[i]:f.ltbeg[i+1]] {
				x[e.i] -= float64(a * e.v)
				p := f.lpos[e.i]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

// ghost represents a zero whose index is already listed.
const ghost = 1e-100

func (f *factor) rSolve(v *vec, sparse bool) {
	x := v.x
	for k, p := range f.rrow {
		s := 0.0
		for _, e := range f.r[f.rbeg[k]:f.rbeg[k+1]] {
			s += float64(e.v * x[e.i])
		}
		if s == 0 {
			continue
		}
		old := x[p]
		if old == 0 && sparse {
			v.idx = append(v.idx, p)
		}
		if x[p] = old - s; x[p] == 0 {
			x[p] = ghost
		}
	}
}

func (f *factor) rtSolve(v *vec, sparse bool) {
	x := v.x
	for k := len(f.rrow) - 1; k >= 0; k-- {
		a := x[f.rrow[k]]
		if a == 0 {
			continue
		}
		row := f.r[f.rbeg[k]:f.rbeg[k+1]]
		if !sparse {
			for _, e := range row {
				x[e.i] -= float64(a * e.v)
			}
			continue
		}
		for _, e := range row {
			old := x[e.i]
			if old == 0 {
				v.idx = append(v.idx, e.i)
			}
			if x[e.i] = old - float64(a*e.v); x[e.i] == 0 {
				x[e.i] = ghost
			}
		}
	}
}

func (f *factor) uSolve(v *vec, sparse bool) {
	x := v.x
	if !sparse {
		for p := len(f.uord) - 1; p >= 0; p-- {
			r := f.uord[p]
			if r < 0 {
				continue
			}
			a := x[r]
			if math.Abs(a) < dropTol {
				x[r] = 0
				continue
			}
			a *= f.ipiv[r]
			x[r] = a
			for _, e := range f.u[f.ubeg[r]:f.uend[r]] {
				x[e.i] -= float64(a * e.v)
			}
		}
		v.gather()
		return
	}
	q := f.bits
	for _, i := range v.idx {
		p := f.upos[i]
		q[p>>6] |= 1 << (p & 63)
	}
	out := v.idx[:0]
	for w := (len(f.uord) - 1) >> 6; w >= 0; w-- {
		for q[w] != 0 {
			b := 63 - bits.LeadingZeros64(q[w])
			q[w] &^= 1 << b
			r := f.uord[w<<6|b]
			a := x[r]
			if math.Abs(a) < dropTol {
				x[r] = 0
				continue
			}
			a *= f.ipiv[r]
			x[r] = a
			out = append(out, r)
			for _, e := range f.u[f.ubeg[r]:f.uend[r]] {
				x[e.i] -= float64(a * e.v)
				p := f.upos[e.i]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

func (f *factor) utSolve(v *vec, sparse bool) {
	x := v.x
	if !sparse {
		from := 0
		if len(v.idx) == 1 {
			from = int(f.upos[v.idx[0]])
		}
		for _, r := range f.uord[from:] {
			if r < 0 {
				continue
			}
			a := x[r]
			if math.Abs(a) < dropTol {
				x[r] = 0
				continue
			}
			a *= f.ipiv[r]
			x[r] = a
			for _, e := range f.w[f.wbeg[r]:f.wend[r]] {
				x[e.i] -= float64(a * e.v)
			}
		}
		return
	}
	q := f.bits
	for _, i := range v.idx {
		p := f.upos[i]
		q[p>>6] |= 1 << (p & 63)
	}
	out := v.idx[:0]
	for w := range q[:(len(f.uord)+63)>>6] {
		for q[w] != 0 {
			b := bits.TrailingZeros64(q[w])
			q[w] &^= 1 << b
			r := f.uord[w<<6|b]
			a := x[r]
			if math.Abs(a) < dropTol {
				x[r] = 0
				continue
			}
			a *= f.ipiv[r]
			x[r] = a
			out = append(out, r)
			for _, e := range f.w[f.wbeg[r]:f.wend[r]] {
				x[e.i] -= float64(a * e.v)
				p := f.upos[e.i]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

// replace puts the column of the last ftran with keep into position p, the row
// of the last btran with keep (Forrest and Tomlin, Updated triangular factors of the
// basis to maintain sparsity in the product form simplex method, Mathematical Programming 2, 1972): its spike becomes
// column p of U, row p moves to the end of the order, and a row transformation
// removes what stands left of the diagonal. alpha is entry p of the result of
// that ftran; since the new pivot must be alpha times the old one, replace
// reports whether the two agree. If not, a new factorisation is due.
func (f *factor) replace(p int32, alpha float64) bool {
	old := f.piv[p]
	w := f.work
	for _, e := range f.spike {
		w[e.i] = e.v
	}
	now := w[p]
	b := len(f.r)
	for _, e := range f.zed {
		if e.i == p {
			continue
		}
		mu := -e.v * old
		if math.Abs(mu) < dropTol {
			continue
		}
		f.r = append(f.r, entry{e.i, mu})
		now -= float64(mu * w[e.i])
	}
	for _, e := range f.spike {
		w[e.i] = 0
	}
	if len(f.r) > b {
		f.rrow = append(f.rrow, p)
		f.rbeg = append(f.rbeg, int32(len(f.r)))
	}
	f.clearRow(p)
	f.clearCol(p)
	f.ubeg[p] = int32(len(f.u))
	for _, e := range f.spike {
		if e.i == p || math.Abs(e.v) < dropTol {
			continue
		}
		f.u = append(f.u, e)
		f.intoRow(e.i, p, e.v)
	}
	f.uend[p] = int32(len(f.u))
	f.unow += int(f.uend[p] - f.ubeg[p])
	f.piv[p], f.ipiv[p] = now, 1/now
	f.uord[f.upos[p]] = -1
	f.upos[p] = int32(len(f.uord))
	f.uord = append(f.uord, p)
	f.updates++
	want := float64(alpha * old)
	return math.Abs(now-want) <= 1e-7*math.Abs(want) && math.Abs(now) > 1e-11
}

// pack appends the nonzeros of v to dst.
func pack(dst []entry, v *vec) []entry {
	dst = dst[:0]
	for _, i := range v.idx {
		dst = append(dst, entry{i, v.x[i]})
	}
	return dst
}

// clearRow empties row p of U.
func (f *factor) clearRow(p int32) {
	for _, e := range f.w[f.wbeg[p]:f.wend[p]] {
		f.uend[e.i] = remove(f.u, f.ubeg[e.i], f.uend[e.i], p)
	}
	f.unow -= int(f.wend[p] - f.wbeg[p])
	f.wend[p] = f.wbeg[p]
}

// clearCol empties column p of U.
func (f *factor) clearCol(p int32) {
	for _, e := range f.u[f.ubeg[p]:f.uend[p]] {
		f.wend[e.i] = remove(f.w, f.wbeg[e.i], f.wend[e.i], p)
	}
	f.unow -= int(f.uend[p] - f.ubeg[p])
	f.uend[p] = f.ubeg[p]
}

// remove takes index i out of s[beg:end] and returns the new end.
func remove(s []entry, beg, end, i int32) int32 {
	for s[beg].i != i {
		beg++
	}
	end--
	s[beg] = s[end]
	return end
}

// intoRow adds entry (r, c) to the copy of U by rows.
func (f *factor) intoRow(r, c int32, v float64) {
	if f.wend[r] == f.wcap[r] {
		b, e := f.wbeg[r], int32(len(f.w))
		num := f.wend[r] - b
		f.w = resized(f.w, int(e+2*num+4))
		copy(f.w[e:], f.w[b:b+num])
		f.wbeg[r], f.wend[r], f.wcap[r] = e, e+num, int32(len(f.w))
	}
	f.w[f.wend[r]] = entry{c, v}
	f.wend[r]++
}

// worn reports whether a new factorisation pays: after maxUpdates at the
// latest, or once the updates have more entries than the fresh factors.
func (f *factor) worn() bool {
	return f.updates >= maxUpdates || f.updates >= 20 && f.unow+len(f.l)+len(f.r) > 3*f.nnz0+f.m
}

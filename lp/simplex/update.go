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
	limit := sparseShare * float64(f.m)
	return float64(len(v.idx)) <= limit && f.density[kind] <= sparseShare
}

// learn updates the expected density.
func (f *factor) learn(v *vec, kind int) {
	if f.m > 0 {
		f.density[kind] = 0.9*f.density[kind] + 0.1*float64(len(v.idx))/float64(f.m)
	}
}

// ftran overwrites v with B⁻¹v. With keep it saves what a later replace needs
// if v is an entering column.
//
// Sparse right-hand sides are solved at a cost of m/64 plus the operations on
// nonzeros: a bit set over the elimination order serves as the priority queue
// of the rows still to be processed, which needs no symbolic search as in
// Gilbert and Peierls (1988).
func (f *factor) ftran(v *vec, kind int, keep bool) {
	sparse := f.sparse(v, kind)
	f.lSolve(v, sparse)
	f.rSolve(v, sparse)
	if keep {
		if !sparse {
			v.gather()
		}
		f.spike.idx = append(f.spike.idx[:0], v.idx...)
		f.spikeV = f.spikeV[:0]
		for _, i := range v.idx {
			f.spikeV = append(f.spikeV, v.x[i])
		}
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
		f.zed.idx = append(f.zed.idx[:0], v.idx...)
		f.zedV = f.zedV[:0]
		for _, i := range v.idx {
			f.zedV = append(f.zedV, v.x[i])
		}
	}
	f.rtSolve(v, sparse)
	f.ltSolve(v, sparse)
	f.learn(v, kind)
}

func (f *factor) lSolve(v *vec, sparse bool) {
	x := v.x
	if len(f.lnz) == 0 {
		return
	}
	if !sparse {
		for _, r := range f.lnz {
			if a := x[r]; a != 0 {
				b, e := f.lbeg[r], f.lend[r]
				val := f.lval[b:e]
				for k, i := range f.lidx[b:e] {
					x[i] -= a * val[k]
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
			if a < dropTol && a > -dropTol {
				x[r] = 0
				continue
			}
			out = append(out, r)
			for k := f.lbeg[r]; k < f.lend[r]; k++ {
				i := f.lidx[k]
				x[i] -= a * f.lval[k]
				p := f.lpos[i]
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
			b, e := f.lbeg[r], f.lend[r]
			val := f.lval[b:e]
			a := x[r]
			for t, i := range f.lidx[b:e] {
				a -= val[t] * x[i]
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
			if a < dropTol && a > -dropTol {
				x[i] = 0
				continue
			}
			out = append(out, i)
			for k := f.ltbeg[i]; k < f.ltbeg[i+1]; k++ {
				r := f.ltidx[k]
				x[r] -= a * f.ltval[k]
				p := f.lpos[r]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

// ghost stands for a zero whose index is already listed.
const ghost = 1e-100

func (f *factor) rSolve(v *vec, sparse bool) {
	x := v.x
	for k, p := range f.rrow {
		b, e := f.rbeg[k], f.rbeg[k+1]
		val := f.rval[b:e]
		s := 0.0
		for t, i := range f.ridx[b:e] {
			s += val[t] * x[i]
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
		b, e := f.rbeg[k], f.rbeg[k+1]
		val := f.rval[b:e]
		for t, i := range f.ridx[b:e] {
			old := x[i]
			if old == 0 && sparse {
				v.idx = append(v.idx, i)
			}
			if x[i] = old - a*val[t]; x[i] == 0 {
				x[i] = ghost
			}
		}
	}
}

func (f *factor) uSolve(v *vec, sparse bool) {
	x := v.x
	if !sparse {
		for p := len(f.uord) - 1; p >= 0; p-- {
			r := f.uord[p]
			if r < 0 || x[r] == 0 {
				continue
			}
			a := x[r]
			if a < dropTol && a > -dropTol {
				x[r] = 0
				continue
			}
			a /= f.piv[r]
			x[r] = a
			b, n := f.ubeg[r], f.unum[r]
			val := f.uval[b : b+n]
			for k, i := range f.uidx[b : b+n] {
				x[i] -= a * val[k]
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
			if a < dropTol && a > -dropTol {
				x[r] = 0
				continue
			}
			a /= f.piv[r]
			x[r] = a
			out = append(out, r)
			for k := f.ubeg[r]; k < f.ubeg[r]+f.unum[r]; k++ {
				i := f.uidx[k]
				x[i] -= a * f.uval[k]
				p := f.upos[i]
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
			if r < 0 || x[r] == 0 {
				continue
			}
			a := x[r]
			if a < dropTol && a > -dropTol {
				x[r] = 0
				continue
			}
			a /= f.piv[r]
			x[r] = a
			b, n := f.wbeg[r], f.wnum[r]
			val := f.wval[b : b+n]
			for k, c := range f.widx[b : b+n] {
				x[c] -= a * val[k]
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
			if a < dropTol && a > -dropTol {
				x[r] = 0
				continue
			}
			a /= f.piv[r]
			x[r] = a
			out = append(out, r)
			for k := f.wbeg[r]; k < f.wbeg[r]+f.wnum[r]; k++ {
				c := f.widx[k]
				x[c] -= a * f.wval[k]
				p := f.upos[c]
				q[p>>6] |= 1 << (p & 63)
			}
		}
	}
	v.idx = out
}

// replace puts the column of the last ftran with keep into position p, the row
// of the last btran with keep (Forrest and Tomlin 1972): its spike becomes
// column p of U, row p moves to the end of the order, and a row transformation
// removes what stands left of the diagonal. alpha is entry p of the result of
// that ftran; since the new pivot must be alpha times the old one, replace
// reports whether the two agree. If not, a new factorisation is due.
func (f *factor) replace(p int32, alpha float64) bool {
	old := f.piv[p]
	w := f.work
	for k, i := range f.spike.idx {
		w[i] = f.spikeV[k]
	}
	now := w[p]
	b := len(f.ridx)
	for k, i := range f.zed.idx {
		if i == p {
			continue
		}
		mu := -f.zedV[k] * old
		if mu < dropTol && mu > -dropTol {
			continue
		}
		f.ridx = append(f.ridx, i)
		f.rval = append(f.rval, mu)
		now -= mu * w[i]
	}
	for _, i := range f.spike.idx {
		w[i] = 0
	}
	if len(f.ridx) > b {
		f.rrow = append(f.rrow, p)
		f.rbeg = append(f.rbeg, int32(len(f.ridx)))
	}
	f.clearRow(p)
	f.clearCol(p)
	// The spike.
	f.ubeg[p] = int32(len(f.uidx))
	for k, i := range f.spike.idx {
		v := f.spikeV[k]
		if i == p || v < dropTol && v > -dropTol {
			continue
		}
		f.uidx = append(f.uidx, i)
		f.uval = append(f.uval, v)
		f.intoRow(i, p, v)
	}
	f.unum[p] = int32(len(f.uidx)) - f.ubeg[p]
	f.unow += int(f.unum[p])
	f.piv[p] = now
	f.uord[f.upos[p]] = -1
	f.upos[p] = int32(len(f.uord))
	f.uord = append(f.uord, p)
	f.updates++
	want := alpha * old
	return math.Abs(now-want) <= 1e-7*math.Abs(want) && math.Abs(now) > 1e-11
}

// clearRow empties row p of U.
func (f *factor) clearRow(p int32) {
	for k := f.wbeg[p]; k < f.wbeg[p]+f.wnum[p]; k++ {
		c := f.widx[k]
		t := f.ubeg[c]
		for f.uidx[t] != p {
			t++
		}
		f.unum[c]--
		last := f.ubeg[c] + f.unum[c]
		f.uidx[t], f.uval[t] = f.uidx[last], f.uval[last]
	}
	f.unow -= int(f.wnum[p])
	f.wnum[p] = 0
}

// clearCol empties column p of U.
func (f *factor) clearCol(p int32) {
	for k := f.ubeg[p]; k < f.ubeg[p]+f.unum[p]; k++ {
		r := f.uidx[k]
		t := f.wbeg[r]
		for f.widx[t] != p {
			t++
		}
		f.wnum[r]--
		last := f.wbeg[r] + f.wnum[r]
		f.widx[t], f.wval[t] = f.widx[last], f.wval[last]
	}
	f.unow -= int(f.unum[p])
	f.unum[p] = 0
}

// intoRow adds entry (r, c) to the copy of U by rows.
func (f *factor) intoRow(r, c int32, v float64) {
	if f.wnum[r] == f.wcap[r] {
		b, e := f.wbeg[r], int32(len(f.widx))
		room := 2*f.wnum[r] + 4
		f.widx = resized(f.widx, int(e+room))
		f.wval = resized(f.wval, int(e+room))
		copy(f.widx[e:], f.widx[b:b+f.wnum[r]])
		copy(f.wval[e:], f.wval[b:b+f.wnum[r]])
		f.wbeg[r], f.wcap[r] = e, room
	}
	k := f.wbeg[r] + f.wnum[r]
	f.widx[k], f.wval[k] = c, v
	f.wnum[r]++
}

// worn reports whether a new factorisation pays: after maxUpdates at the
// latest, or once the updates have more entries than the fresh factors.
func (f *factor) worn() bool {
	return f.updates >= maxUpdates || f.updates >= 20 && f.unow+len(f.lidx)+len(f.ridx) > 3*f.nnz0+f.m
}

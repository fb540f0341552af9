package nullspace

// hermite brings the rows of a to Hermite normal form by unimodular row
// operations: U·A = H with
//
//	H_k,c_k > 0 at the pivot columns c_0 < c_1 < … , zeros to the left and below,
//	0 ≤ H_l,c_k < H_k,c_k above them (l < k), and zero rows last.
//
// It works on the first n columns of the rows; the other columns are carried along, so that rows [A | I] become [H |
// U]. Rows are changed in place and reordered; the pivot columns are returned. It is Euclid's algorithm by rows with
// the smallest entry as divisor (Cohen, A Course in Computational Algebraic Number Theory, 1993, section 2.4.2).
// Entries of U may grow; lll makes those of a kernel small again.
func hermite(a []row, n int) (pivots []int) {
	k := 0
	for c := 0; c < n && k < len(a); c++ {
		for {
			best, others := -1, false
			for i := k; i < len(a); i++ {
				if a[i].zero(c) {
					continue
				}
				if best < 0 {
					best = i
					continue
				}
				others = true
				cmp := a[i].at(c).abs().cmp(a[best].at(c).abs())
				if cmp < 0 || cmp == 0 && a[i].weight(a[i].len()) < a[best].weight(a[best].len()) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			a[k], a[best] = a[best], a[k]
			if a[k].at(c).sign() < 0 {
				a[k].negate()
			}
			p := a[k].at(c)
			if others {
				for i := k + 1; i < len(a); i++ {
					if q := a[i].at(c).nearest(p); q.sign() != 0 {
						a[i].combine(small(1), q, &a[k])
					}
				}
				continue
			}
			for i := range k {
				if q := a[i].at(c).div(p); q.sign() != 0 {
					a[i].combine(small(1), q, &a[k])
				}
			}
			pivots = append(pivots, c)
			k++
			break
		}
	}
	return pivots
}

// latticeSolve returns an integer solution v of A y = b and a basis of the integer kernel of A, for r independent rows
// [A | b] over n columns. ok is false if A y = b has no integer solution.
//
// It uses the Hermite form of [Aᵀ | I]: U Aᵀ = H. With y = Uᵀ s the system becomes Hᵀ s = b, which is triangular in the
// first r entries of s; the other rows of U span the kernel.
func latticeSolve(ab []row, n int) (v row, kernel []row, ok bool) {
	r := len(ab)
	t := make([]row, n)
	for i := range t {
		t[i] = newRow(r + n)
		for j := range ab {
			t[i].set(j, ab[j].at(i))
		}
		t[i].set(r+i, small(1))
	}
	pivots := hermite(t, r)
	tail := func(w *row) row {
		u := newRow(n)
		for i := range n {
			u.set(i, w.at(r+i))
		}
		return u
	}
	for i := len(pivots); i < n; i++ {
		kernel = append(kernel, tail(&t[i]))
	}
	v = newRow(n)
	s := make([]num, len(pivots))
	for k, c := range pivots {
		rest := ab[c].at(n)
		for l := range k {
			rest = rest.sub(s[l].mul(t[l].at(c)))
		}
		if !t[k].at(c).divides(rest) {
			return v, kernel, false
		}
		s[k] = rest.div(t[k].at(c))
		u := tail(&t[k])
		v.combine(small(1), s[k].neg(), &u)
	}
	return v, kernel, true
}

package nullspace

// reduce brings the rows [A | b] over n columns of A to reduced echelon form over the rationals, with each row scaled
// to coprime integers and a positive pivot, and drops zero rows. It returns the pivot columns, ascending; ok is false
// if some row reads 0 = b ≠ 0, and then the rows are unusable.
//
// Of the rows that could be the pivot row, it takes the one with the smallest entry and then the fewest terms. Cost
// O(rank · rows · n).
func reduce(ab *[]row, n int) (pivots []int, ok bool) {
	a := *ab
	for i := range a {
		a[i].primitive()
	}
	k := 0
	for c := 0; c < n && k < len(a); c++ {
		best, bestWeight := -1, 0
		for i := k; i < len(a); i++ {
			if a[i].zero(c) {
				continue
			}
			w := a[i].weight(n)
			cmp := -1
			if best >= 0 {
				cmp = a[i].at(c).abs().cmp(a[best].at(c).abs())
			}
			if cmp < 0 || cmp == 0 && w < bestWeight {
				best, bestWeight = i, w
			}
		}
		if best < 0 {
			continue
		}
		a[k], a[best] = a[best], a[k]
		if a[k].at(c).sign() < 0 {
			a[k].negate()
		}
		for i := range a {
			if i == k || a[i].zero(c) {
				continue
			}
			p, q := a[k].at(c), a[i].at(c)
			g := p.gcd(q)
			a[i].combine(p.div(g), q.div(g), &a[k])
			a[i].primitive()
		}
		pivots = append(pivots, c)
		k++
	}
	ok = true
	for i := k; i < len(a); i++ {
		ok = ok && a[i].isZero(n+1)
	}
	*ab = a[:k]
	return pivots, ok
}

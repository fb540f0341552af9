package nullspace

// lll reduces the independent rows b in place so that they span the same lattice
// and, with b*_i the Gram–Schmidt vectors and μ_ij = b_i·b*_j / |b*_j|²,
//
//	|μ_ij| ≤ 1/2 (j < i),   |b*_i|² ≥ (3/4 − μ_i,i−1²) |b*_i−1|² .
//
// It uses integers only: D_i is the Gram determinant of the first i rows and λ_ij = D_j+1 μ_ij (Lenstra, Lenstra and
// Lovász, Factoring polynomials with rational coefficients, Mathematische Annalen 261, 1982; de Weger's form, Cohen
// 1993, algorithm 2.6.7). Cost O(d⁴ log B) row operations for entries up to B.
func lll(b []row) {
	d := len(b)
	if d < 2 {
		return
	}
	D := make([]num, d+1) // D[i+1] is Cohen's d_i
	D[0] = small(1)
	lam := make([][]num, d)
	for i := range lam {
		lam[i] = make([]num, i)
	}
	gram := func(k int) {
		for j := 0; j <= k; j++ {
			u := b[k].dot(&b[j])
			for i := range j {
				u = D[i+1].mul(u).sub(lam[k][i].mul(lam[j][i])).div(D[i])
			}
			if j < k {
				lam[k][j] = u
			} else {
				D[k+1] = u
			}
		}
	}
	shorten := func(k, l int) {
		if lam[k][l].abs().add(lam[k][l].abs()).cmp(D[l+1]) <= 0 {
			return
		}
		q := lam[k][l].nearest(D[l+1])
		b[k].combine(small(1), q, &b[l])
		lam[k][l] = lam[k][l].sub(q.mul(D[l+1]))
		for i := range l {
			lam[k][i] = lam[k][i].sub(q.mul(lam[l][i]))
		}
	}
	gram(0)
	known := 0
	for k := 1; k < d; {
		if k > known {
			known = k
			gram(k)
		}
		shorten(k, k-1)
		// 4 D_k+1 D_k−1 < 3 D_k² − 4 λ² : exchange.
		l := lam[k][k-1]
		left := small(4).mul(D[k+1].mul(D[k-1]).add(l.mul(l)))
		if left.cmp(small(3).mul(D[k].mul(D[k]))) >= 0 {
			for j := k - 2; j >= 0; j-- {
				shorten(k, j)
			}
			k++
			continue
		}
		b[k], b[k-1] = b[k-1], b[k]
		for j := range k - 1 {
			lam[k][j], lam[k-1][j] = lam[k-1][j], lam[k][j]
		}
		B := D[k-1].mul(D[k+1]).add(l.mul(l)).div(D[k])
		for i := k + 1; i <= known; i++ {
			t := lam[i][k]
			lam[i][k] = D[k+1].mul(lam[i][k-1]).sub(l.mul(t)).div(D[k])
			lam[i][k-1] = B.mul(t).add(l.mul(lam[i][k])).div(D[k+1])
		}
		D[k] = B
		k = max(1, k-1)
	}
}

package bench

import "math"

// mean returns the mean of x, 0 if x is empty.
func mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// meanError returns the standard error of the mean of x, nil if x has fewer than two elements.
func meanError(x []float64) *float64 {
	n := float64(len(x))
	if n < 2 {
		return nil
	}
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return new(math.Sqrt(sum / (n - 1) / n))
}

// ratioError returns the standard error of the ratio p = Σ u_k / Σ m_k for n independent clusters k, within which
// observations may be dependent:
//
//	sqrt( n/(n−1) · Σ (u_k − p·m_k)² ) / Σ m_k
//
// (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 2.11). It is nil if there are fewer than two clusters or
// Σ m_k is 0.
func ratioError(u, m []float64) *float64 {
	n, su, sm := float64(len(u)), 0.0, 0.0
	for k := range u {
		su += u[k]
		sm += m[k]
	}
	if n < 2 || sm == 0 {
		return nil
	}
	p, sum := su/sm, 0.0
	for k := range u {
		d := u[k] - float64(p*m[k])
		sum += float64(d * d)
	}
	return new(math.Sqrt(n/(n-1)*sum) / sm)
}

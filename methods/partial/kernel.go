package partial

import "math"

// slots is the number of movements stored side by side, for vector instructions.
const slots = 32

// A slot holds one number for each of the movements side by side.
type slot = [slots]float64

// A kernel projects movements of a table onto those that satisfy all relations, M z = 0. Rows of M are normalised, so
// that
//
//	z = v − Mᵀγ,  M Mᵀ γ = M v
//
// takes few steps of conjugate gradients (Hestenes and Stiefel, Journal of Research of the National Bureau of Standards
// 49, 1952) from a nearby γ. Vectors are indexed by cell or relation, then slot.
type kernel struct {
	n    int
	ptr  []int32 // start of the cells of each relation
	cell []int32
	coef []float64
	norm []float64 // divisor of the coefficients
}

// add adds a relation.
func (k *kernel) add(cell, coef []int32) {
	if len(k.ptr) == 0 {
		k.ptr = append(k.ptr, 0)
	}
	square := 0.0
	for _, c := range coef {
		square += float64(float64(c) * float64(c))
	}
	norm := math.Sqrt(square)
	k.cell, k.norm = append(k.cell, cell...), append(k.norm, norm)
	for _, c := range coef {
		k.coef = append(k.coef, float64(c)/norm)
	}
	k.ptr = append(k.ptr, int32(len(k.cell)))
}

// at returns the slots of entry i of v.
func at(v []float64, i int) *slot { return (*slot)(v[i*slots:]) }

// A gradient holds the vectors of a projection, and the γ from which the next one starts.
type gradient struct {
	γ, r, p []float64 // by relation
	w       []float64 // by cell
}

func (k *kernel) newGradient() *gradient {
	m := len(k.norm) * slots
	return &gradient{make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, k.n*slots)}
}

// image sets r to M v and returns its sum of squares.
func (k *kernel) image(r, v []float64) (square slot) {
	for m := range k.norm {
		var sum slot
		for e := k.ptr[m]; e < k.ptr[m+1]; e++ {
			a, from := k.coef[e], at(v, int(k.cell[e]))
			for t := range sum {
				sum[t] += float64(a * from[t])
			}
		}
		to := at(r, m)
		for t, s := range sum {
			to[t] = s
			square[t] += float64(s * s)
		}
	}
	return square
}

// back adds sign·Mᵀp to v.
func (k *kernel) back(v, p []float64, sign float64) {
	for m := range k.norm {
		from := at(p, m)
		for e := k.ptr[m]; e < k.ptr[m+1]; e++ {
			a, to := sign*k.coef[e], at(v, int(k.cell[e]))
			for t := range from {
				to[t] += float64(a * from[t])
			}
		}
	}
}

// project replaces v by v − Mᵀγ, in at most steps steps, until |M v| is within tol, and returns the number of steps
// taken.
func (k *kernel) project(v []float64, g *gradient, tol *slot, steps int) (taken int) {
	k.back(v, g.γ, -1)
	square := k.image(g.r, v)
	copy(g.p, g.r)
	for ; taken < steps; taken++ {
		busy := false
		for t, s := range square {
			busy = busy || s > tol[t]*tol[t]
		}
		if !busy {
			return taken
		}
		clear(g.w)
		k.back(g.w, g.p, 1)
		α := ratio(&square, squares(g.w))
		for i := range k.n {
			to, w := at(v, i), at(g.w, i)
			for t := range to {
				to[t] -= float64(α[t] * w[t])
			}
		}
		next := k.image(g.r, v)
		β := ratio(&next, &square)
		for m := range k.norm {
			γ, p, r := at(g.γ, m), at(g.p, m), at(g.r, m)
			for t := range γ {
				γ[t] += float64(α[t] * p[t])
				p[t] = r[t] + float64(β[t]*p[t])
			}
		}
		square = next
	}
	return taken
}

// squares returns Σ w².
func squares(w []float64) *slot {
	var sum slot
	for i := range len(w) / slots {
		for t, x := range at(w, i) {
			sum[t] += float64(x * x)
		}
	}
	return &sum
}

// ratio returns a/b, 0 if b is 0.
func ratio(a, b *slot) (q slot) {
	for t := range q {
		if b[t] > 0 {
			q[t] = a[t] / b[t]
		}
	}
	return q
}

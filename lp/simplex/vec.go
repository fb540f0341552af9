package simplex

import "math"

// dropTol is the size below which a computed entry counts as zero.
const dropTol = 1e-14

// A vec is a dense vector with the list of its nonzeros: x[i] ≠ 0 implies that
// i stands once in idx. Entries of idx may be zero.
type vec struct {
	x   []float64
	idx []int32
}

// resize makes v the zero vector of length n.
func (v *vec) resize(n int) {
	v.clear()
	if cap(v.x) < n {
		v.x = make([]float64, n, n+n/4)
		v.idx = make([]int32, 0, n+n/4)
		return
	}
	v.x = v.x[:n]
}

// clear makes v zero at a cost proportional to its nonzeros.
func (v *vec) clear() {
	if 4*len(v.idx) > len(v.x) {
		clear(v.x)
	} else {
		for _, i := range v.idx {
			v.x[i] = 0
		}
	}
	v.idx = v.idx[:0]
}

// set stores a nonzero in a place that is zero.
func (v *vec) set(i int32, a float64) {
	v.x[i] = a
	v.idx = append(v.idx, i)
}

// gather rebuilds idx from x. Cost O(len(x)), without a branch to mispredict.
func (v *vec) gather() {
	idx := v.idx[:len(v.x)]
	n := 0
	for i, a := range v.x {
		idx[n] = int32(i)
		if math.Float64bits(a)<<1 != 0 {
			n++
		}
	}
	v.idx = idx[:n]
}

// resized returns s with length n, its old content kept and new places zero.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		t := make([]T, n, n+n/4+4)
		copy(t, s)
		return t
	}
	old := len(s)
	s = s[:n]
	if n > old {
		clear(s[old:])
	}
	return s
}

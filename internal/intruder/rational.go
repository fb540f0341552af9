package intruder

import (
	"context"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/num"
	"github.com/hitoku/hitoku/table"
)

// prime is 2^61 − 1. Where an answer modulo prime is more than a guess its file says why.
const prime = num.Mersenne

// fraction finds p/q ≡ a with 0 < q ≤ maxDen and |p| as small as the extended
// Euclidean algorithm makes it (rational reconstruction: Wang, A p-adic algorithm for univariate
// partial fractions, SYMSAC 1981).
func fraction(a uint64, maxDen int64) (p, q int64, ok bool) {
	r0, r1 := int64(prime), int64(a)
	t0, t1 := int64(0), int64(1)
	limit := int64(prime) / (2 * maxDen)
	for r1 > limit {
		k := r0 / r1
		r0, r1 = r1, r0-k*r1
		t0, t1 = t1, t0-k*t1
	}
	if t1 < 0 {
		r1, t1 = -r1, -t1
	}
	return r1, t1, t1 > 0 && t1 <= maxDen
}

// maxDenominators are the bounds on the common denominator of a vertex that are
// tried in turn; numerators may reach prime/(2·bound), so large values are found
// with small denominators first.
var maxDenominators = [...]int64{1, 1 << 4, 1 << 9, 1 << 14, 1 << 20, 1 << 26, 1 << 30}

// A modular system solves M_F z_F = r over the rationals by one solve modulo
// prime: relations with one unknown are peeled first, then unknowns in one
// relation only, and the rest is eliminated densely. Table matrices are nearly
// triangular, so the rest is small. The answer is a guess until checked.
type modular struct {
	rel  *table.Relations
	cols *table.Columns
	skip []bool          // relations left out; nil: none
	ctx  context.Context // ends a dense elimination early; nil: nothing does
}

// solve returns num and den with z_i = num_i/den for the unknown cells free, or
// ok = false. fixed holds the other cells; its entries at free are ignored.
// rhs is b. check decides whether an answer is right; free is ascending.
func (m modular) solve(free []int32, fixed, rhs []int64, check func(num []int64, den int64) bool) (num []int64, den int64, ok bool) {
	e := m.residues(free, fixed, rhs)
	e.forward()
	e.setAside()
	if !m.core(free, e.isFree, e.asideCell, e.asideRow, e.active, e.left, e.r, e.z) || !e.back(fixed, rhs) {
		return nil, 0, false
	}
	for _, bound := range maxDenominators {
		if num, den, ok = lift(free, e.z, fixed, bound); ok && check(num, den) {
			return num, den, true
		}
	}
	return nil, 0, false
}

// A modularElimination is a system under way, in numbers modulo prime.
type modularElimination struct {
	modular
	free   []int32
	isFree []bool
	r      []uint64 // right-hand side less known cells
	left   []int32  // unknowns left in a relation
	active []bool   // has or had unknowns
	z      []uint64
	// Unknowns set aside, each with the relation that defines it once the others are known.
	aside     []unknownRow
	asideCell []bool
	asideRow  []bool
}

// An unknownRow is unknown i and relation j.
type unknownRow struct{ i, j int32 }

// residues takes the known cells to the right-hand sides.
func (m modular) residues(free []int32, fixed, rhs []int64) *modularElimination {
	n, rows := m.rel.N, m.rel.Len()
	e := &modularElimination{modular: m, free: free, isFree: make([]bool, n), r: make([]uint64, rows), left: make([]int32, rows),
		active: make([]bool, rows), z: make([]uint64, n), asideCell: make([]bool, n), asideRow: make([]bool, rows)}
	for _, i := range free {
		e.isFree[i] = true
	}
	for j := range rows {
		if m.skip != nil && m.skip[j] {
			continue
		}
		cell, coef := m.rel.Row(j)
		e.r[j] = prime.Of(rhs[j])
		for t, i := range cell {
			if e.isFree[i] {
				e.left[j]++
				e.active[j] = true
			} else if v := fixed[i]; v != 0 {
				e.r[j] = prime.Sub(e.r[j], prime.Mul(prime.Of(int64(coef[t])), prime.Of(v)))
			}
		}
	}
	return e
}

// forward solves relations with one unknown, as long as there are any.
func (e *modularElimination) forward() {
	var queue []int32
	for j := range e.left {
		if e.left[j] == 1 {
			queue = append(queue, int32(j))
		}
	}
	for len(queue) > 0 {
		j := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if e.left[j] != 1 {
			continue
		}
		cell, coef := e.rel.Row(int(j))
		for t, i := range cell {
			if e.isFree[i] {
				queue = e.known(i, prime.Mul(e.r[j], prime.Inverse(prime.Of(int64(coef[t])))), queue)
				break
			}
		}
	}
}

// known gives unknown i its value and adds to queue the relations left with one unknown.
func (e *modularElimination) known(i int32, v uint64, queue []int32) []int32 {
	e.z[i] = v
	e.isFree[i] = false
	rel, coef := e.cols.Column(int(i))
	for t, j := range rel {
		if !e.active[j] {
			continue
		}
		e.r[j] = prime.Sub(e.r[j], prime.Mul(prime.Of(int64(coef[t])), v))
		if e.left[j]--; e.left[j] == 1 {
			queue = append(queue, j)
		}
	}
	return queue
}

// setAside pairs unknowns that occur in one remaining relation with it.
func (e *modularElimination) setAside() {
	deg := make([]int32, len(e.z))
	var single []int32
	for _, i := range e.free {
		if !e.isFree[i] {
			continue
		}
		rel, _ := e.cols.Column(int(i))
		for _, j := range rel {
			if e.active[j] {
				deg[i]++
			}
		}
		if deg[i] == 1 {
			single = append(single, i)
		}
	}
	for len(single) > 0 {
		i := single[len(single)-1]
		single = single[:len(single)-1]
		if deg[i] != 1 {
			continue
		}
		rel, _ := e.cols.Column(int(i))
		for _, j := range rel {
			if e.asideRow[j] || !e.active[j] {
				continue
			}
			e.asideRow[j], e.asideCell[i] = true, true
			e.aside = append(e.aside, unknownRow{i, j})
			cell, _ := e.rel.Row(int(j))
			for _, h := range cell {
				if e.isFree[h] && !e.asideCell[h] {
					if deg[h]--; deg[h] == 1 {
						single = append(single, h)
					}
				}
			}
			break
		}
	}
}

// back solves for the unknowns set aside; the last one depends on fewest.
func (e *modularElimination) back(fixed, rhs []int64) bool {
	for t := len(e.aside) - 1; t >= 0; t-- {
		i, j := e.aside[t].i, e.aside[t].j
		v, own := prime.Of(rhs[j]), uint64(0)
		cell, coef := e.rel.Row(int(j))
		for s, h := range cell {
			switch {
			case h == i:
				own = prime.Of(int64(coef[s]))
			case e.z[h] != 0:
				v = prime.Sub(v, prime.Mul(prime.Of(int64(coef[s])), e.z[h]))
			default:
				if w := fixed[h]; w != 0 && !inSorted(e.free, h) {
					v = prime.Sub(v, prime.Mul(prime.Of(int64(coef[s])), prime.Of(w)))
				}
			}
		}
		if own == 0 {
			return false
		}
		e.z[i] = prime.Mul(v, prime.Inverse(own))
	}
	return true
}

// inSorted reports whether i is in the ascending slice s.
func inSorted(s []int32, i int32) bool {
	lo, hi := 0, len(s)
	for lo < hi {
		if mid := (lo + hi) / 2; s[mid] < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(s) && s[lo] == i
}

// core eliminates the unknowns neither peeled nor set aside, densely.
func (m modular) core(free []int32, isFree, asideCell, asideRow, active []bool, left []int32, r, z []uint64) bool {
	var cells []int32
	at := map[int32]int{}
	for _, i := range free {
		if isFree[i] && !asideCell[i] {
			at[i] = len(cells)
			cells = append(cells, i)
		}
	}
	k := len(cells)
	if k == 0 {
		return true
	}
	var mat [][]uint64 // k columns and the right-hand side
	for j := range m.rel.Len() {
		if !active[j] || asideRow[j] || left[j] == 0 {
			continue
		}
		row := make([]uint64, k+1)
		cell, coef := m.rel.Row(j)
		any := false
		for t, i := range cell {
			if c, ok := at[i]; ok {
				row[c] = prime.Of(int64(coef[t]))
				any = true
			}
		}
		if any {
			row[k] = r[j]
			mat = append(mat, row)
		}
	}
	pivot := make([]int, k)
	at0 := 0
	for c := range k {
		if m.ctx != nil && m.ctx.Err() != nil {
			return false
		}
		p := at0
		for p < len(mat) && mat[p][c] == 0 {
			p++
		}
		if p == len(mat) {
			return false // columns are dependent: not a vertex
		}
		mat[at0], mat[p] = mat[p], mat[at0]
		inv := prime.Inverse(mat[at0][c])
		for q := c; q <= k; q++ {
			mat[at0][q] = prime.Mul(mat[at0][q], inv)
		}
		for q := range mat {
			if f := mat[q][c]; q != at0 && f != 0 {
				for s := c; s <= k; s++ {
					if v := mat[at0][s]; v != 0 {
						mat[q][s] = prime.Sub(mat[q][s], prime.Mul(f, v))
					}
				}
			}
		}
		pivot[c] = at0
		at0++
	}
	for c, i := range cells {
		z[i] = mat[pivot[c]][k]
	}
	return true
}

// lift turns residues into integers over one denominator ≤ bound.
func lift(free []int32, z []uint64, fixed []int64, bound int64) (num []int64, den int64, ok bool) {
	den = 1
	for _, i := range free {
		_, q, ok := fraction(prime.Mul(z[i], uint64(den)), bound)
		if !ok {
			return nil, 0, false
		}
		if den *= q; den > bound {
			return nil, 0, false
		}
	}
	num = make([]int64, len(fixed))
	for i, v := range fixed {
		hi, lo := bits.Mul64(uint64(abs64(v)), uint64(den))
		if hi != 0 || lo > 1<<62 {
			return nil, 0, false
		}
		num[i] = v * den
	}
	for _, i := range free {
		v := int64(prime.Mul(z[i], uint64(den)))
		if v > int64(prime/2) {
			v -= int64(prime)
		}
		num[i] = v
	}
	return num, den, true
}

// holds checks M·num = b·den exactly, with one multiplication a relation and
// additions otherwise.
func holds(rel *table.Relations, num []int64, rhs []int64, den int64) bool {
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		sum, small := int64(0), true
		for t, i := range cell {
			v := num[i]
			if v > 1<<52 || v < -1<<52 || coef[t] > 1<<8 || coef[t] < -1<<8 {
				small = false
				break
			}
			sum += int64(coef[t]) * v
			if sum > 1<<61 || sum < -1<<61 {
				small = false
				break
			}
		}
		want := new(big.Int)
		if small {
			if rhs[j] == 0 {
				if sum != 0 {
					return false
				}
				continue
			}
			want.SetInt64(sum)
		} else {
			for t, i := range cell {
				want.Add(want, new(big.Int).Mul(big.NewInt(int64(coef[t])), big.NewInt(num[i])))
			}
		}
		if want.Cmp(new(big.Int).Mul(big.NewInt(rhs[j]), big.NewInt(den))) != 0 {
			return false
		}
	}
	return true
}

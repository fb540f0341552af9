package simplex

import "math"

const (
	pivotTol  = 1e-9 // smallest pivot of a factorisation
	threshold = 0.1  // smallest pivot relative to its column in the nucleus
	searches  = 4    // columns and rows searched for a Markowitz pivot
)

// An entry is a nonzero of a sparse vector. Columns and rows of the factors are short, so one slice of pairs is faster
// than separate slices of indices and values.
type entry struct {
	i int32
	v float64
}

// A factor holds B = L·R·U for the basis matrix B, all indexed by rows: the
// basic variable whose column has its pivot in row r is said to stand in
// position r, so that a solve with B maps rows to rows and needs no further
// permutation. L comes from the factorisation, R from the updates of Forrest
// and Tomlin (1972); U is upper triangular in the order of uord.
type factor struct {
	m int

	lowerFactor
	updateFactor
	upperFactor

	nnz0    int // number of entries of L and U when fresh
	unow    int // number of entries of U now
	updates int

	bits []uint64 // positions to be processed by a sparse solve; zero between solves

	spike []entry   // L⁻¹R⁻¹a of the last ftran asked to keep it
	zed   []entry   // U⁻ᵀe_p of the last btran asked to keep it
	work  []float64 // zero between calls

	steps int // approximate number of operations, including the solver's: see stepTime

	density [4]float64 // running density of the results, by kind of solve

	markowitz
}

// A lowerFactor is L, by pivots: row r has the multipliers l[lbeg[r]:lend[r]], which are nonempty only for the rows in
// lnz; lord is the elimination order, lpos its inverse. lt is the transpose.
type lowerFactor struct {
	lord, lpos, lnz []int32
	lbeg, lend      []int32
	l               []entry
	ltbeg           []int32
	lt              []entry
}

// An updateFactor is R: update k subtracts the product of r[rbeg[k]:rbeg[k+1]] and x from
// x[rrow[k]].
type updateFactor struct {
	rrow, rbeg []int32
	r          []entry
}

// An upperFactor is U without its diagonal piv, stored by columns in u and by rows in w. uord has holes (−1) where a
// pivot has moved to the end.
type upperFactor struct {
	piv, ipiv        []float64 // ipiv = 1/piv
	uord, upos       []int32
	ubeg, uend       []int32
	u                []entry
	wbeg, wend, wcap []int32
	w                []entry
}

// A markowitz is the workspace of a factorisation.
type markowitz struct {
	done   []bool  // row has a pivot
	local  []int32 // structural candidates
	colRow []int32 // pivot row of a local column, −1: none yet
	ccount []int32 // entries of a local column in rows without a pivot
	rcount []int32 // active local columns in a row
	rlbeg  []int32 // local columns by rows
	rlidx  []int32
	queue  []int32

	tr, tc []int32 // entries of U: row, local column, value
	tv     []float64

	activeMatrix
	mark []int32
}

// An activeMatrix is the submatrix still to be eliminated: columns with values, rows with the pattern alone.
type activeMatrix struct {
	nbeg, ncap []int32
	nidx       []int32
	nval       []float64
	pbeg, pcap []int32
	pidx       []int32
	cmax       []float64
	cols, rows byCount
}

// A byCount is the active columns, or rows, in a list for each count of entries, −1 at its ends.
type byCount struct{ head, next, prev []int32 }

// build factorises the matrix of the candidate variables, which may be too
// many, too few or dependent: it fills head with the variable that stands in
// each row, logicals where candidates are missing, and returns the candidates
// it could not use. Singletons are pivoted first, then the nucleus by
// Markowitz counts with threshold pivoting (Suhl and Suhl, Computing sparse LU factorizations
// for large-scale linear programming bases, ORSA Journal on Computing 2, 1990).
func (f *factor) build(a *matrix, cand, head, rejected []int32) []int32 {
	m, n := a.m, int32(a.n)
	f.steps += 60 * m
	f.reset(m)
	// Logicals: columns −e_i, which cost nothing.
	for _, v := range cand {
		if v >= n {
			i := v - n
			f.pivotAt(i, -1)
			head[i] = v
		} else {
			f.local = append(f.local, v)
		}
	}
	if len(f.local) > 0 {
		f.countEntries(a)
		f.columnSingletons(a, head)
		f.rowSingletons(a, head)
		f.nucleus(a, head)
	}
	for k, v := range f.local {
		if f.colRow[k] < 0 {
			rejected = append(rejected, v)
		}
	}
	for i := range int32(m) {
		if !f.done[i] {
			f.pivotAt(i, -1)
			head[i] = n + i
		}
	}
	f.finish()
	return rejected
}

// reset empties the factors for m rows.
func (f *factor) reset(m int) {
	f.m = m
	f.lord, f.lnz = f.lord[:0], f.lnz[:0]
	f.lpos = resized(f.lpos, m)
	f.lbeg, f.lend = resized(f.lbeg[:0], m), resized(f.lend[:0], m)
	f.l = f.l[:0]
	f.rrow, f.r = f.rrow[:0], f.r[:0]
	f.rbeg = append(f.rbeg[:0], 0)
	f.piv, f.ipiv = resized(f.piv, m), resized(f.ipiv, m)
	f.upos = resized(f.upos, m)
	f.ubeg, f.uend = resized(f.ubeg[:0], m), resized(f.uend[:0], m)
	f.wbeg, f.wend, f.wcap = resized(f.wbeg[:0], m), resized(f.wend[:0], m), resized(f.wcap[:0], m)
	f.work = resized(f.work, m)
	f.updates = 0
	f.done = resized(f.done[:0], m)
	f.local = f.local[:0]
	f.tr, f.tc, f.tv = f.tr[:0], f.tc[:0], f.tv[:0]
}

// pivotAt records a pivot of value p in row r.
func (f *factor) pivotAt(r int32, p float64) {
	f.done[r] = true
	f.lpos[r] = int32(len(f.lord))
	f.lord = append(f.lord, r)
	f.piv[r], f.ipiv[r] = p, 1/p
}

// eta begins the list of multipliers of row r, which closeEta ends.
func (f *factor) eta(r int32) { f.lbeg[r] = int32(len(f.l)) }

func (f *factor) closeEta(r int32) {
	f.lend[r] = int32(len(f.l))
	if f.lend[r] > f.lbeg[r] {
		f.lnz = append(f.lnz, r)
	}
}

func (f *factor) toU(r, k int32, v float64) {
	f.tr = append(f.tr, r)
	f.tc = append(f.tc, k)
	f.tv = append(f.tv, v)
}

// countEntries counts the entries of the columns in the remaining rows and lists, by row, the columns that have one.
func (f *factor) countEntries(a *matrix) {
	m, nl := f.m, len(f.local)
	f.colRow = resized(f.colRow, nl)
	f.ccount = resized(f.ccount, nl)
	f.rcount = resized(f.rcount[:0], m)
	f.rlbeg = resized(f.rlbeg, m+1)
	for k, v := range f.local {
		f.colRow[k] = -1
		c := int32(0)
		idx, _ := a.col(v)
		for _, i := range idx {
			if !f.done[i] {
				c++
				f.rcount[i]++
			}
		}
		f.ccount[k] = c
	}
	p := int32(0)
	for i := range m {
		f.rlbeg[i] = p
		p += f.rcount[i]
		f.rcount[i] = 0
	}
	f.rlbeg[m] = p
	f.rlidx = resized(f.rlidx, int(p))
	for k, v := range f.local {
		idx, _ := a.col(v)
		for _, i := range idx {
			if !f.done[i] {
				f.rlidx[f.rlbeg[i]+f.rcount[i]] = int32(k)
				f.rcount[i]++
			}
		}
	}
}

// columnSingletons pivots on columns with a single entry in the remaining rows. Cost O(entries), no fill-in.
func (f *factor) columnSingletons(a *matrix, head []int32) {
	f.queue = f.queue[:0]
	for k, c := range f.ccount {
		if c == 1 {
			f.queue = append(f.queue, int32(k))
		}
	}
	for q := 0; q < len(f.queue); q++ {
		k := f.queue[q]
		if f.ccount[k] != 1 || f.colRow[k] >= 0 {
			continue
		}
		idx, val := a.col(f.local[k])
		r := int32(-1)
		for t, i := range idx {
			if !f.done[i] {
				if math.Abs(val[t]) > pivotTol {
					r = i
					f.pivotAt(i, val[t])
				}
				break
			}
		}
		if r < 0 {
			continue
		}
		f.colRow[k] = r
		head[r] = f.local[k]
		f.lbeg[r], f.lend[r] = 0, 0
		for t, i := range idx {
			if i != r {
				f.toU(i, k, val[t])
			}
		}
		for _, k2 := range f.rlidx[f.rlbeg[r]:f.rlbeg[r+1]] {
			if f.colRow[k2] < 0 {
				f.ccount[k2]--
				if f.ccount[k2] == 1 {
					f.queue = append(f.queue, k2)
				}
			}
		}
	}
}

// rowSingletons pivots on rows with a single entry in the remaining columns. Cost O(entries), no fill-in.
func (f *factor) rowSingletons(a *matrix, head []int32) {
	f.queue = f.queue[:0]
	for i := range int32(f.m) {
		if f.done[i] {
			continue
		}
		c := int32(0)
		for _, k := range f.rlidx[f.rlbeg[i]:f.rlbeg[i+1]] {
			if f.colRow[k] < 0 {
				c++
			}
		}
		f.rcount[i] = c
		if c == 1 {
			f.queue = append(f.queue, i)
		}
	}
	for q := 0; q < len(f.queue); q++ {
		r := f.queue[q]
		if f.done[r] || f.rcount[r] != 1 {
			continue
		}
		k := int32(-1)
		for _, k2 := range f.rlidx[f.rlbeg[r]:f.rlbeg[r+1]] {
			if f.colRow[k2] < 0 {
				k = k2
				break
			}
		}
		idx, val := a.col(f.local[k])
		p, most := 0.0, 0.0
		for t, i := range idx {
			if i == r {
				p = val[t]
			} else if !f.done[i] {
				most = max(most, math.Abs(val[t]))
			}
		}
		if math.Abs(p) <= max(pivotTol, 1e-2*most) {
			continue // left to the nucleus
		}
		f.pivotAt(r, p)
		f.colRow[k] = r
		head[r] = f.local[k]
		f.eta(r)
		for t, i := range idx {
			if i == r {
				continue
			}
			if f.done[i] {
				f.toU(i, k, val[t])
				continue
			}
			f.l = append(f.l, entry{i, val[t] / p})
			f.rcount[i]--
			if f.rcount[i] == 1 {
				f.queue = append(f.queue, i)
			}
		}
		f.closeEta(r)
	}
}

// nucleus eliminates what the singletons left.
func (f *factor) nucleus(a *matrix, head []int32) {
	left := 0
	for k := range f.local {
		if f.colRow[k] < 0 {
			left++
		}
	}
	if left == 0 {
		return
	}
	f.loadNucleus(a)
	for left > 0 {
		r, k := f.choose(left)
		if k < 0 {
			return // the rest is numerically zero
		}
		f.eliminate(r, k)
		head[r] = f.local[k]
		left--
	}
}

// loadNucleus copies the active submatrix into growing columns and rows and
// sorts both by counts.
func (f *factor) loadNucleus(a *matrix) {
	m, nl := f.m, len(f.local)
	f.nbeg, f.ncap = resized(f.nbeg, nl), resized(f.ncap, nl)
	f.pbeg, f.pcap = resized(f.pbeg, m), resized(f.pcap, m)
	f.cmax = resized(f.cmax, nl)
	f.mark = resized(f.mark, m)
	f.cols.reset(nl, m)
	f.rows.reset(m, nl)
	f.nidx, f.nval, f.pidx = f.nidx[:0], f.nval[:0], f.pidx[:0]
	for i := range m {
		f.mark[i] = -1
		if f.done[i] {
			continue
		}
		f.pbeg[i] = int32(len(f.pidx))
		room := f.rcount[i] + f.rcount[i]/2 + 4
		f.pcap[i] = room
		f.pidx = resized(f.pidx, len(f.pidx)+int(room))
		f.rcount[i] = 0
	}
	for k, v := range f.local {
		if f.colRow[k] >= 0 {
			continue
		}
		idx, val := a.col(v)
		b := int32(len(f.nidx))
		f.nbeg[k] = b
		most := 0.0
		for t, i := range idx {
			if f.done[i] {
				f.toU(i, int32(k), val[t])
				continue
			}
			f.nidx = append(f.nidx, i)
			f.nval = append(f.nval, val[t])
			most = max(most, math.Abs(val[t]))
			f.pidx[f.pbeg[i]+f.rcount[i]] = int32(k)
			f.rcount[i]++
		}
		c := int32(len(f.nidx)) - b
		f.cmax[k], f.ccount[k] = most, c
		room := c + c/2 + 4
		f.ncap[k] = room
		f.nidx = resized(f.nidx, int(b+room))
		f.nval = resized(f.nval, int(b+room))
		f.cols.link(int32(k), f.ccount[k])
	}
	for i := range int32(m) {
		if !f.done[i] {
			f.rows.link(i, f.rcount[i])
		}
	}
}

// reset empties the lists, for n columns or rows of at most so many entries.
func (l *byCount) reset(n, most int) {
	l.head, l.next, l.prev = resized(l.head, most+1), resized(l.next, n), resized(l.prev, n)
	for i := range l.head {
		l.head[i] = -1
	}
}

func (l *byCount) link(k, count int32) {
	h := &l.head[count]
	l.next[k], l.prev[k] = *h, -1
	if *h >= 0 {
		l.prev[*h] = k
	}
	*h = k
}

func (l *byCount) unlink(k, count int32) {
	if l.prev[k] >= 0 {
		l.next[l.prev[k]] = l.next[k]
	} else {
		l.head[count] = l.next[k]
	}
	if l.next[k] >= 0 {
		l.prev[l.next[k]] = l.prev[k]
	}
}

// choose returns the row and local column of the next pivot, −1 if none is
// large enough: least (r−1)(c−1) among a few of the shortest columns and rows,
// r and c the counts, with the pivot at least threshold times the largest
// entry of its column.
func (f *factor) choose(left int) (row, col int32) {
	row, col = -1, -1
	best, bestAbs := int64(math.MaxInt64), 0.0
	seen := 0
	for c := int32(1); int(c) < len(f.cols.head) || int(c) < len(f.rows.head); c++ {
		if col >= 0 && best <= int64(c-1)*int64(c-1) {
			return row, col
		}
		if int(c) < len(f.cols.head) {
			for k := f.cols.head[c]; k >= 0; {
				next := f.cols.next[k]
				if f.cmax[k] <= pivotTol {
					f.dropCol(k)
					k = next
					continue
				}
				for t := f.nbeg[k]; t < f.nbeg[k]+c; t++ {
					v := math.Abs(f.nval[t])
					if v < threshold*f.cmax[k] {
						continue
					}
					merit := int64(c-1) * int64(f.rcount[f.nidx[t]]-1)
					if merit < best || merit == best && v > bestAbs {
						row, col, best, bestAbs = f.nidx[t], k, merit, v
					}
				}
				seen++
				if seen >= searches && col >= 0 || col >= 0 && best <= int64(c-1)*int64(c-1) {
					return row, col
				}
				k = next
			}
		}
		if int(c) < len(f.rows.head) {
			for i := f.rows.head[c]; i >= 0; i = f.rows.next[i] {
				for t := f.pbeg[i]; t < f.pbeg[i]+c; t++ {
					k := f.pidx[t]
					merit := int64(c-1) * int64(f.ccount[k]-1)
					if merit > best {
						continue
					}
					v := 0.0
					for u := f.nbeg[k]; ; u++ {
						if f.nidx[u] == i {
							v = math.Abs(f.nval[u])
							break
						}
					}
					if v < threshold*f.cmax[k] || v <= pivotTol {
						continue
					}
					if merit < best || v > bestAbs {
						row, col, best, bestAbs = i, k, merit, v
					}
				}
				seen++
				if seen >= searches && col >= 0 || col >= 0 && best <= int64(c)*int64(c-1) {
					return row, col
				}
			}
		}
		if int(c) > left && int(c) > f.m {
			break
		}
	}
	return row, col
}

// dropCol removes a column that has become zero from the nucleus.
func (f *factor) dropCol(k int32) {
	f.cols.unlink(k, f.ccount[k])
	for t := f.nbeg[k]; t < f.nbeg[k]+f.ccount[k]; t++ {
		i := f.nidx[t]
		f.rows.unlink(i, f.rcount[i])
		f.dropFromRow(i, k)
		f.rows.link(i, f.rcount[i])
	}
	f.ccount[k] = 0
}

// dropFromRow removes column k from the pattern of row i.
func (f *factor) dropFromRow(i, k int32) {
	f.rcount[i]--
	last := f.pbeg[i] + f.rcount[i]
	for t := f.pbeg[i]; ; t++ {
		if f.pidx[t] == k {
			f.pidx[t] = f.pidx[last]
			return
		}
	}
}

// eliminate pivots on row r and local column k of the nucleus.
func (f *factor) eliminate(r, k int32) {
	f.cols.unlink(k, f.ccount[k])
	f.rows.unlink(r, f.rcount[r])
	b, e := f.nbeg[k], f.nbeg[k]+f.ccount[k]
	p := 0.0
	for t := b; t < e; t++ {
		if f.nidx[t] == r {
			p = f.nval[t]
		}
	}
	f.pivotAt(r, p)
	f.colRow[k] = r
	f.eta(r)
	for t := b; t < e; t++ {
		i := f.nidx[t]
		if i == r {
			continue
		}
		l := f.nval[t] / p
		f.l = append(f.l, entry{i, l})
		f.work[i] = l
		f.rows.unlink(i, f.rcount[i])
		f.dropFromRow(i, k)
	}
	f.closeEta(r)
	eta := f.l[f.lbeg[r]:f.lend[r]]
	for t := f.pbeg[r]; t < f.pbeg[r]+f.rcount[r]; t++ {
		if j := f.pidx[t]; j != k {
			f.update(r, j, eta)
		}
	}
	for _, e := range eta {
		f.work[e.i] = 0
		f.rows.link(e.i, f.rcount[e.i])
	}
	f.ccount[k] = 0
}

// update subtracts from column j the multiples of row r in work and moves the
// entry of row r to U.
func (f *factor) update(r, j int32, eta []entry) {
	f.cols.unlink(j, f.ccount[j])
	b, c := f.nbeg[j], f.ccount[j]
	at := b
	for f.nidx[at] != r {
		at++
	}
	arj := f.nval[at]
	f.toU(r, j, arj)
	c--
	f.nidx[at], f.nval[at] = f.nidx[b+c], f.nval[b+c]
	most, hit := 0.0, 0
	for t := b; t < b+c; {
		i := f.nidx[t]
		if w := f.work[i]; w != 0 {
			hit++
			f.mark[i] = j
			f.nval[t] -= float64(w * arj)
			if math.Abs(f.nval[t]) < dropTol {
				c--
				f.nidx[t], f.nval[t] = f.nidx[b+c], f.nval[b+c]
				f.dropFromRow(i, j)
				continue
			}
		}
		most = max(most, math.Abs(f.nval[t]))
		t++
	}
	if hit < len(eta) {
		if need := c + int32(len(eta)-hit); need > f.ncap[j] {
			b = f.growCol(j, c, need)
		}
		for _, e := range eta {
			i := e.i
			if f.mark[i] == j {
				f.mark[i] = -1
				continue
			}
			v := -e.v * arj
			f.nidx[b+c], f.nval[b+c] = i, v
			c++
			most = max(most, math.Abs(v))
			if f.rcount[i] == f.pcap[i] {
				f.growRow(i)
			}
			f.pidx[f.pbeg[i]+f.rcount[i]] = j
			f.rcount[i]++
		}
	} else {
		for _, e := range eta {
			f.mark[e.i] = -1
		}
	}
	f.ccount[j], f.cmax[j] = c, most
	f.cols.link(j, f.ccount[j])
}

// growCol moves the c entries of column j to the end of the pool with room for
// twice need.
func (f *factor) growCol(j, c, need int32) int32 {
	b, e := f.nbeg[j], int32(len(f.nidx))
	room := 2*need + 4
	f.nidx = resized(f.nidx, int(e+room))
	f.nval = resized(f.nval, int(e+room))
	copy(f.nidx[e:], f.nidx[b:b+c])
	copy(f.nval[e:], f.nval[b:b+c])
	f.nbeg[j], f.ncap[j] = e, room
	return e
}

// growRow does the same for the pattern of row i.
func (f *factor) growRow(i int32) {
	b, e := f.pbeg[i], int32(len(f.pidx))
	room := 2*f.rcount[i] + 4
	f.pidx = resized(f.pidx, int(e+room))
	copy(f.pidx[e:], f.pidx[b:b+f.rcount[i]])
	f.pbeg[i], f.pcap[i] = e, room
}

// finish lays out U by columns and rows and transposes L.
func (f *factor) finish() {
	m := f.m
	f.uord = append(f.uord[:0], f.lord...)
	copy(f.upos, f.lpos)
	for t, k := range f.tc {
		r := f.colRow[k]
		if r < 0 { // a column that was rejected half way
			f.tr[t] = -1
			continue
		}
		f.uend[r]++
		f.wend[f.tr[t]]++
	}
	p, q := int32(0), int32(0)
	for i := range m {
		f.ubeg[i] = p
		p += f.uend[i]
		f.uend[i] = f.ubeg[i]
		f.wbeg[i] = q
		q += f.wend[i] + 3 // room for what updates add
		f.wend[i], f.wcap[i] = f.wbeg[i], q
	}
	f.unow = int(p)
	f.u, f.w = resized(f.u, int(p)), resized(f.w, int(q))
	for t, i := range f.tr {
		if i < 0 {
			continue
		}
		r, v := f.colRow[f.tc[t]], f.tv[t]
		f.u[f.uend[r]] = entry{i, v}
		f.uend[r]++
		f.w[f.wend[i]] = entry{r, v}
		f.wend[i]++
	}
	// Lᵀ by counting.
	f.ltbeg = resized(f.ltbeg[:0], m+1)
	for _, e := range f.l {
		f.ltbeg[e.i+1]++
	}
	for i := range m {
		f.ltbeg[i+1] += f.ltbeg[i]
	}
	f.lt = resized(f.lt, len(f.l))
	for _, r := range f.lnz {
		for _, e := range f.l[f.lbeg[r]:f.lend[r]] {
			f.lt[f.ltbeg[e.i]] = entry{r, e.v}
			f.ltbeg[e.i]++
		}
	}
	copy(f.ltbeg[1:], f.ltbeg[:m])
	f.ltbeg[0] = 0
	f.nnz0 = f.unow + len(f.l) + m
	f.bits = resized(f.bits, (m+maxUpdates)>>6+2)
}

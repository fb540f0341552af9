package simplex

// A matrix holds A twice, by columns and by rows, with cross references
// between the two copies of an entry. In every row the entries of active
// columns (nonbasic and not fixed) come first, so that pricing never looks at
// basic or fixed columns: in intruder LPs four columns of five are fixed.
type matrix struct {
	m, n int

	// Columns have room to grow: column j is cidx[cbeg[j]:cbeg[j]+cnum[j]],
	// and cpos[k] is the place of entry k in the copy by rows.
	cbeg, cnum, ccap []int32
	cidx, cpos       []int32
	cval             []float64
	waste            int // entries of the pool that belong to no column

	// Row i is ridx[rbeg[i]:rbeg[i+1]], active are the first ract[i] entries;
	// rent[t] is the place of entry t in the copy by columns.
	rbeg, ract []int32
	ridx, rent []int32
	rval       []float64
}

// col returns the entries of column j.
func (a *matrix) col(j int32) ([]int32, []float64) {
	b, e := a.cbeg[j], a.cbeg[j]+a.cnum[j]
	return a.cidx[b:e], a.cval[b:e]
}

// row returns the entries of row i, active or not.
func (a *matrix) row(i int) ([]int32, []float64) {
	b, e := a.rbeg[i], a.rbeg[i+1]
	return a.ridx[b:e], a.rval[b:e]
}

// reset makes a an empty matrix with n columns and no rows.
func (a *matrix) reset(n int) {
	a.m, a.n = 0, n
	a.cbeg = resized(a.cbeg[:0], n)
	a.cnum = resized(a.cnum[:0], n)
	a.ccap = resized(a.ccap[:0], n)
	a.cidx, a.cpos, a.cval = a.cidx[:0], a.cpos[:0], a.cval[:0]
	a.rbeg = append(a.rbeg[:0], 0)
	a.ract = a.ract[:0]
	a.ridx, a.rent, a.rval = a.ridx[:0], a.rent[:0], a.rval[:0]
	a.waste = 0
}

// appendRow adds a row to the copy by rows only; byColumns must follow.
func (a *matrix) appendRow(idx []int32, val []float64) {
	for k, j := range idx {
		if val[k] != 0 {
			a.ridx = append(a.ridx, j)
			a.rval = append(a.rval, val[k])
		}
	}
	a.rent = resized(a.rent, len(a.ridx))
	a.rbeg = append(a.rbeg, int32(len(a.ridx)))
	a.ract = append(a.ract, 0)
	a.m++
}

// byColumns brings the copy by columns up to date with the rows from first on,
// which start with no active column. Cost O(entries of those rows), amortised.
func (a *matrix) byColumns(first int) {
	if first == 0 {
		a.rebuildColumns()
		return
	}
	for i := first; i < a.m; i++ {
		for t := a.rbeg[i]; t < a.rbeg[i+1]; t++ {
			j := a.ridx[t]
			if a.cnum[j] == a.ccap[j] {
				a.growColumn(j)
			}
			k := a.cbeg[j] + a.cnum[j]
			a.cidx[k], a.cval[k], a.cpos[k] = int32(i), a.rval[t], t
			a.rent[t] = k
			a.cnum[j]++
		}
	}
	if a.waste > len(a.ridx)+a.n+1024 {
		a.rebuildColumns()
	}
}

// growColumn moves column j to the end of the pool with twice the room.
func (a *matrix) growColumn(j int32) {
	b, num := a.cbeg[j], a.cnum[j]
	room := 2*num + 4
	e := len(a.cidx)
	a.cidx = resized(a.cidx, e+int(room))
	a.cval = resized(a.cval, e+int(room))
	a.cpos = resized(a.cpos, e+int(room))
	copy(a.cidx[e:], a.cidx[b:b+num])
	copy(a.cval[e:], a.cval[b:b+num])
	copy(a.cpos[e:], a.cpos[b:b+num])
	for k := e; k < e+int(num); k++ {
		a.rent[a.cpos[k]] = int32(k)
	}
	a.waste += int(a.ccap[j])
	a.cbeg[j], a.ccap[j] = int32(e), room
}

// rebuildColumns makes the copy by columns anew, with no slack. It keeps the
// order within rows and hence the active parts.
func (a *matrix) rebuildColumns() {
	clear(a.cnum)
	for _, j := range a.ridx {
		a.cnum[j]++
	}
	p := int32(0)
	for j := range a.n {
		a.cbeg[j], a.ccap[j] = p, a.cnum[j]
		p += a.cnum[j]
		a.cnum[j] = 0
	}
	a.cidx = resized(a.cidx, int(p))
	a.cval = resized(a.cval, int(p))
	a.cpos = resized(a.cpos, int(p))
	for i := range a.m {
		for t := a.rbeg[i]; t < a.rbeg[i+1]; t++ {
			j := a.ridx[t]
			k := a.cbeg[j] + a.cnum[j]
			a.cidx[k], a.cval[k], a.cpos[k] = int32(i), a.rval[t], t
			a.rent[t] = k
			a.cnum[j]++
		}
	}
	a.waste = 0
}

// deleteRows drops the rows i with drop[i] and leaves no column active.
func (a *matrix) deleteRows(drop []bool) {
	t, k := int32(0), 0
	for i := range drop {
		b, e := a.rbeg[i], a.rbeg[i+1]
		if drop[i] {
			continue
		}
		copy(a.ridx[t:], a.ridx[b:e])
		copy(a.rval[t:], a.rval[b:e])
		a.rbeg[k] = t // never ahead of what is still to be read
		t += e - b
		a.ract[k] = 0
		k++
	}
	a.m = k
	a.rbeg = append(a.rbeg[:k], t)
	a.ract = a.ract[:k]
	a.ridx, a.rval, a.rent = a.ridx[:t], a.rval[:t], a.rent[:t]
	a.rebuildColumns()
}

// activate moves the entries of column j into the active part of their rows.
func (a *matrix) activate(j int32) {
	for k := a.cbeg[j]; k < a.cbeg[j]+a.cnum[j]; k++ {
		i := a.cidx[k]
		a.swap(a.cpos[k], a.rbeg[i]+a.ract[i])
		a.ract[i]++
	}
}

// deactivate undoes activate.
func (a *matrix) deactivate(j int32) {
	for k := a.cbeg[j]; k < a.cbeg[j]+a.cnum[j]; k++ {
		i := a.cidx[k]
		a.ract[i]--
		a.swap(a.cpos[k], a.rbeg[i]+a.ract[i])
	}
}

// swap exchanges two entries of one row.
func (a *matrix) swap(t, u int32) {
	if t == u {
		return
	}
	a.ridx[t], a.ridx[u] = a.ridx[u], a.ridx[t]
	a.rval[t], a.rval[u] = a.rval[u], a.rval[t]
	a.rent[t], a.rent[u] = a.rent[u], a.rent[t]
	a.cpos[a.rent[t]], a.cpos[a.rent[u]] = t, u
}

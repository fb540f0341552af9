package rational

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A factor is a triangular form of a basis modulo a prime: multiples of rows are subtracted from other rows (ops),
// after which the row of the t-th pivot has, besides its own column, only columns of later pivots. Columns that have
// replaced others since are in etas.
type factor struct {
	p    num.Field
	a    *matrix
	rows [][]term // by pivot: the eliminated row without the pivot; columns are given by their pivots
	row  []int32  // by pivot
	col  []int32  // by pivot, current
	inv  []uint64 // by pivot: its inverse
	ops  [][]term // by pivot: the rows subtracted from it, with factors
	etas []eta
	// Buffers for solving modulo the prime, by row and by pivot.
	byRow, byCol []uint64
}

// A term is an entry v at index i.
type term struct {
	i int32
	v uint64
}

// An eta is a column that replaced the one at place t (the product form of the inverse, Dantzig and Orchard-Hays,
// Mathematical Tables and Other Aids to Computation 8, 1954): others are its entries at other pivots, inv is 1/entry at
// t.
type eta struct {
	t      int32
	inv    uint64
	others []term
}

// newFactor eliminates the columns cols: always a shortest row, and in it the column in the fewest rows. Columns that
// depend on others are left out, and the remaining rows get their unit vectors: col lists the columns of a basis.
func newFactor(a *matrix, p num.Field, cols []int32) *factor {
	f := &factor{p: p, a: a, byRow: make([]uint64, a.m), byCol: make([]uint64, a.m)}
	e := newElimination(a, p, cols)
	at := make([]int32, len(cols)) // pivot of each column
	for c := range at {
		at[c] = -1
	}
	for {
		i := e.shortest()
		if i < 0 {
			break // empty rows get their unit vectors last
		}
		own, rest := e.pivot(i)
		inv := uint64(1)
		if own.v != 1 {
			inv = p.Inverse(own.v)
		}
		var ops []term
		for _, k := range e.in[own.i] {
			if g := e.take(own.i, rest, inv, k); g != 0 {
				ops = append(ops, term{k, g})
			}
		}
		e.in[own.i] = nil
		at[own.i] = int32(len(f.col))
		f.rows, f.row, f.col, f.inv, f.ops = append(f.rows, rest), append(f.row, i), append(f.col, cols[own.i]), append(f.inv, inv), append(f.ops, ops)
	}
	for t, row := range f.rows { // without the columns left out
		kept := row[:0]
		for _, x := range row {
			if at[x.i] >= 0 {
				kept = append(kept, term{at[x.i], x.v})
			}
		}
		f.rows[t] = kept
	}
	for i := range int32(a.m) {
		if !e.done[i] {
			f.rows, f.row, f.col, f.inv, f.ops = append(f.rows, nil), append(f.row, i), append(f.col, int32(a.n)+i), append(f.inv, 1), append(f.ops, nil)
		}
	}
	return f
}

// An elimination is a matrix being reduced to its factor. Columns are numbered as given.
type elimination struct {
	p     num.Field
	rows  [][]term
	in    [][]int32 // by column: its rows; may list rows that have lost it
	count []int32   // by column: number of remaining rows that contain it
	of    [][]int32 // by number of terms: the rows; may list rows that have another number by now
	least int       // no nonempty row has fewer terms
	done  []bool    // by row: has had its pivot
	sum   []term    // scratch of take
}

func newElimination(a *matrix, p num.Field, cols []int32) *elimination {
	e := &elimination{p: p, rows: make([][]term, a.m), in: make([][]int32, len(cols)), count: make([]int32, len(cols)), done: make([]bool, a.m)}
	size, all := make([]int32, a.m), 0
	for _, j := range cols {
		row, _ := a.column(j)
		all += len(row)
		for _, i := range row {
			size[i]++
		}
	}
	terms, ins := make([]term, all), make([]int32, all)
	for i, n := range size {
		e.rows[i], terms = terms[:0:n], terms[n:]
	}
	for c, j := range cols { // ascending in every row
		row, coef := a.column(j)
		e.in[c], ins = ins[:0:len(row)], ins[len(row):]
		for t, i := range row {
			if v := p.Of(coef[t]); v != 0 {
				e.rows[i] = append(e.rows[i], term{int32(c), v})
				e.in[c] = append(e.in[c], i)
				e.count[c]++
			}
		}
	}
	for i := len(e.rows) - 1; i >= 0; i-- {
		e.list(int32(i))
	}
	return e
}

// list records the length of row i.
func (e *elimination) list(i int32) {
	n := len(e.rows[i])
	for n >= len(e.of) {
		e.of = append(e.of, nil)
	}
	e.of[n] = append(e.of[n], i)
	e.least = max(1, min(e.least, n))
}

// shortest returns a row with the fewest terms that still waits for its pivot, −1 if there is none.
func (e *elimination) shortest() int32 {
	for ; e.least < len(e.of); e.least++ {
		for rows := e.of[e.least]; len(rows) > 0; {
			i := rows[len(rows)-1]
			rows = rows[:len(rows)-1]
			e.of[e.least] = rows
			if !e.done[i] && len(e.rows[i]) == e.least {
				return i
			}
		}
	}
	return -1
}

// pivot finishes row i with the column in the fewest rows as pivot and returns its other terms.
func (e *elimination) pivot(i int32) (own term, rest []term) {
	e.done[i] = true
	own = e.rows[i][0]
	for _, x := range e.rows[i] {
		if e.count[x.i] < e.count[own.i] {
			own = x
		}
	}
	rest = make([]term, 0, len(e.rows[i])-1)
	for _, x := range e.rows[i] {
		e.count[x.i]--
		if x != own {
			rest = append(rest, x)
		}
	}
	return own, rest
}

// take eliminates column own from row k by subtracting g times the row whose entry there is 1/inv and whose other terms
// are rest. It returns g, 0 if there is nothing to eliminate.
func (e *elimination) take(own int32, rest []term, inv uint64, k int32) (g uint64) {
	if e.done[k] {
		return 0
	}
	at, has := slices.BinarySearchFunc(e.rows[k], own, func(x term, j int32) int { return cmp.Compare(x.i, j) })
	if !has {
		return 0
	}
	p := e.p
	g = p.Mul(e.rows[k][at].v, inv)
	if len(rest) == 0 {
		e.rows[k] = slices.Delete(e.rows[k], at, at+1)
		e.list(k)
		return g
	}
	sum := e.sum[:0]
	x, y := e.rows[k], rest
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(x) > 0 && x[0].i == own:
			x = x[1:]
		case len(y) == 0 || len(x) > 0 && x[0].i < y[0].i:
			sum = append(sum, x[0])
			x = x[1:]
		case len(x) == 0 || y[0].i < x[0].i:
			sum = append(sum, term{y[0].i, p.Sub(0, p.Mul(g, y[0].v))})
			e.in[y[0].i] = append(e.in[y[0].i], k)
			e.count[y[0].i]++
			y = y[1:]
		default:
			if v := p.Sub(x[0].v, p.Mul(g, y[0].v)); v != 0 {
				sum = append(sum, term{x[0].i, v})
			} else {
				e.count[x[0].i]--
			}
			x, y = x[1:], y[1:]
		}
	}
	e.rows[k] = append(e.rows[k][:0], sum...)
	e.sum = sum
	e.list(k)
	return g
}

// forward solves B x = r for r in byRow, which it overwrites; x is in byCol.
func (f *factor) forward() {
	p := f.p
	for t, ops := range f.ops {
		if v := f.byRow[f.row[t]]; v != 0 {
			for _, o := range ops {
				f.byRow[o.i] = p.Sub(f.byRow[o.i], p.Mul(o.v, v))
			}
		}
	}
	for t := len(f.row) - 1; t >= 0; t-- {
		v := f.byRow[f.row[t]]
		for _, x := range f.rows[t] {
			if w := f.byCol[x.i]; w != 0 {
				v = p.Sub(v, p.Mul(x.v, w))
			}
		}
		if v != 0 && f.inv[t] != 1 {
			v = p.Mul(v, f.inv[t])
		}
		f.byCol[t] = v
	}
	for k := range f.etas {
		e := &f.etas[k]
		v := f.byCol[e.t]
		if v == 0 {
			continue
		}
		v = p.Mul(v, e.inv)
		f.byCol[e.t] = v
		for _, x := range e.others {
			f.byCol[x.i] = p.Sub(f.byCol[x.i], p.Mul(x.v, v))
		}
	}
}

// backward solves Bᵀ y = c for c in byCol, which it overwrites; y is in byRow.
func (f *factor) backward() {
	p := f.p
	for k := len(f.etas) - 1; k >= 0; k-- {
		e := &f.etas[k]
		v := f.byCol[e.t]
		for _, x := range e.others {
			if w := f.byCol[x.i]; w != 0 {
				v = p.Sub(v, p.Mul(x.v, w))
			}
		}
		f.byCol[e.t] = p.Mul(v, e.inv)
	}
	for t, i := range f.row {
		v := f.byCol[t]
		if v != 0 && f.inv[t] != 1 {
			v = p.Mul(v, f.inv[t])
		}
		f.byRow[i] = v
		if v != 0 {
			for _, x := range f.rows[t] {
				f.byCol[x.i] = p.Sub(f.byCol[x.i], p.Mul(x.v, v))
			}
		}
	}
	for t := len(f.row) - 1; t >= 0; t-- {
		if len(f.ops[t]) == 0 {
			continue
		}
		v := f.byRow[f.row[t]]
		for _, o := range f.ops[t] {
			if w := f.byRow[o.i]; w != 0 {
				v = p.Sub(v, p.Mul(o.v, w))
			}
		}
		f.byRow[f.row[t]] = v
	}
}

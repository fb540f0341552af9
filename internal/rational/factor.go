package rational

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/heap"
	"github.com/hitoku/hitoku/internal/num"
)

// A factor is a triangular form of a basis modulo a prime: rows are taken from each
// other (ops), after which the t-th pivot's row holds, besides its own column, only
// columns of later pivots. Columns that took the place of others since are in etas.
type factor struct {
	p    num.Field
	a    *matrix
	rows [][]term // as eliminated, without the pivot, by pivot; the columns by their pivots
	row  []int32  // by pivot
	col  []int32  // by pivot, as it is now
	inv  []uint64 // of the pivot, by pivot
	ops  [][]term // by pivot: the rows it was taken from, with factors
	etas []eta
	// Residues are solved for in these, by row and by pivot.
	byRow, byCol []uint64
}

// A term is an entry v at index i.
type term struct {
	i int32
	v uint64
}

// An eta is a column that took place t (the product form of the inverse, Dantzig and Orchard-Hays, Mathematical
// Tables and Other Aids to Computation 8, 1954): others are its entries at other pivots, inv is 1/entry at t.
type eta struct {
	t      int32
	inv    uint64
	others []term
}

// A short is a row and the terms it has.
type short struct{ terms, row int32 }

func (a short) Before(b short) bool { return a.terms < b.terms || a.terms == b.terms && a.row < b.row }

// newFactor eliminates the columns cols: a shortest row and in it the column in fewest
// rows come first. Columns that depend on others are left out, and rows left over
// are given their unit vectors: col lists the columns of a basis.
func newFactor(a *matrix, p num.Field, cols []int32) *factor {
	f := &factor{p: p, a: a, byRow: make([]uint64, a.m), byCol: make([]uint64, a.m)}
	e := newElimination(a, p, cols)
	at := make([]int32, len(cols)) // the pivot of a column
	for c := range at {
		at[c] = -1
	}
	for len(e.queue) > 0 {
		top := e.queue.Pop()
		i := top.row
		if e.done[i] || int(top.terms) != len(e.rows[i]) {
			continue
		}
		if len(e.rows[i]) == 0 {
			continue // its unit vector comes last
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

// An elimination is a matrix under way to its factor. Columns are numbered as they were given.
type elimination struct {
	p     num.Field
	rows  [][]term
	in    [][]int32        // rows by column; may list rows that lost it
	count []int32          // rows left that have a column
	queue heap.Heap[short] // may hold lengths that rows no longer have
	done  []bool           // rows that had their pivot
	sum   []term           // scratch of take
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
	e.queue = make(heap.Heap[short], len(e.rows))
	for i := range e.rows {
		e.queue[i] = short{int32(len(e.rows[i])), int32(i)}
	}
	e.queue.Init()
	return e
}

// pivot ends row i with the column in fewest rows and returns its other terms.
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

// take clears column own of row k by g times the row that is 1/inv there and else rest. It
// returns g, 0 where there is nothing to clear.
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
	e.queue.Push(short{int32(len(sum)), k})
	return g
}

// forward solves B x = r for r in byRow, which it spoils, to byCol.
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

// backward solves Bᵀ y = c for c in byCol, which it spoils, to byRow.
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

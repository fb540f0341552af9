package rational

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/heap"
	"github.com/hitoku/hitoku/internal/num"
)

// A factor is a triangular form of a basis modulo a prime: rows are taken from each
// other (ops), after which the t-th pivot's row holds, besides its own column, only
// columns of later pivots.
type factor struct {
	p    num.Field
	a    *matrix
	rows [][]term // as eliminated, without the pivot, by pivot
	row  []int32  // by pivot
	col  []int32  // by pivot
	inv  []uint64 // of the pivot, by pivot
	ops  [][]term // by pivot: the rows it was taken from, with factors
	// Residues are solved for in these, by row and by column.
	byRow, byCol []uint64
}

// A term is an entry v at index i.
type term struct {
	i int32
	v uint64
}

// A short is a row and the terms it has.
type short struct{ terms, row int32 }

func (a short) Before(b short) bool { return a.terms < b.terms || a.terms == b.terms && a.row < b.row }

// newFactor eliminates the columns cols: a shortest row and in it the column in fewest
// rows come first. Columns that depend on others are left out, and rows left over
// are given their unit vectors: col lists the columns of a basis.
func newFactor(a *matrix, p num.Field, cols []int32) *factor {
	f := &factor{p: p, a: a, byRow: make([]uint64, a.m), byCol: make([]uint64, a.n+a.m)}
	e := newElimination(a, p, cols)
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
		inv := p.Inverse(own.v)
		var ops []term
		for _, k := range e.in[own.i] {
			if g := e.take(own.i, rest, inv, k); g != 0 {
				ops = append(ops, term{k, g})
			}
		}
		delete(e.in, own.i)
		f.rows, f.row, f.col, f.inv, f.ops = append(f.rows, rest), append(f.row, i), append(f.col, own.i), append(f.inv, inv), append(f.ops, ops)
	}
	if len(f.col) < len(cols) { // without those left out
		is := make(map[int32]bool, len(f.col))
		for _, j := range f.col {
			is[j] = true
		}
		for t, row := range f.rows {
			f.rows[t] = slices.DeleteFunc(row, func(x term) bool { return !is[x.i] })
		}
	}
	for i := range int32(a.m) {
		if !e.done[i] {
			f.rows, f.row, f.col, f.inv, f.ops = append(f.rows, nil), append(f.row, i), append(f.col, int32(a.n)+i), append(f.inv, 1), append(f.ops, nil)
		}
	}
	return f
}

// An elimination is a matrix under way to its factor.
type elimination struct {
	p     num.Field
	rows  [][]term          // by column
	in    map[int32][]int32 // rows by column; may list rows that lost it
	count map[int32]int32   // rows left that have a column
	queue heap.Heap[short]  // may hold lengths that rows no longer have
	done  []bool            // rows that had their pivot
	sum   []term            // scratch of take
}

func newElimination(a *matrix, p num.Field, cols []int32) *elimination {
	e := &elimination{p: p, rows: make([][]term, a.m), in: make(map[int32][]int32, len(cols)), count: make(map[int32]int32, len(cols)), done: make([]bool, a.m)}
	for _, j := range cols {
		row, coef := a.column(j)
		for t, i := range row {
			if v := p.Of(coef[t]); v != 0 {
				e.rows[i] = append(e.rows[i], term{j, v})
				e.in[j] = append(e.in[j], i)
				e.count[j]++
			}
		}
	}
	for i := range e.rows {
		slices.SortFunc(e.rows[i], func(x, y term) int { return cmp.Compare(x.i, y.i) })
		e.queue = append(e.queue, short{int32(len(e.rows[i])), int32(i)})
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
		f.byCol[f.col[t]] = p.Mul(v, f.inv[t])
	}
}

// backward solves Bᵀ y = c for c in byCol, which it spoils, to byRow.
func (f *factor) backward() {
	p := f.p
	for t, i := range f.row {
		v := p.Mul(f.byCol[f.col[t]], f.inv[t])
		f.byRow[i] = v
		if v != 0 {
			for _, x := range f.rows[t] {
				f.byCol[x.i] = p.Sub(f.byCol[x.i], p.Mul(x.v, v))
			}
		}
	}
	for t := len(f.row) - 1; t >= 0; t-- {
		v := f.byRow[f.row[t]]
		for _, o := range f.ops[t] {
			if w := f.byRow[o.i]; w != 0 {
				v = p.Sub(v, p.Mul(o.v, w))
			}
		}
		f.byRow[f.row[t]] = v
	}
}

package rational

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/heap"
)

// A factor is a triangular form of a basis modulo a prime: rows are taken from each
// other (ops), after which the t-th pivot's row holds, besides its own column, only
// columns of later pivots.
type factor struct {
	p    field
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
func newFactor(a *matrix, p field, cols []int32) *factor {
	f := &factor{p: p, a: a, byRow: make([]uint64, a.m), byCol: make([]uint64, a.n+a.m)}
	rows := make([][]term, a.m)
	in := make(map[int32][]int32, len(cols)) // rows by column; may list rows that lost it
	count := make(map[int32]int32, len(cols))
	for _, j := range cols {
		row, coef := a.column(j)
		for t, i := range row {
			if v := p.of(coef[t]); v != 0 {
				rows[i] = append(rows[i], term{j, v})
				in[j] = append(in[j], i)
				count[j]++
			}
		}
	}
	var queue heap.Heap[short]
	for i := range rows {
		slices.SortFunc(rows[i], func(x, y term) int { return cmp.Compare(x.i, y.i) })
		queue = append(queue, short{int32(len(rows[i])), int32(i)})
	}
	queue.Init()
	done := make([]bool, a.m)
	var sum []term
	for len(queue) > 0 {
		top := queue.Pop()
		i := top.row
		if done[i] || int(top.terms) != len(rows[i]) {
			continue
		}
		if len(rows[i]) == 0 {
			continue // its unit vector comes last
		}
		done[i] = true
		own := rows[i][0]
		for _, x := range rows[i] {
			if count[x.i] < count[own.i] {
				own = x
			}
		}
		rest := make([]term, 0, len(rows[i])-1)
		for _, x := range rows[i] {
			count[x.i]--
			if x != own {
				rest = append(rest, x)
			}
		}
		inv := p.inv(own.v)
		var ops []term
		for _, k := range in[own.i] {
			if done[k] {
				continue
			}
			at, has := slices.BinarySearchFunc(rows[k], own.i, func(x term, j int32) int { return cmp.Compare(x.i, j) })
			if !has {
				continue
			}
			g := p.mul(rows[k][at].v, inv)
			ops = append(ops, term{k, g})
			sum = sum[:0]
			x, y := rows[k], rest
			for len(x) > 0 || len(y) > 0 {
				switch {
				case len(x) > 0 && x[0].i == own.i:
					x = x[1:]
				case len(y) == 0 || len(x) > 0 && x[0].i < y[0].i:
					sum = append(sum, x[0])
					x = x[1:]
				case len(x) == 0 || y[0].i < x[0].i:
					sum = append(sum, term{y[0].i, p.sub(0, p.mul(g, y[0].v))})
					in[y[0].i] = append(in[y[0].i], k)
					count[y[0].i]++
					y = y[1:]
				default:
					if v := p.sub(x[0].v, p.mul(g, y[0].v)); v != 0 {
						sum = append(sum, term{x[0].i, v})
					} else {
						count[x[0].i]--
					}
					x, y = x[1:], y[1:]
				}
			}
			rows[k] = append(rows[k][:0], sum...)
			queue.Push(short{int32(len(sum)), k})
		}
		delete(in, own.i)
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
		if !done[i] {
			f.rows, f.row, f.col, f.inv, f.ops = append(f.rows, nil), append(f.row, i), append(f.col, int32(a.n)+i), append(f.inv, 1), append(f.ops, nil)
		}
	}
	return f
}

// forward solves B x = r for r in byRow, which it spoils, to byCol.
func (f *factor) forward() {
	p := f.p
	for t, ops := range f.ops {
		if v := f.byRow[f.row[t]]; v != 0 {
			for _, o := range ops {
				f.byRow[o.i] = p.sub(f.byRow[o.i], p.mul(o.v, v))
			}
		}
	}
	for t := len(f.row) - 1; t >= 0; t-- {
		v := f.byRow[f.row[t]]
		for _, x := range f.rows[t] {
			if w := f.byCol[x.i]; w != 0 {
				v = p.sub(v, p.mul(x.v, w))
			}
		}
		f.byCol[f.col[t]] = p.mul(v, f.inv[t])
	}
}

// backward solves Bᵀ y = c for c in byCol, which it spoils, to byRow.
func (f *factor) backward() {
	p := f.p
	for t, i := range f.row {
		v := p.mul(f.byCol[f.col[t]], f.inv[t])
		f.byRow[i] = v
		if v != 0 {
			for _, x := range f.rows[t] {
				f.byCol[x.i] = p.sub(f.byCol[x.i], p.mul(x.v, v))
			}
		}
	}
	for t := len(f.row) - 1; t >= 0; t-- {
		v := f.byRow[f.row[t]]
		for _, o := range f.ops[t] {
			if w := f.byRow[o.i]; w != 0 {
				v = p.sub(v, p.mul(o.v, w))
			}
		}
		f.byRow[f.row[t]] = v
	}
}

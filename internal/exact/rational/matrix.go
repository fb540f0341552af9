package rational

import "slices"

// A matrix is A stored by columns; the last m columns are the unit vectors, one for each row.
type matrix struct {
	n, m int // number of columns without the unit vectors, and of rows
	ptr  []int32
	row  []int32
	coef []int64
}

// newMatrix adds up entries that occur twice.
func newMatrix(n int, ptr, col, coef []int32) *matrix {
	m := len(ptr) - 1
	a := &matrix{n: n, m: m, ptr: make([]int32, n+1), row: make([]int32, len(col)), coef: make([]int64, len(col))}
	for _, j := range col {
		a.ptr[j+1]++
	}
	for j := range n {
		a.ptr[j+1] += a.ptr[j]
	}
	next := slices.Clone(a.ptr[:n])
	for i := range m {
		for t := ptr[i]; t < ptr[i+1]; t++ {
			j := col[t]
			at := next[j]
			if at > a.ptr[j] && a.row[at-1] == int32(i) {
				a.coef[at-1] += int64(coef[t])
				continue
			}
			a.row[at], a.coef[at] = int32(i), int64(coef[t])
			next[j]++
		}
	}
	w := int32(0)
	for j := range n {
		start := w
		for t := a.ptr[j]; t < next[j]; t++ {
			if a.coef[t] != 0 {
				a.row[w], a.coef[w] = a.row[t], a.coef[t]
				w++
			}
		}
		a.ptr[j] = start
	}
	a.ptr[n] = w
	for i := range m {
		a.row, a.coef = append(a.row[:int(w)+i], int32(i)), append(a.coef[:int(w)+i], 1)
		a.ptr = append(a.ptr, w+int32(i)+1)
	}
	return a
}

// column returns the rows and entries of column j, rows ascending.
func (a *matrix) column(j int32) ([]int32, []int64) {
	s, e := a.ptr[j], a.ptr[j+1]
	return a.row[s:e], a.coef[s:e]
}

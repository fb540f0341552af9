package gonum

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hitoku/hitoku/lp"
)

// A standard is a program in gonum's form min cᵀz, Az = b, z ≥ 0, with A of full
// row rank and without zero columns. Column j of the program is
//
//	x_j = base_j + z[plus_j] − z[minus_j]     (−1: no such z)
//
// and row i of the program is row rowOf_i of A divided by scale_i (−1: a free
// row, or an equation that others imply).
type standard struct {
	a           *mat.Dense // nil if there are no rows
	b, c        []float64
	base        []float64
	plus, minus []int
	rowOf       []int
	scale       []float64
	falls       bool // a column without entries is unbounded in the direction of decreasing cost
}

// A sparseRow is a row of A before A is laid out.
type sparseRow struct {
	idx []int
	val []float64
	rhs float64
	// implied by other rows
	dropped bool
}

// standardise writes p, whose bounds must not be crossed, in standard form. Fixed columns become constants; a boxed
// column and a range row need an extra row. If equations contradict each other, it instead returns the multipliers of
// the rows that show this, a Farkas ray of p.
func standardise(p *lp.Problem) (s *standard, farkas []float64) {
	n := p.NumCols()
	s = &standard{
		base: make([]float64, n), plus: make([]int, n), minus: make([]int, n),
		rowOf: make([]int, len(p.Rows)), scale: make([]float64, len(p.Rows)),
	}
	var rows []sparseRow
	column := func(c float64) int {
		s.c = append(s.c, c)
		return len(s.c) - 1
	}
	box := func(k int, width float64) {
		rows = append(rows, sparseRow{idx: []int{k, column(0)}, val: []float64{1, 1}, rhs: width})
	}
	for j := range n {
		lo, up, c := p.Lo[j], p.Up[j], p.Cost[j]
		s.plus[j], s.minus[j] = -1, -1
		switch {
		case lo == up:
			s.base[j] = lo
		case !math.IsInf(lo, -1):
			s.base[j] = lo
			s.plus[j] = column(c)
			if !math.IsInf(up, 1) {
				box(s.plus[j], up-lo)
			}
		case !math.IsInf(up, 1):
			s.base[j] = up
			s.minus[j] = column(-c)
		default:
			s.plus[j] = column(c)
			s.minus[j] = column(-c)
		}
	}
	var equations []int
	for i := range p.Rows {
		row := &p.Rows[i]
		s.rowOf[i] = -1
		if math.IsInf(row.Lo, -1) && math.IsInf(row.Up, 1) {
			continue
		}
		var r sparseRow
		shift, largest := 0.0, 0.0
		for k, j := range row.Idx {
			v := row.Val[k]
			shift += float64(v * s.base[j])
			if v != 0 && (s.plus[j] >= 0 || s.minus[j] >= 0) {
				largest = max(largest, math.Abs(v))
			}
		}
		largest = cmp.Or(largest, 1)
		s.scale[i] = 1 / largest
		add := func(k int, v float64) {
			if k >= 0 && v != 0 {
				r.idx = append(r.idx, k)
				r.val = append(r.val, v)
			}
		}
		for k, j := range row.Idx {
			add(s.plus[j], row.Val[k]*s.scale[i])
			add(s.minus[j], -row.Val[k]*s.scale[i])
		}
		width := (row.Up - row.Lo) * s.scale[i]
		slack := -1
		switch {
		case row.Lo == row.Up:
			r.rhs = (row.Lo - shift) * s.scale[i]
			equations = append(equations, i)
		case !math.IsInf(row.Lo, -1):
			r.rhs = (row.Lo - shift) * s.scale[i]
			slack = column(0)
			add(slack, -1)
		default:
			r.rhs = (row.Up - shift) * s.scale[i]
			add(column(0), 1)
		}
		s.rowOf[i] = len(rows)
		rows = append(rows, r)
		if slack >= 0 && !math.IsInf(width, 1) {
			box(slack, width)
		}
	}
	if y := s.dropImplied(rows, equations); y != nil {
		return nil, y
	}
	s.layOut(rows)
	return s, nil
}

// dropImplied eliminates the equations against each other and sets rowOf to −1
// for those that others imply. It returns the multipliers of a combination that
// reads 0 = b ≠ 0, if it meets one.
func (s *standard) dropImplied(rows []sparseRow, equations []int) []float64 {
	const tiny = 1e-9
	type pivot struct {
		col       int
		row, mult []float64 // mult: its combination of the equations
		rhs       float64
	}
	var done []pivot
	for e, i := range equations {
		row := make([]float64, len(s.c))
		src := rows[s.rowOf[i]]
		for k, j := range src.idx {
			row[j] += src.val[k]
		}
		mult := make([]float64, len(equations))
		mult[e] = 1
		rhs, mag := src.rhs, 1+math.Abs(src.rhs)
		for _, d := range done {
			f := row[d.col] / d.row[d.col]
			if f == 0 {
				continue
			}
			for k, v := range d.row {
				row[k] -= float64(f * v)
			}
			for k, v := range d.mult {
				mult[k] -= float64(f * v)
			}
			row[d.col] = 0
			rhs -= float64(f * d.rhs)
			mag += math.Abs(f * d.rhs)
		}
		col := 0
		for k, v := range row {
			if math.Abs(v) > math.Abs(row[col]) {
				col = k
			}
		}
		if len(row) > 0 && math.Abs(row[col]) > tiny {
			done = append(done, pivot{col, row, mult, rhs})
			continue
		}
		if math.Abs(rhs) > tiny*mag {
			y := make([]float64, len(s.rowOf))
			for k, v := range mult {
				y[equations[k]] = v * s.scale[equations[k]] * math.Copysign(1, rhs)
			}
			return y
		}
		rows[s.rowOf[i]].dropped = true
		s.rowOf[i] = -1
	}
	return nil
}

// layOut builds A from the remaining rows and from the columns with entries in them. A column without entries stays at
// 0, which is optimal unless its cost is negative.
func (s *standard) layOut(rows []sparseRow) {
	used := make([]bool, len(s.c))
	at := make([]int, len(rows))
	for i, r := range rows {
		if r.dropped {
			continue
		}
		at[i] = len(s.b)
		s.b = append(s.b, r.rhs)
		for _, k := range r.idx {
			used[k] = true
		}
	}
	for i, r := range s.rowOf {
		if r >= 0 {
			s.rowOf[i] = at[r]
		}
	}
	number := make([]int, len(s.c))
	var c []float64
	for k, v := range s.c {
		number[k] = -1
		if used[k] {
			number[k] = len(c)
			c = append(c, v)
		} else if v < 0 {
			s.falls = true
		}
	}
	s.c = c
	for j := range s.plus {
		if s.plus[j] >= 0 {
			s.plus[j] = number[s.plus[j]]
		}
		if s.minus[j] >= 0 {
			s.minus[j] = number[s.minus[j]]
		}
	}
	if len(s.b) == 0 {
		return
	}
	s.a = mat.NewDense(len(s.b), len(s.c), nil)
	for i, r := range rows {
		if r.dropped {
			continue
		}
		for e, k := range r.idx {
			s.a.Set(at[i], number[k], s.a.At(at[i], number[k])+r.val[e])
		}
	}
}

// point maps z back to the columns of the program.
func (s *standard) point(z []float64) []float64 {
	x := make([]float64, len(s.base))
	for j := range x {
		x[j] = s.base[j]
		if k := s.plus[j]; k >= 0 {
			x[j] += z[k]
		}
		if k := s.minus[j]; k >= 0 {
			x[j] -= z[k]
		}
	}
	return x
}

// duals maps multipliers of the rows of A back to the rows of the program. A
// range row takes those of its first row: the sign tells the side.
func (s *standard) duals(y []float64) []float64 {
	out := make([]float64, len(s.rowOf))
	for i, r := range s.rowOf {
		if r >= 0 {
			out[i] = y[r] * s.scale[i]
		}
	}
	return out
}

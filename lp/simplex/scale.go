package simplex

import (
	"math"

	"github.com/hitoku/hitoku/lp"
)

// A scaling multiplies row i of A by r_i and column j by c_j, all powers of
// two, so that scaled data are exact. It does nothing to matrices of 0 and ±1
// and to others whose entries lie within a factor wide of each other.
type scaling struct {
	on  bool    // columns are scaled
	max float64 // largest r_i and 1/c_j, at least 1
	c   []float64
	r   []float64
	buf []float64
}

// wide is the range of coefficients in a row that is worth scaling.
const wide = 64

// pow2 returns the power of two nearest to 1/a in the logarithm.
func pow2(a float64) float64 {
	if a == 0 || math.IsInf(a, 0) {
		return 1
	}
	e := int(math.Round(-math.Log2(a)))
	return math.Ldexp(1, min(max(e, -40), 40))
}

// load chooses the columns' scale: the inverse geometric mean of the smallest
// and largest entry after the rows are scaled likewise, in two passes. Rows
// are scaled as they are added.
func (s *scaling) load(p *lp.Problem) {
	s.on, s.max = false, 1
	s.r = s.r[:0]
	lo, hi := math.Inf(1), 0.0
	for i := range p.Rows {
		for _, v := range p.Rows[i].Val {
			if v != 0 {
				a := math.Abs(v)
				lo, hi = min(lo, a), max(hi, a)
			}
		}
	}
	if hi <= wide*lo || hi == 0 {
		return
	}
	n := p.NumCols()
	s.on = true
	s.c = resized(s.c[:0], n)
	for j := range s.c {
		s.c[j] = 1
	}
	small, large := make([]float64, n), make([]float64, n)
	for range 2 {
		for j := range n {
			small[j], large[j] = math.Inf(1), 0
		}
		for i := range p.Rows {
			r := s.rowScale(&p.Rows[i])
			for k, j := range p.Rows[i].Idx {
				if a := math.Abs(p.Rows[i].Val[k]) * r; a != 0 {
					small[j], large[j] = min(small[j], a), max(large[j], a)
				}
			}
		}
		for j := range n {
			if large[j] > 0 {
				s.c[j] = pow2(math.Sqrt(small[j]) * math.Sqrt(large[j]))
			}
		}
	}
	s.on = false
	for _, c := range s.c { // perhaps there is nothing to scale after all
		s.on = s.on || c != 1
		s.max = max(s.max, 1/c)
	}
}

// rowScale returns the scale of a row given that of the columns.
func (s *scaling) rowScale(row *lp.Row) float64 {
	lo, hi := math.Inf(1), 0.0
	for k, j := range row.Idx {
		if a := math.Abs(row.Val[k]) * s.col(int(j)); a != 0 {
			lo, hi = min(lo, a), max(hi, a)
		}
	}
	if hi == 0 || lo >= 1./wide && hi <= wide {
		return 1
	}
	return pow2(math.Sqrt(lo) * math.Sqrt(hi))
}

// addRow scales one more row.
func (s *scaling) addRow(row *lp.Row) {
	r := s.rowScale(row)
	s.max = max(s.max, r)
	s.r = append(s.r, r)
}

// finest returns a lower bound of the factors by which a reduced cost can have
// shrunk, those of columns and 1/r of logicals.
func (s *scaling) finest() float64 { return 1 / s.max }

// values returns the scaled values of a row, in a buffer or the row itself.
func (s *scaling) values(row *lp.Row, i int) []float64 {
	if !s.on && s.r[i] == 1 {
		return row.Val
	}
	s.buf = s.buf[:0]
	for k, v := range row.Val {
		s.buf = append(s.buf, v*s.r[i]*s.col(int(row.Idx[k])))
	}
	return s.buf
}

func (s *scaling) col(j int) float64 {
	if s.on {
		return s.c[j]
	}
	return 1
}

func (s *scaling) row(i int) float64 { return s.r[i] }

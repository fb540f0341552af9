package certificate

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A shower collects how far up and down the witnesses of a pattern move each sensitive cell while everything published
// stays unchanged.
type shower struct {
	p      *problem
	x      []bool
	cols   *table.Columns
	up, dn []fraction             // by cell
	sum    []wide                 // by relation, zero between uses
	mark   []bool                 // by cell, false between uses
	long   map[int32]*[2]*big.Rat // movements up and down by long witnesses; nil: none
}

// A fraction is num/den ≥ 0; den 0 stands for 0.
type fraction struct{ num, den uint64 }

func (a fraction) less(b fraction) bool {
	if b.den == 0 {
		return false
	}
	if a.den == 0 {
		return b.num > 0
	}
	return num.Mul128(a.num, b.den).Less(num.Mul128(b.num, a.den))
}

func newShower(p *problem, x []bool) *shower {
	return &shower{p: p, x: x, cols: p.t.Rel.Columns(), up: make([]fraction, p.n), dn: make([]fraction, p.n),
		sum: make([]wide, p.t.Rel.Len()), mark: make([]bool, p.n)}
}

// add checks that z = num/den moves only withheld cells, respects the intruder's bounds and satisfies M z = 0, and
// records how far it moves sensitive cells.
func (s *shower) add(l *line) error {
	p := s.p
	if l.Long != nil {
		return s.addLong(l)
	}
	if l.Den < 1 || len(l.Cells) != len(l.Num) {
		return i18n.Errorf("needs a denominator ≥ 1 and a number for each cell")
	}
	touched := l.Cells[:0:0]
	defer func() {
		for _, i := range touched {
			s.mark[i] = false
			rel, _ := s.cols.Column(int(i))
			for _, j := range rel {
				s.sum[j] = wide{}
			}
		}
	}()
	for t, i := range l.Cells {
		if s.mark[i] {
			return i18n.Errorf("names cell %s twice", p.t.CellName(int(i)))
		}
		s.mark[i] = true
		touched = append(touched, i)
		z := l.Num[t]
		capacity := p.up[i]
		if z < 0 {
			capacity = p.dn[i]
		}
		switch {
		case z == math.MinInt64:
			return errLarge
		case !s.x[i] && z != 0:
			return i18n.Errorf("moves cell %s, which is published", p.t.CellName(int(i)))
		case capacity != table.PosInf && num.Mul128(uint64(capacity), uint64(l.Den)).Less(num.Uint128{Lo: num.Magnitude(z)}):
			return i18n.Errorf("moves cell %s outside the intruder's bounds", p.t.CellName(int(i)))
		}
		rel, coef := s.cols.Column(int(i))
		for q, j := range rel {
			s.sum[j].addMul(num.Magnitude(int64(coef[q])), signed(z, coef[q]))
		}
	}
	for _, i := range touched {
		rel, _ := s.cols.Column(int(i))
		for _, j := range rel {
			if s.sum[j].sign() != 0 {
				return i18n.Errorf("violates the relation %s", p.t.RelationName(int(j)))
			}
		}
	}
	for t, i := range l.Cells {
		f := fraction{num.Magnitude(l.Num[t]), uint64(l.Den)}
		side := s.up
		if l.Num[t] < 0 {
			side = s.dn
		}
		if side[i].less(f) {
			side[i] = f
		}
	}
	return nil
}

// signed returns z with the sign of coef.
func signed(z int64, coef int32) int64 {
	if coef < 0 {
		return -z
	}
	return z
}

// levels checks that every level of every sensitive cell has been shown.
func (s *shower) levels() error {
	t := s.p.t
	for k, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		if s.long[int32(k)] != nil {
			if what := s.longLevels(k); what != "" {
				return i18n.Errorf("%s of cell %s", what, t.CellName(k))
			}
			continue
		}
		up, dn := s.up[k], s.dn[k]
		switch {
		case up.less(fraction{uint64(t.UPL[k]), 1}):
			return i18n.Errorf("no witness shows the upper level of cell %s", t.CellName(k))
		case dn.less(fraction{uint64(t.LPL[k]), 1}):
			return i18n.Errorf("no witness shows the lower level of cell %s", t.CellName(k))
		case !wideEnough(up, dn, uint64(t.Width[k]), t.Strict):
			return i18n.Errorf("no witnesses show the width of cell %s", t.CellName(k))
		}
	}
	return nil
}

// wideEnough reports whether up + dn ≥ width, or > width if strict.
func wideEnough(up, dn fraction, width uint64, strict bool) bool {
	// The whole parts first, then the remainders a/b + c/d.
	var whole, a, c uint64
	b, d := max(1, up.den), max(1, dn.den)
	whole, a = up.num/b, up.num%b
	w, carry := bits.Add64(whole, dn.num/d, 0)
	c = dn.num % d
	if carry != 0 || w > width {
		return true
	}
	sum, carries := num.Mul128(a, d).Add(num.Mul128(c, b)) // below 2·b·d < 2^127
	_ = carries
	unit := num.Mul128(b, d)
	for ; w < width; w++ {
		if sum.Less(unit) {
			return false
		}
		sum = sum.Sub(unit)
	}
	return !strict || !sum.IsZero()
}

package certificate

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Long is z = Num/Den in numbers that do not fit 64 bits: relations with large coefficients give long fractions.
type Long struct {
	Den *big.Int   `json:"den"`
	Num []*big.Int `json:"num"`
}

// addLong is add for a witness in long numbers.
func (s *shower) addLong(l *line) error {
	p, z := s.p, l.Long
	if z.Den == nil || z.Den.Sign() < 1 || len(l.Cells) != len(z.Num) || l.Den != 0 || len(l.Num) > 0 {
		return i18n.Errorf("needs a denominator ≥ 1 and a number for each cell")
	}
	sum := map[int32]*big.Int{} // by relation
	seen := map[int32]bool{}
	for t, i := range l.Cells {
		v := z.Num[t]
		if v == nil {
			return i18n.New("lacks a number")
		}
		if seen[i] {
			return i18n.Errorf("names cell %s twice", p.t.CellName(int(i)))
		}
		seen[i] = true
		capacity := p.up[i]
		if v.Sign() < 0 {
			capacity = p.dn[i]
		}
		switch {
		case !s.x[i] && v.Sign() != 0:
			return i18n.Errorf("moves cell %s, which is published", p.t.CellName(int(i)))
		case capacity != table.PosInf && new(big.Int).Mul(z.Den, big.NewInt(capacity)).CmpAbs(v) < 0:
			return i18n.Errorf("moves cell %s outside the intruder's bounds", p.t.CellName(int(i)))
		}
		rel, coef := s.cols.Column(int(i))
		for q, j := range rel {
			if sum[j] == nil {
				sum[j] = new(big.Int)
			}
			sum[j].Add(sum[j], new(big.Int).Mul(v, big.NewInt(int64(coef[q]))))
		}
	}
	for j, v := range sum {
		if v.Sign() != 0 {
			return i18n.Errorf("violates the relation %s", p.t.RelationName(int(j)))
		}
	}
	if s.long == nil {
		s.long = map[int32]*[2]*big.Rat{}
	}
	for t, i := range l.Cells {
		side := 0
		if z.Num[t].Sign() < 0 {
			side = 1
		}
		reached := new(big.Rat).SetFrac(new(big.Int).Abs(z.Num[t]), z.Den)
		if s.long[i] == nil {
			s.long[i] = &[2]*big.Rat{new(big.Rat), new(big.Rat)}
		}
		if reached.Cmp(s.long[i][side]) > 0 {
			s.long[i][side] = reached
		}
	}
	return nil
}

// longLevels is levels for a cell that a long witness moves: it returns the level that no witness shows, or "".
func (s *shower) longLevels(k int) string {
	t := s.p.t
	reached := *s.long[int32(k)]
	for side, f := range [2]fraction{s.up[k], s.dn[k]} {
		if f.den != 0 {
			v := new(big.Rat).SetFrac(new(big.Int).SetUint64(f.num), new(big.Int).SetUint64(f.den))
			if v.Cmp(reached[side]) > 0 {
				reached[side] = v
			}
		}
	}
	level := func(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }
	c := new(big.Rat).Add(reached[0], reached[1]).Cmp(level(t.Width[k]))
	switch {
	case reached[0].Cmp(level(t.UPL[k])) < 0:
		return "no witness shows the upper level"
	case reached[1].Cmp(level(t.LPL[k])) < 0:
		return "no witness shows the lower level"
	case c < 0 || c == 0 && t.Strict:
		return "no witnesses show the width"
	}
	return ""
}

package oracle

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Values are one table y = Num/Den over all cells, or y = Wide if it does not fit 64 bits; then Num is nil and Den 0.
type Values struct {
	Num  []int64
	Den  int64
	Wide *rational.Vector
}

// At returns y_i.
func (w *Values) At(i int) *big.Rat {
	switch {
	case w.Wide == nil:
		return big.NewRat(w.Num[i], w.Den)
	case w.Wide.Num[i] == nil:
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(w.Wide.Num[i], w.Wide.Den)
}

// NewValues stores y in 64 bits if it fits.
func NewValues(y *rational.Vector) *Values {
	e := End{Idx: make([]int32, len(y.Num))}
	for i := range e.Idx {
		e.Idx[i] = int32(i)
	}
	e.set(y)
	w := &Values{Den: e.Den}
	if e.Wide == nil {
		w.Num = make([]int64, len(y.Num))
		for t, i := range e.Idx {
			w.Num[i] = e.Num[t]
		}
		return w
	}
	w.Wide = &rational.Vector{Num: make([]*big.Int, len(y.Num)), Den: e.Wide.Den}
	for t, i := range e.Idx {
		w.Wide.Num[i] = e.Wide.Num[t]
	}
	return w
}

// Witness returns the base plus the deviation of an end.
func (b *Base) Witness(end *End) *Values {
	if end.Wide == nil {
		if w := b.narrow(end); w != nil {
			return w
		}
	}
	z := end.Wide
	if z == nil {
		z = &rational.Vector{Num: make([]*big.Int, len(end.Num)), Den: big.NewInt(end.Den)}
		for t, v := range end.Num {
			z.Num[t] = big.NewInt(v)
		}
	}
	y := &rational.Vector{Num: make([]*big.Int, len(b.num)), Den: new(big.Int).Mul(z.Den, big.NewInt(b.den))}
	for i, v := range b.num {
		if v != 0 {
			y.Num[i] = new(big.Int).Mul(z.Den, big.NewInt(v))
		}
	}
	for t, i := range end.Idx {
		// The capacities were those for the numerators of the base.
		if y.Num[i] == nil {
			y.Num[i] = new(big.Int)
		}
		y.Num[i].Add(y.Num[i], z.Num[t])
	}
	return NewValues(y)
}

// narrow is Witness in 64 bits; nil if that does not suffice.
func (b *Base) narrow(end *End) *Values {
	if !fits(b.den, end.Den) {
		return nil
	}
	w := &Values{Num: make([]int64, len(b.num)), Den: b.den * end.Den}
	for i, v := range b.num {
		if !fits(v, end.Den) {
			return nil
		}
		w.Num[i] = v * end.Den
	}
	for t, i := range end.Idx {
		if abs64(end.Num[t]) > 1<<62 {
			return nil
		}
		w.Num[i] += end.Num[t]
	}
	return w
}

// fits reports whether a·b is at most 2^62.
func fits(a, b int64) bool {
	if abs64(a) < 1<<31 && abs64(b) < 1<<31 {
		return true
	}
	p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return p.BitLen() <= 62
}

// Check verifies by integer arithmetic that w satisfies everything published of
// t: the relations, the values of cells that are not withheld, and the intruder's
// bounds.
func (w *Values) Check(t *table.Table, withheld []bool) error {
	if w.Wide == nil && (w.Den < 1 || len(w.Num) != t.Len()) {
		return i18n.Errorf("interval: witness of %d cells over %d, want %d cells over a positive denominator", len(w.Num), w.Den, t.Len())
	}
	if w.Wide != nil && (w.Wide.Den.Sign() < 1 || len(w.Wide.Num) != t.Len()) {
		return i18n.Errorf("interval: witness of %d cells over %d, want %d cells over a positive denominator", len(w.Wide.Num), w.Wide.Den, t.Len())
	}
	for i := range t.Len() {
		y := w.At(i)
		switch {
		case !withheld[i] && y.Cmp(new(big.Rat).SetInt64(t.Value[i])) != 0:
			return i18n.Errorf("interval: witness changes the published cell %s", t.CellName(i))
		case t.Lower[i] != table.NegInf && y.Cmp(new(big.Rat).SetInt64(t.Lower[i])) < 0,
			t.Upper[i] != table.PosInf && y.Cmp(new(big.Rat).SetInt64(t.Upper[i])) > 0:
			return i18n.Errorf("interval: witness puts cell %s at %s, outside the intruder's bounds", t.CellName(i), y.RatString())
		}
	}
	if w.Wide != nil && !holdsWide(t.Rel, w.Wide) || w.Wide == nil && !holds(t.Rel, w.Num, t.Rel.RHS, w.Den) {
		return i18n.New("interval: witness violates a relation")
	}
	return nil
}

// holdsWide is holds for long numbers.
func holdsWide(rel *table.Relations, y *rational.Vector) bool {
	var sum, p, q big.Int
	for j := range rel.Len() {
		sum.SetInt64(0)
		cell, coef := rel.Row(j)
		for t, i := range cell {
			if v := y.Num[i]; v != nil {
				sum.Add(&sum, p.Mul(v, q.SetInt64(int64(coef[t]))))
			}
		}
		if sum.Cmp(p.Mul(y.Den, p.SetInt64(rel.RHS[j]))) != 0 {
			return false
		}
	}
	return true
}

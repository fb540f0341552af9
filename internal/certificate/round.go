package certificate

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Round is a mixed-integer rounding row. From the combination Σ a_i x_i ≥ b of the rows Of with weights Mult/Div > 0,
// after substituting x_i = 1 − x̄_i for the cells Flip, it is
//
//	Σ_i (⌊a_i⌋ + min(1, f_i/f))·x_i ≥ ⌈b⌉,   f_i = a_i − ⌊a_i⌋,  f = b − ⌊b⌋ > 0,
//
// with x̄_i substituted back. It holds for all integers x ≥ 0. With weights ½ it is the {0, ½}-cut of the rows (Caprara
// and Fischetti 1996). The rounding is that of Nemhauser and Wolsey (A recursive procedure to generate all cuts for 0–1
// mixed integer programs, Mathematical Programming 46, 1990).
type Round struct {
	Of   []Rule
	Mult []int64
	Div  int64
	Flip []int32
}

// slip is the size up to which a negative coefficient is treated as a rounding error and raised to 0, which is valid as
// x ≥ 0.
const slip = one >> 20

func (c *Round) row(b *book) (*row, error) {
	if len(c.Of) == 0 || len(c.Of) != len(c.Mult) || c.Div < 1 {
		return nil, errParents
	}
	idx, right, err := c.sum(b)
	if err != nil {
		return nil, err
	}
	acc := b.wide
	defer func() {
		for _, i := range idx {
			acc[i] = wide{}
		}
		for _, i := range c.Flip {
			b.mark[i] = false
		}
	}()
	for _, i := range c.Flip {
		b.mark[i] = true
	}
	for _, i := range idx {
		if b.mark[i] {
			right = right.minus(acc[i])
		}
	}
	unit := new(big.Int).Mul(big.NewInt(c.Div), big.NewInt(one))
	total, f := new(big.Int).DivMod(right.int(), unit, new(big.Int))
	if f.Sign() == 0 {
		return nil, errNothing
	}
	total.Add(total, big.NewInt(1))
	total.Lsh(total, oneBits)
	g := rounder{unit: unit, f: f}
	neg := false
	for _, i := range idx {
		flip := b.mark[i]
		a := acc[i].into(&g.a)
		if flip {
			a.Neg(a)
		}
		a = g.round(a)
		if flip {
			total.Sub(total, a)
			a.Neg(a)
		}
		if a.Sign() < 0 {
			if a.Cmp(minusSlip) >= 0 {
				a.SetInt64(0)
			}
			neg = neg || a.Sign() < 0
		}
		acc[i] = wideOf(a)
	}
	if !neg {
		return c.normal(b, idx, total)
	}
	if !total.IsInt64() {
		return nil, errLarge
	}
	out := &row{idx: slices.Clone(idx), coef: make([]int64, len(idx)), rhs: total.Int64(), neg: true}
	for t, i := range idx {
		var ok bool
		if out.coef[t], ok = acc[i].int64(); !ok {
			return nil, errLarge
		}
	}
	return out, nil
}

// sum adds up the rows, in units of 1/(Div·2^52): it returns the cells of all of them in order of occurrence and the
// right-hand side; the coefficients are in b.wide. Each term has at most 126 bits, and a line has room for fewer than
// 2^32 of them.
func (c *Round) sum(b *book) (idx []int32, right wide, err error) {
	if b.wide == nil {
		b.wide = make([]wide, b.p.n)
	}
	rows := make([]*row, len(c.Of))
	for s, of := range c.Of { // they may be rounding rows themselves, which use b.wide
		if rows[s], err = b.derive(of); err != nil {
			return nil, right, err
		}
		if c.Mult[s] < 1 {
			return nil, right, errWeight
		}
	}
	for s, r := range rows {
		u := uint64(c.Mult[s])
		right.addMul(u, r.rhs)
		for t, i := range r.idx {
			if !b.mark[i] {
				b.mark[i] = true
				idx = append(idx, i)
			}
			b.wide[i].addMul(u, r.at(t))
		}
	}
	for _, i := range idx {
		b.mark[i] = false
	}
	return idx, right, nil
}

var minusSlip = big.NewInt(-slip)

// normal is the function normal for the longer coefficients in b.wide.
func (c *Round) normal(b *book, idx []int32, rhs *big.Int) (*row, error) {
	if rhs.Sign() <= 0 {
		return nil, errNothing
	}
	if rhs.BitLen() > 127 {
		return nil, errLarge
	}
	r := &row{rhs: one}
	kept := idx[:0]
	all, right := true, num.Uint128Of(rhs)
	coef := make([]int64, 0, len(idx))
	for _, i := range idx {
		v := one
		switch a := b.wide[i]; {
		case a.sign() == 0:
			continue
		case a.hi == 0 && (num.Uint128{Hi: a.mid, Lo: a.lo}).Less(right):
			v = ratio(num.Uint128{Hi: a.mid, Lo: a.lo}, right)
		}
		all = all && v == one
		b.wide[i] = wide{}
		kept, coef = append(kept, i), append(coef, v)
	}
	if r.idx = slices.Clone(kept); !all {
		r.coef = coef
	}
	return r, nil
}

// A rounder computes ⌊a⌋ + min(1, f_a/f), rounded up to multiples of 2^−52; a and f
// are given in units of 1/unit. The result is valid until the next call.
type rounder struct {
	unit, f       *big.Int
	a, q, r, s, t big.Int
}

func (g *rounder) round(a *big.Int) *big.Int {
	q, f := g.q.DivMod(a, g.unit, &g.r)
	if f.Cmp(g.f) >= 0 {
		q.Add(q, bigOne)
		return q.Lsh(q, oneBits)
	}
	q.Lsh(q, oneBits)
	f.Lsh(f, oneBits)
	f, rest := g.s.DivMod(f, g.f, &g.t)
	if rest.Sign() != 0 {
		f.Add(f, bigOne)
	}
	return q.Add(q, f)
}

var bigOne = big.NewInt(1)

func (c *Round) write(w *writer) line {
	of := sets.Each(c.Of, w.row)
	return line{Is: "round", Of: of, Mult: c.Mult, Div: c.Div, Cells: c.Flip}
}

func readRound(r *reader, l *line) (Rule, error) {
	y, err := r.proof(l)
	if err != nil {
		return nil, err
	}
	of, err := r.rulesOf(y.Rows)
	if err != nil {
		return nil, err
	}
	return &Round{Of: of, Mult: y.Mult, Div: l.Div, Flip: l.Cells}, nil
}

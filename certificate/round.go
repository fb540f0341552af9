package certificate

import (
	"math/big"
)

// A Round is a mixed-integer rounding row. From the combination Σ a_i x_i ≥ b of
// the rows Of with weights Mult/Div > 0, after writing x_i = 1 − x̄_i for the cells
// Flip,
//
//	Σ_i (⌊a_i⌋ + min(1, f_i/f))·x_i ≥ ⌈b⌉,   f_i = a_i − ⌊a_i⌋,  f = b − ⌊b⌋ > 0,
//
// and x̄_i replaced back. It holds for all integers x ≥ 0. With weights ½ it is the
// {0, ½}-cut of the rows.
type Round struct {
	Of   []Rule
	Mult []int64
	Div  int64
	Flip []int32
}

// slip is how far below 0 a coefficient is taken for a rounding error and raised to 0,
// which is valid as x ≥ 0.
const slip = one >> 20

func (c *Round) row(b *book) (*row, error) {
	if len(c.Of) == 0 || len(c.Of) != len(c.Mult) || c.Div < 1 {
		return nil, errParents
	}
	unit := new(big.Int).Mul(big.NewInt(c.Div), big.NewInt(one))
	rhs := new(big.Int)
	sum := map[int32]*big.Int{}
	var idx []int32
	v := new(big.Int)
	for s, of := range c.Of {
		r, err := b.derive(of)
		if err != nil {
			return nil, err
		}
		if c.Mult[s] < 1 {
			return nil, errWeight
		}
		u := big.NewInt(c.Mult[s])
		rhs.Add(rhs, v.Mul(u, big.NewInt(r.rhs)))
		for t, i := range r.idx {
			a := sum[i]
			if a == nil {
				a = new(big.Int)
				sum[i] = a
				idx = append(idx, i)
			}
			a.Add(a, v.Mul(u, v.SetInt64(r.at(t))))
		}
	}
	for _, i := range c.Flip {
		b.mark[i] = true
	}
	defer func() {
		for _, i := range c.Flip {
			b.mark[i] = false
		}
	}()
	for _, i := range idx {
		if b.mark[i] {
			rhs.Sub(rhs, sum[i])
		}
	}
	up, f := new(big.Int).DivMod(rhs, unit, new(big.Int))
	if f.Sign() == 0 {
		return nil, errNothing
	}
	g := rounder{unit: unit, f: f}
	total := up.Add(up, big.NewInt(1))
	total.Mul(total, big.NewInt(one))
	neg := false
	for _, i := range idx {
		a := sum[i]
		if b.mark[i] {
			a = g.round(v.Neg(a))
			total.Sub(total, a)
			a.Neg(a)
		} else {
			a = g.round(a)
		}
		if sum[i] = a; a.Sign() < 0 {
			if a.Cmp(minusSlip) >= 0 {
				a.SetInt64(0)
			}
			neg = neg || a.Sign() < 0
		}
	}
	if !neg {
		return c.normal(idx, sum, total)
	}
	out := &row{idx: idx, coef: make([]int64, len(idx)), rhs: total.Int64(), neg: true}
	for t, i := range idx {
		if out.coef[t] = sum[i].Int64(); !sum[i].IsInt64() {
			return nil, errLarge
		}
	}
	if !total.IsInt64() {
		return nil, errLarge
	}
	return out, nil
}

var minusSlip = big.NewInt(-slip)

// normal does what the function normal does, with longer numbers.
func (c *Round) normal(idx []int32, coef map[int32]*big.Int, rhs *big.Int) (*row, error) {
	if rhs.Sign() <= 0 {
		return nil, errNothing
	}
	if rhs.BitLen() > 127 {
		return nil, errLarge
	}
	r := &row{rhs: one}
	all, right := true, u128Of(rhs)
	for _, i := range idx {
		v := one
		switch a := coef[i]; {
		case a.Sign() == 0:
			continue
		case a.Cmp(rhs) < 0:
			v = ratio(u128Of(a), right)
		}
		all = all && v == one
		r.idx, r.coef = append(r.idx, i), append(r.coef, v)
	}
	if all {
		r.coef = nil
	}
	return r, nil
}

// A rounder computes ⌊a⌋ + min(1, f_a/f), rounded up to multiples of 2^−52; a and f
// are given in units of 1/unit.
type rounder struct {
	unit, f *big.Int
}

func (g *rounder) round(a *big.Int) *big.Int {
	q, f := new(big.Int).DivMod(a, g.unit, new(big.Int))
	if f.Cmp(g.f) >= 0 {
		q.Add(q, big.NewInt(1))
		return q.Lsh(q, oneBits)
	}
	q.Lsh(q, oneBits)
	f.Lsh(f, oneBits)
	f, rest := f.DivMod(f, g.f, new(big.Int))
	if rest.Sign() != 0 {
		f.Add(f, big.NewInt(1))
	}
	return q.Add(q, f)
}

func (c *Round) write(w *writer) line {
	of := make([]int32, len(c.Of))
	for s, r := range c.Of {
		of[s] = w.row(r)
	}
	return line{Is: "round", Of: of, Mult: c.Mult, Div: c.Div, Cells: c.Flip}
}

func readRound(r *reader, l *line) (Rule, error) {
	of, err := r.rulesOf(l.Of)
	if err != nil {
		return nil, err
	}
	return &Round{Of: of, Mult: l.Mult, Div: l.Div, Flip: l.Cells}, nil
}

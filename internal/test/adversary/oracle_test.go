package adversary

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// A room holds the deviations z = y − a that an intruder cannot rule out:
//
//	M z = 0,  lb_i − a_i ≤ z_i ≤ ub_i − a_i for withheld cells, z_i = 0 for others.
//
// It is the bounded simplex as textbooks have it: a basis, Bland's rule, no tolerance. Row r says
//
//	den·z[basis[r]] + Σ_j tab[r][j]·z[free[j]] = 0
//
// in whole numbers, which a change of basis keeps whole (Edmonds 1967). z = 0, the true
// table, is where it starts: a free variable may stand between its bounds until it is first moved.
type room struct {
	at     map[int]int // cell → variable
	basis  []int
	free   []int
	tab    [][]*big.Int
	den    *big.Int
	z      []*big.Rat
	lo, hi []*big.Rat // nil: infinite
}

// blank returns a table of n cells that are 0, free and without costs.
func blank(n int) *table.Table {
	t := &table.Table{Counts: true,
		Value: make([]int64, n), Cost: make([]int64, n), Status: make([]table.Status, n),
		LPL: make([]int64, n), UPL: make([]int64, n), Width: make([]int64, n),
		Lower: make([]int64, n), Upper: make([]int64, n), Rel: table.NewRelations(n)}
	for i := range n {
		t.Upper[i] = table.PosInf
	}
	return t
}

// newRoom sets up the room of t, whose values are all known, while the cells withheld are.
func newRoom(t *table.Table, withheld []bool) *room {
	r := &room{at: map[int]int{}, den: big.NewInt(1)}
	for i, w := range withheld {
		if !w {
			continue
		}
		r.at[i] = len(r.z)
		r.free = append(r.free, len(r.z))
		var lo, hi *big.Rat
		if t.Lower[i] != table.NegInf {
			lo = difference(t.Lower[i], t.Value[i])
		}
		if t.Upper[i] != table.PosInf {
			hi = difference(t.Upper[i], t.Value[i])
		}
		r.z, r.lo, r.hi = append(r.z, new(big.Rat)), append(r.lo, lo), append(r.hi, hi)
	}
	for j := range t.Rel.Len() {
		row := make([]*big.Int, len(r.free))
		for s := range row {
			row[s] = new(big.Int)
		}
		cells, coef := t.Rel.Row(j)
		for s, i := range cells {
			if v, in := r.at[int(i)]; in {
				row[v].Add(row[v], big.NewInt(int64(coef[s])))
			}
		}
		r.tab, r.basis = append(r.tab, row), append(r.basis, -1)
	}
	r.eliminate()
	return r
}

// eliminate gives every row a variable of its own. At first the row's own is nothing but the 0 on
// its right; that leaves the basis for good, or the row says 0 = 0 and is dropped.
func (r *room) eliminate() {
	for row := 0; row < len(r.tab); {
		s := 0
		for s < len(r.free) && r.tab[row][s].Sign() == 0 {
			s++
		}
		if s == len(r.free) {
			r.tab = append(r.tab[:row], r.tab[row+1:]...)
			r.basis = append(r.basis[:row], r.basis[row+1:]...)
			continue
		}
		r.exchange(row, s)
		for i := range r.tab {
			r.tab[i] = append(r.tab[i][:s], r.tab[i][s+1:]...)
		}
		r.free = append(r.free[:s], r.free[s+1:]...)
		row++
	}
}

// exchange lets the s-th free variable and that of a row change places.
func (r *room) exchange(row, s int) {
	p := r.tab[row][s]
	same := p.Cmp(r.den) == 0
	var x, y big.Int
	for i := range r.tab {
		f := r.tab[i][s]
		if i == row || same && f.Sign() == 0 {
			continue
		}
		for j := range r.free {
			if b := r.tab[row][j]; j != s && !(same && b.Sign() == 0) {
				a := r.tab[i][j]
				a.Quo(x.Sub(x.Mul(p, a), y.Mul(f, b)), r.den)
			}
		}
		f.Neg(f)
	}
	r.tab[row][s], r.den = r.den, p
	r.basis[row], r.free[s] = r.free[s], r.basis[row]
	if r.den.Sign() < 0 {
		r.den.Neg(r.den)
		for i := range r.tab {
			for _, a := range r.tab[i] {
				a.Neg(a)
			}
		}
	}
}

// far maximises sign·z of a cell; nil: without end.
func (r *room) far(cell, sign int) *big.Rat {
	v, in := r.at[cell]
	if !in {
		return new(big.Rat)
	}
	for {
		s, dir := r.entering(v, sign)
		if s < 0 {
			z := new(big.Rat).Set(r.z[v])
			if sign < 0 {
				z.Neg(z)
			}
			return z
		}
		if !r.step(s, dir) {
			return nil
		}
	}
}

// entering is Bland's choice: the first free variable that gains when it moves (dir = ±1) and can; −1: none.
func (r *room) entering(v, sign int) (s, dir int) {
	s = -1
	row := -1
	for i, b := range r.basis {
		if b == v {
			row = i
		}
	}
	for j, f := range r.free {
		gain := 0
		if row >= 0 {
			gain = -sign * r.tab[row][j].Sign()
		} else if f == v {
			gain = sign
		}
		if gain > 0 && below(r.z[f], r.hi[f]) || gain < 0 && (r.lo[f] == nil || r.z[f].Cmp(r.lo[f]) > 0) {
			if s < 0 || f < r.free[s] {
				s, dir = j, gain
			}
		}
	}
	return s, dir
}

// step moves the s-th free variable in direction dir until it or the first variable of the basis
// meets a bound; false: none ever does.
func (r *room) step(s, dir int) bool {
	f := r.free[s]
	most, out := gap(r.z[f], r.lo[f], r.hi[f], dir), -1
	for i, b := range r.basis {
		turn := -dir * r.tab[i][s].Sign()
		if turn == 0 {
			continue
		}
		g := gap(r.z[b], r.lo[b], r.hi[b], turn)
		if g == nil {
			continue
		}
		g.Mul(g, new(big.Rat).SetFrac(r.den, new(big.Int).Abs(r.tab[i][s])))
		if most == nil || g.Cmp(most) < 0 || g.Cmp(most) == 0 && out >= 0 && b < r.basis[out] {
			most, out = g, i
		}
	}
	if most == nil {
		return false
	}
	if dir < 0 {
		most.Neg(most)
	}
	r.z[f].Add(r.z[f], most)
	for i, b := range r.basis {
		if r.tab[i][s].Sign() != 0 {
			d := new(big.Rat).SetFrac(r.tab[i][s], r.den)
			r.z[b].Sub(r.z[b], d.Mul(d, most))
		}
	}
	if out >= 0 {
		r.exchange(out, s)
	}
	return true
}

// gap is the way of z to its bound in direction dir; nil: none there.
func gap(z, lo, hi *big.Rat, dir int) *big.Rat {
	switch {
	case dir > 0 && hi != nil:
		return new(big.Rat).Sub(hi, z)
	case dir < 0 && lo != nil:
		return new(big.Rat).Sub(z, lo)
	}
	return nil
}

// below reports z < hi, where nil is infinite.
func below(z, hi *big.Rat) bool { return hi == nil || z.Cmp(hi) < 0 }

// difference returns x − y, which need not be an int64.
func difference(x, y int64) *big.Rat {
	d := new(big.Int).Sub(big.NewInt(x), big.NewInt(y))
	return new(big.Rat).SetInt(d)
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// A span is how far a cell can move either way; nil: without end.
type span struct{ down, up *big.Rat }

// span returns how far a cell can move.
func (r *room) span(cell int) span { return span{r.far(cell, -1), r.far(cell, 1)} }

// width is down + up; nil: infinite.
func (s span) width() *big.Rat {
	if s.down == nil || s.up == nil {
		return nil
	}
	return new(big.Rat).Add(s.down, s.up)
}

// end writes an end; nil is infinite.
func end(r *big.Rat) string {
	if r == nil {
		return "∞"
	}
	return r.RatString()
}

func same(x, y *big.Rat) bool { return x == nil && y == nil || x != nil && y != nil && x.Cmp(y) == 0 }

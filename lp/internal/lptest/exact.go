package lptest

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/lp"
)

// An exact answer is what the rational simplex below proved: status is Optimal,
// Infeasible or Unbounded and never in doubt. The vectors are rounded to
// float64; they are nil where the status does not define them.
type exact struct {
	status lp.Status
	value  float64
	x, y   []float64 // an optimum and its duals
	farkas []float64 // nil if the program has crossed bounds
	ray    []float64
}

// solveExact solves p by the two-phase tableau method in rational arithmetic
// with Bland's rule. It is the judge of small random programs: a program of ten
// columns and rows takes milliseconds, one of a hundred far too long.
func solveExact(p *lp.Problem) exact {
	for j := range p.Lo {
		if p.Lo[j] > p.Up[j] {
			return exact{status: lp.Infeasible}
		}
	}
	for i := range p.Rows {
		if p.Rows[i].Lo > p.Rows[i].Up {
			return exact{status: lp.Infeasible}
		}
	}
	t := newTableau(p)
	phase1 := make([]*big.Rat, t.cols)
	for k := range phase1 {
		phase1[k] = new(big.Rat)
		if k >= t.real {
			phase1[k].SetInt64(1)
		}
	}
	t.price(phase1)
	t.run()
	if t.value.Sign() > 0 {
		return exact{status: lp.Infeasible, farkas: t.duals(phase1, len(p.Rows))}
	}
	t.expelArtificials()
	t.price(t.cost)
	if enter := t.run(); enter >= 0 {
		step := make([]*big.Rat, t.cols)
		for k := range step {
			step[k] = new(big.Rat)
		}
		step[enter].SetInt64(1)
		for i, k := range t.basis {
			step[k].Neg(t.a[i][enter])
		}
		return exact{status: lp.Unbounded, ray: t.columns(step, false)}
	}
	at := make([]*big.Rat, t.cols)
	for k := range at {
		at[k] = new(big.Rat)
	}
	for i, k := range t.basis {
		at[k] = t.rhs[i]
	}
	e := exact{status: lp.Optimal, x: t.columns(at, true), y: t.duals(t.cost, len(p.Rows))}
	sum := new(big.Rat)
	for j, x := range t.exactColumns(at, true) {
		sum.Add(sum, new(big.Rat).Mul(rat(p.Cost[j]), x))
	}
	e.value, _ = sum.Float64()
	return e
}

// A tableau holds min cᵀz, Az = b, z ≥ 0 with b ≥ 0 and one artificial column
// per row behind the real ones. Column j of the program is base_j + Σ ±z.
type tableau struct {
	a          [][]*big.Rat
	rhs        []*big.Rat
	cost, red  []*big.Rat // red: reduced costs under the costs last priced
	value      *big.Rat
	basis      []int
	real, cols int
	flipped    []bool // rows multiplied by −1 to make b ≥ 0
	rowOf      []int  // row of the program → row of the tableau, −1 if free
	base       []*big.Rat
	plus       []int // the z that moves column j up, −1: none
	minus      []int // the z that moves column j down, −1: none
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func newTableau(p *lp.Problem) *tableau {
	n := p.NumCols()
	t := &tableau{base: make([]*big.Rat, n), plus: make([]int, n), minus: make([]int, n), rowOf: make([]int, len(p.Rows))}
	column := func(cost *big.Rat) int {
		t.cost = append(t.cost, cost)
		return len(t.cost) - 1
	}
	type entry struct {
		k int
		v *big.Rat
	}
	var rows [][]entry
	row := func(rhs *big.Rat, es ...entry) int {
		rows = append(rows, es)
		t.rhs = append(t.rhs, rhs)
		return len(rows) - 1
	}
	one := big.NewRat(1, 1)
	neg := func(r *big.Rat) *big.Rat { return new(big.Rat).Neg(r) }
	sub := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
	for j := range n {
		lo, up := p.Lo[j], p.Up[j]
		t.base[j], t.plus[j], t.minus[j] = new(big.Rat), -1, -1
		c := rat(p.Cost[j])
		switch {
		case lo == up:
			t.base[j] = rat(lo)
		case !math.IsInf(lo, -1):
			t.base[j] = rat(lo)
			t.plus[j] = column(c)
			if !math.IsInf(up, 1) {
				row(sub(rat(up), rat(lo)), entry{t.plus[j], one}, entry{column(new(big.Rat)), one})
			}
		case !math.IsInf(up, 1):
			t.base[j] = rat(up)
			t.minus[j] = column(neg(c))
		default:
			t.plus[j] = column(c)
			t.minus[j] = column(neg(c))
		}
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		t.rowOf[i] = -1
		var es []entry
		shift := new(big.Rat)
		for k, j := range r.Idx {
			v := rat(r.Val[k])
			shift.Add(shift, new(big.Rat).Mul(v, t.base[j]))
			if t.plus[j] >= 0 {
				es = append(es, entry{t.plus[j], v})
			}
			if t.minus[j] >= 0 {
				es = append(es, entry{t.minus[j], neg(v)})
			}
		}
		switch {
		case r.Lo == r.Up:
			t.rowOf[i] = row(sub(rat(r.Lo), shift), es...)
		case !math.IsInf(r.Lo, -1):
			s := column(new(big.Rat))
			t.rowOf[i] = row(sub(rat(r.Lo), shift), append(es, entry{s, neg(one)})...)
			if !math.IsInf(r.Up, 1) {
				row(sub(rat(r.Up), rat(r.Lo)), entry{s, one}, entry{column(new(big.Rat)), one})
			}
		case !math.IsInf(r.Up, 1):
			t.rowOf[i] = row(sub(rat(r.Up), shift), append(es, entry{column(new(big.Rat)), one})...)
		}
	}
	t.real = len(t.cost)
	t.cols = t.real + len(rows)
	for len(t.cost) < t.cols {
		t.cost = append(t.cost, new(big.Rat))
	}
	for i, es := range rows {
		dense := make([]*big.Rat, t.cols)
		for k := range dense {
			dense[k] = new(big.Rat)
		}
		flip := t.rhs[i].Sign() < 0
		if flip {
			t.rhs[i].Neg(t.rhs[i])
		}
		for _, e := range es {
			if flip {
				dense[e.k].Sub(dense[e.k], e.v)
			} else {
				dense[e.k].Add(dense[e.k], e.v)
			}
		}
		dense[t.real+i].SetInt64(1)
		t.a = append(t.a, dense)
		t.basis = append(t.basis, t.real+i)
		t.flipped = append(t.flipped, flip)
	}
	return t
}

// price computes the reduced costs and the value of the basis under cost.
func (t *tableau) price(cost []*big.Rat) {
	t.red = make([]*big.Rat, t.cols)
	t.value = new(big.Rat)
	for k := range t.red {
		t.red[k] = new(big.Rat).Set(cost[k])
	}
	for i, k := range t.basis {
		c := cost[k]
		if c.Sign() == 0 {
			continue
		}
		t.value.Add(t.value, new(big.Rat).Mul(c, t.rhs[i]))
		for j := range t.red {
			if t.a[i][j].Sign() != 0 {
				t.red[j].Sub(t.red[j], new(big.Rat).Mul(c, t.a[i][j]))
			}
		}
	}
}

// run pivots by Bland's rule to the optimum and returns −1, or the entering
// column along which the program is unbounded.
func (t *tableau) run() int {
	for {
		enter := -1
		for k := range t.real {
			if t.red[k].Sign() < 0 {
				enter = k
				break
			}
		}
		if enter < 0 {
			return -1
		}
		leave := -1
		var best big.Rat
		for i := range t.a {
			if t.a[i][enter].Sign() <= 0 {
				continue
			}
			var ratio big.Rat
			ratio.Quo(t.rhs[i], t.a[i][enter])
			if c := ratio.Cmp(&best); leave < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[leave] {
				leave = i
				best.Set(&ratio)
			}
		}
		if leave < 0 {
			return enter
		}
		t.pivot(leave, enter)
	}
}

func (t *tableau) pivot(r, k int) {
	inv := new(big.Rat).Inv(t.a[r][k])
	for j := range t.a[r] {
		if t.a[r][j].Sign() != 0 {
			t.a[r][j].Mul(t.a[r][j], inv)
		}
	}
	t.rhs[r].Mul(t.rhs[r], inv)
	var tmp big.Rat
	eliminate := func(row []*big.Rat, f *big.Rat) {
		for j, v := range t.a[r] {
			if v.Sign() != 0 {
				row[j].Sub(row[j], tmp.Mul(f, v))
			}
		}
	}
	for i := range t.a {
		if i == r || t.a[i][k].Sign() == 0 {
			continue
		}
		f := new(big.Rat).Set(t.a[i][k])
		eliminate(t.a[i], f)
		t.rhs[i].Sub(t.rhs[i], tmp.Mul(f, t.rhs[r]))
	}
	f := new(big.Rat).Set(t.red[k])
	eliminate(t.red, f)
	t.value.Add(t.value, tmp.Mul(f, t.rhs[r]))
	t.basis[r] = k
}

// expelArtificials pivots artificial columns, all 0 after phase 1, out of the
// basis; those that stay belong to rows that the others imply.
func (t *tableau) expelArtificials() {
	for i, b := range t.basis {
		if b < t.real {
			continue
		}
		for k := range t.real {
			if t.a[i][k].Sign() != 0 {
				t.pivot(i, k)
				break
			}
		}
	}
}

// duals reads the multipliers of the m rows of the program off the artificial
// columns.
func (t *tableau) duals(cost []*big.Rat, m int) []float64 {
	y := make([]float64, m)
	for i, r := range t.rowOf {
		if r < 0 {
			continue
		}
		k := t.real + r
		v := new(big.Rat).Sub(cost[k], t.red[k])
		if t.flipped[r] {
			v.Neg(v)
		}
		y[i], _ = v.Float64()
	}
	return y
}

// exactColumns maps z back to the columns of the program, as a point (with the
// base of every column) or as a direction.
func (t *tableau) exactColumns(z []*big.Rat, point bool) []*big.Rat {
	x := make([]*big.Rat, len(t.base))
	for j := range x {
		x[j] = new(big.Rat)
		if point {
			x[j].Set(t.base[j])
		}
		if k := t.plus[j]; k >= 0 {
			x[j].Add(x[j], z[k])
		}
		if k := t.minus[j]; k >= 0 {
			x[j].Sub(x[j], z[k])
		}
	}
	return x
}

func (t *tableau) columns(z []*big.Rat, point bool) []float64 {
	x := make([]float64, len(t.base))
	for j, v := range t.exactColumns(z, point) {
		x[j], _ = v.Float64()
	}
	return x
}

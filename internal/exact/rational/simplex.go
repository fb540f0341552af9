package rational

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Inf is a missing bound, with either sign.
const Inf = math.MaxInt64

// A Status says how a search ended.
type Status uint8

const (
	Optimal    Status = iota
	Unbounded         // X is feasible, and Ray can be followed without limit
	Infeasible        // Y proves it: Yᵀ b exceeds every value of (Yᵀ A) x
)

// An Answer is exact. Vectors have one entry for each column, Y one for each row.
type Answer struct {
	Status Status
	X      *Vector
	Ray    *Vector // A Ray = 0, ±Ray_k > 0
	// Y has reduced costs d = ±e_k − Aᵀ Y that are, at an optimum, ≤ 0 where x may increase and ≥ 0 where it may
	// decrease.
	Y *Vector
}

// ErrSteps is returned if a search took too many steps.
var ErrSteps = i18n.New("rational: too many steps of the simplex method")

// A Solver keeps its basis from one question to the next. It is not safe for
// concurrent use.
type Solver struct {
	a      *matrix
	rhs    []*big.Int
	lo, up []int64 // by column; 0 for unit vectors
	at     []int64 // by column outside the basis: its value
	place  []int32 // by column: its position in the basis, −1 outside
	basis  []int32 // by position
	f      *factor // factor of the basis; nil: not computed yet
	prime  int
	x      *Vector // values of the basis, by position
}

// New returns a solver over n columns and the rows ptr, col, coef, in the form of table.Relations, with the right-hand
// sides rhs, which it keeps, and the bounds lo ≤ up (−Inf, Inf: none).
func New(n int, ptr, col, coef []int32, rhs []*big.Int, lo, up []int64) *Solver {
	s := &Solver{a: newMatrix(n, ptr, col, coef), rhs: rhs}
	all := n + s.a.m
	s.lo, s.up, s.at, s.place = make([]int64, all), make([]int64, all), make([]int64, all), make([]int32, all)
	copy(s.lo, lo)
	copy(s.up, up)
	s.Start(nil, nil)
	return s
}

// Start makes the next search begin at a basis of as many of the columns basic as are independent, with at (nil: 0, or
// the bound next to it) as values of the others. A basis that differs from the last one in few columns is derived from
// it.
func (s *Solver) Start(basic []int32, at []int64) {
	for j := range s.at {
		v := int64(0)
		if at != nil && j < s.a.n {
			v = at[j]
		}
		s.at[j] = min(max(v, s.lo[j]), s.up[j])
	}
	if s.f == nil || !s.f.follow(basic, s.place) {
		s.prime = 0
		s.f = newFactor(s.a, num.Prime(0), basic)
	}
	s.take()
}

// Bound sets lo ≤ x_j ≤ up for later searches, which start from the current basis.
func (s *Solver) Bound(j int, lo, up int64) {
	s.lo[j], s.up[j] = lo, up
	s.at[j] = min(max(s.at[j], lo), up)
}

// take makes the columns of the factor the basis.
func (s *Solver) take() {
	s.basis = append(s.basis[:0], s.f.col...)
	for j := range s.place {
		s.place[j] = -1
	}
	for t, j := range s.basis {
		s.place[j] = int32(t)
	}
}

// refactor eliminates the basis, modulo another prime if it is singular modulo the current one.
func (s *Solver) refactor() error {
	for ; s.prime < 100; s.prime++ {
		f := newFactor(s.a, num.Prime(s.prime), s.basis)
		whole := true
		for _, j := range f.col {
			whole = whole && s.place[j] >= 0
		}
		if whole {
			s.f = f
			s.take()
			return nil
		}
	}
	return i18n.New("rational: the basis is singular")
}

// Number of consecutive degenerate steps after which the first improving column enters (Bland's rule, which cannot
// cycle) instead of the best one.
const patience = 12

// Point returns the point of the basis, nil if it is outside the bounds.
func (s *Solver) Point(ctx context.Context) (*Vector, error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	bound := new(big.Int)
	for t := range s.basis {
		if s.outside(t, bound) != 0 {
			return nil, nil
		}
	}
	return s.whole(), nil
}

// Duals returns the multipliers Y of the basis for x_k: e_k − Aᵀ Y is 0 in its columns.
func (s *Solver) Duals(ctx context.Context, k int) (*Vector, error) {
	if err := s.factorise(); err != nil {
		return nil, err
	}
	cost := make([]*big.Int, s.a.m)
	if t := s.place[k]; t >= 0 {
		cost[t] = big.NewInt(1)
	}
	return s.f.solveT(ctx, cost)
}

// factorise eliminates the basis if that has not been done.
func (s *Solver) factorise() error {
	if s.f != nil {
		return nil
	}
	return s.refactor()
}

// settle solves for the point of the basis.
func (s *Solver) settle(ctx context.Context) (err error) {
	if err := s.factorise(); err != nil {
		return err
	}
	s.x, err = s.f.solve(ctx, s.remainder())
	return err
}

// Feasible looks for any feasible point: the answer is Infeasible, or X without Y. It stops like Maximise.
func (s *Solver) Feasible(ctx context.Context, steps int) (*Answer, error) {
	return s.Maximise(ctx, -1, 0, steps)
}

// Maximise maximises sign·x_k. It stops with ErrSteps after the given number of steps (0: no limit) and with the cause
// of ctx when that ends.
func (s *Solver) Maximise(ctx context.Context, k, sign, steps int) (*Answer, error) {
	still := 0
	for step := 0; ; step++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if steps > 0 && step >= steps {
			return nil, ErrSteps
		}
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
		cost, first := s.costs(k, sign)
		y, err := s.f.solveT(ctx, cost)
		if err != nil {
			return nil, err
		}
		enter, dir := s.enter(y, k, sign, first, still >= patience)
		switch {
		case enter < 0 && first:
			return &Answer{Status: Infeasible, Y: y}, nil
		case enter < 0:
			return &Answer{Status: Optimal, X: s.whole(), Y: y}, nil
		}
		column := make([]*big.Int, s.a.m)
		row, coef := s.a.column(enter)
		for t, i := range row {
			column[i] = big.NewInt(coef[t] * int64(dir))
		}
		alpha, err := s.f.solve(ctx, column)
		if err != nil {
			return nil, err
		}
		moved, endless := s.step(alpha, enter, dir, still >= patience)
		if endless {
			if first { // the sum of infeasibilities would decrease without bound
				return nil, i18n.New("rational: no end to a bounded sum")
			}
			ray := &Vector{Num: make([]*big.Int, len(s.at)), Den: alpha.Den}
			for t, v := range alpha.Num {
				if v != nil {
					ray.Num[s.basis[t]] = new(big.Int).Neg(v)
				}
			}
			ray.Num[enter] = new(big.Int).Mul(big.NewInt(int64(dir)), alpha.Den)
			ray.Num = ray.Num[:s.a.n]
			return &Answer{Status: Unbounded, X: s.whole(), Ray: ray}, nil
		}
		if still++; moved {
			still = 0
		}
	}
}

// remainder returns b minus the contribution of the columns outside the basis.
func (s *Solver) remainder() []*big.Int {
	r := make([]*big.Int, s.a.m)
	for i, v := range s.rhs {
		r[i] = new(big.Int).Set(v)
	}
	var p, q big.Int
	for j, v := range s.at {
		if v == 0 || s.place[j] >= 0 {
			continue
		}
		row, coef := s.a.column(int32(j))
		for t, i := range row {
			r[i].Sub(r[i], p.Mul(p.SetInt64(v), q.SetInt64(coef[t])))
		}
	}
	return r
}

// outside returns −1 if the t-th basic column is below its lower bound, 1 if it is above its upper bound.
func (s *Solver) outside(t int, bound *big.Int) int {
	j := s.basis[t]
	v := s.x.Num[t]
	if v == nil {
		v = zero
	}
	if lo := s.lo[j]; lo != -Inf && v.Cmp(bound.Mul(s.x.Den, bound.SetInt64(lo))) < 0 {
		return -1
	}
	if up := s.up[j]; up != Inf && v.Cmp(bound.Mul(s.x.Den, bound.SetInt64(up))) > 0 {
		return 1
	}
	return 0
}

var zero = new(big.Int)

// costs returns the costs of the basis: those of the sum of infeasibilities if there are any (first), else those of
// sign·x_k.
func (s *Solver) costs(k, sign int) (cost []*big.Int, first bool) {
	cost = make([]*big.Int, s.a.m)
	bound := new(big.Int)
	for t := range cost {
		if o := s.outside(t, bound); o != 0 {
			cost[t] = big.NewInt(int64(-o))
			first = true
		}
	}
	if !first && k >= 0 && s.place[k] >= 0 {
		cost[s.place[k]] = big.NewInt(int64(sign))
	}
	return cost, first
}

// enter returns an improving column and the direction in which to move it, −1 if there is none.
func (s *Solver) enter(y *Vector, k, sign int, first, bland bool) (enter int32, dir int) {
	enter = -1
	var best, d, p, q big.Int
	for j := range int32(s.a.n) {
		if s.place[j] >= 0 || s.lo[j] == s.up[j] {
			continue
		}
		d.SetInt64(0)
		if int(j) == k && !first {
			d.Mul(y.Den, p.SetInt64(int64(sign)))
		}
		row, coef := s.a.column(j)
		for t, i := range row {
			if v := y.Num[i]; v != nil {
				d.Sub(&d, p.Mul(v, q.SetInt64(coef[t])))
			}
		}
		if d.Sign() > 0 && s.at[j] < s.up[j] || d.Sign() < 0 && s.at[j] > s.lo[j] {
			if enter < 0 || d.CmpAbs(&best) > 0 {
				best.Set(&d)
				enter, dir = j, d.Sign()
			}
			if bland {
				break
			}
		}
	}
	return enter, dir
}

// step moves column enter in direction dir, by which the basis moves by −alpha, until a column reaches a bound. moved
// reports whether anything moved.
func (s *Solver) step(alpha *Vector, enter int32, dir int, bland bool) (moved, endless bool) {
	// The step of each is room/|alpha_t| in units of alpha.Den/x.Den.
	var room, least, by, bound, l, r big.Int
	leave, to := int32(-1), int64(0)
	for t, a := range alpha.Num {
		if a == nil {
			continue
		}
		j := s.basis[t]
		o := s.outside(t, &bound)
		end := s.up[j] // the bound in its direction
		if a.Sign() > 0 {
			end = s.lo[j]
			if o > 0 {
				end = s.up[j] // back to feasibility first
			} else if o < 0 {
				continue
			}
		} else if o < 0 {
			end = s.lo[j]
		} else if o > 0 {
			continue
		}
		if end == Inf || end == -Inf {
			continue
		}
		room.Mul(s.x.Den, room.SetInt64(end))
		if v := s.x.Num[t]; v != nil {
			room.Sub(&room, v)
		}
		room.Abs(&room)
		c := -1
		if leave >= 0 {
			c = l.Mul(&room, &by).CmpAbs(r.Mul(&least, a))
		}
		if c == 0 { // a tie: take the first, or the one with the largest entry
			if bland && j < s.basis[leave] || !bland && a.CmpAbs(&by) > 0 {
				c = -1
			}
		}
		if c < 0 {
			leave, to = int32(t), end
			least.Set(&room)
			by.Abs(a)
		}
	}
	if end := s.farEnd(enter, dir); end != Inf && end != -Inf {
		// Its own bound is that far times x.Den/alpha.Den away in these units.
		room.Sub(bound.SetInt64(end), l.SetInt64(s.at[enter]))
		room.Abs(&room)
		room.Mul(&room, s.x.Den)
		if leave < 0 || l.Mul(&room, &by).Cmp(r.Mul(&least, alpha.Den)) <= 0 {
			s.at[enter] = end
			return room.Sign() > 0, false
		}
	}
	if leave < 0 {
		return false, true
	}
	j := s.basis[leave]
	s.at[j], s.place[j] = to, -1
	s.basis[leave], s.place[enter] = enter, leave
	s.f.column(enter)
	if len(s.f.etas) == maxEtas || !s.f.replace(leave, enter) {
		s.f = nil
	}
	return least.Sign() > 0, false
}

// farEnd returns the bound of column j in direction dir.
func (s *Solver) farEnd(j int32, dir int) int64 {
	if dir > 0 {
		return s.up[j]
	}
	return s.lo[j]
}

// whole returns the point by column.
func (s *Solver) whole() *Vector {
	v := s.x
	out := &Vector{Num: make([]*big.Int, s.a.n), Den: v.Den}
	for j := range out.Num {
		switch t := s.place[j]; {
		case t >= 0:
			out.Num[j] = v.Num[t]
		case s.at[j] != 0:
			out.Num[j] = new(big.Int).Mul(v.Den, big.NewInt(s.at[j]))
		}
	}
	return out
}

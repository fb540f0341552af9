// Package simplex is a bounded-variable revised simplex in plain Go, the
// default back end of package lp. It is made for long sequences of closely
// related programs: the linear programs of an intruder, where only bounds and
// objective change, and Benders masters, which grow and lose rows.
//
// Every row i gets a logical variable s_i, so that the program reads
//
//	minimise    cᵀx
//	subject to  Ax − s = 0,  lo ≤ x ≤ up,  rlo ≤ s ≤ rup
//
// and slack, equality, ranged and free rows are bounds like any other. Variable
// j < n is column j and variable n+i the logical of row i. A basis is a set of
// m variables whose columns of (A, −I) are independent.
//
// A solve alternates between a dual simplex, which makes the basis primal
// feasible, and a primal simplex, which makes it dual feasible, until nothing
// is left to do. Neither needs a phase 1: the dual simplex moves boxed
// variables to the bound their reduced cost wants and shifts the cost of the
// others, and the primal simplex starts from a primal feasible basis only.
package simplex

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/hitoku/hitoku/lp"
)

func init() {
	lp.Register("simplex", func() (lp.Solver, error) { return New(), nil })
}

// A status is the state of a variable.
type status = lp.BasisStatus

const (
	basic   = lp.Basic
	atLower = lp.AtLower // also for fixed variables
	atUpper = lp.AtUpper
	free    = lp.Free
)

// Tolerances. Bounds count as satisfied within feasTol·max(1, |bound|), reduced
// costs within feasTol times the largest cost.
const (
	feasTol  = 1e-9
	alphaTol = 1e-9 // entries of the tableau below this are no pivots
)

// A Solver is an lp.Solver that also implements lp.BasisKeeper and
// lp.RowDeleter.
type Solver struct {
	loaded bool
	n, m   int
	mat    matrix
	scale  scaling
	limits lp.Limits

	// By variable, all scaled. blo, bup, bcost are the model; lo, up, cost
	// are what the simplex works with: the model plus perturbations.
	blo, bup, bcost []float64
	lo, up, cost    []float64
	x, d            []float64
	unit            []float64 // scale of x: the scaled value of 1
	stat            []status
	crossed         int     // variables with lo > up
	beside          int     // variables with lo > 0 or up < 0
	priced          []int32 // columns with a cost

	// The nonbasic variables that are not fixed, and the place of each in the
	// list (−1: not active).
	active []int32
	place  []int32

	head []int32 // variable in each position of the basis
	pos  []int32 // position of each basic variable, −1: nonbasic
	dse  []float64
	inf  []float64 // squared primal infeasibility by position

	least, most []float64 // relaxed bounds by position, for the dual simplex

	fac       factor
	haveBasis bool // head and stat are a basis, possibly to be repaired
	given     bool // stat comes from SetBasis
	recosted  bool // costs have changed since the last solve
	haveHead  bool // head lists the basic variables
	haveFac   bool // fac is the factorisation of head
	haveX     bool // x is right but for the variables in dirty
	haveD     bool // d and y are right for the active variables
	haveDSE   bool // dse are edge norms, or at least good reference weights
	dirty     []int32
	isDirty   []bool

	costScale float64 // largest |bcost|, 1 if all are 0
	costLeast float64 // smallest |bcost| but 0, at least costScale/100
	dualTol   float64
	noise     float64 // smallest meaningful primal infeasibility
	mark      float64 // dual bound that counted as progress last, see Limits.Patience
	markIter  int     // when it was reached
	hurry     bool    // the primal simplex hands over to the dual after a while
	missed    bool    // the target was a mirage of shifted costs or loosened bounds
	relax     float64 // factor on feasTol, above 1 only where a solve is stuck
	perturbed bool    // cost differs from bcost
	loosened  bool    // lo or up differ from blo, bup

	devex  []float64 // reference weights of the primal simplex, by variable
	weight []float64 // dse by variable, while positions change

	rho, col, tau, flip, rhs vec  // by row
	alpha                    vec  // row of the tableau, by variable
	alphaFull                bool // alpha.x has nonzeros that idx does not list
	cand                     []candidate
	cands, leftover          []int32
	y                        []float64

	ctx      context.Context
	iters    int
	deadline time.Time
	stop     lp.Status // why the loop was left, if it was

	res                          lp.Result
	outX, outY, outD, outF, outR []float64
}

// New returns a Solver without a model.
func New() *Solver { return &Solver{} }

// Capabilities says that everything in lp.Capabilities is supported.
func (s *Solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{
		Name: "simplex", Version: "hitoku",
		WarmBounds: true, WarmCost: true, WarmRows: true,
		Farkas: true, Ray: true, Cutoff: true, Target: true, Interrupt: true,
		Basis: true, DeleteRows: true,
	}
}

// Close drops the model.
func (s *Solver) Close() error {
	*s = Solver{}
	return nil
}

// SetLimits holds for all later calls of Solve.
func (s *Solver) SetLimits(l lp.Limits) { s.limits = l }

// Load copies p. Cost O(n + m + entries).
func (s *Solver) Load(p *lp.Problem) error {
	s.loaded = false
	if err := p.Check(); err != nil {
		return err
	}
	n := p.NumCols()
	s.n, s.m = n, 0
	s.scale.load(p)
	s.mat.reset(n)
	s.crossed, s.beside = 0, 0
	s.sizeVars(0)
	s.sizeVars(n)
	s.dirty = s.dirty[:0]
	clear(s.isDirty)
	for j := range n {
		c := s.scale.col(j)
		s.bcost[j] = p.Cost[j] * c
		s.blo[j], s.bup[j], s.unit[j] = p.Lo[j]/c, p.Up[j]/c, 1/c
		s.count(p.Lo[j], p.Up[j], 1)
	}
	s.haveBasis, s.haveHead, s.haveFac = false, false, false
	s.haveX, s.haveD, s.haveDSE = false, false, false
	s.perturbed, s.loosened, s.given = false, false, false
	s.fac.density = [4]float64{}
	s.loaded, s.recosted = true, true
	s.appendRows(p.Rows)
	return nil
}

// sizeVars resizes everything that is indexed by variables.
func (s *Solver) sizeVars(k int) {
	s.blo, s.bup, s.bcost = resized(s.blo, k), resized(s.bup, k), resized(s.bcost, k)
	s.lo, s.up, s.cost = resized(s.lo, k), resized(s.up, k), resized(s.cost, k)
	s.x, s.d = resized(s.x, k), resized(s.d, k)
	s.stat, s.unit = resized(s.stat, k), resized(s.unit, k)
	s.place, s.pos = resized(s.place, k), resized(s.pos, k)
	s.isDirty = resized(s.isDirty, k)
	s.devex, s.weight = resized(s.devex, k), resized(s.weight, k)
	s.clearAlpha()
	s.alpha.resize(k)
}

// sizeRows resizes everything that is indexed by rows or positions.
func (s *Solver) sizeRows(m int) {
	s.head = resized(s.head, m)
	s.dse, s.inf = resized(s.dse, m), resized(s.inf, m)
	s.least, s.most = resized(s.least, m), resized(s.most, m)
	for _, v := range []*vec{&s.rho, &s.col, &s.tau, &s.flip, &s.rhs} {
		v.resize(m)
	}
	s.y = resized(s.y, m)
}

// appendRows adds rows whose logicals become basic.
func (s *Solver) appendRows(rows []lp.Row) {
	first, n := s.m, s.n
	for i := range rows {
		s.scale.addRow(&rows[i])
		s.mat.appendRow(rows[i].Idx, s.scale.values(&rows[i], first+i))
	}
	s.m += len(rows)
	s.sizeVars(n + s.m)
	s.sizeRows(s.m)
	for i := range rows {
		v, r := n+first+i, s.scale.row(first+i)
		s.blo[v], s.bup[v], s.unit[v] = rows[i].Lo*r, rows[i].Up*r, r
		s.count(rows[i].Lo, rows[i].Up, 1)
		s.bcost[v], s.cost[v], s.d[v] = 0, 0, 0
		s.lo[v], s.up[v] = s.blo[v], s.bup[v]
		s.stat[v], s.place[v], s.pos[v] = basic, -1, int32(first+i)
		s.isDirty[v] = false
		s.head[first+i] = int32(v)
		s.dse[first+i], s.weight[v] = 0, 0 // to be computed
	}
	s.mat.byColumns(first)
	s.haveFac = false
	if s.haveBasis && s.haveX {
		for i := first; i < s.m; i++ {
			s.x[n+i] = s.activity(i)
		}
	}
	if s.haveBasis {
		s.reactivate(first)
	}
}

// activity returns row i of Ax.
func (s *Solver) activity(i int) float64 {
	a := 0.0
	idx, val := s.mat.row(i)
	for k, j := range idx {
		a += val[k] * s.x[j]
	}
	return a
}

// AddRows adds rows and keeps the basis: their logicals enter it.
func (s *Solver) AddRows(rows ...lp.Row) (int, error) {
	if !s.loaded {
		return 0, lp.ErrNotLoaded
	}
	if err := lp.CheckRows(rows, s.m, s.n); err != nil {
		return 0, err
	}
	first := s.m
	if len(rows) > 0 {
		s.appendRows(rows)
	}
	return first, nil
}

// DeleteRows removes the rows i with drop[i] and keeps the rest of the basis;
// where a dropped row was active, one basic variable too many is left, which
// the next factorisation finds. Cost O(n + entries).
func (s *Solver) DeleteRows(drop []bool) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if len(drop) != s.m {
		return &lp.ModelError{Row: -1, Col: -1, What: fmt.Sprintf("%d marks for %d rows", len(drop), s.m)}
	}
	n, k := s.n, 0
	tight := false
	s.saveWeights()
	for i, dr := range drop {
		v := n + i
		if dr {
			s.count(s.blo[v], s.bup[v], -1)
			tight = tight || s.stat[v] != basic
			continue
		}
		if k < i {
			w := n + k
			s.blo[w], s.bup[w], s.bcost[w] = s.blo[v], s.bup[v], s.bcost[v]
			s.lo[w], s.up[w], s.cost[w] = s.lo[v], s.up[v], s.cost[v]
			s.x[w], s.d[w], s.stat[w], s.isDirty[w] = s.x[v], s.d[v], s.stat[v], s.isDirty[v]
			s.weight[w], s.unit[w] = s.weight[v], s.unit[v]
			s.scale.moveRow(i, k)
		}
		k++
	}
	if k == s.m {
		return nil
	}
	// If no dropped row was active, the norms of the other rows of the inverse
	// stay as they are.
	s.haveDSE = s.haveDSE && !tight
	t := 0
	for _, v := range s.dirty {
		if int(v) < n {
			s.dirty[t] = v
			t++
		}
	}
	s.dirty = s.dirty[:t]
	s.mat.deleteRows(drop)
	s.scale.cut(k)
	s.m = k
	s.sizeVars(n + k)
	s.sizeRows(k)
	for v := n; v < n+k; v++ {
		if s.isDirty[v] {
			s.dirty = append(s.dirty, int32(v))
		}
	}
	s.haveFac, s.haveHead = false, false
	s.haveX, s.haveD = s.haveX && !tight, s.haveD && !tight
	if s.haveBasis {
		s.relist()
	}
	return nil
}

// SetColBounds changes the bounds of column j.
func (s *Solver) SetColBounds(j int, lo, up float64) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= s.n {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("column index out of range [0, %d)", s.n)}
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: -1, Col: j, What: err.Error()}
	}
	c := s.scale.col(j)
	s.setBounds(int32(j), lo/c, up/c)
	return nil
}

// SetRowBounds changes the bounds of row i.
func (s *Solver) SetRowBounds(i int, lo, up float64) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if i < 0 || i >= s.m {
		return &lp.ModelError{Row: i, Col: -1, What: fmt.Sprintf("row index out of range [0, %d)", s.m)}
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: i, Col: -1, What: err.Error()}
	}
	r := s.scale.row(i)
	s.setBounds(int32(s.n+i), lo*r, up*r)
	return nil
}

// count adds by to the counts of the kinds of bounds that lo and up are.
func (s *Solver) count(lo, up float64, by int) {
	if lo > up {
		s.crossed += by
	}
	if lo > 0 || up < 0 {
		s.beside += by
	}
}

func (s *Solver) setBounds(v int32, lo, up float64) {
	if s.blo[v] == lo && s.bup[v] == up {
		return
	}
	s.count(s.blo[v], s.bup[v], -1)
	s.count(lo, up, 1)
	s.blo[v], s.bup[v] = lo, up
	if !s.isDirty[v] {
		s.isDirty[v] = true
		s.dirty = append(s.dirty, v)
	}
}

// SetCost changes the cost of column j.
func (s *Solver) SetCost(j int, c float64) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= s.n {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("column index out of range [0, %d)", s.n)}
	}
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("cost %g, want a finite number", c)}
	}
	if c *= s.scale.col(j); c != s.bcost[j] {
		s.bcost[j], s.cost[j] = c, c
		s.haveD, s.recosted = false, true
	}
	return nil
}

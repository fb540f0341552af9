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

// A solver is an lp.Solver that also implements lp.BasisKeeper and
// lp.RowDeleter.
type solver struct {
	n, m    int // columns and rows; there are n + m variables
	limits  lp.Limits
	model   model
	point   point
	basis   basis
	pricing pricing
	scratch scratch
	course  course
	out     output
}

// A model is the program as it was given, scaled; bounds and costs by variable.
type model struct {
	loaded          bool
	mat             matrix
	scale           scaling
	blo, bup, bcost []float64
	unit            []float64 // scale of x: the scaled value of 1
	crossed         int       // number of variables with lo > up
	beside          int       // number of variables with lo > 0 or up < 0
	priced          []int32   // columns with nonzero cost
	costScale       float64   // largest |bcost|, 1 if all are 0
	costLeast       float64   // smallest nonzero |bcost|, at least costScale/100
}

// A point is a primal and a dual point, and the bounds and costs the simplex works
// with: those of the model and perturbations.
type point struct {
	lo, up, cost []float64 // by variable, like x and d
	x, d         []float64
	y            []float64 // by row
	dirty        []int32
	isDirty      []bool
	perturbed    bool // cost differs from bcost
	loosened     bool // lo or up differ from blo, bup
	haveX        bool // x is right except for the variables in dirty
	haveD        bool // d and y are right for the active variables
}

// A basis is the state of every variable and the factorisation of the basic columns.
type basis struct {
	stat []status
	head []int32 // variable in each position of the basis
	pos  []int32 // position of each basic variable, −1: nonbasic

	// active are the nonbasic variables that are not fixed; place is the index of each in active (−1: not active).
	active []int32
	place  []int32

	fac       factor
	haveBasis bool // head and stat are a basis, possibly to be repaired
	given     bool // stat comes from SetBasis
	recosted  bool // costs have changed since the last solve
	haveHead  bool // head lists the basic variables
	haveFac   bool // fac is the factorisation of head
}

// A pricing chooses the entering and leaving variables: dual steepest edge by position, Devex by variable for the
// primal simplex.
type pricing struct {
	dse, inf        []float64 // edge norms, squared primal infeasibility
	least, most     []float64 // relaxed bounds, for the dual simplex
	devex           []float64 // reference weights
	weight          []float64 // dse by variable, while positions change
	haveDSE         bool      // dse are edge norms, or at least good reference weights
	cand            []candidate
	cands, leftover []int32
}

// Scratch holds the vectors of one iteration.
type scratch struct {
	rho, col, tau, flip, rhs vec  // indexed by row
	alpha                    vec  // row of the tableau, by variable
	alphaFull                bool // alpha.x has nonzeros that idx does not list
}

// A course is the progress of a solve, with its tolerances.
type course struct {
	ctx      context.Context
	iters    int
	deadline time.Time
	stop     lp.Status // why the loop ended, if it did
	mark     float64   // last dual bound that counted as progress, see Limits.Patience
	markIter int       // iteration at which it was reached
	hurry    bool      // the primal simplex hands over to the dual after maxHurry iterations
	dual     bool      // a limit stopped the dual simplex
	missed   bool      // the target was met only because of shifted costs or loosened bounds
	relax    float64   // factor on feasTol, above 1 only if a solve is stuck
	dualTol  float64
	noise    float64 // smallest meaningful primal infeasibility
}

// An output is the result of Solve, in slices that are reused.
type output struct {
	res           lp.Result
	x, y, d, f, r []float64 // primal, dual, reduced costs, Farkas, ray
}

// New returns a solver without a model. It is an lp.BasisKeeper and an lp.RowDeleter as well, and belongs to one
// goroutine.
func New() lp.Solver { return &solver{} }

// Capabilities says that everything in lp.Capabilities is supported.
func (s *solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{
		Name: "simplex", Version: "hitoku",
		WarmBounds: true, WarmCost: true, WarmRows: true,
		Farkas: true, Ray: true, Cutoff: true, Target: true, Interrupt: true,
		Basis: true, DeleteRows: true,
	}
}

// Close drops the model.
func (s *solver) Close() error {
	*s = solver{}
	return nil
}

// SetLimits holds for all later calls of Solve.
func (s *solver) SetLimits(l lp.Limits) { s.limits = l }

// Load copies p. Cost O(n + m + entries).
func (s *solver) Load(p *lp.Problem) error {
	s.model.loaded = false
	if err := p.Check(); err != nil {
		return err
	}
	n := p.NumCols()
	s.n, s.m = n, 0
	s.model.scale.load(p)
	s.model.mat.reset(n)
	s.model.crossed, s.model.beside = 0, 0
	s.sizeVars(0)
	s.sizeVars(n)
	s.point.dirty = s.point.dirty[:0]
	clear(s.point.isDirty)
	for j := range n {
		c := s.model.scale.col(j)
		s.model.bcost[j] = p.Cost[j] * c
		s.model.blo[j], s.model.bup[j], s.model.unit[j] = p.Lo[j]/c, p.Up[j]/c, 1/c
		s.count(p.Lo[j], p.Up[j], 1)
	}
	s.basis.haveBasis, s.basis.haveHead, s.basis.haveFac = false, false, false
	s.point.haveX, s.point.haveD, s.pricing.haveDSE = false, false, false
	s.point.perturbed, s.point.loosened, s.basis.given = false, false, false
	s.basis.fac.density = [4]float64{}
	s.model.loaded, s.basis.recosted = true, true
	s.appendRows(p.Rows)
	return nil
}

// sizeVars resizes everything that is indexed by variables.
func (s *solver) sizeVars(k int) {
	s.model.blo, s.model.bup, s.model.bcost = resized(s.model.blo, k), resized(s.model.bup, k), resized(s.model.bcost, k)
	s.point.lo, s.point.up, s.point.cost = resized(s.point.lo, k), resized(s.point.up, k), resized(s.point.cost, k)
	s.point.x, s.point.d = resized(s.point.x, k), resized(s.point.d, k)
	s.basis.stat, s.model.unit = resized(s.basis.stat, k), resized(s.model.unit, k)
	s.basis.place, s.basis.pos = resized(s.basis.place, k), resized(s.basis.pos, k)
	s.point.isDirty = resized(s.point.isDirty, k)
	s.pricing.devex, s.pricing.weight = resized(s.pricing.devex, k), resized(s.pricing.weight, k)
	s.clearAlpha()
	s.scratch.alpha.resize(k)
}

// sizeRows resizes everything that is indexed by rows or positions.
func (s *solver) sizeRows(m int) {
	s.basis.head = resized(s.basis.head, m)
	s.pricing.dse, s.pricing.inf = resized(s.pricing.dse, m), resized(s.pricing.inf, m)
	s.pricing.least, s.pricing.most = resized(s.pricing.least, m), resized(s.pricing.most, m)
	for _, v := range []*vec{&s.scratch.rho, &s.scratch.col, &s.scratch.tau, &s.scratch.flip, &s.scratch.rhs} {
		v.resize(m)
	}
	s.point.y = resized(s.point.y, m)
}

// appendRows adds rows whose logicals become basic.
func (s *solver) appendRows(rows []lp.Row) {
	first, n := s.m, s.n
	for i := range rows {
		s.model.scale.addRow(&rows[i])
		s.model.mat.appendRow(rows[i].Idx, s.model.scale.values(&rows[i], first+i))
	}
	s.m += len(rows)
	s.sizeVars(n + s.m)
	s.sizeRows(s.m)
	for i := range rows {
		v, r := n+first+i, s.model.scale.row(first+i)
		s.model.blo[v], s.model.bup[v], s.model.unit[v] = rows[i].Lo*r, rows[i].Up*r, r
		s.count(rows[i].Lo, rows[i].Up, 1)
		s.model.bcost[v], s.point.cost[v], s.point.d[v] = 0, 0, 0
		s.point.lo[v], s.point.up[v] = s.model.blo[v], s.model.bup[v]
		s.basis.stat[v], s.basis.place[v], s.basis.pos[v] = basic, -1, int32(first+i)
		s.point.isDirty[v] = false
		s.basis.head[first+i] = int32(v)
		s.pricing.dse[first+i], s.pricing.weight[v] = 0, 0 // to be computed
	}
	s.model.mat.byColumns(first)
	s.basis.haveFac = false
	if s.basis.haveBasis && s.point.haveX {
		for i := first; i < s.m; i++ {
			s.point.x[n+i] = s.activity(i)
		}
	}
	if s.basis.haveBasis {
		s.reactivate(first)
	}
}

// activity returns row i of Ax.
func (s *solver) activity(i int) float64 {
	a := 0.0
	idx, val := s.model.mat.row(i)
	for k, j := range idx {
		a += float64(val[k] * s.point.x[j])
	}
	return a
}

// AddRows adds rows and keeps the basis: their logicals enter it.
func (s *solver) AddRows(rows ...lp.Row) (int, error) {
	if !s.model.loaded {
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

// DeleteRows removes the rows i with drop[i] and keeps the rest of the basis; if a dropped row was active, there is one
// basic variable too many, which the next factorisation detects. Cost O(n + entries).
func (s *solver) DeleteRows(drop []bool) error {
	if !s.model.loaded {
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
			s.count(s.model.blo[v], s.model.bup[v], -1)
			tight = tight || s.basis.stat[v] != basic
			continue
		}
		if k < i {
			w := n + k
			s.model.blo[w], s.model.bup[w], s.model.bcost[w] = s.model.blo[v], s.model.bup[v], s.model.bcost[v]
			s.point.lo[w], s.point.up[w], s.point.cost[w] = s.point.lo[v], s.point.up[v], s.point.cost[v]
			s.point.x[w], s.point.d[w], s.basis.stat[w], s.point.isDirty[w] = s.point.x[v], s.point.d[v], s.basis.stat[v], s.point.isDirty[v]
			s.pricing.weight[w], s.model.unit[w] = s.pricing.weight[v], s.model.unit[v]
			s.model.scale.r[k] = s.model.scale.r[i]
		}
		k++
	}
	if k == s.m {
		return nil
	}
	// If no dropped row was active, the norms of the other rows of the inverse are unchanged.
	s.pricing.haveDSE = s.pricing.haveDSE && !tight
	t := 0
	for _, v := range s.point.dirty {
		if int(v) < n {
			s.point.dirty[t] = v
			t++
		}
	}
	s.point.dirty = s.point.dirty[:t]
	s.model.mat.deleteRows(drop)
	s.model.scale.r = s.model.scale.r[:k]
	s.m = k
	s.sizeVars(n + k)
	s.sizeRows(k)
	for v := n; v < n+k; v++ {
		if s.point.isDirty[v] {
			s.point.dirty = append(s.point.dirty, int32(v))
		}
	}
	s.basis.haveFac, s.basis.haveHead = false, false
	s.point.haveX, s.point.haveD = s.point.haveX && !tight, s.point.haveD && !tight
	if s.basis.haveBasis {
		s.relist()
	}
	return nil
}

// column checks that there is a column j.
func (s *solver) column(j int) error {
	if !s.model.loaded {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= s.n {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("column index out of range [0, %d)", s.n)}
	}
	return nil
}

// SetColBounds changes the bounds of column j.
func (s *solver) SetColBounds(j int, lo, up float64) error {
	if err := s.column(j); err != nil {
		return err
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: -1, Col: j, What: err.Error()}
	}
	c := s.model.scale.col(j)
	s.setBounds(int32(j), lo/c, up/c)
	return nil
}

// SetRowBounds changes the bounds of row i.
func (s *solver) SetRowBounds(i int, lo, up float64) error {
	if !s.model.loaded {
		return lp.ErrNotLoaded
	}
	if i < 0 || i >= s.m {
		return &lp.ModelError{Row: i, Col: -1, What: fmt.Sprintf("row index out of range [0, %d)", s.m)}
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: i, Col: -1, What: err.Error()}
	}
	r := s.model.scale.row(i)
	s.setBounds(int32(s.n+i), lo*r, up*r)
	return nil
}

// count adds by to the counts of crossed bounds and of bounds that exclude 0, if lo and up are such.
func (s *solver) count(lo, up float64, by int) {
	if lo > up {
		s.model.crossed += by
	}
	if lo > 0 || up < 0 {
		s.model.beside += by
	}
}

func (s *solver) setBounds(v int32, lo, up float64) {
	if s.model.blo[v] == lo && s.model.bup[v] == up {
		return
	}
	s.count(s.model.blo[v], s.model.bup[v], -1)
	s.count(lo, up, 1)
	s.model.blo[v], s.model.bup[v] = lo, up
	if !s.point.isDirty[v] {
		s.point.isDirty[v] = true
		s.point.dirty = append(s.point.dirty, v)
	}
}

// SetCost changes the cost of column j.
func (s *solver) SetCost(j int, c float64) error {
	if err := s.column(j); err != nil {
		return err
	}
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("cost %g, want a finite number", c)}
	}
	if c *= s.model.scale.col(j); c != s.model.bcost[j] {
		s.model.bcost[j], s.point.cost[j] = c, c
		s.point.haveD, s.basis.recosted = false, true
	}
	return nil
}

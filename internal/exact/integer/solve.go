package integer

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/lp"
)

// A node is a subset of the points: those of its parent with the bounds of one column narrowed.
type node struct {
	parent *node
	col    int32
	lo, up int64
	bound  int64
	depth  int
	number int
}

// Before orders by least bound, then by greatest depth.
func (n *node) Before(o *node) bool {
	switch {
	case n.bound != o.bound:
		return n.bound < o.bound
	case n.depth != o.depth:
		return n.depth > o.depth
	}
	return n.number < o.number
}

// A search is the state of one call of Solve.
type search struct {
	p      *Program
	opt    *Options
	solver lp.Solver
	start  time.Time
	tight  *tightener
	q      proof
	open   heap.Heap[*node]
	made   int
	boxes
	best    []int64
	upper   int64
	least   int64 // least bound of the open nodes that were given up
	res     Result
	nodes   int
	left    int // iterations left, if limited
	step    int64
	offset  int64 // values are congruent to this modulo step
	limited bool
}

// boxes are the bounds of the variables.
type boxes struct {
	lo, up []int64 // at all nodes
	l, u   []int64 // at the current node
	inL    []int64 // as last sent to the back end
	inU    []int64
}

// Solve finds a point of least value. If a limit or ctx ends it, it returns what it has, without an error. The rows of
// Check and Relaxed are added to p. Nodes are taken in order of their bound, and each branching is followed down on the
// side to which the relaxation leans. Unless ctx ends it, the same program, options and back end give the same result.
func Solve(ctx context.Context, p *Program, opt *Options) (*Result, error) {
	if opt == nil {
		opt = &Options{}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &search{p: p, opt: opt, start: time.Now(), upper: None, least: None, left: opt.Iterations}
	if opt.Below != 0 {
		s.upper = opt.Below
	}
	ctx = work.Metered(ctx)
	ctx, stop := work.Limited(ctx, work.Now(ctx), opt.TimeLimit)
	defer stop()
	if opt.Start != nil {
		if !p.Holds(opt.Start) {
			return nil, i18n.Errorf("integer: the start is no point of the program")
		}
		if p.value(opt.Start) > s.upper {
			return nil, i18n.Errorf("integer: the start is not below what is of interest")
		}
		s.best, s.upper = append(make([]int64, 0, len(opt.Start)), opt.Start...), p.value(opt.Start)
	}
	s.lo, s.up = append([]int64(nil), p.Lo...), append([]int64(nil), p.Up...)
	s.tight = newTightener(p)
	s.tight.all()
	if !s.tight.run(s.lo, s.up) {
		return s.result(true), nil
	}
	s.step, s.offset = p.residue(s.lo, s.up)
	if err := s.load(); err != nil {
		return nil, err
	}
	defer s.solver.Close()
	done, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return s.result(done), nil
}

// load passes the program to the back end.
func (s *search) load() error {
	solver, err := lp.Open(s.opt.LP)
	if err != nil {
		return err
	}
	n := len(s.p.Cost)
	m := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for i := range n {
		m.Cost[i], m.Lo[i], m.Up[i] = float64(s.p.Cost[i]), float64(s.lo[i]), float64(s.up[i])
	}
	for j := range s.p.Rows {
		m.Rows = append(m.Rows, s.p.Rows[j].float())
	}
	if err := solver.Load(m); err != nil {
		solver.Close()
		return err
	}
	s.solver = solver
	s.inL, s.inU = append([]int64(nil), s.lo...), append([]int64(nil), s.up...)
	s.l, s.u = append([]int64(nil), s.lo...), append([]int64(nil), s.up...)
	return nil
}

// float returns the row in the form of package lp.
func (r *Row) float() lp.Row {
	f := lp.Row{Lo: math.Inf(-1), Up: math.Inf(1), Idx: r.Idx, Val: make([]float64, len(r.Coef))}
	if r.Lo != -None {
		f.Lo = float64(r.Lo)
	}
	if r.Up != None {
		f.Up = float64(r.Up)
	}
	for t, c := range r.Coef {
		f.Val[t] = float64(c)
	}
	return f
}

// run processes the nodes; it returns true if none is left.
func (s *search) run(ctx context.Context) (bool, error) {
	next := &node{col: -1, bound: s.floor()}
	for {
		if next == nil {
			for len(s.open) > 0 && next == nil {
				if n := s.open.Pop(); n.bound < s.upper {
					next = n
				}
			}
			if next == nil {
				return true, nil
			}
		}
		if ctx.Err() != nil || s.opt.Nodes > 0 && s.nodes >= s.opt.Nodes {
			s.least = next.bound
			return false, nil
		}
		s.nodes++
		n := next
		var err error
		if next, err = s.work(ctx, n); err != nil {
			if ctx.Err() != nil || errors.Is(err, errIterations) {
				s.least = n.bound
				return false, nil
			}
			return false, err
		}
		if s.opt.Progress != nil {
			lower := s.lower()
			if next != nil {
				lower = min(lower, next.bound)
			}
			s.opt.Progress(Progress{Nodes: s.nodes, Lower: min(lower, s.upper), Upper: s.upper, Seconds: time.Since(s.start).Seconds()})
		}
	}
}

// floor returns the lower bound that follows from the bounds of the columns alone.
func (s *search) floor() int64 {
	var v int64
	for i, c := range s.p.Cost {
		v += min(c*s.lo[i], c*s.up[i])
	}
	return v
}

// lower returns the least bound of an open node.
func (s *search) lower() int64 {
	if len(s.open) == 0 {
		return None
	}
	return s.open[0].bound
}

// enter sets the bounds of node n and propagates them; false if it has no points.
func (s *search) enter(n *node) bool {
	copy(s.l, s.lo)
	copy(s.u, s.up)
	for m := n; m.parent != nil; m = m.parent {
		s.l[m.col], s.u[m.col] = max(s.l[m.col], m.lo), min(s.u[m.col], m.up)
		if s.l[m.col] > s.u[m.col] {
			return false
		}
		s.tight.touch(m.col)
	}
	return s.tight.run(s.l, s.u)
}

// tell passes the bounds of the node to the back end.
func (s *search) tell() error {
	for i := range s.l {
		if s.l[i] != s.inL[i] || s.u[i] != s.inU[i] {
			if err := s.solver.SetColBounds(i, float64(s.l[i]), float64(s.u[i])); err != nil {
				return err
			}
			s.inL[i], s.inU[i] = s.l[i], s.u[i]
		}
	}
	return nil
}

// nodeTime is the approximate time of a node for each column, besides its programs.
const nodeTime = 100 * time.Nanosecond

// work bounds node n, takes the point that it may give, and branches; it returns the child to continue with, nil if
// there is none.
func (s *search) work(ctx context.Context, n *node) (*node, error) {
	work.Spend(ctx, time.Duration(len(s.p.Cost))*nodeTime)
	if !s.enter(n) {
		return nil, nil
	}
	for {
		if err := s.tell(); err != nil {
			return nil, err
		}
		if s.opt.Iterations > 0 {
			if s.left <= 0 {
				return nil, errIterations
			}
			s.solver.SetLimits(lp.Limits{Iterations: s.left})
		}
		r, err := s.solver.Solve(ctx)
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		s.left -= r.Iterations + 1
		switch r.Status {
		case lp.Infeasible:
			if r.Farkas != nil && s.ray(r.Farkas) {
				return nil, nil
			}
			return s.branch(n, nil), nil
		case lp.Optimal:
		default:
			return s.branch(n, nil), nil
		}
		if r.Dual != nil && s.q.prove(s.p, s.p.Cost, r.Dual, s.l, s.u) {
			n.bound = max(n.bound, next(s.q.bound(), s.step, s.offset))
			if n.bound >= s.upper {
				return nil, nil
			}
			if s.q.fix(s.better(), s.l, s.u) && n.parent == nil {
				copy(s.lo, s.l)
				copy(s.up, s.u)
			}
		}
		if more, err := s.relaxed(r.Primal); err != nil || more {
			if err != nil {
				return nil, err
			}
			continue
		}
		z, whole := s.rounded(r.Primal)
		if !whole {
			return s.branch(n, r.Primal), nil
		}
		if more, err := s.relaxed(floats(z)); err != nil || more { // rounding may have produced a point that they exclude
			if err != nil {
				return nil, err
			}
			continue
		}
		more, err := s.take(ctx, z)
		switch {
		case err != nil:
			return nil, err
		case more:
			continue
		case n.bound >= s.upper:
			return nil, nil
		}
		return s.branch(n, r.Primal), nil
	}
}

// relaxed adds the rows that Relaxed returns against x, and reports whether there are any.
func (s *search) relaxed(x []float64) (bool, error) {
	if s.opt.Relaxed == nil {
		return false, nil
	}
	rows := s.opt.Relaxed(x)
	if len(rows) == 0 {
		return false, nil
	}
	return true, s.addRows(rows, nil)
}

// floats converts z to floating point.
func floats(z []int64) []float64 {
	x := make([]float64, len(z))
	for i, v := range z {
		x[i] = float64(v)
	}
	return x
}

// better returns the cutoff: a number above all values that are better than the best known, and at most that.
func (s *search) better() int64 {
	if s.upper == None {
		return None
	}
	return next(s.upper-s.step, s.step, s.offset) + 1
}

// ray reports whether a Farkas ray, or its opposite, proves exactly that the node has no points.
func (s *search) ray(y []float64) bool {
	most := 0.0
	for _, v := range y {
		most = max(most, math.Abs(v))
	}
	if most == 0 || math.IsInf(most, 0) || math.IsNaN(most) {
		return false
	}
	scaled := make([]float64, len(y))
	for j, v := range y {
		scaled[j] = v / most
	}
	return s.q.prove(s.p, nil, scaled, s.l, s.u) && s.q.positive()
}

// near is how far from an integer a column of the relaxation may be and still be rounded to it. The point is checked
// exactly anyway.
const near = 1e-6

// rounded returns the nearest integral point, and whether the relaxation's point is near to it.
func (s *search) rounded(x []float64) (z []int64, whole bool) {
	z = make([]int64, len(x))
	for i, v := range x {
		f := math.Round(v)
		if math.Abs(v-f) > near {
			return nil, false
		}
		z[i] = min(max(int64(f), s.l[i]), s.u[i])
	}
	return z, s.p.Holds(z)
}

// take stores z if it is the best point so far; more reports whether Check gave new rows.
func (s *search) take(ctx context.Context, z []int64) (more bool, err error) {
	if s.p.value(z) >= s.upper {
		return false, nil
	}
	if s.opt.Check != nil {
		rows, ok, err := s.opt.Check(ctx, z)
		switch {
		case err != nil:
			return false, err
		case len(rows) > 0:
			return true, s.addRows(rows, z)
		case !ok:
			return false, nil
		}
	}
	s.best, s.upper = z, s.p.value(z)
	return false, nil
}

// errIterations ends a search that has used all its iterations.
var errIterations = i18n.New("no iterations left")

// addRows adds rows; z, if not nil, must violate them.
func (s *search) addRows(rows []Row, z []int64) error {
	var added []lp.Row
	for k := range rows {
		if z != nil && rows[k].holds(z) {
			return i18n.Errorf("integer: a row of Check holds at the point that it is to cut off")
		}
		if err := s.p.inRange(&rows[k]); err != nil {
			return i18n.Errorf("integer: a row added: %w", err)
		}
		added = append(added, rows[k].float())
	}
	s.p.Rows = append(s.p.Rows, rows...)
	s.p.steep = 0
	s.res.Cuts += len(rows)
	s.tight = newTightener(s.p)
	_, err := s.solver.AddRows(added...)
	return err
}

// branch splits node n at the column about which the relaxation x (nil: unknown) is least certain, and returns the
// child on the side where x is. A node whose columns are all fixed is a point or has none.
func (s *search) branch(n *node, x []float64) *node {
	col, best := -1, -1.0
	var rank int8
	for i := range s.l {
		if s.l[i] == s.u[i] {
			continue
		}
		var first int8
		if s.p.First != nil {
			first = s.p.First[i]
		}
		score := 0.0
		if x != nil {
			f := x[i] - math.Floor(x[i])
			if score = min(f, 1-f); score < near {
				score = 0
			}
		}
		if score == 0 {
			first = -1 // only if no column is fractional
		}
		if col < 0 || first > rank || first == rank && score > best {
			col, best, rank = i, score, first
		}
	}
	if col < 0 {
		return s.settle(n)
	}
	at := s.l[col] + (s.u[col]-s.l[col])/2
	down := true
	if x != nil {
		at = min(max(int64(math.Floor(x[col]+near)), s.l[col]), s.u[col]-1)
		down = x[col]-float64(at) <= 0.5
	}
	child := func(lo, up int64) *node {
		s.made++
		return &node{parent: n, col: int32(col), lo: lo, up: up, bound: n.bound, depth: n.depth + 1, number: s.made}
	}
	below, above := child(s.l[col], at), child(at+1, s.u[col])
	if !down {
		below, above = above, below
	}
	s.open.Push(above)
	return below
}

// settle takes the only point of a node, if it is one. Check and Relaxed have seen the point before, or the relaxation
// could not be solved: then the node stays open, as nothing is known about it.
func (s *search) settle(n *node) *node {
	z := append(make([]int64, 0, len(s.l)), s.l...) // not nil even without columns
	if !s.p.Holds(z) || s.p.value(z) >= s.upper {
		return nil
	}
	if s.opt.Check == nil && s.opt.Relaxed == nil {
		s.best, s.upper = z, s.p.value(z)
		return nil
	}
	s.limited = true
	s.least = min(s.least, n.bound)
	return nil
}

// result returns the outcome.
func (s *search) result(done bool) *Result {
	r := &s.res
	r.Nodes, r.Z, r.Value = s.nodes, s.best, s.upper
	r.Bound = min(s.lower(), s.least, s.upper)
	switch done = done && !s.limited; {
	case done && s.best != nil:
		r.Status, r.Bound = Optimal, r.Value
	case done:
		r.Status = Infeasible
	case s.best != nil:
		r.Status = Feasible
		r.Bound = min(r.Bound, r.Value)
	default:
		r.Status = Unknown
	}
	if r.Bound == None {
		r.Bound = -None
	}
	return r
}

package oracle

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

// A simplexEngine solves (1) by linear programming. It keeps one model: between cells only the objective changes,
// between capacity vectors only the bounds.
type simplexEngine struct {
	s      *System
	solver lp.Solver
	keep   []int32      // by row of the model: its relation
	up, dn []float64    // bounds of z
	sent   [2][]float64 // capacities in the model: up/unit, dn/unit
	in     [3][]float64 // as given: up, dn, weight
	trunc  float64
	unit   float64 // the model is in z/unit: the truncation, or else a power of two
	// narrow: the kernel of M is small compared with its image, as in tables with several hierarchies. Then columns of
	// the tableau are long and rows short, which suits the dual simplex; otherwise the primal simplex is as fast and
	// its duals are sparser.
	narrow bool
	neck   bottleneck
	work   float64

	lastAnswer
	keptBases

	snapped []int64 // multipliers by row
	g       []int64 // by relation
	scratch []int64
}

// A lastAnswer is the last question with its answer.
type lastAnswer struct {
	k, sign int // cell of the current objective, −1: none
	value   float64
	res     *lp.Result
	limit   float64
	target  float64
	cutoff  float64
	dual    *Dual // dual of the last Bound, if it stopped early
	proof   bool
}

// keptBases are bases to continue from.
type keptBases struct {
	bases  map[question]*lp.Basis // see maxBases; nil once there are more than keeps
	keeps  int
	marked lp.Basis
}

// A question is a cell and a direction.
type question struct{ k, sign int }

// newSimplex opens an engine whose model has the relations keep as rows.
func newSimplex(s *System, backend string, keep []int32) (*simplexEngine, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	n := s.Rel.N
	e := &simplexEngine{s: s, solver: solver, keep: keep, lastAnswer: lastAnswer{k: -1}, trunc: inf, up: make([]float64, n), dn: make([]float64, n), sent: [2][]float64{make([]float64, n), make([]float64, n)},
		g: make([]int64, s.Rel.Len()), scratch: make([]int64, n)}
	e.narrow = narrow(n, len(keep))
	e.keeps = maxBases
	if e.narrow {
		e.keeps = maxBytes / (n + len(keep))
	}
	e.bases = map[question]*lp.Basis{}
	e.snapped = make([]int64, len(e.keep))
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: e.rows()}
	if err := solver.Load(p); err != nil {
		solver.Close()
		return nil, err
	}
	return e, nil
}

// rows returns the relations kept as rows with right-hand side 0.
func (e *simplexEngine) rows() []lp.Row {
	rel := e.s.Rel
	rs := make([]lp.Row, len(e.keep))
	val := make([]float64, len(rel.Coef))
	for t, c := range rel.Coef {
		val[t] = float64(c)
	}
	for r, j := range e.keep {
		a, b := rel.Ptr[j], rel.Ptr[j+1]
		rs[r] = lp.Row{Idx: rel.Cell[a:b], Val: val[a:b]}
	}
	return rs
}

func (e *simplexEngine) Name() string  { return "simplex" }
func (e *simplexEngine) Work() float64 { return e.work }
func (e *simplexEngine) Close() error  { return e.solver.Close() }

// SetCapacities implements Intruder.
func (e *simplexEngine) SetCapacities(up, dn, weight []float64) {
	e.in = [3][]float64{up, dn, weight}
	if !math.IsInf(e.trunc, 1) {
		// In units of the truncation most cells are bounded by their weight: from level to level only the bounds of
		// cells that cannot move by one of the two levels change.
		e.unit = e.trunc
		if e.neck.inForce = e.neck.fixed != nil; e.neck.inForce {
			e.setNarrowed()
			return
		}
		for i := range up {
			e.set(i)
		}
		return
	}
	e.neck.inForce = false
	largest := 0.0
	for i, w := range weight {
		if w > 0 {
			largest = max(largest, finiteOr0(up[i]), finiteOr0(dn[i]))
		}
	}
	_, exp := math.Frexp(largest)
	// The unit is kept while it fits, as changing it changes every bound.
	_, old := math.Frexp(e.unit)
	if unit := math.Ldexp(1, max(0, exp-modelRange)); unit > e.unit || unit < e.unit/1024 || e.unit != math.Ldexp(1, old-1) {
		e.unit = unit
	}
	for i := range up {
		e.set(i)
	}
}

func finiteOr0(v float64) float64 {
	if math.IsInf(v, 1) {
		return 0
	}
	return v
}

// set updates the bounds of cell i.
func (e *simplexEngine) set(i int) {
	up, dn := e.capacity(i)
	e.up[i], e.dn[i] = up*e.unit, dn*e.unit
	e.send(i, up, dn)
}

// capacity returns the bounds of cell i in units of the model.
func (e *simplexEngine) capacity(i int) (up, dn float64) {
	w := e.in[2][i]
	if w <= 0 { // 0·∞ is 0
		return 0, 0
	}
	up, dn = e.in[0][i]/e.unit, e.in[1][i]/e.unit
	if e.unit == e.trunc {
		up, dn = min(up, 1), min(dn, 1)
	}
	return w * up, w * dn
}

// send sets the bounds of cell i in the model, in its unit, if they have changed.
func (e *simplexEngine) send(i int, up, dn float64) {
	if up != e.sent[0][i] || dn != e.sent[1][i] {
		e.sent[0][i], e.sent[1][i] = up, dn
		_ = e.solver.SetColBounds(i, -dn, up)
	}
}

// Truncate implements Intruder.
func (e *simplexEngine) Truncate(T float64) {
	if T != e.trunc {
		e.trunc = T
		if e.in[0] != nil {
			e.SetCapacities(e.in[0], e.in[1], e.in[2])
		}
	}
}

// SetWeight implements Intruder.
func (e *simplexEngine) SetWeight(i int, w float64) {
	e.in[2][i] = w
	e.set(i)
}

// bound sets lo ≤ z_i ≤ up, which need not contain 0. Bounds are finite or ±Inf, never NaN, so this cannot fail.
func (e *simplexEngine) bound(i int, lo, up float64) {
	e.up[i], e.dn[i] = up, -lo
	e.send(i, up/e.unit, -lo/e.unit)
}

// rescale converts the model to another unit.
func (e *simplexEngine) rescale(unit float64) {
	if unit == e.unit {
		return
	}
	e.unit = unit
	for i := range e.up {
		e.bound(i, -e.dn[i], e.up[i])
	}
}

// Reach implements Intruder.
func (e *simplexEngine) Reach(ctx context.Context, k, sign int, limit float64) (float64, error) {
	return e.solve(ctx, k, sign, limit, lp.Limits{Target: &e.target})
}

// Bound implements Intruder.
func (e *simplexEngine) Bound(ctx context.Context, k, sign int, limit float64) (float64, error) {
	e.recall(k, sign)
	v, err := e.boundOnce(ctx, k, sign, limit)
	if err == nil {
		e.remember(k, sign)
	}
	return v, err
}

// boundOnce is Bound from the current basis.
func (e *simplexEngine) boundOnce(ctx context.Context, k, sign int, limit float64) (float64, error) {
	if !e.narrow {
		return e.Reach(ctx, k, sign, limit)
	}
	e.cutoff = -limit * (1 - 1e-9) / e.unit
	v, err := e.solve(ctx, k, sign, limit, lp.Limits{Target: &e.target, Cutoff: &e.cutoff, Patience: patience})
	if err != nil || e.res.Status != lp.Cutoff {
		return v, err
	}
	if e.res.Dual != nil {
		e.dual = e.newDual()
		if v := e.proves(e.dual); v < limit*(1-1e-9) {
			e.value = v
			return v, nil
		}
	}
	return e.Reach(ctx, k, sign, limit)
}

// recall restores the basis kept for a question, unless it was the last one asked.
func (e *simplexEngine) recall(k, sign int) {
	if e.k == k && e.sign == sign {
		return
	}
	if b := e.bases[question{k, sign}]; b != nil {
		_ = e.solver.(lp.BasisKeeper).SetBasis(b) // from the same model, fits
	}
}

// remember stores the basis of the last answer if it was an optimum or proved a bound.
func (e *simplexEngine) remember(k, sign int) {
	keeper, ok := e.solver.(lp.BasisKeeper)
	if !ok || e.bases == nil {
		return
	}
	q := question{k, sign}
	b, seen := e.bases[q]
	switch {
	case !seen && len(e.bases) == e.keeps:
		e.bases = nil
		return
	case e.res.Status != lp.Optimal && e.res.Status != lp.Cutoff:
		e.bases[q] = nil
		return
	case b == nil:
		b = &lp.Basis{}
	}
	if keeper.Basis(b) == nil {
		e.bases[q] = b
	}
}

// proves returns the bound (2) of d at the capacities of the model.
func (e *simplexEngine) proves(d *Dual) float64 {
	sum := 0.0
	for t, i := range d.Idx {
		c, cap := float64(d.Coef[t])*float64(e.sign), e.up[i]
		if c < 0 {
			c, cap = -c, e.dn[i]
		}
		sum += float64(c * cap)
	}
	return sum / float64(d.Den)
}

// ErrNumbers is returned by an Intruder whose back end gave no answer or an impossible one (numerical trouble). Exact
// still has an answer then.
var ErrNumbers = i18n.New("numerical trouble")

// solve maximises sign·z_k within limits.
func (e *simplexEngine) solve(ctx context.Context, k, sign int, limit float64, limits lp.Limits) (float64, error) {
	e.solver.SetLimits(limits)
	e.dual = nil
	if e.k >= 0 && e.k != k {
		_ = e.solver.SetCost(e.k, 0)
	}
	_ = e.solver.SetCost(k, float64(-sign))
	e.k, e.sign, e.limit = k, sign, limit
	e.target = -limit / e.unit
	if e.proof { // an exact end needs the optimum itself
		e.target = math.Inf(-1)
	}
	e.res = nil
	res, err := e.solver.Solve(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return 0, i18n.Errorf("interval: cell %d: %w: %w", k, ErrNumbers, err)
	}
	e.res = res
	e.work += float64(res.Iterations*len(e.keep))/30 + float64(len(e.up))/100
	switch res.Status {
	case lp.Cutoff:
	case lp.Optimal, lp.Reached:
		e.value = max(0, -res.Value) * e.unit
	case lp.Unbounded:
		e.value = inf
	case lp.Cancelled:
		return 0, context.Cause(ctx)
	default:
		return 0, i18n.Errorf("interval: cell %d: %w: %s stopped with %v (%s)", k, ErrNumbers, e.solver.Capabilities().Name, res.Status, res.Raw)
	}
	return e.value, nil
}

// denominators are tried in order for the multipliers of a vertex, which are quotients of small subdeterminants of M.
var denominators = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 30, 36, 40, 42, 48, 60, 72, 84, 120, 210, 420, 840, 2520}

// snap finds the smallest listed D for which every D·v is within tol of an integer and stores the integers in g; if
// there is none, it falls back to dyadic rounding, so that the numbers are only close. It returns D.
func snap(v []float64, g []int64, tol float64) int64 {
next:
	for _, den := range denominators {
		d := float64(den)
		for j, x := range v {
			r := math.Round(x * d)
			if math.Abs(float64(x*d)-r) > tol*d {
				continue next
			}
			g[j] = int64(r)
		}
		return den
	}
	for j, x := range v {
		g[j] = int64(math.Round(x * roundDen))
	}
	return roundDen
}

// Duals implements Intruder. The multipliers are snapped to rationals and d is computed from them in integers: d is
// exact whatever the back end's error.
func (e *simplexEngine) Duals() []*Dual {
	switch {
	case e.dual != nil:
		return []*Dual{e.dual}
	case e.res == nil || e.res.Status != lp.Optimal || e.res.Dual == nil:
		return nil
	}
	return []*Dual{e.newDual()}
}

// newDual makes the dual of the last answer exact.
func (e *simplexEngine) newDual() *Dual {
	// min −sign·z_k has reduced costs −sign·e_k − Mᵀγ; ours are e_k − Mᵀ(−sign·γ)·…
	den := snap(e.res.Dual, e.snapped, 1e-6)
	for r, j := range e.keep {
		e.g[j] = e.snapped[r] * int64(-e.sign)
	}
	return e.lean(newDual(e.s.Rel, e.k, e.g, den, e.scratch))
}

// Witness implements Intruder.
func (e *simplexEngine) Witness(idx []int32, val []float64) ([]int32, []float64) {
	var z []float64
	scale := e.unit
	switch {
	case e.res == nil:
		return idx, val
	case e.res.Status == lp.Unbounded:
		if z = e.res.Ray; z == nil || z[e.k] == 0 {
			return idx, val
		}
		// A ray is unbounded: stop where z_k reaches the limit.
		scale = e.limit / math.Abs(z[e.k])
	default:
		z = e.res.Primal
	}
	for i, v := range z {
		if v > 1e-12 || v < -1e-12 {
			idx, val = append(idx, int32(i)), append(val, v*scale)
		}
	}
	return idx, val
}

// Mark implements Marker.
func (e *simplexEngine) Mark() {
	if keeper, ok := e.solver.(lp.BasisKeeper); ok && keeper.Basis(&e.marked) != nil {
		e.marked.Col = e.marked.Col[:0]
	}
}

// Return implements Marker.
func (e *simplexEngine) Return() {
	if keeper, ok := e.solver.(lp.BasisKeeper); ok && len(e.marked.Col) > 0 {
		_ = keeper.SetBasis(&e.marked) // from the same model, fits
	}
}

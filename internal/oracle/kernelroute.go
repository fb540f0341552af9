package oracle

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/lp"
)

// A kernelRouter solves the router's linear program through the kernel of M. With z = K u it becomes
//
//	min Σ_i φ_i(K_i u)   s.t.  K_k u = amount,
//	φ_i(z) = c_i⁺ z for 0 ≤ z ≤ up_i, −c_i⁻ z for −dn_i ≤ z ≤ 0,
//
// and its dual has a row for each independent cell f instead of one for each relation: a tenth as many in tables with
// several deep hierarchies.
//
//	max −amount·s_k − Σ_i up_i p_i + dn_i q_i
//	s.t. Σ_i K_if (s_i + p_i − q_i) = 0  for all f,   −c_i⁻ ≤ s_i ≤ c_i⁺,  p, q ≥ 0 .
//
// Rows enter when they are violated, that is, the u_f that may be nonzero are generated as columns of the first
// program; p and q enter where the answer violates a capacity. A route stops early once its rounds are used up: it is
// then cheap but not cheapest.
type kernelRouter struct {
	solver  lp.Solver
	deleter lp.RowDeleter
	ker     *kernel
	n       int
	up, dn  []float64
	rows    []lp.Row // by independent cell
	lo, hi  []float64
	cost    []float64
	cu, cd  []float64 // c⁺, c⁻
	entered
	score  []float64
	list   []int32
	drop   []bool
	z      []float64
	work   float64
	looked int // entries of the kernel looked at that no context has been told of
}

// entered tells which rows and columns are in the model.
type entered struct {
	open  []bool  // by cell: p and q have entered
	cover []int32 // by cell: number of rows in the model that contain it
	in    []int32 // independent cells in the model, in order of entry
	isIn  []bool
}

// newKernelRouter returns nil if the back end cannot delete rows.
func newKernelRouter(s *System, ker *kernel, backend string, up, dn []float64) (*kernelRouter, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	deleter, ok := solver.(lp.RowDeleter)
	if !ok {
		return nil, solver.Close()
	}
	n := s.Rel.N
	zero := make([]float64, 3*n)
	if err := solver.Load(&lp.Problem{Cost: zero, Lo: zero, Up: zero}); err != nil {
		solver.Close()
		return nil, err
	}
	solver.SetLimits(lp.Limits{Iterations: kernelSteps})
	r := &kernelRouter{solver: solver, deleter: deleter, ker: ker, n: n, up: up, dn: dn, rows: make([]lp.Row, len(ker.base)),
		lo: make([]float64, 3*n), hi: make([]float64, 3*n), cost: make([]float64, 3*n), cu: make([]float64, n), cd: make([]float64, n),
		entered: entered{open: make([]bool, n), cover: make([]int32, n), isIn: make([]bool, len(ker.base))}, score: make([]float64, len(ker.base)), z: make([]float64, n)}
	for f := range r.rows {
		cell, coef := ker.leaf.row(int32(f))
		row := lp.Row{Idx: make([]int32, 0, 3*len(cell)), Val: make([]float64, 0, 3*len(cell))}
		for t, i := range cell {
			c := float64(coef[t])
			row.Idx = append(row.Idx, i, int32(n)+i, int32(2*n)+i)
			row.Val = append(row.Val, c, c, -c)
		}
		r.rows[f] = row
	}
	return r, nil
}

func (r *kernelRouter) Close() error  { return r.solver.Close() }
func (r *kernelRouter) Work() float64 { return r.work }

// Below has no effect: rounds find routes but no lower bound on their price.
func (r *kernelRouter) Below(float64) {}

// bound sets the bounds of a column; lo ≤ hi, never NaN, so this cannot fail.
func (r *kernelRouter) bound(j int, lo, hi float64) {
	if lo != r.lo[j] || hi != r.hi[j] {
		r.lo[j], r.hi[j] = lo, hi
		_ = r.solver.SetColBounds(j, lo, hi)
	}
}

func (r *kernelRouter) charge(j int, c float64) {
	if c != r.cost[j] {
		r.cost[j] = c
		_ = r.solver.SetCost(j, c)
	}
}

// reset empties the model and sets the prices for a route. Amounts are in units of the amount asked for.
func (r *kernelRouter) reset(k, sign int, amount float64, price []float64) error {
	if len(r.in) > 0 {
		r.drop = r.drop[:0]
		for _, f := range r.in {
			r.isIn[f] = false
			r.drop = append(r.drop, true)
		}
		r.in = r.in[:0]
		if err := r.deleter.DeleteRows(r.drop); err != nil {
			return err
		}
	}
	clear(r.cover)
	dearest := 0.0
	for _, p := range price {
		dearest = max(dearest, p)
	}
	scale := 0.0
	if dearest > 0 {
		scale = 1024 / dearest
	}
	for i := range r.n {
		cu, cd := inf, inf
		if up := r.up[i]; up > 0 && i != k {
			cu = 1e-3 + float64(price[i]*scale*max(1, amount/up))
		}
		if dn := r.dn[i]; dn > 0 && i != k {
			cd = 1e-3 + float64(price[i]*scale*max(1, amount/dn))
		}
		r.cu[i], r.cd[i] = cu, cd
		r.bound(i, 0, 0) // until a row contains it
		r.charge(i, 0)
		if r.open[i] {
			r.open[i] = false
			r.bound(r.n+i, 0, 0)
			r.bound(2*r.n+i, 0, 0)
		}
	}
	r.charge(k, float64(sign))
	return nil
}

// add adds the rows of the independent cells fs to the model.
func (r *kernelRouter) add(fs []int32) error {
	r.looked += 3 * r.n
	rows := make([]lp.Row, len(fs))
	for t, f := range fs {
		rows[t] = r.rows[f]
		r.looked += 3 * len(rows[t].Idx)
		r.isIn[f] = true
		cell, _ := r.ker.leaf.row(f)
		for _, i := range cell {
			if r.cover[i]++; r.cover[i] == 1 {
				r.bound(int(i), -r.cd[i], r.cu[i])
			}
		}
	}
	r.in = append(r.in, fs...)
	_, err := r.solver.AddRows(rows...)
	return err
}

// first returns the cheapest independent cell contained in cell k.
func (r *kernelRouter) first(k int) int32 {
	best, least := int32(-1), inf
	inside, _ := r.ker.cell.row(int32(k))
	for _, f := range inside {
		cell, coef := r.ker.leaf.row(f)
		sum := 0.0
		for t, i := range cell {
			if int(i) != k {
				sum += float64(math.Abs(float64(coef[t])) * min(r.cu[i], farther))
			}
		}
		if sum < least {
			best, least = f, sum
		}
	}
	return best
}

// highest returns the count independent cells outside the model with the highest
// positive scores.
func (r *kernelRouter) highest(count int) []int32 {
	r.list = r.list[:0]
	for f, v := range r.score {
		if v > 1e-6 && !r.isIn[f] {
			r.list = append(r.list, int32(f))
		}
	}
	slices.SortFunc(r.list, func(a, b int32) int { return cmp.Or(cmp.Compare(r.score[b], r.score[a]), int(a-b)) })
	return r.list[:min(count, len(r.list))]
}

// kin scores the independent cells by the price of the cells that they share with the model.
func (r *kernelRouter) kin() {
	r.looked += len(r.ker.leaf.idx)
	for f := range r.score {
		r.score[f] = 0
		if r.isIn[f] {
			continue
		}
		cell, _ := r.ker.leaf.row(int32(f))
		for _, i := range cell {
			if r.cover[i] > 0 {
				r.score[f] += min(r.cu[i], 2048)
			}
		}
	}
}

// violated scores the independent cells by how much a, a point of the model or a ray, violates their rows. Cells
// outside the model count with the most favourable value for the row.
func (r *kernelRouter) violated(a []float64, ray bool) {
	n := r.n
	r.looked += len(r.ker.leaf.idx)
	for f := range r.score {
		r.score[f] = 0
		if r.isIn[f] {
			continue
		}
		v, free := 0.0, 0.0
		cell, coef := r.ker.leaf.row(int32(f))
		for t, i := range cell {
			c := float64(coef[t])
			if r.cover[i] > 0 {
				v += float64(c * (a[i] + a[n+int(i)] - a[2*n+int(i)]))
			} else if !ray {
				free += float64(math.Abs(c) * min(r.cu[i], r.cd[i]))
			}
		}
		r.score[f] = math.Abs(v) - free
	}
}

func (r *kernelRouter) Route(ctx context.Context, k, sign int, amount float64, price []float64) ([]int32, []float64, bool, error) {
	own := r.up[k]
	if sign < 0 {
		own = r.dn[k]
	}
	if own < amount {
		return nil, nil, false, nil
	}
	defer r.spend(ctx)
	r.looked += 6 * r.n
	if err := r.reset(k, sign, amount, price); err != nil {
		return nil, nil, false, err
	}
	f := r.first(k)
	if f < 0 {
		return nil, nil, false, nil // cell k is 0 on the whole kernel
	}
	if err := r.add([]int32{f}); err != nil {
		return nil, nil, false, err
	}
	r.kin()
	if err := r.add(r.highest(kernelFirst)); err != nil {
		return nil, nil, false, err
	}
	var cells []int32
	var z []float64
	best := inf
	r.work += float64(r.n)
	for round, blind, stale := 0, 0, 0; ; round++ {
		r.spend(ctx)
		res, err := r.solver.Solve(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, nil, false, context.Cause(ctx)
		case err != nil: // numerical trouble
			return cells, z, cells != nil, orRoute(cells)
		}
		r.work += float64(res.Iterations*r.n)/100 + float64(len(r.ker.leaf.idx))/500
		routed := false
		switch res.Status {
		case lp.Optimal:
			if r.recover(res.Dual, k, amount) {
				routed = true
				stale++
				if c, v, sum := r.support(price); sum < best {
					cells, z, best, stale = c, v, sum, 0
				}
			}
		case lp.Unbounded: // no route using only the rows of the model
			if res.Ray == nil {
				return cells, z, cells != nil, orRoute(cells)
			}
		default: // the limit, or numerical trouble
			return cells, z, cells != nil, orRoute(cells)
		}
		if !routed {
			blind++
		}
		if round >= kernelAll || blind >= kernelBlind || cells != nil && (round >= kernelRounds || stale >= kernelStale) {
			return cells, z, cells != nil, orRoute(cells)
		}
		if res.Status == lp.Optimal {
			r.violated(res.Primal, false)
		} else {
			r.violated(res.Ray, true)
		}
		more := r.highest(kernelRows)
		if len(more) == 0 && (routed || res.Status == lp.Unbounded) {
			return cells, z, cells != nil, nil
		}
		if len(more) > 0 {
			if err := r.add(more); err != nil {
				return nil, nil, false, err
			}
		}
	}
}

// spend tells ctx of what was looked at since the last call.
func (r *kernelRouter) spend(ctx context.Context) {
	work.Spend(ctx, time.Duration(r.looked)*kernelEntry)
	r.looked = 0
}

// orRoute returns ErrRoute if cells is empty.
func orRoute(cells []int32) error {
	if cells == nil {
		return ErrRoute
	}
	return nil
}

// recover computes z from the multipliers of the rows and reports whether it respects all capacities; violated ones
// enter the model.
func (r *kernelRouter) recover(u []float64, k int, amount float64) bool {
	clear(r.z)
	for t, f := range r.in {
		if u[t] == 0 {
			continue
		}
		cell, coef := r.ker.leaf.row(f)
		for e, i := range cell {
			r.z[i] += float64(float64(coef[e]) * u[t] * amount)
		}
	}
	kept := true
	tol := float64(1e-9 * max(1, amount))
	for i, v := range r.z {
		if math.Abs(v) <= tol {
			r.z[i] = 0
			continue
		}
		if i == k || v <= float64(r.up[i]*(1+1e-9))+tol && -v <= float64(r.dn[i]*(1+1e-9))+tol {
			continue
		}
		kept = false
		if !r.open[i] {
			r.open[i] = true
			if !math.IsInf(r.up[i], 1) {
				r.charge(r.n+i, r.up[i]/amount)
				r.bound(r.n+i, 0, inf)
			}
			if !math.IsInf(r.dn[i], 1) {
				r.charge(2*r.n+i, r.dn[i]/amount)
				r.bound(2*r.n+i, 0, inf)
			}
		}
	}
	return kept
}

// support lists the nonzeros of z and adds up their prices.
func (r *kernelRouter) support(price []float64) (cells []int32, z []float64, sum float64) {
	for i, v := range r.z {
		if v != 0 {
			cells, z = append(cells, int32(i)), append(z, v)
			sum += price[i]
		}
	}
	return cells, z, sum
}

// eitherRouter asks the first router, and the second if the first gives up.
type eitherRouter struct{ first, second Router }

func (r eitherRouter) Route(ctx context.Context, k, sign int, amount float64, price []float64) ([]int32, []float64, bool, error) {
	cells, z, ok, err := r.first.Route(ctx, k, sign, amount, price)
	if errors.Is(err, ErrRoute) {
		return r.second.Route(ctx, k, sign, amount, price)
	}
	return cells, z, ok, err
}

func (r eitherRouter) Below(most float64) {
	r.first.Below(most)
	r.second.Below(most)
}

func (r eitherRouter) Work() float64 { return r.first.Work() + r.second.Work() }

func (r eitherRouter) Close() error {
	return errors.Join(r.first.Close(), r.second.Close())
}

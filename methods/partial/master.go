package partial

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A master is min Σ w y over the cuts chosen so far, least ≤ y ≤ room. Columns are scaled by powers of two, and rows by
// their right-hand sides, so that costs and coefficients are near 1.
type master struct {
	p      *problem
	solver lp.Solver
	cuts   []*cut // one per row
	known  map[uint64]bool
	unit   []float64 // by column: y = unit·v
	scale  float64   // scale of the costs
	cost   []float64
	y      []float64 // last optimum
	value  float64   // in units of cost
	dual   []float64
	ray    []float64 // ray of the last infeasible program, if the back end returns it
}

func newMaster(p *problem, backend string) (*master, error) {
	solver, err := lp.Open(named(backend))
	if err != nil {
		return nil, err
	}
	n := len(p.cell)
	m := &master{p: p, solver: solver, known: map[uint64]bool{}, unit: make([]float64, n), cost: make([]float64, n), y: make([]float64, n)}
	q := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	w := make([]float64, n)
	for j := range w {
		f, _ := new(big.Float).SetInt(p.weight[j]).Float64()
		w[j] = math.Ldexp(f, -weightBits)
	}
	level := p.typicalLevel()
	middle := median(w)
	largest := 0.0
	for j := range w {
		spread := math.Sqrt(middle / w[j])
		spread = min(max(spread, 1.0/1024), 1024)
		_, exp := math.Frexp(level * spread)
		m.unit[j] = math.Ldexp(1, exp)
		largest = max(largest, w[j]*m.unit[j])
	}
	_, exp := math.Frexp(largest)
	m.scale = math.Ldexp(1, 10-exp)
	for j := range w {
		m.cost[j] = w[j] * m.unit[j] * m.scale
		q.Cost[j], q.Lo[j], q.Up[j] = m.cost[j], float64(p.least[j])/m.unit[j], real(p.room[j])/m.unit[j]
	}
	for i := range p.most {
		if c := m.widest(i); c != nil {
			q.Rows = append(q.Rows, m.row(c))
			c.row = len(m.cuts)
			m.cuts = append(m.cuts, c)
		}
	}
	if err := solver.Load(q); err != nil {
		solver.Close()
		return nil, err
	}
	return m, nil
}

// named resolves the name of a back end; "" is the default.
func named(backend string) string {
	return cmp.Or(backend, "simplex")
}

// price returns Σ w y.
func (m *master) price(y []float64) float64 {
	sum := 0.0
	for j, v := range y {
		sum += float64(m.cost[j] / m.unit[j] * v)
	}
	return sum / m.scale
}

// widest returns the row −y⁻ − y⁺ ≥ −most of cell i, nil if there is no limit.
func (m *master) widest(i int) *cut {
	p := m.p
	if p.most[i] == table.PosInf {
		return nil
	}
	c := &cut{rhs: -p.most[i], row: -1}
	for d := range p.col {
		if j := p.col[d][i]; j >= 0 {
			c.idx, c.coef = append(c.idx, j), append(c.coef, -1)
		}
	}
	if len(c.idx) == 0 {
		return nil
	}
	return c
}

// typicalLevel returns the median of the levels.
func (p *problem) typicalLevel() float64 {
	asked := make([]float64, len(p.levels))
	for t, l := range p.levels {
		asked[t] = float64(l.RHS)
	}
	return max(1, median(asked))
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 1
	}
	s := slices.Clone(v)
	slices.Sort(s)
	return s[len(s)/2]
}

func real(v int64) float64 {
	if v == table.PosInf {
		return math.Inf(1)
	}
	return float64(v)
}

// by returns the divisor of row c.
func (c *cut) by() float64 { return max(1, math.Abs(float64(c.rhs))) }

func (m *master) row(c *cut) lp.Row {
	r := lp.Row{Lo: float64(c.rhs) / c.by(), Up: math.Inf(1), Idx: c.idx, Val: make([]float64, len(c.idx))}
	for t, j := range c.idx {
		r.Val[t] = float64(c.coef[t]) / c.by() * m.unit[j]
	}
	return r
}

// add adds cuts that are not yet in the program, and returns their number.
func (m *master) add(cuts []*cut) (int, error) {
	var rows []lp.Row
	for _, c := range cuts {
		if m.known[c.hash] {
			continue
		}
		m.known[c.hash] = true
		c.row, c.age = len(m.cuts), 0
		m.cuts = append(m.cuts, c)
		rows = append(rows, m.row(c))
	}
	if len(rows) == 0 {
		return 0, nil
	}
	_, err := m.solver.AddRows(rows...)
	return len(rows), err
}

// errInfeasible says that no y satisfies the cuts.
var errInfeasible = i18n.New("partial: no intervals meet the cuts")

// errStuck says that a back end could not solve the program. Bounds proved before remain valid.
var errStuck = i18n.New("partial: the master stopped")

// solve re-optimises.
func (m *master) solve(ctx context.Context) error {
	res, err := m.solver.Solve(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return i18n.Errorf("partial: the master: %w", err)
	case res.Status == lp.Infeasible:
		m.ray = append(m.ray[:0], res.Farkas...)
		return errInfeasible
	case res.Status != lp.Optimal:
		return i18n.Errorf("%w: %v (%s)", errStuck, res.Status, res.Raw)
	}
	for j, v := range res.Primal {
		m.y[j] = min(max(v*m.unit[j], float64(m.p.least[j])), real(m.p.room[j]))
	}
	m.value, m.dual = res.Value/m.scale, append(m.dual[:0], res.Dual...)
	return nil
}

// maxAge is the number of solves for which a row may be slack before it leaves.
const maxAge = 20

// purge removes rows that have been slack for long, if the back end can remove rows and enough are stale.
func (m *master) purge() error {
	stale := 0
	for i, c := range m.cuts {
		if i >= len(m.dual) || m.dual[i] > 0 || c.rhs < 0 { // new, tight, or permanent
			c.age = 0
		} else if c.age++; c.age > maxAge {
			stale++
		}
	}
	deleter, can := m.solver.(lp.RowDeleter)
	if !can || stale < 100 || stale*4 < len(m.cuts) {
		return nil
	}
	drop, kept, dual := make([]bool, len(m.cuts)), m.cuts[:0], m.dual[:0]
	for i, c := range m.cuts {
		if drop[i] = c.age > maxAge; drop[i] {
			delete(m.known, c.hash)
			c.row = -1
			continue
		}
		if i < len(m.dual) {
			dual = append(dual, m.dual[i]) // rows removed have multiplier 0
		}
		c.row = len(kept)
		kept = append(kept, c)
	}
	m.cuts, m.dual = kept, dual
	return deleter.DeleteRows(drop)
}

// bound returns what the multipliers g ≥ 0 of the last optimum prove:
//
//	Σ g_r rhs_r + Σ_j (D_j least_j where D_j ≥ 0, else D_j room_j),   D = w − Aᵀg,
//
// summed in whole numbers (Neumaier and Shcherbina, Mathematical Programming 99, 2004): a lower bound wherever g comes
// from. If an unbounded or nearly unbounded column has D_j < 0, the multipliers of its cuts are reduced until D_j ≥ 0.
func (m *master) bound() *big.Rat {
	g := make([]float64, len(m.cuts))
	for r, c := range m.cuts {
		if r < len(m.dual) && m.dual[r] > 0 {
			g[r] = m.dual[r] / m.scale / c.by()
		}
	}
	return m.p.bound(m.cuts, g)
}

// bound returns the bound that multipliers of cuts prove.
func (p *problem) bound(cuts []*cut, multipliers []float64) *big.Rat {
	g := make([]*big.Int, len(cuts))
	for r, v := range multipliers {
		f := new(big.Float).SetFloat64(v)
		g[r], _ = f.SetMantExp(f, weightBits).Int(nil)
	}
	sums := p.sums(cuts, g)
	of := make([][]entry, len(sums)) // entries of the columns with D < 0, nil for the others
	for j, s := range sums {
		if s.Cmp(p.charge(j)) > 0 {
			of[j] = []entry{}
		}
	}
	for r, c := range cuts {
		for t, j := range c.idx {
			if of[j] != nil && c.coef[t] > 0 && g[r].Sign() > 0 {
				of[j] = append(of[j], entry{r, c.coef[t]})
			}
		}
	}
	for j, entries := range of {
		// Reducing a cut with a large coefficient loses least.
		slices.SortStableFunc(entries, func(a, b entry) int {
			return cmp.Compare(float64(b.coef)/cuts[b.row].by(), float64(a.coef)/cuts[a.row].by())
		})
		for _, e := range entries {
			over := new(big.Int).Sub(sums[j], p.charge(j))
			// Using the end of the column costs no more.
			if over.Sign() <= 0 || real(p.room[j])*float64(e.coef) <= float64(cuts[e.row].rhs) {
				break
			}
			less := over.Add(over, big.NewInt(e.coef-1)).Quo(over, big.NewInt(e.coef))
			if less.Cmp(g[e.row]) > 0 {
				less.Set(g[e.row])
			}
			g[e.row].Sub(g[e.row], less)
			c := cuts[e.row]
			for t, i := range c.idx {
				sums[i].Sub(sums[i], new(big.Int).Mul(less, big.NewInt(c.coef[t])))
			}
		}
	}
	return p.proved(cuts, g, sums)
}

// disproved reports whether the ray of the last solve proves in whole numbers that no y within its bounds satisfies the
// cuts: like bound, with zero weights.
func (m *master) disproved() bool {
	if len(m.ray) != len(m.cuts) {
		return false
	}
	largest := 0.0
	for r, v := range m.ray {
		largest = max(largest, math.Abs(v)/m.cuts[r].by())
	}
	if largest == 0 {
		return false
	}
	for _, sign := range [2]float64{1, -1} { // back ends differ in the sign of rays
		g := make([]*big.Int, len(m.cuts))
		for r, v := range m.ray {
			f := new(big.Float).SetFloat64(max(0, sign*v) / m.cuts[r].by() / largest)
			g[r], _ = f.SetMantExp(f, weightBits).Int(nil)
		}
		total, one := new(big.Int), new(big.Int)
		for r, c := range m.cuts {
			total.Add(total, one.Mul(g[r], one.SetInt64(c.rhs)))
		}
		for j, s := range m.p.sums(m.cuts, g) {
			at := m.p.least[j]
			if s.Sign() > 0 {
				at = m.p.room[j]
			}
			total.Sub(total, s.Mul(s, one.SetInt64(at)))
		}
		if total.Sign() > 0 {
			return true
		}
	}
	return false
}

// An entry is a coefficient of a column.
type entry struct {
	row  int
	coef int64
}

// sums returns Aᵀg.
func (p *problem) sums(cuts []*cut, g []*big.Int) []*big.Int {
	s := sets.List(len(p.cell), func(int) *big.Int { return new(big.Int) })
	one := new(big.Int)
	for r, c := range cuts {
		if g[r].Sign() == 0 {
			continue
		}
		for t, j := range c.idx {
			s[j].Add(s[j], one.Mul(g[r], one.SetInt64(c.coef[t])))
		}
	}
	return s
}

func (p *problem) proved(cuts []*cut, g, sums []*big.Int) *big.Rat {
	total, one := new(big.Int), new(big.Int)
	for r, c := range cuts {
		total.Add(total, one.Mul(g[r], one.SetInt64(c.rhs)))
	}
	for j, s := range sums {
		d := s.Sub(p.charge(j), s)
		at := p.least[j]
		if d.Sign() < 0 {
			at = p.room[j]
		}
		total.Add(total, one.Mul(d, one.SetInt64(at)))
	}
	return p.rat(total, 1)
}

func (m *master) close() { m.solver.Close() }

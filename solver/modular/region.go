package modular

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A region is a set of cells that may move while all others stand still, with the relations that contain any
// of them, restricted to them. A movement that satisfies these satisfies all relations of the table.
type region struct {
	cells  []int32
	sys    *oracle.System
	up, dn []float64
	iup    []int64
	idn    []int64
	price  []float64
	router oracle.Router
	exact  *oracle.Exact
}

// region makes the region of cells, which are ascending and kept.
func (m *run) region(cells []int32) (*region, error) {
	r := &region{cells: cells, up: make([]float64, len(cells)), dn: make([]float64, len(cells)),
		iup: make([]int64, len(cells)), idn: make([]int64, len(cells)), price: make([]float64, len(cells))}
	for s, i := range cells {
		m.at[i] = int32(s)
		if m.t.Status[i] != table.Published {
			r.iup[s], r.idn[s] = m.up[i], m.dn[i]
		}
		r.up[s], r.dn[s] = real(r.iup[s]), real(r.idn[s])
	}
	var rels []int32
	for _, i := range cells {
		list, _ := m.sys.Cols.Column(int(i))
		for _, j := range list {
			if !m.has[j] {
				m.has[j] = true
				rels = append(rels, j)
			}
		}
	}
	slices.Sort(rels)
	rel := table.NewRelations(len(cells))
	var cell, coef []int32
	for _, j := range rels {
		m.has[j] = false
		cell, coef = cell[:0], coef[:0]
		c, v := m.t.Rel.Row(int(j))
		for t, i := range c {
			if m.at[i] >= 0 {
				cell, coef = append(cell, m.at[i]), append(coef, v[t])
			}
		}
		if len(cell) == 1 { // the cell cannot move
			s := cell[0]
			r.up[s], r.dn[s], r.iup[s], r.idn[s] = 0, 0, 0, 0
		}
		rel.Add(cell, coef, 0)
	}
	for _, i := range cells {
		m.at[i] = -1
	}
	r.sys = oracle.NewSystem(rel)
	router, err := r.sys.NewRouter("", m.lp, r.up, r.dn, nil)
	if err != nil {
		return nil, err
	}
	r.router = router
	return r, nil
}

func (r *region) close() {
	r.router.Close()
	if r.exact != nil {
		r.exact.Close()
	}
}

// reprice sets the prices of cells that are not withheld.
func (r *region) reprice(m *run) {
	for s, i := range r.cells {
		r.price[s] = m.fined(i)
	}
}

// charge returns the cost that withholding cell i would add to the pattern.
func (m *run) charge(i int32) float64 {
	if m.x[i] {
		return 0
	}
	return float64(m.t.Cost[i]) + 1e-6
}

// fined returns the charge of cell i, with the fine if it is banned.
func (m *run) fined(i int32) float64 {
	if m.banned[i] {
		return m.charge(i) + m.fine
	}
	return m.charge(i)
}

// left returns how far cell i may still go in direction sign after moving by z.
func (m *run) left(i int32, sign, z int64) int64 {
	c := m.up[i]
	if sign < 0 {
		c, z = m.dn[i], -z
	}
	if c == table.PosInf {
		return table.PosInf
	}
	return c - z
}

// route moves cell k by split[0] upwards and split[1] downwards and returns the
// points, over the cells of the table.
func (r *region) route(ctx context.Context, m *run, k int32, split [2]float64) ([]*movement, bool, error) {
	s, ok := slices.BinarySearch(r.cells, k)
	if !ok {
		return nil, false, nil
	}
	r.router.Below(m.most)
	var points []*movement
	for side, amount := range split {
		if amount <= 0 {
			continue
		}
		cells, z, ok, err := r.router.Route(ctx, s, 1-2*side, amount, r.price)
		if err != nil || !ok {
			return nil, false, err
		}
		global := sets.Pick(r.cells, cells)
		points = append(points, &movement{cells: global, q: m.sys.NewPoint(global, z, m.up, m.dn)})
	}
	return points, true, nil
}

func real(v int64) float64 {
	if v == table.PosInf {
		return math.Inf(1)
	}
	return float64(v)
}

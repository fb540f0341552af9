// Package adjust publishes tables in which sensitive cells have other values, far enough from the true ones, and the
// other cells change as little as keeps all sums valid: controlled tabular adjustment (Dandekar and Cox 2002; Castro,
// European Journal of Operational Research 171, 2006).
//
// With cells a, their relations M a = r, and changes x = y − a, it solves
//
//	minimise Σ w_i |x_i|, or Σ w_i x_i²   s.t.  M x = 0,  L_i ≤ x_i ≤ U_i,  x_k ≥ u_k or x_k ≤ −l_k for sensitive k,
//
// over whole numbers of units. l and u are the levels LPL and UPL, each at least half of the required width and at
// least one unit. Empty cells and cells that must stay published do not change.
package adjust

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A Norm is the distance that is minimised.
type Norm string

const (
	L1 Norm = "l1" // Σ w|x|
	L2 Norm = "l2" // Σ w x², with the directions of the best solution found for L1
)

// Progress tells how far a search has come: the nodes visited and the bounds on the distance, in the search's own
// units.
type Progress = integer.Progress

// Options tune Adjust. The zero value is ready to use.
type Options struct {
	Norm    Norm    // "" means L1
	Unit    int64   // changes are multiples of Unit, in units of 10^−Decimals; 0: 1
	Weights []int64 // w ≥ 0; nil: all 1
	// Most bounds the change of a cell, in units of 10^−Decimals; 0: the sum over all sensitive cells of the larger
	// level.
	Most      int64
	LP        string        // back end; "": simplex
	TimeLimit time.Duration // 0: no limit
	Nodes     int           // limit of the search for directions; 0: none
	Progress  func(Progress)
}

// A Result is the outcome of Adjust.
type Result struct {
	Status solver.Status
	Value  []int64 // y; nil if none was found
	// Distance is Σ w|x| or Σ w x², in units of 10^−Decimals or their squares; Bound is a lower bound on it, for any
	// directions.
	Distance, Bound *big.Int
	Nodes           int
	Seconds         float64
}

// ErrImpossible is wrapped if a sensitive cell can move by its level neither up nor down.
var ErrImpossible = i18n.New("its bounds leave no room for its levels in either direction")

// A side holds the distances that a sensitive cell has to move, in units.
type side struct{ up, down int64 }

// A problem is one call of Adjust, in units.
type problem struct {
	t      *table.Table
	unit   int64
	w      []int64
	lo, up []int64 // bounds of x
	need   map[int]side
	cells  []int // sensitive cells, in order
}

// Adjust adjusts t. If ctx or a limit ends it, Result has the best solution so far with a valid bound, without an
// error. Directions are found by branch and bound with one binary variable for each sensitive cell. With L2 the changes
// are then improved by linear programs with ever smaller steps, and the bound comes from Lagrange multipliers in whole
// numbers. Cost: at worst exponential in the number of sensitive cells.
func Adjust(ctx context.Context, t *table.Table, opt *Options) (*Result, error) {
	start := time.Now()
	if opt == nil {
		opt = &Options{}
	}
	if err := rounding.Whole(t); err != nil {
		return nil, err
	}
	ctx = work.Metered(ctx)
	ctx, stop := work.Limited(ctx, work.Now(ctx), opt.TimeLimit)
	defer stop()
	p, err := newProblem(t, opt)
	if err != nil {
		return nil, err
	}
	res, x, err := p.directions(ctx, opt)
	if err != nil {
		return nil, err
	}
	if x != nil && opt.Norm == L2 {
		if err := p.square(ctx, opt, res, x); err != nil {
			return nil, err
		}
	}
	if x != nil {
		res.Value = sets.List(len(x), func(i int) int64 { return t.Value[i] + x[i]*p.unit })
		if !t.Rel.Holds(res.Value) || short(t, res.Value, p.unit) != nil {
			return nil, i18n.Errorf("table %s: the adjustment found does not keep its relations or levels; please report this", t.Name)
		}
	}
	res.Seconds = time.Since(start).Seconds()
	return res, nil
}

// Needs returns how far sensitive cell i of t must move up or down: its levels, at least half of the required width and
// at least one unit, as multiples of unit.
func Needs(t *table.Table, i int, unit int64) (up, down int64) {
	half := num.CeilDiv(t.Width[i], 2)
	return max(1, num.CeilDiv(max(t.UPL[i], half), unit)) * unit, max(1, num.CeilDiv(max(t.LPL[i], half), unit)) * unit
}

// short returns the sensitive cells whose y is nearer to their value than their levels require.
func short(t *table.Table, y []int64, unit int64) []int {
	var cells []int
	for i, s := range t.Status {
		if s != table.Sensitive {
			continue
		}
		if up, down := Needs(t, i, unit); y[i]-t.Value[i] < up && t.Value[i]-y[i] < down {
			cells = append(cells, i)
		}
	}
	return cells
}

func newProblem(t *table.Table, opt *Options) (*problem, error) {
	n := t.Len()
	p := &problem{t: t, unit: max(1, opt.Unit), w: opt.Weights, lo: make([]int64, n), up: make([]int64, n), need: map[int]side{}}
	if p.w == nil {
		p.w = slices.Repeat([]int64{1}, n)
	}
	if len(p.w) != n {
		return nil, i18n.Errorf("table %s: %d weights for %d cells", t.Name, len(p.w), n)
	}
	most := opt.Most
	for i, s := range t.Status {
		if s == table.Sensitive {
			up, down := Needs(t, i, p.unit)
			p.need[i] = side{up / p.unit, down / p.unit}
			p.cells = append(p.cells, i)
			if opt.Most == 0 {
				most += max(up, down)
			}
			if most < 0 || most > 1<<50 {
				return nil, i18n.Errorf("table %s: levels: %w", t.Name, table.ErrOutOfRange)
			}
		}
	}
	most /= p.unit
	for i, v := range t.Value {
		if s := t.Status[i]; s == table.Published || v == 0 && s != table.Sensitive {
			continue
		}
		p.lo[i], p.up[i] = -most, most
		if t.Lower[i] != table.NegInf {
			p.lo[i] = max(-most, -num.FloorDiv(v-t.Lower[i], p.unit))
		}
		if t.Upper[i] != table.PosInf {
			p.up[i] = min(most, num.FloorDiv(t.Upper[i]-v, p.unit))
		}
		if k, ok := p.need[i]; ok && p.up[i] < k.up && p.lo[i] > -k.down {
			return nil, i18n.Errorf("table %s: cell %s: %w", t.Name, t.CellName(i), ErrImpossible)
		}
	}
	return p, nil
}

// scaled returns v·unit^k.
func (p *problem) scaled(v int64, k int) *big.Int {
	b := big.NewInt(v)
	for range k {
		b.Mul(b, big.NewInt(p.unit))
	}
	return b
}

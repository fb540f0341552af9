// Package adjust publishes tables whose sensitive cells have other values, far enough from the true ones, and whose other cells change as
// little as makes all sums hold: controlled tabular adjustment (Dandekar and Cox 2002; Castro, European Journal of Operational Research 171, 2006).
//
// With a the cells, M a = r their relations, and x = y − a the changes, it solves
//
//	minimise Σ w_i |x_i|, or Σ w_i x_i²   s.t.  M x = 0,  L_i ≤ x_i ≤ U_i,  x_k ≥ u_k or x_k ≤ −l_k for sensitive k,
//
// over whole numbers of units. l and u are the levels LPL and UPL, each at least half of the width asked for and one unit. Empty cells and cells that must stay published do
// not change.
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

// A Norm is what is minimised.
type Norm string

const (
	L1 Norm = "l1" // Σ w|x|
	L2 Norm = "l2" // Σ w x², with the directions of the best found for L1
)

// Progress is how far a search has come: nodes looked at, and between what the distance lies, in the search's own units.
type Progress = integer.Progress

// Options tune Adjust. The zero value is ready to use.
type Options struct {
	Norm    Norm    // "": L1
	Unit    int64   // values change by multiples of it, in units of 10^−Decimals; 0: 1
	Weights []int64 // w ≥ 0; nil: 1 each
	// Most bounds how far a cell changes, in units of 10^−Decimals; 0: the sum of the larger levels of all sensitive cells.
	Most      int64
	LP        string        // back end, "": simplex
	TimeLimit time.Duration // 0: none
	Nodes     int           // limit of the search for directions; 0: none
	Progress  func(Progress)
}

// A Result is what Adjust found.
type Result struct {
	Status solver.Status
	Value  []int64 // y; nil where there is none
	// Distance is Σ w|x| or Σ w x², in units of 10^−Decimals or their squares, and Bound what it is at least, whatever the directions.
	Distance, Bound *big.Int
	Nodes           int
	Seconds         float64
}

// ErrImpossible is wrapped where a sensitive cell can go neither up nor down by its levels.
var ErrImpossible = i18n.New("its bounds leave no room for its levels in either direction")

// side is the distance that a sensitive cell has to move, in units.
type side struct{ up, down int64 }

// problem is one Adjust, in units.
type problem struct {
	t      *table.Table
	unit   int64
	w      []int64
	lo, up []int64 // of x
	need   map[int]side
	cells  []int // sensitive, in order
}

// Adjust adjusts t. Where ctx or a limit ends it, Result has the best until then and a bound that holds, without an error. Directions are searched for by branch
// and bound over one binary variable for each sensitive cell; with L2 the changes are then improved by linear programs of ever smaller steps, and the bound is that of Lagrange
// multipliers, in whole numbers. Cost: exponential at worst in the number of sensitive cells.
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

// Needs is how far sensitive cell i of t must move up or down: its levels, at least half of the width asked for and one unit, as multiples of unit.
func Needs(t *table.Table, i int, unit int64) (up, down int64) {
	half := num.CeilDiv(t.Width[i], 2)
	return max(1, num.CeilDiv(max(t.UPL[i], half), unit)) * unit, max(1, num.CeilDiv(max(t.LPL[i], half), unit)) * unit
}

// short lists the sensitive cells that y leaves nearer to their values than their levels ask.
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

// scaled is v·unit^k.
func (p *problem) scaled(v int64, k int) *big.Int {
	b := big.NewInt(v)
	for range k {
		b.Mul(b, big.NewInt(p.unit))
	}
	return b
}

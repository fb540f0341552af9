// Package fill puts numbers into a published table where it has none: one table that adds up and agrees with everything
// published, its numbers flagged as filled.
//
// It sees a table as its readers do: [Table] takes a table.Publication, which holds nothing unpublished. So two true
// tables with the same publication are filled alike, and the filled numbers tell nothing that the publication does not.
// They are not estimates either: any table that agrees with the publication could be the true one.
package fill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Options tune Table. The zero value is ready to use.
type Options struct {
	LP      string // back end of package lp; empty means "simplex"
	Workers int    // goroutines; 0 means GOMAXPROCS
	// Seed, if not nil, draws the target values from the feasibility intervals instead of taking their midpoints.
	Seed *uint64
	// Nodes limits the search for the nearest table; 0 means 2,000. At the limit the best table found is taken.
	Nodes int
}

// A Filled table has a whole number of units 10^−Decimals for every cell.
type Filled struct {
	Decimals     int // decimals of Value and Aim: those of the published values, or a few more if no table has so few
	Value        []int64
	Cells        []int      // the cells filled, in the order of the table
	Lower, Upper []*big.Rat // feasibility intervals of Cells; nil: infinite
	Aim          []int64    // target values of Cells
	Nearest      bool       // proved: no table is nearer to the targets
	LP           string
}

// ErrNone is returned if no table with the decimals of the published values was found.
var ErrNone = i18n.New("no table with the decimals of the published values was found that agrees with them")

// moreDecimals is how many decimals beyond those published a filled table may have if no table has fewer.
const moreDecimals = 2

// wide replaces an infinite bound: this far from the target value.
const wide = int64(1) << 40

// Table fills the withheld cells of a publication with whole numbers y of units that minimise Σ |y_i − m_i|/(width_i +
// 1) over all tables consistent with the published values, the relations and the bounds Lower ≤ y ≤ Upper. m_i is the
// midpoint of the feasibility interval of cell i (its finite end if there is only one, 0 if there is none), rounded
// down. opt may be nil. If no table is consistent, it returns the errors of interval.Audit, or ErrNone.
//
// Cost: the exact intervals of all withheld cells, and an integer program with two columns for each.
func Table(ctx context.Context, published *table.Publication, opt *Options) (*Filled, error) {
	if opt == nil {
		opt = &Options{}
	}
	p := published.Table()
	if p.Rounded() || p.Layers > 1 {
		return nil, i18n.Errorf("table %s: only tables of exact values of one response are filled", p.Name)
	}
	for more := 0; ; more++ {
		f, err := filled(ctx, p, published.Withheld(), opt)
		if !errors.Is(err, ErrNone) || more == moreDecimals {
			return f, err
		}
		if err := p.Rescale(p.Decimals + 1); err != nil {
			return nil, err
		}
	}
}

// filled fills p, a table as its readers know it, with whole numbers of its units.
func filled(ctx context.Context, p *table.Table, withheld []bool, opt *Options) (*Filled, error) {
	rep, err := interval.Audit(ctx, p, withheld, &interval.Options{LP: opt.LP, Workers: opt.Workers})
	if err != nil {
		return nil, err
	}
	f := &Filled{Decimals: p.Decimals, Value: slices.Clone(p.Value), Nearest: true, LP: opt.LP}
	for k := range rep.Cells {
		c := &rep.Cells[k]
		f.Cells, f.Lower, f.Upper = append(f.Cells, c.Index), append(f.Lower, c.Lo), append(f.Upper, c.Hi)
		f.Aim = append(f.Aim, aim(c.Lo, c.Hi, opt.Seed, p.CellName(c.Index)))
	}
	if len(f.Cells) == 0 {
		return f, nil
	}
	return f, f.nearest(ctx, p, opt)
}

// aim returns the target value of a cell.
func aim(lo, hi *big.Rat, seed *uint64, name string) int64 {
	var m *big.Rat
	switch {
	case lo == nil && hi == nil:
		return 0
	case lo == nil:
		m = hi
	case hi == nil:
		m = lo
	case seed != nil:
		return drawn(lo, hi, *seed, name)
	default:
		m = new(big.Rat).Add(lo, hi)
		m.Quo(m, big.NewRat(2, 1))
	}
	return floor(m)
}

// drawn returns a whole number between lo and hi, from a generator of the cell's own.
func drawn(lo, hi *big.Rat, seed uint64, name string) int64 {
	a, b := -floor(new(big.Rat).Neg(lo)), floor(hi)
	if a >= b {
		return b
	}
	key := sha256.New()
	_ = binary.Write(key, binary.LittleEndian, seed)
	key.Write([]byte(name))
	sum := [32]byte(key.Sum(nil))
	return a + rand.New(rand.NewChaCha8(sum)).Int64N(b-a+1)
}

// floor rounds down.
func floor(v *big.Rat) int64 {
	q := new(big.Int).Div(v.Num(), v.Denom()) // denominators are positive
	return q.Int64()
}

// nearest finds the table nearest to the targets.
func (f *Filled) nearest(ctx context.Context, p *table.Table, opt *Options) error {
	q, exact := f.program(p)
	nodes := cmp.Or(opt.Nodes, 2000)
	res, err := integer.Solve(ctx, q, &integer.Options{LP: opt.LP, Nodes: nodes})
	switch {
	case err != nil:
		return err
	case res.Z == nil:
		return i18n.Errorf("table %s: %w", p.Name, ErrNone)
	}
	f.Nearest = res.Status == integer.Optimal && exact
	for k, i := range f.Cells {
		f.Value[i] = f.Aim[k] + res.Z[2*k] - res.Z[2*k+1]
	}
	full := p.Clone()
	full.Value, full.Missing = f.Value, nil
	if bad := full.CheckAdditive(1); len(bad) > 0 {
		return bad[0]
	}
	return nil
}

// program has two columns for each cell: how far it is above its target, and how far below. exact reports whether its
// costs are those of the definition times a whole number; otherwise they are the nearest for which sums fit 64 bits.
func (f *Filled) program(p *table.Table) (q *integer.Program, exact bool) {
	q = &integer.Program{}
	at := make(map[int32]int32, len(f.Cells))
	weight, exact := f.weights()
	for k, i := range f.Cells {
		at[int32(i)] = int32(2 * k)
		above, below := wide, wide
		if hi := f.Upper[k]; hi != nil {
			above = max(0, floor(hi)-f.Aim[k])
		}
		if lo := f.Lower[k]; lo != nil {
			below = max(0, f.Aim[k]+floor(new(big.Rat).Neg(lo)))
		}
		q.Cost = append(q.Cost, weight[k], weight[k])
		q.Lo, q.Up = append(q.Lo, 0, 0), append(q.Up, above, below)
	}
	for j := range p.Rel.Len() {
		cell, coef := p.Rel.Row(j)
		r := integer.Row{Lo: p.Rel.RHS[j]}
		for t, i := range cell {
			c := int64(coef[t])
			col, is := at[i]
			if !is {
				r.Lo -= c * p.Value[i]
				continue
			}
			r.Lo -= c * f.Aim[col/2]
			r.Idx, r.Coef = append(r.Idx, col, col+1), append(r.Coef, c, -c)
		}
		if r.Up = r.Lo; len(r.Idx) > 0 {
			q.Rows = append(q.Rows, r)
		}
	}
	return q, exact
}

// weights returns whole numbers proportional to 1/(width_i + 1), where a cell with an infinite end has proportion 1.
// The smallest such numbers come from the least common multiple of the numerators of all width_i + 1; if sums of
// distances would not fit, they are rounded and not exact.
func (f *Filled) weights() (w []int64, exact bool) {
	spread := make([]*big.Rat, len(f.Cells)) // width_i + 1
	multiple, total := big.NewInt(1), big.NewRat(1, 1)
	for k := range f.Cells {
		far := new(big.Rat).SetInt64(wide)
		spread[k] = big.NewRat(1, 1)
		if lo, hi := f.Lower[k], f.Upper[k]; lo != nil && hi != nil {
			spread[k].Add(spread[k], far.Sub(hi, lo))
		}
		num := spread[k].Num()
		if multiple.BitLen() < 64 { // a longer one cannot be used
			multiple.Mul(multiple, new(big.Int).Quo(num, new(big.Int).GCD(nil, nil, multiple, num)))
		}
		total.Add(total, far.Quo(far.Add(far, big.NewRat(1, 1)), spread[k]))
	}
	scale := new(big.Rat).Quo(new(big.Rat).SetInt64(1<<59), total) // Σ weight·distance of every table stays below 2^59
	if all := new(big.Rat).SetInt(multiple); all.Cmp(scale) <= 0 {
		scale, exact = all, true
	}
	for k := range f.Cells {
		w = append(w, max(1, floor(new(big.Rat).Quo(scale, spread[k]))))
	}
	return w, exact
}

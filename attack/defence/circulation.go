package defence

import (
	"context"
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// errLarge is returned if numbers of the table, or a denominator, are too large.
var errLarge = i18n.New("defence: numbers too large")

// maxDen is the largest denominator of a base. Vertices of table polyhedra have denominators that divide small
// subdeterminants of M.
const maxDen = 1 << 20

// maxNum bounds all numbers, so that sums and small multiples stay in range.
const maxNum = 1 << 53

// huge caps sums of capacities; at the cap nothing can be concluded about ends.
const huge = 1 << 60

// A base is a table y = num/den that is consistent with everything public.
type base struct {
	num []int64
	den int64
}

// capacities stores how far each cell may move up and down from b within the intruder's bounds, in units of 1/den; 0
// for fixed cells.
func (b *base) capacities(up, dn []int64, lower, upper []int64, fixed []bool) error {
	for c, v := range b.num {
		up[c], dn[c] = 0, 0
		if fixed[c] {
			continue
		}
		var ok bool
		if up[c], ok = distance(upper[c], v, b.den, table.PosInf); !ok {
			return errLarge
		}
		if dn[c], ok = distance(lower[c], v, b.den, table.NegInf); !ok {
			return errLarge
		}
	}
	return nil
}

// distance returns |bound·den − v|, or PosInf if the bound equals none, the mark for no bound.
func distance(bound, v, den, none int64) (int64, bool) {
	if bound == none {
		return table.PosInf, true
	}
	hi, lo := bits.Mul64(num.Magnitude(bound), uint64(den))
	if hi != 0 || lo > 1<<61 || num.Magnitude(v) > 1<<61 {
		return 0, false
	}
	d := bound*den - v
	return int64(num.Magnitude(d)), true
}

// plus returns b + z in lowest terms.
func (b *base) plus(z *move) (*base, error) {
	if z.den > maxDen || b.den > maxDen*maxDen/z.den {
		return nil, errLarge
	}
	s := &base{num: make([]int64, len(b.num)), den: b.den * z.den}
	g := s.den
	for c, v := range b.num {
		hi, lo := bits.Mul64(num.Magnitude(v), uint64(z.den))
		if hi != 0 || lo > maxNum {
			return nil, errLarge
		}
		s.num[c] = v * z.den
	}
	for t, c := range z.cell {
		if num.Magnitude(z.num[t]) > maxNum {
			return nil, errLarge
		}
		s.num[c] += z.num[t]
	}
	if g > 1 {
		for _, v := range s.num {
			if g = num.GCD(g, int64(num.Magnitude(v))); g == 1 {
				break
			}
		}
		for c := range s.num {
			s.num[c] /= g
		}
		s.den /= g
	}
	if s.den > maxDen {
		return nil, errLarge
	}
	return s, nil
}

// A move is z = num/den on the cells cell and 0 elsewhere, with M z = 0.
type move struct {
	cell []int32
	num  []int64
	den  int64
}

// at returns den·z_c.
func (z *move) at(c int32) int64 {
	for t, i := range z.cell {
		if i == c {
			return z.num[t]
		}
	}
	return 0
}

// A circulationOracle finds how far one cell can move within capacities: by integer flows on networks, elsewhere by
// linear programs with exact answers. The slices of a returned move belong to the caller.
type circulationOracle struct {
	flow  oracle.Flow
	exact *oracle.Exact
	clamp int64 // capacities of at least this count as infinite
	up    []int64
	dn    []int64
	tests int // number of questions answered
}

func newCirculationOracle(sys *oracle.System, lp string) (*circulationOracle, error) {
	if sys.IsNetwork() {
		in, err := sys.NewIntruder("network", "")
		if err != nil {
			return nil, err
		}
		return &circulationOracle{flow: in.(oracle.Flow)}, nil
	}
	e, err := sys.NewExact("simplex", lp)
	return &circulationOracle{exact: e}, err
}

func (m *circulationOracle) close() {
	if m.exact != nil {
		m.exact.Close()
	}
}

// set sets the capacities; the slices must not change while in use.
func (m *circulationOracle) set(up, dn []int64) {
	m.up, m.dn, m.clamp = up, dn, maxNum+2 // more than any width that is asked for
	for c := range up {
		for _, v := range [2]int64{up[c], dn[c]} {
			if v != table.PosInf {
				m.clamp = min(m.clamp+v, huge)
			}
		}
	}
	if m.flow != nil {
		m.flow.SetInt(up, dn, m.clamp)
		return
	}
	m.exact.SetCapacities(up, dn, m.clamp)
}

// reach moves cell k in direction sign as far as possible, or by at least limit.
func (m *circulationOracle) reach(ctx context.Context, k int32, sign int, limit int64) (*move, error) {
	m.tests++
	if m.flow != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m.flow.ReachInt(int(k), sign, limit)
		z := &move{den: 1}
		z.cell, z.num = m.flow.WitnessInt(nil, nil)
		return z, nil
	}
	end, err := m.exact.Max(ctx, int(k), sign, limit, false)
	if err != nil {
		return nil, err
	}
	if end.Wide != nil {
		return nil, errLarge
	}
	return &move{end.Idx, end.Num, end.Den}, nil
}

// end moves cell k in direction sign to the proved end of its interval. It returns nil if there is no end.
func (m *circulationOracle) end(ctx context.Context, k int32, sign int) (*move, error) {
	m.tests++
	if m.flow != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if m.flow.ReachInt(int(k), sign, m.clamp) >= m.clamp {
			if m.clamp == huge {
				return nil, errLarge
			}
			return nil, nil
		}
		z := &move{den: 1}
		z.cell, z.num = m.flow.WitnessInt(nil, nil)
		return z, nil
	}
	e, err := m.exact.Max(ctx, int(k), sign, table.PosInf, true)
	switch {
	case err != nil:
		return nil, err
	case e.Endless:
		return nil, nil
	case !e.Exact():
		return nil, oracle.ErrInexact
	case e.Wide != nil:
		return nil, errLarge
	}
	return &move{e.Idx, e.Num, e.Den}, nil
}

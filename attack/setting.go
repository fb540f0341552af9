package attack

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// A setting is a prepared attack.
type setting struct {
	office *Office
	t      *table.Table // the table as given
	base   *table.Table // the procedure's start, with the costs of published cells
	sys    *oracle.System

	positions
	positionRelations
	levels
	costs
	possible
	extents []extent // by position
	reach   int64    // above every level, in units of values
}

// maxWord bounds every number, so that sums of a few of them fit 64 bits.
const maxWord = 1 << 61

// newSetting prepares an attack; each part depends on those before it.
func newSetting(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*setting, error) {
	o := &opt.Office
	if t.Rounded() {
		return nil, i18n.Errorf("table %s: %w", t.Name, errRounded)
	}
	base, err := o.base(t, withheld)
	if err != nil {
		return nil, err
	}
	if err := o.hides(base, withheld); err != nil {
		return nil, err
	}
	at := newPositions(withheld)
	rel := relationsOver(base, &at)
	lev, err := levelsOf(o, base, at.cells)
	if err != nil {
		return nil, err
	}
	price, err := costsOf(o, base, at.cells)
	if err != nil {
		return nil, err
	}
	sys := oracle.NewSystem(t.Rel)
	poss, err := possibleTo(ctx, &reader{base, &at, sys, opt}, opt.Knows)
	if err != nil {
		return nil, err
	}
	if err := price.check(base.Cost, at.pos, poss.root); err != nil {
		return nil, err
	}
	rel.fit(poss.root)
	reach, err := lev.refine(o, base, at.cells, poss.root)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(&poss, lev.q*lev.fine)
	return &setting{o, t, base, sys, at, rel, lev, price, poss, extents, reach}, nil
}

// sensitive reports whether position p is sensitive at the value v.
func (x *setting) sensitive(p int32, v int64) bool {
	if x.office.Below == 0 {
		return x.base.Status[x.cells[p]] == table.Sensitive
	}
	return x.office.sensitive(v)
}

// maybe reports whether position p is sensitive at some value in [l, u].
func (x *setting) maybe(p int32, l, u int64) bool {
	if x.office.Below == 0 {
		return x.base.Status[x.cells[p]] == table.Sensitive
	}
	a, b := x.office.sensitiveRange()
	return l <= b && u >= a
}

// guarded reports whether S meets the levels of position p at the value v.
func (x *setting) guarded(p int32, v int64) bool {
	return x.keeps(0, p, v) && x.keeps(1, p, v) && x.keeps(2, p, v)
}

// keeps reports whether S meets level k (0 Width, 1 LPL, 2 UPL) of position p at the value v.
func (x *setting) keeps(k int, p int32, v int64) bool {
	e, need, have := &x.extents[p], x.exactly(p, k, v), num.Product(v, uint64(x.q*x.fine))
	switch k {
	case 0:
		more := e.w.Sub(need).Sign()
		return more > 0 || more == 0 && !(e.exact && x.base.Strict)
	case 1:
		have = have.Sub(e.lo)
	default:
		have = e.hi.Sub(have)
	}
	return have.Sub(need).Sign() >= 0
}

// ceil is ⌈r⌉.
func ceil(r *big.Rat) *big.Int {
	v := new(big.Int).Neg(r.Num())
	v.Div(v, r.Denom()) // floor of −r
	return v.Neg(v)
}

func ceilRat(r *big.Rat) (int64, bool) {
	if r == nil {
		return 0, false
	}
	return short(ceil(r))
}

func floorRat(r *big.Rat) (int64, bool) {
	if r == nil {
		return 0, false
	}
	return short(num.Floor(r))
}

// short returns v as an int64; ok is false unless it is below maxWord.
func short(v *big.Int) (int64, bool) {
	return v.Int64(), v.IsInt64() && v.Int64() != math.MinInt64 && num.Abs(v.Int64()) < maxWord
}

// mulSat returns a·b for a, b ≥ 0, at most maxWord.
func mulSat(a, b int64) int64 {
	if a != 0 && b > maxWord/a {
		return maxWord
	}
	return a * b
}

package attack

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/table"
)

// possible holds the values that the withheld cells can have: for the intruder that the office's rule assumes, and for
// the attacker, who may know more.
type possible struct {
	lb, ub         []int64          // by position: bounds known to the office's intruder
	feasLo, feasHi []*big.Rat       // by position: the office's intruder's interval given S
	root           box              // the attacker's intervals given S, rounded inwards
	fib            *nullspace.Fibre // the tables that the attacker considers possible
}

// ErrUnbounded is returned if a withheld cell may have infinitely many values, as happens if a table's total and whole
// margins are withheld.
var ErrUnbounded = i18n.New("attack: a withheld cell has no finite interval")

// possibleTo computes what is possible for the reader, and for an attacker who also knows the values of some cells.
func possibleTo(ctx context.Context, r *reader, knows map[int]int64) (v possible, err error) {
	if v.fib, v.feasLo, v.feasHi, err = r.behind(ctx, nil); err != nil {
		return v, err
	}
	lo, hi := v.feasLo, v.feasHi
	if len(knows) > 0 {
		if v.fib, lo, hi, err = r.behind(ctx, knows); err != nil {
			return v, err
		}
	}
	v.root = r.at.newBox()
	l, u := v.root.ends()
	for p, i := range r.at.cells {
		var okl, oku bool
		l[p], okl = ceilRat(lo[p])
		u[p], oku = floorRat(hi[p])
		switch {
		case v.feasLo[p] == nil || v.feasHi[p] == nil || lo[p] == nil || hi[p] == nil:
			return v, i18n.Errorf("%w: %s", ErrUnbounded, r.base.CellName(int(i)))
		case !okl || !oku:
			return v, i18n.Errorf("attack: cell %s: its possible values, %s to %s, are longer than the 18 digits of values in a table", r.base.CellName(int(i)),
				table.FormatRat(lo[p], r.base.Decimals), table.FormatRat(hi[p], r.base.Decimals))
		}
		v.lb, v.ub = append(v.lb, r.base.Lower[i]), append(v.ub, r.base.Upper[i])
	}
	return v, nil
}

// A reader sees the table base without the cells at positions.
type reader struct {
	base *table.Table
	at   *positions
	sys  *oracle.System
	opt  *Options
}

// errImpossible is returned if F is empty even over the reals.
var errImpossible = i18n.New("attack: no table agrees with what is published and known")

// behind returns the tables that a reader who knows the values of some cells considers possible, and the interval of
// each position: by flows on networks, otherwise by exact linear programs.
func (r *reader) behind(ctx context.Context, knows map[int]int64) (f *nullspace.Fibre, lo, hi []*big.Rat, err error) {
	lower, upper := slices.Clone(r.base.Lower), slices.Clone(r.base.Upper)
	for _, i := range r.at.cells {
		if v, ok := knows[int(i)]; ok {
			lower[i], upper[i] = v, v
		}
	}
	if f, err = nullspace.New(r.base.Rel, r.at.cells, r.base.Value, lower, upper); err != nil {
		return nil, nil, nil, err
	}
	if r.sys.IsNetwork() {
		lo, hi, err = r.audit(ctx, knows)
		return f, lo, hi, err
	}
	for p := range r.at.cells {
		if ctx.Err() != nil {
			return nil, nil, nil, context.Cause(ctx)
		}
		l, h, ok := f.Bounds(p)
		if !ok {
			return nil, nil, nil, errImpossible
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return f, lo, hi, nil
}

// audit returns the intervals on networks, where interval.Audit is exact.
func (r *reader) audit(ctx context.Context, knows map[int]int64) (lo, hi []*big.Rat, err error) {
	t, at := r.base.Clone(), r.at
	t.Missing = make([]bool, at.n)
	hidden := make([]bool, at.n)
	lo, hi = make([]*big.Rat, at.s), make([]*big.Rat, at.s)
	for p, i := range at.cells {
		t.Status[i] = table.Withheld
		if v, ok := knows[int(i)]; ok {
			t.Value[i] = v
			lo[p] = new(big.Rat).SetInt64(v)
			hi[p] = lo[p]
			continue
		}
		hidden[i], t.Missing[i] = true, true
	}
	a, err := interval.Audit(ctx, t, hidden, &interval.Options{LP: r.opt.LP, Workers: r.opt.Workers})
	switch {
	case errors.Is(err, interval.ErrInconsistent):
		return nil, nil, errImpossible
	case err != nil:
		return nil, nil, err
	}
	for _, c := range a.Cells {
		lo[at.pos[c.Index]], hi[at.pos[c.Index]] = c.Lo, c.Hi
	}
	return lo, hi, nil
}

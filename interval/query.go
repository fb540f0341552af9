package interval

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A query is the search for a short combination for one end of one cell.
type query struct {
	*field
	k    int // number of the cell in the field
	sign int
	side Side
	far  *big.Rat // the distance of the end from the base
	left int      // number of questions left
	work int      // number of sets that the search for smallest hitting sets may still examine
	// beyond are sets of published cells: for each there is a table beyond the end that differs from the published
	// numbers only in these cells. A set can suffice only if it meets them all.
	beyond [][]int32
}

// suffices decides whether the published cells keep (all, if whole) prove the end when the other published cells, and
// the bounds of the withheld cells in loose, are unknown. If so, it returns a dual that proves it; else the published
// cells that some table beyond the end changes; or neither if no answer was found.
func (q *query) suffices(ctx context.Context, keep []int32, whole bool, loose []bool) (*oracle.Dual, []int32, error) {
	moved, ok, err := q.beyondWith(ctx, keep, whole, loose)
	if err != nil || !ok || len(moved) > 0 {
		return nil, moved, err
	}
	end, err := q.e.Max(ctx, q.k, q.sign, table.PosInf, true)
	switch {
	case gaveUp(err):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	var best *oracle.Dual
	duals := q.e.Duals(q.k)
	if end.Dual != nil {
		duals = append([]*oracle.Dual{end.Dual}, duals...)
	}
	for _, d := range duals {
		if b := d.Bound(q.u, q.d, q.sign); b == nil || b.Cmp(q.far) != 0 {
			continue
		}
		if best == nil || len(q.uses(d)) < len(q.uses(best)) {
			best = d
		}
	}
	return best, nil, nil
}

// beyondWith is the first half of suffices: it looks for a table beyond the end and returns the published cells that it
// changes, ascending; none if there is no such table. ok is false if no answer was found.
func (q *query) beyondWith(ctx context.Context, keep []int32, whole bool, loose []bool) (moved []int32, ok bool, err error) {
	q.left -= q.cost
	for i, published := range q.published {
		switch {
		case published && whole:
			q.u[i], q.d[i] = q.up[i], q.dn[i]
		case published || q.side == TheValue || loose != nil && loose[i]:
			q.u[i], q.d[i] = table.PosInf, table.PosInf
		default:
			q.u[i], q.d[i] = q.up[i], q.dn[i]
		}
	}
	for _, i := range keep {
		q.u[i], q.d[i] = q.up[i], q.dn[i]
	}
	// Looking a little beyond the end is enough.
	limit := new(big.Int).Quo(q.far.Num(), q.far.Denom())
	if limit.Add(limit, big.NewInt(2)); !limit.IsInt64() || limit.Int64() > 1<<60 {
		return nil, false, nil
	}
	own, other := &q.u[q.k], &q.d[q.k]
	if q.sign < 0 {
		own, other = other, own
	}
	*own = min(*own, limit.Int64())
	if q.side == TheValue {
		*other = 0
	}
	q.e.SetGiven(q.u, q.d, limit.Int64()+1)
	end, err := q.e.Max(ctx, q.k, q.sign, table.PosInf, false)
	switch {
	case gaveUp(err):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case end.Value.Cmp(q.far) <= 0:
		return nil, true, nil
	}
	for t, i := range end.Idx {
		if q.published[i] && q.leaves(i, end.At(t)) {
			moved = append(moved, i)
		}
	}
	slices.Sort(moved)
	moved = slices.Compact(moved)
	return moved, len(moved) > 0, nil
}

// leaves reports whether published cell i, moved by z, no longer agrees with its published value.
func (q *query) leaves(i int32, z *big.Rat) bool {
	room := q.up[i]
	if z.Sign() < 0 {
		room = q.dn[i]
	}
	return new(big.Rat).Abs(z).Cmp(new(big.Rat).SetInt64(room)) > 0
}

// gaveUp reports whether err means that this question has no answer, though others may have one.
func gaveUp(err error) bool {
	return errors.Is(err, oracle.ErrInexact) || errors.Is(err, oracle.ErrNumbers)
}

// uses returns the published cells that a dual uses, ascending.
func (q *query) uses(d *oracle.Dual) []int32 {
	return sets.Where(d.Idx, func(i int32) bool { return q.published[i] })
}

// shortest returns a dual with few published cells, starting from a first one, and whether it is proved that none has
// fewer.
func (q *query) shortest(ctx context.Context, best *oracle.Dual) (*oracle.Dual, bool, error) {
	best, err := q.leaveOut(ctx, best)
	if err != nil {
		return nil, false, err
	}
	proved := false
	for q.left > 0 && !proved {
		size := len(q.uses(best))
		try, ok := smallestHitting(q.beyond, size, &q.work)
		if !ok {
			break
		}
		if try == nil {
			proved = true
			break
		}
		for round := 0; q.left > 0; round++ {
			d, moved, err := q.suffices(ctx, try, false, nil)
			if err != nil {
				return nil, false, err
			}
			if d == nil && len(moved) == 0 { // no answer
				q.left = 0
				break
			}
			if d == nil { // also look for sets disjoint from it
				if moved, err = q.shrink(ctx, moved); err != nil {
					return nil, false, err
				}
				q.beyond = append(q.beyond, moved)
				if try = append(slices.Clone(try), moved...); len(try) >= size {
					break
				}
				continue
			}
			best = d
			if proved = round == 0; !proved {
				if best, err = q.leaveOut(ctx, best); err != nil {
					return nil, false, err
				}
			}
			break
		}
	}
	best, err = q.loosen(ctx, best)
	return best, proved, err
}

// leaveOut removes published cells from a dual one by one, as long as the rest suffices.
func (q *query) leaveOut(ctx context.Context, best *oracle.Dual) (*oracle.Dual, error) {
	tried := map[int32]bool{}
	for at := 0; ; {
		cells := q.uses(best)
		if q.left <= 0 {
			return best, nil
		}
		for at < len(cells) && tried[cells[at]] {
			at++
		}
		if at == len(cells) {
			return best, nil
		}
		tried[cells[at]] = true
		without := slices.Delete(slices.Clone(cells), at, at+1)
		d, moved, err := q.suffices(ctx, without, false, nil)
		switch {
		case err != nil:
			return nil, err
		case d != nil:
			best, at = d, 0
		case len(moved) > 0:
			q.beyond = append(q.beyond, moved)
		}
	}
}

// shrink removes published cells one by one from a set that some table beyond the end changes, as long as there still
// is such a table: smaller sets constrain more.
func (q *query) shrink(ctx context.Context, moved []int32) ([]int32, error) {
	for n := 0; n < len(moved) && len(moved) > 1 && q.left > 0; {
		free := slices.Delete(slices.Clone(moved), n, n+1)
		var keep []int32
		for i, published := range q.published {
			if _, is := slices.BinarySearch(free, int32(i)); published && !is {
				keep = append(keep, int32(i))
			}
		}
		fewer, _, err := q.beyondWith(ctx, keep, false, nil)
		if err != nil {
			return nil, err
		}
		if fewer == nil {
			n++
			continue
		}
		moved = fewer
		n = min(n, len(moved))
		if n > 0 { // cells before n were needed and still are, so continue after it
			n, _ = slices.BinarySearch(moved, free[n-1])
			n++
		}
	}
	return moved, nil
}

// loosen removes bounds of withheld cells from a dual one by one, as long as the rest suffices.
func (q *query) loosen(ctx context.Context, best *oracle.Dual) (*oracle.Dual, error) {
	if q.side == TheValue {
		return best, nil
	}
	keep := q.uses(best)
	loose := make([]bool, len(q.published))
	bound := func(d *oracle.Dual) {
		for i, published := range q.published {
			loose[i] = !published
		}
		for _, i := range d.Idx {
			loose[i] = false
		}
		loose[q.k] = false
	}
	bound(best)
	for _, i := range slices.Clone(best.Idx) {
		if q.left <= 0 {
			break
		}
		if q.published[i] || loose[i] || int(i) == q.k {
			continue
		}
		loose[i] = true
		d, _, err := q.suffices(ctx, keep, false, loose)
		if err != nil {
			return nil, err
		}
		if loose[i] = false; d != nil && len(q.uses(d)) <= len(keep) {
			best = d
			bound(best)
		}
	}
	return best, nil
}

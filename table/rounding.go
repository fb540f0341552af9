package table

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Rounded reports whether some value is rounded (see Rounding).
func (t *Table) Rounded() bool {
	return slices.ContainsFunc(t.Rounding, func(u int64) bool { return u > 0 })
}

// RoundedTo returns the unit to which the value of cell i is rounded, 0 if it is exact.
func (t *Table) RoundedTo(i int) int64 {
	if t.Rounding == nil {
		return 0
	}
	return t.Rounding[i]
}

// Opened turns a publication with rounded values into an equivalent one without: a table w with the same cells and
// relations in which the published rounded cells are withheld too, bounded by their rounded values. The tables y
// consistent with the publication of t are those with
//
//	M y = b*,   y_i = a_i (exact published cells),   a_i − u_i/2 ≤ y_i ≤ a_i + u_i/2 (rounded ones),   Lower_i ≤ y_i ≤ Upper_i (all).
//
// Both ends are closed, whichever way halves are rounded. The relations hold between true values: b* is 0 if rounding
// can explain the difference of the sums of t (Rel.RHS), that is, if it is at most Σ |coef|·u/2; otherwise it is the
// excess, which is assumed known to everybody. hidden marks the withheld cells of w. All numbers of t are multiplied by
// the factor by in w, as half a unit may need one more decimal; if whole, by is 1 and half units are rounded down, as
// in tables of whole numbers. Values of withheld cells that satisfy all this are kept; the others become missing. Cost:
// a copy.
func (t *Table) Opened(withheld []bool, whole bool) (w *Table, hidden []bool, by int64, err error) {
	w, hidden, by = t.Clone(), append([]bool(nil), withheld...), 1
	for _, u := range t.Rounding {
		if u%2 != 0 && !whole {
			if by = 10; t.Decimals == MaxDecimals {
				return nil, nil, 0, i18n.Errorf("table %s: half of its rounding with %d decimals: %w", t.Name, t.Decimals+1, ErrOutOfRange)
			}
			if err := w.Rescale(t.Decimals + 1); err != nil {
				return nil, nil, 0, err
			}
			break
		}
	}
	if w.Missing == nil {
		w.Missing = make([]bool, t.Len())
	}
	for i, u := range w.Rounding {
		if u == 0 || withheld[i] {
			continue
		}
		v := w.Value[i]
		lo, lowOK := addExact(v, -(u / 2))
		hi, highOK := addExact(v, u/2)
		if !lowOK || !highOK {
			return nil, nil, 0, i18n.Errorf("table %s: cell %s: its value and rounding: %w", t.Name, t.CellName(i), ErrOutOfRange)
		}
		w.Lower[i], w.Upper[i] = max(w.Lower[i], lo), min(w.Upper[i], hi)
		hidden[i], w.Status[i] = true, Withheld
	}
	for j := range w.Rel.Len() {
		w.Rel.RHS[j] = w.unexplained(j)
	}
	if !w.Rel.Holds(w.Value) || t.Missing != nil {
		copy(w.Missing, hidden)
	}
	w.Rounding = nil
	return w, hidden, by, nil
}

// unexplained returns the part of relation j's difference that the rounding of its cells cannot explain.
func (t *Table) unexplained(j int) int64 {
	cell, coef := t.Rel.Row(j)
	room, c := new(big.Int), new(big.Int)
	for e, i := range cell {
		room.Add(room, c.Mul(c.Abs(big.NewInt(int64(coef[e]))), big.NewInt(t.Rounding[i])))
	}
	room.Rsh(room, 1) // right-hand sides are whole
	rest := big.NewInt(t.Rel.RHS[j])
	switch {
	case new(big.Int).Abs(rest).Cmp(room) <= 0:
		return 0
	case rest.Sign() > 0:
		rest.Sub(rest, room)
	default:
		rest.Add(rest, room)
	}
	return rest.Int64()
}

// Unrounded returns a table with exact values such that every pattern that meets its levels meets those of t, whatever
// the true values behind the rounded ones. A movement z of it (M z = 0, z_i = 0 for published cells), added to the true
// table, gives a table consistent with the publication of t. Hence bounds are narrowed by half a unit, though not past
// the value, and LPL and UPL are raised by half a unit, rounded up, as the true value may be that far from the rounded
// one. If nothing is rounded, it is t itself. The converse does not hold: rounding protects a little by itself. Cost: a
// copy.
func (t *Table) Unrounded() (*Table, error) {
	if !t.Rounded() {
		return t, nil
	}
	w := t.Clone()
	w.Rounding = nil
	for i, u := range t.Rounding {
		half := u - u/2
		if half == 0 {
			continue
		}
		if t.Lower[i] != NegInf && t.Known(i) {
			w.Lower[i] = min(max(t.Value[i], t.Lower[i]), t.Lower[i]+half)
		}
		if t.Upper[i] != PosInf && t.Known(i) {
			w.Upper[i] = max(min(t.Value[i], t.Upper[i]), t.Upper[i]-half)
		}
		if t.Status[i] != Sensitive {
			continue
		}
		for _, level := range []*int64{&w.LPL[i], &w.UPL[i]} {
			if *level > 0 {
				v, ok := addExact(*level, half)
				if !ok {
					return nil, i18n.Errorf("table %s: cell %s: its level and rounding: %w", t.Name, t.CellName(i), ErrOutOfRange)
				}
				*level = v
			}
		}
	}
	return w, nil
}

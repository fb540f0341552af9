package protection

import (
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Check returns an error for what makes t impossible to protect: faults of the table itself, cells without a
// value, costs whose sum exceeds 64 bits.
func Check(t *table.Table) error {
	if err := t.Validate(); err != nil {
		return i18n.Errorf("table %s: %w", t.Name, err)
	}
	for i := range t.Len() {
		if !t.Known(i) {
			return i18n.Errorf("table %s: cell %s has no value; a published table can be audited, not protected", t.Name, t.CellName(i))
		}
	}
	if _, err := t.TotalCost(); err != nil {
		return i18n.Errorf("table %s: %w", t.Name, err)
	}
	return nil
}

// Capacities returns how far cell i can move from its true value within the intruder's bounds: U_i = ub_i − a_i
// and L_i = a_i − lb_i, table.PosInf if there is no bound.
func Capacities(t *table.Table, i int) (up, dn int64) {
	up, dn = table.PosInf, table.PosInf
	if u := t.Upper[i]; u != table.PosInf {
		up = u - t.Value[i]
	}
	if l := t.Lower[i]; l != table.NegInf {
		dn = t.Value[i] - l
	}
	return up, dn
}

// Contributors returns the number of contributors of each cell: Freq or, without it, the values of a table of
// counts, in whole units if they are such; −1 if not known.
func Contributors(t *table.Table) []int64 {
	if t.Freq != nil {
		return t.Freq
	}
	unit, all := table.Pow10(t.Decimals), make([]int64, t.Len())
	for i, v := range t.Value {
		switch {
		case !t.Counts || !t.Known(i):
			all[i] = -1
		case v%unit == 0:
			all[i] = v / unit
		default:
			all[i] = v
		}
	}
	return all
}

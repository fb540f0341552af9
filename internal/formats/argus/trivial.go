package argus

import (
	"fmt"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// collapse returns t without trivial levels (option TR of output type 6): a margin with a single part is the
// same as that part, and both become one cell. That cell gets the stricter status and the larger levels of the
// two, the tighter bounds, and the sum of both costs, so that the cheapest patterns are those of t. Cells keep
// their order otherwise, and lose their names.
func collapse(t *table.Table) (*table.Table, error) {
	for i := range t.Len() {
		if !t.Known(i) {
			return nil, i18n.Errorf("table %s: cell %s has no value, but JJ files hold all values", t.Name, t.CellName(i))
		}
	}
	same := sets.New(t.Len()) // sets of cells that are the same, each represented by its first cell
	trivial := func(cell, coef []int32, rhs int64) bool { return len(cell) == 2 && coef[0] == -coef[1] && rhs == 0 }
	for j := range t.Rel.Len() {
		if cell, coef := t.Rel.Row(j); trivial(cell, coef, t.Rel.RHS[j]) {
			same.Join(cell[0], cell[1])
		}
	}
	u := &table.Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.CostDecimals, Counts: t.Counts, Strict: t.Strict}
	at := make([]int32, t.Len())
	for i := range t.Len() {
		if r := same.Root(int32(i)); r != int32(i) {
			k := at[r]
			if fixed := table.Published; u.Status[k] != t.Status[i] && (u.Status[k] == fixed && secret(t.Status[i]) || t.Status[i] == fixed && secret(u.Status[k])) {
				return nil, i18n.Errorf("table %s: cells %s and %s are the same, but one must stay published and the other is withheld", t.Name, t.CellName(int(r)), t.CellName(i))
			}
			if strict(t.Status[i]) > strict(u.Status[k]) {
				u.Status[k] = t.Status[i]
			}
			if u.Cost[k] > 1e18-t.Cost[i] {
				return nil, i18n.Errorf("table %s: cell %s: its costs need more than 18 digits", t.Name, t.CellName(i))
			}
			u.Cost[k] += t.Cost[i]
			u.LPL[k], u.UPL[k], u.Width[k] = max(u.LPL[k], t.LPL[i]), max(u.UPL[k], t.UPL[i]), max(u.Width[k], t.Width[i])
			u.Lower[k], u.Upper[k] = max(u.Lower[k], t.Lower[i]), min(u.Upper[k], t.Upper[i])
			at[i] = k
			continue
		}
		at[i] = int32(u.Len())
		u.Value, u.Cost, u.Status = append(u.Value, t.Value[i]), append(u.Cost, t.Cost[i]), append(u.Status, t.Status[i])
		u.LPL, u.UPL, u.Width = append(u.LPL, t.LPL[i]), append(u.UPL, t.UPL[i]), append(u.Width, t.Width[i])
		u.Lower, u.Upper = append(u.Lower, t.Lower[i]), append(u.Upper, t.Upper[i])
	}
	u.Rel = table.NewRelations(u.Len())
	seen := map[string]bool{}
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		if trivial(cell, coef, t.Rel.RHS[j]) {
			continue
		}
		c := sets.List(len(cell), func(k int) int32 { return at[cell[k]] })
		if key := fmt.Sprint(c, coef, t.Rel.RHS[j]); !seen[key] {
			seen[key] = true
			u.Rel.Add(c, coef, t.Rel.RHS[j])
		}
	}
	return u, nil
}

func secret(s table.Status) bool { return s == table.Sensitive || s == table.Withheld }

func strict(s table.Status) int {
	switch s {
	case table.Sensitive:
		return 3
	case table.Withheld:
		return 2
	case table.Published:
		return 1
	}
	return 0
}

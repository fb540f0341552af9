package table

import "fmt"

// meet narrows the bounds of cell c to what cell i of u, which is the same one and in the same decimals, leaves of them: the intersection
// [max(Lower_c, Lower_i), min(Upper_c, Upper_i)]. So the order in which tables come changes nothing, and who knows more
// knows no less.
func (t *Table) meet(c int, u *Table, i int) {
	t.Lower[c], t.Upper[c] = max(t.Lower[c], u.Lower[i]), min(t.Upper[c], u.Upper[i])
	if u.Given != nil {
		t.Give(c, u.Given[i])
	}
}

// Box is [Lower_i, Upper_i] in words.
func (t *Table) Box(i int) string {
	lower, upper := "−∞", "∞"
	if t.Lower[i] != NegInf {
		lower = FormatDecimal(t.Lower[i], t.Decimals)
	}
	if t.Upper[i] != PosInf {
		upper = FormatDecimal(t.Upper[i], t.Decimals)
	}
	return fmt.Sprintf("[%s, %s]", lower, upper)
}

// Coarsen takes from t the decimals that nothing of it has: neither the values that are known, nor bounds, levels, contributions and
// right-hand sides. Of a table as its readers know it, values that they do not know then leave no trace in its decimals.
func (t *Table) Coarsen() {
	columns := append([][]int64{t.Value, t.LPL, t.UPL, t.SPL, t.Lower, t.Upper, t.Rounding, t.Rel.RHS}, t.Max...)
	for t.Decimals > 0 {
		for _, c := range columns {
			for _, v := range c {
				if v != PosInf && v != NegInf && v%10 != 0 {
					return
				}
			}
		}
		for _, c := range columns {
			for i, v := range c {
				if v != PosInf && v != NegInf {
					c[i] = v / 10
				}
			}
		}
		t.Decimals--
	}
}

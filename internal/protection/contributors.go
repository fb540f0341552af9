package protection

import "github.com/hitoku/hitoku/table"

// Contributors are the numbers of contributors of the cells: Freq, or without it the values of a table of counts, in whole units where
// they are such; −1 where they are not known.
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

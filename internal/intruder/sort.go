package intruder

import "sort"

// dualOrder sorts the entries of a Dual by cell.
type dualOrder struct{ *Dual }

func (d dualOrder) Len() int           { return len(d.Idx) }
func (d dualOrder) Less(a, b int) bool { return d.Idx[a] < d.Idx[b] }
func (d dualOrder) Swap(a, b int) {
	d.Idx[a], d.Idx[b] = d.Idx[b], d.Idx[a]
	d.Coef[a], d.Coef[b] = d.Coef[b], d.Coef[a]
}

func sortDual(d *Dual) { sort.Sort(dualOrder{d}) }

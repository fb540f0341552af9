//go:build slow

package adversary

import (
	"slices"
	"time"

	"github.com/hitoku/hitoku/table"
)

// shrink makes t smaller as long as still holds: fewer cells, relations and levels, rounder numbers.
func shrink(t *table.Table, still func(*table.Table) bool, patience time.Duration) *table.Table {
	end := time.Now().Add(patience)
	try := func(c *table.Table) bool {
		if c == nil || time.Now().After(end) || !settle(c) || c.Validate() != nil || !still(c) {
			return false
		}
		t = c
		return true
	}
	for {
		before := size(t)
		if t.Layers <= 1 {
			for i := t.Len() - 1; i >= 0; i-- {
				try(withoutCell(t, i))
			}
			for j := t.Rel.Len() - 1; j >= 0; j-- {
				try(withoutRelation(t, j))
			}
			for j := range t.Rel.Len() {
				for s := t.Rel.Ptr[j+1] - t.Rel.Ptr[j] - 1; s >= 0; s-- {
					if cells, _ := t.Rel.Row(j); int(s) < len(cells) && len(cells) > 2 {
						try(withoutTerm(t, j, int(s)))
					}
				}
			}
		}
		for _, change := range []func(c *table.Table, i int) bool{
			func(c *table.Table, i int) bool { return c.Layers <= 1 && set(&c.Status[i], table.Published) },
			func(c *table.Table, i int) bool { return set(&c.LPL[i], 0) },
			func(c *table.Table, i int) bool { return set(&c.UPL[i], 0) },
			func(c *table.Table, i int) bool { return set(&c.Width[i], 0) },
			func(c *table.Table, i int) bool { return set(&c.Width[i], c.Width[i]/2) },
			func(c *table.Table, i int) bool { return set(&c.Upper[i], table.PosInf) },
			func(c *table.Table, i int) bool { return set(&c.Lower[i], min(0, c.Value[i])) },
			func(c *table.Table, i int) bool { return set(&c.Cost[i], 1) },
			func(c *table.Table, i int) bool { return c.Lower[i] <= 0 && c.Upper[i] >= 0 && set(&c.Value[i], 0) },
			func(c *table.Table, i int) bool {
				return c.Value[i] != 0 && c.Lower[i] <= c.Value[i]/2 && set(&c.Value[i], c.Value[i]/2)
			},
			func(c *table.Table, i int) bool {
				return c.Value[i] > 9 && c.Lower[i] <= c.Value[i]-1 && set(&c.Value[i], round(c.Value[i]))
			},
			func(c *table.Table, i int) bool {
				return c.Upper[i] != table.PosInf && set(&c.Upper[i], max(c.Value[i], c.Upper[i]/2))
			},
		} {
			for i := range t.Len() {
				c := t.Clone()
				if change(c, i) {
					try(c)
				}
			}
		}
		c := t.Clone()
		if set(&c.Strict, false) {
			try(c)
		}
		for e := range t.Rel.Coef {
			for _, to := range []int32{1, -1, t.Rel.Coef[e] / 2} {
				if v := t.Rel.Coef[e]; to != 0 && abs(int64(to)) < abs(int64(v)) {
					c := t.Clone()
					c.Rel = copied(c.Rel)
					c.Rel.Coef[e] = to
					try(c)
				}
			}
		}
		if slices.Equal(before, size(t)) || time.Now().After(end) {
			return t
		}
	}
}

// size is what shrinking lessens.
func size(t *table.Table) []int64 {
	s := []int64{int64(t.Len()), int64(t.Rel.Len()), int64(len(t.Rel.Cell)), 0, 0, 0}
	for i := range t.Len() {
		s[3] += abs(t.Value[i])/3 + t.LPL[i]/3 + t.UPL[i]/3 + t.Width[i]/3
		if t.Status[i] != table.Published {
			s[4]++
		}
		if t.Upper[i] != table.PosInf {
			s[4]++
		}
	}
	for _, c := range t.Rel.Coef {
		s[5] += abs(int64(c))
	}
	return s
}

func set[T comparable](at *T, v T) bool {
	if *at == v {
		return false
	}
	*at = v
	return true
}

// round keeps the first digit.
func round(v int64) int64 {
	by := int64(1)
	for v/by > 9 {
		by *= 10
	}
	return v / by * by
}

func copied(r *table.Relations) *table.Relations {
	c := table.NewRelations(r.N)
	for j := range r.Len() {
		cells, coef := r.Row(j)
		c.Add(cells, coef, r.RHS[j])
	}
	return c
}

// withoutCell drops a cell, as if its value were known and on the other side of every relation.
func withoutCell(t *table.Table, k int) *table.Table {
	if k >= t.Len() || t.Len() == 1 {
		return nil
	}
	c := t.Clone()
	for _, s := range []*[]int64{&c.Value, &c.Cost, &c.LPL, &c.UPL, &c.Width, &c.Lower, &c.Upper} {
		*s = slices.Delete(slices.Clone(*s), k, k+1)
	}
	c.Status = slices.Delete(slices.Clone(c.Status), k, k+1)
	c.Rel = table.NewRelations(t.Len() - 1)
	for j := range t.Rel.Len() {
		cells, coef := t.Rel.Row(j)
		var to, by []int32
		for s, i := range cells {
			if int(i) > k {
				i--
			} else if int(i) == k {
				continue
			}
			to, by = append(to, i), append(by, coef[s])
		}
		if len(to) > 0 {
			c.Rel.Add(to, by, 0)
		}
	}
	return c
}

func withoutRelation(t *table.Table, drop int) *table.Table {
	if drop >= t.Rel.Len() {
		return nil
	}
	c := t.Clone()
	c.Rel = table.NewRelations(t.Len())
	for j := range t.Rel.Len() {
		if cells, coef := t.Rel.Row(j); j != drop {
			c.Rel.Add(cells, coef, 0)
		}
	}
	return c
}

func withoutTerm(t *table.Table, at, term int) *table.Table {
	c := t.Clone()
	c.Rel = table.NewRelations(t.Len())
	for j := range t.Rel.Len() {
		cells, coef := t.Rel.Row(j)
		if j == at {
			cells, coef = slices.Delete(slices.Clone(cells), term, term+1), slices.Delete(slices.Clone(coef), term, term+1)
		}
		c.Rel.Add(cells, coef, 0)
	}
	return c
}

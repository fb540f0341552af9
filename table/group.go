package table

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

// A GroupRule is about group attribute disclosure in tables of counts (Handbook on Statistical Disclosure Control,
// sections 5.2 and 5.9; Lupp and Langsrud 2021): a cell c of a margin of M units is directly disclosive with reference
// to k if
//
//	M − k ≤ c   and   M > k :
//
// because whoever knows k units of the margin learns that all others are in c. This follows from the other cells of the
// margin, most of them 0, so the intruder must not be able to exclude that their sum z = M − c is larger by D.
type GroupRule struct{ K, D int64 }

// ParseGroupRule reads "k" or "k,d"; d is 1 if it is left out.
func ParseGroupRule(s string) (*GroupRule, error) {
	v, err := parseDecimals(s)
	if err == nil && len(v) <= 2 {
		r := GroupRule{D: 1}
		var ok, too bool
		r.K, ok = v[0].At(0)
		if too = true; len(v) == 2 {
			r.D, too = v[1].At(0)
		}
		if ok && too && r.K >= 0 && r.D > 0 {
			return &r, nil
		}
	}
	return nil, i18n.Errorf("%q: want k or k,d, whole numbers with k ≥ 0 and d ≥ 1", s)
}

// A DisclosedGroup is a margin with a cell that holds all but a few of its units.
type DisclosedGroup struct {
	Margin, Cell int
	Others       Union // the other cells of the margin; UPL is D
}

// Groups returns the groups that r finds in t, relation by relation, and in fixed those that nothing can protect,
// because none of their other cells may be withheld or larger. In a published table they are candidates, judged by the
// known values: one is a disclosed group if the interval of Others stays within K. It fails unless t is a table of
// counts. Cost linear in the entries of the relations.
func (r *GroupRule) Groups(t *Table) (groups, fixed []DisclosedGroup, err error) {
	if !t.Counts {
		return nil, nil, i18n.Errorf("table %s: groups are of tables of counts", t.Name)
	}
	for j := range t.Rel.Len() {
		if t.Rel.Margin == nil || t.Rel.Margin[j] < 0 {
			continue
		}
		m := int(t.Rel.Margin[j])
		var parts []int32
		sum, withheld := int64(0), 0 // sum of the known parts, number of withheld parts
		cell, _ := t.Rel.Row(j)
		for _, i := range cell {
			switch {
			case int(i) == m:
				continue
			case !t.Known(int(i)):
				withheld++
			default:
				sum += t.Value[i]
			}
			parts = append(parts, i)
		}
		if len(parts) < 2 {
			continue
		}
		for k, c := range parts {
			others, unknown, least := sum, withheld, int64(0)
			if t.Known(int(c)) {
				others, least = sum-t.Value[c], t.Value[c]
			} else {
				unknown--
			}
			all := others + least
			if t.Known(m) {
				all = t.Value[m]
			}
			if all <= r.K || others > r.K {
				continue
			}
			g := DisclosedGroup{Margin: m, Cell: int(c), Others: Union{Relation: j, Value: others, Reason: ByGroup, UPL: r.D}}
			free := unknown > 0
			for e, i := range parts {
				if e != k {
					g.Others.Cells = append(g.Others.Cells, i)
					free = free || t.Known(int(i)) && t.Status[i] != Published && t.Upper[i] > t.Value[i]
				}
			}
			if free {
				groups = append(groups, g)
			} else {
				fixed = append(fixed, g)
			}
		}
	}
	return groups, fixed, nil
}

package insider

import (
	"slices"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// contributors returns the persons who are the sole contributor of some withheld cell, each given by these cells,
// ordered by first cell. unknown is the number of withheld cells whose number of contributors is unknown.
//
// A person may be the sole contributor of several cells: of II/A and of the margin II/Total, if nobody else is in row
// II. If exactly two cells of a relation have contributors, one each, and are on opposite sides, these two contributors
// are one person.
//
// In a table of counts without frequencies a cell of value 1 has one contributor, who is assumed to know that the cell
// counts nobody else. With anyone, a withheld cell whose number of contributors is unknown is assumed to have one, who
// contributes to no other cell.
func contributors(t *table.Table, withheld []bool, anyone bool) (people [][]int, unknown int, err error) {
	n := t.Len()
	count := protection.Contributors(t)
	for i := range n {
		if withheld[i] && count[i] < 0 {
			unknown++
		}
	}
	if t.Freq == nil && unknown > 0 && !anyone {
		return nil, 0, ErrNoContributors
	}
	same := sets.New(n)
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		first, second, others := -1, -1, false
		for at, i := range cell {
			switch {
			case coef[at] == 0 || count[i] == 0:
			case count[i] != 1 || second >= 0:
				others = true
			case first < 0:
				first = at
			default:
				second = at
			}
		}
		if others || second < 0 || (coef[first] > 0) == (coef[second] > 0) {
			continue
		}
		same.Join(cell[first], cell[second])
	}
	at := make(map[int32]int)
	for i := range n {
		if withheld[i] && count[i] < 0 && anyone {
			people = append(people, []int{i})
		}
		if !withheld[i] || count[i] != 1 {
			continue
		}
		r := same.Root(int32(i))
		p, seen := at[r]
		if !seen {
			p = len(people)
			at[r] = p
			people = append(people, nil)
		}
		people[p] = append(people[p], i)
	}
	return people, unknown, nil
}

// A counter reports progress.
type counter struct {
	show        func(size, done, total int)
	size, total int
	done        atomic.Int64
}

func (c *counter) add() {
	if n := c.done.Add(1); c.show != nil {
		c.show(c.size, int(n), c.total)
	}
}

// union merges sorted sets.
func union(a, b []int32) []int32 {
	u := slices.Concat(a, b)
	slices.Sort(u)
	return slices.Compact(u)
}

// disjoint reports whether sorted sets have no element in common.
func disjoint(a, b []int32) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			return false
		}
	}
	return true
}

// within reports whether sorted set a is a subset of sorted set b.
func within(a, b []int32) bool {
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			return false
		}
	}
	return true
}

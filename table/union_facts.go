package table

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// contributions are the contributions to the cells of a union, as far as the table tells them.
type contributions struct {
	cells  []toCell
	anyone bool // some contributor is named
}

// toCell are the contributions to one cell.
type toCell struct {
	n    int64 // number of contributors, −1 unknown
	top  []int64
	who  []int32 // −1: not named
	rest int64   // bound on every contribution that is not in top
}

func newContributions(t *Table, cells []int32, mixed bool) *contributions {
	c := &contributions{}
	for _, i := range cells {
		of := toCell{n: -1}
		switch {
		case t.Freq != nil:
			of.n = t.Freq[i]
		case t.Counts:
			of.n = t.Value[i]
		}
		left := num.Abs(t.Value[i])
		for r := range t.Max {
			x, who := num.Abs(t.Max[r][i]), int32(-1)
			if a := t.Contributors; a != nil && r < len(a.Who) {
				who = a.Who[r][i]
			}
			if x == 0 || of.n >= 0 && int64(r) >= of.n {
				break
			}
			of.top, of.who = append(of.top, x), append(of.who, who)
			c.anyone = c.anyone || who >= 0
			left -= x
		}
		switch k := len(of.top); {
		case of.n >= 0 && of.n <= int64(k) || k < len(t.Max): // the remaining contributions do not matter
		case k == 0:
			of.rest = maxMagnitude
		case mixed:
			of.rest = of.top[k-1]
		default:
			of.rest = max(0, min(of.top[k-1], left))
		}
		c.cells = append(c.cells, of)
	}
	return c
}

// lower returns the sums of the 1, 2, … largest contributions to the union if contributors not known to be one person
// are two: the least concentrated case that the table allows.
func (c *contributions) lower(places int) []int64 {
	var all []int64
	at := map[int32]int{}
	for _, of := range c.cells {
		for r, x := range of.top {
			k, twice := at[of.who[r]]
			if of.who[r] < 0 || !twice {
				if of.who[r] >= 0 {
					at[of.who[r]] = len(all)
				}
				all = append(all, x)
				continue
			}
			all[k] += x
		}
	}
	return partial(all, places)
}

// upper returns upper bounds of the sums of the 1, 2, … largest contributions: the smaller of two bounds, one for the
// same contributor holding each rank in all cells, the other for every contributor having the most that he can have in
// each cell.
func (c *contributions) upper(places int) []int64 {
	aligned := make([]int64, places)
	for j := range aligned {
		for _, of := range c.cells {
			x := of.rest
			if j < len(of.top) {
				x = of.top[j]
			}
			aligned[j] = min(aligned[j]+x, maxMagnitude)
		}
	}
	for j := 1; j < places; j++ {
		aligned[j] = min(aligned[j]+aligned[j-1], maxMagnitude)
	}
	if !c.anyone {
		return aligned
	}
	hidden := make([]int64, len(c.cells)) // the most that somebody not named in a cell can have there
	nobody := int64(0)
	for k, of := range c.cells {
		hidden[k] = of.rest
		for r, x := range of.top {
			if of.who[r] < 0 {
				hidden[k] = max(hidden[k], x)
			}
		}
		nobody = min(nobody+hidden[k], maxMagnitude)
	}
	var names []int32
	for _, of := range c.cells {
		for _, w := range of.who {
			if w >= 0 && !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	var all []int64
	for _, w := range names {
		sum := int64(0)
		for k, of := range c.cells {
			x := hidden[k]
			if r := slices.Index(of.who, w); r >= 0 {
				x = of.top[r]
			}
			sum = min(sum+x, maxMagnitude)
		}
		all = append(all, sum)
	}
	for range places { // as many as the rules use
		all = append(all, nobody)
	}
	named := partial(all, places)
	for j := range aligned {
		aligned[j] = min(aligned[j], named[j])
	}
	return aligned
}

// partial returns the sums of the 1, 2, …, places largest of all.
func partial(all []int64, places int) []int64 {
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
	out, sum := make([]int64, places), int64(0)
	for j := range out {
		if j < len(all) {
			sum = min(sum+all[j], maxMagnitude)
		}
		out[j] = sum
	}
	return out
}

// number returns a bound on the number of contributors: the least possible at the upper extreme of sensitivity, else
// the most; −1 if nothing is known.
func (c *contributions) number(upper bool) int64 {
	names := map[int32]bool{}
	most, sum, listed := int64(0), int64(0), int64(0)
	for _, of := range c.cells {
		if of.n < 0 {
			if !upper {
				return -1
			}
			most = -1
		} else if most >= 0 {
			most = max(most, of.n)
			sum += of.n
		}
		for _, w := range of.who {
			if w >= 0 {
				listed++
				names[w] = true
			}
		}
	}
	if upper {
		if most < 0 {
			return -1
		}
		return max(most, int64(len(names)))
	}
	return sum - (listed - int64(len(names)))
}

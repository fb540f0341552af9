package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// leastRounded is the least number of non-zero numbers that must all be multiples of ten to show that they are
// rounded to tens: one number in ten is so by chance.
const leastRounded = 8

// step returns to which unit the numbers of a draft are rounded, as they show themselves: that of the last
// decimal, the power of ten of which all are multiples, or 1 if the sums of whole numbers miss by what rounding
// explains. It is 0 if nothing shows it.
func (d *draft) step() int64 {
	if d.places > 0 {
		return 1
	}
	switch step, n := tens(d.cells); {
	case step > 1 && n >= leastRounded || step == 1 && d.wholes():
		return step
	}
	return 0
}

// tens returns the power of ten of which all numbers of some cells are multiples, or 0 if they are not all whole,
// and how many are not 0.
func tens(cells []Cell) (step int64, n int) {
	unit := int64(0)
	for i := range cells {
		if cells[i].Value == nil {
			continue
		}
		v, ok := scaled(string(*cells[i].Value), 0)
		if !ok {
			return 0, 0
		}
		if v != 0 {
			unit, n = num.GCD(unit, v), n+1
		}
	}
	return tenOf(unit), n
}

// roundedSum reports whether so many parts add up to a total, all of them multiples of unit: right, exactly or, where the
// total is so large that other numbers would not, within their rounding; may, within it.
func roundedSum(total, sum int64, parts int, unit int64) (right, may bool) {
	missed, slack := max(total-sum, sum-total), allowed(parts, 0, tenOf(unit))
	return missed == 0 || missed <= slack && 20*slack <= total, missed <= slack
}

// tenOf returns the greatest power of ten that divides n, 1 for 0.
func tenOf(n int64) int64 {
	step := int64(1)
	for n != 0 && n%(10*step) == 0 {
		step *= 10
	}
	return step
}

// leastMissed is the evidence, in bits, needed for sums that miss by what rounding explains, beyond what comes
// near by chance.
const leastMissed = 24

// wholes reports whether whole numbers are rounded: some sums exceed the number given and some fall short, in
// more than one place of a dimension, so that neither a single wrong number nor an omission explains it, and at
// least an eighth of the sums miss.
func (d *draft) wholes() bool {
	more, less, places, all, bits := 0, 0, 0, 0, 0.0
	for k := range d.dims {
		g := d.grow(k, 0, 1)
		if g.m == nil || d.dims[k].role != ofClassification {
			continue
		}
		missed := map[int]bool{} // by place
		for t := range g.children {
			of := g.real(t)
			if len(of) < 2 {
				continue
			}
			s := newSum(g.m)
			for _, p := range of {
				s.add(p)
			}
			for j := range g.m.w {
				at := t*g.m.w + j
				if g.m.state[at] != stateKnown || s.open[j] > 0 || s.told[j] == 0 || g.m.value[at] == 0 {
					continue
				}
				switch miss := s.value[j] - g.m.value[at]; {
				case miss > 0:
					more++
				case miss < 0:
					less++
				}
				if all++; s.value[j] != g.m.value[at] {
					missed[j] = true
					bits += max(0, math.Log2(math.Abs(float64(g.m.value[at])))-math.Log2(float64(2*g.allowed(len(of))+1)))
				}
			}
		}
		places = max(places, len(missed))
	}
	return more > 0 && less > 0 && places > 1 && 8*(more+less) >= all && bits >= leastMissed
}

// again returns the options for a second reading if a table shows that its whole numbers are rounded, since
// numbers computed from them were computed before they were rounded. Nil: none is needed.
func (r *Reading) again(o *Options) *Options {
	for _, t := range r.Tables {
		if step, _ := tens(t.Cells); step > 0 && o.Tolerance == "" && slices.ContainsFunc(t.Relations, func(s Relation) bool { return s.Missed > 0 }) {
			more := *o
			more.rounded = step
			return &more
		}
	}
	return nil
}

// units returns the options for a reading of whole numbers that are rounded to units, nil if something else is said of
// how they are rounded.
func (o *Options) units() *Options {
	if o.Tolerance != "" || o.rounded > 0 {
		return nil
	}
	more := *o
	more.rounded = 1
	return &more
}

// mixed reports whether a table has both whole numbers and others.
func (r *Reading) mixed() bool {
	return slices.ContainsFunc(r.Tables, func(t *Table) bool {
		n := sets.Count(t.Cells, func(c Cell) bool { return c.Value != nil && c.Value.places() > 0 })
		return n > 0 && n < len(t.Cells)
	})
}

// explains returns how many numbers the tables of a reading have or explain as computed.
func (r *Reading) explains() (n int) {
	for _, t := range r.Tables {
		n += len(t.Cells) + len(t.Derived)
	}
	return n
}

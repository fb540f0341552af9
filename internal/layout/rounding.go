package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// leastRounded is how many numbers that are no 0 must be multiples of ten for all of them to be rounded to tens: of one in ten is by chance.
const leastRounded = 8

// step is to what the numbers of a draft are rounded, as they show: the last of their decimals, the power of ten of which all are multiples, or whole numbers where
// sums that miss by what rounding explains say so; 0 where nothing does.
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

// tens is the power of ten of which all whole numbers of some cells are multiples, 0 where others are among them, and how many are no 0.
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
	for step = 1; unit != 0 && unit%(10*step) == 0; step *= 10 {
	}
	return step, n
}

// leastMissed is how many bits must speak for the sums that miss by what rounding explains, beyond what is near by chance.
const leastMissed = 24

// wholes reports whether whole numbers are rounded: some sums are more than what is told of them and some less, in more than one place of a dimension, so that no
// one wrong number explains it and nothing that is left out, and those that miss are at least an eighth.
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

// again are the options of a second reading of whole numbers that a table shows to be rounded: what is computed from them was so from what they had been. Nil for none.
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

// explains is how many numbers the tables of a reading have or are computed from those that they have.
func (r *Reading) explains() (n int) {
	for _, t := range r.Tables {
		n += len(t.Cells) + len(t.Derived)
	}
	return n
}

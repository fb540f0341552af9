package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// A lookup finds the lines, or the numbers of a line, with which a formula may give a number, without trying all of
// them.
type lookup struct {
	all      []line
	inverses map[int]*order // by place: the lines in the order of the inverse of their numbers there
	values   map[int]*order // by place: the lines in the order of their numbers there
	totals   map[int]*order // by line: its numbers in the order of their inverses
}

func lookupOf(all []line) *lookup {
	return &lookup{all, map[int]*order{}, map[int]*order{}, map[int]*order{}}
}

// An order is numbers sorted by size, and the index of each.
type order struct {
	size []float64
	of   []int
	zero []int // the indexes of zeros, which have no inverse
}

// orderOf sorts those of n numbers that there are, or their inverses.
func orderOf(n int, inverse bool, value func(k int) figureOf) *order {
	o := &order{}
	for k := range n {
		switch f := value(k); {
		case !f.ok:
		case inverse && f.v == 0:
			o.zero = append(o.zero, k)
		default:
			o.of = append(o.of, k)
		}
	}
	size := func(k int) float64 {
		if inverse {
			return 1 / value(k).v
		}
		return value(k).v
	}
	slices.SortStableFunc(o.of, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	for _, k := range o.of {
		o.size = append(o.size, size(k))
	}
	return o
}

// between adds to all the indexes of the numbers from a to b, or from b to a.
func (o *order) between(all []int, a, b float64) []int {
	from, _ := slices.BinarySearch(o.size, min(a, b))
	for k := from; k < len(o.size) && o.size[k] <= max(a, b); k++ {
		all = append(all, o.of[k])
	}
	return all
}

// remembered returns the order that is kept for k, and builds it the first time.
func remembered(kept map[int]*order, k int, build func() *order) *order {
	if kept[k] == nil {
		kept[k] = build()
	}
	return kept[k]
}

// around returns a range that has every number in it which v may have been before it was rounded.
func (l *line) around(v float64) (from, to float64) {
	tol := slack(v, l.places.places)*(1+1e-6) + math.Abs(v)*1e-9
	return v - tol, v + tol
}

// dividing adds to all the indexes of numbers by which factor·x may be divided to give the number of l in place top or,
// if change is set, that number plus factor.
func (o *order) dividing(all []int, l *line, top int, factor, x float64, change bool) []int {
	v := l.v[top].v
	from, to := l.around(v)
	if change {
		from, to = from+factor-math.Abs(factor)*1e-9, to+factor+math.Abs(factor)*1e-9
	}
	if change || v == 0 {
		all = append(all, o.zero...)
	}
	switch {
	case x != 0:
		return o.between(all, from/(factor*x), to/(factor*x))
	case from <= 0 && to >= 0:
		return append(all, o.of...)
	}
	return all
}

// whole returns the indexes in line j of numbers by which factor times its number in place top may be divided to give
// that of l.
func (u *lookup) whole(l *line, j, top int, factor float64) []int {
	x := &u.all[j]
	o := remembered(u.totals, j, func() *order {
		return orderOf(len(x.allv), true, func(k int) figureOf { return x.allv[k] })
	})
	found := o.dividing(nil, l, top, factor, x.v[top].v, false)
	slices.Sort(found)
	return found
}

// others returns the lines with which x may give l by some quotient, change or difference, as far as the numbers in
// place top tell.
func (u *lookup) others(l, x *line, top int) []int {
	at := func(k int) figureOf { return u.all[k].v[top] }
	inverse := remembered(u.inverses, top, func() *order { return orderOf(len(u.all), true, at) })
	var found []int
	for _, factor := range shareFactors {
		found = inverse.dividing(found, l, top, factor, x.v[top].v, false)
		found = inverse.dividing(found, l, top, factor, x.v[top].v, true)
	}
	if l.word || l.neg {
		from, to := l.around(l.v[top].v)
		wide := (math.Abs(l.v[top].v) + math.Abs(x.v[top].v)) * 1e-9
		value := remembered(u.values, top, func() *order { return orderOf(len(u.all), false, at) })
		found = value.between(found, x.v[top].v-to-wide, x.v[top].v-from+wide)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// everyLine returns the indexes of all lines.
func (u *lookup) everyLine() []int {
	return sets.Upto(len(u.all))
}

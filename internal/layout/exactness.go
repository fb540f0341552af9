package layout

// An exactness tells cells that sums show to be exact from others, where some sums miss. Numbers of another kind may
// stand beside a table, such as an area in a column of its own, and what their sums miss says nothing of the other
// cells. So cells that no chain of sums connects are judged separately.
type exactness struct {
	above         []int32 // by cell: one that it is connected with, or itself if it stands for all of them
	right, missed []int32 // by the cell that stands for others: how many of their sums are right, and how many miss
	all           int     // how many sums are right in all
	some          bool    // some sum misses
}

func newExactness(cells int) *exactness {
	e := &exactness{above: make([]int32, cells), right: make([]int32, cells), missed: make([]int32, cells)}
	for i := range e.above {
		e.above[i] = int32(i)
	}
	return e
}

// of returns the cell that stands for i.
func (e *exactness) of(i int32) int32 {
	for e.above[i] != i {
		e.above[i] = e.above[e.above[i]]
		i = e.above[i]
	}
	return i
}

// together connects the cells of a sum.
func (e *exactness) together(cells []int32) {
	to := e.of(cells[0])
	for _, c := range cells[1:] {
		if from := e.of(c); from != to {
			e.above[from] = to
			e.right[to], e.missed[to] = e.right[to]+e.right[from], e.missed[to]+e.missed[from]
		}
	}
}

// sum notes a sum of cells connected with i, all of which are known.
func (e *exactness) sum(i int32, right bool) {
	if to := e.of(i); right {
		e.right[to]++
		e.all++
	} else {
		e.missed[to]++
		e.some = true
	}
}

// exact reports whether sums show cell i to be exact: several are right among the cells connected with it, and only
// others miss. Where no sum misses, that takes many: sums of rounded numbers are right by chance in half of the cases
// or more.
func (e *exactness) exact(i int32) bool {
	const few, many = 3, 48
	to := e.of(i)
	if !e.some {
		return e.all >= many
	}
	return e.missed[to] == 0 && e.right[to] >= few
}

package layout

// An exactness tells cells that sums show to be exact from others, where some sums miss. Numbers of another kind may stand beside a table, as an area in
// a column of its own, and what their sums miss says nothing of the others: cells that no chain of sums connects are judged apart.
type exactness struct {
	above         []int32 // of each cell one it is connected with; itself where it stands for all of these
	right, missed []int32 // sums, of a cell that stands for others
	all           int     // sums that are right
	some          bool    // sum misses
}

func newExactness(cells int) *exactness {
	e := &exactness{above: make([]int32, cells), right: make([]int32, cells), missed: make([]int32, cells)}
	for i := range e.above {
		e.above[i] = int32(i)
	}
	return e
}

// of is the cell that stands for i.
func (e *exactness) of(i int32) int32 {
	for e.above[i] != i {
		e.above[i] = e.above[e.above[i]]
		i = e.above[i]
	}
	return i
}

// together connects cells, those of a sum.
func (e *exactness) together(cells []int32) {
	to := e.of(cells[0])
	for _, c := range cells[1:] {
		if from := e.of(c); from != to {
			e.above[from] = to
			e.right[to], e.missed[to] = e.right[to]+e.right[from], e.missed[to]+e.missed[from]
		}
	}
}

// sum notes a sum of the cells connected with i, all of which are known.
func (e *exactness) sum(i int32, right bool) {
	if to := e.of(i); right {
		e.right[to]++
		e.all++
	} else {
		e.missed[to]++
		e.some = true
	}
}

// exact reports whether cell i is, as far as sums show: many are right there, and those that miss are elsewhere. Sums of rounded numbers are right by
// chance in half of the cases or more, so few of them show nothing where none misses.
func (e *exactness) exact(i int32) bool {
	const few, many = 3, 48
	to := e.of(i)
	if !e.some {
		return e.all >= many
	}
	return e.missed[to] == 0 && e.right[to] >= few
}

package layout

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
)

// sortedBits is the evidence, in bits, that the order of a line must give beyond what the choice among the lines
// of a table uses up.
const sortedBits = 8

// sorted pairs the neighbours in lines of cells that are sorted by value and not by label, the lesser first. That
// n different values are in ascending or descending order has a chance of 2 in n!. memo says which codes of a
// dimension are memo items, which stand in no line. Cells of a line are in the order of the file.
func sorted(in *formats.Input, memo func(d int, code string) bool) (pairs [][2]int) {
	var all []sortedLine
	for d := range in.Table.Dims {
		all = append(all, linesOf(in, d, memo)...)
	}
	most := sortedBits + math.Log2(float64(len(all))) + 1
	for _, l := range all {
		if n, _ := math.Lgamma(float64(l.distinct + 1)); n/math.Ln2 < most {
			continue
		}
		for k := range len(l.cells) - 1 {
			p := [2]int{l.cells[k], l.cells[k+1]}
			if !l.rises {
				p[0], p[1] = p[1], p[0]
			}
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// A sortedLine is a line of cells. distinct is how many different values of it are known if all are in order,
// else 0.
type sortedLine struct {
	cells    []int
	rises    bool
	distinct int
}

// linesOf returns the lines of at least three cells along dimension d, one for all codes with the same parent
// that are no totals.
func linesOf(in *formats.Input, d int, memo func(d int, code string) bool) (all []sortedLine) {
	t, dim := in.Table, &in.Table.Dims[d]
	total := make([]bool, len(dim.Codes))
	for _, p := range dim.Parent {
		if p >= 0 {
			total[p] = true
		}
	}
	at := map[string]int{}
	key := make([]byte, 4*len(t.Dims))
	for i := range t.Len() {
		coord := t.Coord[i*len(t.Dims):][:len(t.Dims)]
		c := coord[d]
		if total[c] || memo(d, dim.Codes[c]) {
			continue
		}
		for k, x := range coord {
			if k == d {
				x = dim.Parent[c]
			}
			binary.LittleEndian.PutUint32(key[4*k:], uint32(x))
		}
		l, ok := at[string(key)]
		if !ok {
			l = len(all)
			at[string(key)], all = l, append(all, sortedLine{})
		}
		all[l].cells = append(all[l].cells, i)
	}
	all = slices.DeleteFunc(all, func(l sortedLine) bool { return len(l.cells) < 3 })
	code := func(i int) int32 { return t.Coord[i*len(t.Dims)+d] }
	for k := range all {
		l := &all[k]
		slices.SortFunc(l.cells, func(i, j int) int { return cmp.Or(cmp.Compare(in.Line(i), in.Line(j)), cmp.Compare(code(i), code(j))) })
		var values []int64
		for _, i := range l.cells {
			if t.Known(i) {
				values = append(values, t.Value[i])
			}
		}
		if l.rises = slices.IsSorted(values); !l.rises {
			slices.Reverse(values)
		}
		if !slices.IsSorted(values) || byLabel(l.cells, func(i int) string { return cmp.Or(dim.Labels[dim.Codes[code(i)]], dim.Codes[code(i)]) }) {
			continue
		}
		l.distinct = len(slices.Compact(values))
	}
	return all
}

// byLabel reports whether cells are in the order of their labels, as words or by the first numbers in them.
func byLabel(cells []int, label func(i int) string) bool {
	orders := []func(i, j int) int{
		func(i, j int) int { return strings.Compare(label(i), label(j)) },
		func(i, j int) int { return cmp.Compare(first(label(i)), first(label(j))) },
	}
	return slices.ContainsFunc(orders, func(order func(i, j int) int) bool {
		return order(cells[0], cells[len(cells)-1]) != 0 &&
			(slices.IsSortedFunc(cells, order) || slices.IsSortedFunc(cells, func(i, j int) int { return order(j, i) }))
	})
}

// first returns the first number in a label, −1 if there is none.
func first(label string) int {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	digits := strings.TrimLeftFunc(label, func(r rune) bool { return !isDigit(r) })
	if end := strings.IndexFunc(digits, func(r rune) bool { return !isDigit(r) }); end >= 0 {
		digits = digits[:end]
	}
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return -1
}

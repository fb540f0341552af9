package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// leastSorted is how many different values in a row, each above or each below the one before, show that a table is sorted by them: by chance are two in 5,040.
const leastSorted = 7

// sorted pairs the cells of codes that follow each other where the codes of kept dimension k are sorted by their values, and by no label: each with the one that is at least
// as large. at numbers the cells by their codes.
func (b *built) sorted(k int, at map[string]int) (pairs [][2]int) {
	dim := &b.t.Dimensions[b.kept[k]]
	if dim.Role != ofClassification {
		return nil
	}
	for _, codes := range dim.siblings() {
		if len(codes) < leastSorted || byLabel(codes) {
			continue
		}
		for _, key := range b.keys {
			if of := strings.Split(key, "\x00"); of[k] == codes[0].Code {
				line := make([]int, 0, len(codes))
				for _, c := range codes {
					of[k] = c.Code
					if j, ok := at[strings.Join(of, "\x00")]; ok {
						line = append(line, j)
					}
				}
				pairs = append(pairs, b.monotone(line)...)
			}
		}
	}
	return pairs
}

// monotone pairs the cells of a line that follow each other, the lesser first, where all values that are known rise or all fall.
func (b *built) monotone(line []int) (pairs [][2]int) {
	var values []int64
	for _, i := range line {
		if b.table.Known(i) {
			values = append(values, b.table.Value[i])
		}
	}
	rises := slices.IsSorted(values)
	if !rises {
		slices.Reverse(values)
	}
	if !slices.IsSorted(values) || len(slices.Compact(values)) < leastSorted {
		return nil
	}
	for n := range len(line) - 1 {
		p := [2]int{line[n], line[n+1]}
		if !rises {
			p[0], p[1] = p[1], p[0]
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// siblings are the codes with the same parent that are no totals and no memo items, in the order of the file.
func (d *Dimension) siblings() (groups [][]*Code) {
	group, total := map[string]int{}, map[string]bool{}
	for i := range d.Codes {
		if p := d.Codes[i].Parent; p != nil {
			total[*p] = true
		}
	}
	for i := range d.Codes {
		c := &d.Codes[i]
		if c.Memo || total[c.Code] {
			continue
		}
		parent := ""
		if c.Parent != nil {
			parent = *c.Parent
		}
		g, ok := group[parent]
		if !ok {
			g = len(groups)
			group[parent], groups = g, append(groups, nil)
		}
		groups[g] = append(groups[g], c)
	}
	return groups
}

// byLabel reports whether the order of codes is that of their labels, as words or by the numbers that these begin with.
func byLabel(codes []*Code) bool {
	orders := []func(x, y *Code) int{
		func(x, y *Code) int { return strings.Compare(x.Label, y.Label) },
		func(x, y *Code) int { return cmp.Compare(first(x.Label), first(y.Label)) },
	}
	return slices.ContainsFunc(orders, func(order func(x, y *Code) int) bool {
		return slices.IsSortedFunc(codes, order) && order(codes[0], codes[len(codes)-1]) != 0 ||
			slices.IsSortedFunc(codes, func(x, y *Code) int { return order(y, x) }) && order(codes[0], codes[len(codes)-1]) != 0
	})
}

// first is the first number in a label, −1 where there is none.
func first(label string) int {
	digits := strings.TrimLeftFunc(label, func(r rune) bool { return r < '0' || r > '9' })
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(digits)
	}
	if n, err := strconv.Atoi(digits[:end]); err == nil {
		return n
	}
	return -1
}

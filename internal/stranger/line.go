package stranger

import (
	"slices"
	"strconv"
	"strings"
)

// A line is a row or a column of a sheet with its numbers at the positions that its labels name.
type line struct {
	sheet int
	at    int   // row or column, counted from 0
	field []int // by position: the column or row, −1 where the line has none
	n     []number
}

// lines are the rows or the columns of all sheets. Positions are what the labels beside (or above) the numbers say, in their order, those that
// stand more than once counted: so lines of different sheets meet where they are called alike.
func (b *book) lines(down bool) (all []line, positions int) {
	ids := map[string]int{}
	for s := range b.sheets {
		height, width := len(b.sheets[s]), 0
		for _, row := range b.sheets[s] {
			width = max(width, len(row))
		}
		length, count := height, width // of a column, and their number
		if !down {
			length, count = width, height
		}
		at := func(k, i int) (r, c int) {
			if down {
				return i, k
			}
			return k, i
		}
		seen := map[string]int{}
		position := make([]int, length)
		for i := range length {
			var label strings.Builder
			some := false
			for k := range count {
				r, c := at(k, i)
				if b.at(Place{s, r, c}).ok {
					some = true
					break
				}
				label.WriteString(strings.Join(strings.Fields(b.text(r, c, s)), " "))
			}
			if position[i] = -1; !some {
				continue
			}
			key := label.String()
			seen[key]++
			key += "\x00" + strconv.Itoa(seen[key])
			id, ok := ids[key]
			if !ok {
				id = len(ids)
				ids[key] = id
			}
			position[i] = id
		}
		for k := range count {
			l := line{sheet: s, at: k}
			some := 0
			for i := range length {
				r, c := at(k, i)
				n := b.at(Place{s, r, c})
				if !n.ok || position[i] < 0 {
					continue
				}
				for len(l.n) <= position[i] {
					l.n, l.field = append(l.n, number{}), append(l.field, -1)
				}
				l.n[position[i]], l.field[position[i]] = n, i
				some++
			}
			if some >= 2 {
				all = append(all, l)
			}
		}
	}
	for i := range all {
		for len(all[i].n) < len(ids) {
			all[i].n, all[i].field = append(all[i].n, number{}), append(all[i].field, -1)
		}
		all[i].n, all[i].field = slices.Clip(all[i].n), slices.Clip(all[i].field)
	}
	return all, len(ids)
}

// place is where the line has its number at a position.
func (l *line) place(p int, down bool) Place {
	if down {
		return Place{l.sheet, l.field[p], l.at}
	}
	return Place{l.sheet, l.at, l.field[p]}
}

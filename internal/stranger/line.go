package stranger

import (
	"slices"
	"strconv"
	"strings"
)

// A line is a row or column of a sheet, with its numbers arranged by position; labels define the positions.
type line struct {
	sheet int
	at    int   // row or column, counted from 0
	field []int // by position: the column or row; −1: none
	n     []number
	cross []int // of a diagonal, by position: the row or column that is at in other lines
}

// lines returns the rows or columns of all sheets. A position is what the labels beside (or above) the numbers
// say, together with its count where they repeat, so that lines of different sheets meet where their labels
// agree.
func (b *book) lines(down bool) (all []line, positions int) {
	ids := map[string]int{}
	for s := range b.sheets {
		height, width := len(b.sheets[s]), 0
		for _, row := range b.sheets[s] {
			width = max(width, len(row))
		}
		length, count := height, width // of a column, and how many there are
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
		all = append(all, b.diagonals(s, down, position)...)
	}
	for i := range all {
		for len(all[i].n) < len(ids) {
			all[i].n, all[i].field = append(all[i].n, number{}), append(all[i].field, -1)
			if all[i].cross != nil {
				all[i].cross = append(all[i].cross, -1)
			}
		}
		all[i].n, all[i].field = slices.Clip(all[i].n), slices.Clip(all[i].field)
	}
	return all, len(ids)
}

// place returns where the line has its number at a position.
func (l *line) place(p int, down bool) Place {
	at := l.at
	if l.cross != nil {
		at = l.cross[p]
	}
	if down {
		return Place{l.sheet, l.field[p], at}
	}
	return Place{l.sheet, at, l.field[p]}
}

// leastDiagonal is how many rows and columns of a sheet must have the same labels.
const leastDiagonal = 3

// diagonals returns the line of those numbers of a sheet whose row and column have the same label, as of people
// who work where they live, and the same line without its largest number, which may be the total of all. It
// returns none if they are few. They are revealed by what remains of a total without them, or by a repetition of
// them.
func (b *book) diagonals(s int, down bool, position []int) []line {
	rows, columns := b.nearest(s, false), b.nearest(s, true)
	l := line{sheet: s, at: -1}
	some := 0
	for label, r := range rows {
		c, ok := columns[label]
		i, k := r, c
		if !down {
			i, k = c, r
		}
		if !ok || r < 0 || c < 0 || i >= len(position) || position[i] < 0 || !b.at(Place{s, r, c}).ok {
			continue
		}
		for len(l.n) <= position[i] {
			l.n, l.field, l.cross = append(l.n, number{}), append(l.field, -1), append(l.cross, -1)
		}
		l.n[position[i]], l.field[position[i]], l.cross[position[i]] = b.at(Place{s, r, c}), i, k
		some++
	}
	if some < leastDiagonal {
		return nil
	}
	most := 0
	for p := range l.n {
		if l.n[p].v > l.n[most].v {
			most = p
		}
	}
	without := l
	without.n = slices.Clone(l.n)
	without.n[most] = number{}
	return []line{l, without}
}

// nearest returns the rows (or columns) of a sheet by the text nearest before (or above) their first number; −1
// for a text that several have.
func (b *book) nearest(s int, columns bool) map[string]int {
	height, width := len(b.sheets[s]), 0
	for _, row := range b.sheets[s] {
		width = max(width, len(row))
	}
	n, m := height, width
	if columns {
		n, m = width, height
	}
	at := map[string]int{}
	for i := range n {
		last, some := "", false
		for k := range m {
			r, c := i, k
			if columns {
				r, c = k, i
			}
			if some = b.at(Place{s, r, c}).ok; some {
				break
			}
			if t := strings.Join(strings.Fields(b.text(r, c, s)), " "); t != "" {
				last = t
			}
		}
		switch _, twice := at[last]; {
		case last == "" || !some:
		case twice:
			at[last] = -1
		default:
			at[last] = i
		}
	}
	return at
}

package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Linked is a set of tables of one response joined into one table: a cell that several of them share is one cell, and
// it has the relations of all.
type Linked struct {
	*Table
	// Cell[k][i] is the cell of the joined table that is cell i of the k-th table.
	Cell [][]int32
}

// A LinkError names a cell that differs between two tables.
type LinkError struct {
	Cell          string
	First, Second string    // names of the two tables
	What          i18n.Text // the property
	A, B          string    // its values
}

func (e *LinkError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *LinkError) Message() i18n.Text {
	return i18n.T("cell %s: %s is %s in %s and %s in %s", e.Cell, e.What, e.A, e.First, e.B, e.Second)
}

// Link joins tables whose dimensions overlap. Dimensions of the same name become one with the codes of all; a table
// that lacks a dimension stands at its total. Cells with the same codes become one cell: their values, contributors,
// contributions and costs must agree, else the error is a *LinkError, and their bounds are intersected. A cell is
// sensitive if it is in any table, with the largest of the levels; else withheld if it is in any; else published if any
// table must publish it. The relations are those of all tables. Cell names have a code for every dimension. Tables
// without dimensions cannot be linked. Link does not modify its arguments; cost linear in their size.
func Link(name string, tables []*Table) (*Linked, error) {
	l := &Linked{Table: &Table{Name: name, Counts: true}, Cell: make([][]int32, len(tables))}
	scaled := make([]*Table, len(tables))
	for _, t := range tables {
		if len(t.Dims) == 0 {
			return nil, i18n.Errorf("table %s: it has no dimensions, so its cells cannot be found in other tables", t.Name)
		}
		l.Decimals, l.CostDecimals = max(l.Decimals, t.Decimals), max(l.CostDecimals, t.CostDecimals)
		l.Counts = l.Counts && t.Counts
		l.Strict = l.Strict || t.Strict
	}
	for k, t := range tables {
		scaled[k] = t.Clone()
		if err := scaled[k].Rescale(l.Decimals); err != nil {
			return nil, err
		}
		by := Pow10(l.CostDecimals - t.CostDecimals)
		for i, c := range scaled[k].Cost {
			if c > maxMagnitude/by {
				return nil, i18n.Errorf("table %s: cell %s: its cost does not fit beside those of the other tables in 18 digits", t.Name, t.CellName(i))
			}
			scaled[k].Cost[i] = c * by
		}
	}
	maps, err := l.linkDims(scaled)
	if err != nil {
		return nil, err
	}
	if err := l.linkCells(scaled, maps); err != nil {
		return nil, err
	}
	l.linkRelations(scaled, maps)
	return l, l.Validate()
}

// A dimMap maps the dimensions of a table to those of the linked table.
type dimMap struct {
	at    []int     // per dimension
	codes [][]int32 // per dimension and code
}

func (l *Linked) linkDims(tables []*Table) ([]dimMap, error) {
	at := map[string]int{}
	var edges [][]Edge
	var parent []map[string]string
	var total []string
	for _, t := range tables {
		for d := range t.Dims {
			dim := &t.Dims[d]
			k, known := at[dim.Name]
			if !known {
				k = len(edges)
				at[dim.Name] = k
				edges, parent, total = append(edges, nil), append(parent, map[string]string{}), append(total, dim.Total())
			}
			if total[k] != dim.Total() {
				return nil, i18n.Errorf("dimension %s: its total is %s in one table and %s in table %s", dim.Name, total[k], dim.Total(), t.Name)
			}
			for c, code := range dim.Codes[1:] {
				up := dim.Codes[dim.Parent[c+1]]
				switch first, twice := parent[k][code]; {
				case !twice:
					parent[k][code] = up
					edges[k] = append(edges[k], Edge{Code: code, Parent: up})
				case first != up:
					return nil, i18n.Errorf("dimension %s: code %s is under %s in one table and under %s in table %s", dim.Name, code, first, up, t.Name)
				}
			}
		}
	}
	l.Dims = make([]Dimension, len(edges))
	index := make([]map[string]int32, len(edges))
	for name, k := range at {
		d, err := NewDimension(name, total[k], edges[k])
		if err != nil {
			return nil, err
		}
		l.Dims[k], index[k] = d, make(map[string]int32, len(d.Codes))
		for c, code := range d.Codes {
			index[k][code] = int32(c)
		}
	}
	maps := make([]dimMap, len(tables))
	for k, t := range tables {
		for d := range t.Dims {
			e := at[t.Dims[d].Name]
			codes := sets.Each(t.Dims[d].Codes, func(code string) int32 { return index[e][code] })
			maps[k].at, maps[k].codes = append(maps[k].at, e), append(maps[k].codes, codes)
		}
	}
	return maps, nil
}

func (l *Linked) linkCells(tables []*Table, maps []dimMap) error {
	seen := map[string]int32{}
	var from []int // per cell: the first table that has it
	freq, largest := true, len(tables[0].Max)
	for _, t := range tables {
		freq, largest = freq && t.Freq != nil, min(largest, len(t.Max))
	}
	if largest > 0 {
		l.Max = make([][]int64, largest)
	}
	coord := make([]int32, len(l.Dims))
	var key strings.Builder
	for k, t := range tables {
		l.Cell[k] = make([]int32, t.Len())
		for i := range t.Len() {
			clear(coord)
			for d, e := range maps[k].at {
				coord[e] = maps[k].codes[d][t.Coord[i*len(t.Dims)+d]]
			}
			key.Reset()
			for _, c := range coord {
				key.WriteString(strconv.Itoa(int(c)))
				key.WriteByte('/')
			}
			c, twice := seen[key.String()]
			if !twice {
				c = int32(l.Len())
				seen[key.String()] = c
				from = append(from, k)
				l.Coord = append(l.Coord, coord...)
				l.copyCell(t, i, freq)
			} else if err := l.sameCell(int(c), tables[from[c]].Name, t, i, freq); err != nil {
				return err
			}
			l.Cell[k][i] = c
		}
	}
	if !slices.Contains(l.Missing, true) {
		l.Missing = nil
	}
	if !l.Rounded() {
		l.Rounding = nil
	}
	return nil
}

// copyCell appends cell i of t to l.
func (l *Linked) copyCell(t *Table, i int, freq bool) {
	l.Value = append(l.Value, t.Value[i])
	l.Missing = append(l.Missing, !t.Known(i))
	if freq {
		l.Freq = append(l.Freq, t.Freq[i])
	}
	for r := range l.Max {
		l.Max[r] = append(l.Max[r], t.Max[r][i])
	}
	told := t.Contributors.told(i, t.Decimals)
	if told != nil {
		told.Who = told.Who[:min(len(told.Who), len(l.Max))]
	}
	l.tell(told, func(v Number, scale int, _ string, unset int64) int64 { // the tables have the same decimals
		if !v.Set {
			return unset
		}
		u, _ := v.At(scale)
		return u
	})
	l.Cost, l.Status = append(l.Cost, t.Cost[i]), append(l.Status, t.Status[i])
	l.LPL, l.UPL, l.Width = append(l.LPL, t.LPL[i]), append(l.UPL, t.UPL[i]), append(l.Width, t.Width[i])
	l.Lower, l.Upper = append(l.Lower, t.Lower[i]), append(l.Upper, t.Upper[i])
	given := uint8(0)
	if t.Given != nil {
		given = t.Given[i]
	}
	l.Given = append(l.Given, given)
	l.Rounding = append(l.Rounding, t.RoundedTo(i))
	sets.Extend(&l.Reason, NoReason)
	if t.Reason != nil && t.Reason[i] != NoReason {
		l.setReason(l.Len()-1, t.Reason[i])
	}
}

// sameCell merges cell i of t into cell c, which came from the table named first.
func (l *Linked) sameCell(c int, first string, t *Table, i int, freq bool) error {
	differ := func(what i18n.Text, a, b int64, scale int) error {
		return &LinkError{l.CellName(c), first, t.Name, what, FormatDecimal(a, scale), FormatDecimal(b, scale)}
	}
	switch {
	case !t.Known(i) || l.Missing[c]:
		if t.Known(i) {
			l.Value[c], l.Missing[c] = t.Value[i], false
		}
	case l.Value[c] != t.Value[i]:
		return differ(i18n.T("the value"), l.Value[c], t.Value[i], l.Decimals)
	}
	if l.Lower[c] > t.Upper[i] || t.Lower[i] > l.Upper[c] {
		return &LinkError{l.CellName(c), first, t.Name, i18n.T("what is known of it"), l.Box(c), t.Box(i)}
	}
	l.meet(c, t, i)
	switch {
	case l.Cost[c] != t.Cost[i]:
		return differ(i18n.T("the cost"), l.Cost[c], t.Cost[i], l.CostDecimals)
	case freq && l.Freq[c] != t.Freq[i]:
		return differ(i18n.T("the number of contributors"), l.Freq[c], t.Freq[i], 0)
	}
	for r := range l.Max {
		if l.Max[r][c] != t.Max[r][i] {
			return differ(i18n.T("contribution %d", r+1), l.Max[r][c], t.Max[r][i], l.Decimals)
		}
	}
	l.Rounding[c] = min(l.Rounding[c], t.RoundedTo(i)) // one of the tables tells the value exactly, or to the finer unit
	l.LPL[c], l.UPL[c], l.Width[c] = max(l.LPL[c], t.LPL[i]), max(l.UPL[c], t.UPL[i]), max(l.Width[c], t.Width[i])
	if rank(t.Status[i]) > rank(l.Status[c]) {
		l.Status[c] = t.Status[i]
		if t.Reason != nil {
			l.setReason(c, t.Reason[i])
		}
	}
	return nil
}

// rank orders statuses: the higher one wins when tables differ.
func rank(s Status) int {
	switch s {
	case Published:
		return 1
	case Withheld:
		return 2
	case Sensitive:
		return 3
	}
	return 0
}

// linkRelations adds the relations of all tables, each once.
func (l *Linked) linkRelations(tables []*Table, maps []dimMap) {
	l.Rel = NewRelations(l.Len())
	seen := map[string]bool{}
	var key strings.Builder
	for k, t := range tables {
		for j := range t.Rel.Len() {
			cell, coef := t.Rel.Row(j)
			moved := sets.Pick(l.Cell[k], cell)
			key.Reset()
			order := sets.Upto(len(cell))
			slices.SortFunc(order, func(a, b int) int { return int(moved[a] - moved[b]) })
			for _, e := range order {
				fmt.Fprintf(&key, "%d*%d ", coef[e], moved[e])
			}
			if seen[key.String()] {
				continue
			}
			seen[key.String()] = true
			l.Rel.Add(moved, coef, t.Rel.RHS[j])
			dim, margin := int8(-1), int32(-1)
			if t.Rel.Dim != nil && t.Rel.Dim[j] >= 0 {
				dim = int8(maps[k].at[t.Rel.Dim[j]])
				if t.Rel.Margin[j] >= 0 {
					margin = l.Cell[k][t.Rel.Margin[j]]
				}
			}
			l.Rel.Dim, l.Rel.Margin = append(l.Rel.Dim, dim), append(l.Rel.Margin, margin)
		}
	}
}

// meet narrows the bounds of cell c to their intersection with those of cell i of u (the same cell, with the same
// decimals): [max(Lower_c, Lower_i), min(Upper_c, Upper_i)]. The order of tables thus does not matter.
func (t *Table) meet(c int, u *Table, i int) {
	t.Lower[c], t.Upper[c] = max(t.Lower[c], u.Lower[i]), min(t.Upper[c], u.Upper[i])
	if u.Given != nil {
		t.Give(c, u.Given[i])
	}
}

// Box returns [Lower_i, Upper_i] as text.
func (t *Table) Box(i int) string {
	lower, upper := "−∞", "∞"
	if t.Lower[i] != NegInf {
		lower = FormatDecimal(t.Lower[i], t.Decimals)
	}
	if t.Upper[i] != PosInf {
		upper = FormatDecimal(t.Upper[i], t.Decimals)
	}
	return fmt.Sprintf("[%s, %s]", lower, upper)
}

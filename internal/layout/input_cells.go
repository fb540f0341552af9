package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// key joins the codes of a cell in the kept dimensions.
func (b *built) key(c *Cell) string {
	codes := sets.Pick(c.Codes, b.kept)
	return strings.Join(codes, "\x00")
}

// columns makes the table of cells and relations.
func (b *built) columns(relations []relation, freqs map[string]*Cell, freq string) error {
	n := len(b.cell)
	values := make([]table.Decimal, n)
	state := make([]uint8, n)
	scale, negative := 0, false
	for i := range n {
		c := &b.t.Cells[b.cell[i]]
		if state[i] = known(c.Means); state[i] == isKnown && c.Value == nil {
			state[i] = isHidden
		}
		if state[i] != isKnown {
			continue
		}
		v, err := table.ParseDecimal(string(*c.Value))
		if err != nil {
			return b.s.fault("%s: %s: %v", c.Ref, *c.Value, err)
		}
		values[i], scale, negative = v, max(scale, v.Scale), negative || v.Unscaled < 0
	}
	v := make([]int64, n)
	for i := range n {
		var ok bool
		if v[i], ok = values[i].At(scale); !ok {
			return b.s.fault("%s: %s does not fit beside numbers with %d decimals in 18 digits", b.t.Cells[b.cell[i]].Ref, values[i], scale)
		}
	}
	relations = slices.DeleteFunc(relations, func(r relation) bool { return r.seen && !r.holds(v, state) })
	b.settle(relations, v, state, negative)
	keep := make([]int32, n) // number of the cell in the table, −1 for none
	kept := 0
	for i := range n {
		if keep[i] = -1; state[i] != isFree {
			keep[i] = int32(kept)
			kept++
		}
	}
	t := &table.Table{Name: b.s.tableName(), Decimals: scale, CostDecimals: scale, Rel: table.NewRelations(kept)}
	t.Counts = b.counts(scale)
	whole := t.Counts && freq == "" && !b.t.counted()
	b.fill(t, v, state, freqs, whole, whole || freq != "" || b.t.counted())
	for _, column := range []*[]int64{&t.Cost, &t.LPL, &t.UPL, &t.Width, &t.Lower, &t.Upper} {
		*column = make([]int64, kept)
	}
	below := b.below(t, negative)
	for i := range kept {
		t.Upper[i] = table.PosInf
		if negative && below(i) {
			t.Lower[i] = table.NegInf
		}
	}
	if err := b.dimensions(t); err != nil {
		return err
	}
	if err := b.relate(t, relations, v, state, keep); err != nil {
		return err
	}
	var err error
	if b.table, err = table.FromRelations(t); err != nil {
		return err
	}
	if err := t.SetCost(table.CostKind{Kind: "value"}); err != nil {
		return err
	}
	return t.SetBounds(b.o.Lower, b.o.Upper)
}

// fill gives t the value, status and number of contributors of each cell that is not free, and keeps the places and
// keys of these cells only. whole says that the values are themselves numbers of contributors, counted that these are
// known for some cell.
func (b *built) fill(t *table.Table, v []int64, state []uint8, freqs map[string]*Cell, whole, counted bool) {
	cells, keys := b.cell, b.keys
	b.cell, b.keys = nil, nil
	hidden, other, flagged := false, false, false
	for i := range state {
		if state[i] == isHidden {
			means := b.t.Cells[cells[i]].Means
			other = other || means != Suppressed
		}
	}
	for i := range state {
		if state[i] == isFree {
			continue
		}
		c := &b.t.Cells[cells[i]]
		b.cell, b.keys = append(b.cell, cells[i]), append(b.keys, keys[i])
		status, told := table.Safe, b.t.told(cells[i])
		switch {
		// where several marks occur, that for suppression tells which cells are sensitive
		case state[i] == isHidden && c.Means == Suppressed && other:
			status, hidden = table.Sensitive, true
		case state[i] == isHidden:
			status, hidden = table.Withheld, true
		case c.Means == isNil:
			status = table.Published
		default: // the status that the file gives a cell with a value
			status = told.status
			flagged = flagged || status != table.Safe
		}
		t.Reason = append(t.Reason, told.reason)
		t.Value = append(t.Value, v[i])
		t.Missing = append(t.Missing, state[i] == isHidden)
		t.Status = append(t.Status, status)
		t.Freq = append(t.Freq, b.contributors(state[i], v[i], whole, freqs[keys[i]], told.freq))
	}
	if !hidden {
		t.Missing = nil
	}
	if !counted {
		t.Freq = nil
	}
	if !flagged {
		t.Reason = nil
	}
}

// contributors returns how many contribute to a cell, −1 if unknown. A number with decimals, as from a sample, is cut
// to whole ones, so that no rule finds the cell safer than it is; below 1 it is 1.
func (b *built) contributors(state uint8, v int64, whole bool, freq *Cell, told *Decimal) int64 {
	if freq != nil {
		told = freq.Value
	}
	switch {
	case whole && state == isKnown:
		return v
	case told == nil:
		return -1
	}
	d, err := table.ParseDecimal(string(*told))
	if err != nil || d.Unscaled < 0 {
		return -1
	}
	f := d.Unscaled
	for range d.Scale {
		f /= 10
	}
	if f == 0 && d.Unscaled > 0 {
		return 1
	}
	return f
}

// told returns what the file says of a cell beside its value.
func (t *Table) told(cell int) beside {
	if cell < len(t.beside) {
		return t.beside[cell]
	}
	var b beside
	if flag := t.Cells[cell].Flag; flag != "" { // a mark behind the value, as in 12 c
		if _, means, ok := marksOf(eurostat).find(flag); ok && means == Suppressed && (flag != asterisk || t.tells(asterisk)) {
			b.status = table.Sensitive
		}
	}
	return b
}

// An asterisk behind a value is the mark of a footnote, and says that the cell is withheld only where a note explains
// it so.
const asterisk = "*"

// tells reports whether the notes of a table say that a mark stands for withheld values.
func (t *Table) tells(mark string) bool {
	m := &marks{}
	for _, n := range t.Notes {
		m.learn(n.Text)
	}
	return m.told[mark] == Suppressed
}

// counted reports whether the file has a number of contributors for some cell beside its value.
func (t *Table) counted() bool {
	return slices.ContainsFunc(t.beside, func(b beside) bool { return b.freq != nil })
}

// counts reports whether the values count single units.
func (b *built) counts(scale int) bool {
	kind := b.t.Kind
	if m := b.measure(); m >= 0 {
		code := b.t.Cells[b.cell[0]].Codes[m]
		if k := b.t.Dimensions[m].Codes[b.t.Dimensions[m].find(code)].Kind; k != "" {
			kind = k
		}
	}
	return kind == ofCounts && scale == 0 && b.t.UnitMultiplier <= 1 && !b.o.Magnitude
}

// dimensions gives the table its trees and coordinates. Where a dimension has no single root, it gets one that no cell
// has.
func (b *built) dimensions(t *table.Table) error {
	index := make([]map[string]int32, len(b.kept))
	for k, d := range b.kept {
		dim := &b.t.Dimensions[d]
		var roots []string
		for _, c := range dim.Codes {
			if c.Parent == nil && !c.Memo {
				roots = append(roots, c.Code)
			}
		}
		root := ""
		if len(roots) == 1 {
			root = roots[0]
		} else {
			root = "Total"
			for dim.find(root) >= 0 {
				root += "*"
			}
		}
		var edges []table.Edge
		for _, c := range dim.Codes {
			switch {
			case c.Code == root:
			case c.Parent != nil:
				edges = append(edges, table.Edge{Code: c.Code, Parent: *c.Parent})
			default:
				edges = append(edges, table.Edge{Code: c.Code, Parent: root})
			}
		}
		x, err := table.NewDimension(dim.Name, root, edges)
		if err != nil {
			return b.s.fault("%v", err)
		}
		x.NoTotal = len(roots) != 1
		for _, c := range dim.Codes {
			if c.Label != c.Code {
				if x.Labels == nil {
					x.Labels = map[string]string{}
				}
				x.Labels[c.Code] = c.Label
			}
		}
		index[k] = sets.Places[int32](x.Codes)
		t.Dims = append(t.Dims, x)
	}
	for _, key := range b.keys {
		for k, code := range strings.Split(key, "\x00") {
			t.Coord = append(t.Coord, index[k][code])
		}
	}
	return nil
}

package table

import (
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Stack joins tables of several responses over the same cells into one with Layers, protected by a common mask: cell i
// is withheld in all tables or in none. Cell i of table r is cell r·n + i of the stack, named by its codes and
// responses[r].
//
// Every table keeps its own values, bounds, levels and costs, rescaled to the most decimals of any; withholding a cell
// costs the sum of its costs. A cell that is sensitive or withheld in one table is withheld in all; where it is not
// sensitive it needs no protection. A cell that must stay published in all tables does. One that must stay published in
// only some does too, unless it is 0 in each of those (a structural zero of one response, say) or is sensitive or
// withheld in another table: then it follows the others and, in the tables that had to publish it, counts as known to
// everybody.
//
// The tables must have the same cells and relations in the same order. It does not
// modify its arguments; cost linear in their size.
func Stack(name string, responses []string, tables []*Table) (*Table, error) {
	first := tables[0]
	n, k := first.Len(), len(first.Dims)
	s := &Table{Name: name, Layers: len(tables), Counts: true}
	if k > 0 {
		layer := Dimension{Name: "response", Codes: append([]string{""}, responses...), Parent: make([]int32, len(responses)+1)}
		layer.Parent[0] = -1
		s.Dims = append(slices.Clone(first.Dims), layer)
	}
	for r, t := range tables {
		s.Decimals, s.CostDecimals = max(s.Decimals, t.Decimals), max(s.CostDecimals, t.CostDecimals)
		s.Counts, s.Strict = s.Counts && t.Counts, s.Strict || t.Strict
		if t.Layers > 1 {
			return nil, i18n.Errorf("table %s: it is a stack already", t.Name)
		}
		if t.Len() != n || len(t.Dims) != k || !slices.Equal(t.Coord, first.Coord) || !slices.Equal(t.Rel.Ptr, first.Rel.Ptr) ||
			!slices.Equal(t.Rel.Cell, first.Rel.Cell) || !slices.Equal(t.Rel.Coef, first.Rel.Coef) {
			return nil, i18n.Errorf("table %s: response %s has other cells or relations than %s", name, responses[r], responses[0])
		}
	}
	s.Rel = NewRelations(n * len(tables))
	for r, t := range tables {
		if s.Strict && !t.Strict && slices.ContainsFunc(t.Width, func(v int64) bool { return v > 0 }) {
			return nil, i18n.Errorf("table %s: response %s asks for widths that are reached, another for widths that are exceeded", name, responses[r])
		}
		if err := s.push(t, r); err != nil {
			return nil, err
		}
	}
	s.mask(n)
	return s, s.Validate()
}

// piled appends next to a column of r layers of n cells; nil as long as no layer has the column.
func piled[T any](have, next []T, r, n int) []T {
	if have == nil && next == nil {
		return nil
	}
	if have == nil {
		have = make([]T, r*n)
	}
	have = append(have, next...)
	return append(have, make([]T, (r+1)*n-len(have))...)
}

// push adds t as layer r.
func (s *Table) push(t *Table, r int) error {
	t = t.Clone()
	if err := t.Rescale(s.Decimals); err != nil {
		return err
	}
	by, n, k := Pow10(s.CostDecimals-t.CostDecimals), t.Len(), len(t.Dims)
	for i, c := range t.Cost {
		if c > maxMagnitude/by {
			return i18n.Errorf("table %s: cell %s: its cost does not fit beside those of the other responses in 18 digits", t.Name, t.CellName(i))
		}
		s.Cost = append(s.Cost, c*by)
		if k > 0 {
			s.Coord = append(append(s.Coord, t.Coord[i*k:i*k+k]...), int32(r+1))
		}
	}
	s.Value, s.Status = append(s.Value, t.Value...), append(s.Status, t.Status...)
	s.LPL, s.UPL, s.Width = append(s.LPL, t.LPL...), append(s.UPL, t.UPL...), append(s.Width, t.Width...)
	s.Lower, s.Upper = append(s.Lower, t.Lower...), append(s.Upper, t.Upper...)
	s.Given, s.Rounding = piled(s.Given, t.Given, r, n), piled(s.Rounding, t.Rounding, r, n)
	s.Missing, s.Reason = piled(s.Missing, t.Missing, r, n), piled(s.Reason, t.Reason, r, n)
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		moved := sets.Each(cell, func(i int32) int32 { return i + int32(r*n) })
		s.Rel.Add(moved, coef, t.Rel.RHS[j])
		if t.Rel.Dim != nil {
			margin := t.Rel.Margin[j]
			if margin >= 0 {
				margin += int32(r * n)
			}
			s.Rel.Dim, s.Rel.Margin = append(s.Rel.Dim, t.Rel.Dim[j]), append(s.Rel.Margin, margin)
		}
	}
	return nil
}

// mask makes the statuses of a cell's copies agree, for each of n cells.
func (s *Table) mask(n int) {
	for i := range n {
		all, stays := Published, false
		for k := i; k < s.Len(); k += n {
			switch st := s.Status[k]; {
			case st == Sensitive || st == Withheld:
				all = Withheld
			case st == Safe && all == Published:
				all = Safe
			case st == Published && s.Value[k] != 0:
				stays = true
			}
		}
		if stays && all == Safe {
			all = Published
		}
		for k := i; k < s.Len(); k += n {
			if s.Status[k] == Published && all != Published {
				s.Lower[k], s.Upper[k] = s.Value[k], s.Value[k]
			}
			if s.Status[k] != Sensitive {
				s.Status[k] = all
			}
		}
	}
}

// validLayers checks the invariants of Layers.
func (t *Table) validLayers() error {
	n, rows := t.Len()/t.Layers, t.Rel.Len()/t.Layers
	if n*t.Layers != t.Len() || rows*t.Layers != t.Rel.Len() {
		return i18n.Errorf("table %s: %d cells and %d relations are not %d layers alike", t.Name, t.Len(), t.Rel.Len(), t.Layers)
	}
	given := func(i int) bool { return t.Status[i] == Sensitive || t.Status[i] == Withheld }
	for i := n; i < t.Len(); i++ {
		if a := i % n; given(i) != given(a) || !given(i) && t.Status[i] != t.Status[a] {
			return i18n.Errorf("table %s: cells %s and %s are withheld together but have statuses %s and %s", t.Name, t.CellName(a), t.CellName(i), t.Status[a], t.Status[i])
		}
	}
	for j := range t.Rel.Len() {
		a, f := t.Rel.Row(j % max(1, rows))
		b, g := t.Rel.Row(j)
		shift := int32(j / max(1, rows) * n)
		if !slices.Equal(f, g) || !slices.EqualFunc(a, b, func(x, y int32) bool { return y == x+shift && x < int32(n) }) {
			return i18n.Errorf("table %s: relation %d differs between the layers", t.Name, j%max(1, rows))
		}
	}
	return nil
}

package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// addUp finds from the numbers of its cells what adds up in the classifications of a table, whose codes are in the
// order of the file. It sets Parent, Memo, Equals and Additive of codes and dimensions, and the Relations. Codes whose
// Memo is set are taken for memo codes. levels, which may be nil, are the indentations of the codes of some dimensions.
func addUp(t *Table, levels [][]int, o Options) error {
	cells, sizes, scale, err := sumCells(t)
	if err != nil {
		return err
	}
	tolerance := int64(0)
	if o.Tolerance != "" {
		d, err := table.ParseDecimal(o.Tolerance)
		v, ok := d.At(max(scale, d.Scale))
		if err != nil || !ok || v < 0 {
			return i18n.Errorf("--tolerance %s: want a number of 0 or more", formats.Show(o.Tolerance))
		}
		for k := d.Scale; k > scale; k-- {
			v /= 10 // sums miss by whole units of the last decimal
		}
		tolerance = v
	}
	t.Relations, t.seen, t.refused = nil, nil, nil
	for d := range t.Dimensions {
		dim := &t.Dimensions[d]
		dim.Additive = false
		memo := make([]bool, len(dim.Codes))
		for c := range dim.Codes {
			memo[c] = dim.Codes[c].Memo
			dim.Codes[c].Parent, dim.Codes[c].Equals = nil, nil
		}
		if dim.Role != ofClassification || len(dim.Codes) < 2 || t.NotAdditive {
			continue
		}
		hints := make([]codeHint, len(dim.Codes))
		for c, code := range dim.Codes {
			hints[c] = codeHint{code: code.Code, total: isTotalName(code.Label) || isTotalName(code.Code) || isTotalCode(code.Code), memo: memo[c], level: -1}
			if levels != nil && levels[d] != nil {
				hints[c].level = levels[d][c]
			}
		}
		s := newSums(cells, sizes, d)
		s.tolerance = tolerance
		tree := s.tree(hints)
		if slices.Contains(o.NoTotal, dim.Name) { // every reader sees the sums that hold
			t.seen = append(t.seen, t.sumsOf(d, s, &tree)...)
			continue
		}
		if !tree.additive() && tolerance == 0 { // the parts may have been rounded one by one
			s.rounded = true
			tree = s.tree(hints)
		}
		dim.take(&tree)
		if dim.Additive {
			t.Relations = append(t.Relations, t.sumsOf(d, s, &tree)...)
		}
		t.refuse(d, s, hints, cells, scale)
	}
	return nil
}

// isTotalCode reports whether a code is one that lists of codes use for totals.
func isTotalCode(code string) bool {
	switch strings.ToUpper(code) {
	case "TOTAL", "T", "_T", "TOT", "SSS", "ALL":
		return true
	}
	return false
}

// take sets what a tree says of the codes.
func (d *Dimension) take(tree *sumTree) {
	for c := range d.Codes {
		code := &d.Codes[c]
		if p := tree.parent[c]; p >= 0 {
			name := d.Codes[p].Code
			code.Parent = &name
			d.Additive = d.Additive || !tree.memo[c]
		}
		code.Memo = tree.memo[c]
		d.Additive = d.Additive || len(tree.equals[c]) > 0
		for _, k := range tree.equals[c] {
			code.Equals = append(code.Equals, d.Codes[k].Code)
		}
	}
}

// sumsOf returns the sums of a tree, with those of memo codes.
func (t *Table) sumsOf(d int, s *sums, tree *sumTree) (all []Relation) {
	dim := &t.Dimensions[d]
	add := func(total int, parts []int) {
		if len(parts) == 0 {
			return
		}
		e := s.claim(total, parts)
		r := Relation{Dim: d, Total: dim.Codes[total].Code, Checked: e.checked, Unknown: e.unknown, Missed: e.missed, Wrong: e.wrong}
		for _, p := range parts {
			r.Parts = append(r.Parts, dim.Codes[p].Code)
		}
		all = append(all, r)
	}
	children := tree.children()
	for c := range dim.Codes {
		add(c, children[c])
		add(c, tree.equals[c])
	}
	return all
}

// sumCells returns the cells of a table as the search for sums takes them, in units of 10^−scale.
func sumCells(t *Table) (cells []sumCell, sizes []int, scale int, err error) {
	index := make([]map[string]int32, len(t.Dimensions))
	for d := range t.Dimensions {
		codes := t.Dimensions[d].Codes
		index[d] = make(map[string]int32, len(codes))
		for c := range codes {
			index[d][codes[c].Code] = int32(c)
		}
		sizes = append(sizes, len(codes))
	}
	values := make([]table.Decimal, len(t.Cells))
	cells = make([]sumCell, len(t.Cells))
	for i := range t.Cells {
		c := &t.Cells[i]
		cells[i].at = sets.List(len(c.Codes), func(d int) int32 { return index[d][c.Codes[d]] })
		if cells[i].known = known(c.Means); cells[i].known != isKnown {
			continue
		}
		if c.Value == nil {
			cells[i].known = isHidden
			continue
		}
		if values[i], err = table.ParseDecimal(string(*c.Value)); err != nil {
			return nil, nil, 0, i18n.Errorf("%s: %s: %w", c.Ref, *c.Value, err)
		}
		scale = max(scale, values[i].Scale)
	}
	for i := range cells {
		v, ok := values[i].At(scale)
		if !ok {
			return nil, nil, 0, i18n.Errorf("%s: %s does not fit beside numbers with %d decimals in 18 digits", t.Cells[i].Ref, values[i], scale)
		}
		cells[i].value = v
	}
	return cells, sizes, scale, nil
}

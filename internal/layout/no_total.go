package layout

import (
	"slices"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// withoutTotal is the error where somebody says that the codes of a dimension add up to nothing (--no-total), but no table has the dimension, or a code
// that is called a total is the sum of others wherever it can be tried: readers see that, too, and no verdict without the sum would hold.
func (r *Reading) withoutTotal(given []string, file string) error {
	var names []string
	for _, t := range r.Tables {
		for i := range t.Dimensions {
			if !slices.Contains(names, t.Dimensions[i].Name) {
				names = append(names, t.Dimensions[i].Name)
			}
		}
	}
	for _, name := range given {
		if !slices.Contains(names, name) && len(r.open) == 0 { // else it may be one of a table that is asked about
			return &formats.Error{File: file, Want: i18n.T("--no-total %s: no such dimension%s; they are %s", formats.Show(name), near.Hint(name, names, ""), formats.ShowList(names))}
		}
		for _, t := range r.Tables {
			for d := range t.Dimensions {
				if t.Dimensions[d].Name != name {
					continue
				}
				if err := t.adding(d, file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// adding is the error where a code of dimension d that is called a total is the sum of others in two places or more, and nowhere else than they are.
func (t *Table) adding(d int, file string) error {
	cells, sizes, _, err := sumCells(t)
	if err != nil {
		return err
	}
	dim := &t.Dimensions[d]
	hints := make([]codeHint, len(dim.Codes))
	for c, code := range dim.Codes {
		hints[c] = codeHint{code: code.Code, total: isTotalName(code.Label) || isTotalCode(code.Code), level: -1}
	}
	s := newSums(cells, sizes, d)
	tree := s.tree(hints)
	for c, parts := range tree.children() {
		if !hints[c].total || len(parts) < 2 {
			continue
		}
		e := s.claim(c, parts)
		if e.checked < 2 || e.wrong > 0 || e.bits <= 0 {
			continue
		}
		var of []string
		for _, p := range parts {
			of = append(of, dim.Codes[p].Code)
		}
		return &formats.Error{File: file, Want: i18n.T("--no-total %s: %s is the sum of %s in all %d cases, which every reader sees; take the flag out", quoteName(dim.Name), dim.Codes[c].Code, formats.ShowList(of), e.checked)}
	}
	return nil
}

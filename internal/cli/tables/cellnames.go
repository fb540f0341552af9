package tables

import (
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// findCells returns the cells of t that --knows names.
func findCells(t *table.Table, names []string) ([]int, error) {
	cells, err := t.FindCells(names)
	if err != nil {
		return nil, i18n.Errorf("%s %w", "--knows", err)
	}
	return cells, nil
}

// CodesOf returns the codes of cell i, nil in a table without dimensions.
func CodesOf(t *table.Table, i int) []string {
	if len(t.Dims) == 0 {
		return nil
	}
	return t.CellCodes(i)
}

// appendCodes appends the codes of cell i, if the table has dimensions.
func appendCodes(all [][]string, t *table.Table, i int) [][]string {
	if c := CodesOf(t, i); c != nil {
		all = append(all, c)
	}
	return all
}

// A knownCell is a cell whose value somebody knows. value is nil if only the cell was given.
type knownCell struct {
	name  string
	value *table.Decimal
}

// parseKnown reads CELL or CELL=VALUE. Codes may contain a =.
func parseKnown(s string) knownCell {
	if k := strings.LastIndexByte(s, '='); k >= 0 {
		if v, err := table.ParseDecimal(s[k+1:]); err == nil {
			return knownCell{s[:k], &v}
		}
	}
	return knownCell{name: s}
}

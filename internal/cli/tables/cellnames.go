package tables

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// findCells returns the cells of t with these names, as table.CellName gives them.
// flag is where the names come from.
func findCells(t *table.Table, flag string, names []string) ([]int, error) {
	const none, several = -1, -2
	if len(names) == 0 {
		return nil, nil
	}
	at := make(map[string]int, len(names))
	byCodes := false
	for _, name := range names {
		if codes := codesIn(name); codes != nil {
			byCodes = true
			name = fmt.Sprintf("%q", codes)
		}
		at[name] = none
	}
	for i := range t.Len() {
		if byCodes {
			if name := fmt.Sprintf("%q", t.CellCodes(i)); at[name] == none {
				if _, asked := at[name]; asked {
					at[name] = i
				}
			}
		}
		name := t.CellName(i)
		switch first, asked := at[name]; {
		case !asked:
		case first == none:
			at[name] = i
		default:
			at[name] = several
		}
	}
	cells := make([]int, len(names))
	for k, name := range names {
		key := name
		if codes := codesIn(name); codes != nil {
			key = fmt.Sprintf("%q", codes)
		}
		switch cells[k] = at[key]; cells[k] {
		case none:
			return nil, fmt.Errorf("%s %s: no such cell; cells are named by %s", flag, name, naming(t))
		case several:
			return nil, fmt.Errorf("%s %s: several cells have this name, as codes contain a /; give its codes as %s", flag, name, `["CODE","CODE"]`)
		}
	}
	return cells, nil
}

// codesOf returns the codes of cell i, nil in a table without dimensions.
func codesOf(t *table.Table, i int) []string {
	if len(t.Dims) == 0 {
		return nil
	}
	return t.CellCodes(i)
}

// codesIn returns the codes of a cell that is given as a JSON array of them, which is clear where
// codes hold a /, nil for a name.
func codesIn(name string) []string {
	var codes []string
	if !strings.HasPrefix(name, "[") || json.Unmarshal([]byte(name), &codes) != nil {
		return nil
	}
	return codes
}

func naming(t *table.Table) string {
	if len(t.Dims) == 0 {
		return "their index"
	}
	return "their codes joined with /"
}

// A knownCell is a cell of which somebody knows the value. value is nil where only
// the cell was given.
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

package table

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// FindCells returns the cells with these names: each is a name as CellName gives it or, unambiguous even where codes
// contain "/", the JSON array of the cell's codes. Cost linear in the cells.
func (t *Table) FindCells(names []string) ([]int, error) {
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
			return nil, i18n.Errorf("%s: no such cell%s; cells are named by %s", name, t.meant(name), t.naming())
		case several:
			return nil, i18n.Errorf("%s: several cells have this name, as codes contain a /; give its codes as %s", name, `["CODE","CODE"]`)
		}
	}
	return cells, nil
}

// codesIn returns the codes of a name that is a JSON array, nil for any other.
func codesIn(name string) []string {
	var codes []string
	if !strings.HasPrefix(name, "[") || json.Unmarshal([]byte(name), &codes) != nil {
		return nil
	}
	return codes
}

// meant suggests the cell whose codes are nearest to those of a name that matches no cell; it is empty if none is near.
func (t *Table) meant(name string) i18n.Text {
	codes := codesIn(name)
	if codes == nil {
		codes = strings.Split(name, "/")
	}
	if len(codes) != len(t.Dims) {
		return i18n.Text{}
	}
	for d, c := range codes {
		if slices.Contains(t.Dims[d].Codes, c) {
			continue
		}
		found := near.Names(c, t.Dims[d].Codes)
		if len(found) == 0 {
			return i18n.Text{}
		}
		codes[d] = found[0]
	}
	cell := strings.Join(codes, "/")
	for i := range t.Len() {
		if cell != name && t.CellName(i) == cell {
			return i18n.T(" (did you mean %s?)", cell)
		}
	}
	return i18n.Text{}
}

// naming explains in a message how cells are named.
func (t *Table) naming() i18n.Text {
	if len(t.Dims) == 0 {
		return i18n.T("their index")
	}
	return i18n.T("their codes joined with /")
}

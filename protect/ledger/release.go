package ledger

import (
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Release is a table that is published or about to be.
type Release struct {
	Table *table.Table
	File  string // for messages
	// At are the codes of the table in dimensions that it lacks: its period, response, region, population.
	At map[string]string
	// Revision says that the table reflects an earlier state of the data: where its values differ from those of other
	// tables, and where they are withheld, its cells are different cells.
	Revision bool
}

// Period is the dimension along which bounds on change apply, from one code to the next.
const Period = "period"

// withheld reports whether readers of the release do not see cell i.
func (r *Release) withheld(i int) bool {
	st := r.Table.Status[i]
	return !r.Table.Known(i) || st == table.Sensitive || st == table.Withheld
}

// Renamed returns a copy of t with dimensions renamed by dims, and codes by codes, which is indexed by new dimension
// names. Names not listed stay. Cost linear in the codes.
func Renamed(t *table.Table, dims map[string]string, codes map[string]map[string]string) (*table.Table, error) {
	c := *t
	c.Dims = slices.Clone(t.Dims)
	found := 0
	for d := range c.Dims {
		dim := &c.Dims[d]
		if name, ok := dims[dim.Name]; ok {
			dim.Name = name
			found++
		}
		of := codes[dim.Name]
		if len(of) == 0 {
			continue
		}
		dim.Codes = slices.Clone(dim.Codes)
		seen, renamed := map[string]bool{}, 0
		for k, code := range dim.Codes {
			if to, ok := of[code]; ok {
				dim.Codes[k] = to
				renamed++
			}
			if seen[dim.Codes[k]] {
				return nil, i18n.Errorf("table %s: dimension %s: two codes are called %q", t.Name, dim.Name, dim.Codes[k])
			}
			seen[dim.Codes[k]] = true
		}
		if renamed < len(of) {
			for code := range of {
				if !slices.Contains(t.Dims[d].Codes, code) {
					return nil, i18n.Errorf("table %s: dimension %s has no code %q", t.Name, dim.Name, code)
				}
			}
		}
	}
	for _, name := range sortedKeys(dims) {
		if found < len(dims) && !slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return d.Name == name }) {
			return nil, i18n.Errorf("table %s has no dimension %q", t.Name, name)
		}
	}
	for _, name := range sortedKeys(codes) {
		if !slices.ContainsFunc(c.Dims, func(d table.Dimension) bool { return d.Name == name }) {
			return nil, i18n.Errorf("table %s has no dimension %q, whose codes are told", t.Name, name)
		}
	}
	return &c, nil
}

// A ConflictError names a cell about which two tables disagree.
type ConflictError struct {
	Cell          string
	First, Second string    // files
	A, B          i18n.Text // what they say
}

func (e *ConflictError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *ConflictError) Message() i18n.Text {
	return i18n.T("cell %s: %s in %s and %s in %s; if the two are of different periods or populations, or one is a revision, the ledger has to say so", e.Cell, e.A, e.First, e.B, e.Second)
}

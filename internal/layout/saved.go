package layout

import (
	"io"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Layout says where everything stands: what Find understood, to be saved as TOML, edited and used again. Rows
// and columns are given as in the file: rows count from 1; columns are letters in a workbook and numbers from 1
// in a text file.
type Layout struct {
	Format string  `toml:"format"`
	Blocks []Block `toml:"table"` // one per rectangle of numbers; those of the same table share Name
}

// A Block is one rectangle of numbers with its headers.
type Block struct {
	Name       string            `toml:"name,omitempty"`
	Sheet      string            `toml:"sheet,omitempty"`
	Range      string            `toml:"range"` // including header and labels
	HeaderRows []int             `toml:"header_rows"`
	Labels     []Stub            `toml:"label"`
	Values     []string          `toml:"values"` // first and last column of values, like C:H
	Derived    []string          `toml:"derived,omitempty"`
	Skip       []int             `toml:"skip,omitempty"` // rows without cells: blank, repeated headers
	Dimensions []SavedDimension  `toml:"dimension"`
	Unit       string            `toml:"unit,omitempty"`
	Multiplier int64             `toml:"multiplier,omitzero"`
	Kind       string            `toml:"kind,omitempty"`
	Decimal    string            `toml:"decimal,omitempty"`
	Thousands  string            `toml:"thousands,omitempty"`
	Marks      map[string]string `toml:"marks,omitempty"` // mark → meaning
	Tolerance  string            `toml:"tolerance,omitempty"`
}

// A Stub is a column of labels.
type Stub struct {
	Column    string `toml:"column"`
	Holds     string `toml:"holds"` // label, code or nothing
	Dimension string `toml:"dimension"`
	FillDown  bool   `toml:"fill_down,omitempty"`
}

// A SavedDimension is a dimension of a block.
type SavedDimension struct {
	Name    string `toml:"name"`
	Role    string `toml:"role"`
	Total   string `toml:"total,omitempty"`
	NoTotal bool   `toml:"no_total,omitempty"`
	// Parents maps codes to the codes they are parts of; other codes are parts of none. If it is empty, the
	// numbers decide.
	Parents map[string]string `toml:"parents,omitempty"`
}

// ReadSaved reads a layout written by Save and perhaps edited.
func ReadSaved(r io.Reader) (*Layout, error) {
	l := &Layout{}
	meta, err := budget.DecodeTOML(r, l)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, i18n.Errorf("unknown key %s", unknown[0])
	}
	switch {
	case l.Format == "" || len(l.Blocks) == 0:
		return nil, i18n.New("it says of no table where it stands: want format and a [[table]] at least, as --save-layout writes them")
	case !slices.Contains(savedFormats, l.Format):
		return nil, i18n.Errorf("format %q: want one of %s", l.Format, strings.Join(savedFormats, ", "))
	}
	return l, nil
}

// savedFormats are the formats that a layout can have.
var savedFormats = []string{wideFormat, longFormat, "px", "eurostat-tsv"}

// Save writes the layout as TOML.
func (l *Layout) Save(w io.Writer) error { return toml.NewEncoder(w).Encode(l) }

package layout

import "strconv"

// A Book is a file as grids of fields, before anything is understood.
type Book struct {
	File  File
	Grids []*Grid
	Names []Name // defined names of a workbook

	stored []byte // the workbook with results computed for formulas that have none stored, nil if all have one
}

// A File says how the file is written.
type File struct {
	Name      string `json:"name"`
	Format    string `json:"format"` // xlsx, ods, csv, tsv, sdmx-csv, px
	Encoding  string `json:"encoding,omitempty"`
	Separator string `json:"separator,omitempty"`
	Decimal   string `json:"decimal,omitempty"`
	Thousands string `json:"thousands"` // of text files
}

// A Name is a defined name of a workbook and what it refers to.
type Name struct{ Name, Refers string }

// A Grid is a sheet of a workbook or a text file: rows of fields, all counted from 0.
type Grid struct {
	Sheet  string // empty in a text file
	State  string // of the sheet: "", "hidden" or "veryHidden"
	Rows   [][]Field
	Merged []Rect
	Tables []NamedRect // table objects of the sheet
	// HiddenRows and HiddenColumns are those that the sheet does not show.
	HiddenRows, HiddenColumns map[int]bool
	// Lines are the lines on which the rows of a text file begin, counted from 1; nil in a workbook.
	Lines []int

	flags map[[2]int]string // by place: the flag in the column beside a value (withoutFlags)

	file   *Grid  // the grid as the file has it, if shares were put into columns of their own (inHalves)
	halves []half // what the columns hold, nil if they are those of the file
}

// A Field is one field of a text file or one cell of a sheet.
type Field struct {
	Text    string // as stored, unquoted; a number of a workbook as decimal text, without its format
	Number  bool   // the workbook holds a number here
	Quoted  bool   // the field of a text file stood in quotes
	Formula string // with its =, empty if none
	Style   *Style // nil: the default style
}

// A Style is what the look of a cell says of its place in the table. Cells share styles.
type Style struct {
	Indent int
	Bold   bool
	Format string // number format, empty: General
	Date   bool   // the format shows a date
	Align  string // horizontal alignment, empty: general
}

// A Rect is a rectangle of fields from row Top to Bottom and column Left to Right, both ends
// included, counted from 0.
type Rect struct {
	Top, Left, Bottom, Right int
}

// A NamedRect is a rectangle with a name.
type NamedRect struct {
	Name string
	Rect
}

// At returns the field in row r and column c, an empty one outside the grid.
func (g *Grid) At(r, c int) *Field {
	if r < 0 || r >= len(g.Rows) || c < 0 || c >= len(g.Rows[r]) {
		return &none
	}
	return &g.Rows[r][c]
}

var none Field

// ref returns the address of row r and column c: A1 in a workbook, line:field in a text file.
func (g *Grid) ref(r, c int) string {
	if h := g.origin(c); h.share {
		return (&Grid{Lines: g.Lines}).ref(r, h.column) + percent
	} else {
		c = h.column
	}
	if g.Lines != nil {
		line := r + 1
		if r < len(g.Lines) {
			line = g.Lines[r]
		}
		return strconv.Itoa(line) + ":" + strconv.Itoa(c+1)
	}
	return columnName(c) + strconv.Itoa(r+1)
}

// columnName returns the letters of column c, counted from 0.
func columnName(c int) string {
	var b [8]byte
	i := len(b)
	for c++; c > 0; c = (c - 1) / 26 {
		i--
		b[i] = byte('A' + (c-1)%26)
	}
	return string(b[i:])
}

// indent returns the indentation by style, 0 for a plain field.
func (f *Field) indent() int {
	if f.Style == nil {
		return 0
	}
	return f.Style.Indent
}

func (f *Field) bold() bool { return f.Style != nil && f.Style.Bold }

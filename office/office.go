// Package office reads files in the layouts of statistical offices and writes them back with cells suppressed: sheets
// of a workbook, text and PX files in which tables stand among titles, header rows of any depth, label columns,
// subtotals, notes and marks (docs/layouts.md).
//
// [Read] determines what is where. Sums are found from the numbers, every total that labels claim is checked, and if
// two readings fit, the error is an [*AmbiguityError] that says what decides between them. Every number of the file
// then has a role ([File.Account]); a file with numbers without a role gives no table until somebody has examined them.
// [Table.Write] writes a copy of the file without the suppressed cells and everything that reveals them, and reads it
// again before anyone else can.
//
// Errors in a file are [*tableio.Error]. Time and memory are proportional to the fields of the file, except for the
// search for sums, which is bounded. The package opens no file and chooses no cells: package protect decides which
// cells to suppress.
package office

import (
	"bytes"
	"io"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/table/tableio"
)

// Options override what would be inferred. The zero value overrides nothing.
type Options struct {
	Encoding     string   // encoding of a text file: utf-8, utf-16, cp932 or cp1252; empty: detected
	Separator    string   // between the fields of a text file; empty: detected
	Layout       []byte   // a layout that File.WriteLayout wrote, perhaps edited; nil: inferred
	Sheet        string   // the sheet to read; empty: all that are not hidden
	Range        string   // the rectangle of one table with header and labels, such as A3:K40 or Data!A3:K40; empty: all
	HeaderRows   int      // number of header rows; 0: inferred
	LabelColumns int      // number of columns with labels and codes; 0: inferred
	FillDown     *bool    // whether an empty label repeats the one above; nil: inferred
	Derived      []string // columns (by letter, number or header) or codes whose numbers are computed from others
	NoTotal      []string // dimensions whose codes do not add up to anything
	Tolerance    string   // most by which a sum may miss its total; empty: 0, or what rounding explains
	Decimal      string   // decimal mark in text, "." or ","; empty: detected
	Thousands    string   // thousands separator in text; empty: detected
	Contributors string   // the column of a long table that counts contributors; empty: the one named accordingly
	LeaveAside   bool     // somebody has examined the numbers outside all tables: they stay, and no verdict covers them
}

// An AmbiguityError says that a file can be read in several ways: it holds the Question, the Readings that fit, and in
// Options, as flags of the command, what selects each; the fields of [Options] have the same names.
type AmbiguityError = layout.AmbiguityError

// A File is a file with its interpretation.
type File struct{ source *layout.Source }

// Read reads a workbook (.xlsx), a PX file (called name.px) or text, decompressed if it is gzip; name stands for it in
// messages. It returns an [*AmbiguityError], a [*tableio.Error] or an error of r.
func Read(r io.Reader, name string, o Options) (*File, error) {
	in := layout.Options{
		Sheet: o.Sheet, Range: o.Range, HeaderRows: o.HeaderRows, LabelColumns: o.LabelColumns, FillDown: o.FillDown, Derived: o.Derived, NoTotal: o.NoTotal,
		Tolerance: o.Tolerance, Decimal: o.Decimal, Thousands: o.Thousands, Freq: o.Contributors, LeaveAside: o.LeaveAside,
	}
	if o.Layout != nil {
		var err error
		if in.From, err = layout.ReadSaved(bytes.NewReader(o.Layout)); err != nil {
			return nil, err
		}
	}
	s, err := layout.Open(r, name, o.Encoding, o.Separator, in)
	if err != nil {
		return nil, err
	}
	return &File{s}, nil
}

// Understood describes the interpretation in lines: each table, where its cells are, its dimensions, how many of its
// sums hold, and what was left aside and why.
func (f *File) Understood() []string {
	var lines []string
	for _, line := range f.source.Reading.Words() {
		lines = append(lines, line.String())
	}
	return lines
}

// WriteLayout writes the interpretation of the file as TOML, for Options.Layout and next year's file; nothing for a PX
// file.
func (f *File) WriteLayout(w io.Writer) error {
	if f.source.Reading.Layout == nil {
		return nil
	}
	return f.source.Reading.Layout.Save(w)
}

// An Account states what every number of a file is.
type Account struct {
	Numbers int                 // number of numbers in the file
	Roles   map[string][]string // addresses of numbers by role: values, labels, periods, in texts, sums of others, …
	Unknown []string            // addresses of numbers without a role: a copy would keep them, whatever is suppressed
}

// Account accounts for every field of the file that contains a digit. Addresses are such as B7, 表１!B7 or, in text,
// line:field.
func (f *File) Account() Account {
	a := f.source.Account(nil)
	all := Account{Numbers: a.Numbers, Roles: map[string][]string{}, Unknown: a.Unknown}
	for _, r := range a.Roles {
		all.Roles[r.What] = r.Refs
	}
	return all
}

// A Table is a table of a file. Cells marked as suppressed there have no value and are suppressed; fields that are not
// available or impossible are not cells, unless a sum shows otherwise.
type Table struct{ *tableio.Input }

// Table returns the table that the options select: the tables of the file that belong together, or the only one that
// adds up; of several measures, Response, or the only one that does not count the contributors of others. Periods stay
// together, without relations between them. Of the options it uses Columns (value and freq), Response, Responses,
// Select, Magnitude, Lower and Upper. It rejects a file with numbers without a role (unless Options.LeaveAside) and one
// with several tables between which it cannot choose (see Options.Range).
func (f *File) Table(o tableio.Options) (*Table, error) {
	in, err := f.source.Input(o)
	if err != nil {
		return nil, err
	}
	return &Table{in}, nil
}

// Address returns the address of a cell in the file, as in [File.Account]; "" if the file does not have the cell.
func (t *Table) Address(cell int) string { return formats.Addresses(t.Input)(cell) }

// A Copy reports what happened to the numbers of a file in its copy, which has been read again.
type Copy struct {
	Tables, Of int      // number of protected tables, and of all tables of the file
	Numbers    int      // number of numbers in the file
	Suppressed int      // number of cells removed, over all responses that are suppressed together
	Blanked    int      // number of other numbers removed because they reveal suppressed ones
	Changes    []string // other differences, and what somebody should examine
}

// Write writes a copy of the file without the cells marked in suppressed, which has an entry for each cell of the table
// as in [tableio.Write]. They get the file's mark for suppressed values, or Style.Symbol, and so does every number
// computed from them. Text and PX files keep all other bytes; of a workbook only elements that reveal suppressed cells
// change (docs/layouts.md lists these).
//
// The copy is audited before w sees any of it: it is read as by a stranger, and each number left must be a published
// cell, computed from published cells only, or unrelated to the table. Otherwise the error names it and nothing is
// written. For a PX file, which has numbers outside its table only in notes, only Changes is set.
func (t *Table) Write(w io.Writer, suppressed []bool) (Copy, error) {
	if err := tableio.Write(w, t.Input, suppressed); err != nil {
		return Copy{}, err
	}
	var c Copy
	if n := layout.Copied(t.Input); n != nil {
		c = Copy{Tables: n.Tables, Of: n.Of, Numbers: n.Numbers, Suppressed: n.Suppressed, Blanked: n.Blanked}
	}
	for _, change := range formats.Changes(t.Input) {
		c.Changes = append(c.Changes, change.String())
	}
	return c, nil
}

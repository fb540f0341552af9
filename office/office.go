// Package office reads files as offices lay them out, and writes them back with cells taken out: sheets of a workbook, text and PX files in which
// tables stand somewhere between titles, header rows of any depth, label columns, subtotals, notes and marks (docs/layouts.md).
//
// [Read] finds out what stands where. What adds up to what is taken from the numbers, every total that labels claim is checked by its sums, and
// where two readings fit it returns an [*AmbiguityError] with what decides. Every number of the file then has a role ([File.Account]), and a file
// with numbers that have none gives no table until somebody has looked at them. [Table.Write] writes a copy of the file from which the suppressed
// cells are gone, with all that tells them, and reads it anew before anybody else does.
//
// Faults of a file are [*tableio.Error]. Time and memory are proportional to the fields of the file, apart from the search for what adds up,
// which is bounded. The package opens no file and solves nothing: which cells to suppress is what package protect finds.
package office

import (
	"bytes"
	"io"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/table/tableio"
)

// Options correct what would be inferred. The zero value corrects nothing.
type Options struct {
	Encoding     string   // of a text file: utf-8, utf-16, cp932 or cp1252; empty: found out
	Separator    string   // between the fields of a text file; empty: found out
	Layout       []byte   // a layout that File.WriteLayout wrote, perhaps edited; nil: inferred
	Sheet        string   // the sheet to read; empty: all that are not hidden
	Range        string   // the rectangle of one table with header and labels, like A3:K40 or Data!A3:K40; empty: all
	HeaderRows   int      // how many rows the header has; 0: inferred
	LabelColumns int      // how many columns hold labels and codes; 0: inferred
	FillDown     *bool    // whether an empty label repeats the one above; nil: inferred
	Derived      []string // columns (by letter, number or header) or codes whose numbers are computed from others
	NoTotal      []string // dimensions whose codes add up to nothing
	Tolerance    string   // by how much a sum may miss its total, a decimal; empty: not at all, or as far as rounding explains
	Decimal      string   // the mark before decimals in text, "." or ","; empty: found out
	Thousands    string   // the mark between thousands in text; empty: found out
	Contributors string   // the column of a long table that counts contributors; empty: the one whose name says so
	LeaveAside   bool     // somebody has looked at the numbers that are in no table: they stay, and no verdict is about them
}

// An AmbiguityError is a file that can be read in several ways: Question, the Readings that fit, and in Options, as flags of the command, what
// chooses each; the fields of [Options] are called alike.
type AmbiguityError = layout.AmbiguityError

// A File is a file and what was understood of it.
type File struct{ source *layout.Source }

// Read reads a workbook (.xlsx), a PX file (called name.px) or text, decompressed if it is gzip; name stands for it in messages. It returns an
// [*AmbiguityError], a [*tableio.Error] or an error of r.
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

// Understood tells what was understood, in lines: each table, where its cells stand, its dimensions, how many of its sums are right, and what was
// left aside for which reason.
func (f *File) Understood() []string {
	var lines []string
	for _, line := range f.source.Reading.Words() {
		lines = append(lines, line.String())
	}
	return lines
}

// WriteLayout writes how the file was understood as TOML, for Options.Layout and the file of the next year; nothing for a PX file.
func (f *File) WriteLayout(w io.Writer) error {
	if f.source.Reading.Layout == nil {
		return nil
	}
	return f.source.Reading.Layout.Save(w)
}

// An Account says what every number of a file is.
type Account struct {
	Numbers int                 // of the file
	Roles   map[string][]string // where numbers stand, by what they are: values, labels, periods, in texts, sums of others, …
	Unknown []string            // where those stand that have no role: a copy would keep them, whatever is suppressed
}

// Account accounts for every field of the file with a digit in it. Addresses are like B7, 表１!B7 or, in text, line:field.
func (f *File) Account() Account {
	a := f.source.Account(nil)
	all := Account{Numbers: a.Numbers, Roles: map[string][]string{}, Unknown: a.Unknown}
	for _, r := range a.Roles {
		all.Roles[r.What] = r.Refs
	}
	return all
}

// A Table is a table of a file. Cells that have a mark for suppressed values there have no value and are suppressed; what is not available or
// impossible is no cell, unless a sum shows that it is one.
type Table struct{ *tableio.Input }

// Table makes the table that the options choose: the tables of the file that belong together, else the only one that adds up, and of several
// measures Response, or the only one that does not count the contributors of others. Periods stay together, without relations between them. Of
// the options Columns (value and freq), Response, Responses, Select, Magnitude, Lower and Upper are heeded. It refuses a file with numbers that
// have no role (Options.LeaveAside) and one whose tables it cannot choose among (Options.Range).
func (f *File) Table(o tableio.Options) (*Table, error) {
	in, err := f.source.Input(o)
	if err != nil {
		return nil, err
	}
	return &Table{in}, nil
}

// Address is where a cell of the table stands in the file, as in [File.Account]; "" for one that the file does not have.
func (t *Table) Address(cell int) string { return formats.Addresses(t.Input)(cell) }

// A Copy is what became of the numbers of a file in its copy, which was read anew.
type Copy struct {
	Tables, Of int      // how many tables of the file are protected, and how many it has
	Numbers    int      // of the file
	Suppressed int      // cells that are gone, of all responses that are suppressed together
	Blanked    int      // other numbers that are gone, as they tell of those
	Changes    []string // what else is different, and what somebody should look at
}

// Write writes a copy of the file without the cells of suppressed, one for each cell of the table as in [tableio.Write]. They have the file's mark
// for suppressed values, or Style.Symbol, and so has every number that is computed from them; text and PX files keep all other bytes, and of a
// workbook nothing changes but elements that tell of them (docs/layouts.md lists these).
//
// The copy is audited before w sees any of it: it is read as a stranger would, and each number that is left has to be a published cell, computed
// from published cells alone, or none of the table's. Else the error names it, and nothing is written. Of a PX file, which has no
// numbers beside its table but in notes, only Changes are told.
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

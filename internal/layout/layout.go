// Package layout reads the tables that an office publishes or keeps: sheets of a workbook and text files in which a
// table stands somewhere between titles, header rows of any depth, label columns, subtotals, notes and marks.
//
// A Book is the file as grids of fields. Find infers what stands where. It takes from the numbers what adds up to what,
// and checks every claimed total by its sums; where two readings fit, it reports an *AmbiguityError with the options
// that decide. What was understood is a Reading; how it was understood is a Layout, which can be saved, edited and used
// again on next year's file.
//
// The package opens no file and writes none.
package layout

import (
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// ErrNone is in the error for a file in which no table was found.
var ErrNone = i18n.New("no table")

// find infers the tables of a book, which it only reads. Its errors are *formats.Error, *AmbiguityError or those of a
// table that no reading fits. Time and memory are proportional to the number of fields, apart from the search among
// candidates for totals, which is bounded.
func find(b *Book, o Options) (*Reading, error) {
	if len(b.Grids) == 1 && b.Grids[0].Lines != nil && (o.From == nil || o.From.Format != wideFormat) {
		if r, err := long(b.Grids[0], b.File, o); err != nil {
			return r, err
		} else if r != nil {
			return r.ask(), r.withoutTotal(&o, b.File.Name)
		}
	}
	r := &Reading{File: b.File, Layout: &Layout{Format: wideFormat}}
	grids, err := b.chosen(&o, r)
	if err != nil {
		return nil, err
	}
	if err := b.computed(&o); err != nil {
		return nil, err
	}
	if err := findWide(b, grids, &o, r); err != nil {
		return nil, err
	}
	if len(r.Tables) == 0 {
		return nil, &formats.Error{File: b.File.Name, Err: ErrNone, Want: i18n.T("no table found: no numbers below a header; say where with --sheet and --range, or, if lines are single units and no cells, make the table with hitoku tabulate")}
	}
	return r.ask(), r.withoutTotal(&o, b.File.Name)
}

// chosen returns the grids to read: those that are not hidden, or the one that the options name.
func (b *Book) chosen(o *Options, r *Reading) ([]*Grid, error) {
	if err := o.place(); err != nil {
		return nil, err
	}
	var grids []*Grid
	var names []string
	for _, g := range b.Grids {
		names = append(names, g.Sheet)
		switch {
		case o.Sheet != "" && g.Sheet == o.Sheet, o.Sheet == "" && g.State == "":
			grids = append(grids, g)
		case o.Sheet != "":
			r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Why: i18n.T("another sheet was asked for")})
		default:
			r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Why: i18n.T("a hidden sheet; --sheet reads it")})
		}
	}
	if len(grids) == 0 {
		return nil, &formats.Error{File: b.File.Name, Value: formats.Show(o.Sheet), Want: i18n.T("no such sheet; the sheets are %s", formats.ShowList(names))}
	}
	return grids, nil
}

// place takes the sheet from a range that names one, as Data!A3:K40 or 'North West'!A3:K40 do.
func (o *Options) place() error {
	sheet, rest := onSheet(o.Range)
	if sheet == "" {
		return nil
	}
	if o.Sheet != "" && o.Sheet != sheet {
		return i18n.Errorf("range %q: want one on the sheet %s, as --sheet says", o.Range, formats.Show(o.Sheet))
	}
	o.Sheet, o.Range = sheet, rest
	return nil
}

// Options correct what Find would infer. The zero value corrects nothing.
type Options struct {
	Sheet        string   // the sheet to read, all if empty
	LeaveAside   bool     // somebody has looked at the numbers that are in no table
	Values       bool     // report withheld values before any other question, as a table that lacks values is of no use
	Range        string   // the rectangle of one table, like A3:K40 or Data!A3:K40; all if empty
	HeaderRows   int      // how many rows the header has; 0: inferred
	LabelColumns int      // how many columns hold labels and codes; 0: inferred
	FillDown     *bool    // whether an empty label repeats the one above; nil: inferred
	Derived      []string // columns (letter, number or header) or codes that are computed from others
	Note         []string // references to numbers of notes, which are in no table and stay in the copy
	Blank        []string // references to numbers that are in no table and are blanked in the copy
	NoTotal      []string // dimensions without a total: their codes do not add up
	Tolerance    string   // by how much a sum may miss its total, a decimal; empty: exact, or what rounding allows
	Decimal      string   // the decimal mark of numbers in text, . or ,; empty: inferred
	Thousands    string   // what stands between thousands in these numbers
	Freq         string   // the column of a long table that counts the contributors; empty: the one whose name says so
	Measures     []string // codes of a dimension that are measures rather than classes
	Below        int64    // cells of fewer contributors are sensitive, if that is known
	From         *Layout  // a saved layout, followed in all that it says

	firstReading
	// the reading of the file without the options that pick a part of it, nil if there are no such options
	without *Reading
}

// firstReading is what a first reading of a file showed.
type firstReading struct {
	others  []string // codes of another measure
	rounded int64    // to multiples of what numbers are rounded; 0: none
}

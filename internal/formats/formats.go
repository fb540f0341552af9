// Package formats reads and writes tables: tidy CSV, cross-tabulations, JJ files
// and hierarchies. docs/formats.md describes the formats as implemented here.
//
// Readers stop at the first fault with an *Error that names its place and what
// was wanted; nothing is guessed silently and nothing is rounded. They read
// line by line and refuse input beyond fixed limits, so damaged or hostile
// files fail early and in bounded memory.
package formats

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/unpack"
	"github.com/hitoku/hitoku/table"
)

// Limits in addition to those of package budget.
const (
	maxLine  = int(budget.Line) // bytes of a line of a CSV or .hrc file
	maxBlank = 100_000          // empty lines in a row
	sniffed  = 1 << 16          // bytes at the beginning by which other kinds of files are recognised
)

// A Format is the layout of a table's file.
type Format string

// The formats; their values are those of Options.From.
const (
	Tidy     Format = "tidy"     // CSV, one line for each cell
	CrossTab Format = "crosstab" // CSV, a two-way table as it is printed
	JJ       Format = "jj"       // the usual format of test instances in the field
)

// Options say how to read an input. With the zero value everything that can be is detected.
type Options struct {
	// From is the format: tidy, crosstab or jj. Empty: JJ where the name ends in
	// .jj or .jj.gz; else tidy where a column is called value or freq, or
	// Columns or Dims is given; else crosstab.
	From string
	// Encoding is utf-8, cp932 or cp1252. Empty: UTF-8, or CP932 if the text is not valid UTF-8 and certainly
	// CP932.
	Encoding string

	// Total is the total code of all dimensions, Totals those of single dimensions by name. Empty: the root of
	// a code,parent hierarchy, else "Total".
	Total  string
	Totals map[string]string
	// Hierarchies maps dimensions to files, either .hrc or code,parent CSV.
	Hierarchies map[string]string
	// Rounded says that values were rounded one by one, so that their sums need not be exact: the relations
	// hold for the numbers before rounding.
	Rounded bool
	// Flat are dimensions without a hierarchy, even if some codes seem to be sums of others. Without it such a
	// dimension is refused, see CheckFlat.
	Flat []string
	// Listed says, for messages, that Flat comes from the file's entry in a ledger and not from a flag of the
	// command.
	Listed bool
	// Beside lets a reader look for hierarchies beside the file; its name must then be its path.
	Beside bool
	// Say, if set, is called with what a reader inferred without being told.
	Say func(words fmt.Stringer)

	// Watch, if set, is called before each part of a file is read, with the number of bytes that Read has read
	// so far and the size of the file. If it returns an error, reading ends with that.
	Watch func(done, total int64) error
	// Took, if set, is called with the file from which a reader took the hierarchy of a dimension.
	Took func(dim, file string)
	// IgnoreMissingDims ignores Totals, Hierarchies and Flat of dimensions that the table lacks, which
	// otherwise are errors.
	IgnoreMissingDims bool
	// Lead is the string that indents .hrc files. Empty: @.
	Lead string

	// Columns maps fields (value, freq, cost, status, reason, lpl, upl, spl, lower, upper, max1, max2, …) to
	// the columns of a tidy file that hold them. Other columns hold the field that they are named after.
	Columns map[string]string
	// CostColumn is another way to write Columns["cost"].
	CostColumn string
	// Dims are the dimensions of a tidy file, in the table's order; a column that is neither one of them nor a
	// field is kept for writing but not interpreted. Empty: all columns before the first field.
	Dims []string

	// Responses are the columns of a tidy file that hold values of the same cells, to be protected with one
	// common pattern. Response is the one to read as value. A column RESPONSE.FIELD holds that field for one
	// response, and takes precedence over a column FIELD, which is for all.
	Responses []string
	Response  string

	// Numbers says how numbers are written in the text; with the zero value this is detected as far as
	// possible.
	Numbers table.Notation
	// Magnitude says that a cross-tab holds magnitudes, not counts.
	Magnitude bool
	// Withheld are the marks that stand for a withheld value. Nil: DefaultWithheld.
	Withheld []string
	// Nil are the marks that stand for a structural zero: there is nothing to count, so the cell is 0, stays
	// published and protects no other. A mark that is also in Withheld means withheld. Nil: DefaultNil.
	Nil []string
	// Sheet is the sheet of an XLSX file that holds the values. Empty: the sheet "values", or the only one
	// apart from "status".
	Sheet string
	// Select restricts a PX or SDMX file to the cells with one code of each variable named, which then is no
	// dimension.
	Select map[string]string
	// Lower and Upper are the intruder's bounds for the cells of a CSV file that does not give them. Nil: 0 and
	// +∞.
	Lower, Upper *table.Decimal
}

// DefaultWithheld returns the default marks of a withheld value.
func DefaultWithheld() []string {
	return []string{"", "NA", "x", "X", "χ", "×", ":c", "..", "ｘ", "Ｘ"}
}

// DefaultNil returns the default marks of a structural zero: the hyphen of Japanese tables, in both widths, and
// the dash of German ones.
func DefaultNil() []string { return []string{"-", "－", "–"} }

// An Input is a table together with the file that it was read from, so that it can be written back in the same
// form.
type Input struct {
	Table   *table.Table
	File    string
	Format  Format
	Layout  Format // how the table is laid out in a format, such as XLSX, that can hold cross-tabs or tidy tables
	Dialect Dialect

	// What the file itself gives: HasCosts says that some cell has a cost; HasStatus, HasLevels and HasBounds
	// that there are such columns.
	HasCosts, HasStatus, HasLevels, HasBounds bool
	// OwnCosts says that the costs are those of Options.Response alone, not of all responses. Told says that a
	// column responses tells by which response a cell is sensitive.
	OwnCosts, Told bool
	// Unsaid says that for some cell without a value no status tells why it is withheld.
	Unsaid bool

	// Mask, if set, is what Write writes for a file with several responses, in addition to Table.
	Mask *Mask

	// Uniform makes Write mark all withheld cells of a tidy file alike, so that the published file does not
	// tell which ones are sensitive.
	Uniform bool
	// Intervals makes Write show Table.Lower and Upper of withheld cells, which are published in place of their
	// values.
	Intervals bool
	// Behind is the table of true values, if the values of Table are perturbed ones that are published in their
	// place. No file may contain one of the true values.
	Behind *table.Table
	// LeftAside says that somebody has looked at the numbers of the file that are in no table.
	LeftAside bool
	// NoSync lets WriteFile return before the file is on disk, so that a loss of power may damage it. It is for
	// callers that check the content again.
	NoSync bool
	// Style says how withheld cells look in the formats of other packages, and which mark CSV files get.
	Style Style

	// Whole is set by ReadInPlay, and tells the size of the table of which Table has only the cells in play.
	Whole *Whole

	// Trees are the files, other than File, from which hierarchies of dimensions were read, if the caller
	// recorded them (Options.Took). What is written in the format of File needs them too, see SaveTree.
	Trees map[string]string

	lines  []int32 // the line of each cell that is in the file
	source source  // nil for JJ, whose cells are written from the table
	save   SaveFunc
}

// A source remembers the layout of an input and writes it back in the same form.
type source interface {
	// column returns the header of the column that holds a field of a record.
	column(record int, field string) string
	write(w *textWriter, in *Input, withheld []bool) error
}

// Line returns the line of File that holds cell i, 0 for a computed cell.
func (in *Input) Line(i int) int {
	if i < 0 || i >= len(in.lines) {
		return 0
	}
	return int(in.lines[i])
}

// Bound sets those of the intruder's bounds of a record that the options give.
func Bound(rec *table.Record, lower, upper *table.Decimal) {
	if lower != nil {
		rec.Lower = table.Number{Decimal: *lower, Set: true}
	}
	if upper != nil {
		rec.Upper = table.Number{Decimal: *upper, Set: true}
	}
}

// name returns the name of the table: the file's name without its extensions.
func (in *Input) name() string {
	base := filepath.Base(in.File)
	if s := strings.TrimSuffix(base, ".gz"); s != "" {
		base = s
	}
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" {
		base = s
	}
	return base
}

// Read reads the table in the file path.
func Read(path string, o Options) (*Input, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && o.Watch != nil {
		return ReadFrom(&watched{f, o.Watch, 0, info.Size()}, path, o)
	}
	return ReadFrom(f, path, o)
}

// watched is a file that reports to Options.Watch how far it has been read.
type watched struct {
	r           io.Reader
	watch       func(done, total int64) error
	done, total int64
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.watch(w.done, w.total); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.done += int64(n)
	return n, err
}

// Open opens a file that is not a directory.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, OSError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &Error{File: path, Want: i18n.T("is a directory, want a file")}
	}
	return f, nil
}

// ReadFrom reads a table from r. name stands for it in messages, gives the table its name and, if it ends in
// .jj or .jj.gz, means that r is in JJ format. Text compressed with gzip is recognised by its content.
//
// The cost is linear in the input; a table takes about 300 bytes a cell while it is built. An error about the
// content is an *Error; others are those of r.
func ReadFrom(r io.Reader, name string, o Options) (*Input, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	in := &Input{File: name, Format: Format(o.From)}
	text, err := OpenText(r, name)
	if err != nil {
		return nil, err
	}
	lower := strings.TrimSuffix(strings.ToLower(name), ".gz")
	if in.Format == "" && strings.HasSuffix(lower, ".jj") {
		in.Format = JJ
	}
	if in.Format == JJ {
		if err := readJJ(in, text); err != nil {
			return nil, err
		}
		return in, nil
	}
	l, err := newLines(text, name, o.Encoding)
	if err != nil {
		return nil, err
	}
	if err := readCSV(in, l, &o); err != nil {
		return nil, err
	}
	return in, nil
}

// check returns the errors of the options themselves.
func (o *Options) check() error {
	switch Format(o.From) {
	case "", Tidy, CrossTab, JJ:
	default:
		return i18n.Errorf("--from %s: want tidy, crosstab or jj", Show(o.From))
	}
	switch o.Encoding {
	case "", "utf-8", "cp932", "cp1252":
	default:
		return i18n.Errorf("--encoding %s: want utf-8, cp932 or cp1252", Show(o.Encoding))
	}
	for f := range o.Columns {
		if fieldOf(f) != f {
			return i18n.Errorf("--column %s: want value, freq, cost, status, reason, lpl, upl, spl, lower, upper, max1, max2, …, who1, …, absolute, waived, unwaived", Show(f))
		}
	}
	if c := o.Columns["cost"]; c != "" && o.CostColumn != "" && c != o.CostColumn {
		return i18n.Errorf("two columns of costs: %s and %s", Show(c), Show(o.CostColumn))
	}
	return nil
}

// isTidy reports whether the options or the header say that a CSV file is tidy.
func (o *Options) isTidy(header []field) bool {
	if o.From != "" {
		return o.From == string(Tidy)
	}
	return o.Response != "" || len(o.Dims) > 0 || len(o.Columns) > 0 || slices.ContainsFunc(header, func(f field) bool {
		k := fieldOf(f.text)
		return k == "value" || k == "freq"
	})
}

// A Text is the content of a file: decompressed if it is gzip, and limited in size.
type Text struct {
	*bufio.Reader
	packed *unpack.Reader // nil: the file was not compressed
}

// cellsPerByte is how many cells a table may have for each byte of a compressed file.
const cellsPerByte = 4

// Room returns an error message if a table has more cells than are allowed, in all or for the amount of
// compressed text, and "" if not.
func (t *Text) Room(cells int) i18n.Text {
	switch {
	case budget.Cells.Passed(cells):
		return i18n.T("more than %d cells%s", budget.Cells.Max(), budget.Remedy())
	case t.packed != nil && cells > unpack.Cells(t.packed.Size(), cellsPerByte):
		return i18n.T("%d cells of %d compressed bytes%s", cells, t.packed.Size(), unpack.Remedy)
	}
	return i18n.Text{}
}

// OpenText returns the content of r, decompressed and limited; name stands for it in messages.
func OpenText(r io.Reader, name string) (*Text, error) {
	return newTextUpTo(r, name, maxLine, budget.Text.Max())
}

// newTextUpTo is OpenText, but allows to look ahead by size bytes, at least sniffed, and takes the limit most.
func newTextUpTo(r io.Reader, name string, size int, most int64) (*Text, error) {
	text, packed, err := records.Open(r, size, func(r io.Reader) io.Reader { return &limited{r: r, name: name, left: most, most: most} })
	if err != nil {
		return nil, InFile(name, err)
	}
	if magic, _ := text.Peek(1); len(magic) == 1 && strings.IndexByte("P<\xd0", magic[0]) >= 0 {
		head, _ := text.Peek(sniffed)
		if what := Unread(head); !what.IsZero() {
			return nil, &Error{File: name, Want: what}
		}
	}
	if magic, _ := text.Peek(4); string(magic) == "PK\x03\x04" {
		return nil, &Error{File: name, Want: i18n.T("a zip archive or an Excel workbook; save the table as CSV")}
	}
	return &Text{text, packed}, nil
}

// limited ends a reader with an error at a limit, and adds the file's name to errors.
type limited struct {
	r    io.Reader
	name string
	left int64
	most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, &Error{File: l.name, Want: i18n.T("more than %d GiB of text%s", l.most>>30, budget.Remedy())}
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	if err != nil && err != io.EOF {
		err = InFile(l.name, err)
	}
	return n, err
}

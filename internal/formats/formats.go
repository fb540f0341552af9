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

// Limits beside those of internal/budget.
const (
	maxLine  = int(budget.Line) // bytes of a line of a CSV or .hrc file
	maxBlank = 100_000          // empty lines in a row
	sniffed  = 1 << 16          // bytes by which a file of another kind is told
)

// A Format is the layout of a table's file.
type Format string

// The formats; their values are those of Options.From.
const (
	Tidy     Format = "tidy"     // CSV, one line a cell
	CrossTab Format = "crosstab" // CSV, a two-way table as it is printed
	JJ       Format = "jj"       // the field's format of instances
)

// Options say how to read an input. The zero value detects what it can.
type Options struct {
	// From is the format: tidy, crosstab or jj. Empty: JJ where the name ends in
	// .jj or .jj.gz; else tidy where a column is called value or freq, or
	// Columns or Dims is given; else crosstab.
	From string
	// Encoding is utf-8, cp932 or cp1252. Empty: UTF-8, or CP932 where the text is not
	// UTF-8 but surely that.
	Encoding string

	// Total is the total code of every dimension, Totals that of one by its
	// name. Empty: that of a code,parent hierarchy, else Total.
	Total  string
	Totals map[string]string
	// Hierarchies maps dimensions to files, .hrc or code,parent CSV.
	Hierarchies map[string]string
	// Rounded says that values were rounded one by one, so that sums need not hold: the relations are those of what they were made of.
	Rounded bool
	// Flat are dimensions without a tree, even where codes are sums of others; else these are
	// refused, see CheckFlat.
	Flat []string
	// Listed says that Flat is not a flag of the command but of the entry of the file in a ledger, for messages.
	Listed bool
	// Beside lets a reader look for hierarchies beside the file, whose path its name is.
	Beside bool
	// Say, if set, is told what a reader understood without its having been said.
	Say func(words fmt.Stringer)

	// Watch, if not nil, is told how many bytes of how many Read has read of a file, before each part of it. Its error ends the reading.
	Watch func(done, total int64) error
	// Took, if set, is told which file a reader has the tree of a dimension from.
	Took func(dim, file string)
	// IgnoreMissingDims passes over Totals, Hierarchies and Flat of dimensions that the table lacks,
	// which otherwise are errors.
	IgnoreMissingDims bool
	// Lead is the string that indents .hrc files. Empty: @.
	Lead string

	// Columns maps fields (value, freq, cost, status, reason, lpl, upl, spl, lower,
	// upper, max1, max2, …) to the columns of a tidy file that hold them. Other
	// columns named like a field hold that field.
	Columns map[string]string
	// CostColumn is another way to write Columns["cost"].
	CostColumn string
	// Dims are the dimensions of a tidy file, in the table's order; what is
	// neither one of them nor a field is carried along unread. Empty: all
	// columns before the first field.
	Dims []string

	// Responses are the columns of a tidy file that hold values of the same cells, to be
	// protected by one mask, and Response the one to read as value. A column called
	// RESPONSE.FIELD holds that field of one response, before a column FIELD for all.
	Responses []string
	Response  string

	// Numbers is how numbers are written in text; the zero value finds out what it can.
	Numbers table.Notation
	// Magnitude says that a cross-tab holds amounts, not counts.
	Magnitude bool
	// Withheld are the texts that stand for a withheld value. Nil:
	// DefaultWithheld.
	Withheld []string
	// Nil are the texts that stand for a structural zero: no such thing exists, so the
	// cell is 0, stays published and protects no other; marks among Withheld come first.
	// Nil: DefaultNil.
	Nil []string
	// Sheet is the sheet of an XLSX file that holds the values. Empty: values, or the
	// only one beside status.
	Sheet string
	// Select keeps, of a PX or SDMX file, the cells with one code of each variable
	// named, which then is no dimension.
	Select map[string]string
	// Lower and Upper are the intruder's bounds of all cells for which a CSV
	// file has none. Nil: 0 and +∞.
	Lower, Upper *table.Decimal
}

// DefaultWithheld returns the marks that stand for a withheld value.
func DefaultWithheld() []string {
	return []string{"", "NA", "x", "X", "χ", "×", ":c", "..", "ｘ", "Ｘ"}
}

// DefaultNil returns the marks that stand for a structural zero: the hyphen of
// Japanese tables, in both widths, and the dash of German ones.
func DefaultNil() []string { return []string{"-", "－", "–"} }

// An Input is a table together with the file it came from, so that it can be
// written back as it was found.
type Input struct {
	Table   *table.Table
	File    string
	Format  Format
	Layout  Format // layout of a format that can hold cross-tabs or tidy tables, as XLSX
	Dialect Dialect

	// What the file itself gives. HasCosts: a cost for some cell. HasStatus,
	// HasLevels, HasBounds: such columns.
	HasCosts, HasStatus, HasLevels, HasBounds bool
	// OwnCosts: the costs are those of Options.Response, not of all responses. Told: a column
	// responses says by which response a cell is sensitive.
	OwnCosts, Told bool
	// Unsaid: of some cell without a value no status says why it is withheld.
	Unsaid bool

	// Mask, if set, is what Write writes besides Table of a file with several responses.
	Mask *Mask

	// Uniform makes Write mark every withheld cell of a tidy file alike, so that
	// the published file does not tell which ones were sensitive.
	Uniform bool
	// Intervals makes Write show Table.Lower and Upper of withheld cells, which are what is published in place of their values.
	Intervals bool
	// Behind is, where the values of Table are to be published in place of others, the table of these: no file may have one of them.
	Behind *table.Table
	// LeftAside: somebody has looked at the numbers of the file that stand in no table.
	LeftAside bool
	// NoSync lets WriteFile return before the file is on disk. After a loss of power it may be
	// torn then: for callers that look at the content again.
	NoSync bool
	// Style says how withheld cells look in the formats of other packages, and what
	// mark CSV files get.
	Style Style

	// Whole is set by ReadInPlay: Table has only the cells in play of a table of that size.
	Whole *Whole

	// Trees are the files, other than File, that trees of dimensions are from, if whoever read the table notes them
	// (Options.Took). What is written in the format of File needs them again, see SaveTree.
	Trees map[string]string

	lines  []int32 // line of each cell that stands in the file
	source source  // nil for JJ: its cells are written from the table
	save   SaveFunc
}

// A source knows the layout of an input and writes it back in that.
type source interface {
	// column returns the header of the column that holds a field of a record.
	column(record int, field string) string
	write(w *textWriter, in *Input, withheld []bool) error
}

// Line returns the line of File that holds cell i, 0 for computed cells.
func (in *Input) Line(i int) int {
	if i < 0 || i >= len(in.lines) {
		return 0
	}
	return int(in.lines[i])
}

// Bound gives a cell the intruder's bounds that options have.
func Bound(rec *table.Record, lower, upper *table.Decimal) {
	if lower != nil {
		rec.Lower = table.Number{Decimal: *lower, Set: true}
	}
	if upper != nil {
		rec.Upper = table.Number{Decimal: *upper, Set: true}
	}
}

// name is what the table is called: the file's name without its extensions.
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

// watched is a file whose reading is watched.
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

// ReadFrom reads a table from r; name stands for it in messages, gives the table
// its name and, by its extension, tells JJ. Text compressed with gzip is
// recognised by its content.
//
// The cost is linear in the input; a table takes about 300 bytes a cell while it
// is built. A fault is an *Error, except of r itself.
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

// check finds faults of the options themselves.
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

// isTidy reports whether the options or a header make a CSV file a tidy one.
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
	packed *unpack.Reader // nil: it was not compressed
}

// cellsPerByte is how many cells a table may have for each byte of a compressed file.
const cellsPerByte = 4

// Room says what is wrong where a table has so many cells by what of the text was
// read, "" if nothing is.
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

// newTextUpTo returns it with size bytes to look ahead, at least sniffed.
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

// limited stops a reader at a limit and names the file in its faults.
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

package formats

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Layout remembers how a file in a format of another package was laid out, and writes its Input back in the
// same way.
type Layout interface {
	// Column returns the file's own name for a field of a record, which messages show as its column.
	Column(record int, field string) string
	// Write writes in to w, as Write does for the formats of this package. withheld marks the cells to
	// withhold; nil: the table is written as it is.
	Write(w io.Writer, in *Input, withheld []bool) error
}

// A repeater is a Layout of files whose other parts, such as notes, may repeat what is withheld.
type repeater interface {
	// Repeats describes what Write blanks for that reason, with its line.
	Repeats(in *Input, withheld []bool) []string
}

// LayoutOf returns the layout of a file in another package's format, nil for a file in a format of this one.
func LayoutOf(in *Input) Layout {
	f, _ := in.source.(foreign)
	return f.Layout
}

// Repeats describes what Write blanks besides the cells of pattern because it contains the value of one, such
// as notes of a PX file.
func Repeats(in *Input, pattern []bool) []string {
	if r, ok := LayoutOf(in).(repeater); ok {
		return r.Repeats(in, pattern)
	}
	return nil
}

// A changer is a Layout that writes into a copy of its file.
type changer interface {
	// Changes says what the last Write changed beyond the withheld cells, so that nothing tells their values.
	Changes() []fmt.Stringer
}

// A calculated is a Layout whose file has formulas without stored results.
type calculated interface {
	// Calculated returns the file with these results, nil if none are missing.
	Calculated() []byte
}

// Changes says what was changed beyond the withheld cells in the copy of a file that was written last.
func Changes(in *Input) []fmt.Stringer {
	if c, ok := LayoutOf(in).(changer); ok {
		return c.Changes()
	}
	return nil
}

// An addresser is a Layout of files in which people find cells by an address.
type addresser interface {
	// Address returns the address of cell i, such as 表１!B7 or line:field, "" for a computed cell.
	Address(i int) string
}

// Addresses returns a function that gives the address of each cell in the file, nil if the format has no
// addresses.
func Addresses(in *Input) func(i int) string {
	if a, ok := LayoutOf(in).(addresser); ok {
		return a.Address
	}
	return nil
}

// Head returns the first n bytes of a text, decompressed if need be, or none if the file cannot be read twice.
func Head(path string, n int) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil // what is read from a pipe cannot be read again
	}
	text, err := newTextUpTo(f, path, max(n, sniffed), budget.Text.Max())
	if err != nil {
		return nil
	}
	head, _ := text.Peek(n)
	return head
}

// ReadPath reads the file path with read, which is the reader of a format of another package.
func ReadPath(path string, o Options, read func(r io.Reader, name string, o Options) (*Input, error)) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, OSError(path, err)
	}
	defer f.Close()
	return read(f, path, o)
}

// BuildForeign makes the Input of a format that another package reads. Errors of table.Build become *Error with
// the lines of the records. rounded is Options.Rounded.
func BuildForeign(file string, format Format, dims []table.Dimension, recs []table.Record, counts, rounded bool, l Layout) (*Input, error) {
	in := &Input{File: file, Format: format, source: foreign{l}}
	in.found(recs)
	if err := in.build(dims, len(recs), recordsOf(recs), counts, rounded); err != nil {
		return nil, err
	}
	return in, nil
}

// BuildInexact is BuildForeign for a table that need not add up, see table.BuildFrom.
func BuildInexact(file string, format Format, dims []table.Dimension, recs []table.Record, counts bool, l Layout) (*Input, []*table.AdditivityError, error) {
	in := &Input{File: file, Format: format, source: foreign{l}}
	in.found(recs)
	t, bad, err := table.BuildFrom(in.name(), dims, len(recs), recordsOf(recs), counts, true)
	if err != nil {
		return nil, nil, in.tableError(err)
	}
	in.Table = t
	return in, bad, nil
}

// found sets the fields that say what the records contain, and their lines.
func (in *Input) found(recs []table.Record) {
	in.lines = make([]int32, len(recs))
	for i := range recs {
		in.lines[i] = int32(recs[i].Line)
		in.HasCosts = in.HasCosts || recs[i].Cost.Set
		in.HasStatus = in.HasStatus || recs[i].Status != table.Safe
		in.HasLevels = in.HasLevels || recs[i].LPL.Set || recs[i].UPL.Set || recs[i].Width.Set
		in.HasBounds = in.HasBounds || recs[i].Lower.Set || recs[i].Upper.Set
	}
}

// Foreign returns in with the layout l and a format of another package, which has read its file by converting
// it to a format of this package.
func Foreign(in *Input, format Format, l Layout) *Input {
	out := *in
	out.Format, out.Layout, out.source = format, in.Format, foreign{l}
	return &out
}

// A SaveFunc writes an input to path, and perhaps to further files beside it. A pattern that is not nil must be
// one that Write accepts.
type SaveFunc func(path string, in *Input, pattern []bool) error

// SavedBy makes WriteFile use save, for formats that take more than one file. It returns in.
func SavedBy(in *Input, save SaveFunc) *Input {
	in.save = save
	return in
}

// Laid returns whether the input is laid out as a cross-tab or a tidy table, also if its format can hold
// either; else it returns the format.
func (in *Input) Laid() Format {
	return cmp.Or(in.Layout, in.Format)
}

// foreign makes a Layout a source.
type foreign struct{ Layout }

func (f foreign) column(record int, field string) string { return f.Column(record, field) }

func (f foreign) write(w *textWriter, in *Input, withheld []bool) error {
	return f.Write(w.w, in, withheld)
}

// Used holds the codes of a dimension in the order of their first use in a file.
type Used struct {
	Name  string
	Codes []string
	Lines []int // the line of the first use of each
}

// Dimensions returns the trees of the codes that a file uses. Hierarchies and total codes are those of the
// options; a code that these do not have is refused, as for tidy files.
func Dimensions(file string, used []Used, o *Options) ([]table.Dimension, error) {
	names := sets.List(len(used), func(d int) string { return used[d].Name })
	all, err := newCodes(file, names, o)
	if err != nil {
		return nil, err
	}
	dims := make([]table.Dimension, len(used))
	for d, c := range all {
		for i, code := range used[d].Codes {
			c.add(code, used[d].Lines[i])
		}
		if dims[d], err = c.dimension(); err != nil {
			return nil, err
		}
	}
	return dims, nil
}

// NewLines prepares to read a text that messages call file. encoding is utf-8, cp932, cp1252 or western. Empty
// means UTF-8 if the text is valid UTF-8, else the likelier of CP1252 and CP932; western means UTF-8 if the
// text is valid, else CP1252. A text with a byte order mark is UTF-8.
func NewLines(r io.Reader, file, encoding string) (*Lines, error) {
	switch encoding {
	case "", "utf-8", "cp932", "cp1252", "western":
	default:
		return nil, &Error{File: file, Value: Show(encoding), Want: i18n.T("no such encoding; want utf-8, cp932 or cp1252")}
	}
	text, err := OpenText(r, file)
	if err != nil {
		return nil, err
	}
	encoding = cmp.Or(encoding, either)
	return newLines(text, file, encoding)
}

// Room is Text.Room.
func (l *Lines) Room(cells int) i18n.Text { return l.r.Room(cells) }

// Number returns the number, from 1, of the line that Next returned last.
func (l *Lines) Number() int { return l.line }

// ReadEdges reads the hierarchy of a dimension from r, which messages call file: a .hrc file, or CSV with
// columns code and parent. Codes directly below the total have the parent "". lead indents .hrc files, empty
// means @; encoding is as for NewLines. If labels is nil, a code that is listed more than once comes out as
// often, and is an error when a dimension is made of the edges. Else a code 11 that is listed again becomes a
// code of its own, named 11 (2), and labels maps that name to 11.
func ReadEdges(r io.Reader, file, lead, encoding string, labels map[string]string) ([]table.Edge, error) {
	encoding = cmp.Or(encoding, either)
	h, err := readHierarchy(r, file, lead, encoding, labels)
	if err != nil {
		return nil, err
	}
	return h.nodes, nil
}

// Prune removes from d the codes that are not among codes and have no descendant there.
func Prune(d table.Dimension, codes []string) table.Dimension {
	of := sets.Of(codes)
	used := make([]bool, len(d.Codes))
	used[0] = true
	for i, c := range d.Codes {
		used[i] = used[i] || of[c]
	}
	return prune(d, used)
}

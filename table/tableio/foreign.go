package tableio

import (
	"bufio"
	"io"

	"github.com/hitoku/hitoku/table"
)

// A Layout knows how a file of a format of another package was laid out, and
// writes its Input back in that.
type Layout interface {
	// Column returns what the file calls the field of a record: the text that
	// messages name as column.
	Column(record int, field string) string
	// Write writes in to w, as Write does for the formats of this package; withheld
	// marks the cells to withhold, nil for the table as it is.
	Write(w io.Writer, in *Input, withheld []bool) error
}

// BuildForeign makes the Input of a format that another package reads. Errors of
// table.Build become *Error with the lines of the records.
func BuildForeign(file string, format Format, dims []table.Dimension, recs []table.Record, counts bool, l Layout) (*Input, error) {
	in := &Input{File: file, Format: format, source: foreign{l}}
	for i := range recs {
		in.HasCosts = in.HasCosts || recs[i].Cost.Set
		in.HasStatus = in.HasStatus || recs[i].Status != table.Safe
		in.HasLevels = in.HasLevels || recs[i].LPL.Set || recs[i].UPL.Set || recs[i].SPL.Set
		in.HasBounds = in.HasBounds || recs[i].Lower.Set || recs[i].Upper.Set
	}
	if err := in.build(dims, recs, counts); err != nil {
		return nil, err
	}
	return in, nil
}

// Foreign returns in with the layout l and the format of another package, which
// read it by turning its file into one of this package.
func (in *Input) Foreign(format Format, l Layout) *Input {
	out := *in
	out.Format, out.source = format, foreign{l}
	return &out
}

// foreign makes a Layout a source.
type foreign struct{ Layout }

func (f foreign) column(record int, field string) string { return f.Column(record, field) }

func (f foreign) write(w *textWriter, in *Input, withheld []bool) error {
	return f.Write(w.w, in, withheld)
}

// Used are the codes of a dimension in the order in which a file uses them first.
type Used struct {
	Name  string
	Codes []string
	Lines []int // of the first use
}

// Dimensions returns the trees over the codes that a file uses: hierarchies and
// total codes are those of the options, and what they do not know is refused as for
// tidy files.
func Dimensions(file string, used []Used, o *Options) ([]table.Dimension, error) {
	names := make([]string, len(used))
	for d := range used {
		names[d] = used[d].Name
	}
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

// OpenText returns the content of r, decompressed if it is gzip, and limited in
// size. name stands for it in messages.
func OpenText(r io.Reader, name string) (*bufio.Reader, error) { return newText(r, name) }

// Show prepares text of an input for a message: quoted where it is not a plain
// word, shortened where it is long.
func Show(s string) string { return show(s) }

// ShowList shows names for a message, at most ten of them.
func ShowList(names []string) string { return list(names) }

package xlsx

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/table"
)

// Copy writes a copy of the workbook src, which messages call name, in which the withheld cells have the mark
// and nothing tells their values. Every part with nothing to hide is copied byte for byte; in the others only
// the elements that change are rewritten. Withheld cells keep their style, and are aligned to the right, as
// numbers are, if the style does not say how.
//
// What is done so that nothing tells a withheld value, and reported in the changes:
//
//   - Formulas that depend on a cell of the table, directly or through others, are replaced by their values.
//     One that depends on a withheld cell and is not itself a published cell of the table (a share, a
//     difference, =B7) gets the mark. So do formulas that depend on such a formula; formulas whose references
//     cannot be followed (INDIRECT, OFFSET) but may reach a withheld cell; and published cells that are
//     computed from one otherwise than by sums, such as a mean.
//   - Cells outside the table from which a withheld cell is computed get the mark or, in hidden sheets, are
//     emptied. If there are several in a visible sheet, the workbook is refused, because they publish what is
//     withheld.
//   - Cells that repeat a withheld value get the mark: those with the same labels; those in a copy of the
//     table, where other cells match at the same offset; in hidden sheets, rows and columns all with three or
//     more digits; elsewhere those with four or more digits and one of the same labels, and those with six or
//     more digits. In the latter two cases trailing zeros do not count.
//   - Points that a chart remembers of a withheld cell are removed. So are defined names whose value is a
//     withheld number, rules and lists that contain one, comments on a withheld cell that name its number, and
//     filters, scenarios and controls on it.
//   - In running text (comments, text boxes, titles, headers and footers, properties, alternative texts, number
//     formats, custom XML) withheld numbers are replaced by the mark: those of three or more digits where
//     readers do not look, those of four or more digits, without trailing zeros, elsewhere, and those of any
//     size if the text also has the labels of the cell. Integers from 1900 to 2100 count as years; these, and
//     bounds of classes in visible text, are kept. Numbers are recognised with thousands separators, decimal
//     commas, full-width digits, exponents and 万. Shorter withheld numbers occur in any text by chance: such
//     texts are kept, and a change with Look says where.
//   - Removed as a whole: caches of pivot tables with slicers and timelines (the cells are kept), query tables,
//     connections, signatures, previews, revision logs, caches of RTD functions, and the calculation chain if
//     formulas are removed.
//   - Refused, unless Drop or Keep says otherwise: what cannot be searched, such as pictures, embedded objects
//     and macros.
//
// Cells with a withheld value in other units or rounded are reported if they have enough digits. Not found are
// such forms in text, or with fewer digits (48 thousand), numbers in words, and pictures of numbers.
//
// The copy is the same for the same input. Time and memory are a small multiple of the unpacked size. The
// changes are returned in words; an error is a *formats.Error of name that says what to do.
func Copy(w io.Writer, name string, src []byte, cells []WithheldCell, o CopyOptions) ([]fmt.Stringer, error) {
	changes, err := withhold(w, src, cells, o)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return nil, &formats.Error{File: name, Want: refusals(err)}
	case err != nil:
		return nil, &formats.Error{File: name, Want: i18n.T("%s", err)}
	}
	var words []fmt.Stringer
	for _, c := range changes {
		text := c.Message()
		if c.Look {
			text = i18n.T("look: %s", text)
		}
		words = append(words, text)
	}
	return words, nil
}

// refusals says why a workbook is refused, and what to do.
func refusals(err error) i18n.Text {
	all := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		all = many.Unwrap()
	}
	var text i18n.Text
	drop := false
	for n, e := range all {
		var r *refusedError
		if errors.As(e, &r) {
			drop = drop || r.Drop
		}
		switch {
		case n == 0:
			text = i18n.T("%s", e)
		case n < 10:
			text = text.Plus("; %s", e)
		}
	}
	if len(all) > 10 {
		text = text.Plus("; and %d more", len(all)-10)
	}
	if drop {
		text = text.Plus("; --drop-unsearched leaves it out, --keep-unsearched PART keeps a part that you have looked at")
	}
	return text
}

// An original is the workbook that was read, for a copy in which only withheld cells change.
type original struct {
	name  string
	raw   []byte
	sheet string
	text  []byte // text of the sheet, from book.text

	calculated bool // raw has results of formulas that the file lacks
}

// Changes implements formats.Changer.
func (l *layout) Changes() []fmt.Stringer { return l.changes }

// Calculated implements formats.calculated.
func (l *layout) Calculated() []byte {
	if l.original != nil && l.original.calculated {
		return l.original.raw
	}
	return nil
}

// copy writes into a copy of the original; ok is false if that is not possible.
func (l *layout) copy(w io.Writer, in *formats.Input, rows [][]string) (ok bool, err error) {
	if l.original == nil || in.Style.Flag {
		return false, nil
	}
	cells, published, ok := l.original.changed(rows)
	if !ok {
		return false, nil
	}
	if len(cells) == 0 {
		_, err := w.Write(l.original.raw)
		return true, err
	}
	o := CopyOptions{Mark: in.Style.Symbol, Published: published, Drop: in.Style.DropUnsearched, Keep: in.Style.KeepUnsearched}
	o.Mark = cmp.Or(o.Mark, "x")
	l.changes, err = Copy(w, l.original.name, l.original.raw, cells, o)
	return true, err
}

// changed compares the rows to be written with those that were read. Cells that are now blank or hold a mark
// are withheld, other numbers are published. ok is false if rows were added or removed, or if a cell changed
// otherwise.
func (g *original) changed(rows [][]string) (cells []WithheldCell, published []Place, ok bool) {
	r := csv.NewReader(bytes.NewReader(g.text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	for n := 0; ; n++ {
		was, err := r.Read()
		if err == io.EOF {
			return cells, published, n == len(rows)
		}
		if err != nil || n == len(rows) {
			return nil, nil, false
		}
		line, _ := r.FieldPos(0)
		now := rows[n]
		if len(now) > len(was) && slices.ContainsFunc(now[len(was):], func(s string) bool { return s != "" }) || len(now) < len(was) {
			return nil, nil, false
		}
		for c := range was {
			_, bad := table.ParseDecimal(was[c])
			at := Place{g.sheet, ooxml.CellName(line, c+1)}
			switch {
			case now[c] == was[c] && bad == nil:
				published = append(published, at)
			case now[c] == was[c]:
			case bad == nil && (now[c] == "" || !numeric(now[c])):
				cells = append(cells, WithheldCell{Place: at, Value: was[c], Mark: marks(now[c])})
			default:
				return nil, nil, false
			}
		}
	}
}

// marks returns the text that stands in a cell in place of the usual mark, if it is an interval, else "".
func marks(text string) string {
	if strings.Contains(text, formats.IntervalDash) {
		return text
	}
	return ""
}

func numeric(s string) bool {
	_, err := table.ParseDecimal(s)
	return err == nil
}

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

// Copy writes a copy of the workbook src, which messages call name, in which cells hold the mark, and nothing tells their values. The
// copy is that workbook: every part that has nothing to hide is copied byte for byte, and in others only the elements that
// change are written anew. Withheld cells keep their style; where it does not say how to align, they are
// aligned to the right, as numbers are.
//
// What is done so that nothing tells a withheld value, told in the changes:
//
//   - Formulas that depend on a cell of the table, directly or through others, become their values. One that depends on a withheld
//     cell without being a published cell of the table (a share, a difference, =B7) gets the mark. So do
//     those computed from there, those whose references cannot be followed (INDIRECT, OFFSET) where they may reach one, and published cells that are computed from
//     one by more than sums, as a mean is.
//   - Cells a withheld cell is computed from, and that are not in the table, get the mark or, in hidden sheets, are
//     emptied; several in a visible sheet refuse the workbook, as they publish what is withheld.
//   - Cells that repeat a withheld value get the mark: those with the same labels; those in a copy of the table, where
//     others agree at the same distance; in hidden sheets, rows and columns every number of three or more digits, and elsewhere of four
//     or more where one of the labels is the same, and of six or more wherever they stand, zeros at the end not counted in these two.
//   - Points in caches of charts go with their cells. Defined names that are a withheld number, rules and lists that name it, comments on a
//     withheld cell that name its number, filters, scenarios and controls on it are left out.
//   - In running text (comments, text boxes, titles, headers and footers, properties, alternative
//     texts, number formats, custom XML) a number that is withheld becomes the mark: of three or more digits where readers do not look, of four or more
//     telling ones elsewhere, of any size where the text also has the labels of the cell. Whole numbers from 1900 to 2100 count as years, and ends of classes
//     in view stay.
//     Numbers are read with separators of thousands, decimal commas, full-width digits, exponents and 万. Smaller ones are in
//     every other sentence: these texts stay, and a change with Look says where.
//   - Left out whole: pivot tables' caches with slicers and timelines (the cells stay), query tables, connections, signatures, previews,
//     revision logs, caches of RTD functions, calculation chains of formulas that went.
//   - Refused, unless Drop or Keep says otherwise: what cannot be searched, as pictures, embedded objects, macros.
//
// Cells with a value in other units or rounded are told if long enough; such forms in text or shorter ones
// (48 thousand), spelt-out numbers and pictures of them are not found.
// The copy is the same for the same input. Time and memory are a small multiple of the unpacked size. The changes are
// returned in words; an error is a *formats.Error of name that says what to do.
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
	text  []byte // text of the sheet, as in book.text

	calculated bool // raw has results of formulas that the file does not hold
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

// copy writes into a copy of the original; ok is false where that cannot be.
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

// changed compares the rows to be written with those that were read: cells that are to be blank now are withheld, other
// numbers are published. ok is false where rows have come or gone or a cell has another text than before.
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

// marks is what stands in a cell in place of the common mark: an interval.
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

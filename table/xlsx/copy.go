package xlsx

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// Copy is Withhold for the workbook called name, with its list of changes in words and its error as one of that file.
func Copy(w io.Writer, name string, src []byte, cells []WithheldCell, o CopyOptions) ([]string, error) {
	changes, err := Withhold(w, src, cells, o)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, &tableio.Error{File: name, Want: refusals(err)}
	case err != nil:
		return nil, &tableio.Error{File: name, Want: err.Error()}
	}
	var words []string
	for _, c := range changes {
		text := c.String()
		if c.Look {
			text = "look: " + text
		}
		words = append(words, text)
	}
	return words, nil
}

// refusals says why a workbook is refused, and what to do.
func refusals(err error) string {
	all := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		all = many.Unwrap()
	}
	var texts []string
	drop := false
	for _, e := range all {
		var r *RefusedError
		if errors.As(e, &r) {
			drop = drop || r.Drop
		}
		if len(texts) < 10 {
			texts = append(texts, e.Error())
		}
	}
	if len(all) > len(texts) {
		texts = append(texts, fmt.Sprintf("and %d more", len(all)-len(texts)))
	}
	text := strings.Join(texts, "; ")
	if drop {
		text += "; --drop-unsearched leaves it out, --keep-unsearched PART keeps a part that you have looked at"
	}
	return text
}

// An original is the workbook that was read, for a copy in which only withheld cells change.
type original struct {
	name  string
	raw   []byte
	sheet string
	text  []byte // of the sheet, as book.text has it
}

// Changes implements tableio.Changer.
func (l *layout) Changes() []string { return l.changes }

// copy writes into a copy of the original; ok is false where that cannot be.
func (l *layout) copy(w io.Writer, in *tableio.Input, rows [][]string) (ok bool, err error) {
	if l.original == nil || in.Style.Flag {
		return false, nil
	}
	cells, published, ok := l.original.changed(rows, in.Table)
	if !ok {
		return false, nil
	}
	if len(cells) == 0 {
		_, err := w.Write(l.original.raw)
		return true, err
	}
	o := CopyOptions{Mark: in.Style.Symbol, Published: published, Drop: in.Style.DropUnsearched, Keep: in.Style.KeepUnsearched}
	if o.Mark == "" {
		o.Mark = "x"
	}
	l.changes, err = Copy(w, l.original.name, l.original.raw, cells, o)
	return true, err
}

// changed compares the rows to be written with those that were read: cells that are to be blank now are withheld, other
// numbers are published. ok is false where rows have come or gone or a cell has another text than before.
func (g *original) changed(rows [][]string, t *table.Table) (cells []WithheldCell, published []Place, ok bool) {
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
			ref, err := excelize.CoordinatesToCellName(c+1, line)
			if err != nil {
				return nil, nil, false
			}
			_, bad := table.ParseDecimal(was[c])
			at := Place{g.sheet, ref}
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
	if strings.Contains(text, table.IntervalDash) {
		return text
	}
	return ""
}

func numeric(s string) bool {
	_, err := table.ParseDecimal(s)
	return err == nil
}

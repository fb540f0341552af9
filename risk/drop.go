package risk

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/records"
)

// A dropper removes fields from records. Everything else stays byte by byte.
type dropper struct {
	drop []bool // by field; nil: nothing is dropped
	left int    // number of fields that stay
	sep  byte
	// enclose quotes fields that contain other separators: otherwise one of these could be detected as the file's
	// separator from the remaining names.
	enclose bool
}

// newDropper prepares to remove columns from the records of f.
func newDropper(f *file, columns []string) (*dropper, error) {
	d := &dropper{sep: f.separator, left: len(f.names)}
	if len(columns) == 0 {
		return d, nil
	}
	d.drop = make([]bool, len(f.names))
	for _, name := range columns {
		if !slices.Contains(f.names, name) {
			return nil, i18n.Errorf("%s: no column %s to drop%s; the columns are %s", f.name, name, near.Hint(name, f.names, ""), strings.Join(f.names, ", "))
		}
	}
	for k, name := range f.names {
		if d.drop[k] = slices.Contains(columns, name); d.drop[k] {
			d.left--
		}
	}
	if d.left == 0 {
		return nil, i18n.Errorf("%s: no column would be left", f.name)
	}
	return d, nil
}

// head returns the text before the first record without the dropped names.
func (d *dropper) head(prefix []byte) []byte {
	if d.drop == nil {
		return prefix
	}
	at := 0
	if bytes.HasPrefix(prefix, records.Mark) {
		at = len(records.Mark)
	}
	for at < len(prefix) {
		n := records.Blank(prefix[at:])
		if n == 0 {
			break
		}
		at += n
	}
	header := d.record(prefix[at:])
	if records.Separator(header) != d.sep {
		d.enclose = true
		header = d.record(prefix[at:])
	}
	return append(bytes.Clone(prefix[:at]), header...)
}

// record returns a record without the dropped fields; it is valid as long as text is.
func (d *dropper) record(text []byte) []byte {
	if d.drop == nil {
		return text
	}
	end := len(text)
	if end > 0 && text[end-1] == '\n' {
		if end--; end > 0 && text[end-1] == '\r' {
			end--
		}
	}
	b := make([]byte, 0, len(text)+2)
	field, from, quoted, first := 0, 0, false, true
	put := func(to int) {
		if field < len(d.drop) && !d.drop[field] {
			if !first {
				b = append(b, d.sep)
			}
			first = false
			switch value := text[from:to]; {
			case d.left == 1 && from == to:
				b = append(b, `""`...) // a blank line would not be a record
			case d.enclose && bytes.ContainsAny(value, ",;\t") && bytes.IndexByte(value, '"') < 0:
				b = append(append(append(b, '"'), value...), '"')
			default:
				b = append(b, value...)
			}
		}
		field, from = field+1, to+1
	}
	for i, x := range text[:end] {
		switch {
		case x == '"':
			quoted = !quoted
		case x == d.sep && !quoted:
			put(i)
		}
	}
	put(end)
	return append(b, text[end:]...)
}

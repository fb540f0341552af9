package formats

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// EachRecord calls do with the records of a small CSV file that is no table, in order, each with its line; io.EOF from
// do ends it without an error. as says how lines are split, and wanted what a line that cannot be split should be;
// without it the error is that of package csv.
func EachRecord(path string, wanted i18n.Text, as func(*csv.Reader), do func(line int, rec []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return OSError(path, err)
	}
	defer f.Close()
	text, err := OpenText(f, path)
	if err != nil {
		return err
	}
	if head, _ := text.Peek(len(records.Mark)); bytes.Equal(head, records.Mark) {
		text.Discard(len(records.Mark))
	}
	r := csv.NewReader(text)
	as(r)
	for {
		rec, err := r.Read()
		if bad, is := errors.AsType[*csv.ParseError](err); is {
			if wanted.IsZero() {
				wanted = i18n.T("%s", bad.Err)
			}
			return &Error{File: path, Line: bad.Line, Want: wanted}
		} else if err != nil && err != io.EOF {
			return OSError(path, err)
		}
		if err == nil {
			line, _ := r.FieldPos(0)
			err = do(line, rec)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

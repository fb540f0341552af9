package cellkey

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/table"
)

// ReadCSV reads a table whose cells have their cell key in the given column, as a tidy CSV file in UTF-8: the
// dimensions, which come before freq or value and the key, with one line for each cell, margins included. Other columns
// are ignored. Dimensions have no hierarchy, so the table can be perturbed but not made additive or attacked.
func ReadCSV(path, name, column string) (*Counts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer f.Close()
	lines, err := formats.NewLines(f, path, "")
	if err != nil {
		return nil, err
	}
	fault := func(field string, want i18n.Text) error {
		return &formats.Error{File: path, Line: lines.Number(), Field: field, Want: want}
	}
	split := func(text string) ([]string, error) {
		o := csv.NewReader(strings.NewReader(text))
		fields, err := o.Read()
		if err != nil {
			return nil, fault("", i18n.T("fields in quotes that are not closed"))
		}
		return fields, nil
	}
	text, err := lines.Next()
	if err != nil {
		return nil, fault("", i18n.T("no header, want a line of names"))
	}
	head, err := split(text)
	if err != nil {
		return nil, err
	}
	key, count := slices.Index(head, column), slices.Index(head, "freq")
	if count < 0 {
		count = slices.Index(head, "value")
	}
	dims := min(key, count)
	if dims < 1 {
		return nil, fault("", i18n.T("want the dimensions, and behind them freq or value and the cell key %s; the columns are %s", strconv.Quote(column), formats.ShowList(head)))
	}
	c := &Counts{Name: name}
	codes := make([]map[string]int32, dims)
	for d := range dims {
		c.Dims = append(c.Dims, table.Dimension{Name: head[d]})
		codes[d] = map[string]int32{}
	}
	for n := 0; ; n++ {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if want := lines.Room(n); !want.IsZero() {
			return nil, fault("", want)
		}
		fields, err := split(text)
		if err != nil {
			return nil, err
		}
		if len(fields) != len(head) {
			return nil, fault("", i18n.T("%s fields, want %s", strconv.Itoa(len(fields)), strconv.Itoa(len(head))))
		}
		x := Cell{At: make([]int32, dims)}
		for d := range dims {
			k, ok := codes[d][fields[d]]
			if !ok {
				k = int32(len(codes[d]))
				codes[d][fields[d]] = k
				c.Dims[d].Codes, c.Dims[d].Parent = append(c.Dims[d].Codes, fields[d]), append(c.Dims[d].Parent, -1)
			}
			x.At[d] = k
		}
		if x.N, err = strconv.ParseInt(strings.TrimSpace(fields[count]), 10, 64); err != nil || x.N < 0 || x.N > 1e15 {
			return nil, fault(head[count], i18n.T("want a number of records"))
		}
		if x.Key, err = recordkey.Parse(strings.TrimSpace(fields[key])); err != nil {
			return nil, fault(column, i18n.T("%s", err))
		}
		c.Cells = append(c.Cells, x)
	}
	if len(c.Cells) == 0 {
		return nil, fault("", i18n.T("no cells"))
	}
	return c, nil
}

package layout

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
)

// A Source is a file and what was understood of it, from which tables are made and into a copy
// of which they are written back.
type Source struct {
	Reading *Reading

	name       string
	tolerance  string    // of sums, as given
	text       *Text     // of a text file
	cube       *px.Cube  // of a PX file
	book       []byte    // of a workbook, as it stands, with results of formulas that have none stored
	calculated bool      // there are such
	grids      []*Grid   // of a workbook or text
	leave      bool      // numbers in no table aside
	values     bool      // the table is of no use without all of its values
	noted      []address // numbers of notes
	blanks     []address // numbers that a copy does not have
	texts      []string  // beside the cells of a workbook, whose numbers it does not have

	others map[address]bool // cells of tables that would be read, had no other one been picked
}

// Open reads a file and infers its layout, or takes it from o.From. encoding and separator are those of
// OpenText. Errors are those of Find.
func Open(r io.Reader, name, encoding, separator string, o Options) (*Source, error) {
	s := &Source{name: name, tolerance: o.Tolerance, leave: o.LeaveAside, values: o.Values}
	in := bufio.NewReader(r)
	magic, _ := in.Peek(4)
	var err error
	switch {
	case string(magic) == "PK\x03\x04":
		if s.book, err = budget.ReadAll(in, budget.Whole); err != nil {
			return nil, formats.InFile(name, err)
		}
		book, err := Workbook(bytes.NewReader(s.book), name)
		if err != nil {
			return nil, err
		}
		book.Grids = inHalves(book.Grids)
		if s.grids = book.Grids; book.stored != nil {
			s.book, s.calculated = book.stored, true
		}
		return s.read(book, o)
	case filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) == ".px":
		if s.cube, err = px.ReadCube(in, name, formats.Options{Encoding: encoding}); err != nil {
			return nil, err
		}
		s.Reading, err = pxSource(s.cube, name, o)
		return s, err
	}
	if s.text, err = OpenText(in, name, encoding, separator); err != nil {
		return nil, err
	}
	s.text.File.notation(&o)
	book := s.text.Book()
	book.Grids = inHalves(book.Grids)
	s.grids = book.Grids
	return s.read(book, o)
}

// read infers the layout of a workbook or text.
func (s *Source) read(book *Book, o Options) (*Source, error) {
	whole := s.whole(book, o)
	o.without = unrestricted(book, o)
	err := s.said(&o)
	if err != nil {
		return nil, err
	}
	s.Reading, err = find(book, o)
	s.unpicked(whole)
	return s, err
}

// unrestricted is the reading of a file without the options that pick a part of it or make measures of classes, nil where there are none or no dimension is said to
// have no total: the name of such a dimension may be one of what was not picked.
func unrestricted(book *Book, o Options) *Reading {
	if len(o.NoTotal) == 0 || o.Range == "" && o.Sheet == "" && len(o.Blank) == 0 && len(o.Measures) == 0 {
		return nil
	}
	o.Range, o.Sheet, o.Measures, o.NoTotal = "", "", nil, nil
	r, err := find(book, o)
	if err != nil {
		return nil
	}
	return r
}

// whole are the tables of a file of which the options pick one by where it stands, nil where they do not.
func (s *Source) whole(book *Book, o Options) []*Table {
	if o.Range == "" && o.Sheet == "" {
		return nil
	}
	r, err := find(book, Options{Decimal: o.Decimal, Thousands: o.Thousands})
	if err != nil {
		return nil // the account looks at each number by itself
	}
	return r.Tables
}

// unpicked notes the cells of the tables that have none in common with those that were picked. Nobody has read them as a table: that one of their
// numbers is equal to a label or looks like a year explains nothing.
func (s *Source) unpicked(whole []*Table) {
	if s.Reading == nil || len(whole) == 0 {
		return
	}
	read := map[address]bool{}
	for _, t := range s.Reading.Tables {
		for i := range t.Cells {
			read[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = true
		}
	}
	s.others = map[address]bool{}
	for _, t := range whole {
		if !slices.ContainsFunc(t.Cells, func(c Cell) bool { return read[address{nameOfSheet(c.Sheet), c.Ref}] }) {
			for i := range t.Cells {
				s.others[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = true
			}
		}
	}
}

// notation takes how numbers are written from the options.
func (f *File) notation(o *Options) {
	switch f.Decimal, f.Thousands = o.Decimal, o.Thousands; {
	case f.Decimal != "" || f.Thousands == "":
	case f.Thousands == ".":
		f.Decimal = ","
	case f.Thousands == ",":
		f.Decimal = "."
	}
}

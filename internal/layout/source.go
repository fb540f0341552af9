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

// A Source is a file and what was understood of it. Tables are made from it and written back into a copy of it.
type Source struct {
	Reading *Reading

	name       string
	tolerance  string    // for sums, as given
	text       *Text     // for a text file
	cube       *px.Cube  // for a PX file
	book       []byte    // for a workbook: its bytes, with results added for formulas that have none stored
	calculated bool      // results were added
	grids      []*Grid   // of a workbook or text file
	leave      bool      // leave aside numbers that are in no table
	values     bool      // the table is of no use unless all its values are known
	noted      []address // where numbers belong to notes
	blanks     []address // numbers to leave out of a copy
	texts      []string  // texts outside the cells of a workbook whose numbers are to be left out of a copy

	others map[address]bool // cells of tables that would be read if another one had not been picked
}

// Open reads a file and infers its layout, or takes it from o.From. encoding and separator are those of OpenText,
// errors those of Find.
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

// read infers the layout of a workbook or text file.
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

// unrestricted returns the reading of a file without the options that pick a part of it or turn classes into
// measures. It is nil if there are no such options, or if no dimension is said to have no total: only the name of
// such a dimension may belong to what was not picked.
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

// whole returns all tables of a file if the options pick one by where it stands, else nil.
func (s *Source) whole(book *Book, o Options) []*Table {
	if o.Range == "" && o.Sheet == "" {
		return nil
	}
	r, err := find(book, Options{Decimal: o.Decimal, Thousands: o.Thousands})
	if err != nil {
		return nil // then the account looks at each number by itself
	}
	return r.Tables
}

// unpicked notes the cells of tables that share no cell with the ones picked. Nobody has read these as a table,
// so that their numbers are not explained by being equal to a label or looking like a year.
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

// notation sets how numbers are written from the options.
func (f *File) notation(o *Options) {
	switch f.Decimal, f.Thousands = o.Decimal, o.Thousands; {
	case f.Decimal != "" || f.Thousands == "":
	case f.Thousands == ".":
		f.Decimal = ","
	case f.Thousands == ",":
		f.Decimal = "."
	}
}

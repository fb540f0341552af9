package layout

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Copy says what became of the numbers of a file in its copy.
type Copy struct {
	Tables, Of int // how many tables of the file are protected, and how many it has
	Numbers    int // how many numbers the file has
	Suppressed int
	Blanked    int // other numbers that the copy lacks, as they tell of suppressed ones
}

// Copied returns what became of the numbers of in's file in the copy that was written last. It is nil where nobody
// counted: for a PX file, or a file that was not read as a layout.
func Copied(in *formats.Input) *Copy {
	if b, ok := formats.LayoutOf(in).(*built); ok {
		return b.copied
	}
	return nil
}

// auditCopy reads a copy again, without what its writer knows, and counts: every number left must be a published cell
// of the table, computed from published cells alone, or have nothing to do with the table. Then a reader of the whole
// file learns no more than a reader of the table. The error names the first number for which that does not hold.
func (s *Source) auditCopy(b *built, withheld []bool, out []byte) (*Copy, error) {
	grids, err := s.gridsOf(out)
	if err != nil {
		return nil, err
	}
	secret := map[address]bool{}
	for _, c := range b.cells(withheld) {
		secret[address{nameOfSheet(c.Sheet), c.Ref}] = true
	}
	gone := map[string]bool{}
	for _, c := range b.cells(withheld) {
		gone[strings.Join(c.Codes, "\x00")] = true
	}
	tells := map[address]bool{}
	for _, d := range b.t.Derived {
		if d.reveals(gone) {
			tells[address{nameOfSheet(d.Sheet), d.Ref}] = true
		}
	}
	account := s.Account(b.t)
	n := &Copy{Tables: max(1, len(b.t.parts)), Of: len(s.Reading.Tables), Numbers: account.Numbers, Suppressed: len(secret), Blanked: len(s.blanks)}
	left := map[address]string{}
	for _, g := range grids {
		for r, row := range g.Rows {
			for c := range row {
				if row[c].Number || hasDigit(row[c].Text) {
					left[address{g.Sheet, g.ref(r, c)}] = strings.TrimSpace(row[c].Text)
				}
			}
		}
	}
	for _, x := range account.copies {
		if !slices.ContainsFunc(x.of, func(f fieldAt) bool {
			p := s.placeOf(f)
			return !secret[address{p.Sheet, p.Ref}]
		}) {
			one := s.placeOf(x.at)
			tells[address{one.Sheet, one.Ref}] = true
		}
	}
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				f := &row[c]
				if !f.Number && !hasDigit(f.Text) {
					continue
				}
				at := address{g.Sheet, g.ref(r, c)}
				text, stands := left[at]
				switch {
				case (secret[at] || tells[at]) && stands && text == strings.TrimSpace(f.Text):
					return nil, &formats.Error{File: s.name, Want: staysTelling(at.String())}
				case !secret[at] && (!stands || len(numerals(text)) < len(numerals(f.Text))):
					n.Blanked++
				}
			}
		}
	}
	if s.texts != nil {
		texts, err := xlsx.Texts(out)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			if slices.Contains(s.texts, t.Text) {
				return nil, &formats.Error{File: s.name, Want: staysTelling(t.Where)}
			}
		}
	}
	if s.book != nil {
		n.Blanked += s.around(out)
	}
	return n, s.strange(b, secret, grids)
}

// around counts the numbers that a workbook has outside its cells and its copy lacks.
func (s *Source) around(out []byte) (n int) {
	said := func(book []byte) map[string][]xlsx.Text {
		all := map[string][]xlsx.Text{}
		texts, _ := xlsx.Texts(book)
		for _, t := range texts {
			if hasDigit(t.Text) {
				all[t.Where] = append(all[t.Where], t)
			}
		}
		return all
	}
	before, after := said(s.book), said(out)
	for where, was := range before {
		is := after[where]
		if n += len(was) - len(is); len(was) != len(is) {
			continue
		}
		for k := range was {
			if len(numerals(is[k].Text)) < len(numerals(was[k].Text)) {
				n++
			}
		}
	}
	return n
}

// gridsOf reads the grids of a copy of the file.
func (s *Source) gridsOf(out []byte) ([]*Grid, error) {
	if s.book != nil {
		book, err := Workbook(bytes.NewReader(out), s.name)
		if err != nil {
			return nil, err
		}
		return s.alsoHalved(book.Grids), nil
	}
	text, err := OpenText(bytes.NewReader(out), s.name, s.text.File.Encoding, s.text.File.Separator)
	if err != nil {
		return nil, err
	}
	return s.alsoHalved(text.Book().Grids), nil
}

// Words returns the closing summary of a file that was written.
func (n *Copy) Words() i18n.Text {
	return i18n.T("%d of %d tables, %d numbers, %d withheld, %d blanked", n.Tables, n.Of, n.Numbers, n.Suppressed, n.Blanked)
}

// staysTelling says that a number or text would stay in the copy that tells a withheld cell, and how to take it out.
func staysTelling(where string) i18n.Text {
	return i18n.T("%s would stay in the copy and tell a withheld cell; nothing is written: take it out (%s)", where, "--blank "+quoteName(where))
}

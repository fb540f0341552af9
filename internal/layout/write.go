package layout

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// write writes a copy of the file in which the withheld cells of b's table, in all responses that are suppressed
// together, are replaced by a mark, and so are numbers derived from them; all else is unchanged. A nil pattern
// copies the file.
func (s *Source) write(w io.Writer, b *built, style *formats.Style, withheld []bool) error {
	b.copied = nil
	if s.book != nil {
		var out bytes.Buffer
		if err := s.writeBook(&out, b, style, withheld); err != nil {
			return err
		}
		return s.audited(w, b, withheld, out.Bytes())
	}
	texts := s.marked(b, style.Symbol, withheld)
	if s.cube != nil {
		cells := map[int]string{}
		for i, c := range s.Reading.Tables[0].Cells { // in the order of the data
			if text, ok := texts[c.Ref]; ok {
				cells[i] = text
			}
		}
		b.changes = nil
		for _, note := range s.cube.Repeats(cells) {
			b.changes = append(b.changes, i18n.T("%s is blanked, as it holds the value of a withheld cell or a number about one", note))
		}
		return s.cube.Write(w, cells)
	}
	b.changes = s.looks(b, withheld)
	out, err := s.text.replace(texts)
	if err != nil {
		return err
	}
	return s.audited(w, b, withheld, out)
}

// audited writes a copy after auditing it as a reader would.
func (s *Source) audited(w io.Writer, b *built, withheld []bool, out []byte) (err error) {
	if withheld != nil {
		if b.copied, err = s.auditCopy(b, withheld, out); err != nil {
			return err
		}
	}
	_, err = w.Write(out)
	return err
}

// cells returns the cells of the file that a pattern withholds and that show a value.
func (b *built) cells(withheld []bool) []*Cell {
	var all []*Cell
	for i, out := range withheld {
		if !out || i >= len(b.keys) {
			continue
		}
		for _, k := range b.same[b.keys[i]] {
			if c := &b.t.Cells[k]; c.Mark == nil || c.Means == isNil {
				all = append(all, c)
			}
		}
	}
	return all
}

// marked returns the new text of each field that changes.
func (s *Source) marked(b *built, symbol string, withheld []bool) map[string]string {
	texts := map[string]string{}
	cells := b.cells(withheld)
	for _, b := range s.blanks {
		texts[b.ref] = ""
	}
	if len(cells) == 0 {
		return texts
	}
	if symbol == "" {
		symbol = s.mark(b.t)
	}
	if s.cube != nil {
		symbol = strings.Trim(symbol, `"`)
	}
	column, beside := s.columnOf("mark"), s.columnOf("mark name")
	var unread []string
	if l := s.Reading.Layout; s.text != nil && l != nil {
		for _, block := range l.Blocks {
			for _, of := range block.Labels {
				if of.Holds == "unread" {
					unread = append(unread, of.Column)
				}
			}
		}
	}
	gone := map[string]bool{}
	for _, c := range cells {
		gone[strings.Join(c.Codes, "\x00")] = true
		for _, of := range unread {
			if line, _, _ := strings.Cut(c.Ref, ":"); s.filled(line + ":" + of) {
				texts[line+":"+of] = ""
			}
		}
		if column == "" {
			texts[c.Ref] = symbol
			continue
		}
		line, _, _ := strings.Cut(c.Ref, ":")
		texts[c.Ref], texts[line+":"+column] = "", symbol
		if c.MarkRef != "" && c.MarkRef != line+":"+column {
			texts[c.MarkRef] = "" // the flag belonged to the value
		}
		if beside != "" {
			texts[line+":"+beside] = s.markName(symbol, column, beside)
		}
	}
	for _, d := range b.t.Derived {
		if d.reveals(gone) {
			texts[d.Ref] = symbol
		}
	}
	for _, n := range slices.Concat(s.Account(b.t).notes, s.toldTogether(b.t)) {
		if slices.ContainsFunc(cells, func(c *Cell) bool { return slices.Contains(n.of, c.Ref) }) {
			if _, ok := texts[n.at.ref]; !ok {
				texts[n.at.ref] = n.text
			}
			texts[n.at.ref] = n.blank(texts[n.at.ref], symbol)
		}
	}
	s.joined(texts, symbol)
	return texts
}

// blank replaces the number of a note by the mark where it stands as a number of its own.
func (n *noteOf) blank(text, symbol string) string {
	return anyNumber().ReplaceAllStringFunc(text, func(s string) string {
		if fold(s) == n.number {
			return symbol
		}
		return s
	})
}

var anyNumber = lazy.Regexp(`[0-9０-９]+(?:[.,．，][0-9０-９]+)*`)

// mark returns what the file writes for a withheld value: the most frequent such mark in it, else one that its
// notes explain, else the one usual in its format or language.
func (s *Source) mark(t *Table) string {
	count := map[string]int{}
	best := ""
	for _, of := range append([]*Table{t}, s.Reading.Tables...) {
		for i := range of.Cells {
			c := &of.Cells[i]
			if c.Means != Suppressed || c.Mark == nil {
				continue
			}
			m := *c.Mark
			if count[m]++; best == "" || count[m] > count[best] || count[m] == count[best] && m < best {
				best = m
			}
		}
		if best != "" {
			return best
		}
	}
	if l := s.Reading.Layout; l != nil {
		for _, block := range l.Blocks {
			var told []string
			for m, means := range block.Marks {
				if means == Suppressed {
					told = append(told, m)
				}
			}
			if slices.Sort(told); len(told) > 0 {
				return told[0]
			}
		}
	}
	notes := &marks{}
	for _, of := range s.Reading.Tables {
		for _, n := range of.Notes {
			notes.learn(n.Text)
		}
	}
	if len(notes.told) == 0 {
		s.learnBook(notes)
	}
	var told []string
	for m, means := range notes.told {
		if means == Suppressed {
			told = append(told, m)
		}
	}
	if slices.Sort(told); len(told) > 0 {
		return told[0]
	}
	switch {
	case s.cube != nil:
		return ".."
	case s.Reading.File.Format == "sdmx-csv":
		return "C"
	case s.Reading.Layout != nil && s.Reading.Layout.Format == "eurostat-tsv":
		return ": c"
	}
	for _, d := range t.Dimensions { // from a database
		if s.book == nil && strings.ContainsFunc(d.Name, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
			return "X"
		}
	}
	return "x"
}

// learnBook learns marks from the notes on all visible sheets of a workbook.
func (s *Source) learnBook(notes *marks) {
	if s.book == nil {
		return
	}
	book, err := Workbook(bytes.NewReader(s.book), s.name)
	if err != nil {
		return // it could be read before
	}
	for _, g := range book.Grids {
		if g.State != "" {
			continue
		}
		for _, row := range g.Rows {
			for k, f := range row {
				if f.Number || f.Text == "" {
					continue
				}
				notes.learn(f.Text)
				if k+1 < len(row) && !row[k+1].Number {
					notes.learnPair(f.Text, row[k+1].Text)
				}
			}
		}
	}
}

// columnOf returns the first column of a long table that holds something of this kind, "" if none does.
func (s *Source) columnOf(holds string) string {
	if s.text == nil || s.Reading.Layout == nil {
		return ""
	}
	for _, b := range s.Reading.Layout.Blocks {
		for _, l := range b.Labels {
			if l.Holds == holds {
				return l.Column
			}
		}
	}
	return ""
}

// filled reports whether a field of a text file is not empty.
func (s *Source) filled(ref string) bool {
	var line, c int
	if _, err := fmt.Sscanf(ref, "%d:%d", &line, &c); err != nil {
		return false
	}
	r, ok := slices.BinarySearch(s.text.Grid.Lines, line)
	return ok && s.text.Grid.At(r, c-1).Text != ""
}

// looks returns warnings about notes of a text file that contain a withheld number of three or more digits: they
// are left unchanged, and somebody has to look at them.
func (s *Source) looks(b *built, withheld []bool) []fmt.Stringer {
	values := map[string]bool{}
	for _, c := range b.cells(withheld) {
		if c.Value != nil && len(strings.Trim(string(*c.Value), "-0.")) >= 3 {
			values[strings.TrimLeft(string(*c.Value), "-")] = true
		}
	}
	if len(values) == 0 {
		return nil
	}
	style := numberStyle{Decimal: '.', Thousands: ","}
	if s.text.File.Decimal == "," || s.Reading.File.Decimal == "," {
		style = numberStyle{Decimal: ',', Thousands: "."}
	}
	var all []fmt.Stringer
	for _, t := range s.Reading.Tables {
		for _, n := range t.Notes {
			for _, word := range strings.FieldsFunc(fold(n.Text), func(r rune) bool { return !strings.ContainsRune("0123456789.,", r) }) {
				if w := style.read(strings.Trim(word, ".,")); w.Value != nil && values[string(*w.Value)] {
					all = append(all, i18n.T("look: %s: %s", n.Ref, i18n.T("the text holds %s, which is withheld", word)))
				}
			}
		}
	}
	return all
}

// markName returns what stands beside the same mark elsewhere in the file.
func (s *Source) markName(mark, column, beside string) string {
	g := s.text.Grid
	var c, n int
	if _, err := fmt.Sscan(column, &c); err != nil {
		return ""
	}
	if _, err := fmt.Sscan(beside, &n); err != nil {
		return ""
	}
	for r := range g.Rows {
		if g.At(r, c-1).Text == mark && r > 0 {
			return g.At(r, n-1).Text
		}
	}
	if mark == "C" {
		return "confidential"
	}
	return ""
}

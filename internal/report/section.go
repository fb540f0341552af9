package report

import "slices"

// A section is a part of a page that the template "section" writes: each field in turn, if it is set.
type section struct {
	Heading string
	Text    []string // paragraphs
	Facts   []Fact   // names and values
	Figures []histogram
	Sheet   *sheet
	Notes   []string // paragraphs at the end
}

// warn adds a text to the section and to the warnings at the top of the page.
func (p *protectionPage) warn(s *section, key string, args ...any) {
	text := p.say(key, args...)
	s.Text, p.Warnings = append(s.Text, text), append(p.Warnings, text)
}

// A sheet is a table of texts; Numbers are its columns with numbers.
type sheet struct {
	Title   string
	Numbers []int
	Head    []string
	Rows    []sheetRow
}

// A sheetRow is a line of a sheet; Bad highlights its last text.
type sheetRow struct {
	Texts []string
	Bad   bool
}

// Class returns the CSS class of column k.
func (s *sheet) Class(k int) string {
	if slices.Contains(s.Numbers, k) {
		return "n"
	}
	return "t"
}

// ClassOf returns the CSS class of column k in a line.
func (s *sheet) ClassOf(r sheetRow, k int) string {
	if r.Bad && k == len(r.Texts)-1 {
		return s.Class(k) + " bad"
	}
	return s.Class(k)
}

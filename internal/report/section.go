package report

import "slices"

// A section is a part of a page that the template "section" writes, each field after
// the other as far as it is there.
type section struct {
	Heading string
	Text    []string // paragraphs
	Facts   []Fact   // names and values
	Figures []histogram
	Sheet   *sheet
	Notes   []string // paragraphs after the rest
}

// warn says something in the section that stands above the page, too.
func (p *protectionPage) warn(s *section, key string, args ...any) {
	text := p.say(key, args...)
	s.Text, p.Warnings = append(s.Text, text), append(p.Warnings, text)
}

// A sheet is a table of texts; Numbers are its columns of numbers.
type sheet struct {
	Title   string
	Numbers []int
	Head    []string
	Rows    []sheetRow
}

// A sheetRow is a line of a sheet; Bad draws attention to its last text.
type sheetRow struct {
	Texts []string
	Bad   bool
}

// Class is the class of column k.
func (s *sheet) Class(k int) string {
	if slices.Contains(s.Numbers, k) {
		return "n"
	}
	return "t"
}

// ClassOf is the class of column k of a line.
func (s *sheet) ClassOf(r sheetRow, k int) string {
	if r.Bad && k == len(r.Texts)-1 {
		return s.Class(k) + " bad"
	}
	return s.Class(k)
}

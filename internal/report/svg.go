package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// svgLetter and svgLine are the width of a letter and the height of a line in a drawn table, in pixels.
const (
	svgLetter = 6.6
	svgLine   = 20.0
	svgPad    = 8.0
)

// svgPage is the data of table.svg.
type svgPage struct {
	*protectionPage
	Width, Height float64
	Texts         []svgText
	Boxes         []svgBox
	Lines         []svgRule
}

type svgText struct {
	X, Y                float64
	Class, Text, Anchor string
}

// A svgBox is a withheld cell.
type svgBox struct {
	X, Y, W      float64
	Class, Hover string
}

// A svgRule is a line from X to X2.
type svgRule struct{ X, X2, Y float64 }

// Draw draws the table as a self-contained SVG: the grids of the page, with withheld cells coloured by reason
// and marked by letters, and the legend. Several responses, given as for Protect, are drawn below each other.
// The same r gives the same bytes.
func Draw(w io.Writer, r ...*Protection) error {
	s := &svgPage{Width: 320}
	y := 26.0
	for _, one := range r {
		p, err := newProtectionPage(one)
		if err != nil {
			return err
		}
		p.grids()
		if s.protectionPage == nil {
			s.protectionPage = p
			s.text(svgPad, y, "title", "start", s.Caption())
		}
		if p.Response != "" {
			y += 1.4 * svgLine
			s.text(svgPad, y, "head", "start", p.T("response")+p.T("colon")+p.Response)
		}
		if p.Secret {
			y += svgLine
			s.text(svgPad, y, "secret", "start", p.T("secret"))
		}
		for _, part := range p.Parts {
			y = s.part(part, y)
		}
		y = s.key(p.Legend, y+1.2*svgLine)
	}
	if s.protectionPage == nil {
		return errNothing
	}
	s.Height = y + svgPad
	return execute(w, "table.svg", s)
}

// part draws a table below y and returns where it ends.
func (s *svgPage) part(part protectionPart, y float64) float64 {
	if part.Title != "" {
		y += 1.4 * svgLine
		s.text(svgPad, y, "head", "start", part.Title)
	}
	for _, g := range part.Grids {
		y = s.grid(g, y+0.6*svgLine)
	}
	if part.Note != "" {
		y += svgLine
		s.text(svgPad, y, "fold", "start", part.Note)
	}
	return y
}

// Caption returns the given title, else the name of the table.
func (s *svgPage) Caption() string { return cmp.Or(s.About.Title, s.Table.Name) }

// text draws a text, and enlarges the picture if it needs more room.
func (s *svgPage) text(x, y float64, class, anchor, text string) {
	s.Texts = append(s.Texts, svgText{X: x, Y: y, Class: class, Anchor: anchor, Text: text})
	if anchor == "start" {
		room := letters(text) * svgLetter
		if class == "title" {
			room *= 1.35
		}
		s.Width = max(s.Width, x+room+svgPad)
	}
}

// grid draws one grid below y and returns where it ends.
func (s *svgPage) grid(g protectionGrid, y float64) float64 {
	if g.Title != "" {
		y += svgLine
		s.text(svgPad, y, "head", "start", g.Title)
	}
	first := letters(g.Corner)
	room := sets.Each(g.Head, letters)
	for _, r := range g.Rows {
		first = max(first, letters(strings.ReplaceAll(r.Name, "\u2003", "  ")))
		for c, x := range r.Cells {
			room[c] = max(room[c], letters(x.Text+x.Interval)+2)
		}
	}
	right := make([]float64, len(room)) // right end of each column
	x := svgPad + float64(first*svgLetter)
	for c := range room {
		x += float64(room[c]*svgLetter) + 2*svgPad
		right[c] = x
	}
	end := x + svgPad
	s.Width = max(s.Width, end)
	y += svgLine
	s.text(svgPad, y, "head", "start", g.Corner)
	for c, name := range g.Head {
		s.text(right[c]-svgPad, y, "head", "end", name)
	}
	s.Lines = append(s.Lines, svgRule{svgPad, end - svgPad, y + 6})
	y += 6
	for _, r := range g.Rows {
		y += svgLine
		class := ""
		if r.Total {
			class = "head"
		}
		if r.Fold != "" {
			s.text(svgPad, y, "fold", "start", r.Fold)
			continue
		}
		s.text(svgPad, y, class, "start", r.Name)
		for c, x := range r.Cells {
			if x.Mark != "" {
				left := right[c] - float64(room[c]*svgLetter) - svgPad
				s.Boxes = append(s.Boxes, svgBox{left, y - 14, right[c] - left + 2, x.Class, x.Hover})
				s.Texts = append(s.Texts, svgText{X: right[c], Y: y - 4, Class: "mark", Anchor: "end", Text: x.Mark})
			}
			text := x.Text
			if x.Interval != "" {
				text = x.Interval
			}
			s.text(right[c]-svgPad, y, class, "end", text)
		}
	}
	return y + 6
}

// key draws the legend of colours and letters, and returns where it ends.
func (s *svgPage) key(legend []protectionKey, y float64) float64 {
	for _, k := range legend {
		s.Boxes = append(s.Boxes, svgBox{svgPad, y - 14, 24, k.Class, ""})
		s.text(svgPad+6, y, "head", "start", k.Mark)
		s.text(svgPad+34, y, "", "start", k.Name)
		y += svgLine
	}
	return y
}

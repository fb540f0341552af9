package xlsx

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A HighlightedCell is a cell that a copy shows in a colour, with a comment.
type HighlightedCell struct {
	Place
	Text string // text of the comment; "" for none
	Fill string // RRGGBB; "" for the colour of sensitive cells
}

// Highlight writes a copy of the workbook or spreadsheet src in which the cells have a colour and a comment.
// All else is unchanged, and parts without such cells are so byte for byte. If a cell has a comment already,
// the text is added to that. The copy is for the office: nothing in it is withheld.
func Highlight(dst io.Writer, src []byte, cells []HighlightedCell) error {
	if ods.Is(src) {
		f, err := ods.Open(src)
		if err != nil {
			return err
		}
		var all []ods.Highlight
		for _, h := range cells {
			all = append(all, ods.Highlight{Sheet: h.Sheet, Ref: h.Ref, Text: h.Text, Fill: cmp.Or(h.Fill, primaryFill)})
		}
		return f.Highlight(dst, all)
	}
	c, err := newCopying(src, CopyOptions{})
	if err != nil {
		return err
	}
	styles, err := c.newStyles()
	if err != nil {
		return err
	}
	bySheet := map[*tab][]HighlightedCell{}
	var order []*tab
	seen := map[spotID]bool{}
	for _, h := range cells {
		id, s, err := c.find(h.Place)
		if err != nil {
			return err
		}
		if seen[id] {
			return i18n.Errorf("%s is highlighted twice", h.Place)
		}
		seen[id] = true
		t := c.tabs[id.tab]
		if s != nil {
			if style := styles.filled(s.style, h.Fill); style != s.style {
				c.edit(t.part, restyle(s, style))
			}
		}
		if h.Text == "" {
			continue
		}
		if bySheet[t] == nil {
			order = append(order, t)
		}
		bySheet[t] = append(bySheet[t], h)
	}
	if err := styles.write(); err != nil {
		return err
	}
	adds := map[string]string{} // content types of new parts
	vml := false
	for _, t := range order {
		if err := c.annotate(t, bySheet[t], adds); err != nil {
			return err
		}
		vml = true
	}
	if err := c.addTypes(adds, vml); err != nil {
		return err
	}
	if err := c.finish(); err != nil {
		return err
	}
	return c.p.Write(dst)
}

// restyle returns the edit that gives a cell another style.
func restyle(s *spot, style string) ooxml.Edit {
	if s.styleAt != nil {
		return s.styleAt.Set(style)
	}
	at := s.from + 1 + len(s.name)
	return ooxml.Edit{From: at, To: at, New: ` s="` + style + `"`}
}

// addTypes adds the content types of new parts.
func (c *copying) addTypes(adds map[string]string, vml bool) error {
	root, raw, err := c.source(ooxml.TypesPart)
	if err != nil {
		return err
	}
	p := prefix(root.Name)
	var xml strings.Builder
	for _, n := range root.Kids {
		if n.Local() == "Default" && strings.EqualFold(n.Get("Extension"), "vml") {
			vml = false
		}
	}
	if vml {
		fmt.Fprintf(&xml, `<%sDefault Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>`, p)
	}
	for _, part := range slices.Sorted(maps.Keys(adds)) {
		fmt.Fprintf(&xml, `<%sOverride PartName="%s" ContentType="%s"/>`, p, ooxml.Escape(part), adds[part])
	}
	if xml.Len() > 0 {
		c.edit(ooxml.TypesPart, root.Append(raw, xml.String()))
	}
	return nil
}

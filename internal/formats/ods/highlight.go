package ods

import (
	"bytes"
	"io"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A Highlight is a cell that a copy shows in a colour, with a comment.
type Highlight struct {
	Sheet, Ref string
	Text       string // text of the comment; "" for none
	Fill       string // RRGGBB
}

// Highlight writes a copy of the file in which some cells have a colour and a comment, which is added to any
// comment they have. All else is unchanged. The copy is for the office: nothing in it is withheld.
func (f *File) Highlight(w io.Writer, cells []Highlight) error {
	c := &copying{f: f, edits: map[string][]ooxml.Edit{}, nodes: f.nodes}
	bySheet := map[string]map[[2]int]change{}
	for _, s := range f.sheets {
		bySheet[s.name] = map[[2]int]change{}
	}
	for _, h := range cells {
		row, col, ok := ooxml.Cell(h.Ref)
		if changes := bySheet[h.Sheet]; changes != nil && ok {
			changes[[2]int{row, col}] = change{fill: h.Fill, note: h.Text}
		} else {
			return i18n.Errorf("%s!%s: no such cell", h.Sheet, h.Ref)
		}
	}
	for _, s := range f.sheets {
		if err := c.sheet(s, bySheet[s.name]); err != nil {
			return err
		}
	}
	if err := c.write(); err != nil {
		return err
	}
	return f.p.Write(w)
}

// annotate writes the comment of a cell: the one that it had, which may be nil, with a text added.
func annotate(b *bytes.Buffer, raw []byte, was *ooxml.Node, office, prefix, text string) {
	var added bytes.Buffer
	Paragraphs(&added, prefix, text)
	if was == nil {
		b.WriteString("<" + office + "annotation>" + added.String() + "</" + office + "annotation>")
		return
	}
	e := was.Append(raw, added.String())
	b.Write(raw[was.From:e.From])
	b.WriteString(e.New)
	b.Write(raw[e.To:was.To])
}

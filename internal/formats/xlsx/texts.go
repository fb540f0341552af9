package xlsx

import (
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// A TextKind says what a text outside the cells of a workbook is.
type TextKind byte

// The kinds of texts.
const (
	Running     TextKind = iota // text of headers, footers, text boxes and properties
	commentText                 // comment on a cell
	Constant                    // defined name whose value is a constant
	Charted                     // point that a chart remembers
)

// A Text is a text of a workbook outside its cells.
type Text struct {
	Kind  TextKind
	Where string // the name, or the part and the cell
	On    string // the cell that a comment is on
	Text  string
}

// Texts returns the texts of the workbook src outside its cells, in the order of its parts: comments, names of
// constants, headers and footers, text boxes, points of charts, and the properties that people write.
func Texts(src []byte) ([]Text, error) {
	book, _, err := bookOf(src)
	if err != nil {
		return nil, err
	}
	p, err := ooxml.Open(book)
	if err != nil {
		return nil, err
	}
	var all []Text
	for _, part := range p.Names() {
		kind, err := p.Type(part)
		if err != nil {
			return nil, err
		}
		kind = strings.ToLower(kind)
		is := func(piece string) bool { return strings.Contains(kind, piece) }
		switch {
		case is("worksheet+xml"), is("sheet.main+xml"), is("macroenabled.main+xml"), is("comments+xml"), is("drawing+xml"), is("chart+xml"), is("chartex+xml"), is("core-properties+xml"), is("custom-properties+xml"):
		default:
			continue
		}
		root, err := p.ParseWith(part, map[string]func(*ooxml.Lexer, ooxml.Token) error{"sheetData": ooxml.Over})
		if err != nil {
			return nil, err
		}
		add := func(k TextKind, where, text string) {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, Text{Kind: k, Where: where, Text: text})
			}
		}
		switch {
		case is("worksheet+xml"):
			for _, n := range root.Find("headerFooter") {
				for _, line := range n.Kids {
					add(Running, part+": "+line.Local(), plainHeader(line.String()))
				}
			}
		case is("comments+xml"):
			for _, n := range append(root.Find("comment"), root.Find("threadedComment")...) {
				add(commentText, "the comment on "+n.Get("ref"), joined(n))
				if k := len(all) - 1; k >= 0 && all[k].Kind == commentText {
					all[k].On = n.Get("ref")
				}
			}
		case is("chart+xml"), is("chartex+xml"):
			for _, n := range root.Find("pt") {
				if _, ok := ooxml.Canon(shownBy(n)); ok && !named(n) {
					add(Charted, part, shownBy(n))
				}
			}
		case is("drawing+xml"):
			for _, n := range root.Find("p") {
				add(Running, part, joined(n))
			}
		case is("properties+xml"):
			for _, n := range root.Kids {
				switch n.Local() {
				case "created", "modified", "lastPrinted", "revision", "version", "identifier":
				default:
					add(Running, part+": "+n.Local()+n.Get("name"), n.Get("name")+" "+joined(n))
				}
			}
		default:
			for _, n := range root.Find("definedName") {
				text := n.String()
				if f := ooxml.ParseFormula(text); len(f.Refs) == 0 && len(f.Tables) == 0 && len(f.Names) == 0 {
					add(Constant, "the name "+n.Get("name"), text)
				}
			}
		}
	}
	return all, nil
}

// named reports whether a point of a chart belongs to the names of others, such as categories.
func named(n *ooxml.Node) bool {
	for k := n; k != nil; k = k.Parent {
		if l := k.Local(); l == "cat" || l == "tx" || strings.HasPrefix(l, "str") {
			return true
		}
	}
	return false
}

// joined returns all texts below a node, joined.
func joined(n *ooxml.Node) string {
	var s strings.Builder
	for _, t := range n.AllTexts() {
		s.WriteString(t.S)
	}
	return s.String()
}

// plainHeader returns a header or footer without the codes of fonts, sizes, colours and fields.
func plainHeader(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '&' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == '"':
			if k := strings.IndexByte(s[i+1:], '"'); k >= 0 {
				i += k + 1
			}
		case c == 'K':
			i = min(i+6, len(s)-1)
		case c >= '0' && c <= '9':
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
		case c == '&':
			b.WriteByte('&')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

package ooxml

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// An XMLError is a text that is no XML, or that uses an encoding or a feature that no workbook needs.
type XMLError struct {
	Offset int
	What   i18n.Text
}

func (e *XMLError) Error() string { return e.Message().String() }

func (e *XMLError) Message() i18n.Text {
	return i18n.T("damaged XML at byte %d: %s", e.Offset, e.What)
}

// ErrNodes says that XML has more elements than a file of its size may have.
var ErrNodes = i18n.New("more elements than a file of this size may have")

// A Kind is a kind of token.
type Kind byte

// The kinds of tokens. An element without content is a Start with Token.Empty set.
const (
	EOF Kind = iota
	Start
	End
	Chars
	Comment
	Other // declarations
)

// A Token is a piece of an XML text, [From, To) of it.
type Token struct {
	Kind     Kind
	From, To int
	Name     string // as written, with its prefix
	Empty    bool
	Attrs    []Attr // valid until the next token
	Text     string // of Chars and Comment, decoded
}

// An Attr is an attribute. [From, To) is its value as written, without quotes, and [Start, To+1) the whole
// attribute with the blanks before it.
type Attr struct {
	Name            string
	Value           string
	Start, From, To int
}

// A Lexer splits XML into tokens.
type Lexer struct {
	b     []byte
	i     int
	attrs []Attr
	open  []string
	names map[string]string // those met so far, as a text has few
}

// name returns a name as a string.
func (l *Lexer) name(b []byte) string {
	s, ok := l.names[string(b)]
	if !ok {
		if l.names == nil {
			l.names = map[string]string{}
		}
		s = string(b)
		l.names[s] = s
	}
	return s
}

// NewLexer returns a Lexer at the start of b.
func NewLexer(b []byte) (*Lexer, error) {
	l := &Lexer{b: b}
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		l.i = 3
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte{0, '<'}) || bytes.HasPrefix(b, []byte{'<', 0}) {
		return nil, &XMLError{0, i18n.T("in UTF-16; want UTF-8")}
	}
	return l, nil
}

// fromUTF16 returns XML in UTF-16 as UTF-8; ok is false for any other text.
func fromUTF16(b []byte) (plain []byte, ok bool) {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		b = b[2:]
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		b, order = b[2:], binary.BigEndian
	case bytes.HasPrefix(b, []byte{'<', 0}):
	case bytes.HasPrefix(b, []byte{0, '<'}):
		order = binary.BigEndian
	default:
		return nil, false
	}
	units := sets.List(len(b)/2, func(k int) uint16 { return order.Uint16(b[2*k:]) })
	plain = []byte(string(utf16.Decode(units)))
	if end := bytes.Index(plain, []byte("?>")); end > 0 && bytes.HasPrefix(plain, []byte("<?xml")) {
		plain = append([]byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"`), plain[end:]...)
	}
	return plain, true
}

func (l *Lexer) fail(what i18n.Text) (Token, error) { return Token{}, &XMLError{l.i, what} }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// Next returns the next token; at the end, one of kind EOF.
func (l *Lexer) Next() (Token, error) {
	b, from := l.b, l.i
	if l.i >= len(b) {
		if len(l.open) > 0 {
			return l.fail(i18n.T("it ends within %s", l.open[len(l.open)-1]))
		}
		return Token{Kind: EOF, From: from, To: from}, nil
	}
	if b[l.i] != '<' {
		k := bytes.IndexByte(b[l.i:], '<')
		if k < 0 {
			k = len(b) - l.i
		}
		text, ok := decode(b[l.i : l.i+k])
		if !ok {
			return l.fail(i18n.T("an entity that is not one of XML"))
		}
		l.i += k
		return Token{Kind: Chars, From: from, To: l.i, Text: text}, nil
	}
	until := func(kind Kind, skip int, end string) (Token, error) {
		k := bytes.Index(b[l.i+skip:], []byte(end))
		if k < 0 {
			return l.fail(i18n.T("a piece that does not end"))
		}
		t := Token{Kind: kind, From: from, Text: string(b[l.i+skip : l.i+skip+k])}
		l.i += skip + k + len(end)
		t.To = l.i
		return t, nil
	}
	rest := b[l.i:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return until(Comment, 4, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return until(Chars, 9, "]]>")
	case bytes.HasPrefix(rest, []byte("<!")):
		return l.fail(i18n.T("a declaration of a document type"))
	case bytes.HasPrefix(rest, []byte("<?")):
		t, err := until(Other, 2, "?>")
		if k := strings.Index(t.Text, "encoding"); err == nil && strings.HasPrefix(t.Text, "xml ") && k >= 0 {
			enc := strings.ToLower(t.Text[k:])
			if !strings.Contains(enc, "utf-8") && !strings.Contains(enc, "ascii") {
				return l.fail(i18n.T("not in UTF-8"))
			}
		}
		return t, err
	case bytes.HasPrefix(rest, []byte("</")):
		k := bytes.IndexByte(rest, '>')
		if k < 0 {
			return l.fail(i18n.T("a piece that does not end"))
		}
		l.i += k + 1
		t := Token{Kind: End, From: from, To: l.i, Name: l.name(bytes.TrimRight(rest[2:k], " \t\r\n"))}
		if t.Name == "br" {
			return Token{Kind: Other, From: t.From, To: t.To}, nil
		}
		if len(l.open) == 0 || l.open[len(l.open)-1] != t.Name {
			return l.fail(i18n.T("the end of an element that is not open"))
		}
		l.open = l.open[:len(l.open)-1]
		return t, nil
	}
	return l.start()
}

// Skip reads past the element that begins with start, and returns where it ends.
func (l *Lexer) Skip(start Token) (end int, err error) {
	for depth := 1; !start.Empty; {
		t, err := l.Next()
		switch {
		case err != nil:
			return 0, err
		case t.Kind == Start && !t.Empty:
			depth++
		case t.Kind == End:
			if depth--; depth == 0 {
				return t.To, nil
			}
		}
	}
	return start.To, nil
}

// Over skips an element; it is a function for ParseWith.
func Over(l *Lexer, start Token) error {
	_, err := l.Skip(start)
	return err
}

func (l *Lexer) start() (Token, error) {
	b := l.b
	t := Token{Kind: Start, From: l.i}
	i := l.i + 1
	name := func() string {
		at := i
		for i < len(b) && !isBlank(b[i]) && b[i] != '=' && b[i] != '>' && b[i] != '/' && b[i] != '<' && b[i] != '"' && b[i] != '\'' {
			i++
		}
		return l.name(b[at:i])
	}
	if t.Name = name(); t.Name == "" {
		return l.fail(i18n.T("an element without a name"))
	}
	l.attrs = l.attrs[:0]
	for {
		at := i
		for i < len(b) && isBlank(b[i]) {
			i++
		}
		switch {
		case i >= len(b):
			return l.fail(i18n.T("a tag that does not end"))
		case budget.Line.Passed(i - t.From):
			return l.fail(i18n.T("a tag of more than %d bytes%s", budget.Line.Max(), budget.Remedy()))
		case b[i] == '>' && t.Name == "br": // Excel leaves <br> open in the texts of old drawings
			t.To, t.Attrs, t.Empty, l.i = i+1, l.attrs, true, i+1
			return t, nil
		case b[i] == '>':
			i++
			if budget.Levels.Passed(len(l.open) + 1) {
				return l.fail(i18n.T("more than %d elements within each other%s", budget.Levels.Max(), budget.Remedy()))
			}
			l.open = append(l.open, t.Name)
			t.To, t.Attrs, l.i = i, l.attrs, i
			return t, nil
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '>':
			i += 2
			t.To, t.Attrs, t.Empty, l.i = i, l.attrs, true, i
			return t, nil
		case i == at:
			return l.fail(i18n.T("a tag with a stray character"))
		}
		a := Attr{Start: at}
		a.Name = name()
		for i < len(b) && isBlank(b[i]) {
			i++
		}
		if a.Name == "" || i >= len(b) || b[i] != '=' {
			return l.fail(i18n.T("an attribute without a value"))
		}
		i++
		for i < len(b) && isBlank(b[i]) {
			i++
		}
		if i >= len(b) || b[i] != '"' && b[i] != '\'' {
			return l.fail(i18n.T("an attribute without quotes"))
		}
		q := b[i]
		i++
		k := bytes.IndexByte(b[i:], q)
		if k < 0 {
			return l.fail(i18n.T("an attribute that does not end"))
		}
		a.From, a.To = i, i+k
		var ok bool
		if a.Value, ok = decode(b[i : i+k]); !ok || strings.Contains(a.Value, "<") && bytes.IndexByte(b[i:i+k], '<') >= 0 {
			return l.fail(i18n.T("an attribute that is not one of XML"))
		}
		i += k + 1
		l.attrs = append(l.attrs, a)
	}
}

// decode replaces entities, and the ends of lines by \n; it reports false if an entity is not valid.
func decode(b []byte) (string, bool) {
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	if bytes.IndexByte(b, '&') < 0 {
		return string(b), true
	}
	var out strings.Builder
	for {
		k := bytes.IndexByte(b, '&')
		if k < 0 {
			out.Write(b)
			return out.String(), true
		}
		out.Write(b[:k])
		b = b[k+1:]
		e := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if e < 0 {
			return "", false
		}
		switch name := string(b[:e]); name {
		case "amp":
			out.WriteByte('&')
		case "lt":
			out.WriteByte('<')
		case "gt":
			out.WriteByte('>')
		case "quot":
			out.WriteByte('"')
		case "apos":
			out.WriteByte('\'')
		default:
			digits, base := strings.TrimPrefix(name, "#"), 10
			if len(digits) == len(name) {
				return "", false
			}
			if strings.HasPrefix(digits, "x") {
				digits, base = digits[1:], 16
			}
			v, err := strconv.ParseUint(digits, base, 32)
			if err != nil || v > utf8.MaxRune {
				return "", false
			}
			out.WriteRune(rune(v))
		}
		b = b[e+1:]
	}
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;")

// Escape escapes s for use as text or as an attribute value.
func Escape(s string) string { return escaper.Replace(s) }

// A Text is text within an element, written in [From, To).
type Text struct {
	From, To int
	S        string
	Plain    string // S with all but running text overwritten by as many other bytes; "" stands for S
}

// A Node is an element. [From, To) is all of it, [Body, Tail) what stands between its tags.
type Node struct {
	Name                 string
	Attrs                []Attr
	Parent               *Node
	Kids                 []*Node
	Texts                []Text
	Remarks              []Text // comments within it; those outside the root are the root's
	From, Body, Tail, To int
}

// Local returns the name without its prefix.
func (n *Node) Local() string { return Local(n.Name) }

// Local returns a name without its prefix.
func Local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// Attr returns the attribute of this name, or nil. If name has no prefix, the attribute may have one.
func (n *Node) Attr(name string) *Attr {
	for k := range n.Attrs {
		if n.Attrs[k].Name == name {
			return &n.Attrs[k]
		}
	}
	if !strings.Contains(name, ":") {
		for k := range n.Attrs {
			if Local(n.Attrs[k].Name) == name && !strings.HasPrefix(n.Attrs[k].Name, "xmlns:") {
				return &n.Attrs[k]
			}
		}
	}
	return nil
}

// Get returns the value of an attribute, "" if there is none.
func (n *Node) Get(name string) string {
	if a := n.Attr(name); a != nil {
		return a.Value
	}
	return ""
}

// Kid returns the first child of this local name, nil if there is none.
func (n *Node) Kid(local string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Local() == local {
			return k
		}
	}
	return nil
}

// All calls do for n and all elements below it, in order; where do returns false, it leaves out those below.
func (n *Node) All(do func(*Node) bool) {
	if n == nil || !do(n) {
		return
	}
	for _, k := range n.Kids {
		k.All(do)
	}
}

// Find returns all elements of this local name, including n.
func (n *Node) Find(local string) []*Node {
	var all []*Node
	n.All(func(k *Node) bool {
		if k.Local() == local {
			all = append(all, k)
		}
		return true
	})
	return all
}

// String returns the text of n and of everything below it.
func (n *Node) String() string {
	var b strings.Builder
	for _, t := range n.AllTexts() {
		b.WriteString(t.S)
	}
	return b.String()
}

// AllTexts returns the texts of n and of everything below it, in order; none if n is nil.
func (n *Node) AllTexts() []Text {
	var all []Text
	n.All(func(k *Node) bool { all = append(all, k.Texts...); return true })
	slices.SortFunc(all, func(a, b Text) int { return a.From - b.From })
	return all
}

// An Edit replaces [From, To) of a text by New.
type Edit struct {
	From, To int
	New      string
}

// Delete returns the edit that removes the element.
func (n *Node) Delete() Edit { return Edit{n.From, n.To, ""} }

// Delete returns the edit that removes the attribute.
func (a *Attr) Delete() Edit { return Edit{a.Start, a.To + 1, ""} }

// Set returns the edit that gives the attribute another value.
func (a *Attr) Set(value string) Edit { return Edit{a.From, a.To, Escape(value)} }

// Set returns the edit that gives the text another content.
func (t Text) Set(s string) Edit { return Edit{t.From, t.To, Escape(s)} }

// Append returns the edit that adds elements, written as xml, at the end of the content of n. b is the text that
// n was parsed from.
func (n *Node) Append(b []byte, xml string) Edit {
	if n.Body == n.To { // an element without content, <a/>
		at := bytes.LastIndexByte(b[n.From:n.To], '/') + n.From
		return Edit{at, n.To, ">" + xml + "</" + n.Name + ">"}
	}
	return Edit{n.Tail, n.Tail, xml}
}

// Apply makes the edits. If edits are nested the outer one wins, if they are equal the first.
func Apply(b []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	var out []byte
	at := 0
	last := Edit{From: -1}
	for _, e := range edits {
		if e.From < at || e.From == last.From && e.To == last.To && e.From < e.To {
			continue
		}
		out = append(out, b[at:e.From]...)
		out = append(out, e.New...)
		at, last = e.To, e
	}
	return append(out, b[at:]...)
}

// LexerAt returns a Lexer that reads b from offset from, where an element begins.
func LexerAt(b []byte, from int) *Lexer { return &Lexer{b: b, i: from} }

// ParseIn parses the element that is [from, to) of b; its offsets are those in b. It may have at most *nodes
// elements, which are subtracted from *nodes.
func ParseIn(b []byte, from, to int, nodes *int) (*Node, error) {
	return LexerAt(b[:to], from).parse(nodes, nil)
}

// parse parses b, which may have at most *nodes elements; these are subtracted from *nodes. into has functions
// for elements of certain local names: they are called with the start of the element and take all tokens up to
// its end.
func parse(b []byte, nodes *int, into map[string]func(*Lexer, Token) error) (*Node, error) {
	l, err := NewLexer(b)
	if err != nil {
		return nil, err
	}
	return l.parse(nodes, into)
}

func (l *Lexer) parse(nodes *int, into map[string]func(*Lexer, Token) error) (*Node, error) {
	b := l.b
	var root, now *Node
	var outside []Text
	for {
		t, err := l.Next()
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case EOF:
			if root == nil {
				_, err := l.fail(i18n.T("no element"))
				return nil, err
			}
			root.Remarks = append(root.Remarks, outside...)
			return root, nil
		case Start:
			if now == nil && root != nil {
				_, err := l.fail(i18n.T("more than one element"))
				return nil, err
			}
			if *nodes--; *nodes < 0 {
				return nil, ErrNodes
			}
			n := &Node{Name: t.Name, Attrs: slices.Clone(t.Attrs), Parent: now, From: t.From, Body: t.To, Tail: t.To, To: t.To}
			if now == nil {
				root = n
			} else {
				now.Kids = append(now.Kids, n)
			}
			if t.Empty {
				continue
			}
			if do := into[n.Local()]; do != nil {
				if err := do(l, t); err != nil {
					return nil, err
				}
				n.To = l.i
				n.Tail = bytes.LastIndexByte(b[:l.i], '<')
				continue
			}
			now = n
		case End:
			now.Tail, now.To = t.From, t.To
			now = now.Parent
		case Chars:
			if now != nil {
				now.Texts = append(now.Texts, Text{From: t.From, To: t.To, S: t.Text})
			} else if strings.Trim(t.Text, " \t\r\n") != "" {
				_, err := l.fail(i18n.T("text outside of elements"))
				return nil, err
			}
		case Comment:
			if now != nil {
				now.Remarks = append(now.Remarks, Text{From: t.From, To: t.To, S: t.Text})
			} else {
				outside = append(outside, Text{From: t.From, To: t.To, S: t.Text})
			}
		}
	}
}

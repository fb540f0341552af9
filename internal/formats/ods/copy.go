package ods

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A said is a cell of the book.
type said struct {
	row, col int
	text     string
	number   bool
	formula  bool
	style    string
	raw      []byte
}

// A reader reads the cells of a sheet of the book or of its copy.
type reader struct {
	l   *ooxml.Lexer
	raw []byte
}

func cellsOf(p *ooxml.Package, sheet int) (*reader, error) {
	b, err := p.Read("xl/worksheets/sheet" + itoa(sheet+1) + ".xml")
	return &reader{ooxml.LexerAt(b, 0), b}, err
}

// next returns the next cell, nil at the end.
func (r *reader) next() (*said, error) {
	var s *said
	var text strings.Builder
	from, inText := 0, false
	for {
		t, err := r.l.Next()
		if err != nil {
			return nil, err
		}
		switch local := ooxml.Local(t.Name); t.Kind {
		case ooxml.EOF:
			return nil, nil
		case ooxml.Chars:
			if inText {
				text.WriteString(t.Text)
			}
		case ooxml.Start:
			switch {
			case local == "c":
				s, from = &said{style: get(t, "s")}, t.From
				s.row, s.col, _ = ooxml.Cell(get(t, "r"))
				s.number = get(t, "t") == "" || get(t, "t") == "n"
				if t.Empty {
					s.raw = r.raw[t.From:t.To]
					return s, nil
				}
			case s == nil:
			case local == "f":
				s.formula = true
			case local == "v" || local == "t":
				inText = !t.Empty
			}
		case ooxml.End:
			switch {
			case local == "c":
				s.text, s.raw = unescape(text.String()), r.raw[from:t.To]
				return s, nil
			case local == "v" || local == "t":
				inText = false
			}
		}
	}
}

// A change says how a cell is changed.
type change struct {
	text  string
	value bool   // only the text is kept; otherwise the formula is replaced by its value
	right bool   // align to the right
	fill  string // RRGGBB, for a cell whose content is unchanged
	note  string // text to add to its comment
}

// Copy writes a copy of the file from which everything is removed that book, a copy of f.Book, no longer
// contains. Parts and elements with nothing to hide are unchanged. The result is read again; it is an error if
// that does not have the same cells as book.
func (f *File) Copy(w io.Writer, book []byte) error {
	after, err := ooxml.Open(book)
	if err != nil {
		return err
	}
	before, err := ooxml.Open(f.Book)
	if err != nil {
		return err
	}
	c := &copying{f: f, edits: map[string][]ooxml.Edit{}, nodes: f.nodes}
	if err := c.entries(after); err != nil {
		return err
	}
	for _, l := range f.leaving {
		if !after.Has(l.name) {
			c.cut(l.place, "")
		}
	}
	for _, r := range f.remarks {
		c.cut(r, "")
	}
	c.parts(before, after)
	for _, s := range f.sheets {
		changes, err := compare(before, after, s.number)
		if err != nil {
			return err
		}
		if err := c.sheet(s, changes); err != nil {
			return err
		}
	}
	if err := c.write(); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := f.p.Write(&out); err != nil {
		return err
	}
	if err := verify(out.Bytes(), after, len(f.sheets)); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// A copying is the copy of a file that is being made.
type copying struct {
	f     *File
	edits map[string][]ooxml.Edit // by name of the part
	nodes int
	made  []string // new styles
	named map[string]string
}

// write applies the edits to the file.
func (c *copying) write() error {
	c.styles()
	for part, edits := range c.edits {
		if err := c.f.p.Edit(part, edits); err != nil {
			return err
		}
	}
	return nil
}

// cut replaces a place by a text, which may be empty.
func (c *copying) cut(p place, instead string) {
	c.edits[p.part] = append(c.edits[p.part], ooxml.Edit{From: p.from, To: p.to, New: instead})
}

// entries removes the texts that are gone from the book, and replaces those that have changed.
func (c *copying) entries(after *ooxml.Package) error {
	have := map[string]*ooxml.Node{}
	skip := map[string]func(*ooxml.Lexer, ooxml.Token) error{"sheetData": ooxml.Over}
	for _, name := range after.Names() {
		kind, err := after.Type(name)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(kind, office) && kind != properties {
			continue
		}
		root, err := after.ParseWith(name, skip)
		if err != nil {
			return err
		}
		root.All(func(n *ooxml.Node) bool {
			if id := n.Attr("id"); id != nil && id.Name == "id" {
				have[id.Value] = n
			}
			return true
		})
	}
	for k, e := range c.f.entries {
		n := have[itoa(k)]
		if n == nil {
			switch {
			case e.cut.part != "":
				c.cut(e.cut, e.instead)
			// Where an element around the text is cut, the text goes with it.
			case !slices.ContainsFunc(c.edits[e.part], func(o ooxml.Edit) bool { return o.From <= e.from && e.to <= o.To }):
				c.cut(e.place, "")
			}
			continue
		}
		if e.text == "" {
			continue
		}
		text := n.String()
		for _, name := range []string{"descr", "name"} {
			if a := n.Attr(name); a != nil && n.Local() == "x" {
				text = a.Value
			}
		}
		switch {
		case text == e.text:
		case e.shown != nil:
			e.shown.bare = true
		case e.from == e.to:
			c.cut(e.cut, e.instead)
		default:
			c.cut(e.place, ooxml.Escape(text))
		}
	}
	return nil
}

// parts removes the parts that the copy of the book no longer has, with the elements that link to them, and
// rewrites those that have changed.
func (c *copying) parts(before, after *ooxml.Package) {
	f := c.f
	gone := map[string]bool{}
	for _, name := range before.Names() {
		if after.Has(name) {
			if !f.p.Has(name) || strings.HasPrefix(name, "xl/") {
				continue
			}
			if kind, _ := before.Type(name); kind == "application/xml" {
				was, _ := before.Read(name)
				if now, err := after.Read(name); err == nil && !bytes.Equal(was, now) {
					f.p.Set(name, now)
				}
			}
			continue
		}
		gone[name] = true
		for _, part := range f.p.Names() {
			if part == name || strings.HasPrefix(part, name+"/") || part == "ObjectReplacements/"+name {
				gone[part] = true
				f.p.Drop(part)
			}
		}
	}
	for _, l := range f.links {
		switch {
		case !gone[l.to]:
		case l.frame.to > 0 && !slices.ContainsFunc(f.links, func(o link) bool { return o.frame == l.frame && !gone[o.to] }):
			c.cut(l.frame, "")
		default:
			c.cut(l.place, "")
		}
	}
	if list, err := f.p.Parse(manifest); err == nil {
		for _, n := range list.Find("file-entry") {
			if path := n.Get("full-path"); gone[path] || gone[strings.TrimSuffix(path, "/")] {
				c.cut(place{manifest, n.From, n.To}, "")
			}
		}
	}
}

// compare returns the changes of cells between the book and its copy, in order.
func compare(before, after *ooxml.Package, sheet int) (map[[2]int]change, error) {
	was, err := cellsOf(before, sheet)
	if err != nil {
		return nil, err
	}
	now, err := cellsOf(after, sheet)
	if err != nil {
		return nil, err
	}
	changes := map[[2]int]change{}
	for {
		a, err := was.next()
		if err != nil {
			return nil, err
		}
		b, err := now.next()
		switch {
		case err != nil:
			return nil, err
		case a == nil && b == nil:
			return changes, nil
		case a == nil || b == nil || a.row != b.row || a.col != b.col:
			return nil, errCopy
		case !bytes.Equal(a.raw, b.raw):
			changes[[2]int{a.row, a.col}] = change{text: b.text, value: a.text != b.text || a.number != b.number, right: a.style != b.style}
		}
	}
}

var errCopy = i18n.New("the copy does not say what it should; nothing is written")

// verify reads the copy again, and checks that its cells are those of the copy of the book.
func verify(raw []byte, after *ooxml.Package, sheets int) error {
	f, err := Open(raw)
	if err != nil {
		return err
	}
	if len(f.sheets) != sheets {
		return errCopy
	}
	p, err := ooxml.Open(f.Book)
	if err != nil {
		return err
	}
	for k := range sheets {
		is, err := cellsOf(p, k)
		if err != nil {
			return err
		}
		want, err := cellsOf(after, k)
		if err != nil {
			return err
		}
		for {
			a, err := is.filled()
			if err != nil {
				return err
			}
			b, err := want.filled()
			if err != nil {
				return err
			}
			if a == nil && b == nil {
				break
			}
			if a == nil || b == nil || a.row != b.row || a.col != b.col || a.text != b.text || a.number != b.number || a.formula != b.formula {
				return errCopy
			}
		}
	}
	return nil
}

// filled returns the next cell that is not empty.
func (r *reader) filled() (*said, error) {
	for {
		s, err := r.next()
		if err != nil || s == nil || s.text != "" || s.formula {
			return s, err
		}
	}
}

// sheet rewrites the rows in which cells change.
func (c *copying) sheet(s *sheet, changes map[[2]int]change) error {
	for k := range s.rows {
		r := &s.rows[k]
		if !slices.ContainsFunc(r.cells, func(x field) bool {
			if x.bare {
				return true
			}
			for i := range r.times {
				for j := range x.times {
					if _, ok := changes[[2]int{r.first + i, x.first + j}]; ok {
						return true
					}
				}
			}
			return false
		}) {
			continue
		}
		var out bytes.Buffer
		for i := range r.times {
			line, err := c.row(s, r, r.first+i, changes)
			if err != nil {
				return err
			}
			out.Write(line)
		}
		c.cut(place{content, r.from, r.to}, out.String())
	}
	return nil
}

// piece returns a piece of content.xml after applying those of the edits that are within it.
func (c *copying) piece(from, to int, edits []ooxml.Edit) []byte {
	var within []ooxml.Edit
	for _, e := range edits {
		if e.From >= from && e.To <= to {
			within = append(within, ooxml.Edit{From: e.From - from, To: e.To - from, New: e.New})
		}
	}
	return ooxml.Apply(c.f.raw[from:to], within)
}

// row writes a single one of the rows for which the element stands.
func (c *copying) row(s *sheet, r *row, at int, changes map[[2]int]change) ([]byte, error) {
	var edits []ooxml.Edit
	for k := range r.cells {
		x := &r.cells[k]
		var out bytes.Buffer
		some := x.bare
		for j := 0; j < x.times; {
			now, changed := changes[[2]int{at, x.first + j}]
			n := j + 1
			for ; n < x.times; n++ {
				if next, ok := changes[[2]int{at, x.first + n}]; ok != changed || next != now {
					break
				}
			}
			some = some || changed
			text, err := c.cell(s, r, x, n-j, now, changed)
			if err != nil {
				return nil, err
			}
			out.Write(text)
			j = n
		}
		if some {
			edits = append(edits, ooxml.Edit{From: x.from, To: x.to, New: out.String()})
		}
	}
	raw := c.piece(r.from, r.to, slices.Concat(edits, c.edits[content]))
	if r.times == 1 {
		return raw, nil
	}
	n, err := ooxml.ParseIn(raw, 0, len(raw), &c.nodes)
	if err != nil {
		return nil, err
	}
	return ooxml.Apply(raw, []ooxml.Edit{n.Attr("number-rows-repeated").Delete()}), nil
}

// values are the attributes that are removed with the value of a cell.
var values = []string{"value-type", "value", "date-value", "time-value", "boolean-value", "string-value", "currency"}

// computed are the attributes that are removed with the formula of a cell.
var computed = []string{"formula", "number-matrix-rows-spanned", "number-matrix-columns-spanned"}

// cell writes count cells of a field.
func (c *copying) cell(s *sheet, r *row, x *field, count int, now change, changed bool) ([]byte, error) {
	raw := c.piece(x.from, x.to, c.edits[content])
	n, err := ooxml.ParseIn(raw, 0, len(raw), &c.nodes)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("<" + n.Name)
	style := x.style
	was := cmp.Or(s.styleOf(r, x, x.first), "Default")
	switch {
	case changed && now.right:
		style = c.like(was, "withheld", ` style:text-align-source="fix"`, ` fo:text-align="end"`)
	case changed && now.fill != "":
		style = c.like(was, "marked", ` fo:background-color="#`+now.fill+`"`, "")
	}
	styled, text, of := false, "text:", "office:"
	p := n.Name[:len(n.Name)-len(n.Local())]
	for k := range n.Attrs {
		a := &n.Attrs[k]
		local := ooxml.Local(a.Name)
		if local == "value-type" && !strings.HasPrefix(a.Name, "calcext:") {
			of = strings.TrimSuffix(a.Name, local)
		}
		switch {
		case local == "number-columns-repeated", changed && now.fill == "" && slices.Contains(computed, local), changed && now.value && slices.Contains(values, local):
			continue
		case local == "style-name":
			styled = true
			a.Value = style
		}
		b.WriteString(" " + a.Name + `="` + ooxml.Escape(a.Value) + `"`)
	}
	if !styled && style != "" && style != x.style {
		b.WriteString(" " + p + `style-name="` + ooxml.Escape(style) + `"`)
	}
	if count > 1 {
		b.WriteString(" " + p + `number-columns-repeated="` + itoa(count) + `"`)
	}
	var kids []*ooxml.Node
	for _, k := range n.Kids {
		if k.Local() == "p" {
			text = k.Name[:len(k.Name)-1]
			if changed && now.value || x.bare {
				continue
			}
		}
		kids = append(kids, k)
	}
	if changed && now.value && now.text != "" {
		b.WriteString(" " + of + `value-type="string"`)
	}
	b.WriteString(">")
	if changed && now.value && now.text != "" {
		Paragraphs(&b, text, now.text)
	}
	if now.note != "" {
		k := slices.IndexFunc(kids, func(k *ooxml.Node) bool { return k.Local() == "annotation" })
		if k < 0 {
			annotate(&b, raw, nil, of, text, now.note)
		} else {
			annotate(&b, raw, kids[k], of, text, now.note)
			kids = slices.Delete(kids, k, k+1)
		}
	}
	for _, k := range kids {
		b.Write(raw[k.From:k.To])
	}
	b.WriteString("</" + n.Name + ">")
	return b.Bytes(), nil
}

// Paragraphs writes a text, one paragraph for each line.
func Paragraphs(b *bytes.Buffer, prefix, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString("<" + prefix + "p>")
		was := ' '
		for _, r := range line {
			switch {
			case r == '\t':
				b.WriteString("<" + prefix + "tab/>")
			case r == ' ' && was == ' ':
				b.WriteString("<" + prefix + "s/>")
				continue
			default:
				b.WriteString(ooxml.Escape(fit(r)))
			}
			was = r
		}
		b.WriteString("</" + prefix + "p>")
	}
}

// fit returns a character, or what replaces it if XML 1.0 does not allow it (production 2, Char).
func fit(r rune) string {
	if r < ' ' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return "\uFFFD"
	}
	return string(r)
}

// like returns the name of a style that equals another except for an attribute of its cells and perhaps one of
// its paragraphs, both given as written. It makes the style, named called and a number, unless it has been made
// already.
func (c *copying) like(style, called, cell, paragraph string) string {
	if name, ok := c.named[style+cell]; ok {
		return name
	}
	name := called + itoa(len(c.made)+1)
	for c.f.styles.cells[name] != nil {
		name += "x"
	}
	if c.named == nil {
		c.named = map[string]string{}
	}
	c.named[style+cell] = name
	n := c.f.styles.cells[style]
	head, kids := ` style:parent-style-name="`+ooxml.Escape(style)+`"`, ""
	if n != nil && n.Parent == c.f.automatic {
		head = others(n, "name", "family")
		for _, k := range n.Kids {
			switch k.Local() {
			case "table-cell-properties":
				cell += others(k, written(cell))
			case "paragraph-properties":
				paragraph += others(k, written(paragraph))
			default:
				kids += string(c.f.raw[k.From:k.To])
			}
		}
	}
	c.made = append(c.made, `<style:style`+c.spaces()+` style:name="`+name+`" style:family="table-cell"`+head+`><style:table-cell-properties`+cell+`/><style:paragraph-properties`+paragraph+`/>`+kids+`</style:style>`)
	return name
}

// spaces returns declarations of those namespaces of a style that are not declared before it. A file with an
// undeclared prefix is not valid, and no program opens it.
func (c *copying) spaces() (s string) {
	for _, space := range []string{` xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"`, ` xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"`} {
		if prefix, _, _ := strings.Cut(space, "="); c.f.automatic != nil && !bytes.Contains(c.f.raw[:c.f.automatic.From], []byte(prefix+"=")) {
			s += space
		}
	}
	return s
}

// written returns the local name of an attribute that is given as written.
func written(attribute string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(attribute), "=")
	return ooxml.Local(name)
}

// others returns the attributes of an element as written, except some.
func others(n *ooxml.Node, but ...string) (s string) {
	for _, a := range n.Attrs {
		if !slices.Contains(but, ooxml.Local(a.Name)) {
			s += " " + a.Name + `="` + ooxml.Escape(a.Value) + `"`
		}
	}
	return s
}

// styles adds the new styles to the automatic ones.
func (c *copying) styles() {
	if n := c.f.automatic; n != nil && len(c.made) > 0 {
		c.edits[content] = append(c.edits[content], n.Append(c.f.raw, strings.Join(c.made, "")))
	}
}

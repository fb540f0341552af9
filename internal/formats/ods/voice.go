package ods

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/sets"
)

// A voice is a part of the book that holds texts of a part of the file, and is searched like a drawing or a
// chart.
type voice struct {
	*part
	sheet *sheet // the sheet that contains the texts
}

// voice begins a part of the book.
func (f *File) voice(name, kind, root string) *voice {
	v := &voice{part: f.part(name, kind)}
	v.b.WriteString("<" + root + ">")
	return v
}

func (f *File) close(v *voice, root string) { v.b.WriteString("</" + root + ">") }

// enter adds an entry and returns its number.
func (f *File) enter(e entry) int {
	f.entries = append(f.entries, e)
	return len(f.entries) - 1
}

// A writer is a buffer of XML.
type writer interface{ WriteString(string) (int, error) }

// run writes a text as a run, which is searched as text that readers see.
func (f *File) run(b writer, part string, t ooxml.Text) {
	if t.From == t.To { // blanks that the file writes as elements
		b.WriteString(`<r><t>` + ooxml.Escape(t.S) + `</t></r>`)
		return
	}
	b.WriteString(`<r><t id="` + itoa(f.enter(entry{place: place{part, t.From, t.To}, text: t.S})) + `">` + ooxml.Escape(t.S) + `</t></r>`)
}

// word writes a text so that it is searched as one that readers do not see; spoken marks sentences that people
// have written.
func (f *File) word(v *voice, e entry, spoken bool) {
	name := map[bool]string{true: "descr", false: "name"}[spoken]
	v.b.WriteString(`<x id="` + itoa(f.enter(e)) + `" ` + name + `="` + ooxml.Escape(e.text) + `"/>`)
}

// fields are elements of text whose content programs compute.
var fields = []string{"page-number", "page-count", "date", "time", "sheet-name", "file-name", "title"}

// pieces returns the texts of a paragraph, in order.
func pieces(n *ooxml.Node) (all []ooxml.Text) {
	n.All(func(k *ooxml.Node) bool {
		if slices.Contains(fields, k.Local()) && k != n {
			all = append(all, ooxml.Text{From: k.From, To: k.From, S: " "})
			return false
		}
		if s := blank(k.Local(), k.Get("text:c")); s != "" {
			all = append(all, ooxml.Text{From: k.From, To: k.From, S: s})
		}
		all = append(all, k.Texts...)
		return true
	})
	slices.SortStableFunc(all, func(a, b ooxml.Text) int { return a.From - b.From })
	return all
}

// worded are the attributes that contain text; spoken are those of them in which people write sentences.
var (
	worded = []string{"href", "display-name", "value", "current-value", "label", "name", "string-value", "sql-statement", "database-name", "data", "text"}
	spoken = []string{"title", "comment", "description", "help-message"}
)

// attributes adds to the voice the attributes with text of n and of all elements below it, and records links to
// other parts.
func (f *File) attributes(v *voice, n *ooxml.Node) {
	n.All(func(k *ooxml.Node) bool {
		f.own(v, k)
		return true
	})
}

func (f *File) own(v *voice, n *ooxml.Node) {
	for _, r := range n.Remarks {
		f.remarks = append(f.remarks, place{v.name, r.From, r.To})
	}
	for k := range n.Attrs {
		a := &n.Attrs[k]
		local := ooxml.Local(a.Name)
		named := local != "name" || strings.HasPrefix(a.Name, "draw:") || strings.HasPrefix(a.Name, "form:")
		if strings.HasPrefix(a.Name, "xmlns") || a.Value == "" {
			continue
		}
		if local == "href" && v.name == content && f.linked(n, a.Value) {
			continue
		}
		if slices.Contains(spoken, local) || slices.Contains(worded, local) && named {
			f.word(v, entry{place: place{v.name, a.From, a.To}, text: a.Value}, slices.Contains(spoken, local))
		}
	}
}

// linked records an element that links to a part of the file.
func (f *File) linked(n *ooxml.Node, to string) bool {
	to = strings.TrimPrefix(strings.TrimPrefix(to, "./"), "/")
	if to == "" || !f.p.Has(to) && !f.p.Has(to+"/"+content) {
		return false
	}
	l := link{to: to, place: place{content, n.From, n.To}}
	if p := n.Parent; p != nil && p.Local() == "frame" {
		l.frame = place{content, p.From, p.To}
	}
	f.links = append(f.links, l)
	return true
}

// leave adds a part to the book that stands for an element that is always removed from a copy.
func (f *File) leave(v *voice, n *ooxml.Node, kind string) {
	name := v.name + ": " + n.Local()
	f.leaving = append(f.leaving, leaving{name, place{v.name, n.From, n.To}})
	if !slices.ContainsFunc(f.parts, func(p *part) bool { return p.name == name }) {
		f.part(name, kind)
	}
}

// walk adds to the book what an element and those below it contain beside cells.
func (f *File) walk(v *voice, n *ooxml.Node) {
	switch n.Local() {
	case "table":
		if v.name == content && v.sheet == nil {
			if isCache(n.Get("table:name")) {
				f.leave(v, n, "connections+xml")
			}
			f.own(v, n)
			return
		}
	case "tracked-changes":
		f.leave(v, n, "revision")
		return
	case "data-pilot-tables":
		f.leave(v, n, "pivotTable+xml")
		return
	case "dde-links":
		f.leave(v, n, "volatileDependencies+xml")
		return
	case "named-range", "named-expression":
		f.named(v, n)
		return
	case "database-range":
		if name := n.Get("table:name"); !strings.HasPrefix(name, "__") {
			f.defined(v, n, name, n.Get("target-range-address"), "")
		}
	case "condition", "color-scale-entry", "formatting-entry", "date-is", "content-validation", "map":
		f.rule(v, n)
	case "p", "h":
		v.b.WriteString("<p>")
		for _, t := range pieces(n) {
			f.run(&v.b, v.name, t)
		}
		v.b.WriteString("</p>")
		f.attributes(v, n)
		return
	}
	f.own(v, n)
	for _, t := range n.Texts {
		if strings.TrimSpace(t.S) != "" && !setting(n) {
			f.word(v, entry{place: place{v.name, t.From, t.To}, text: t.S}, true)
		}
	}
	for _, k := range n.Kids {
		f.walk(v, k)
	}
}

// setting reports whether an element is a program's setting, which is not text.
func setting(n *ooxml.Node) bool {
	return n.Local() == "config-item" && n.Get("type") != "string" || n.Local() == "date"
}

// named adds a defined name to the book.
func (f *File) named(v *voice, n *ooxml.Node) {
	f.defined(v, n, n.Get("table:name"), n.Get("cell-range-address"), n.Get("table:expression"))
}

func (f *File) defined(v *voice, n *ooxml.Node, name, address, expression string) {
	refers, ok := reference(address)
	if !ok {
		refers = a1(expression)
	}
	local := ""
	if v.sheet != nil {
		local = ` localSheetId="` + itoa(v.sheet.number) + `"`
	}
	id := f.enter(entry{cut: place{v.name, n.From, n.To}})
	f.names.WriteString(`<definedName id="` + itoa(id) + `" name="` + ooxml.Escape(name) + `"` + local + `>` + ooxml.Escape(refers) + `</definedName>`)
}

// rule adds a conditional format or a validity check to the book.
func (f *File) rule(v *voice, n *ooxml.Node) {
	sqref := ""
	for p := n.Parent; p != nil && sqref == ""; p = p.Parent {
		sqref = areas(p.Get("target-range-address"))
	}
	for k := range n.Attrs {
		a := &n.Attrs[k]
		if local := ooxml.Local(a.Name); (local == "condition" || local == "value") && len(f.sheets) > 0 {
			cut := place{v.name, n.From, n.To}
			if n.Local() == "content-validation" {
				cut = place{v.name, a.Start, a.To + 1}
			}
			s := f.sheets[0]
			if v.sheet != nil {
				s = v.sheet
			}
			s.rules.WriteString(`<conditionalFormatting sqref="` + sqref + `"><cfRule id="` + itoa(f.enter(entry{cut: cut})) + `"><formula>` + ooxml.Escape(a1(a.Value)) + `</formula></cfRule></conditionalFormatting>`)
		}
	}
}

// meta adds the properties of a part of the file to the book.
func (f *File) meta(name string) error {
	root, err := f.p.Parse(name)
	if err != nil {
		return err
	}
	v := f.voice(name, properties, "coreProperties")
	m := root.Kid("meta")
	if m == nil {
		m = &ooxml.Node{}
	}
	for _, n := range m.Kids {
		texts := n.AllTexts()
		switch n.Local() {
		case "generator", "creation-date", "date", "print-date", "editing-cycles", "editing-duration", "document-statistic", "template", "auto-reload":
			continue
		}
		if len(texts) == 0 {
			continue
		}
		local, attribute := n.Local(), ""
		e := entry{place: place{name, texts[0].From, texts[len(texts)-1].To}, text: n.String(), cut: place{name, n.From, n.To}}
		if local == "user-defined" {
			local, attribute = "property", ` name="`+ooxml.Escape(n.Get("meta:name"))+`"`
		}
		v.b.WriteString("<" + local + ` id="` + itoa(f.enter(e)) + `"` + attribute + ">" + ooxml.Escape(e.text) + "</" + local + ">")
	}
	f.close(v, "coreProperties")
	return nil
}

// chart adds a chart to the book: its texts, and those values of its table that are not in the sheets.
func (f *File) chart(name string) error {
	root, err := f.p.Parse(name)
	if err != nil {
		return err
	}
	v := f.voice(name, "application/vnd.openxmlformats-officedocument.drawingml.chart+xml", "chartSpace")
	for _, n := range root.Find("chart-properties") {
		for _, end := range []string{"maximum", "minimum"} {
			if a := n.Attr(end); a != nil {
				v.b.WriteString("<" + end[:3] + ` id="` + itoa(f.enter(entry{text: "", cut: place{name, a.Start, a.To + 1}})) + `" val="` + ooxml.Escape(a.Value) + `"/>`)
			}
		}
	}
	own := true // the chart has values of its own
	for _, n := range root.Find("series") {
		if a := n.Get("values-cell-range-address"); a != "" && !strings.HasPrefix(a, "local-table.") {
			own = false
		}
	}
	for _, n := range root.Find("table") {
		if own {
			f.series(v, n)
		} else {
			f.leave(v, n, "chartvalues")
		}
		for k, kid := range n.Parent.Kids {
			if kid == n { // its texts have been added already
				n.Parent.Kids = slices.Delete(n.Parent.Kids, k, k+1)
				break
			}
		}
	}
	f.walk(v, root)
	f.close(v, "chartSpace")
	return nil
}

// series adds the table of a chart to the book, each column as a series.
func (f *File) series(v *voice, n *ooxml.Node) {
	var rows [][]*ooxml.Node
	for _, r := range n.Find("table-row") {
		row := sets.Where(r.Kids, func(c *ooxml.Node) bool { return c.Local() == "table-cell" })
		rows = append(rows, row)
	}
	at := func(r, c int) *ooxml.Node {
		if r < len(rows) && c < len(rows[r]) {
			return rows[r][c]
		}
		return nil
	}
	point := func(r, c int, element string) string {
		n := at(r, c)
		if n == nil {
			return ""
		}
		text := n.Get("office:value")
		if text == "" {
			text = n.String()
		}
		return "<" + element + ` id="` + itoa(f.enter(entry{text: text, cut: place{v.name, n.From, n.To}, instead: "<" + n.Name + "/>"})) + `" idx="` + itoa(r) + `"><v>` + ooxml.Escape(text) + "</v></" + element + ">"
	}
	if len(rows) == 0 {
		return
	}
	for c := 1; c < len(rows[0]); c++ {
		v.b.WriteString("<ser>" + point(0, c, "tx") + "<cat><strLit>")
		for r := range rows[1:] {
			v.b.WriteString(point(r+1, 0, "pt"))
		}
		v.b.WriteString("</strLit></cat><val><numLit>")
		for r := range rows[1:] {
			v.b.WriteString(point(r+1, c, "pt"))
		}
		v.b.WriteString("</numLit></val></ser>")
	}
}

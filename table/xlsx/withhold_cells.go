package xlsx

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// sheets writes the marks, turns formulas into values, and cleans the texts of cells.
func (c *copying) sheets() error {
	styles, err := c.newStyles()
	if err != nil {
		return err
	}
	c.sayMasked()
	r := &rewriting{c: c, styles: styles, mark: c.sharedMark(), uses: make([]use, len(c.words.text))}
	if r.mark >= 0 {
		r.uses[r.mark].kept = true
	}
	for _, t := range c.tabs {
		if t.part == "" {
			continue
		}
		if err := r.sheet(t); err != nil {
			return err
		}
	}
	c.cleanWords(r.uses)
	return styles.write()
}

// sayMasked says which cells do not keep their value, but for the given ones, which are told by the caller.
func (c *copying) sayMasked() {
	for _, id := range c.order {
		m := c.masked[id]
		if m.why == "" {
			continue
		}
		what := "became the mark"
		if m.empty {
			what = "emptied"
		}
		c.say(c.where(id), what, m.why)
	}
}

// sharedMark is the number of the shared string that is the mark alone, −1 for none.
func (c *copying) sharedMark() int {
	return slices.IndexFunc(c.words.node, func(n *ooxml.Node) bool {
		return len(n.Kids) == 1 && n.Kids[0].Local() == "t" && n.String() == c.o.Mark
	})
}

// A rewriting goes through the cells of all sheets.
type rewriting struct {
	c      *copying
	styles *styles
	mark   int // of shared strings, −1
	uses   []use
}

// sheet writes the marks of a sheet, turns its formulas into values, and cleans the texts of its cells.
func (r *rewriting) sheet(t *tab) error {
	c := r.c
	formulas, settingOf := c.freezing(t), c.settings(t)
	for n := range t.cells {
		s := &t.cells[n]
		id := t.id(s)
		if m := c.masked[id]; m != nil {
			if err := r.masked(t, s, m); err != nil {
				return err
			}
			continue
		}
		if s.calc != nil {
			formulas.rewrite(s)
		}
		in := settingOf(s)
		if s.word >= 0 {
			r.uses[s.word].by(id, in)
		}
		if len(s.texts) > 0 && s.canon == "" {
			c.withoutNumbers(t.part, c.where(id), s.texts, in)
		}
	}
	if ids := formulas.frozen; len(ids) > 0 {
		c.say(t.name+"!"+runs(ids), plural(len(ids), "formula became its value", "formulas became their values"), "they depend on the table")
	}
	c.withoutRemarks(t)
	return nil
}

// masked writes a cell that does not keep its value.
func (r *rewriting) masked(t *tab, s *spot, m *mask) error {
	if s.word >= 0 {
		r.uses[s.word].masked = true
	}
	if s.meta && s.canon != "" {
		return &RefusedError{Part: r.c.where(t.id(s)), What: "a linked data type, which holds more than the cell shows; turn it into text first"}
	}
	if s.calc != nil {
		r.c.frozen++
	}
	r.c.edit(t.part, r.c.marked(s, r.styles, r.mark, m.empty))
	return nil
}

// settings returns in which setting the text of a cell stands: unseen, a label of the table, or in view.
func (c *copying) settings(t *tab) func(*spot) setting {
	rows, cols := map[int32]bool{}, map[int32]bool{}
	for id := range c.table {
		if int(id.tab) == t.number {
			rows[id.row], cols[id.col] = true, true
		}
	}
	return func(s *spot) setting {
		switch {
		case t.unseen(int(s.row), int(s.col)):
			return inOffice
		case rows[s.row] || cols[s.col]:
			return inLabels
		}
		return inView
	}
}

// withoutRemarks leaves the comments of XML out that have a withheld number.
func (c *copying) withoutRemarks(t *tab) {
	for _, r := range t.remarks {
		if len(c.secrets.namings(r.S, inOffice)) > 0 {
			c.edit(t.part, ooxml.Edit{From: r.From, To: r.To})
			c.say(t.part, "a comment of XML left out", "it has a withheld number")
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// A use is which cells have a shared string.
type use struct {
	kept, masked bool
	first        spotID
	in           setting // the strictest
}

func (u *use) by(id spotID, in setting) {
	if !u.kept {
		u.kept, u.first, u.in = true, id, in
		return
	}
	u.in = max(u.in, in)
}

// cleanWords cleans the shared strings: those that no cell has any more are emptied.
func (c *copying) cleanWords(uses []use) {
	w := c.words
	for k, n := range w.node {
		u := uses[k]
		sure := func() bool {
			return slices.ContainsFunc(c.secrets.namings(w.text[k], inOffice), func(m naming) bool { return m.sure })
		}
		switch {
		case n.Body == n.To || u.kept && wholeNumber(w.text[k]) != "":
		case !u.kept && (u.masked || sure()):
			p := prefix(n.Name)
			c.edit(w.part, ooxml.Edit{From: n.Body, To: n.Tail, New: "<" + p + "t></" + p + "t>"})
			if !u.masked {
				c.say(w.part, "a text of no cell emptied", "it has a withheld number")
			}
		case u.kept:
			var shown, read []ooxml.Text
			n.All(func(k *ooxml.Node) bool {
				if k.Local() == "rPh" {
					read = append(read, k.AllTexts()...)
					return false
				}
				if k.Local() == "t" {
					shown = append(shown, k.Texts...)
				}
				return true
			})
			c.withoutNumbers(w.part, c.where(u.first), shown, u.in)
			c.withoutNumbers(w.part, c.where(u.first)+" (reading)", read, inOffice)
		}
	}
}

// marked writes a cell anew with the mark.
func (c *copying) marked(s *spot, styles *styles, mark int, empty bool) ooxml.Edit {
	p := prefix(s.name)
	var b strings.Builder
	b.WriteString("<" + s.name)
	if s.placed {
		b.WriteString(` r="` + ooxml.CellName(int(s.row), int(s.col)) + `"`)
	}
	if style := styles.right(s.style); style != "" {
		b.WriteString(` s="` + ooxml.Escape(style) + `"`)
	}
	switch {
	case empty || c.o.Mark == "":
		b.WriteString("/>")
		return ooxml.Edit{From: s.from, To: s.to, New: b.String()}
	case mark >= 0:
		b.WriteString(` t="s"><` + p + "v>" + strconv.Itoa(mark) + "</" + p + "v>")
	default:
		space := ""
		if strings.TrimSpace(c.o.Mark) != c.o.Mark {
			space = ` xml:space="preserve"`
		}
		b.WriteString(` t="inlineStr"><` + p + "is><" + p + "t" + space + ">" + ooxml.Escape(c.o.Mark) + "</" + p + "t></" + p + "is>")
	}
	b.WriteString("</" + s.name + ">")
	return ooxml.Edit{From: s.from, To: s.to, New: b.String()}
}

// runs writes cells of one sheet in short: those below each other as A1:A9.
func runs(ids []spotID) string {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b spotID) int {
		if a.col != b.col {
			return int(a.col - b.col)
		}
		return int(a.row - b.row)
	})
	var all []string
	for k := 0; k < len(ids); {
		n := k + 1
		for n < len(ids) && ids[n].col == ids[k].col && ids[n].row == ids[n-1].row+1 {
			n++
		}
		s := ooxml.CellName(int(ids[k].row), int(ids[k].col))
		if n > k+1 {
			s += ":" + ooxml.CellName(int(ids[n-1].row), int(ids[n-1].col))
		}
		all = append(all, s)
		k = n
	}
	if len(all) > 20 {
		all = append(all[:20], fmt.Sprintf("and %d more", len(all)-20))
	}
	return strings.Join(all, " ")
}

// styles are the formats of cells, to which aligned ones are added.
type styles struct {
	c      *copying
	part   string
	raw    []byte
	list   *ooxml.Node // cellXfs
	xfs    []*ooxml.Node
	format map[string]string // codes of number formats
	made   map[string]string
	added  []string

	fillList   *ooxml.Node
	fills      map[string]int // those added, by colour
	addedFills []string
}

func (c *copying) newStyles() (*styles, error) {
	s := &styles{c: c, format: map[string]string{}, made: map[string]string{}, fills: map[string]int{}}
	rels, err := c.p.Relations(c.main)
	if err != nil {
		return nil, err
	}
	for _, r := range rels {
		if r.Type == "styles" && c.p.Has(r.Target) {
			s.part = r.Target
		}
	}
	if s.part == "" {
		return s, nil
	}
	root, raw, err := c.source(s.part)
	if err != nil {
		return nil, err
	}
	s.raw = raw
	s.list, s.fillList = root.Kid("cellXfs"), root.Kid("fills")
	if s.list != nil {
		for _, n := range s.list.Kids {
			if n.Local() == "xf" {
				s.xfs = append(s.xfs, n)
			}
		}
	}
	for _, n := range root.Kid("numFmts").Find("numFmt") {
		s.format[n.Get("numFmtId")] = n.Get("formatCode")
	}
	return s, nil
}

// right returns the style that shows a text where the style shows numbers.
func (s *styles) right(style string) string {
	n := 0
	if style != "" {
		var err error
		if n, err = strconv.Atoi(style); err != nil {
			return style
		}
	}
	if n < 0 || n >= len(s.xfs) {
		return style
	}
	if to, ok := s.made[strconv.Itoa(n)]; ok {
		return to
	}
	xf := s.xfs[n]
	set := map[string]string{}
	align := ""
	if a := xf.Kid("alignment"); a == nil || a.Get("horizontal") == "" || a.Get("horizontal") == "general" {
		align, set["applyAlignment"] = "right", "1"
	}
	if hidesText(s.format[xf.Get("numFmtId")]) {
		set["numFmtId"] = "0"
	}
	to := style
	if len(set) > 0 {
		to = s.derive(n, set, align)
	}
	s.made[strconv.Itoa(n)] = to
	return to
}

// derive makes a style of the n-th, with other attributes, and aligned so unless align is empty.
func (s *styles) derive(n int, attributes map[string]string, align string) string {
	xf := s.xfs[n]
	var edits []ooxml.Edit
	set := func(at *ooxml.Node, name, value string) {
		if a := at.Attr(name); a != nil {
			edits = append(edits, a.Set(value))
		} else {
			from := at.From + 1 + len(at.Name)
			edits = append(edits, ooxml.Edit{From: from, To: from, New: " " + name + `="` + value + `"`})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		set(xf, name, attributes[name])
	}
	if a := xf.Kid("alignment"); align != "" && a != nil {
		set(a, "horizontal", align)
	} else if align != "" {
		edits = append(edits, alignment(xf, s.raw, align))
	}
	for k := range edits {
		edits[k].From -= xf.From
		edits[k].To -= xf.From
	}
	s.added = append(s.added, string(ooxml.Apply(s.raw[xf.From:xf.To], edits)))
	return strconv.Itoa(len(s.xfs) + len(s.added) - 1)
}

// alignment adds an alignment as the first child of a style.
func alignment(xf *ooxml.Node, raw []byte, align string) ooxml.Edit {
	add := "<" + prefix(xf.Name) + `alignment horizontal="` + align + `"/>`
	if xf.Body == xf.To {
		return xf.Append(raw, add)
	}
	return ooxml.Edit{From: xf.Body, To: xf.Body, New: add}
}

// hidesText reports whether a number format has a section for text that does not show it.
func hidesText(code string) bool {
	quoted, sections, last := false, 1, 0
	for k := 0; k < len(code); k++ {
		switch {
		case code[k] == '"':
			quoted = !quoted
		case code[k] == '\\' && !quoted:
			k++
		case code[k] == ';' && !quoted:
			sections++
			last = k + 1
		}
	}
	return sections > 3 && !strings.Contains(code[last:], "@")
}

// write adds the styles made.
func (s *styles) write() error {
	if len(s.added) == 0 {
		return nil
	}
	s.c.edit(s.part, s.list.Append(s.raw, strings.Join(s.added, "")))
	if a := s.list.Attr("count"); a != nil {
		s.c.edit(s.part, a.Set(strconv.Itoa(len(s.xfs)+len(s.added))))
	}
	if len(s.addedFills) > 0 {
		s.c.edit(s.part, s.fillList.Append(s.raw, strings.Join(s.addedFills, "")))
		if a := s.fillList.Attr("count"); a != nil {
			s.c.edit(s.part, a.Set(strconv.Itoa(len(s.fillList.Kids)+len(s.addedFills))))
		}
	}
	return nil
}
